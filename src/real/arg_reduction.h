// Arg-max and arg-min: index terms that are the place of the best of many values, whatever the
// order in which a kernel compares them. Two such terms over the same values, with ties decided
// alike, are equal; Z3 alone does not see that for more than a few values.
#pragma once
#include <optional>
#include <vector>

#include "real/reading.h"
#include "term/arena.h"

namespace ptxequiv::real {

struct ArgReduction {
  enum class Sense : uint8_t { kGreatest, kLeast } sense = Sense::kGreatest;
  // How the comparisons are read: a float type, or the signed or unsigned type of whole numbers.
  op::Type type = op::Type::kNone;
  // Of equal values the least index wins, the greatest, or (with one value) both are true.
  bool first = true, last = true;
  struct Entry {
    uint64_t index;
    term::TermId value;
    friend auto operator<=>(const Entry&, const Entry&) = default;
  };
  std::vector<Entry> entries;  // ascending, each once
};

// What `root` is; empty if it is no arg-reduction that is understood. A term may be both the
// arg-max of some values and the arg-min of others. Values that are the far infinity are left out
// where another one is finite. All others are defined and finite.
std::vector<ArgReduction> arg_reductions(Reading& reading, term::TermId root);

// Two terms of one type that are equal because they are the same arg-reduction.
// `same_value(a, b, type)` says whether two values are.
template <typename SameValue>
bool same_arg_reduction(Reading& reading, term::TermId a, term::TermId b, SameValue same_value) {
  const std::vector<ArgReduction> left = arg_reductions(reading, a);
  if (left.empty()) return false;
  const std::vector<ArgReduction> right = arg_reductions(reading, b);
  for (const ArgReduction& x : left) {
    for (const ArgReduction& y : right) {
      if (x.sense != y.sense || x.type != y.type || x.entries.size() != y.entries.size()) continue;
      if (!(x.first && y.first) && !(x.last && y.last)) continue;
      bool same = true;
      for (size_t i = 0; i < x.entries.size() && same; ++i) {
        same = x.entries[i].index == y.entries[i].index &&
               same_value(x.entries[i].value, y.entries[i].value, x.type);
      }
      if (same) return true;
    }
  }
  return false;
}

}  // namespace ptxequiv::real
