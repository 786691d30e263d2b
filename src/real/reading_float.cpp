// Floating-point operations as real ones (design.md, section 1: "The reading over the reals").
#include "real/reader.h"

namespace ptxequiv::real {

// Everything but selections and sign changes rounds; in a format with a narrower range than f32 it
// may overflow too.
void note_rounding(Reader& reader, op::Type type) {
  reader.note(kReals | kRounded);
  if (op::info(type).max_exponent < op::info(op::Type::kF32).max_exponent) {
    reader.note(kNoOverflow);
  }
}

namespace {

RealId finish(Reader& reader, op::Op op, RealId value) {
  if (op.relu) value = reader.dag.make(Kind::kMax, value, reader.dag.integer(0));
  return op.sat ? reader.clamp(value, 0, 1) : value;
}

// Adding a constant near 1.5 * 2^(p-1) rounds to an integral value on purpose. A real addition
// would lose that (and with it, silently, the range reduction of an exponential): it stays opaque.
bool is_magic_addend(const term::Arena& arena, term::TermId addend, op::Type type) {
  if (!arena.is_const(addend)) return false;
  if (type != op::Type::kF32 && type != op::Type::kF64) return false;
  const FloatValue value = decode(type, arena.const_bits(addend));
  if (value.kind != FloatValue::Class::kFinite) return false;
  const mpz_class low = mpz_class(1) << (op::info(type).precision - 2u);
  const mpq_class magnitude = abs(value.value);
  return magnitude >= low && magnitude < low * 8;
}

bool is_magic(const term::Arena& arena, const term::Node& node) {
  switch (node.op.kind) {
    case op::Kind::kFAdd:
    case op::Kind::kFSub:
      return is_magic_addend(arena, node.a, node.op.type) ||
             is_magic_addend(arena, node.b, node.op.type);
    case op::Kind::kFFma:
      return is_magic_addend(arena, node.c, node.op.type);
    default:
      return false;
  }
}

Kind real_kind(op::Kind kind) {
  switch (kind) {
    case op::Kind::kFAdd:
      return Kind::kAdd;
    case op::Kind::kFSub:
      return Kind::kSub;
    case op::Kind::kFMul:
      return Kind::kMul;
    case op::Kind::kFDiv:
      return Kind::kDiv;
    case op::Kind::kFSqrt:
    case op::Kind::kFRsqrt:
      return Kind::kSqrt;
    case op::Kind::kFEx2:
      return Kind::kExp2;
    case op::Kind::kFLg2:
      return Kind::kLog2;
    case op::Kind::kFSin:
      return Kind::kSin;
    case op::Kind::kFCos:
      return Kind::kCos;
    case op::Kind::kFTanh:
      return Kind::kTanh;
    case op::Kind::kFMin:
      return Kind::kMin;
    case op::Kind::kFMax:
      return Kind::kMax;
    case op::Kind::kFAbs:
      return Kind::kAbs;
    case op::Kind::kFNeg:
      return Kind::kNeg;
    default:
      return Kind::kCount;
  }
}

}  // namespace

RealId float_literal(Dag& dag, op::Type type, uint64_t bits) {
  const FloatValue value = decode(type, bits);
  switch (value.kind) {
    case FloatValue::Class::kInfinity:
      return dag.infinity(value.negative);
    case FloatValue::Class::kNan:
      return dag.undefined();
    case FloatValue::Class::kFinite:
      break;
  }
  return dag.rational(value.value);
}

RealId float_constant(Reader& reader, const term::Node& node, Ref ref) {
  Dag& dag = reader.dag;
  const op::Type type = ref.view.type();
  if (const LogMultiple* multiple = reader.snapped.find(ref.term);
      multiple != nullptr && op::bits(type) == op::bits(node.op.type)) {
    reader.note(kConstant);
    const RealId factor = dag.rational(multiple->factor);
    const RealId log2e = dag.make(Kind::kLog2E, kNoReal);
    return dag.make(multiple->base == LogMultiple::Base::kLog2E ? Kind::kMul : Kind::kDiv, factor,
                    log2e);
  }
  return float_literal(dag, type, reader.arena.const_bits(ref.term));
}

RealId float_leaf(Reader& reader, const term::Node& node, Ref ref) {
  if (!op::is_float(node.op.type) || !same_format(node.op.type, ref.view.type())) {
    return reader.opaque(ref);  // bits of another type
  }
  return reader.dag.leaf(ref.term, node.op.type);
}

RealId float_arithmetic(Reader& reader, const term::Node& node, Ref ref) {
  const op::Type type = node.op.type;
  if (!same_format(type, ref.view.type())) return reader.opaque(ref);
  if (is_magic(reader.arena, node)) return float_magic(reader, node, ref);
  Dag& dag = reader.dag;
  const RealId a = reader.get(node.a, type);
  const RealId b = op::arity(node.op.kind) > 1 ? reader.get(node.b, type) : kNoReal;
  const RealId c = op::arity(node.op.kind) > 2 ? reader.get(node.c, type) : kNoReal;
  if (reader.pending()) return kNoReal;
  RealId value;
  switch (node.op.kind) {
    case op::Kind::kFFma:
      value = dag.make(Kind::kAdd, dag.make(Kind::kMul, a, b), c);
      break;
    case op::Kind::kFRcp:
      value = dag.make(Kind::kDiv, dag.integer(1), a);
      break;
    case op::Kind::kFRsqrt:
      value = dag.make(Kind::kDiv, dag.integer(1), dag.make(Kind::kSqrt, a));
      break;
    default:
      value = dag.make(real_kind(node.op.kind), a, b);
  }
  if (node.op.kind != op::Kind::kFNeg && node.op.kind != op::Kind::kFAbs) {
    note_rounding(reader, type);
  }
  return finish(reader, node.op, value);
}

RealId float_minmax(Reader& reader, const term::Node& node, Ref ref) {
  if (!same_format(node.op.type, ref.view.type())) return reader.opaque(ref);
  const RealId a = reader.get(node.a, node.op.type), b = reader.get(node.b, node.op.type);
  if (reader.pending()) return kNoReal;
  return finish(reader, node.op, reader.dag.make(real_kind(node.op.kind), a, b));
}

// The sign of a and the magnitude of b (PTX 9.7.3.2).
RealId float_copysign(Reader& reader, const term::Node& node, Ref ref) {
  if (!same_format(node.op.type, ref.view.type())) return reader.opaque(ref);
  const RealId negative = reader.sign(node.a, node.op.type);
  const RealId b = reader.get(node.b, node.op.type);
  if (reader.pending()) return kNoReal;
  const RealId magnitude = reader.dag.make(Kind::kAbs, b);
  return reader.dag.make(Kind::kIte, negative, reader.dag.make(Kind::kNeg, magnitude), magnitude);
}

std::optional<Kind> step(op::Rounding rounding) {
  switch (rounding) {
    case op::Rounding::kRn:
      return Kind::kRint;
    case op::Rounding::kRz:
      return Kind::kTrunc;
    case op::Rounding::kRm:
      return Kind::kFloor;
    case op::Rounding::kRp:
      return Kind::kCeil;
    default:
      return {};
  }
}

RealId float_rint(Reader& reader, const term::Node& node, Ref ref) {
  const auto kind = step(node.op.rounding);
  if (!kind || !same_format(node.op.type, ref.view.type())) return reader.opaque(ref);
  const RealId a = reader.get(node.a, node.op.type);
  if (reader.pending()) return kNoReal;
  if (reader.operand_flags() & kInexactInt) return reader.opaque(ref);
  if (reader.operand_flags() & kRounded) reader.note(kDiscontinuity);
  return finish(reader, node.op, reader.dag.make(*kind, a));
}

RealId float_convert(Reader& reader, const term::Node& node, Ref ref) {
  const op::Type to = node.op.type, from = node.op.src;
  if (!same_format(to, ref.view.type()) || !op::is_float(from)) return reader.opaque(ref);
  RealId value = reader.get(node.a, from);
  if (reader.pending()) return kNoReal;
  const op::TypeInfo &wide = op::info(from), &narrow = op::info(to);
  if (narrow.precision < wide.precision || narrow.min_exponent > wide.min_exponent) {
    reader.note(kReals | kRounded);
  }
  if (node.op.relu) value = reader.dag.make(Kind::kMax, value, reader.dag.integer(0));
  if (node.op.satfinite) {
    const mpq_class bound = max_finite(to);
    value = reader.clamp(value, -bound, bound);
  } else if (to != op::Type::kTF32 &&
             (narrow.max_exponent < wide.max_exponent ||
              (narrow.max_exponent == wide.max_exponent && narrow.precision < wide.precision))) {
    reader.note(kNoOverflow);
  }
  return node.op.sat ? reader.clamp(value, 0, 1) : value;
}

// Exact where the integer fits the significand.
RealId float_from_integer(Reader& reader, const term::Node& node, Ref ref) {
  const op::Type to = node.op.type, from = View::of(node.op.src).type();
  if (!same_format(to, ref.view.type())) return reader.opaque(ref);
  const RealId value = reader.get(node.a, from);
  if (reader.pending()) return kNoReal;
  const Bounds range = reader.bounds(node.a, from);
  const Wide exact = Wide{1} << op::info(to).precision;
  if (range.low < -exact || range.high > exact) {
    reader.note(kIntToFloat | kRounded | kInexactInt);
    if (op::info(to).max_exponent < static_cast<int>(op::bits(from))) reader.note(kNoOverflow);
  }
  return finish(reader, node.op, value);
}

// What compilers moved into the arms of the function's last select.
RealId apply_outer(Reader& reader, const Match& match, View view, RealId value) {
  term::TermId inner = match.inner;
  for (unsigned i = 0; i < match.outer_count; ++i) {
    const term::Node& node = reader.arena[match.outer[i]];
    if (node.op.kind == op::Kind::kFNeg) {
      value = reader.dag.make(Kind::kNeg, value);
    } else {
      const bool first = node.a == inner;
      const RealId other = reader.get(first ? node.b : node.a, view);
      if (reader.pending()) return kNoReal;
      const Kind kind = node.op.kind == op::Kind::kFAdd   ? Kind::kAdd
                        : node.op.kind == op::Kind::kFSub ? Kind::kSub
                                                          : Kind::kMul;
      value = reader.dag.make(kind, first ? value : other, first ? other : value);
      note_rounding(reader, node.op.type);
    }
    inner = match.outer[i];
  }
  return value;
}

// Library functions are recognised where their last operation stands, or in a fused
// multiply-add whose product is that operation.
RealId read_library(Reader& reader, const term::Node& node, Ref ref) {
  const op::Kind kind = node.op.kind;
  if (op::is_float(node.op.type) && !same_format(node.op.type, ref.view.type())) return kNoReal;
  Dag& dag = reader.dag;
  std::optional<Match> match = reader.library->match(reader.arena, ref.term);
  bool negative = false, product = false;
  if (!match && (kind == op::Kind::kFFma || kind == op::Kind::kFMul)) {
    const auto positive = [&](term::TermId factor) {
      if (reader.arena.kind(factor) != op::Kind::kFNeg) return factor;
      negative = !negative;
      return reader.arena[factor].a;
    };
    match = reader.library->match_product(reader.arena, positive(node.a), positive(node.b));
    product = kind == op::Kind::kFFma;
  }
  if (!match || (product && is_magic(reader.arena, node))) return kNoReal;
  const Template& function = *match->which;
  if (!same_format(function.type, ref.view.type())) return kNoReal;
  std::array<RealId, kMostArguments> arguments{};
  for (unsigned i = 0; i < function.arity; ++i) {
    arguments[i] = reader.get(match->arguments[i], ref.view);
  }
  const RealId addend = product ? reader.get(node.c, ref.view) : kNoReal;
  if (reader.pending()) return kNoReal;
  if (function.constant) {
    arguments[function.arity] = dag.rational(decode(function.type, match->constant).value);
  }
  RealId value = function.meaning(dag, arguments);
  value = apply_outer(reader, *match, ref.view, value);
  if (reader.pending()) return kNoReal;
  if (negative) value = dag.make(Kind::kNeg, value);
  if (product) value = dag.make(Kind::kAdd, value, addend);
  reader.note(kLibm | kReals | kRounded);
  return product || negative ? finish(reader, node.op, value) : value;
}

}  // namespace ptxequiv::real
