// Tensor cores of the fifth generation (PTX manual, 9.7.16): known, without a meaning here.
#include "isa/table.h"

namespace ptxequiv::isa {
namespace {

#define HAVE "100f|101f|110f"
#define GROUP ".(cta_group::1|cta_group::2)"
#define REPEAT ".(x1|x2|x4|x8|x16|x32|x64|x128)"
#define FLOATS ".(kind::f16|kind::tf32|kind::f8f6f4)"
#define USE_A \
  "{.collector::a::fill|.collector::a::use|.collector::a::lastuse|.collector::a::discard}"
#define USE_B                                                                                  \
  "{.collector::b0::fill|.collector::b0::use|.collector::b0::lastuse|.collector::b0::discard|" \
  ".collector::b1::fill|.collector::b1::use|.collector::b1::lastuse|.collector::b1::discard|"  \
  ".collector::b2::fill|.collector::b2::use|.collector::b2::lastuse|.collector::b2::discard|"  \
  ".collector::b3::fill|.collector::b3::use|.collector::b3::lastuse|.collector::b3::discard}"
#define D_AB " [d:32], a:b64|mem, b:b64"
#define META ", [meta:32]"

constexpr Row kRows[] = {
    {"tcgen05", ".alloc" GROUP ".sync.aligned{.shared::cta}.b32 [dst], columns:u32", 86, HAVE,
     lower_unsupported, "9.7.16.7.1"},
    {"tcgen05", ".dealloc" GROUP ".sync.aligned.b32 a:b32, columns:u32", 86, HAVE,
     lower_unsupported, "9.7.16.7.1"},
    {"tcgen05", ".relinquish_alloc_permit" GROUP ".sync.aligned", 86, HAVE, lower_unsupported,
     "9.7.16.7.1"},
    {"tcgen05", ".ld.sync.aligned.(16x64b|32x32b)" REPEAT "{.pack::16b}.b32 r:vT:b32, [taddr:32]",
     86, HAVE, lower_unsupported, "9.7.16.8.3"},
    {"tcgen05",
     ".ld.sync.aligned.16x128b.(x1|x2|x4|x8|x16|x32|x64){.pack::16b}.b32 r:vT:b32, [taddr:32]", 86,
     HAVE, lower_unsupported, "9.7.16.8.3"},
    {"tcgen05",
     ".ld.sync.aligned.16x256b.(x1|x2|x4|x8|x16|x32){.pack::16b}.b32 r:vT:b32, [taddr:32]", 86,
     HAVE, lower_unsupported, "9.7.16.8.3"},
    {"tcgen05",
     ".ld.sync.aligned.16x32bx2" REPEAT "{.pack::16b}.b32 r:vT:b32, [taddr:32], half:imm", 86, HAVE,
     lower_unsupported, "9.7.16.8.3"},
    {"tcgen05",
     ".ld.red.sync.aligned.32x32b.(x2|x4|x8|x16|x32|x64|x128).(min|max){.abs}{.NaN}.f32 r:vT:f32, "
     "d:f32, [taddr:32]",
     88, "101f|103f|110f", lower_unsupported, "9.7.16.8.3"},
    {"tcgen05",
     ".ld.red.sync.aligned.16x32bx2.(x2|x4|x8|x16|x32|x64|x128).(min|max){.abs}{.NaN}.f32 "
     "r:vT:f32, d:f32, [taddr:32], half:imm",
     88, "101f|103f|110f", lower_unsupported, "9.7.16.8.3"},
    {"tcgen05",
     ".ld.red.sync.aligned.32x32b.(x2|x4|x8|x16|x32|x64|x128).(min|max).(u32|s32) r:vT:t1, d:t1, "
     "[taddr:32]",
     88, "101f|103f|110f", lower_unsupported, "9.7.16.8.3"},
    {"tcgen05",
     ".ld.red.sync.aligned.16x32bx2.(x2|x4|x8|x16|x32|x64|x128).(min|max).(u32|s32) r:vT:t1, d:t1, "
     "[taddr:32], half:imm",
     88, "101f|103f|110f", lower_unsupported, "9.7.16.8.3"},
    {"tcgen05", ".st.sync.aligned.(16x64b|32x32b)" REPEAT "{.unpack::16b}.b32 [taddr:32], b:vT:b32",
     86, HAVE, lower_unsupported, "9.7.16.8.4"},
    {"tcgen05",
     ".st.sync.aligned.16x128b.(x1|x2|x4|x8|x16|x32|x64){.unpack::16b}.b32 [taddr:32], b:vT:b32",
     86, HAVE, lower_unsupported, "9.7.16.8.4"},
    {"tcgen05",
     ".st.sync.aligned.16x256b.(x1|x2|x4|x8|x16|x32){.unpack::16b}.b32 [taddr:32], b:vT:b32", 86,
     HAVE, lower_unsupported, "9.7.16.8.4"},
    {"tcgen05",
     ".st.sync.aligned.16x32bx2" REPEAT "{.unpack::16b}.b32 [taddr:32], half:imm, b:vT:b32", 86,
     HAVE, lower_unsupported, "9.7.16.8.4"},
    {"tcgen05", ".(wait::ld|wait::st).sync.aligned", 86, HAVE, lower_unsupported, "9.7.16.8.5"},
    {"tcgen05", ".cp" GROUP ".(128x256b|4x256b|128x128b) [taddr:32], s:b64", 86, HAVE,
     lower_unsupported, "9.7.16.9.1"},
    {"tcgen05",
     ".cp" GROUP ".(128x256b|4x256b|128x128b).b8x16.(b6x16_p32|b4x16_p64) [taddr:32], s:b64", 86,
     HAVE, lower_unsupported, "9.7.16.9.1"},
    {"tcgen05", ".cp" GROUP ".64x128b.(warpx2::02_13|warpx2::01_23) [taddr:32], s:b64", 86, HAVE,
     lower_unsupported, "9.7.16.9.1"},
    {"tcgen05",
     ".cp" GROUP
     ".64x128b.(warpx2::02_13|warpx2::01_23).b8x16.(b6x16_p32|b4x16_p64) [taddr:32], s:b64",
     86, HAVE, lower_unsupported, "9.7.16.9.1"},
    {"tcgen05", ".cp" GROUP ".32x128b.warpx4 [taddr:32], s:b64", 86, HAVE, lower_unsupported,
     "9.7.16.9.1"},
    {"tcgen05", ".cp" GROUP ".32x128b.warpx4.b8x16.(b6x16_p32|b4x16_p64) [taddr:32], s:b64", 86,
     HAVE, lower_unsupported, "9.7.16.9.1"},
    {"tcgen05", ".shift" GROUP ".down [taddr:32]", 86, "100a|101a|103a|110a", lower_unsupported,
     "9.7.16.9.2"},
    {"tcgen05", ".(fence::before_thread_sync|fence::after_thread_sync)", 86, HAVE,
     lower_unsupported, "9.7.16.11.1"},
    {"tcgen05", ".commit" GROUP ".mbarrier::arrive::one{.shared::cluster}.b64 [mbar]", 86, HAVE,
     lower_unsupported, "9.7.16.12.1"},
    {"tcgen05",
     ".commit" GROUP
     ".mbarrier::arrive::one{.shared::cluster}.multicast::cluster.b64 [mbar], mask:b16",
     86, HAVE, lower_unsupported, "9.7.16.12.1"},
    // Products. idesc: the instruction's descriptor; lanes: which lanes of d are kept.
    {"tcgen05", ".mma" GROUP FLOATS USE_A D_AB ", idesc:u32, enable:pred", 86, HAVE,
     lower_unsupported, "9.7.16.10.9.1"},
    {"tcgen05",
     ".mma" GROUP ".(kind::f16|kind::tf32)" USE_A D_AB ", idesc:u32, enable:pred, scale:imm(0..15)",
     86, "100f", lower_unsupported, "9.7.16.10.9.1"},
    {"tcgen05", ".mma" GROUP FLOATS USE_A D_AB ", idesc:u32, lanes:vL:b32, enable:pred", 86, HAVE,
     lower_unsupported, "9.7.16.10.9.1"},
    {"tcgen05",
     ".mma" GROUP ".(kind::f16|kind::tf32)" USE_A D_AB
     ", idesc:u32, lanes:vL:b32, enable:pred, scale:imm(0..15)",
     86, "100f", lower_unsupported, "9.7.16.10.9.1"},
    {"tcgen05",
     ".mma" GROUP FLOATS ".ashift{.collector::a::lastuse|.collector::a::discard} [d:32], [a:32], "
                         "b:b64, idesc:u32, enable:pred",
     86, HAVE, lower_unsupported, "9.7.16.10.9.1"},
    {"tcgen05",
     ".mma" GROUP ".(kind::f16|kind::tf32).ashift{.collector::a::lastuse|.collector::a::discard} "
                  "[d:32], [a:32], b:b64, idesc:u32, enable:pred, scale:imm(0..15)",
     86, "100f", lower_unsupported, "9.7.16.10.9.1"},
    {"tcgen05",
     ".mma" GROUP FLOATS ".ashift{.collector::a::lastuse|.collector::a::discard} [d:32], [a:32], "
                         "b:b64, idesc:u32, lanes:vL:b32, enable:pred",
     86, HAVE, lower_unsupported, "9.7.16.10.9.1"},
    {"tcgen05",
     ".mma" GROUP ".(kind::f16|kind::tf32).ashift{.collector::a::lastuse|.collector::a::discard} "
                  "[d:32], [a:32], b:b64, idesc:u32, lanes:vL:b32, enable:pred, scale:imm(0..15)",
     86, "100f", lower_unsupported, "9.7.16.10.9.1"},
    {"tcgen05", ".mma" GROUP ".kind::i8" USE_A D_AB ", idesc:u32, enable:pred", 86,
     "100a|101a|110a", lower_unsupported, "9.7.16.10.9.1"},
    {"tcgen05", ".mma" GROUP ".kind::i8" USE_A D_AB ", idesc:u32, lanes:vL:b32, enable:pred", 86,
     "100a|101a|110a", lower_unsupported, "9.7.16.10.9.1"},
    {"tcgen05",
     ".mma" GROUP ".kind::i8.ashift{.collector::a::lastuse|.collector::a::discard} [d:32], [a:32], "
                  "b:b64, idesc:u32, enable:pred",
     86, "100a|101a|110a", lower_unsupported, "9.7.16.10.9.1"},
    {"tcgen05",
     ".mma" GROUP ".kind::i8.ashift{.collector::a::lastuse|.collector::a::discard} [d:32], [a:32], "
                  "b:b64, idesc:u32, lanes:vL:b32, enable:pred",
     86, "100a|101a|110a", lower_unsupported, "9.7.16.10.9.1"},
    {"tcgen05",
     ".mma" GROUP ".kind::mxf8f6f4.block_scale{.block32}" USE_A D_AB
     ", idesc:u32, [sa:32], [sb:32], enable:pred",
     88, HAVE, lower_unsupported, "9.7.16.10.9.1"},
    {"tcgen05",
     ".mma" GROUP ".kind::mxf8f6f4.block_scale.scale_vec::1X" USE_A D_AB
     ", idesc:u32, [sa:32], [sb:32], enable:pred",
     86, "100a|101a|103a|110a", lower_unsupported, "9.7.16.10.9.1"},
    {"tcgen05",
     ".mma" GROUP ".kind::mxf4.block_scale{.block32}" USE_A D_AB
     ", idesc:u32, [sa:32], [sb:32], enable:pred",
     88, HAVE, lower_unsupported, "9.7.16.10.9.1"},
    {"tcgen05",
     ".mma" GROUP ".kind::mxf4.block_scale.scale_vec::2X" USE_A D_AB
     ", idesc:u32, [sa:32], [sb:32], enable:pred",
     86, "100a|101a|103a|110a", lower_unsupported, "9.7.16.10.9.1"},
    {"tcgen05",
     ".mma" GROUP
     ".kind::mxf4nvf4.block_scale.(scale_vec::2X<87,100a|101a|103a|110a>|scale_vec::4X<87,100a|"
     "101a|103a|110a>|block16<88,100f|101f|110f>|block32<88,100f|101f|110f>)" USE_A D_AB
     ", idesc:u32, [sa:32], [sb:32], enable:pred",
     87, HAVE, lower_unsupported, "9.7.16.10.9.1"},
    {"tcgen05", ".mma.sp" GROUP FLOATS USE_A D_AB META ", idesc:u32, enable:pred", 86, HAVE,
     lower_unsupported, "9.7.16.10.9.2"},
    {"tcgen05",
     ".mma.sp" GROUP ".(kind::f16|kind::tf32)" USE_A D_AB META
     ", idesc:u32, enable:pred, scale:imm(0..15)",
     86, "100f", lower_unsupported, "9.7.16.10.9.2"},
    {"tcgen05", ".mma.sp" GROUP FLOATS USE_A D_AB META ", idesc:u32, lanes:vL:b32, enable:pred", 86,
     HAVE, lower_unsupported, "9.7.16.10.9.2"},
    {"tcgen05",
     ".mma.sp" GROUP ".(kind::f16|kind::tf32)" USE_A D_AB META
     ", idesc:u32, lanes:vL:b32, enable:pred, scale:imm(0..15)",
     86, "100f", lower_unsupported, "9.7.16.10.9.2"},
    {"tcgen05",
     ".mma.sp" GROUP FLOATS ".ashift{.collector::a::lastuse|.collector::a::discard} [d:32], "
                            "[a:32], b:b64, [meta:32], idesc:u32, enable:pred",
     86, HAVE, lower_unsupported, "9.7.16.10.9.2"},
    {"tcgen05",
     ".mma.sp" GROUP ".(kind::f16|kind::tf32).ashift{.collector::a::lastuse|.collector::a::discard}"
                     " [d:32], [a:32], b:b64, [meta:32], idesc:u32, enable:pred, scale:imm(0..15)",
     86, "100f", lower_unsupported, "9.7.16.10.9.2"},
    {"tcgen05",
     ".mma.sp" GROUP FLOATS ".ashift{.collector::a::lastuse|.collector::a::discard} [d:32], "
                            "[a:32], b:b64, [meta:32], idesc:u32, lanes:vL:b32, enable:pred",
     86, HAVE, lower_unsupported, "9.7.16.10.9.2"},
    {"tcgen05",
     ".mma.sp" GROUP
     ".(kind::f16|kind::tf32).ashift{.collector::a::lastuse|.collector::a::discard} [d:32], "
     "[a:32], b:b64, [meta:32], idesc:u32, lanes:vL:b32, enable:pred, scale:imm(0..15)",
     86, "100f", lower_unsupported, "9.7.16.10.9.2"},
    {"tcgen05", ".mma.sp" GROUP ".kind::i8" USE_A D_AB META ", idesc:u32, enable:pred", 86,
     "100a|101a|110a", lower_unsupported, "9.7.16.10.9.2"},
    {"tcgen05",
     ".mma.sp" GROUP ".kind::i8" USE_A D_AB META ", idesc:u32, lanes:vL:b32, enable:pred", 86,
     "100a|101a|110a", lower_unsupported, "9.7.16.10.9.2"},
    {"tcgen05",
     ".mma.sp" GROUP ".kind::i8.ashift{.collector::a::lastuse|.collector::a::discard} [d:32], "
                     "[a:32], b:b64, [meta:32], idesc:u32, enable:pred",
     86, "100a|101a|110a", lower_unsupported, "9.7.16.10.9.2"},
    {"tcgen05",
     ".mma.sp" GROUP ".kind::i8.ashift{.collector::a::lastuse|.collector::a::discard} [d:32], "
                     "[a:32], b:b64, [meta:32], idesc:u32, lanes:vL:b32, enable:pred",
     86, "100a|101a|110a", lower_unsupported, "9.7.16.10.9.2"},
    {"tcgen05",
     ".mma.sp" GROUP ".kind::mxf8f6f4.block_scale{.block32}" USE_A D_AB META
     ", idesc:u32, [sa:32], [sb:32], enable:pred",
     88, HAVE, lower_unsupported, "9.7.16.10.9.2"},
    {"tcgen05",
     ".mma.sp" GROUP ".kind::mxf8f6f4.block_scale.scale_vec::1X" USE_A D_AB META
     ", idesc:u32, [sa:32], [sb:32], enable:pred",
     86, "100a|101a|103a|110a", lower_unsupported, "9.7.16.10.9.2"},
    {"tcgen05",
     ".mma.sp" GROUP ".kind::mxf4.block_scale{.block32}" USE_A D_AB META
     ", idesc:u32, [sa:32], [sb:32], enable:pred",
     88, "100a|101a|103a|110a", lower_unsupported, "9.7.16.10.9.2"},
    {"tcgen05",
     ".mma.sp" GROUP ".kind::mxf4.block_scale.scale_vec::2X" USE_A D_AB META
     ", idesc:u32, [sa:32], [sb:32], enable:pred",
     86, "100a|101a|103a|110a", lower_unsupported, "9.7.16.10.9.2"},
    {"tcgen05",
     ".mma.sp" GROUP
     ".kind::mxf4nvf4.block_scale.(scale_vec::2X<87,100a|101a|103a|110a>|scale_vec::4X<87,100a|"
     "101a|103a|110a>|block16<88,100f|101f|110f>|block32<88,100f|101f|110f>)" USE_A D_AB META
     ", idesc:u32, [sa:32], [sb:32], enable:pred",
     87, "100a|101a|103a|110a", lower_unsupported, "9.7.16.10.9.2"},
    {"tcgen05", ".mma.ws.cta_group::1" FLOATS USE_B D_AB ", idesc:u32, enable:pred{, zero:b64}", 86,
     HAVE, lower_unsupported, "9.7.16.10.9.3"},
    {"tcgen05", ".mma.ws.cta_group::1.kind::i8" USE_B D_AB ", idesc:u32, enable:pred{, zero:b64}",
     86, "100a|101a|110a", lower_unsupported, "9.7.16.10.9.3"},
    {"tcgen05",
     ".mma.ws.sp.cta_group::1" FLOATS USE_B D_AB META ", idesc:u32, enable:pred{, zero:b64}", 86,
     HAVE, lower_unsupported, "9.7.16.10.9.4"},
    {"tcgen05",
     ".mma.ws.sp.cta_group::1.kind::i8" USE_B D_AB META ", idesc:u32, enable:pred{, zero:b64}", 86,
     "100a|101a|110a", lower_unsupported, "9.7.16.10.9.4"},
};

#undef HAVE
#undef GROUP
#undef REPEAT
#undef FLOATS
#undef USE_A
#undef USE_B
#undef D_AB
#undef META

}  // namespace

std::span<const Row> tcgen05_rows() {
  return kRows;
}

}  // namespace ptxequiv::isa
