// Adding a constant near 1.5 * 2^(p-1) rounds to a whole number on purpose: where the operand is
// known to be small enough, the sum is that number, and its bits count it.
#include "real/dag_fold.h"
#include "real/reader.h"

namespace ptxequiv::real {
namespace {

struct Magic {
  term::TermId operand;
  bool minus;          // the operand is subtracted
  mpq_class constant;  // added
};

// x + c, x - c and c - x, rounded to nearest, with a whole c that is even.
std::optional<Magic> magic_of(const Reader& reader, const term::Node& node) {
  const bool sum = node.op.kind == op::Kind::kFAdd, difference = node.op.kind == op::Kind::kFSub;
  const op::Type type = node.op.type;
  if ((!sum && !difference) || (type != op::Type::kF32 && type != op::Type::kF64)) return {};
  const bool nearest =
      node.op.rounding == op::Rounding::kRn || node.op.rounding == op::Rounding::kAny;
  if (!nearest || node.op.sat || node.op.relu) return {};
  const auto constant = reader.with_const(node);
  if (!constant) return {};
  const FloatValue value = decode(type, constant->bits);
  if (value.kind != FloatValue::Class::kFinite) return {};
  mpq_class c = value.value;
  const mpq_class half = c / 2;
  if (half.get_den() != 1) return {};
  const bool first = reader.arena.is_const(node.a);
  if (difference && !first) c = -c;
  return Magic{constant->other, difference && first, c};
}

// The whole numbers that lie a unit apart, on one side of zero: [2^(p-1), 2^p].
struct Binade {
  explicit Binade(op::Type type)
      : low(mpz_class(1) << (op::info(type).precision - 1u)), high(2 * low) {}
  mpz_class low, high;
  bool holds(const mpq_class& least, const mpq_class& greatest) const {
    return (low <= least && greatest <= high) || (-high <= least && greatest <= -low);
  }
};

struct Whole {
  RealId value;
  mpz_class least, greatest;
};

// The sum where it certainly is in a binade whose numbers are whole.
std::optional<Whole> whole_sum(Reader& reader, const term::Node& node) {
  const auto magic = magic_of(reader, node);
  if (!magic) return {};
  const op::Type type = node.op.type;
  const RealId x = reader.get(magic->operand, type);
  if (reader.pending()) return {};
  const Ends ends = lattice_ends(reader.dag, x);
  if (!ends.low || !ends.high || (reader.operand_flags() & kInexactInt) != 0) return {};
  const mpq_class from = magic->minus ? mpq_class(-*ends.high) : *ends.low;
  const mpq_class to = magic->minus ? mpq_class(-*ends.low) : *ends.high;
  if (!Binade(type).holds(from + magic->constant, to + magic->constant)) return {};
  Dag& dag = reader.dag;
  RealId step = dag.make(Kind::kRint, x);
  if (magic->minus) step = dag.make(Kind::kNeg, step);
  const mpq_class least = rint(from) + magic->constant;
  const mpq_class greatest = rint(to) + magic->constant;
  return Whole{dag.make(Kind::kAdd, step, dag.rational(magic->constant)), least.get_num(),
               greatest.get_num()};
}

// A float whose bits are put together, as those of a whole number in [2^(p-1), 2^p].
std::optional<Whole> whole_code(Reader& reader, term::TermId id, op::Type type) {
  if (op::info(reader.arena.kind(id)).is_float || op::arity(reader.arena.kind(id)) == 0) return {};
  const op::Type bits = unsigned_type(op::bits(type));
  const RealId code = reader.get(id, bits), value = reader.get(id, type);
  if (reader.pending() || reader.is_opaque(code) || reader.is_opaque(value)) return {};
  const Bounds range = reader.bounds(id, bits);
  const op::TypeInfo& info = op::info(type);
  const unsigned fraction = info.precision - 1u;
  const Wide first = Wide{static_cast<int>(fraction) + 1 - info.min_exponent} << fraction;
  const Wide unit = Wide{1} << fraction;
  if (range.low < first || range.high > first + unit) return {};
  const mpz_class least = to_rational(range.low - first + unit).get_num();
  return Whole{value, least, to_rational(range.high - first + unit).get_num()};
}

}  // namespace

RealId float_magic(Reader& reader, const term::Node& node, Ref ref) {
  if (node.op.kind == op::Kind::kFFma) return reader.opaque(ref);
  if (!same_format(node.op.type, ref.view.type())) return reader.opaque(ref);
  reader.get(node.a, node.op.type);  // both, as of other arithmetic: what is listed as used
  reader.get(node.b, node.op.type);
  const auto whole = whole_sum(reader, node);
  if (reader.pending()) return kNoReal;
  if (whole) {
    if (reader.operand_flags() & kRounded) reader.note(kDiscontinuity);
    return whole->value;
  }
  // Such a sum less a whole number: exact where the difference fits the significand.
  const auto back = magic_of(reader, node);
  if (!back) return reader.opaque(ref);
  const bool sum_inside = reader.arena.kind(back->operand) == op::Kind::kFAdd ||
                          reader.arena.kind(back->operand) == op::Kind::kFSub;
  const auto inner = sum_inside ? whole_sum(reader, reader.arena[back->operand])
                                : whole_code(reader, back->operand, node.op.type);
  if (reader.pending()) return kNoReal;
  if (!inner) return reader.opaque(ref);
  const mpz_class least =
      (back->minus ? -inner->greatest : inner->least) + back->constant.get_num();
  const mpz_class most = (back->minus ? -inner->least : inner->greatest) + back->constant.get_num();
  const mpz_class exact = Binade(node.op.type).high;
  if (least < -exact || most > exact) return reader.opaque(ref);
  const RealId sum = reader.get(back->operand, node.op.type);
  if (reader.pending()) return kNoReal;
  Dag& dag = reader.dag;
  const RealId x = back->minus ? dag.make(Kind::kNeg, sum) : sum;
  return dag.make(Kind::kAdd, x, dag.rational(back->constant));
}

// The code of a whole sum: one more for each unit of magnitude.
RealId integer_magic(Reader& reader, const term::Node& node, Ref ref) {
  const op::Type type = ref.view.type();
  if (op::bits(node.op.type) != op::bits(type)) return reader.opaque(ref);
  if (op::is_signed(type)) return other_signedness(reader, ref);
  const auto whole = whole_sum(reader, node);
  if (reader.pending()) return kNoReal;
  if (!whole) return reader.opaque(ref);
  if (reader.operand_flags() & kRounded) reader.note(kDiscontinuity);
  const op::TypeInfo& info = op::info(node.op.type);
  const unsigned fraction = info.precision - 1u;
  const bool negative = whole->greatest < 0;
  const Binade binade(node.op.type);
  // The code of 2^(p-1).
  mpz_class first = mpz_class(static_cast<int>(fraction) + 1 - info.min_exponent) << fraction;
  if (negative) first += mpz_class(1) << (info.bits - 1u);
  const mpz_class offset = first - binade.low;
  Dag& dag = reader.dag;
  const RealId magnitude = negative ? dag.make(Kind::kNeg, whole->value) : whole->value;
  const mpz_class low = (negative ? -whole->greatest : whole->least) + offset;
  const mpz_class high = (negative ? -whole->least : whole->greatest) + offset;
  return bounded(reader, ref, dag.make(Kind::kAdd, magnitude, dag.rational(offset)),
                 {to_wide(low), to_wide(high)});
}

}  // namespace ptxequiv::real
