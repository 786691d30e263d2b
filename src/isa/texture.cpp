// Textures and surfaces (PTX manual, 9.7.10 and 9.7.11): known, without a meaning here.
#include "isa/table.h"

namespace ptxequiv::isa {
namespace {

#define GEOMETRY ".(1d|2d|3d|a1d<23,20>|a2d<23,20>)"
#define CUBE ".(cube|acube)<31,20>"
#define SAMPLES ".(2dms|a2dms)<32,30>"
#define SURFACE ".(1d|2d|3d|a1d<30,20>|a2d<30,20>)"
#define CLAMP ".(trap|clamp|zero)"

constexpr Row kRows[] = {
    // d{|p}: p says whether the texture is resident. b is the sampler, in independent mode.
    {"tex",
     GEOMETRY ".v4.(u32|s32|f32|f16<86,53>).(s32|f32) d{|p}:v4:t1, [a, c:vX:t2]"
              "{, e:vX:s32|f32}{, f:f32}",
     10, 10, lower_unsupported, "9.7.10.3"},
    {"tex",
     GEOMETRY ".v4.(u32|s32|f32|f16<86,53>).(s32|f32) d{|p}:v4:t1, [a, b:any, c:vX:t2]"
              "{, e:vX:s32|f32}{, f:f32}",
     15, 10, lower_unsupported, "9.7.10.3"},
    {"tex", CUBE ".v4.(u32|s32|f32|f16).f32 d{|p}:v4:t1, [a, c:vX:t2]{, f:f32}", 31, 20,
     lower_unsupported, "9.7.10.3"},
    {"tex", CUBE ".v4.(u32|s32|f32|f16).f32 d{|p}:v4:t1, [a, b:any, c:vX:t2]{, f:f32}", 31, 20,
     lower_unsupported, "9.7.10.3"},
    {"tex", SAMPLES ".v4.(u32|s32|f32|f16).s32 d{|p}:v4:t1, [a, c:vX:t2]{, e:vX:s32}", 32, 30,
     lower_unsupported, "9.7.10.3"},
    {"tex", SAMPLES ".v4.(u32|s32|f32|f16).s32 d{|p}:v4:t1, [a, b:any, c:vX:t2]{, e:vX:s32}", 32,
     30, lower_unsupported, "9.7.10.3"},
    {"tex", GEOMETRY ".v2.f16x2.(s32|f32) d{|p}:v2:t1, [a, c:vX:t2]{, e:vX:s32|f32}{, f:f32}", 42,
     53, lower_unsupported, "9.7.10.3"},
    {"tex",
     GEOMETRY ".v2.f16x2.(s32|f32) d{|p}:v2:t1, [a, b:any, c:vX:t2]{, e:vX:s32|f32}"
              "{, f:f32}",
     42, 53, lower_unsupported, "9.7.10.3"},
    {"tex",
     ".base.(1d|2d|3d|a1d|a2d|cube|acube).v4.(u32|s32|f32|f16).f32 d{|p}:v4:t1, "
     "[a, c:vX:t2]{, e:vX:s32|f32}{, f:f32}",
     31, 20, lower_unsupported, "9.7.10.3"},
    {"tex",
     ".base.(1d|2d|3d|a1d|a2d|cube|acube).v4.(u32|s32|f32|f16).f32 d{|p}:v4:t1, "
     "[a, b:any, c:vX:t2]{, e:vX:s32|f32}{, f:f32}",
     31, 20, lower_unsupported, "9.7.10.3"},
    {"tex",
     ".level.(1d|2d|3d|a1d|a2d|cube|acube).v4.(u32|s32|f32|f16).f32 d{|p}:v4:t1, "
     "[a, c:vX:t2], lod:t2{, e:vX:s32|f32}{, f:f32}",
     31, 20, lower_unsupported, "9.7.10.3"},
    {"tex",
     ".level.(1d|2d|3d|a1d|a2d|cube|acube).v4.(u32|s32|f32|f16).f32 d{|p}:v4:t1, "
     "[a, b:any, c:vX:t2], lod:t2{, e:vX:s32|f32}{, f:f32}",
     31, 20, lower_unsupported, "9.7.10.3"},
    {"tex",
     ".grad.(1d|2d|3d|a1d|a2d|cube|acube).v4.(u32|s32|f32|f16).f32 d{|p}:v4:t1, "
     "[a, c:vX:t2], x:any, y:any{, e:vX:s32|f32}{, f:f32}",
     31, 20, lower_unsupported, "9.7.10.3"},
    {"tex",
     ".grad.(1d|2d|3d|a1d|a2d|cube|acube).v4.(u32|s32|f32|f16).f32 d{|p}:v4:t1, "
     "[a, b:any, c:vX:t2], x:any, y:any{, e:vX:s32|f32}{, f:f32}",
     31, 20, lower_unsupported, "9.7.10.3"},
    {"tld4",
     ".(r|g|b|a).(2d|a2d|cube|acube).v4.(u32|s32|f32).f32 d{|p}:v4:t1, [a, c:vX:t2]"
     "{, e:v2:s32|f32}{, f:f32}",
     22, 20, lower_unsupported, "9.7.10.4"},
    {"tld4",
     ".(r|g|b|a).(2d|a2d|cube|acube).v4.(u32|s32|f32).f32 d{|p}:v4:t1, "
     "[a, b:any, c:vX:t2]{, e:v2:s32|f32}{, f:f32}",
     22, 20, lower_unsupported, "9.7.10.4"},
    {"txq",
     ".(width|height|depth|channel_data_type|channel_order|normalized_coords|array_size<41,"
     "30>|num_mipmap_levels<41,30>|num_samples<41,30>).b32 d, [a]",
     15, 10, lower_unsupported, "9.7.10.5"},
    {"txq", ".level.(width|height|depth).b32 d, [a], lod:u32", 43, 30, lower_unsupported,
     "9.7.10.5"},
    {"txq",
     ".(force_unnormalized_coords|filter_mode|addr_mode_0|addr_mode_1|addr_mode_2).b32 d, "
     "[a]",
     15, 10, lower_unsupported, "9.7.10.5"},
    {"istypep", ".(texref|samplerref|surfref) p:pred, a:b64", 40, 30, lower_unsupported,
     "9.7.10.6"},
    {"suld",
     ".b" SURFACE "{.ca|.cg|.cs|.cv}{.v2|.v4}.(b8|b16|b32|b64)" CLAMP " d:vN:t1+, [a, b:vX:s32]",
     15, 20, lower_unsupported, "9.7.11.1"},
    {"sust",
     ".b" SURFACE "{.wb|.cg|.cs|.wt}{.v2|.v4}.(b8|b16|b32|b64)" CLAMP " [a, b:vX:s32], c:vN:t1+",
     15, 20, lower_unsupported, "9.7.11.2"},
    {"sust", ".p" SURFACE "{.v2|.v4}.b32" CLAMP " [a, b:vX:s32], c:vN:t1", 20, 20,
     lower_unsupported, "9.7.11.2"},
    {"sured", ".b.add" SURFACE ".(u32|u64|s32)" CLAMP " [a, b:vX:s32], c", 20, 20,
     lower_unsupported, "9.7.11.3"},
    {"sured", ".b.(min|max)" SURFACE ".(u32|s32|u64<81,50>|s64<81,50>)" CLAMP " [a, b:vX:s32], c",
     20, 20, lower_unsupported, "9.7.11.3"},
    {"sured", ".b.(and|or)" SURFACE ".b32" CLAMP " [a, b:vX:s32], c", 20, 20, lower_unsupported,
     "9.7.11.3"},
    {"sured", ".p.(add|min|max|and|or)" SURFACE ".b32" CLAMP " [a, b:vX:s32], c", 20, 20,
     lower_unsupported, "9.7.11.3"},
    {"suq",
     ".(width|height|depth|channel_data_type|channel_order|array_size<42,20>|memory_layout<"
     "42,20>).b32 d, [a]",
     15, 20, lower_unsupported, "9.7.11.4"},
};

#undef GEOMETRY
#undef CUBE
#undef SAMPLES
#undef SURFACE
#undef CLAMP

}  // namespace

std::span<const Row> texture_rows() {
  return kRows;
}

}  // namespace ptxequiv::isa
