#include "real/order_plan.h"

#include <algorithm>
#include <array>

namespace ptxequiv::real {
namespace {

using op::Kind;
using op::Type;
using term::TermId;

constexpr size_t kMaxTerms = 100000, kMaxAtoms = 4096;

Type whole_type(unsigned width, bool is_signed) {
  static constexpr std::array kSigned = {Type::kS8, Type::kS16, Type::kS32, Type::kS64};
  static constexpr std::array kUnsigned = {Type::kU8, Type::kU16, Type::kU32, Type::kU64};
  for (size_t i = 0; i < kSigned.size(); ++i) {
    if (op::bits(kSigned[i]) == width) return (is_signed ? kSigned : kUnsigned)[i];
  }
  return Type::kNone;
}

bool is_float_comparison(Kind kind) {
  return kind >= Kind::kFEq && kind <= Kind::kFUnordered;
}
bool is_integer_comparison(Kind kind) {
  return kind == Kind::kEq || kind == Kind::kLtU || kind == Kind::kLtS;
}
bool is_integer_extremum(Kind kind) {
  return kind >= Kind::kMinU && kind <= Kind::kMaxS;
}

// Operations whose bits are computed bit by bit from their operands'.
bool is_bitwise(Kind kind) {
  switch (kind) {
    case Kind::kExtract:
    case Kind::kConcat:
    case Kind::kZext:
    case Kind::kSext:
    case Kind::kSelect:
    case Kind::kAdd:
    case Kind::kSub:
    case Kind::kAnd:
    case Kind::kOr:
    case Kind::kXor:
    case Kind::kNot:
    case Kind::kShl:
    case Kind::kShrU:
    case Kind::kShrS:
    case Kind::kPopc:
    case Kind::kClz:
    case Kind::kBrev:
    case Kind::kBfindU:
    case Kind::kMinU:
    case Kind::kMinS:
    case Kind::kMaxU:
    case Kind::kMaxS:
      return true;
    default:
      return false;
  }
}

class Planner {
 public:
  Planner(const term::Arena& arena, OrderPlan& plan,
          const std::function<uint32_t(TermId, Type)>& meaning)
      : arena_(arena), plan_(plan), meaning_(meaning) {}

  bool run(TermId a, TermId b, Type type);

 private:
  void want_bits(TermId id) { plan_.at(id).bits = true; }
  void want_value(TermId id, Type type) {
    OrderPlan::Wanted& w = plan_.at(id);
    if (w.type != Type::kNone && w.type != type) w.contradictory = true;
    w.type = type;
  }
  void pass_on(TermId id);
  void pass_on_bits(TermId id);
  void compare(const term::Node& node);
  bool number_atoms();
  void choose_pivots();

