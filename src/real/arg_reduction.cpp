#include "real/arg_reduction.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <set>
#include <unordered_map>

#include "real/constants.h"

namespace ptxequiv::real {
namespace {

using term::kNoTerm;
using term::TermId;
using Sense = ArgReduction::Sense;

constexpr size_t kMaxPairs = 1 << 17;
constexpr size_t kMaxAtoms = 64;

enum class Order : uint8_t { kLess, kEqual, kGreater };

// Least and greatest constant that a tree of choices can give.
struct Span {
  uint64_t low, high;
};

// One combination: index `chosen` of value `with` where the condition holds, else the other.
struct Combiner {
  TermId condition;
  TermId chosen, other;  // indices
  TermId with, without;  // their values
};

// The operands of an order comparison, and the type it compares.
struct Compared {
  TermId a, b;
  op::Type type;
};

op::Type whole_type(unsigned width, bool is_signed) {
  static constexpr std::array kSigned = {op::Type::kS8, op::Type::kS16, op::Type::kS32,
                                         op::Type::kS64};
  static constexpr std::array kUnsigned = {op::Type::kU8, op::Type::kU16, op::Type::kU32,
                                           op::Type::kU64};
  for (size_t i = 0; i < kSigned.size(); ++i) {
    if (op::bits(kSigned[i]) == width) return (is_signed ? kSigned : kUnsigned)[i];
  }
  return op::Type::kNone;
}

class Parser {
 public:
  Parser(Reading& reading, Sense sense) : reading_(reading), arena_(reading.arena()) {
    out_.sense = sense;
  }

  std::optional<ArgReduction> choices(TermId root);
  std::optional<ArgReduction> where(TermId root);

 private:
  std::optional<Span> span(TermId index);
  // index = inner + by, if span() finds that nothing carries.
  struct Offset {
    TermId inner;
    uint64_t by;
  };
  std::optional<Offset> offset(TermId index) const;
  std::vector<Compared> compared(TermId condition) const;
  template <typename Push>
  bool combine(TermId value, const term::Node& choice, Push push);
  std::optional<bool> atom(const term::Node& node, const Combiner& c, Order values,
                           std::optional<Order> indices) const;
  std::optional<bool> evaluate(const Combiner& c, Order values, std::optional<Order> indices,
                               const std::map<TermId, bool>& known) const;
  bool check(const Combiner& c);
  bool check_case(const Combiner& c, const std::map<TermId, bool>& known, Span chosen, Span other);
  // `value` is the better of p and q.
  bool is_better(TermId value, TermId p, TermId q) const;
  bool set_type(op::Type type) {
    if (out_.type == op::Type::kNone) out_.type = type;
    return out_.type == type;
  }
  bool is_finite(TermId value);
  bool is_far(TermId value) const;
  std::optional<ArgReduction> finish();
  // The other operand, without extensions that keep the number.
  TermId plain(TermId index) const;

