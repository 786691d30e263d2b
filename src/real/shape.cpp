#include "real/shape.h"

namespace ptxequiv::real {

uint8_t Shape::infinities(const Node& node) const {
  auto of = [&](uint32_t id) { return static_cast<uint8_t>(flags_[id] & (kPlus | kMinus)); };
  auto swapped = [](uint8_t f) {
    return static_cast<uint8_t>((f & kPlus ? kMinus : 0) | (f & kMinus ? kPlus : 0));
  };
  switch (node.kind) {
    case Kind::kInfinity:
      return node.a != 0 ? kMinus : kPlus;
    case Kind::kAdd:
      return of(node.a) | of(node.b);
    case Kind::kSub:
      return of(node.a) | swapped(of(node.b));
    case Kind::kNeg:
      return swapped(of(node.a));
    case Kind::kMul:
      return (of(node.a) | of(node.b)) != 0 ? kPlus | kMinus : 0;
    case Kind::kDiv:
      return of(node.a) != 0 ? kPlus | kMinus : 0;  // finite / infinite is 0
    case Kind::kMax:
      return static_cast<uint8_t>(((of(node.a) | of(node.b)) & kPlus) |
                                  (of(node.a) & of(node.b) & kMinus));
    case Kind::kMin:
      return static_cast<uint8_t>(((of(node.a) | of(node.b)) & kMinus) |
                                  (of(node.a) & of(node.b) & kPlus));
    case Kind::kAbs:
      return of(node.a) != 0 ? kPlus : 0;
    case Kind::kSqrt:
    case Kind::kExp:
    case Kind::kExp2:
    case Kind::kLog:
    case Kind::kLog2:
      return of(node.a) & kPlus;
    case Kind::kIte:
      return of(node.b) | of(node.c);
    case Kind::kRint:
    case Kind::kFloor:
    case Kind::kCeil:
    case Kind::kTrunc:
      return of(node.a);
    default:
      return 0;
  }
}

void Shape::update() {
  const size_t begin = flags_.size();
  flags_.resize(dag_.size());
  for (size_t i = begin; i < flags_.size(); ++i) {
    const Node& node = dag_[static_cast<RealId>(i)];
    uint8_t f = infinities(node);
    bool monomial = false, partial = false, meets_infinity = false;
    for (const RealId operand : dag_.operands(static_cast<RealId>(i))) {
      uint8_t& of = flags_[operand];
      of = static_cast<uint8_t>(of | ((of & kUsed) != 0 ? kUsedTwice : kUsed));
      partial = partial || (of & kPartial) != 0;
      meets_infinity = meets_infinity || (of & (kPlus | kMinus)) != 0;
    }
    switch (node.kind) {
      case Kind::kMul:
        monomial = is_monomial(node.a) && is_monomial(node.b);
        partial = partial || meets_infinity;
        break;
      case Kind::kDiv:
        monomial = is_monomial(node.a);
        partial = true;
        break;
      case Kind::kNeg:
        monomial = is_monomial(node.a);
        break;
      case Kind::kAdd:
      case Kind::kSub:
      case Kind::kSin:
      case Kind::kCos:
      case Kind::kErf:
      case Kind::kTanh:
        monomial = node.kind != Kind::kAdd && node.kind != Kind::kSub && node.kind != Kind::kTanh;
        partial = partial || meets_infinity;
        break;
      case Kind::kSqrt:
        monomial = true;
        partial = true;
        break;
      case Kind::kLog:
      case Kind::kLog2:
      case Kind::kUndefined:
        partial = true;
        break;
      case Kind::kRational:
      case Kind::kLog2E:
      case Kind::kLeaf:
      case Kind::kOpaque:
      case Kind::kExp:
      case Kind::kExp2:
        monomial = true;
        break;
      default:
        break;
    }
    if (monomial) f |= kMonomial;
    if (partial) f |= kPartial;
    flags_[i] = f;
  }
}

}  // namespace ptxequiv::real
