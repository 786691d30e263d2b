// Proof by cases: on the conditions and maxima that occur in what is to be zero.
#pragma once
#include <functional>
#include <vector>

#include "real/context.h"
#include "real/normal.h"

namespace ptxequiv::real {

// What is to be shown in one case.
struct Goal {
  enum class State : uint8_t {
    kForm,       // that `form` is zero
    kHolds,      // nothing: it holds, or speaks of nothing defined
    kSplit,      // not known before `condition` is decided
    kUndecided,  // something about `form` is not known; deciding what occurs in it may help
    kFails,      // not to be shown by splitting
  } state = State::kForm;
  Poly form;
  RealId condition = kNoReal;
};

class Cases {
 public:
  Cases(const Dag& dag, Shape& shape, Algebra& algebra, const Signs& base)
      : dag_(dag), shape_(shape), algebra_(algebra), base_(base) {}

  // Shows the goal in every case that the given decisions leave.
  Proof prove(std::vector<Decision> given, const std::function<Goal(Context&)>& goal);

 private:
  std::vector<std::vector<Decision>> split(Context& context, const Poly& form);
  std::vector<std::vector<Decision>> split_maximum(Context& context, const Atom& atom);

  const Dag& dag_;
  Shape& shape_;
  Algebra& algebra_;
  const Signs& base_;
};

}  // namespace ptxequiv::real
