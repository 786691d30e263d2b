// Declarations that ptxas 13.0 takes and refuses.
#pragma once
#include <string>

#include "helpers.h"

namespace ptxequiv::ptx::testing {

enum class Place { kOutside, kInside, kEntryHead, kFunctionHead, kWhole };

struct LegalityCase {
  Place place;
  bool is_legal;
  const char* text;
};

inline std::string whole_text(const LegalityCase& one) {
  std::string text = one.text;
  switch (one.place) {
    case Place::kOutside:
      return kernel("ret;", text + "\n");
    case Place::kInside:
      return kernel(text + "\nret;");
    case Place::kEntryHead:
      return kernel("ret;", ".entry e() " + text + " { ret; }\n");
    case Place::kFunctionHead:
      return kernel("ret;", ".func f() " + text + " { ret; }\n");
    default:
      return text + "\n";
  }
}

inline constexpr LegalityCase kLegalityCases[] = {
    {Place::kOutside, true, ".global .align 256 .b8 x[4];"},
    {Place::kOutside, true, ".align 8 .global .b32 x;"},
    {Place::kOutside, true, ".global .v4 .b32 x;"},
    {Place::kOutside, true, ".global .v2 .f64 x;"},
    {Place::kOutside, true, ".global .f16x2 x;"},
    {Place::kOutside, true, ".global .b128 x;"},
    {Place::kOutside, true, ".global .texref x[4];"},
    {Place::kOutside, true, ".extern .global .b32 x; .visible .global .b32 x;"},
    {Place::kOutside, true, ".weak .const .b32 x;"},
    {Place::kOutside, true, ".visible .shared .b32 x;"},
    {Place::kOutside, true, ".common .global .b32 x;"},
    {Place::kOutside, true, ".extern .shared .b8 a[]; .extern .shared .align 16 .b8 a[];"},
    {Place::kOutside, true, ".global .b32 x = WARP_SZ;"},
    {Place::kOutside, true, ".global .b32 y; .const .u64 x = generic(y)+4;"},
    {Place::kOutside, true, ".func f() { ret; } .global .u64 x = f;"},
    {Place::kOutside, false, ".global .align 3 .b32 x;"},
    {Place::kOutside, false, ".global .v4 .b64 x;"},
    {Place::kOutside, false, ".global .v8 .b16 x;"},
    {Place::kOutside, false, ".global .v2 .v2 .b32 x;"},
    {Place::kOutside, false, ".global .b32 .v2 x;"},
    {Place::kOutside, false, ".global .b32 .align 8 x;"},
    {Place::kOutside, false, ".global .v2 .align 8 .b32 x;"},
    {Place::kOutside, false, ".global .bf16 x;"},
    {Place::kOutside, false, ".global .tf32 x;"},
    {Place::kOutside, false, ".global .e4m3x2 x;"},
    {Place::kOutside, false, ".local .b32 x;"},
    {Place::kOutside, false, ".extern .local .b32 x;"},
    {Place::kOutside, false, ".tex .u64 x;"},
    {Place::kOutside, false, ".global .samplerref x;"},
    {Place::kOutside, false, ".shared .texref x;"},
    {Place::kOutside, false, ".common .shared .b32 x;"},
    {Place::kOutside, false, ".visible .extern .global .b32 x;"},
    {Place::kOutside, false, ".weak .weak .global .b32 x;"},
    {Place::kOutside, false, ".extern .global .b32 x; .global .b32 x;"},
    {Place::kOutside, false, ".extern .global .b32 x; .extern .global .b32 x[4];"},
    {Place::kOutside, false, ".shared .attribute(.managed) .b32 x;"},
    {Place::kOutside, false, ".shared .b32 y; .global .u64 x = generic(y);"},
    {Place::kOutside, false, ".global .b32 y; .global .f64 x = y;"},
    {Place::kOutside, false, ".global .b32 y; .global .b8 x = 0xF(y);"},
    {Place::kOutside, false, ".global .b32 y[4]; .global .u64 x = y[2];"},
    {Place::kOutside, false, ".global .b32 x[2] = {1, 2, 3};"},
    {Place::kOutside, false, ".global .b32 x[2] = 1;"},
    {Place::kOutside, false, ".global .b32 x; .global .b32 x;"},
    {Place::kOutside, false, ".global .u8 x = 1, y = ;"},
    {Place::kInside, true, ".local .align 16 .b8 x[100];"},
    {Place::kInside, true, ".shared .b32 x<3>;"},
    {Place::kInside, true, ".reg .v4 .b32 x;"},
    {Place::kInside, true, ".reg .b128 x;"},
    {Place::kInside, true, ".param .align 8 .b8 x[16];"},
    {Place::kInside, true, ".reg .align 8 .b32 x;"},
    {Place::kInside, false, ".reg .v4 .b64 x;"},
    {Place::kInside, false, ".reg .v8 .b32 x;"},
    {Place::kInside, false, ".reg .v2 .pred x;"},
    {Place::kInside, false, ".reg .bf16x2 x;"},
    {Place::kInside, false, ".reg .texref x;"},
    {Place::kInside, false, ".reg .b32 .align 8 x;"},
    {Place::kInside, false, ".visible .reg .b32 x;"},
    {Place::kInside, false, ".extern .shared .b32 x[];"},
    {Place::kInside, false, ".weak .shared .b32 x;"},
    {Place::kInside, false, ".global .texref x;"},
    {Place::kInside, false, "mov.b32 %r1, (%r2);"},
    {Place::kInside, false, "mov.b32 (%r1), %r2;"},
    {Place::kInside, false, "ld.param.u64 %rd1, [(p0)];"},
    {Place::kInside, false, ".reg .b32 %r3;"},
    {Place::kInside, false, "bra nowhere;"},
    {Place::kInside, false, "{ L: ret; } bra L;"},
    {Place::kEntryHead, true, ".maxntid 128,1,1"},
    {Place::kEntryHead, true, ".reqntid 0x40"},
    {Place::kEntryHead, true, ".maxntid 128 .minnctapersm 2 .maxnreg 32"},
    {Place::kEntryHead, true, ".explicitcluster .reqnctapercluster 2"},
    {Place::kEntryHead, true, ".maxclusterrank 8"},
    {Place::kEntryHead, true, ".pragma \"nounroll\";"},
    {Place::kEntryHead, false, ".blocksareclusters .reqntid 32 .reqnctapercluster 2"},
    {Place::kEntryHead, false, ".maxntid"},
    {Place::kEntryHead, false, ".maxntid 1,1,1,1"},
    {Place::kEntryHead, false, ".maxntid 0"},
    {Place::kEntryHead, false, ".reqntid 64,0"},
    {Place::kEntryHead, false, ".minnctapersm 2,2"},
    {Place::kEntryHead, false, ".maxnreg 0"},
    {Place::kEntryHead, false, ".reqntid 32 .maxntid 64"},
    {Place::kEntryHead, false, ".noreturn"},
    {Place::kEntryHead, false, ".abi_preserve 4"},
    {Place::kEntryHead, false, ".nothing 3"},
    {Place::kEntryHead, false, ".maxclusterrank 8 .reqnctapercluster 2"},
    {Place::kEntryHead, false, ".blocksareclusters .reqntid 32"},
    {Place::kEntryHead, false, ".attribute(.managed)"},
    {Place::kFunctionHead, true, ".noreturn"},
    {Place::kFunctionHead, false, ".maxntid 32"},
    {Place::kFunctionHead, false, ".reqntid 32"},
    {Place::kFunctionHead, false, ".pragma \"x\";"},
    {Place::kFunctionHead, false, ".attribute(.unified(1,2))"},
    {Place::kOutside, true, ".func f(); .func f() { ret; }"},
    {Place::kOutside, true, ".extern .func f(); .extern .func f();"},
    {Place::kOutside, true, ".extern .func f();"},
    {Place::kOutside, true, ".weak .entry e() { ret; }"},
    {Place::kOutside, true, ".extern .func f(.param .b8 a[]);"},
    {Place::kOutside, true, ".entry e(.param .b32 _) { ret; }"},
    {Place::kOutside, true, ".func f(); .func g() { ret; } .alias f, g;"},
    {Place::kOutside, false, ".func f() { ret; } .func f();"},
    {Place::kOutside, false, ".func f(.param .b32 a); .func f(.param .s32 b) { ret; }"},
    {Place::kOutside, false, ".func f(.param .b32 a); .func f(.reg .b32 a) { ret; }"},
    {Place::kOutside, false,
     ".func f(.param .align 8 .b8 a[8]); .func f(.param .b8 a[8]) { ret; }"},
    {Place::kOutside, false, ".extern .func f() { ret; }"},
    {Place::kOutside, false, ".extern .func f(); .visible .func f() { ret; }"},
    {Place::kOutside, false, ".common .func f();"},
    {Place::kOutside, false, ".visible .weak .func f() { ret; }"},
    {Place::kOutside, false, ".entry e(.reg .b32 a) { ret; }"},
    {Place::kOutside, false, ".entry e(.param .v4 .f32 a) { ret; }"},
    {Place::kOutside, false, ".entry e(.param .b32 a[]) { ret; }"},
    {Place::kOutside, false, ".entry e(.param .b32) { ret; }"},
    {Place::kOutside, false, ".entry e(.param .u64 .ptr .global .shared a) { ret; }"},
    {Place::kOutside, false, ".func f(.param .b32 _);"},
    {Place::kOutside, false, ".func (.param .b32 r, .param .b32 s) f() { ret; }"},
    {Place::kOutside, false, ".func f(.param .pred p) { ret; }"},
    {Place::kOutside, false, ".func f() { ret; } .func g() { ret; } .alias f, g;"},
    {Place::kOutside, false, ".func f(.param .b32 a); .func g() { ret; } .alias f, g;"},
    {Place::kOutside, false, ".func f(); .weak .func g() { ret; } .alias f, g;"},
    {Place::kOutside, false, ".func f(); .alias f, f;"},
    {Place::kOutside, false, ".func f(); .func g() { ret; } .alias f, g; .alias f, g;"},
    {Place::kWhole, true, ".version 9.0 .target sm_90a .entry k() { ret; }"},
    {Place::kWhole, true,
     ".version 9.0\n.target sm_90a, texmode_independent\n.global .samplerref s;"},
    {Place::kWhole, true,
     ".version 9.0\n.target sm_90a\n.address_size 64\n.file 1 \"a\", 5\n.file 2 \"a\", 5, 6"},
    {Place::kWhole, true,
     ".version 9.0\n.target sm_90a\n.entry e() .blocksareclusters .reqntid 32 "
     ".reqnctapercluster 2 { ret; }"},
    {Place::kWhole, true,
     ".version 9.0\n.target sm_90a\n.visible .func f() .abi_preserve 4 { ret; }"},
    {Place::kWhole, false, ".version 7.7\n.target sm_80\n.entry e() .maxclusterrank 2 { ret; }"},
    {Place::kWhole, false, ".target sm_90a\n.version 9.0"},
    {Place::kWhole, false, ".version 9.0"},
    {Place::kWhole, false, ".version 9.0\n.target debug"},
    {Place::kWhole, false, ".version 9.0\n.address_size 64\n.target sm_90a"},
    {Place::kWhole, false, ".version 9.0\n.version 9.0"},
    {Place::kWhole, false, ".version 9.0\n.target texmode_independent, sm_90a"},
    {Place::kWhole, false, ".version 9.0\n.target sm_90a, nothing"},
    {Place::kWhole, false, ".pragma \"x\";\n.version 9.0"},
    {Place::kWhole, false, ".version 9.0\n.file 1 \"x\"\n.target sm_90a"},
    {Place::kWhole, false, ".version 9.0\n.target sm_90a\n.address_size 64\n.address_size 64"},
    {Place::kWhole, false, ".version 9.0\n.target sm_90a\n.file 1 \"x\"\n.address_size 64"},
    {Place::kWhole, false, ".version 9.0\n.target sm_90a\n.file 1 \"a\"\n.file 1 \"b\""},
};

}  // namespace ptxequiv::ptx::testing
