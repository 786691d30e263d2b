#include "op/approx_error.h"

#include <catch2/catch.hpp>

#include <cmath>

#include "instruction.h"
#include "op/evaluate.h"
#include "recorded.h"

namespace ptxequiv::op {
namespace {

Type lane_of(Type type) {
  return type == Type::kF16x2 ? Type::kF16 : type == Type::kBF16x2 ? Type::kBF16 : type;
}

TEST_CASE("only approximate operations have an error") {
  CHECK(approx_error(Op{.kind = Kind::kFSqrt, .type = Type::kF32, .rounding = Rounding::kRn}) ==
        nullptr);
  const ApproxError* row =
      approx_error(Op{.kind = Kind::kFSqrt, .type = Type::kF32, .rounding = Rounding::kApprox});
  REQUIRE(row != nullptr);
  CHECK(row->relative < 2e-7);
}

// Ours is the function correctly rounded: hardware may be the table's error and half a unit away.
TEST_CASE("recorded results keep to the errors in the table") {
  size_t values = 0;
  for_each_recorded([&](const Recorded& run) {
    if (run.exact || run.unspecified) return;
    const Instruction instruction = parse_instruction(run.instruction);
    const Type whole = type_named(instruction.modifiers.back());
    const Type type = lane_of(whole);
    const auto op = single_op(instruction);
    if (!op) return;  // packed: the scalar form is recorded too
    const ApproxError* row = approx_error(*op);
    INFO(run.instruction);
    REQUIRE(row != nullptr);
    for (size_t i = 0; i < run.inputs[0].size(); ++i) {
      const uint64_t a = run.inputs[0][i], b = run.inputs.size() > 1 ? run.inputs[1][i] : 0;
      const double last = std::fabs(to_double(type, run.inputs.size() > 1 ? b : a));
      if (!(last <= row->domain)) continue;
      const double ours = to_double(type, evaluate(*op, a, b, 0).bits);
      const double theirs = to_double(type, run.outputs[0][i]);
      if (!std::isfinite(ours) || !std::isfinite(theirs)) {
        CHECK(std::isnan(ours) == std::isnan(theirs));
        continue;
      }
      const double unit = std::ldexp(std::fabs(ours), -static_cast<int>(info(type).precision));
      INFO("a " << std::hex << a << " b " << b << " ours " << ours << " hardware " << theirs);
      CHECK(std::fabs(ours - theirs) <=
            row->relative * std::fabs(ours) + row->absolute + unit * 1.01);
      ++values;
    }
  });
  CHECK(values > 1000);
}

}  // namespace
}  // namespace ptxequiv::op
