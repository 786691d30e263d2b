// Integers as numbers. Sums and products are read twice: as a whole number that nothing has wrapped
// (the residue), and as a number of the type, which is the residue where interval bounds show that
// it fits, else the residue less a multiple of 2^width.
#include <algorithm>

#include "real/dag_fold.h"
#include "real/reader.h"

namespace ptxequiv::real {

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

Wide to_wide(const mpz_class& value) {
  const mpz_class magnitude = abs(value);
  Wide out = static_cast<Wide>(mpz_class(magnitude >> 64).get_ui()) << 64;
  out += static_cast<Wide>(mpz_class(magnitude & mpz_class("18446744073709551615")).get_ui());
  return sgn(value) < 0 ? -out : out;
}

Bounds narrowed(Bounds range, const Affine& affine) {
  const mpz_class low = ceil(affine.least()), high = floor(affine.greatest());
  const auto exact = [](const mpz_class& x) {
    mpz_class magnitude = abs(x);
    Wide out = static_cast<Wide>(mpz_class(magnitude >> 64).get_ui()) << 64;
    out += static_cast<Wide>(mpz_class(magnitude & mpz_class("18446744073709551615")).get_ui());
    return sgn(x) < 0 ? -out : out;
  };
  if (low > to_rational(range.low)) range.low = exact(low);
  if (high < to_rational(range.high)) range.high = exact(high);
  return range;
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

namespace {

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
// Residues grow with every operation; beyond this a term starts anew, as an unknown number.
constexpr Wide kMaxResidue = Wide{1} << 100;

std::optional<Bounds> arithmetic_bounds(op::Kind kind, Bounds a, Bounds b) {
  switch (kind) {
    case op::Kind::kAdd:
      return Bounds{a.low + b.low, a.high + b.high};
    case op::Kind::kSub:
      return Bounds{a.low - b.high, a.high - b.low};
    case op::Kind::kMul: {
      const Bounds factor{-kMaxFactor, kMaxFactor};
      const auto is_zero = [](Bounds x) { return x.low == 0 && x.high == 0; };
      if (is_zero(a) || is_zero(b)) return Bounds{0, 0};
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

// Sums, differences, products and complements: the residue's formula, where that is a number of the
// type; else brought into the type by a floored quotient.
RealId integer_arithmetic(Reader& reader, const term::Node& node, Ref ref) {
  if (node.op.kind == op::Kind::kShl && !reader.arena.is_const(node.b)) {
    return integer_shift(reader, node, ref);
  }
  const op::Type type = ref.view.type();
  const View view = View::residue_of(op::bits_type(op::bits(type)));
  const RealId value = reader.get(ref.term, view);
  if (reader.pending()) return kNoReal;
  if (reader.is_opaque(value)) return reader.opaque(ref);
  const Bounds range = reader.bounds(ref.term, view);
  if (within(range, limits(type))) {
    reader.set_affine(reader.affine(ref.term, view));
    return bounded(reader, ref, value, range);
  }
  const mpq_class modulus = mpz_class(1) << op::bits(type);
  Dag& dag = reader.dag;
  RealId moved = value;
  if (op::is_signed(type)) moved = dag.make(Kind::kAdd, value, dag.rational(modulus / 2));
  const RealId turns =
      dag.make(Kind::kFloor, dag.make(Kind::kMul, moved, dag.rational(1 / modulus)));
  return dag.make(Kind::kSub, value, dag.make(Kind::kMul, turns, dag.rational(modulus)));
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

namespace {

// a | b and a ^ b, where b is shifted over all bits that a has: their sum.
RealId disjoint_sum(Reader& reader, const term::Node& node, Ref ref) {
  if (node.op.kind != op::Kind::kOr && node.op.kind != op::Kind::kXor) return reader.opaque(ref);
  const op::Type type = ref.view.type();
  for (const auto& [low, high] : {std::pair{node.a, node.b}, std::pair{node.b, node.a}}) {
    const term::Node& shifted = reader.arena[high];
    if (shifted.op.kind != op::Kind::kShl || !reader.arena.is_const(shifted.b)) continue;
    const uint64_t by = reader.arena.const_bits(shifted.b);
    if (by >= op::bits(type)) continue;
    const RealId a = reader.get(low, type), b = reader.get(high, type);
    if (reader.pending()) return kNoReal;
    if (reader.is_opaque(a) || reader.is_opaque(b)) continue;
    const Bounds x = reader.bounds(low, type), y = reader.bounds(high, type);
    if (x.low < 0 || x.high >= Wide{1} << by) continue;
    return bounded(reader, ref, reader.dag.make(Kind::kAdd, a, b),
                   {x.low + y.low, x.high + y.high});
  }
  return reader.opaque(ref);
}

}  // namespace

// Bits that only move: by where they come from.
RealId integer_structure(Reader& reader, const term::Node& node, Ref ref) {
  const op::Type type = ref.view.type();
  if (reader.slices().is_whole(ref.term)) {
    return op::is_signed(type) ? other_signedness(reader, ref) : disjoint_sum(reader, node, ref);
  }
  if (!op::is_signed(type)) return integer_from_slices(reader, ref);
  Dag& dag = reader.dag;
  // The low part of a signed number that fits is that number.
  const std::vector<Slice> slices = reader.slices().of(ref.term);
  if (slices.size() == 1 && slices[0].from == 0 && !slices[0].negated &&
      slices[0].source != term::kNoTerm && !is_float_bits(reader.arena, slices[0].source)) {
    const term::TermId source = slices[0].source;
    const View view = View::residue_of(op::bits_type(reader.arena.width(source)));
    const RealId value = reader.get(source, view);
    if (reader.pending()) return kNoReal;
    const Bounds range = reader.bounds(source, view);
    if (!reader.is_opaque(value) && within(range, limits(type))) {
      return bounded(reader, ref, value, range);
    }
  }
  static_cast<void>(node);
  const op::Type other = unsigned_type(op::bits(type));
  const RealId value = reader.get(ref.term, other);
  if (reader.pending()) return kNoReal;
  if (reader.is_opaque(value)) return reader.opaque(ref);
  const Bounds range = reader.bounds(ref.term, other);
  if (within(range, limits(type))) return bounded(reader, ref, value, range);
  const mpq_class modulus = mpz_class(1) << op::bits(type);
  const RealId high = dag.make(Kind::kLe, dag.rational(modulus / 2), value);
  const RealId low = dag.make(Kind::kSub, value, dag.rational(modulus));
  return dag.make(Kind::kIte, high, low, value);
}

// Arithmetic right shifts: a floored quotient; left shifts by an amount below the width: a product
// with a power of two.
RealId integer_shift(Reader& reader, const term::Node& node, Ref ref) {
  const op::Type type = ref.view.type();
  const unsigned width = op::bits(type);
  Dag& dag = reader.dag;
  if (node.op.kind == op::Kind::kShl) {
    const RealId a = reader.get(node.a, type);
    const RealId by = reader.get(node.b, op::Type::kU32);
    if (reader.pending()) return kNoReal;
    const Bounds x = reader.bounds(node.a, type), y = reader.bounds(node.b, op::Type::kU32);
    if (reader.is_opaque(a) || y.high >= width || y.high > 62) return reader.opaque(ref);
    const Wide factor = Wide{1} << static_cast<int>(y.high);
    const Bounds range{std::min<Wide>(x.low * (x.low < 0 ? factor : 1), x.low),
                       x.high * (x.high > 0 ? factor : 1)};
    return bounded(reader, ref, dag.make(Kind::kMul, a, dag.make(Kind::kExp2, by)), range);
  }
  if (!reader.arena.is_const(node.b)) return reader.opaque(ref);
  const uint64_t distance = reader.arena.const_bits(node.b);
  if (distance >= width || distance >= 62) return reader.opaque(ref);
  if (!op::is_signed(type)) return other_signedness(reader, ref);
  const RealId a = reader.get(node.a, type);
  if (reader.pending()) return kNoReal;
  const Bounds range = reader.bounds(node.a, type);
  const mpq_class factor = mpz_class(1) << distance;
  reader.set_affine(widened(scaled(reader.affine(node.a, View::of(type)), 1 / factor), -1, 0));
  return bounded(reader, ref,
                 dag.make(Kind::kFloor, dag.make(Kind::kMul, a, dag.rational(1 / factor))),
                 {range.low >> distance, range.high >> distance});
}

// By a constant other than zero: quotients are rounded towards zero.
RealId integer_quotient(Reader& reader, const term::Node& node, Ref ref) {
  const op::Type type = ref.view.type();
  if (!reader.arena.is_const(node.b)) return reader.opaque(ref);
  if (is_signed_kind(node.op.kind) != op::is_signed(type)) return other_signedness(reader, ref);
  const Wide divisor = constant_number(reader.arena.const_bits(node.b), type);
  if (divisor == 0) return reader.opaque(ref);
  const RealId a = reader.get(node.a, type);
  if (reader.pending()) return kNoReal;
  const Bounds x = reader.bounds(node.a, type);
  const bool wraps = divisor == -1 && x.low == limits(type).low;
  if (wraps) return reader.opaque(ref);
  Dag& dag = reader.dag;
  const Kind step = x.low >= 0 && divisor > 0 ? Kind::kFloor : Kind::kTrunc;
  const RealId quotient =
      dag.make(step, dag.make(Kind::kMul, a, dag.rational(1 / to_rational(divisor))));
  const auto [low, high] = std::minmax({x.low / divisor, x.high / divisor});
  if (node.op.kind == op::Kind::kDivU || node.op.kind == op::Kind::kDivS) {
    const Affine exact = scaled(reader.affine(node.a, View::of(type)), 1 / to_rational(divisor));
    reader.set_affine(widened(exact, -1, 1));
    return bounded(reader, ref, quotient, {low, high});
  }
  const RealId multiple = dag.make(Kind::kMul, quotient, dag.rational(to_rational(divisor)));
  const Wide most = (divisor < 0 ? -divisor : divisor) - 1;
  return bounded(reader, ref, dag.make(Kind::kSub, a, multiple),
                 {x.low < 0 ? -most : 0, x.high > 0 ? most : 0});
}

// The high half of a product: a floored quotient.
RealId integer_high_product(Reader& reader, const term::Node& node, Ref ref) {
  const op::Type type = ref.view.type();
  const bool is_signed = node.op.kind == op::Kind::kMulHiS;
  if (is_signed != op::is_signed(type)) return other_signedness(reader, ref);
  const RealId a = reader.get(node.a, type), b = reader.get(node.b, type);
  if (reader.pending()) return kNoReal;
  if (reader.is_opaque(a) || reader.is_opaque(b)) return reader.opaque(ref);
  const unsigned width = op::bits(type);
  const Bounds x = reader.bounds(node.a, type), y = reader.bounds(node.b, type);
  const auto product = [](Wide p, Wide q) {
    return mpz_class(to_rational(p).get_num() * to_rational(q).get_num());
  };
  const auto [low, high] = std::minmax({product(x.low, y.low), product(x.low, y.high),
                                        product(x.high, y.low), product(x.high, y.high)});
  const auto quotient = [&](const mpz_class& p) {
    mpz_class out;
    mpz_fdiv_q_2exp(out.get_mpz_t(), p.get_mpz_t(), width);
    return to_wide(out);
  };
  Dag& dag = reader.dag;
  const mpq_class unit = 1 / mpq_class(mpz_class(1) << width);
  if (const auto factor = reader.with_const(node)) {
    const mpq_class scale = to_rational(constant_number(factor->bits, type)) * unit;
    reader.set_affine(
        widened(scaled(reader.affine(factor->other, View::of(type)), scale), -1, 0));
    const RealId other = factor->other == node.a ? a : b;
    return bounded(reader, ref,
                   dag.make(Kind::kFloor, dag.make(Kind::kMul, other, dag.rational(scale))),
                   {quotient(low), quotient(high)});
  }
  const RealId both = dag.make(Kind::kMul, dag.make(Kind::kMul, a, b), dag.rational(unit));
  return bounded(reader, ref, dag.make(Kind::kFloor, both), {quotient(low), quotient(high)});
}

// Counts of bits: unknown, but small.
RealId integer_count(Reader& reader, const term::Node& node, Ref ref) {
  reader.set_bounds({0, static_cast<Wide>(op::bits(node.op.src))});
  return reader.opaque(ref);
}

namespace {

// Of a sum, a difference, or a product with a constant.
Affine arithmetic_affine(Reader& reader, const term::Node& node, View view) {
  const Affine a = reader.affine(node.a, view), b = reader.affine(node.b, view);
  switch (node.op.kind) {
    case op::Kind::kAdd:
      return sum(a, b);
    case op::Kind::kSub:
      return sum(a, scaled(b, -1));
    default:
      break;
  }
  if (b.base == term::kNoTerm && b.low == b.high) return scaled(a, b.low);
  if (a.base == term::kNoTerm && a.low == a.high) return scaled(b, a.low);
  return {};
}

}  // namespace

// A number that differs from the term's by a multiple of 2^width: nothing wraps.
RealId read_residue(Reader& reader, const term::Node& node, Ref ref) {
  Dag& dag = reader.dag;
  const unsigned width = op::bits(ref.view.type());
  const op::Type u = unsigned_type(width), s = signed_type(width);
  const View view = ref.view;
  const auto as = [&](op::Type type) {
    const RealId value = reader.get(ref.term, type);
    if (reader.pending()) return kNoReal;
    reader.set_bounds(reader.bounds(ref.term, type));
    reader.set_affine(reader.affine(ref.term, View::of(type)));
    return value;
  };
  const auto unknown = [&] { return dag.opaque(ref.term, u); };
  switch (node.op.kind) {
    case op::Kind::kConst: {
      const Wide value = constant_number(reader.arena.const_bits(ref.term), s);
      reader.set_bounds({value, value});
      return dag.rational(to_rational(value));
    }
    case op::Kind::kInput:
    case op::Kind::kInitial:
    case op::Kind::kScalar:
    case op::Kind::kFresh:
    case op::Kind::kHole: {
      const auto own = number_type(node.op.type);
      return as(own && op::bits(*own) == width ? *own : u);
    }
    case op::Kind::kAdd:
    case op::Kind::kSub:
    case op::Kind::kMul: {
      const RealId a = reader.get(node.a, view), b = reader.get(node.b, view);
      if (reader.pending()) return kNoReal;
      if (reader.is_opaque(a) && reader.is_opaque(b)) return unknown();
      const auto range =
          arithmetic_bounds(node.op.kind, reader.bounds(node.a, view), reader.bounds(node.b, view));
      if (!range || !within(*range, {-kMaxResidue, kMaxResidue})) return unknown();
      const Affine both = arithmetic_affine(reader, node, view);
      reader.set_affine(both);
      reader.set_bounds(both.base == term::kNoTerm ? *range : narrowed(*range, both));
      const Kind kind = node.op.kind == op::Kind::kAdd   ? Kind::kAdd
                        : node.op.kind == op::Kind::kSub ? Kind::kSub
                                                         : Kind::kMul;
      return dag.make(kind, a, b);
    }
    case op::Kind::kShl: {
      if (!reader.arena.is_const(node.b)) return as(u);
      const RealId a = reader.get(node.a, view);
      if (reader.pending()) return kNoReal;
      const uint64_t by = std::min<uint64_t>(reader.arena.const_bits(node.b), width);
      const Bounds x = reader.bounds(node.a, view);
      const Wide limit = kMaxResidue >> by;
      if (reader.is_opaque(a) || by >= width || !within(x, {-limit, limit})) return unknown();
      const Wide factor = Wide{1} << by;
      reader.set_bounds({x.low * factor, x.high * factor});
      return dag.make(Kind::kMul, a, dag.rational(to_rational(factor)));
    }
    case op::Kind::kSelect: {
      const RealId c = reader.get(node.a, op::Type::kPred);
      const RealId a = reader.get(node.b, view), b = reader.get(node.c, view);
      if (reader.pending()) return kNoReal;
      const Bounds x = reader.bounds(node.b, view), y = reader.bounds(node.c, view);
      reader.set_bounds({std::min(x.low, y.low), std::max(x.high, y.high)});
      return dag.make(Kind::kIte, c, a, b);
    }
    case op::Kind::kSext:
      return as(s);
    case op::Kind::kFToI:
      return as(View::of(node.op.type).type());
    default: {
      if (is_signed_kind(node.op.kind) || node.op.kind == op::Kind::kMulHiS) return as(s);
      const std::vector<Slice> slices = reader.slices().of(ref.term);
      const bool low_part = slices.size() == 1 && slices[0].source != ref.term &&
                            slices[0].source != term::kNoTerm && slices[0].from == 0 &&
                            !slices[0].negated && !is_float_bits(reader.arena, slices[0].source);
      if (!low_part) return as(u);
      const term::TermId source = slices[0].source;
      const RealId value = reader.residue(source);
      if (reader.pending()) return kNoReal;
      reader.set_bounds(
          reader.bounds(source, View::residue_of(op::bits_type(reader.arena.width(source)))));
      return value;
    }
  }
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
