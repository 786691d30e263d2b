#include "smt/encode_bits.h"

#include <fmt/format.h>

#include <optional>
#include <unordered_map>

#include "op/op.h"
#include "smt/encode_float.h"

namespace ptxequiv::smt {
namespace {

using op::Kind;
using term::Node;
using term::TermId;

class Encoder {
 public:
  Encoder(z3::context& context, const term::Arena& arena) : context_(context), arena_(arena) {}

  BitsQuery run(std::span<const TermId> conjunction);

 private:
  z3::expr encode(TermId id, const Node& node);
  std::optional<z3::expr> leaf(TermId id, const Node& node);
  std::optional<z3::expr> structure(const Node& node);
  std::optional<z3::expr> arithmetic(const Node& node);
  std::optional<z3::expr> logic(const Node& node);
  std::optional<z3::expr> counting(const Node& node);
  std::optional<z3::expr> comparison(const Node& node);
  z3::expr uninterpreted(TermId id, const Node& node);

  z3::expr shift(const Node& node);
  z3::expr high_product(const Node& node);
  z3::expr divide(const Node& node);
  struct Format;
  static std::optional<Format> ieee(const op::Op& op);
  z3::expr magnitude(const Format& f, const z3::expr& e);
  z3::expr is_nan(const Format& f, const z3::expr& e);
  z3::expr operand(const Format& f, const op::Op& op, TermId id);
  z3::expr float_comparison(const Format& f, const Node& node);
  std::optional<z3::expr> sign(TermId id, const Node& node);
  std::optional<z3::expr> permute(const Node& node);

  const z3::expr& at(TermId id) const { return values_.at(id); }
  z3::expr number(uint64_t value, unsigned width) { return context_.bv_val(value, width); }
  z3::expr bit(const z3::expr& condition) {
    return z3::ite(condition, number(1, 1), number(0, 1));
  }
  z3::expr holds(TermId id) { return at(id) == number(1, 1); }
  static unsigned width(const z3::expr& e) { return e.get_sort().bv_size(); }
  // To `target` bits with zeros above, or cut.
  static z3::expr fit(const z3::expr& e, unsigned target) {
    const unsigned have = width(e);
    if (have == target) return e;
    return have < target ? z3::zext(e, target - have) : e.extract(target - 1, 0);
  }

