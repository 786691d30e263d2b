// The sweep that encloses real expressions, and the values it keeps. Internal to enclose*.cpp.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "real/ball.h"
#include "real/dag.h"
#include "real/enclose.h"

namespace ptxequiv::real::enclosing {

using State = Enclosure::State;

// Rationals longer than this become balls.
inline constexpr size_t kMaxExactBits = 4096;

// A boolean's value. kUndecided: certainly defined, but the precision did not tell.
enum class Truth : uint8_t { kFalse, kTrue, kUndecided, kUndefined, kUnknown };

struct Value {
  State state = State::kUnknown;
  Truth truth = Truth::kUnknown;
  std::optional<mpq_class> exact;  // kFinite: the value itself, while it is short
  Ball ball;                       // kFinite and not exact

  bool finite() const { return state == State::kFinite; }
  bool infinite() const { return state == State::kPlusInfinity || state == State::kMinusInfinity; }
  bool negative_infinity() const { return state == State::kMinusInfinity; }
};

inline Value plain(State state) {
  Value value;
  value.state = state;
  return value;
}
inline Value infinite(bool negative) {
  return plain(negative ? State::kMinusInfinity : State::kPlusInfinity);
}
inline Value truth(Truth t) {
  Value value;
  value.truth = t;
  return value;
}
inline Value truth(bool t) {
  return truth(t ? Truth::kTrue : Truth::kFalse);
}

// Signs of a finite value that are not excluded.
struct Signs {
  bool negative, zero, positive;
  bool certain() const { return int{negative} + int{zero} + int{positive} == 1; }
};

class Encloser {
 public:
  Encloser(const Dag& dag, const LeafValue& leaf, unsigned precision)
      : dag_(dag), leaf_(leaf), precision_(static_cast<long>(precision)) {}

  std::vector<Enclosure> run(std::span<const RealId> roots);
  // Something was left open that a higher precision may settle.
  bool precision_matters() const { return precision_matters_; }

 private:
  Value compute(RealId id, const Node& node);
  Value arithmetic(const Node& node, const Value& a, const Value& b);
  Value infinite_arithmetic(Kind kind, const Value& a, const Value& b);
  Value quotient(const Value& a, const Value& b);
  Value lattice(bool least, const Value& a, const Value& b);
  Value function(Kind kind, const Value& a);
  Value function_at_infinity(Kind kind, bool negative);
  Value step(Kind kind, const Value& a);
  Value choose(const Value& condition, const Value& b, const Value& c);
  Value compare(Kind kind, const Value& a, const Value& b);
  Value logic(Kind kind, const Value& a, const Value& b);

  const Value& at(RealId id) const { return values_[index_[id]]; }
  Value rational(const mpq_class& q) const;
  Value ball(Ball b);
  Value unsettled() {
    precision_matters_ = true;
    return {};
  }
  Ball to_ball(const Value& v) const { return v.exact ? Ball(*v.exact, precision_) : v.ball; }
  Signs signs(const Value& v) const;
  Enclosure finish(const Value& v);

  const Dag& dag_;
  const LeafValue& leaf_;
  long precision_;
  bool precision_matters_ = false;
  std::vector<uint32_t> index_;  // by RealId: into values_
  std::vector<Value> values_;
};

}  // namespace ptxequiv::real::enclosing
