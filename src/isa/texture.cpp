// Textures and surfaces (PTX manual, 9.7.10 and 9.7.11): known, without a meaning here.
#include "isa/table.h"

namespace ptxequiv::isa {
namespace {

// A texture alone (unified mode) or with its sampler b (independent mode); with what may follow the
// coordinates.
#define TEX_ROW(modifiers, types, operands, rest, ptx, sm)                                         \
  {"tex", modifiers types operands ", [a, c:vX:t2]" rest, ptx, sm, lower_unsupported, "9.7.10.3"}, \
  {                                                                                                \
    "tex", modifiers types operands ", [a, b:b64, c:vX:t2]" rest, ptx, sm, lower_unsupported,      \
        "9.7.10.3"                                                                                 \
  }
#define TEX(modifiers, types, operands, rest, ptx, sm) \
  TEX_ROW(modifiers, types, operands, "", ptx, sm),    \
      TEX_ROW(modifiers, types, operands, rest, 43, 30)
// d{|p}: p says whether the texture is resident.
#define FOUR ".v4.(u32|s32|f32|f16<42,53>)"
#define D4 " d{|p}:v4:t1"
#define HALVES ".v2.f16x2<42,53>"
#define D2 " d{|p}:v2:t1"
#define ANY_C ".(s32|f32)"
#define OFFSET ", e:vX:s32"
#define COMPARE ", f:f32"
#define COMPARED "{, e:vX:s32}, f:f32"
#define BOTH ", e:vX:s32|f32{, f:f32}"
#define LEVEL_ROW(kind, types, operands, levels, rest, ptx, sm) \
  TEX_ROW(kind, types, operands, levels, ptx, sm),              \
      TEX_ROW(kind, types, operands, levels rest, 43, 30)
#define LEVELS(kind, levels)                                                     \
  LEVEL_ROW(kind ".(1d|3d|a1d)", FOUR ".f32", D4, levels, OFFSET, 31, 20),       \
      LEVEL_ROW(kind ".(2d|a2d)", FOUR ".f32", D4, levels, BOTH, 31, 20),        \
      LEVEL_ROW(kind ".(cube|acube)", FOUR ".f32", D4, levels, COMPARE, 31, 20), \
      LEVEL_ROW(kind ".(1d|3d|a1d)", HALVES ".f32", D2, levels, OFFSET, 42, 53), \
      LEVEL_ROW(kind ".(2d|a2d)", HALVES ".f32", D2, levels, BOTH, 42, 53),      \
      LEVEL_ROW(kind ".(cube|acube)", HALVES ".f32", D2, levels, COMPARE, 42, 53)
#define SURFACE ".(1d|2d|3d|a1d<30,20>|a2d<30,20>)"
#define PLAIN ".(1d|2d|3d)"
#define CLAMP ".(trap|clamp|zero)"

constexpr Row kRows[] = {
    TEX(".(1d|3d|a1d<23,20>)", FOUR ANY_C, D4, OFFSET, 10, 10),
    TEX(".(2d|a2d<23,20>)", FOUR ANY_C, D4, OFFSET, 10, 10),
    TEX_ROW(".(2d|a2d)", FOUR ".f32", D4, COMPARED, 43, 30),
    TEX(".(cube|acube)", FOUR ".f32", D4, COMPARE, 31, 20),
    TEX(".(2dms|a2dms)", FOUR ".s32", D4, OFFSET, 32, 30),
    TEX(".(1d|3d|a1d)", HALVES ANY_C, D2, OFFSET, 42, 53),
    TEX(".(2d|a2d)", HALVES ANY_C, D2, OFFSET, 42, 53),
    TEX_ROW(".(2d|a2d)", HALVES ".f32", D2, COMPARED, 43, 53),
    TEX(".(cube|acube)", HALVES ".f32", D2, COMPARE, 42, 53),
    TEX(".(2dms|a2dms)", HALVES ".s32", D2, OFFSET, 42, 53),
    LEVELS(".base", ""),
    LEVELS(".level", ", lod:f32"),
    LEVELS(".grad", ", x:vD:f32, y:vD:f32"),
    {"tld4",
     ".(r|g|b|a).(2d|a2d).v4.(u32|s32|f32).f32 d{|p}:v4:t1, [a, c:vX:t2]{, e:vX:s32|f32}{, f:f32}",
     22, 20, lower_unsupported, "9.7.10.4"},
    {"tld4",
     ".(r|g|b|a).(2d|a2d).v4.(u32|s32|f32).f32 d{|p}:v4:t1, [a, b:b64, c:vX:t2]{, e:vX:s32|f32}{, "
     "f:f32}",
     22, 20, lower_unsupported, "9.7.10.4"},
    {"tld4", ".(r|g|b|a).(cube|acube).v4.(u32|s32|f32).f32 d{|p}:v4:t1, [a, c:vX:t2]{, f:f32}", 22,
     20, lower_unsupported, "9.7.10.4"},
    {"tld4",
     ".(r|g|b|a).(cube|acube).v4.(u32|s32|f32).f32 d{|p}:v4:t1, [a, b:b64, c:vX:t2]{, f:f32}", 22,
     20, lower_unsupported, "9.7.10.4"},
    {"txq",
     ".(width|height|depth|channel_data_type|channel_order|normalized_coords|array_size<41,30>|num_"
     "mipmap_levels<41,30>|num_samples<41,30>).b32 d, [a]",
     15, 10, lower_unsupported, "9.7.10.5"},
    {"txq", ".level.(width|height|depth).b32 d, [a], lod:u32", 43, 30, lower_unsupported,
     "9.7.10.5"},
    {"txq",
     ".(force_unnormalized_coords|filter_mode|addr_mode_0|addr_mode_1|addr_mode_2).b32 d, [a]", 15,
     10, lower_unsupported, "9.7.10.5"},
    {"istypep", ".(texref|samplerref|surfref) p:pred, a:b64", 40, 30, lower_unsupported,
     "9.7.10.6"},
    {"suld",
     ".b" SURFACE "{.ca|.cg|.cs|.cv}{.v2|.v4}.(b8|b16|b32|b64)" CLAMP " d:vN:t1+, [a, b:vX:s32]",
     15, 20, lower_unsupported, "9.7.11.1"},
    {"sust",
     ".b" SURFACE "{.wb|.cg|.cs|.wt}{.v2|.v4}.(b8|b16|b32|b64)" CLAMP " [a, b:vX:s32], c:vN:t1+",
     15, 20, lower_unsupported, "9.7.11.2"},
    {"sust", ".p" PLAIN "{.v2|.v4}.b32" CLAMP " [a, b:vX:s32], c:vN:t1", 20, 20, lower_unsupported,
     "9.7.11.2"},
    {"sured", ".b.add" PLAIN ".(u32|u64|s32)" CLAMP " [a, b:vX:s32], c", 20, 20, lower_unsupported,
     "9.7.11.3"},
    {"sured", ".b.(min|max)" PLAIN ".(u32|s32|u64<81,50>|s64<81,50>)" CLAMP " [a, b:vX:s32], c", 20,
     20, lower_unsupported, "9.7.11.3"},
    {"sured", ".b.(and|or)" PLAIN ".b32" CLAMP " [a, b:vX:s32], c", 20, 20, lower_unsupported,
     "9.7.11.3"},
    {"sured", ".p.(add|min|max|and|or)" PLAIN ".b32" CLAMP " [a, b:vX:s32], c", 20, 20,
     lower_unsupported, "9.7.11.3"},
    {"suq",
     ".(width|height|depth|channel_data_type|channel_order|array_size<41,20>|memory_layout<42,20>)."
     "b32 d, [a]",
     15, 20, lower_unsupported, "9.7.11.4"},
};

#undef TEX_ROW
#undef TEX
#undef FOUR
#undef D4
#undef HALVES
#undef D2
#undef ANY_C
#undef OFFSET
#undef COMPARE
#undef COMPARED
#undef BOTH
#undef LEVEL_ROW
#undef LEVELS
#undef SURFACE
#undef PLAIN
#undef CLAMP

}  // namespace

std::span<const Row> texture_rows() {
  return kRows;
}

}  // namespace ptxequiv::isa
