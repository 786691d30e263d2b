// One sweep over the planned terms with one t (order.h).
#pragma once
#include <optional>
#include <vector>

#include "real/order_plan.h"
#include "real/rails.h"

namespace ptxequiv::real {

// What t is.
struct Threshold {
  enum class Kind : uint8_t {
    kBetween,   // no value; the constants from number `constants_below` on are above it
    kGreatest,  // of all values of the line
    kLeast,
    kPivot,  // the constant or atom `pivot`
  } kind = Kind::kBetween;
  op::Type line = op::Type::kNone;
  size_t constants_below = 0;
  OrderPlan::Pivot pivot = {};
};

// A value against t.
struct Level {
  Rail above, at_least;
};

class OrderSweep {
 public:
  OrderSweep(const term::Arena& arena, const OrderPlan& plan, const Threshold& threshold,
             bool all_finite, Bdd& bdd);

  void run();
  const Level& level(term::TermId id) const { return levels_[plan_.place.at(id)]; }
  const Bits& bits(term::TermId id) const { return bits_[plan_.place.at(id)]; }
  // What is known of the variables together: for kGreatest and kLeast, that one of the values is t.
  Bdd::Edge constraint() const { return constraint_; }
  // Variables of an atom: "at least t", "above t".
  static uint32_t at_least_variable(uint32_t atom) { return 2 * atom; }
  static uint32_t above_variable(uint32_t atom) { return 2 * atom + 1; }

 private:
  Level level_of_atom(uint32_t atom);
  Level level_of_constant(const Bound& bound, op::Type type);
  Level compute_level(term::TermId id, const OrderPlan::Wanted& wanted);
  Bits compute_bits(term::TermId id);
  Rail less(term::TermId a, term::TermId b);
  Rail same(term::TermId a, term::TermId b);
  Rail compare(const term::Node& node);
  Rail guess(term::TermId a, term::TermId b, const Rail& known, bool equality);
  Bits shift(const term::Node& node);

  const term::Arena& arena_;
  const OrderPlan& plan_;
  const Threshold threshold_;
  const bool all_finite_;
  Rails rails_;
  std::vector<Level> levels_;
  std::vector<Bits> bits_;
  Bdd::Edge constraint_ = Bdd::kTrue;
  std::map<std::tuple<uint32_t, uint32_t, bool>, uint32_t> guesses_;
};

}  // namespace ptxequiv::real
