// Integers as numbers. Arithmetic reads as the real operation only where interval bounds show that
// it does not wrap; else the term is opaque: an unknown number of its type, equal only to itself.
#include <algorithm>

#include "real/dag_fold.h"
#include "real/reader.h"

namespace ptxequiv::real {
namespace {

bool within(Bounds inner, Bounds outer) {
  return outer.low <= inner.low && inner.high <= outer.high;
}

mpq_class to_rational(Wide value) {
  const bool negative = value < 0;
  const Wide magnitude = negative ? -value : value;
  mpz_class result = static_cast<unsigned long>(magnitude >> 64);
  result = (result << 64) + static_cast<unsigned long>(magnitude);
  return negative ? mpz_class(-result) : result;
}

// Keeps `value` if it certainly is a number of the type.
RealId bounded(Reader& reader, Ref ref, RealId value, Bounds range) {
  if (!within(range, limits(ref.view.type()))) return reader.opaque(ref);
  reader.set_bounds(range);
  return value;
}

// A value that is read exactly in the other signedness: the same number where it fits both.
RealId other_signedness(Reader& reader, Ref ref) {
  const op::Type type = ref.view.type();
  const op::Type other =
      op::is_signed(type) ? unsigned_type(op::bits(type)) : signed_type(op::bits(type));
  const RealId value = reader.get(ref.term, other);
  if (reader.pending()) return kNoReal;
  if (reader.is_opaque(value)) return reader.opaque(ref);
  return bounded(reader, ref, value, reader.bounds(ref.term, other));
}

bool is_signed_kind(op::Kind kind) {
  switch (kind) {
    case op::Kind::kMinS:
    case op::Kind::kMaxS:
    case op::Kind::kAbsS:
    case op::Kind::kShrS:
    case op::Kind::kDivS:
    case op::Kind::kRemS:
      return true;
    default:
      return false;
  }
}

// Factors beyond this are not multiplied: products must fit in 127 bits.
constexpr Wide kMaxFactor = Wide{1} << 62;

std::optional<Bounds> arithmetic_bounds(op::Kind kind, Bounds a, Bounds b) {
  switch (kind) {
    case op::Kind::kAdd:
      return Bounds{a.low + b.low, a.high + b.high};
    case op::Kind::kSub:
      return Bounds{a.low - b.high, a.high - b.low};
    case op::Kind::kMul: {
      const Bounds factor{-kMaxFactor, kMaxFactor};
      if (!within(a, factor) || !within(b, factor)) return {};
      const auto [low, high] =
          std::minmax({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
      return Bounds{low, high};
    }
    default:
      return {};
  }
}

mpz_class stepped(Kind step, const mpq_class& x) {
  switch (step) {
    case Kind::kRint:
      return rint(x);
    case Kind::kFloor:
      return floor(x);
    case Kind::kCeil:
      return ceil(x);
    default:
      return trunc(x);
  }
}

Wide clamped(const mpz_class& x, Bounds range) {
  if (x <= to_rational(range.low)) return range.low;
  if (x >= to_rational(range.high)) return range.high;
  return sgn(x) < 0 ? Wide{x.get_si()} : static_cast<Wide>(x.get_ui());
}

// The range of step(value), saturated to `range`: both are monotone, so that minima and maxima with
// constants around the value bound the result too.
Bounds narrowed_by_lattice(const Dag& dag, RealId value, Kind step, Bounds range) {
  struct Bound {
    Kind kind;
    Wide value;
  };
  std::vector<Bound> outer;  // outermost first
  while (dag[value].kind == Kind::kMin || dag[value].kind == Kind::kMax) {
    const Node& node = dag[value];
    const bool first = dag[node.a].kind == Kind::kRational;
    if (!first && dag[node.b].kind != Kind::kRational) break;
    const mpz_class whole = stepped(step, dag.rational_value(first ? node.a : node.b));
    outer.push_back({node.kind, clamped(whole, range)});
    value = first ? node.b : node.a;
  }
  for (; !outer.empty(); outer.pop_back()) {
    const Bound& bound = outer.back();
    if (bound.kind == Kind::kMin) {
      range = {std::min(range.low, bound.value), std::min(range.high, bound.value)};
    } else {
      range = {std::max(range.low, bound.value), std::max(range.high, bound.value)};
    }
  }
  return range;
}

}  // namespace

RealId integer_constant(Reader& reader, const term::Node& node, Ref ref) {
  static_cast<void>(node);
  return reader.dag.rational(
      to_rational(constant_number(reader.arena.const_bits(ref.term), ref.view.type())));
}

RealId integer_leaf(Reader& reader, const term::Node& node, Ref ref) {
  const op::Type type = ref.view.type();
  const auto own = number_type(node.op.type);
  if (!own || op::bits(*own) != op::bits(type)) return reader.opaque(ref);
  Dag& dag = reader.dag;
  const RealId leaf = dag.leaf(ref.term, *own);
  if (*own == type) return leaf;
  // The same bits in the other signedness, exactly.
  const mpq_class modulus = mpz_class(1) << op::bits(type);
  if (op::is_signed(type)) {
    const RealId high = dag.make(Kind::kLe, dag.rational(modulus / 2), leaf);
    return dag.make(Kind::kIte, high, dag.make(Kind::kSub, leaf, dag.rational(modulus)), leaf);
  }
  const RealId negative = dag.make(Kind::kLt, leaf, dag.integer(0));
  return dag.make(Kind::kIte, negative, dag.make(Kind::kAdd, leaf, dag.rational(modulus)), leaf);
}

RealId integer_select(Reader& reader, const term::Node& node, Ref ref) {
  const RealId condition = reader.get(node.a, op::Type::kPred);
  const RealId b = reader.get(node.b, ref.view), c = reader.get(node.c, ref.view);
  if (reader.pending()) return kNoReal;
  const op::Type type = ref.view.type();
  const Bounds x = reader.bounds(node.b, type), y = reader.bounds(node.c, type);
  const RealId value = reader.dag.make(Kind::kIte, condition, b, c);
  return bounded(reader, ref, value, {std::min(x.low, y.low), std::max(x.high, y.high)});
}

RealId integer_extend(Reader& reader, const term::Node& node, Ref ref) {
  const bool sign = node.op.kind == op::Kind::kSext;
  const unsigned width = op::bits(node.op.src);
  Dag& dag = reader.dag;
  if (width == 1) {
    const RealId bit = reader.get(node.a, op::Type::kPred);
    if (reader.pending()) return kNoReal;
    const Wide one =
        sign ? (op::is_signed(ref.view.type()) ? -1 : limits(ref.view.type()).high) : 1;
    const RealId value = dag.make(Kind::kIte, bit, dag.rational(to_rational(one)), dag.integer(0));
    return bounded(reader, ref, value, {std::min<Wide>(one, 0), std::max<Wide>(one, 0)});
  }
  const op::Type from = sign ? signed_type(width) : unsigned_type(width);
  const RealId value = reader.get(node.a, from);
  if (reader.pending()) return kNoReal;
  return bounded(reader, ref, value, reader.bounds(node.a, from));
}

// The low bits: the same number where it fits.
RealId integer_truncate(Reader& reader, const term::Node& node, Ref ref) {
  const unsigned width = reader.arena.width(node.a);
  if (node.b != 0 || width > 64) return reader.opaque(ref);
  const RealId u = reader.get(node.a, unsigned_type(width));
  const RealId s = reader.get(node.a, signed_type(width));
  if (reader.pending()) return kNoReal;
  const Bounds range = reader.bounds(node.a, unsigned_type(width));
  if (within(range, limits(ref.view.type()))) return bounded(reader, ref, u, range);
  return bounded(reader, ref, s, reader.bounds(node.a, signed_type(width)));
}

RealId integer_concat(Reader& reader, const term::Node& node, Ref ref) {
  const unsigned width = op::bits(ref.view.type()) / 2;
  const bool zero = reader.arena.is_const(node.a) && reader.arena.const_bits(node.a) == 0;
  if (!zero || width < 8) return reader.opaque(ref);
  const RealId low = reader.get(node.b, unsigned_type(width));
  if (reader.pending()) return kNoReal;
  return bounded(reader, ref, low, reader.bounds(node.b, unsigned_type(width)));
}

RealId integer_arithmetic(Reader& reader, const term::Node& node, Ref ref) {
  const op::Type type = ref.view.type();
  const RealId a = reader.get(node.a, type), b = reader.get(node.b, type);
  if (reader.pending()) return kNoReal;
  const auto range =
      arithmetic_bounds(node.op.kind, reader.bounds(node.a, type), reader.bounds(node.b, type));
  if (!range || !within(*range, limits(type))) {
    // A term that is a small number in one signedness may wrap in the other.
    return op::is_signed(type) ? reader.opaque(ref) : other_signedness(reader, ref);
  }
  const Kind kind = node.op.kind == op::Kind::kAdd   ? Kind::kAdd
                    : node.op.kind == op::Kind::kSub ? Kind::kSub
                                                     : Kind::kMul;
  return bounded(reader, ref, reader.dag.make(kind, a, b), *range);
}

RealId integer_minmax(Reader& reader, const term::Node& node, Ref ref) {
  const op::Type type = ref.view.type();
  const bool is_signed = is_signed_kind(node.op.kind);
  if (is_signed != op::is_signed(type)) return other_signedness(reader, ref);
  const RealId a = reader.get(node.a, type);
  const Bounds x = reader.bounds(node.a, type);
  if (node.op.kind == op::Kind::kAbsS) {
    if (reader.pending()) return kNoReal;
    if (x.low == limits(type).low) return reader.opaque(ref);  // abs of the least number wraps
    const Wide low = x.low > 0 ? x.low : x.high < 0 ? -x.high : 0;
    return bounded(reader, ref, reader.dag.make(Kind::kAbs, a), {low, std::max(-x.low, x.high)});
  }
  const RealId b = reader.get(node.b, type);
  if (reader.pending()) return kNoReal;
  const Bounds y = reader.bounds(node.b, type);
  const bool least = node.op.kind == op::Kind::kMinS || node.op.kind == op::Kind::kMinU;
  const Bounds range = least ? Bounds{std::min(x.low, y.low), std::min(x.high, y.high)}
                             : Bounds{std::max(x.low, y.low), std::max(x.high, y.high)};
  return bounded(reader, ref, reader.dag.make(least ? Kind::kMin : Kind::kMax, a, b), range);
}

// Shifts by a constant: a product, or a floored quotient.
RealId integer_shift(Reader& reader, const term::Node& node, Ref ref) {
  const op::Type type = ref.view.type();
  const unsigned width = op::bits(type);
  if (!reader.arena.is_const(node.b)) return reader.opaque(ref);
  const uint64_t distance = reader.arena.const_bits(node.b);
  if (distance >= width || distance >= 62) return reader.opaque(ref);
  Dag& dag = reader.dag;
  const Wide factor = Wide{1} << distance;
  if (node.op.kind == op::Kind::kShl) {
    const RealId a = reader.get(node.a, type);
    if (reader.pending()) return kNoReal;
    const auto range =
        arithmetic_bounds(op::Kind::kMul, reader.bounds(node.a, type), Bounds{factor, factor});
    if (!range || !within(*range, limits(type))) {
      return op::is_signed(type) ? reader.opaque(ref) : other_signedness(reader, ref);
    }
    return bounded(reader, ref, dag.make(Kind::kMul, a, dag.rational(to_rational(factor))), *range);
  }
  if (is_signed_kind(node.op.kind) != op::is_signed(type)) return other_signedness(reader, ref);
  const RealId a = reader.get(node.a, type);
  if (reader.pending()) return kNoReal;
  if (reader.is_opaque(a)) return reader.opaque(ref);
  const Bounds range = reader.bounds(node.a, type);
  const RealId quotient = dag.make(Kind::kMul, a, dag.rational(1 / to_rational(factor)));
  return bounded(reader, ref, dag.make(Kind::kFloor, quotient),
                 {range.low >> distance, range.high >> distance});
}

// With a mask of low bits: the number itself where it fits, else its remainder.
RealId integer_and(Reader& reader, const term::Node& node, Ref ref) {
  const auto mask = reader.with_const(node);
  const op::Type type = ref.view.type();
  if (!mask || (mask->bits & (mask->bits + 1)) != 0 || mask->bits >> 61 != 0) {
    return reader.opaque(ref);
  }
  const Bounds range{0, static_cast<Wide>(mask->bits)};
  if (range.high > limits(type).high) return reader.opaque(ref);
  const RealId a = reader.get(mask->other, type);
  if (reader.pending()) return kNoReal;
  if (reader.is_opaque(a)) {  // its bits are not the number's, but the result's range is known
    reader.set_bounds(range);
    return reader.opaque(ref);
  }
  const Bounds whole_range = reader.bounds(mask->other, type);
  if (within(whole_range, range)) return bounded(reader, ref, a, whole_range);
  Dag& dag = reader.dag;
  const mpq_class modulus = to_rational(range.high + 1);
  const RealId whole = dag.make(Kind::kFloor, dag.make(Kind::kMul, a, dag.rational(1 / modulus)));
  const RealId multiple = dag.make(Kind::kMul, whole, dag.rational(modulus));
  return bounded(reader, ref, dag.make(Kind::kSub, a, multiple), range);
}

// A step function, saturating at the type's limits.
RealId integer_from_float(Reader& reader, const term::Node& node, Ref ref) {
  const op::Type type = ref.view.type(), own = View::of(node.op.type).type();
  if (own != type) return other_signedness(reader, ref);
  const auto kind = step(node.op.rounding);
  if (!kind || !op::is_float(node.op.src)) return reader.opaque(ref);
  const RealId a = reader.get(node.a, node.op.src);
  if (reader.pending()) return kNoReal;
  if (reader.operand_flags() & kInexactInt) return reader.opaque(ref);
  if (reader.operand_flags() & kRounded) reader.note(kDiscontinuity);
  const Bounds range = limits(type);
  const RealId whole = reader.dag.make(*kind, a);
  const RealId value = reader.clamp(whole, to_rational(range.low), to_rational(range.high));
  return bounded(reader, ref, value, narrowed_by_lattice(reader.dag, a, *kind, range));
}

}  // namespace ptxequiv::real
