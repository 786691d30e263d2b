// op::evaluate against what an H200 gave, bit for bit.
#include "recorded.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>

#include "instruction.h"
#include "op/evaluate.h"

using namespace ptxequiv::op;

namespace {

struct Count {
  size_t runs = 0;
  size_t unknown = 0;
  size_t values = 0;
  size_t differing = 0;
};

}  // namespace

TEST_CASE("exact instructions agree with hardware bit for bit") {
  std::map<std::string, Count> counts;
  for_each_recorded([&](const Recorded& run) {
    if (!run.exact || run.unspecified) return;
    const Instruction instruction = parse_instruction(run.instruction);
    Count& count = counts[run.family];
    size_t differing = 0;
    for (size_t i = 0; i < run.inputs[0].size(); ++i) {
      std::vector<uint64_t> operands;
      for (const auto& input : run.inputs) operands.push_back(input[i]);
      const auto results = run_instruction(instruction, operands);
      if (!results) {
        ++count.unknown;
        return;
      }
      for (size_t k = 0; k < run.outputs.size(); ++k) {
        ++count.values;
        const uint64_t expected = run.outputs[k][i];
        const uint64_t got = (*results)[k] & mask(run.output_bits[k]);
        if (got == expected) continue;
        if (differing++ == 0) {
          UNSCOPED_INFO(run.instruction << " a=" << std::hex << operands[0]
                                        << " b=" << (operands.size() > 1 ? operands[1] : 0)
                                        << " c=" << (operands.size() > 2 ? operands[2] : 0)
                                        << " hardware " << expected << " ours " << got);
          CHECK(got == expected);
        }
      }
    }
    ++count.runs;
    count.differing += differing;
  });
  // Enough was read: a form that stops being understood must not go unnoticed.
  const std::map<std::string, size_t> least = {{"bf16", 194},
                                               {"compare", 771},
                                               {"cvt_float_float", 144},
                                               {"cvt_float_int", 288},
                                               {"cvt_int_float", 226},
                                               {"cvt_int_int", 206},
                                               {"cvt_packed", 34},
                                               {"f16", 404},
                                               {"f32", 129},
                                               {"f64", 40},
                                               {"int_arith", 90},
                                               {"int_bits", 92}};
  CHECK(counts.size() == least.size());
  for (const auto& [family, runs] : least) {
    CAPTURE(family);
    CHECK(counts[family].runs >= runs);
    CHECK(counts[family].differing == 0);
    CHECK(counts[family].values > 32 * runs);
  }
}

namespace {

// Difference in units of the last place of `exact`; infinity if only one is finite.
double ulps(Type type, uint64_t exact, uint64_t got) {
  const double x = to_double(type, exact);
  const double y = to_double(type, got);
  if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y) ? 0 : INFINITY;
  if (x == y) return 0;
  if (std::isinf(x) || std::isinf(y)) return INFINITY;
  const TypeInfo& t = info(type);
  const int exponent = std::max<int>(x == 0 ? t.min_exponent : std::ilogb(x), t.min_exponent);
  return std::fabs(x - y) / std::ldexp(1, exponent - t.precision + 1);
}

}  // namespace

TEST_CASE("approximate instructions are as near to ours as their recorded error says") {
  size_t runs = 0;
  size_t values = 0;
  for_each_recorded([&](const Recorded& run) {
    if (run.exact || run.unspecified) return;
    const Instruction instruction = parse_instruction(run.instruction);
    const Type whole = type_named(instruction.modifiers.back());
    const bool packed = run.input_bits[0] == 32 && whole != Type::kF32;
    const Type type = whole == Type::kF16x2    ? Type::kF16
                      : whole == Type::kBF16x2 ? Type::kBF16
                                               : whole;
    ++runs;
    for (size_t i = 0; i < run.inputs[0].size(); ++i) {
      std::vector<uint64_t> operands;
      for (const auto& input : run.inputs) operands.push_back(input[i]);
      const auto results = run_instruction(instruction, operands);
      REQUIRE(results);
      for (unsigned h = 0; h < (packed ? 2u : 1u); ++h) {
        const unsigned width = bits(type);
        const uint64_t expected = run.outputs[0][i] >> width * h & mask(width);
        const uint64_t got = (*results)[0] >> width * h & mask(width);
        const double error = ulps(type, got, expected);
        ++values;
        if (!(error <= run.ulp + 0.51)) {
          UNSCOPED_INFO(run.instruction << " a=" << std::hex << operands[0] << " b="
                                        << (operands.size() > 1 ? operands[1] : 0) << " hardware "
                                        << expected << " ours " << got << " ulp " << error);
          CHECK(error <= run.ulp + 0.51);
        }
      }
    }
  });
  CHECK(runs == 30);
  CHECK(values > 6000);
}

TEST_CASE("where an approximate result is called exact, hardware gives exactly that") {
  size_t folded = 0;
  for_each_recorded([&](const Recorded& run) {
    if (run.exact || run.unspecified) return;
    const auto op = single_op(parse_instruction(run.instruction));
    if (!op) return;
    for (size_t i = 0; i < run.inputs[0].size(); ++i) {
      const uint64_t b = run.inputs.size() > 1 ? run.inputs[1][i] : 0;
      const Result result = evaluate(*op, run.inputs[0][i], b, 0);
      if (!result.exact) continue;
      ++folded;
      INFO(run.instruction << std::hex << " a=" << run.inputs[0][i] << " b=" << b << " ours "
                           << result.bits);
      CHECK(result.bits == run.outputs[0][i]);
    }
  });
  CHECK(folded > 300);
}
