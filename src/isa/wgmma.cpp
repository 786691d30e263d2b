// Matrix products of a warp group (PTX manual, 9.7.15): known, without a meaning here.
#include "isa/table.h"

namespace ptxequiv::isa {
namespace {

// n in steps of 8 up to 256; integers and bits have fewer.
#define N8(k)                                                                                     \
  ".(m64n8" k "|m64n16" k "|m64n24" k "|m64n32" k "|m64n40" k "|m64n48" k "|m64n56" k "|m64n64" k \
  "|m64n72" k "|m64n80" k "|m64n88" k "|m64n96" k "|m64n104" k "|m64n112" k "|m64n120" k          \
  "|m64n128" k "|m64n136" k "|m64n144" k "|m64n152" k "|m64n160" k "|m64n168" k "|m64n176" k      \
  "|m64n184" k "|m64n192" k "|m64n200" k "|m64n208" k "|m64n216" k "|m64n224" k "|m64n232" k      \
  "|m64n240" k "|m64n248" k "|m64n256" k ")"
#define N16(k)                                                                                    \
  ".(m64n8" k "|m64n16" k "|m64n24" k "|m64n32" k "|m64n48" k "|m64n64" k "|m64n80" k "|m64n96" k \
  "|m64n112" k "|m64n128" k "|m64n144" k "|m64n160" k "|m64n176" k "|m64n192" k "|m64n208" k      \
  "|m64n224" k "|m64n240" k "|m64n256" k ")"
#define DENSE ".mma_async.sync.aligned"
#define SPARSE ".mma_async.sp.sync.aligned"
// a comes from shared memory, by its descriptor, or from registers.
#define SMEM ", a:b64, b:b64"
#define REGS ", a:v4:b32, b:b64"
#define EITHER ", a:b64|v4:b32, b:b64"
#define META ", meta:b32, select:imm(0..3)"
#define SCALE ", scale:pred"
#define SIGNS ", scale:pred, sa:imm(-1,1), sb:imm(-1,1)"
#define TRANSPOSE ", ta:imm(0,1), tb:imm(0,1)"
#define TRANSPOSE_B ", tb:imm(0,1)"

constexpr Row kRows[] = {
    {"wgmma", DENSE N8("k16") ".(f16|f32).f16.f16 d:vW:t1" SMEM SIGNS TRANSPOSE, 80, "90a",
     lower_unsupported, "9.7.15.5"},
    {"wgmma", DENSE N8("k16") ".(f16|f32).f16.f16 d:vW:t1" REGS SIGNS TRANSPOSE_B, 80, "90a",
     lower_unsupported, "9.7.15.5"},
    {"wgmma", DENSE N8("k16") ".f32.bf16.bf16 d:vW:t1" SMEM SIGNS TRANSPOSE, 80, "90a",
     lower_unsupported, "9.7.15.5"},
    {"wgmma", DENSE N8("k16") ".f32.bf16.bf16 d:vW:t1" REGS SIGNS TRANSPOSE_B, 80, "90a",
     lower_unsupported, "9.7.15.5"},
    {"wgmma", DENSE N8("k8") ".f32.tf32.tf32 d:vW:t1" EITHER SIGNS, 80, "90a", lower_unsupported,
     "9.7.15.5"},
    {"wgmma", DENSE N8("k32") ".(f16|f32).(e4m3|e5m2).(e4m3|e5m2) d:vW:t1" EITHER SIGNS, 80, "90a",
     lower_unsupported, "9.7.15.5"},
    {"wgmma", DENSE N16("k32") "{.satfinite}.s32.s8.s8 d:vW:t1" EITHER SCALE, 80, "90a",
     lower_unsupported, "9.7.15.5"},
    {"wgmma", DENSE N16("k32") "{.satfinite}.s32.u8.u8 d:vW:t1" EITHER SCALE, 80, "90a",
     lower_unsupported, "9.7.15.5"},
    {"wgmma", DENSE N16("k32") "{.satfinite}.s32.s8.u8 d:vW:t1" EITHER SCALE, 84, "90a",
     lower_unsupported, "9.7.15.5"},
    {"wgmma", DENSE N16("k32") "{.satfinite}.s32.u8.s8 d:vW:t1" EITHER SCALE, 84, "90a",
     lower_unsupported, "9.7.15.5"},
    {"wgmma", DENSE N16("k256") ".s32.b1.b1.and.popc d:vW:t1" EITHER SCALE, 80, "90a",
     lower_unsupported, "9.7.15.5"},
    {"wgmma", SPARSE N8("k32") ".(f16|f32).f16.f16 d:vW:t1" SMEM META SIGNS TRANSPOSE, 82, "90a",
     lower_unsupported, "9.7.15.5"},
    {"wgmma", SPARSE N8("k32") ".(f16|f32).f16.f16 d:vW:t1" REGS META SIGNS TRANSPOSE_B, 82, "90a",
     lower_unsupported, "9.7.15.5"},
    {"wgmma", SPARSE N8("k32") ".f32.bf16.bf16 d:vW:t1" SMEM META SIGNS TRANSPOSE, 82, "90a",
     lower_unsupported, "9.7.15.5"},
    {"wgmma", SPARSE N8("k32") ".f32.bf16.bf16 d:vW:t1" REGS META SIGNS TRANSPOSE_B, 82, "90a",
     lower_unsupported, "9.7.15.5"},
    {"wgmma", SPARSE N8("k16") ".f32.tf32.tf32 d:vW:t1" EITHER META SIGNS, 82, "90a",
     lower_unsupported, "9.7.15.5"},
    {"wgmma", SPARSE N8("k64") ".(f16|f32).(e4m3|e5m2).(e4m3|e5m2) d:vW:t1" EITHER META SIGNS, 82,
     "90a", lower_unsupported, "9.7.15.5"},
    {"wgmma", SPARSE N16("k64") "{.satfinite}.s32.s8.s8 d:vW:t1" EITHER META SCALE, 82, "90a",
     lower_unsupported, "9.7.15.5"},
    {"wgmma", SPARSE N16("k64") "{.satfinite}.s32.u8.u8 d:vW:t1" EITHER META SCALE, 82, "90a",
     lower_unsupported, "9.7.15.5"},
    {"wgmma", SPARSE N16("k64") "{.satfinite}.s32.s8.u8 d:vW:t1" EITHER META SCALE, 84, "90a",
     lower_unsupported, "9.7.15.5"},
    {"wgmma", SPARSE N16("k64") "{.satfinite}.s32.u8.s8 d:vW:t1" EITHER META SCALE, 84, "90a",
     lower_unsupported, "9.7.15.5"},
    {"wgmma", ".fence.sync.aligned", 80, "90a", lower_unsupported, "9.7.15.7.1"},
    {"wgmma", ".commit_group.sync.aligned", 80, "90a", lower_unsupported, "9.7.15.7.2"},
    {"wgmma", ".wait_group.sync.aligned n:imm(0..7)", 80, "90a", lower_unsupported, "9.7.15.7.3"},
};

#undef N8
#undef N16
#undef DENSE
#undef SPARSE
#undef SMEM
#undef REGS
#undef EITHER
#undef META
#undef SCALE
#undef SIGNS
#undef TRANSPOSE
#undef TRANSPOSE_B

}  // namespace

std::span<const Row> wgmma_rows() {
  return kRows;
}

}  // namespace ptxequiv::isa
