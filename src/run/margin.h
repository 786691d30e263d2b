// What the terms of a concrete execution stand for over the reals: the bits that hardware computes,
// and how far the real may be from them. Each rounding adds its error, and errors travel through
// operations (running error analysis, Wilkinson). It shares nothing with the reading of `real`, so
// that one can be held against the other.
#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "term/arena.h"

namespace ptxequiv::run {

struct Margin {
  enum class State : uint8_t {
    kNumber,
    kUndefined,  // the real lies outside an operation's domain
    kUnknown,    // too little is known of the real
  } state = State::kUnknown;
  uint64_t bits = 0;
  // Of a float type: the real is within `radius` of the number that the bits are. Of none: the bits
  // are exact if `radius` is zero, else were made from those of numbers with this relative error
  // (of a predicate: infinite where the reals may decide otherwise).
  op::Type type = op::Type::kNone;
  double radius = 0;

  static Margin exact(uint64_t bits) { return {State::kNumber, bits, op::Type::kNone, 0}; }
  static Margin near(op::Type type, uint64_t bits, double radius);
  static Margin undefined() { return {State::kUndefined, 0, op::Type::kNone, 0}; }
  static Margin unknown() { return {}; }
  bool is_number() const { return state == State::kNumber; }
  bool is_exact() const { return is_number() && radius == 0; }
};

// The terms are those that machine::execute makes with Limits::evaluate and keep_rounding: their
// leaves are constants (anything else is unknown).
std::vector<Margin> margins(const term::Arena& arena, std::span<const term::TermId> roots);

// One operation; not for leaves, and not for the open chains of a tensor core (kDot*).
Margin margin_of(const term::Node& node, std::span<const Margin> operands);

// A number of a type, and how far the real may be from it.
struct Near {
  double value = 0, radius = 0;
};
// The margin read as a number of `type`; false if it is none.
bool read_near(const Margin& margin, op::Type type, Near& near);

// How many times farther two margins lie apart, as elements of `type`, than their radii explain:
// more than 1 only where the reals differ. Zero where either is unknown or the reference is
// undefined.
double apart(const Margin& reference, const Margin& candidate, op::Type type);

}  // namespace ptxequiv::run
