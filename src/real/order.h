// Values that are only compared and chosen: sorting networks, medians, the two greatest, arg-max,
// votes and counts of comparisons.
//
// Fix a number t. Of each value v we look at two bits alone: v > t and v >= t. Of a maximum or
// minimum they are the "or" and "and" of its operands' bits; a comparison of two values is known
// where t lies between them or both are t; a choice is known where its condition is, or where both
// arms agree. Whatever is known this way holds for the values themselves, for
// this t. (For maxima and minima this is the 0-1 principle of sorting networks.)
//
//   numbers    are equal if for all t but finitely many "v > t" is known of both, and the same;
//   bits       are equal if they are known and the same for one t: the greatest of all values, the
//              least, or a value that many are compared with. Where t is the greatest value, what
//              is less does not matter, and so an arg-max is known, however it compares the losers.
//
// The bits of the values that are not computed by comparing (inputs, sums, ...) are independent
// variables of a decision diagram.
#pragma once
#include <gmpxx.h>

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "base/deadline.h"
#include "op/type.h"
#include "term/arena.h"

namespace ptxequiv::real {

struct OrderAnswer {
  bool equal = false;
  // If not equal: values of some of the terms that are not computed by comparing, under which the
  // two seem to differ; for each t that was looked at, if any.
  struct Choice {
    term::TermId term;
    op::Type type;
    mpq_class value;
  };
  std::vector<std::vector<Choice>> differences;
};

class OrderComparison {
 public:
  // The meaning of a term read as a type: equal numbers are equal values wherever both are defined.
  using Meaning = std::function<uint32_t(term::TermId, op::Type)>;
  // Whether the term read as a type is finite wherever it is defined.
  using IsFinite = std::function<bool(term::TermId, op::Type)>;

  // Gives up where a decision diagram has more nodes than `max_nodes`.
  OrderComparison(const term::Arena& arena, Meaning meaning, IsFinite is_finite, size_t max_nodes,
                  const base::Deadline& deadline)
      : arena_(arena),
        meaning_(std::move(meaning)),
        is_finite_(std::move(is_finite)),
        max_nodes_(max_nodes),
        deadline_(deadline) {}

  // Two terms read as one type, as reals (floats) or bits (integers), wherever both are defined.
  OrderAnswer equal(term::TermId a, term::TermId b, op::Type type);

 private:
  const term::Arena& arena_;
  Meaning meaning_;
  IsFinite is_finite_;
  size_t max_nodes_;
  const base::Deadline& deadline_;
};

}  // namespace ptxequiv::real
