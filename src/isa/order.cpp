#include "isa/order.h"

#include <algorithm>

#include "isa/form.h"

namespace ptxequiv::isa {
namespace {

struct Words {
  std::string_view opcode;
  std::string_view words;  // separated by blanks, with one at either end
};

// Words that belong to an instruction's name and stand right behind the first one, in this order
// (found with ptxas 13.0).
constexpr Words kNames[] = {
    {"bar", " cta red warp "},
    {"barrier", " cta cluster arrive red wait "},
    {"clusterlaunchcontrol", " try_cancel query_cancel "},
    {"cp", " async reduce bulk tensor prefetch mbarrier arrive wait_group commit_group wait_all "},
    {"createpolicy", " fractional range cvt "},
    {"cvt", " pack "},
    {"cvta", " to "},
    {"dp2a", " lo hi "},
    {"fence", " proxy "},
    {"mad", " lo hi wide "},
    {"mad24", " lo hi "},
    {"madc", " lo hi "},
    {"mbarrier",
     " init inval expect_tx complete_tx arrive arrive_drop noComplete test_wait try_wait parity "
     "pending_count "},
    {"membar", " proxy "},
    {"mul", " lo hi wide "},
    {"mul24", " lo hi "},
    {"multimem", " ld_reduce st red "},
    {"red", " async "},
    {"setmaxnreg", " inc dec "},
    {"shf", " l r "},
    {"st", " async bulk "},
    {"suld", " b "},
    {"sured", " b p "},
    {"sust", " b p "},
    {"tcgen05",
     " alloc dealloc relinquish_alloc_permit ld st red wait::ld wait::st cp shift commit mma sp "
     "ws "},
    {"tensormap", " replace cp_fenceproxy "},
    {"tex", " base level grad "},
    {"txq", " level "},
    {"wgmma", " mma_async fence commit_group wait_group "},
    {"wmma", " load store mma a b c d "},
};

bool is_name_word(std::string_view opcode, std::string_view modifier) {
  const auto* found = std::find_if(std::begin(kNames), std::end(kNames),
                                   [&](const Words& words) { return words.opcode == opcode; });
  if (found == std::end(kNames)) return false;
  std::string padded = " ";
  padded += modifier;
  padded += ' ';
  return found->words.find(padded) != std::string_view::npos;
}

}  // namespace

ModifierOrder order_of(std::string_view opcode, std::string_view modifier) {
  if (is_type_name(modifier)) return ModifierOrder::kType;
  if (is_name_word(opcode, modifier)) return ModifierOrder::kName;
  if (modifier == "row" || modifier == "col") return ModifierOrder::kLayout;
  const bool space = modifier == "global" || modifier == "shared" || modifier == "shared::cta" ||
                     modifier == "shared::cluster";
  if (space && (opcode == "cp" || opcode == "tensormap")) return ModifierOrder::kSpace;
  if (modifier == "b8x16" || modifier == "b6x16_p32" || modifier == "b4x16_p64") {
    return ModifierOrder::kFormat;
  }
  return ModifierOrder::kAny;
}

}  // namespace ptxequiv::isa
