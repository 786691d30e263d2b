// Bulk and tensor copies, tensor maps, and stores that complete elsewhere (PTX manual, 9.7.9):
// known, without a meaning here.
#include "isa/table.h"

namespace ptxequiv::isa {
namespace {

#define POLICY "{, policy:b64 if L2::cache_hint}"
#define HINT "{.L2::cache_hint}"
#define ON_BYTES ".mbarrier::complete_tx::bytes"
#define BLOCKS "{.cta_group::1|.cta_group::2}<86,100f|101f|110f>"

constexpr Row kRows[] = {
    {"st",
     ".async{.weak}.shared::cluster" ON_BYTES
     "{.v2|.v4}.(b32|b64|u32|u64|s32|s64|f32|f64) [a], b:vN:t1, [mbar]",
     81, 90, lower_unsupported, "9.7.9.12"},
    {"st",
     ".async{.mmio}.release.(gpu|sys){.global}.(b8|b16|b32|b64|u8|u16|u32|u64|s8|s16|s32|s64|f32|"
     "f64) [a], b:t1+",
     87, 100, lower_unsupported, "9.7.9.12"},
    {"st", ".bulk{.weak}{.shared::cta} [a], size:b64|b32, init:imm(0)", 86, 100, lower_unsupported,
     "9.7.9.13"},
    {"red", ".async.relaxed.cluster{.shared::cluster}" ON_BYTES ".(inc|dec).u32 [a], b, [mbar]", 81,
     90, lower_unsupported, "9.7.13.7"},
    {"red",
     ".async.relaxed.cluster{.shared::cluster}" ON_BYTES ".(min|max).(u32|s32) [a], b, [mbar]", 81,
     90, lower_unsupported, "9.7.13.7"},
    {"red", ".async.relaxed.cluster{.shared::cluster}" ON_BYTES ".(and|or|xor).b32 [a], b, [mbar]",
     81, 90, lower_unsupported, "9.7.13.7"},
    {"red", ".async.relaxed.cluster{.shared::cluster}" ON_BYTES ".add.(u32|s32|u64) [a], b, [mbar]",
     81, 90, lower_unsupported, "9.7.13.7"},
    {"red", ".async{.mmio}<87,100>.release.(gpu|sys){.global}.add.(u32|s32|u64) [a], b", 87, 100,
     lower_unsupported, "9.7.13.7"},
    // Copies of contiguous bytes
    {"cp", ".async.bulk.shared::cta.global" ON_BYTES HINT " [dst], [src], size:u32, [mbar]" POLICY,
     86, 90, lower_unsupported, "9.7.9.25.4.1"},
    {"cp",
     ".async.bulk.shared::cluster.global" ON_BYTES "{.multicast::cluster}" HINT
     " [dst], [src], size:u32, [mbar]{, mask:b16 if multicast::cluster}" POLICY,
     80, 90, lower_unsupported, "9.7.9.25.4.1"},
    {"cp", ".async.bulk.shared::cluster.shared::cta" ON_BYTES " [dst], [src], size:u32, [mbar]", 80,
     90, lower_unsupported, "9.7.9.25.4.1"},
    {"cp",
     ".async.bulk.global.shared::cta.bulk_group" HINT
     "{.cp_mask}<86,100> [dst], [src], size:u32" POLICY "{, mask:b16 if cp_mask}",
     80, 90, lower_unsupported, "9.7.9.25.4.1"},
    {"cp",
     ".reduce.async.bulk.shared::cluster.shared::cta" ON_BYTES
     ".(and|or|xor).b32 [dst], [src], size:u32, [mbar]",
     80, 90, lower_unsupported, "9.7.9.25.4.2"},
    {"cp",
     ".reduce.async.bulk.shared::cluster.shared::cta" ON_BYTES
     ".add.(u32|s32|u64) [dst], [src], size:u32, [mbar]",
     80, 90, lower_unsupported, "9.7.9.25.4.2"},
    {"cp",
     ".reduce.async.bulk.shared::cluster.shared::cta" ON_BYTES
     ".(min|max).(u32|s32) [dst], [src], size:u32, [mbar]",
     80, 90, lower_unsupported, "9.7.9.25.4.2"},
    {"cp",
     ".reduce.async.bulk.shared::cluster.shared::cta" ON_BYTES
     ".(inc|dec).u32 [dst], [src], size:u32, [mbar]",
     80, 90, lower_unsupported, "9.7.9.25.4.2"},
    {"cp",
     ".reduce.async.bulk.global.shared::cta.bulk_group" HINT
     ".(and|or|xor).(b32|b64) [dst], [src], size:u32" POLICY,
     80, 90, lower_unsupported, "9.7.9.25.4.2"},
    {"cp",
     ".reduce.async.bulk.global.shared::cta.bulk_group" HINT
     ".add.(u32|s32|u64|f32|f64) [dst], [src], size:u32" POLICY,
     80, 90, lower_unsupported, "9.7.9.25.4.2"},
    {"cp",
     ".reduce.async.bulk.global.shared::cta.bulk_group" HINT
     ".add.noftz.(f16|bf16) [dst], [src], size:u32" POLICY,
     80, 90, lower_unsupported, "9.7.9.25.4.2"},
    {"cp",
     ".reduce.async.bulk.global.shared::cta.bulk_group" HINT
     ".(min|max).(u32|s32|u64|s64|f16|bf16) [dst], [src], size:u32" POLICY,
     80, 90, lower_unsupported, "9.7.9.25.4.2"},
    {"cp",
     ".reduce.async.bulk.global.shared::cta.bulk_group" HINT
     ".(inc|dec).u32 [dst], [src], size:u32" POLICY,
     80, 90, lower_unsupported, "9.7.9.25.4.2"},
    {"cp", ".async.bulk.prefetch.L2.global" HINT " [src], size:u32" POLICY, 80, 90,
     lower_unsupported, "9.7.9.25.4.3"},
    {"cp", ".async.bulk.commit_group", 80, 90, lower_unsupported, "9.7.9.25.6.1"},
    {"cp", ".async.bulk.wait_group{.read} n:imm", 80, 90, lower_unsupported, "9.7.9.25.6.2"},
    // Copies of boxes of a tensor
    {"cp",
     ".async.bulk.tensor.(1d|2d|3d|4d|5d).shared::cta.global{.tile}" ON_BYTES BLOCKS HINT
     " [dst], [map, c:vG:s32], [mbar]" POLICY,
     86, 90, lower_unsupported, "9.7.9.25.5.2"},
    {"cp",
     ".async.bulk.tensor.(1d|2d|3d|4d|5d).shared::cluster.global{.tile}" ON_BYTES
     "{.multicast::cluster}" BLOCKS HINT
     " [dst], [map, c:vG:s32], [mbar]{, mask:b16 if multicast::cluster}" POLICY,
     80, 90, lower_unsupported, "9.7.9.25.5.2"},
    {"cp",
     ".async.bulk.tensor.2d.shared::cta.global.tile::gather4" ON_BYTES BLOCKS HINT
     " [dst], [map, c:v5:s32], [mbar]" POLICY,
     86, 100, lower_unsupported, "9.7.9.25.5.2"},
    {"cp",
     ".async.bulk.tensor.2d.shared::cluster.global.tile::gather4" ON_BYTES
     "{.multicast::cluster}" BLOCKS HINT
     " [dst], [map, c:v5:s32], [mbar]{, mask:b16 if multicast::cluster}" POLICY,
     86, "100f|101f|110f", lower_unsupported, "9.7.9.25.5.2"},
    {"cp",
     ".async.bulk.tensor.(3d|4d|5d).shared::cta.global.(im2col|im2col::w<86,100>|im2col::w::128<86,"
     "100f|101f|110f>)" ON_BYTES BLOCKS HINT
     " [dst], [map, c:vG:s32], [mbar], offsets:vI:b16" POLICY,
     86, 90, lower_unsupported, "9.7.9.25.5.2"},
    {"cp",
     ".async.bulk.tensor.(3d|4d|5d).shared::cluster.global.(im2col|im2col::w<86,100f|101f|110f>|"
     "im2col::w::128<86,100f|101f|110f>)" ON_BYTES "{.multicast::cluster}" BLOCKS HINT
     " [dst], [map, c:vG:s32], [mbar], offsets:vI:b16{, mask:b16 if multicast::cluster}" POLICY,
     80, 90, lower_unsupported, "9.7.9.25.5.2"},
    {"cp",
     ".async.bulk.tensor.(1d|2d|3d|4d|5d).global.shared::cta{.tile}.bulk_group" HINT
     " [map, c:vG:s32], [src]" POLICY,
     80, 90, lower_unsupported, "9.7.9.25.5.2"},
    {"cp",
     ".async.bulk.tensor.(3d|4d|5d).global.shared::cta.im2col_no_offs.bulk_group" HINT
     " [map, c:vG:s32], [src]" POLICY,
     80, 90, lower_unsupported, "9.7.9.25.5.2"},
    {"cp",
     ".async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group" HINT
     " [map, c:v5:s32], [src]" POLICY,
     86, "100f|101f|110f", lower_unsupported, "9.7.9.25.5.2"},
    {"cp",
     ".reduce.async.bulk.tensor.(1d|2d|3d|4d|5d).global.shared::cta.(add|min|max|inc|dec|and|or|"
     "xor){.tile}.bulk_group" HINT " [map, c:vG:s32], [src]" POLICY,
     80, 90, lower_unsupported, "9.7.9.25.5.3"},
    {"cp",
     ".reduce.async.bulk.tensor.(3d|4d|5d).global.shared::cta.(add|min|max|inc|dec|and|or|xor)."
     "im2col_no_offs.bulk_group" HINT " [map, c:vG:s32], [src]" POLICY,
     80, 90, lower_unsupported, "9.7.9.25.5.3"},
    {"cp",
     ".async.bulk.prefetch.tensor.(1d|2d|3d|4d|5d).L2.global{.tile}" HINT " [map, c:vG:s32]" POLICY,
     80, 90, lower_unsupported, "9.7.9.25.5.4"},
    {"cp", ".async.bulk.prefetch.tensor.2d.L2.global.tile::gather4" HINT " [map, c:v5:s32]" POLICY,
     86, "100f|101f|110f", lower_unsupported, "9.7.9.25.5.4"},
    {"cp",
     ".async.bulk.prefetch.tensor.(3d|4d|5d).L2.global.(im2col|im2col::w<86,100f|101f|110f>|im2col:"
     ":w::128<86,100f|101f|110f>)" HINT " [map, c:vG:s32], offsets:vI:b16" POLICY,
     80, 90, lower_unsupported, "9.7.9.25.5.4"},
    // Tensor maps
    {"tensormap", ".replace.tile.global_address{.global|.shared::cta}.b1024.b64 [a], value:b64", 83,
     "90a|100f|101f|110f|120f", lower_unsupported, "9.7.9.26.1"},
    {"tensormap", ".replace.tile.rank{.global|.shared::cta}.b1024.b32 [a], value:b32", 83,
     "90a|100f|101f|110f|120f", lower_unsupported, "9.7.9.26.1"},
    {"tensormap",
     ".replace.tile.(box_dim|global_dim|element_stride){.global|.shared::cta}.b1024.b32 [a], "
     "ord:imm(0..4), value:b32",
     83, "90a|100f|101f|110f|120f", lower_unsupported, "9.7.9.26.1"},
    {"tensormap",
     ".replace.tile.global_stride{.global|.shared::cta}.b1024.b64 [a], ord:imm(0..4), value:b64",
     83, "90a|100f|101f|110f|120f", lower_unsupported, "9.7.9.26.1"},
    {"tensormap",
     ".replace.tile.(elemtype|interleave_layout|swizzle_mode|fill_mode|swizzle_atomicity<86,100f|"
     "101f|110f|120f>){.global|.shared::cta}.b1024.b32 [a], value:imm(0..15)",
     83, "90a|100f|101f|110f|120f", lower_unsupported, "9.7.9.26.1"},
    {"tensormap",
     ".cp_fenceproxy.global.shared::cta.tensormap::generic.release.(cta|cluster|gpu|sys).sync."
     "aligned [dst], [src], size:imm(128)",
     83, 90, lower_unsupported, "9.7.13.16"},
};

#undef POLICY
#undef HINT
#undef ON_BYTES
#undef BLOCKS

}  // namespace

std::span<const Row> bulk_copy_rows() {
  return kRows;
}

}  // namespace ptxequiv::isa
