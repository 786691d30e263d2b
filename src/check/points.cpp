#include "check/points.h"

#include <algorithm>
#include <cmath>

#include "base/mix.h"
#include "check/values.h"
#include "op/evaluate.h"

namespace ptxequiv::check {
namespace {

// A number of the draw's shape from 64 random bits; `is_float` false gives an integer.
double shape(Draw draw, uint64_t seed, uint64_t random, bool is_float) {
  const auto pick = [&](int64_t n) { return static_cast<int64_t>(random % static_cast<uint64_t>(n)); };
  switch (draw) {
    case Draw::kSmall: return is_float ? static_cast<double>(pick(17) - 8) / 2 : static_cast<double>(pick(9) - 4);
    case Draw::kUniform:
      return is_float ? static_cast<double>(pick(1537) - 768) / 256 : static_cast<double>(pick(41) - 20);
    case Draw::kPositive:
      return is_float ? static_cast<double>(pick(256) + 1) / 64 : static_cast<double>(pick(64) + 1);
    case Draw::kZero: return 0;
    case Draw::kOne: return 1;
    case Draw::kTies: return is_float ? static_cast<double>(pick(17) - 8) + 0.5 : static_cast<double>(pick(17) - 8);
    case Draw::kWide: {
      const double magnitude = std::ldexp(1.0 + static_cast<double>((random >> 20) % 1024) / 1024,
                                          static_cast<int>(pick(25)) - 12);
      return (random >> 40 & 1) ? -magnitude : magnitude;
    }
    case Draw::kSparse: return pick(8) ? 0 : static_cast<double>(random >> 16 & 7) - 3;
    case Draw::kExtreme: {
      const double magnitude = std::ldexp(1.0, 8 + static_cast<int>(pick(9)));
      return (random >> 40 & 1) ? -magnitude : magnitude;
    }
    case Draw::kMasked: return is_float ? static_cast<double>(pick(256) + 1) / 64 : 0;
    case Draw::kNegative: {
      const int exponent = static_cast<int>(base::mix(seed) % 4) * 6;
      return -std::ldexp(1.0 + static_cast<double>(pick(64)) / 64, is_float ? exponent : exponent + 6);
    }
    case Draw::kDense: {
      if (!is_float) return static_cast<double>(pick(2001) - 1000);
      const double magnitude = std::ldexp(1.0 + static_cast<double>(random >> 12) * 0x1p-52,
                                          static_cast<int>(pick(8)) - 4);
      return (random >> 5 & 1) ? -magnitude : magnitude;
    }
  }
  return 0;
}

}  // namespace

uint64_t Point::bits(term::TermId leaf) const {
  // What the schedule gives is not chosen leaf by leaf, since hardware may never give that; but
  // for what is independent of all else.
  const auto found = chosen_.find(leaf);
  const auto given = facts_->schedule_bits(leaf);
  if (given && (found == chosen_.end() || !facts_->schedule_is_free(leaf))) return *given;
  if (found != chosen_.end()) return found->second;
  return drawn((*arena_)[leaf]);
}

bool Point::is_given(term::TermId leaf) const {
  switch (arena_->kind(leaf)) {
    case op::Kind::kInput:
    case op::Kind::kScalar:
    case op::Kind::kInitial:
      return true;
    case op::Kind::kFresh:
      return facts_->schedule_bits(leaf).has_value();
    default:
      return false;
  }
}

uint64_t Point::drawn(const term::Node& leaf) const {
  const op::Type type = leaf.op.type;
  const uint64_t key = base::mix(seed_ ^ base::mix(static_cast<uint64_t>(leaf.op.kind)) ^
                           base::mix(uint64_t{leaf.a} << 32 | leaf.b) ^ leaf.c);
  const bool is_float = op::is_float(type);
  if (!is_float && !op::info(type).is_integer) return key & op::mask(op::bits(type));
  const uint64_t random = base::mix(key);
  if (!is_float && draw_ == Draw::kWide && !facts_->has_declared_range(leaf)) {
    return random & op::mask(op::bits(type));
  }
  mpq_class value(shape(draw_, seed_, random, is_float));
  const real::Interval range = facts_->leaf_range(leaf);
  const mpq_class low = range.low.value_or(least(type)), high = range.high.value_or(greatest(type));
  if (value < low || value > high) {
    // Fold into the range: a fraction of its width, or an end for the extreme draw.
    const mpq_class width = high - low;
    mpq_class fraction(static_cast<unsigned long>(random >> 8 & 1023), 1023ul);
    fraction.canonicalize();
    if (draw_ == Draw::kExtreme || draw_ == Draw::kWide) {
      value = (random & 1) ? low : high;
    } else if (width > 64) {
      const mpq_class step(static_cast<unsigned long>(random >> 8 & 15));
      value = low > 0 ? mpq_class(low + step) : (high < 0 ? mpq_class(high - step) : mpq_class(step));
    } else {
      value = low + fraction * width;
    }
  }
  uint64_t bits = nearest_bits(type, value);
  // Rounding may have stepped outside a narrow range: take an end that is representable.
  const auto inside = [&](uint64_t b) {
    const std::optional<mpq_class> v = value_of(type, b);
    return v && *v >= low && *v <= high;
  };
  if (!inside(bits)) {
    for (const mpq_class& end : {low, high}) {
      const uint64_t candidate = nearest_bits(type, end);
      if (inside(candidate)) bits = candidate;
    }
  }
  return bits;
}

std::optional<mpq_class> Point::value(const real::Node& leaf) const {
  if (!is_given(leaf.a)) return std::nullopt;
  return value_of(static_cast<op::Type>(leaf.b), bits(leaf.a));
}

}  // namespace ptxequiv::check
