#include "library/library.h"
#include "library/maker.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <string>

#include "instance.h"
#include "op/evaluate.h"
#include "real/constants.h"
#include "real/enclose.h"
#include "real/reading.h"
#include "term/evaluate.h"

namespace ptxequiv::library {
namespace {

using testing::instantiate;
using testing::leaves_for;
using testing::TermId;

TEST_CASE("every source makes a template that is recognised as its function") {
  base::Log log;
  const auto library = make_library();
  CHECK(sources().size() > library->templates().size());
  for (const Source& source : sources()) {
    INFO(source.name);
    const real::Template made = make_template(source, log);
    term::Arena arena;
    const auto leaves = leaves_for(made, arena);
    const auto match = library->match(arena, instantiate(made, arena, leaves));
    REQUIRE(match);
    for (unsigned i = 0; i < made.arity; ++i) CHECK(match->arguments[i] == leaves[i]);
    CHECK(match->which->function == made.function);
    CHECK(match->which->meaning == made.meaning);
    CHECK(match->which->type == made.type);
    CHECK(match->which->constant == made.constant);
  }
}

TEST_CASE("the functions wanted are there") {
  const auto library = make_library();
  const auto& all = library->templates();
  const auto has = [&](const std::string& function, op::Type type) {
    return std::any_of(all.begin(), all.end(), [&](const real::Template& t) {
      return t.function == function && t.type == type;
    });
  };
  for (const std::string function :
       {"exp", "exp10", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "tanh",
        "sinh", "cosh", "erf", "erfc", "cbrt", "pow"}) {
    INFO(function);
    CHECK(has(function, op::Type::kF32));
    const bool is_gap = function == "sin" || function == "cos" || function == "tan";
    CHECK(has(function, op::Type::kF64) != is_gap);
  }
  for (const std::string function : {"exp", "exp10", "log", "log2", "log10", "sin", "cos"}) {
    INFO(function);
    CHECK(has(function, op::Type::kF16));
  }
}

TEST_CASE("a library function reads as the real one") {
  const auto library = make_library();
  for (const real::Template& t : library->templates()) {
    INFO(t.function << "." << t.flavour);
    term::Arena arena;
    const auto leaves = leaves_for(t, arena);
    const TermId root = instantiate(t, arena, leaves);
    real::Reading reading(arena, library.get(), {});
    real::Dag& dag = reading.dag();
    std::vector<real::RealId> arguments;
    for (const TermId leaf : leaves) arguments.push_back(dag.leaf(leaf, t.type));
    if (t.constant) arguments.push_back(dag.rational(real::decode(t.type, *t.constant).value));
    CHECK(reading.read(root, t.type) == t.meaning(dag, arguments));
  }
}

TEST_CASE("an exponent stands for those of its kind") {
  const auto library = make_library();
  const auto with = [&](const real::Template& t, double exponent) {
    term::Arena arena;
    const uint64_t bits = op::from_double(t.type, exponent);
    const TermId root = instantiate(
        t, arena, leaves_for(t, arena), [&](TermId id, testing::Draft& draft, const auto&) {
          if (t.arena->is_const(id) && t.arena->const_bits(id) == *t.constant) draft.bits = bits;
        });
    const auto match = library->match(arena, root);
    if (match) CHECK(match->constant == bits);
    return match.has_value();
  };
  for (const real::Template& t : library->templates()) {
    if (!t.constant) continue;
    INFO(t.function << "." << t.flavour);
    const double made = op::to_double(t.type, *t.constant);
    const double sign = std::copysign(1.0, made), size = std::abs(made);
    for (const double other : {3.0, 9.0, 8388609.0, 12.0, 1e9, 2.5, 0.3125, 1000.25}) {
      INFO(other);
      const auto kind = [](double value) {
        return value != std::trunc(value) ? 0 : std::fmod(value, 2) != 0 ? 1 : 2;
      };
      CHECK(with(t, sign * other) == (kind(other) == kind(size)));
      CHECK_FALSE(with(t, -sign * other));
    }
    CHECK_FALSE(with(t, 0));
    CHECK_FALSE(with(t, HUGE_VAL));
  }
}

// Arguments over many magnitudes and both signs, in the range of the type.
std::vector<double> points(op::Type type) {
  std::vector<double> result = {0};
  const double most = type == op::Type::kF16 ? 40 : 3e5;
  for (double size = 1.0 / 512; size < most; size *= 1.37)
    result.insert(result.end(), {size, -size});
  return result;
}

TEST_CASE("the real function is what the instructions compute, at many points") {
  const auto library = make_library();
  for (const real::Template& t : library->templates()) {
    INFO(t.function << "." << t.flavour << " " << op::info(t.type).name);
    real::Dag dag;
    term::Arena arena;
    const auto leaves = leaves_for(t, arena);
    const TermId root = instantiate(t, arena, leaves);
    std::vector<real::RealId> arguments;
    for (const TermId leaf : leaves) arguments.push_back(dag.leaf(leaf, t.type));
    if (t.constant) arguments.push_back(dag.rational(real::decode(t.type, *t.constant).value));
    const real::RealId meaning = t.meaning(dag, arguments);
    unsigned compared = 0;
    for (const double first : points(t.type)) {
      for (const double second :
           t.arity == 2 ? std::vector<double>{-3, -1.5, 0, 2, 2.75, 5} : std::vector<double>{0}) {
        const uint64_t bits[] = {op::from_double(t.type, first), op::from_double(t.type, second)};
        const uint64_t got = term::evaluate(arena, std::span(&root, 1),
                                            [&](TermId id, const term::Node& node) -> uint64_t {
                                              (void)id;
                                              if (node.op.kind != op::Kind::kInput) return 0;
                                              return bits[node.b - 5];
                                            })[0];
        const auto value = real::enclose(
            dag, std::span(&meaning, 1),
            [&](real::RealId, const real::Node& node) -> std::optional<mpq_class> {
              return real::decode(t.type, bits[arena[node.a].b - 5]).value;
            },
            1280)[0];  // 1 - erf(24) has its first digits after 900 bits
        INFO("at " << first << ", " << second);
        const real::FloatValue computed = real::decode(t.type, got);
        if (computed.kind != real::FloatValue::Class::kFinite) {
          // Over- or undefined: a finite value must be beyond the format's.
          if (value.state == real::Enclosure::State::kFinite) {
            CHECK(abs(value.low) > real::max_finite(t.type) / 2);
          }
          continue;
        }
        REQUIRE(value.state == real::Enclosure::State::kFinite);
        const mpq_class unit(1, mpz_class(1) << (op::info(t.type).precision - 1));
        const mpq_class least(1, mpz_class(1) << (t.type == op::Type::kF64   ? 1022
                                                  : t.type == op::Type::kF16 ? 14
                                                                             : 126));
        const mpq_class allowed = (t.max_ulp + 1) * (unit * abs(value.low) + least);
        CHECK(abs(value.low - computed.value) <= allowed);
        ++compared;
      }
    }
    CHECK(compared > 25);
  }
}

}  // namespace
}  // namespace ptxequiv::library