  z3::context& context_;
  const term::Arena& arena_;
  BitsQuery query_;
  std::unordered_map<TermId, z3::expr> values_;
};

std::optional<z3::expr> Encoder::leaf(TermId id, const Node& node) {
  const unsigned bits = arena_.width(id);
  switch (node.op.kind) {
    case Kind::kConst:
      return number(arena_.const_bits(id), bits);
    case Kind::kAddress: {
      // The base is some number; offsets from one base keep their distance.
      const z3::expr base = context_.bv_const(fmt::format("base{}", node.a).c_str(), 64);
      return base + number(uint64_t{node.c} << 32 | node.b, 64);
    }
    case Kind::kInput: case Kind::kInitial: case Kind::kScalar:
    case Kind::kPoison: case Kind::kFresh: case Kind::kHole: {
      const z3::expr value = context_.bv_const(fmt::format("t{}", id).c_str(), bits);
      query_.leaves.emplace_back(id, value);
      return value;
    }
    default:
      return std::nullopt;
  }
}

std::optional<z3::expr> Encoder::structure(const Node& node) {
  const unsigned to = op::bits(node.op.type);
  switch (node.op.kind) {
    case Kind::kExtract: return at(node.a).extract(node.b + to - 1, node.b);
    case Kind::kConcat: return z3::concat(at(node.a), at(node.b));
    case Kind::kZext: return fit(at(node.a), to);
    case Kind::kSext: return z3::sext(at(node.a), to - width(at(node.a)));
    case Kind::kSelect: return z3::ite(holds(node.a), at(node.b), at(node.c));
    default: return std::nullopt;
  }
}

z3::expr Encoder::high_product(const Node& node) {
  const z3::expr &a = at(node.a), &b = at(node.b);
  const unsigned w = width(a);
  const auto extend = [&](const z3::expr& e) {
    return node.op.kind == Kind::kMulHiS ? z3::sext(e, w) : z3::zext(e, w);
  };
  return (extend(a) * extend(b)).extract(2 * w - 1, w);
}

// Division by zero gives all ones, and so does its remainder (op/evaluate.h).
z3::expr Encoder::divide(const Node& node) {
  const z3::expr &a = at(node.a), &b = at(node.b);
  const unsigned w = width(a);
  const auto value = [&] {
    switch (node.op.kind) {
      case Kind::kDivU: return z3::udiv(a, b);
      case Kind::kDivS: return a / b;   // signed in z3++
      case Kind::kRemU: return z3::urem(a, b);
      default: return z3::srem(a, b);
    }
  };
  return z3::ite(b == number(0, w), ~number(0, w), value());
}

// The count has 32 bits and is unsigned whatever the width is; too large a count shifts all out.
z3::expr Encoder::shift(const Node& node) {
  const z3::expr& a = at(node.a);
  const z3::expr& count = at(node.b);
  const unsigned w = width(a);
  const z3::expr by = fit(count, w);
  const z3::expr too_far = z3::uge(count, number(w, width(count)));
  switch (node.op.kind) {
    case Kind::kShl: return z3::ite(too_far, number(0, w), z3::shl(a, by));
    case Kind::kShrU: return z3::ite(too_far, number(0, w), z3::lshr(a, by));
    default: return z3::ite(too_far, z3::ashr(a, number(w - 1, w)), z3::ashr(a, by));
  }
}

std::optional<z3::expr> Encoder::arithmetic(const Node& node) {
  switch (node.op.kind) {
    case Kind::kAdd: return at(node.a) + at(node.b);
    case Kind::kSub: return at(node.a) - at(node.b);
    case Kind::kMul: return at(node.a) * at(node.b);
    case Kind::kMulHiU: case Kind::kMulHiS: return high_product(node);
    case Kind::kDivU: case Kind::kDivS: case Kind::kRemU: case Kind::kRemS: return divide(node);
    case Kind::kMinU: return z3::ite(z3::ult(at(node.a), at(node.b)), at(node.a), at(node.b));
    case Kind::kMinS: return z3::ite(z3::slt(at(node.a), at(node.b)), at(node.a), at(node.b));
    case Kind::kMaxU: return z3::ite(z3::ult(at(node.a), at(node.b)), at(node.b), at(node.a));
    case Kind::kMaxS: return z3::ite(z3::slt(at(node.a), at(node.b)), at(node.b), at(node.a));
    case Kind::kAbsS:
      return z3::ite(z3::slt(at(node.a), number(0, width(at(node.a)))), -at(node.a), at(node.a));
    case Kind::kShl: case Kind::kShrU: case Kind::kShrS: return shift(node);
    default: return std::nullopt;
  }
}

std::optional<z3::expr> Encoder::logic(const Node& node) {
  switch (node.op.kind) {
    case Kind::kAnd: return at(node.a) & at(node.b);
    case Kind::kOr: return at(node.a) | at(node.b);
    case Kind::kXor: return at(node.a) ^ at(node.b);
    case Kind::kNot: return ~at(node.a);
    default: return std::nullopt;
  }
}

// prmt in default mode with a constant selector (PTX 9.7.9.7): each nibble picks one of eight
// bytes; its top bit asks for eight copies of that byte's sign.
std::optional<z3::expr> Encoder::permute(const Node& node) {
  if (!arena_.is_const(node.c)) return std::nullopt;
  const z3::expr pair = z3::concat(at(node.b), at(node.a));
  const uint64_t selector = arena_.const_bits(node.c);
  const auto byte = [&](unsigned position) {
    const unsigned nibble = static_cast<unsigned>(selector >> (4 * position)) & 15u;
    const unsigned low = 8 * (nibble & 7u);
    if ((nibble & 8u) == 0) return pair.extract(low + 7, low);
    return pair.extract(low + 7, low + 7).repeat(8);
  };
  return z3::concat(z3::concat(byte(3), byte(2)), z3::concat(byte(1), byte(0)));
}

std::optional<z3::expr> Encoder::counting(const Node& node) {
  switch (node.op.kind) {
    case Kind::kPopc: {
      const z3::expr& a = at(node.a);
      z3::expr sum = number(0, 32);
      for (unsigned i = 0; i < width(a); ++i) sum = sum + fit(a.extract(i, i), 32);
      return sum;
    }
    case Kind::kClz: {
      const z3::expr& a = at(node.a);
      const unsigned w = width(a);
      z3::expr count = number(w, 32);
      for (unsigned i = 0; i < w; ++i) {   // the highest set bit is looked at last, and wins
        count = z3::ite(a.extract(i, i) == number(1, 1), number(w - 1 - i, 32), count);
      }
      return count;
    }
    case Kind::kBrev: {
      const z3::expr& a = at(node.a);
      z3::expr reversed = a.extract(0, 0);
      for (unsigned i = 1; i < width(a); ++i) reversed = z3::concat(reversed, a.extract(i, i));
      return reversed;
    }
    case Kind::kPrmt: return permute(node);
    default: return std::nullopt;   // bfind and bfe: rare, left uninterpreted
  }
}

struct Encoder::Format {
  unsigned width, fraction;