  const term::Arena& arena_;
  OrderPlan& plan_;
  const std::function<uint32_t(TermId, Type)>& meaning_;
  bool prefers_unsigned_ = false;
  std::vector<std::pair<TermId, TermId>> compared_;
};

void Planner::compare(const term::Node& node) {
  const Type type = compared_type(node, prefers_unsigned_);
  want_value(node.a, type);
  want_value(node.b, type);
  compared_.emplace_back(node.a, node.b);
}

void Planner::pass_on_bits(TermId id) {
  const term::Node& node = arena_[id];
  const Kind kind = node.op.kind;
  if (kind == Kind::kFUnordered) return;  // false of defined values
  if (is_float_comparison(kind)) return compare(node);
  const auto data = [&](TermId x) { return bool(plan_.is_data[plan_.place.at(x)]); };
  if (is_integer_comparison(kind)) {
    if (arena_.width(node.a) > 1 && (data(node.a) || data(node.b))) return compare(node);
    want_bits(node.a);
    want_bits(node.b);
    return;
  }
  if (!is_bitwise(kind) || (is_integer_extremum(kind) && plan_.is_data[plan_.place.at(id)])) return;
  for (const TermId operand : arena_.operands(id)) want_bits(operand);
}

void Planner::pass_on(TermId id) {
  const OrderPlan::Wanted w = plan_.at(id);
  if (w.bits) pass_on_bits(id);
  if (w.type == Type::kNone || w.contradictory) return;
  const term::Node& node = arena_[id];
  const unsigned chosen = chosen_operands(node, w.type);
  const auto operands = arena_.operands(id);
  for (size_t i = 0; i < operands.size(); ++i) {
    if ((chosen >> i & 1) != 0) {
      want_value(operands[i], node.op.kind == Kind::kFCvt ? node.op.src : w.type);
    } else if (chosen != 0) {
      want_bits(operands[i]);
    }
  }
}

bool Planner::number_atoms() {
  struct Found {
    bool is_input;
    uint32_t buffer;
    uint64_t element;
    TermId id;
    auto operator<=>(const Found&) const = default;
  };
  std::vector<Found> found;
  for (size_t i = 0; i < plan_.ids.size(); ++i) {
    const OrderPlan::Wanted& w = plan_.wanted[i];
    const TermId id = plan_.ids[i];
    const term::Node& node = arena_[id];
    if (w.type == Type::kNone) continue;
    ++plan_.lines[line_of(w.type)];
    if (w.contradictory || chosen_operands(node, w.type) != 0) continue;
    if (arena_.is_const(id)) {
      const auto bound = bound_of(arena_, id, w.type);
      if (!bound) return false;
      plan_.constants.push_back(*bound);
      continue;
    }
    const bool input = node.op.kind == Kind::kInput;
    found.push_back({!input, input ? node.a : 0, input ? node.element() : id, id});
  }
  std::sort(plan_.constants.begin(), plan_.constants.end());
  plan_.constants.erase(std::unique(plan_.constants.begin(), plan_.constants.end()),
                        plan_.constants.end());
  // Inputs in their own order, so that reductions have small diagrams whatever the order of loads.
  std::sort(found.begin(), found.end());
  std::map<std::pair<Type, uint32_t>, uint32_t> known;
  for (const Found& f : found) {
    OrderPlan::Wanted& w = plan_.at(f.id);
    const auto [at, fresh] = known.try_emplace({line_of(w.type), meaning_(f.id, w.type)},
                                               static_cast<uint32_t>(plan_.atoms.size() + 1));
    if (fresh) plan_.atoms.push_back({w.type, f.id});
    w.atom = at->second;
    if (plan_.atoms.size() > kMaxAtoms) return false;
  }
  return !plan_.atoms.empty();
}

void Planner::choose_pivots() {
  std::map<Bound, size_t> constants;
  std::map<uint32_t, size_t> atoms;
  for (const auto& [a, b] : compared_) {
    for (const TermId id : {a, b}) {
      const OrderPlan::Wanted& w = plan_.at(id);
      if (w.atom != 0) {
        ++atoms[w.atom - 1];
      } else if (arena_.is_const(id)) {
        const auto bound = bound_of(arena_, id, w.type);
        if (bound && bound->kind == Bound::Kind::kFinite) ++constants[*bound];
      }
    }
  }
  std::vector<std::pair<size_t, OrderPlan::Pivot>> all;
  for (const auto& [bound, count] : constants) all.push_back({count, {false, bound, 0}});
  for (const auto& [atom, count] : atoms) {
    if (count > 1) all.push_back({count, {true, {}, atom}});
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  for (auto& [count, pivot] : all) plan_.pivots.push_back(pivot);
}

bool Planner::run(TermId a, TermId b, Type type) {
  const TermId roots[] = {a, b};
  plan_.ids = term::cone(arena_, roots);
  if (plan_.ids.size() > kMaxTerms) return false;
  plan_.wanted.resize(plan_.ids.size());
  plan_.is_data.resize(plan_.ids.size());
  for (uint32_t i = 0; i < plan_.ids.size(); ++i) {
    const TermId id = plan_.ids[i];
    plan_.place[id] = i;
    const Kind kind = arena_.kind(id);
    const auto operands = arena_.operands(id);
    bool data = !arena_.is_const(id) && arena_.width(id) > 1 && !is_bitwise(kind);
    for (size_t k = kind == Kind::kSelect ? 1 : 0; k < operands.size(); ++k) {
      data = data || (arena_.width(id) > 1 && kind != Kind::kPopc &&
                      plan_.is_data[plan_.place.at(operands[k])]);
    }
    plan_.is_data[i] = data;
    prefers_unsigned_ =
        prefers_unsigned_ || ((kind == Kind::kLtU || kind == Kind::kMinU || kind == Kind::kMaxU) &&
                              plan_.is_data[plan_.place.at(operands[0])]);
  }
  const bool as_value = op::is_float(type) ||
                        (arena_.width(a) > 1 &&
                         (plan_.is_data[plan_.place.at(a)] || plan_.is_data[plan_.place.at(b)]));
  for (const TermId root : roots) {
    if (as_value) {
      want_value(root,
                 op::is_float(type) ? type : whole_type(arena_.width(root), !prefers_unsigned_));
    } else {
      want_bits(root);
    }
  }
  for (size_t i = plan_.ids.size(); i-- > 0;) pass_on(plan_.ids[i]);
  if (!number_atoms()) return false;
  if (!as_value) choose_pivots();
  return true;
}

}  // namespace

Type line_of(Type type) {
  return op::is_float(type) ? Type::kF64 : type;
}

std::optional<Bound> bound_of(const term::Arena& arena, TermId id, Type type) {
  Bound out;
  const uint64_t bits = arena.const_bits(id);
  if (op::is_float(type)) {
    const FloatValue v = decode(type, bits);
    if (v.kind == FloatValue::Class::kNan) return std::nullopt;
    if (v.kind == FloatValue::Class::kInfinity) {
      out.kind = v.negative ? Bound::Kind::kLow : Bound::Kind::kHigh;
    } else {
      out.value = v.value;
    }
    return out;
  }
  const unsigned width = arena.width(id);
  mpz_class value;
  mpz_import(value.get_mpz_t(), 1, 1, sizeof bits, 0, 0, &bits);
  if (op::is_signed(type) && (bits >> (width - 1) & 1) != 0) value -= mpz_class(1) << width;
  out.value = value;
  return out;
}

Type compared_type(const term::Node& node, bool prefers_unsigned) {
  switch (node.op.kind) {
    case Kind::kLtS:
    case Kind::kMinS:
    case Kind::kMaxS:
      return whole_type(op::bits(node.op.type), true);
    case Kind::kLtU:
    case Kind::kMinU:
    case Kind::kMaxU:
      return whole_type(op::bits(node.op.type), false);
    case Kind::kEq:
      return whole_type(op::bits(node.op.type), !prefers_unsigned);
    default:
      return node.op.type;
  }
}

unsigned chosen_operands(const term::Node& node, Type type) {
  switch (node.op.kind) {
    case Kind::kSelect:
      return 6;
    case Kind::kFMin:
    case Kind::kFMax:
      return node.op.type == type && !node.op.sat && !node.op.relu ? 3 : 0;
    case Kind::kMinU:
    case Kind::kMinS:
    case Kind::kMaxU:
    case Kind::kMaxS:
      return compared_type(node, false) == type ? 3 : 0;
    case Kind::kFCvt:
      // Rounding is the identity.
      return node.op.type == type && op::is_float(node.op.src) && !node.op.sat && !node.op.relu &&
                     !node.op.satfinite
                 ? 1
                 : 0;
    default:
      return 0;
  }
}

std::optional<OrderPlan> plan_order(const term::Arena& arena, TermId a, TermId b, Type type,
                                    const std::function<uint32_t(TermId, Type)>& meaning) {
  OrderPlan plan;
  if (!Planner(arena, plan, meaning).run(a, b, type)) return std::nullopt;
  return plan;
}

}  // namespace ptxequiv::real
