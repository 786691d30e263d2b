#include "ptx/special_register.h"

namespace ptxequiv::ptx {
namespace {

struct Row {
  std::string_view name;
  SpecialShape shape = SpecialShape::kScalar;
  int numbered = 0;              // how many: name0, name1, ...
  std::string_view suffix = {};  // after the number
};

constexpr Row kRows[] = {
    {"%tid", SpecialShape::kVector},
    {"%ntid", SpecialShape::kVector},
    {"%ctaid", SpecialShape::kVector},
    {"%nctaid", SpecialShape::kVector},
    {"%clusterid", SpecialShape::kVector},
    {"%nclusterid", SpecialShape::kVector},
    {"%cluster_ctaid", SpecialShape::kVector},
    {"%cluster_nctaid", SpecialShape::kVector},
    {"%laneid"},
    {"%warpid"},
    {"%nwarpid"},
    {"%smid"},
    {"%nsmid"},
    {"%gridid"},
    {"%is_explicit_cluster"},
    {"%cluster_ctarank"},
    {"%cluster_nctarank"},
    {"%lanemask_eq"},
    {"%lanemask_le"},
    {"%lanemask_lt"},
    {"%lanemask_ge"},
    {"%lanemask_gt"},
    {"%clock"},
    {"%clock_hi"},
    {"%clock64"},
    {"%globaltimer"},
    {"%globaltimer_lo"},
    {"%globaltimer_hi"},
    {"%total_smem_size"},
    {"%aggr_smem_size"},
    {"%dynamic_smem_size"},
    {"%current_graph_exec"},
    {"%reserved_smem_offset_begin"},
    {"%reserved_smem_offset_end"},
    {"%reserved_smem_offset_cap"},
    {"WARP_SZ"},
    {"%pm", SpecialShape::kScalar, 8},
    {"%pm", SpecialShape::kScalar, 8, "_64"},
    {"%envreg", SpecialShape::kScalar, 32},
    {"%reserved_smem_offset_", SpecialShape::kScalar, 2},
};

}  // namespace

SpecialShape special_register(std::string_view name) {
  for (const Row& row : kRows) {
    if (!name.starts_with(row.name)) continue;
    std::string_view rest = name.substr(row.name.size());
    if (row.numbered == 0) {
      if (rest.empty()) return row.shape;
      continue;
    }
    if (rest.size() <= row.suffix.size() || !rest.ends_with(row.suffix)) continue;
    rest.remove_suffix(row.suffix.size());
    if (rest.size() > 2 || (rest.size() == 2 && rest[0] == '0')) continue;
    int number = 0;
    for (char c : rest) {
      if (c < '0' || c > '9')
        number = row.numbered;
      else
        number = number * 10 + (c - '0');
    }
    if (number < row.numbered) return row.shape;
  }
  return SpecialShape::kNone;
}

std::vector<std::string> special_register_names() {
  std::vector<std::string> names;
  for (const Row& row : kRows) {
    if (row.numbered == 0) names.emplace_back(row.name);
    for (int i = 0; i < row.numbered; ++i)
      names.push_back(std::string(row.name) + std::to_string(i) + std::string(row.suffix));
  }
  return names;
}

}  // namespace ptxequiv::ptx