  uint64_t sign() const { return uint64_t{1} << (width - 1); }
  uint64_t infinity() const { return op::mask(width - 1) & ~op::mask(fraction); }
};

// The formats whose operands are IEEE's, of which .ftz flushes single precision alone.
std::optional<Encoder::Format> Encoder::ieee(const op::Op& op) {
  const op::Type t = op.type;
  if (t != op::Type::kF16 && t != op::Type::kBF16 && t != op::Type::kF32 && t != op::Type::kF64) {
    return std::nullopt;
  }
  const op::TypeInfo& type = op::info(t);
  return Format{type.bits, type.precision - 1u};
}

z3::expr Encoder::magnitude(const Format& f, const z3::expr& e) {
  return e & number(f.sign() - 1, f.width);
}

z3::expr Encoder::is_nan(const Format& f, const z3::expr& e) {
  return z3::ugt(magnitude(f, e), number(f.infinity(), f.width));
}

// Under .ftz a subnormal operand is the zero of its sign (PTX 9.7.3).
z3::expr Encoder::operand(const Format& f, const op::Op& op, TermId id) {
  const z3::expr& e = at(id);
  if (!op.ftz) return e;
  const z3::expr least = number(uint64_t{1} << f.fraction, f.width);
  return z3::ite(z3::ult(magnitude(f, e), least), e & number(f.sign(), f.width), e);
}

// IEEE order on bits: a signed key from sign and magnitude, with NaN apart (and -0 = 0).
z3::expr Encoder::float_comparison(const Format& f, const Node& node) {
  const auto key = [&](const z3::expr& e) {
    const z3::expr size = magnitude(f, e);
    return z3::ite(e.extract(f.width - 1, f.width - 1) == number(1, 1), -size, size);
  };
  const z3::expr a = operand(f, node.op, node.a), b = operand(f, node.op, node.b);
  const z3::expr unordered = is_nan(f, a) || is_nan(f, b);
  switch (node.op.kind) {
    case Kind::kFEq: return bit(!unordered && key(a) == key(b));
    case Kind::kFLt: return bit(!unordered && z3::slt(key(a), key(b)));
    case Kind::kFLe: return bit(!unordered && z3::sle(key(a), key(b)));
    default: return bit(unordered);
  }
}

// Signs of floats. Of a NaN the result is some NaN (9.7.3.13, 9.7.3.14), of which no more is said.
std::optional<z3::expr> Encoder::sign(TermId id, const Node& node) {
  if (node.op.kind != Kind::kFAbs && node.op.kind != Kind::kFNeg) return std::nullopt;
  const std::optional<Format> f = ieee(node.op);
  if (!f || node.op.sat || node.op.relu) return std::nullopt;
  const z3::expr a = operand(*f, node.op, node.a);
  const z3::expr some_nan = uninterpreted(id, node);
  query_.assertions.push_back(z3::implies(is_nan(*f, a), is_nan(*f, some_nan)));
  const z3::expr flipped = a ^ number(f->sign(), f->width);
  return z3::ite(is_nan(*f, a), some_nan,
                 node.op.kind == Kind::kFAbs ? magnitude(*f, a) : flipped);
}

std::optional<z3::expr> Encoder::comparison(const Node& node) {
  switch (node.op.kind) {
    case Kind::kEq: return bit(at(node.a) == at(node.b));
    case Kind::kLtU: return bit(z3::ult(at(node.a), at(node.b)));
    case Kind::kLtS: return bit(z3::slt(at(node.a), at(node.b)));
    case Kind::kFEq: case Kind::kFLt: case Kind::kFLe: case Kind::kFUnordered: {
      const std::optional<Format> f = ieee(node.op);
      if (!f) return std::nullopt;
      return float_comparison(*f, node);
    }
    default: return std::nullopt;
  }
}

z3::expr Encoder::uninterpreted(TermId id, const Node& node) {
  z3::sort_vector domain(context_);
  z3::expr_vector arguments(context_);
  std::string name = fmt::format("{}_{:08x}", op::info(node.op.kind).name, node.op.packed());
  for (TermId operand : arena_.operands(id)) {
    domain.push_back(at(operand).get_sort());
    arguments.push_back(at(operand));
    name += fmt::format("_{}", width(at(operand)));
  }
  return context_.function(name.c_str(), domain, context_.bv_sort(arena_.width(id)))(arguments);
}

z3::expr Encoder::encode(TermId id, const Node& node) {
  if (auto value = leaf(id, node)) return *value;
  if (auto value = structure(node)) return *value;
  if (auto value = arithmetic(node)) return *value;
  if (auto value = logic(node)) return *value;
  if (auto value = counting(node)) return *value;
  if (auto value = comparison(node)) return *value;
  if (auto value = sign(id, node)) return *value;
  const z3::expr opaque = uninterpreted(id, node);
  const bool is_float = op::info(node.op.kind).is_float && op::arity(node.op.kind) <= 2;
  if (!is_float) return opaque;
  const auto second = op::arity(node.op.kind) == 2 ? std::optional(at(node.b)) : std::nullopt;
  return encode_float(context_, node.op, at(node.a), second, opaque).value_or(opaque);
}

BitsQuery Encoder::run(std::span<const TermId> conjunction) {
  for (TermId id : term::cone(arena_, conjunction)) values_.emplace(id, encode(id, arena_[id]));
  for (TermId root : conjunction) query_.assertions.push_back(holds(root));
  return std::move(query_);
}

}  // namespace

BitsQuery encode_bits(z3::context& context, const term::Arena& arena,
                      std::span<const TermId> conjunction) {
  return Encoder(context, arena).run(conjunction);
}

}  // namespace ptxequiv::smt
