// Fields of bits as numbers: of integers by floored quotients, of floats by their encoding.
#include <algorithm>

#include "real/dag_fold.h"
#include "real/reader.h"

namespace ptxequiv::real {

// The format whose bits a term holds, where it is made of floats of one format.
std::optional<op::Type> float_format(const term::Arena& arena, term::TermId id) {
  for (unsigned depth = 0; depth < 64; ++depth) {  // down the first arms of selects
    const term::Node& node = arena[id];
    if (node.op.kind == op::Kind::kSelect) {
      id = arena.is_const(node.b) ? node.c : node.b;
      continue;
    }
    const bool leaf = op::arity(node.op.kind) == 0 && node.op.kind != op::Kind::kConst;
    const bool makes_float = leaf || op::info(node.op.kind).is_float;
    if (!makes_float || !op::is_float(node.op.type)) return {};
    return node.op.type;
  }
  return {};
}

bool is_float_bits(const term::Arena& arena, term::TermId id) {
  return float_format(arena, id).has_value();
}

Ends lattice_ends(const Dag& dag, RealId value) {
  std::vector<RealId> outer;  // outermost first
  const auto constant = [&](RealId id) -> std::optional<RealId> {
    const Node& node = dag[id];
    if (dag[node.a].kind == Kind::kRational) return node.a;
    if (dag[node.b].kind == Kind::kRational) return node.b;
    return {};
  };
  while (dag[value].kind == Kind::kMin || dag[value].kind == Kind::kMax) {
    const auto bound = constant(value);
    if (!bound) break;
    outer.push_back(value);
    value = dag[value].a == *bound ? dag[value].b : dag[value].a;
  }
  Ends ends;
  if (dag[value].kind == Kind::kAbs) ends.low = 0;
  if (dag[value].kind == Kind::kRational)
    ends = {dag.rational_value(value), dag.rational_value(value)};
  for (size_t i = outer.size(); i-- > 0;) {
    const mpq_class bound = dag.rational_value(*constant(outer[i]));
    if (dag[outer[i]].kind == Kind::kMin) {
      ends.high = ends.high && *ends.high < bound ? *ends.high : bound;
      if (ends.low && *ends.low > bound) ends.low = bound;
    } else {
      ends.low = ends.low && *ends.low > bound ? *ends.low : bound;
      if (ends.high && *ends.high < bound) ends.high = bound;
    }
  }
  return ends;
}

namespace {

mpq_class power_of_two(long exponent) {
  const mpz_class power = mpz_class(1) << static_cast<unsigned long>(std::abs(exponent));
  return exponent < 0 ? mpq_class(1, power) : mpq_class(power);
}

// The largest e with 2^e <= x, for x > 0.
long exponent_of(const mpq_class& x) {
  long e = static_cast<long>(mpz_sizeinbase(x.get_num_mpz_t(), 2)) -
           static_cast<long>(mpz_sizeinbase(x.get_den_mpz_t(), 2));
  while (power_of_two(e) > x) --e;
  while (power_of_two(e + 1) <= x) ++e;
  return e;
}

// Bits [from, from+width) of a number that has no others above.
struct Number {
  RealId value;
  Bounds bounds;
};
Number field_of(Dag& dag, Number n, unsigned from, unsigned width) {
  const auto floored = [&](unsigned by) {
    if (by == 0) return n.value;
    const RealId scaled = dag.make(Kind::kMul, n.value, dag.rational(power_of_two(-long{by})));
    return dag.make(Kind::kFloor, scaled);
  };
  const Bounds whole{0, (Wide{1} << (from + width)) - 1};
  if (n.bounds.low >= 0 && n.bounds.high <= whole.high) {
    return {floored(from), {n.bounds.low >> from, n.bounds.high >> from}};
  }
  const RealId above =
      dag.make(Kind::kMul, floored(from + width), dag.rational(power_of_two(width)));
  return {dag.make(Kind::kSub, floored(from), above), {0, (Wide{1} << width) - 1}};
}

// Exponent and fraction of a float whose bits are known: by its exponent's definition where it is
// normal, and as what they are for zeros and subnormal numbers.
struct Encoding {
  Number exponent, fraction;
};
Encoding encoding_of(Dag& dag, RealId x, op::Type type) {
  const op::TypeInfo& info = op::info(type);
  const long fraction_bits = info.precision - 1;
  const long bias = 1 - info.min_exponent;
  const Ends ends = lattice_ends(dag, x);
  const bool positive = ends.low && sgn(*ends.low) >= 0;
  const RealId magnitude = positive ? x : dag.make(Kind::kAbs, x);
  const mpq_class least = power_of_two(info.min_exponent);
  const RealId whole = dag.make(Kind::kFloor, dag.make(Kind::kLog2, magnitude));
  const mpq_class unit = power_of_two(fraction_bits);
  const RealId scaled =
      dag.make(Kind::kMul, magnitude, dag.make(Kind::kExp2, dag.make(Kind::kNeg, whole)));
  Encoding e;
  e.exponent = {dag.make(Kind::kAdd, whole, dag.integer(bias)), {0, info.max_exponent + bias}};
  e.fraction = {
      dag.make(Kind::kMul, dag.make(Kind::kSub, scaled, dag.integer(1)), dag.rational(unit)),
      {0, (Wide{1} << fraction_bits) - 1}};
  if (positive && *ends.low >= least) {
    e.exponent.bounds.low = exponent_of(*ends.low) + bias;
    if (ends.high && sgn(*ends.high) > 0) {
      e.exponent.bounds.high =
          std::min<Wide>(e.exponent.bounds.high, exponent_of(*ends.high) + bias);
    }
    return e;
  }
  const RealId small = dag.make(Kind::kLt, magnitude, dag.rational(least));
  e.exponent.value = dag.make(Kind::kIte, small, dag.integer(0), e.exponent.value);
  const RealId steps = dag.make(Kind::kMul, magnitude,
                                dag.rational(power_of_two(fraction_bits - info.min_exponent)));
  e.fraction.value = dag.make(Kind::kIte, small, steps, e.fraction.value);
  return e;
}

// Of a float. Bits of a rounded value have no meaning over the reals.
std::optional<Number> float_field(Reader& reader, term::TermId source, op::Type type, unsigned from,
                                  unsigned width) {
  const RealId x = reader.get(source, type);
  const unsigned fraction_bits = op::info(type).precision - 1u, sign_at = op::bits(type) - 1;
  RealId negative = kNoReal;
  if (from + width > sign_at) negative = reader.sign(source, type);
  if (reader.pending()) return {};
  Dag& dag = reader.dag;
  if (reader.is_opaque(x) || (reader.operand_flags() & (kRounded | kInexactInt)) != 0) return {};
  if (!reader.is_total(x) || type == op::Type::kE4M3) return {};
  const Encoding e = encoding_of(dag, x, type);
  Number sum{dag.integer(0), {0, 0}};
  const auto add = [&](const Number& n, unsigned begin, unsigned end) {
    const unsigned low = std::max(from, begin), high = std::min(from + width, end);
    if (low >= high) return;
    const bool all = low == begin && high == end;
    const Number part = all ? n : field_of(dag, n, low - begin, high - low);
    const mpq_class weight = power_of_two(low - from);
    sum.value =
        dag.make(Kind::kAdd, sum.value, dag.make(Kind::kMul, part.value, dag.rational(weight)));
    sum.bounds.low += part.bounds.low << (low - from);
    sum.bounds.high += part.bounds.high << (low - from);
  };
  add(e.fraction, 0, fraction_bits);
  add(e.exponent, fraction_bits, sign_at);
  if (negative != kNoReal) {
    const Ends ends = lattice_ends(dag, x);
    const bool positive = ends.low && sgn(*ends.low) >= 0;
    const RealId bit =
        positive ? dag.integer(0) : dag.make(Kind::kIte, negative, dag.integer(1), dag.integer(0));
    add({bit, {0, positive ? 0 : 1}}, sign_at, sign_at + 1);
  }
  return sum;
}

}  // namespace

RealId read_field(Reader& reader, term::TermId source, unsigned from, unsigned width,
                  Bounds* bounds, bool* unknown) {
  Dag& dag = reader.dag;
  const unsigned whole = reader.arena.width(source);
  const op::Kind kind = reader.arena.kind(source);
  if (kind == op::Kind::kFAdd || kind == op::Kind::kFSub) {  // maybe a whole number's code
    const op::Type type = unsigned_type(whole);
    const RealId code = reader.get(source, type);
    if (reader.pending()) return kNoReal;
    if (!reader.is_opaque(code)) {
      const Number field = field_of(dag, {code, reader.bounds(source, type)}, from, width);
      *bounds = field.bounds;
      return field.value;
    }
  }
  if (const auto type = float_format(reader.arena, source)) {
    const auto number = float_field(reader, source, *type, from, width);
    if (reader.pending()) return kNoReal;
    *unknown = !number;
    if (!number) return kNoReal;
    *bounds = number->bounds;
    return number->value;
  }
  if (width == whole) {
    const op::Type type = unsigned_type(whole);
    const RealId value = reader.get(source, type);
    if (!reader.pending()) *bounds = reader.bounds(source, type);
    return value;
  }
  const RealId value = reader.residue(source);
  if (reader.pending()) return kNoReal;
  const Bounds range = reader.bounds(source, View::residue_of(op::bits_type(whole)));
  const bool top = from + width == whole;
  if (top && within(range, limits(signed_type(whole)))) {
    // The sign shows as what is subtracted.
    Bounds shifted{range.low >> from, range.high >> from};
    const RealId scaled = dag.make(Kind::kMul, value, dag.rational(power_of_two(-long{from})));
    const RealId quotient = from == 0 ? value : dag.make(Kind::kFloor, scaled);
    if (shifted.low >= 0) {
      *bounds = shifted;
      return quotient;
    }
    *bounds = {0, (Wide{1} << width) - 1};
    const RealId negative = dag.make(Kind::kLt, value, dag.integer(0));
    if (width == 1) return dag.make(Kind::kIte, negative, dag.integer(1), dag.integer(0));
    const RealId turn =
        dag.make(Kind::kIte, negative, dag.rational(power_of_two(width)), dag.integer(0));
    return dag.make(Kind::kAdd, quotient, turn);
  }
  const Number field = field_of(dag, {value, range}, from, width);
  *bounds = field.bounds;
  return field.value;
}

RealId integer_from_slices(Reader& reader, Ref ref) {
  Dag& dag = reader.dag;
  const std::vector<Slice> slices = reader.slices().of(ref.term);
  RealId sum = dag.integer(0);
  Bounds range{0, 0};
  bool unknown = false;
  for (const Slice& slice : slices) {
    Bounds part{};
    RealId value = kNoReal;
    if (slice.source == term::kNoTerm) {
      const auto bits = static_cast<Wide>(slice.bits);
      part = {bits, bits};
      value = dag.rational(to_rational(bits));
    } else {
      bool nothing = false;
      value = read_field(reader, slice.source, slice.from, slice.width, &part, &nothing);
      unknown = unknown || nothing;
    }
    if (reader.pending() || unknown) continue;
    if (slice.negated) {
      const Wide all = (Wide{1} << slice.width) - 1;
      value = dag.make(Kind::kSub, dag.rational(to_rational(all)), value);
      part = {all - part.high, all - part.low};
    }
    range.low += part.low << slice.at;
    range.high += part.high << slice.at;
    sum = dag.make(Kind::kAdd, sum,
                   dag.make(Kind::kMul, value, dag.rational(power_of_two(slice.at))));
  }
  if (reader.pending()) return kNoReal;
  if (unknown) return reader.opaque(ref);
  return bounded(reader, ref, sum, range);
}

}  // namespace ptxequiv::real
