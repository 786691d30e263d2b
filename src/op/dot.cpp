#include "base/error.h"
#include "op/evaluate.h"

namespace ptxequiv::op {

Result evaluate_dot(Op, Op, uint64_t, std::span<const Factors>) {
  PTXEQUIV_CHECK(false, "tensor-core products are not modelled yet");
  return {};
}

}  // namespace ptxequiv::op