  Reading& reading_;
  const term::Arena& arena_;
  ArgReduction out_;
  std::unordered_map<TermId, Span> spans_;
};

TermId Parser::plain(TermId index) const {
  while (arena_.kind(index) == op::Kind::kZext || arena_.kind(index) == op::Kind::kSext) {
    index = arena_[index].a;
  }
  return index;
}

std::optional<Parser::Offset> Parser::offset(TermId index) const {
  const term::Node& node = arena_[index];
  if (node.op.kind != op::Kind::kAdd && node.op.kind != op::Kind::kOr) return {};
  for (const auto& [x, k] : {std::pair{node.a, node.b}, std::pair{node.b, node.a}}) {
    if (arena_.is_const(k)) return Offset{plain(x), arena_.const_bits(k)};
  }
  return {};
}

std::optional<Span> Parser::span(TermId root) {
  std::vector<TermId> open{plain(root)};
  while (!open.empty()) {
    const TermId id = open.back();
    if (spans_.contains(id)) {
      open.pop_back();
      continue;
    }
    const term::Node& node = arena_[id];
    if (arena_.is_const(id)) {
      // Numbers whose sign bit is clear are the same extended either way, and in either order.
      if (arena_.const_bits(id) >> (arena_.width(id) - 1) != 0) return {};
      spans_[id] = {arena_.const_bits(id), arena_.const_bits(id)};
      open.pop_back();
      continue;
    }
    if (const auto moved = offset(id)) {
      const auto inner = spans_.find(moved->inner);
      if (inner == spans_.end()) {
        open.push_back(moved->inner);
        continue;
      }
      const uint64_t limit = op::mask(arena_.width(id) - 1);
      const Span x = inner->second;
      const bool disjoint =
          (moved->by & op::mask(static_cast<unsigned>(std::bit_width(x.high | 1)))) == 0;
      if ((node.op.kind == op::Kind::kOr && !disjoint) || moved->by > limit - x.high) return {};
      spans_[id] = {x.low + moved->by, x.high + moved->by};
      open.pop_back();
      continue;
    }
    if (node.op.kind != op::Kind::kSelect || spans_.size() > kMaxPairs) return {};
    const TermId a = plain(node.b), b = plain(node.c);
    const bool ready = spans_.contains(a) && spans_.contains(b);
    if (ready) {
      const Span x = spans_.at(a), y = spans_.at(b);
      spans_[id] = {std::min(x.low, y.low), std::max(x.high, y.high)};
      open.pop_back();
    } else {
      if (!spans_.contains(a)) open.push_back(a);
      if (!spans_.contains(b)) open.push_back(b);
    }
  }
  return spans_.at(plain(root));
}

bool is_logic(const term::Arena& arena, TermId id) {
  const term::Node& node = arena[id];
  if (arena.width(id) != 1) return false;
  switch (node.op.kind) {
    case op::Kind::kAnd:
    case op::Kind::kOr:
    case op::Kind::kXor:
    case op::Kind::kNot:
    case op::Kind::kSelect:
      return true;
    default:
      return false;
  }
}

std::vector<Compared> Parser::compared(TermId condition) const {
  std::vector<Compared> out;
  std::vector<TermId> open{condition};
  for (size_t seen = 0; !open.empty() && seen < kMaxAtoms; ++seen) {
    const TermId id = open.back();
    open.pop_back();
    const term::Node& node = arena_[id];
    if (is_logic(arena_, id)) {
      for (const TermId operand : arena_.operands(id)) open.push_back(operand);
      continue;
    }
    op::Type type = op::Type::kNone;
    if (node.op.kind == op::Kind::kFLt || node.op.kind == op::Kind::kFLe) type = node.op.type;
    if (node.op.kind == op::Kind::kLtS || node.op.kind == op::Kind::kLtU) {
      type = whole_type(op::bits(node.op.type), node.op.kind == op::Kind::kLtS);
    }
    if (type == op::Type::kNone || node.a == node.b) continue;
    if (out_.type == op::Type::kNone || out_.type == type) out.push_back({node.a, node.b, type});
  }
  return out;
}

std::optional<bool> holds(op::Kind kind, Order order) {
  switch (kind) {
    case op::Kind::kFLt:
    case op::Kind::kLtS:
    case op::Kind::kLtU:
      return order == Order::kLess;
    case op::Kind::kFLe:
      return order != Order::kGreater;
    case op::Kind::kFEq:
    case op::Kind::kEq:
      return order == Order::kEqual;
    default:
      return {};
  }
}

Order turned(Order order) {
  return order == Order::kLess ? Order::kGreater : order == Order::kGreater ? Order::kLess : order;
}

// `values` is the order of c.with against c.without, `indices` that of c.chosen against c.other.
std::optional<bool> Parser::atom(const term::Node& node, const Combiner& c, Order values,
                                 std::optional<Order> indices) const {
  const bool is_float = node.op.kind >= op::Kind::kFEq && node.op.kind <= op::Kind::kFUnordered;
  const auto is_value = [&](TermId id) { return id == c.with || id == c.without; };
  if (node.op.kind == op::Kind::kFUnordered) {
    // Of defined values neither is a NaN.
    if (!is_value(node.a) || !is_value(node.b) || node.op.type != out_.type) return {};
    return false;
  }
  if (is_value(node.a) && is_value(node.b)) {
    const bool right_type = is_float ? node.op.type == out_.type
                            : node.op.kind == op::Kind::kEq
                                ? !op::is_float(out_.type)
                                : op::is_signed(out_.type) == (node.op.kind == op::Kind::kLtS) &&
                                      !op::is_float(out_.type);
    if (!right_type) return {};
    if (node.a == node.b) return holds(node.op.kind, Order::kEqual);
    return holds(node.op.kind, node.a == c.with ? values : turned(values));
  }
  if (is_float || !indices) return {};
  const TermId x = plain(node.a), y = plain(node.b);
  const TermId i = plain(c.chosen), j = plain(c.other);
  if (x == i && y == j) return holds(node.op.kind, *indices);
  if (x == j && y == i) return holds(node.op.kind, turned(*indices));
  return {};
}

std::optional<bool> Parser::evaluate(const Combiner& c, Order values, std::optional<Order> indices,
                                     const std::map<TermId, bool>& known) const {
  std::map<TermId, std::optional<bool>> at;
  std::vector<TermId> open{c.condition};
  while (!open.empty()) {
    const TermId id = open.back();
    if (at.contains(id)) {
      open.pop_back();
      continue;
    }
    if (at.size() > kMaxAtoms) return {};
    const term::Node& node = arena_[id];
    if (const auto found = known.find(id); found != known.end()) {
      at[id] = found->second;
    } else if (arena_.is_const(id)) {
      at[id] = arena_.const_bits(id) != 0;
    } else if (is_logic(arena_, id)) {
      bool ready = true;
      for (const TermId operand : arena_.operands(id)) {
        if (at.contains(operand)) continue;
        open.push_back(operand);
        ready = false;
      }
      if (!ready) continue;
      const auto a = at[node.a];
      if (node.op.kind == op::Kind::kNot) {
        at[id] = a ? std::optional(!*a) : std::nullopt;
      } else if (node.op.kind == op::Kind::kSelect) {
        at[id] = a ? at[*a ? node.b : node.c] : std::nullopt;
      } else {
        const auto b = at[node.b];
        const bool decisive = node.op.kind == op::Kind::kOr;
        if (node.op.kind == op::Kind::kXor) {
          at[id] = a && b ? std::optional(*a != *b) : std::nullopt;
        } else if ((a && *a == decisive) || (b && *b == decisive)) {
          at[id] = decisive;
        } else {
          at[id] = a && b ? std::optional(!decisive) : std::nullopt;
        }
      }
    } else {
      at[id] = atom(node, c, values, indices);
    }
    open.pop_back();
  }
  return at[c.condition];
}

// In each order of values and of indices the condition picks the better value, and of equal ones
// always the lesser or always the greater index.
bool Parser::check_case(const Combiner& c, const std::map<TermId, bool>& known, Span chosen,
                        Span other) {
  bool first = false, last = false;
  for (const Order indices : {Order::kLess, Order::kEqual, Order::kGreater}) {
    const bool possible = indices == Order::kLess ? chosen.low < other.high
                          : indices == Order::kEqual
                              ? chosen.low <= other.high && other.low <= chosen.high
                              : chosen.high > other.low;
    if (!possible) continue;
    for (const Order values : {Order::kLess, Order::kEqual, Order::kGreater}) {
      const auto picked = evaluate(c, values, indices, known);
      if (!picked) return false;
      if (values == Order::kEqual) {
        if (indices == Order::kEqual) continue;
        ((indices == Order::kLess) == *picked ? first : last) = true;
        continue;
      }
      const bool better = (values == Order::kGreater) == (out_.sense == Sense::kGreatest);
      if (*picked != better) return false;
    }
  }
  if (first) out_.last = false;
  if (last) out_.first = false;
  return out_.first || out_.last;
}

// Where an index is a choice between two constants, comparisons with it may have become that
// choice's condition: both of its cases are looked at.
bool Parser::check(const Combiner& c) {
  const auto chosen = span(c.chosen), other = span(c.other);
  if (!chosen || !other) return false;
  std::vector<std::pair<std::map<TermId, bool>, std::array<Span, 2>>> cases{
      {{}, {*chosen, *other}}};
  const TermId indices[] = {plain(c.chosen), plain(c.other)};
  for (unsigned i = 0; i < 2; ++i) {
    const term::Node& node = arena_[indices[i]];
    const bool constants = node.op.kind == op::Kind::kSelect && arena_.is_const(plain(node.b)) &&
                           arena_.is_const(plain(node.c));
    if (!constants) continue;
    decltype(cases) split;
    for (const auto& [known, spans] : cases) {
      for (const bool truth : {true, false}) {
        auto more = known;
        if (!more.emplace(node.a, truth).second && more.at(node.a) != truth) continue;
        auto narrowed = spans;
        narrowed[i] = *span(truth ? node.b : node.c);
        split.emplace_back(std::move(more), narrowed);
      }
    }
    cases = std::move(split);
  }
  return std::all_of(cases.begin(), cases.end(), [&](const auto& one) {
    return check_case(c, one.first, one.second[0], one.second[1]);
  });
}

bool Parser::is_better(TermId value, TermId p, TermId q) const {
  const term::Node& node = arena_[value];
  const op::Kind extremum = out_.sense == Sense::kGreatest ? op::Kind::kFMax : op::Kind::kFMin;
  if (node.op.kind == extremum) {
    const bool plain = !node.op.sat && !node.op.relu && node.op.type == out_.type;
    return plain && ((node.a == p && node.b == q) || (node.a == q && node.b == p));
  }
  if (node.op.kind != op::Kind::kSelect) return false;
  if (!((node.b == p && node.c == q) || (node.b == q && node.c == p))) return false;
  const Combiner c{node.a, kNoTerm, kNoTerm, node.b, node.c};
  for (const Order order : {Order::kLess, Order::kGreater}) {
    const auto picked = evaluate(c, order, std::nullopt, {});
    const bool better = (order == Order::kGreater) == (out_.sense == Sense::kGreatest);
    if (!picked || *picked != better) return false;
  }
  return true;
}

// Which of the values that a choice's condition compares belongs to which of its indices.
template <typename Push>
bool Parser::combine(TermId value, const term::Node& choice, Push push) {
  const ArgReduction before = {out_.sense, out_.type, out_.first, out_.last, {}};
  for (const Compared& pair : compared(choice.a)) {
    for (const auto& [with, without] : {std::pair{pair.a, pair.b}, std::pair{pair.b, pair.a}}) {
      out_.type = pair.type;
      if (check({choice.a, choice.b, choice.c, with, without}) &&
          (value == kNoTerm || is_better(value, with, without))) {
        push(with, choice.b);
        push(without, choice.c);
        return true;
      }
      out_.type = before.type;
      out_.first = before.first;
      out_.last = before.last;
    }
  }
  return false;
}

std::optional<ArgReduction> Parser::choices(TermId root) {
  struct Pair {
    TermId value, index;
    uint64_t offset;  // what is added to the index on the way up
    auto operator<=>(const Pair&) const = default;
  };
  std::vector<Pair> open{{kNoTerm, plain(root), 0}};
  std::set<Pair> seen;
  while (!open.empty()) {
    const Pair pair = open.back();
    open.pop_back();
    if (!seen.insert(pair).second) continue;
    if (seen.size() > kMaxPairs || !span(pair.index)) return {};
    if (arena_.is_const(pair.index)) {
      if (pair.value == kNoTerm) return {};
      out_.entries.push_back({arena_.const_bits(pair.index) + pair.offset, pair.value});
      continue;
    }
    if (const auto moved = offset(pair.index)) {
      open.push_back({pair.value, moved->inner, pair.offset + moved->by});
      continue;
    }
    const term::Node& node = arena_[pair.index];
    if (node.op.kind != op::Kind::kSelect) return {};
    if (!combine(pair.value, node, [&](TermId value, TermId index) {
          open.push_back({value, plain(index), pair.offset});
        })) {
      return {};
    }
  }
  return finish();
}

bool Parser::is_far(TermId value) const {
  if (!arena_.is_const(value) || !op::is_float(out_.type)) return false;
  const FloatValue v = decode(out_.type, arena_.const_bits(value));
  return v.kind == FloatValue::Class::kInfinity && v.negative == (out_.sense == Sense::kGreatest);
}

// Defined at every input, and a number.
bool Parser::is_finite(TermId value) {
  const RealId read = reading_.read(value, out_.type);
  const RealId roots[] = {read};
  const Dag& dag = reading_.dag();
  const auto ids = cone(dag, roots);
  return std::none_of(ids.begin(), ids.end(), [&](RealId id) {
    switch (dag[id].kind) {
      case Kind::kInfinity:
      case Kind::kUndefined:
      case Kind::kOpaque:
      case Kind::kOpaqueBool:
      case Kind::kDiv:
      case Kind::kSqrt:
      case Kind::kLog2:
      case Kind::kLog:
        return true;
      default:
        return false;
    }
  });
}

std::optional<ArgReduction> Parser::finish() {
  auto& entries = out_.entries;
  std::sort(entries.begin(), entries.end());
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  std::vector<ArgReduction::Entry> kept;
  for (const ArgReduction::Entry& e : entries) {
    if (is_far(e.value)) continue;
    if (!is_finite(e.value)) return {};
    kept.push_back(e);
  }
  if (kept.empty()) return {};
  entries = std::move(kept);
  return out_;
}

// The least index at which a value equals the best one: min over i of (x_i == best ? i : beyond).
std::optional<ArgReduction> Parser::where(TermId root) {
  root = plain(root);
  std::vector<TermId> open{root};
  std::set<TermId> seen;
  struct Item {
    TermId a, b;
    uint64_t index;
  };
  std::vector<Item> items;
  uint64_t beyond = ~uint64_t{0};
  while (!open.empty()) {
    TermId id = open.back();
    open.pop_back();
    if (!seen.insert(id).second) continue;
    if (seen.size() > kMaxPairs) return {};
    if (arena_.kind(id) == op::Kind::kMinS || arena_.kind(id) == op::Kind::kMinU) {
      open.push_back(plain(arena_[id].a));
      open.push_back(plain(arena_[id].b));
      continue;
    }
    // A chain of choices, the least index first.
    uint64_t previous = 0;
    bool any = false;
    while (arena_.kind(id) == op::Kind::kSelect) {
      const term::Node& node = arena_[id];
      const term::Node& test = arena_[node.a];
      const TermId index = plain(node.b);
      if (test.op.kind != op::Kind::kFEq || !set_type(test.op.type)) return {};
      if (!arena_.is_const(index) || !span(index)) return {};
      const uint64_t number = arena_.const_bits(index);
      if (any && number <= previous) return {};
      previous = number;
      any = true;
      items.push_back({test.a, test.b, number});
      id = plain(node.c);
    }
    if (!arena_.is_const(id) || !span(id)) return {};
    beyond = std::min(beyond, arena_.const_bits(id));
  }
  if (items.size() < 2) return {};
  // The value that all of them are compared with.
  TermId best = kNoTerm;
  for (const TermId candidate : {items[0].a, items[0].b}) {
    if (std::all_of(items.begin(), items.end(),
                    [&](const Item& i) { return i.a == candidate || i.b == candidate; })) {
      best = candidate;
    }
  }
  if (best == kNoTerm) return {};
  std::set<TermId> values, parts;
  for (const Item& item : items) {
    if (item.index >= beyond || item.a == item.b) return {};
    const TermId value = item.a == best ? item.b : item.a;
    out_.entries.push_back({item.index, value});
    if (!is_far(value)) values.insert(value);
  }
  // `best` is the best of these values and no others.
  std::set<TermId> visited;
  open = {best};
  const op::Kind extremum = out_.sense == Sense::kGreatest ? op::Kind::kFMax : op::Kind::kFMin;
  while (!open.empty()) {
    const TermId id = open.back();
    open.pop_back();
    if (!visited.insert(id).second) continue;
    if (visited.size() > kMaxPairs) return {};
    const term::Node& node = arena_[id];
    const bool choice = node.op.kind == op::Kind::kSelect && is_better(id, node.b, node.c);
    const bool maximum = node.op.kind == extremum && is_better(id, node.a, node.b);
    if (values.contains(id)) {
      parts.insert(id);
    } else if (choice || maximum) {
      open.push_back(choice ? node.c : node.a);
      open.push_back(node.b);
    } else if (!is_far(id)) {
      return {};
    }
  }
  if (parts != values) return {};
  out_.last = false;
  return finish();
}

}  // namespace

std::vector<ArgReduction> arg_reductions(Reading& reading, TermId root) {
  std::vector<ArgReduction> out;
  for (const Sense sense : {Sense::kGreatest, Sense::kLeast}) {
    if (auto found = Parser(reading, sense).choices(root)) {
      out.push_back(std::move(*found));
    } else if (auto other = Parser(reading, sense).where(root)) {
      out.push_back(std::move(*other));
    }
  }
  return out;
}

}  // namespace ptxequiv::real
