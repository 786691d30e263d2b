// Where hardware's results may lie, given that its approximate instructions and the order of its
// floating-point atomics are known only within bounds. Every IEEE operation is monotone in each
// operand, rounding included, so its values at the ends of its operands' intervals bound it.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "term/arena.h"

namespace ptxequiv::run {

struct Enclosure {
  enum class State : uint8_t {
    kBits,      // hardware has exactly `bits`
    kInterval,  // it has a number of `type` from low to high
    kAny,       // nothing is known of it
  } state = State::kAny;
  uint64_t bits = 0;  // if kAny, of enclose(): the term where knowledge was lost
  op::Type type = op::Type::kNone;
  double low = 0, high = 0;

  static Enclosure of_bits(uint64_t bits) { return {State::kBits, bits, op::Type::kNone, 0, 0}; }
  static Enclosure any() { return {}; }
  // A single value becomes bits.
  static Enclosure interval(op::Type type, double low, double high);
  bool is_bits() const { return state == State::kBits; }
  bool is_any() const { return state == State::kAny; }
  // Could the bits be `other`, read as `type` where this is an interval?
  bool contains(uint64_t other, unsigned width) const;
};

// The terms are those that machine::execute makes with Limits::evaluate and keep_approximate: their
// leaves are constants (anything else is kAny).
std::vector<Enclosure> enclose(const term::Arena& arena, std::span<const term::TermId> roots);

// One operation; not for leaves and chains of sums and products (kDot*, order-free additions).
Enclosure enclose_op(const term::Node& node, std::span<const Enclosure> operands);

}  // namespace ptxequiv::run
