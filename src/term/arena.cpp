#include "term/arena.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "op/evaluate.h"
#include "term/simplify.h"
#include "term/table.h"

namespace ptxequiv::term {

using op::Kind;
using op::Op;
using op::Type;

struct Arena::Impl {
  Table table;
  uint32_t next_poison = 0;
  bool any_poison = false;
  uint32_t next_fresh = 0;
  // Bits of nodes that are not constants but have only constants below them.
  std::unordered_map<TermId, uint64_t> known;
  std::vector<bool> is_known;  // as long as the last known id; spares most look-ups

  void remember(TermId id, uint64_t bits) {
    known.emplace(id, bits);
    if (is_known.size() <= id) is_known.resize(id + 1);
    is_known[id] = true;
  }
};

namespace {

bool is_leaf(Kind kind) {
  return kind <= Kind::kHole;
}
// Bits and integers: their types carry no sign, and they have no modifiers.
bool is_structure(Kind kind) {
  return kind > Kind::kHole && kind < Kind::kFAdd;
}

// One spelling for operations that mean the same.
Op canonical(Op op) {
  if (is_structure(op.kind)) {
    Op plain{.kind = op.kind, .type = op::bits_type(op::bits(op.type))};
    if (op.src != Type::kNone) plain.src = op::bits_type(op::bits(op.src));
    return plain;
  }
  const bool ieee = op.kind >= Kind::kFAdd && op.kind <= Kind::kFSqrt;
  if (ieee && op.rounding == op::Rounding::kNone) op.rounding = op::Rounding::kRn;
  return op;
}

Op extension(Kind kind, unsigned from, unsigned to) {
  return Op{.kind = kind, .type = op::bits_type(to), .src = op::bits_type(from)};
}

}  // namespace

Arena::Arena() : impl_(std::make_unique<Impl>()) {}
Arena::~Arena() = default;

TermId Arena::intern(const Node& node) {
  return intern(node, Table::hash(node));
}

TermId Arena::intern(const Node& node, uint64_t hash) {
  const TermId found = impl_->table.find(hash, node, nodes_);
  if (found != kNoTerm) return found;
  if (nodes_.size() >= kNoTerm) throw base::LimitReached("memory", "2^32 terms in one arena");
  const auto id = static_cast<TermId>(nodes_.size());
  nodes_.push_back(node);
  if (origins_.size() == 0 || origins_.back().origin != origin_) origins_.push_back({id, origin_});
  impl_->table.insert(hash, id, nodes_);
  return id;
}

void Arena::make_many(Op op, unsigned count, const TermId* a, const TermId* b, const TermId* c,
                      TermId* out) {
  constexpr unsigned kBatch = 32;
  const Op plain = canonical(op);
  const unsigned arity = op::arity(op.kind);
  const bool commutes = op::info(op.kind).commutative;
  PTXEQUIV_CHECK(!is_leaf(op.kind) && op.kind != Kind::kExtract, "operands must be terms");
  const bool has_rule = rule_of(op.kind) != nullptr;
  Node nodes[kBatch];
  uint64_t hashes[kBatch];
  for (unsigned done = 0; done < count; done += kBatch) {
    const unsigned n = std::min(kBatch, count - done);
    for (unsigned i = 0; i < n; ++i) {
      Node& node = nodes[i];
      node = {plain, a[done + i], arity > 1 ? b[done + i] : 0, arity > 2 ? c[done + i] : 0};
      if (commutes && node.a > node.b) std::swap(node.a, node.b);
      if (has_rule) continue;
      hashes[i] = Table::hash(node);
      impl_->table.prefetch(hashes[i]);
      for (const uint32_t id : std::span(&node.a, arity)) __builtin_prefetch(&nodes_[id]);
    }
    for (unsigned i = 0; i < n && !has_rule; ++i) {
      const TermId likely = impl_->table.likely(hashes[i]);
      if (likely != kNoTerm) __builtin_prefetch(&nodes_[likely]);
    }
    for (unsigned i = 0; i < n; ++i) {
      const Node& node = nodes[i];
      out[done + i] = !has_rule && keeps(node, arity) ? intern(node, hashes[i])
                                                      : make(op, node.a, node.b, node.c);
    }
  }
}

// make() would change nothing about a node without a rule: no operand has known bits or chooses
// between constants.
bool Arena::keeps(const Node& node, unsigned arity) const {
  const uint32_t* operands = &node.a;
  for (unsigned i = 0; i < arity; ++i) {
    const TermId id = operands[i];
    PTXEQUIV_CHECK(id < nodes_.size(), "an operand is missing");
    const Op op = nodes_[id].op;
    if (op.kind == Kind::kConst || (arity == 1 && op.kind == Kind::kSelect)) return false;
    if (id < impl_->is_known.size() && impl_->is_known[id]) return false;
    PTXEQUIV_CHECK(op::result_bits(op) == op::operand_bits(node.op, i),
                   "an operand has the wrong width");
  }
  return true;
}

TermId Arena::constant(unsigned width, uint64_t bits) {
  bits &= op::mask(width);
  return intern({Op{.kind = Kind::kConst, .type = op::bits_type(width)},
                 static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32), 0});
}

TermId Arena::leaf(Kind kind, Type type, uint32_t a, uint32_t b, uint32_t c) {
  PTXEQUIV_CHECK(is_leaf(kind), "leaf() makes leaves only");
  if (kind == Kind::kConst) return constant(op::bits(type), uint64_t{b} << 32 | a);
  impl_->any_poison = impl_->any_poison || kind == Kind::kPoison;
  return intern({Op{.kind = kind, .type = type}, a, b, c});
}

TermId Arena::poison(unsigned width) {
  return leaf(Kind::kPoison, op::bits_type(width), impl_->next_poison++);
}
bool Arena::any_poison() const {
  return impl_->any_poison;
}
TermId Arena::fresh(unsigned width) {
  return leaf(Kind::kFresh, op::bits_type(width), impl_->next_fresh++);
}

TermId Arena::make(Op op, TermId a, TermId b, TermId c) {
  PTXEQUIV_CHECK(!is_leaf(op.kind) && op.kind < Kind::kCount, "make() makes operations only");
  op = canonical(op);
  if (op.kind == Kind::kExtract) return extract(a, b, op::bits(op.type));
  const unsigned count = op::arity(op.kind);
  if (count > 1 && op::info(op.kind).commutative && a > b) std::swap(a, b);
  const TermId operands[3] = {a, b, c};
  bool all_known = true;
  bool all_constant = true;
  for (unsigned i = 0; i < count; ++i) {
    const TermId id = operands[i];
    PTXEQUIV_CHECK(id < nodes_.size(), "an operand is missing");
    PTXEQUIV_CHECK(width(id) == op::operand_bits(op, i), "an operand has the wrong width");
    if (is_const(id)) continue;
    all_constant = false;
    all_known = all_known && id < impl_->is_known.size() && impl_->is_known[id];
  }
  if (op::is_dot(op.kind)) return intern({op, a, count > 1 ? b : 0, count > 2 ? c : 0});
  op::Result value;
  if (all_known) {
    uint64_t bits[3] = {0, 0, 0};
    for (unsigned i = 0; i < count; ++i) bits[i] = known_bits(operands[i]).value();
    value = op::evaluate(op, bits[0], bits[1], bits[2]);
    if (all_constant && value.exact) return constant(op::result_bits(op), value.bits);
  }
  if (const TermId lifted = lift_selected_constants(*this, op, a, b, count); lifted != kNoTerm) {
    return lifted;
  }
  if (const Rule rule = rule_of(op.kind)) {
    const TermId simpler = rule(*this, op, a, b, c);
    if (simpler != kNoTerm) return simpler;
  }
  const TermId id = intern({op, a, count > 1 ? b : 0, count > 2 ? c : 0});
  if (all_known) impl_->remember(id, value.bits);
  return id;
}

TermId Arena::build(const Node& node) {
  const unsigned count = op::arity(node.op.kind);
  if (count == 0) return leaf(node.op.kind, node.op.type, node.a, node.b, node.c);
  if (node.op.kind == Kind::kExtract) return extract(node.a, node.b, op::bits(node.op.type));
  return make(node.op, node.a, count > 1 ? node.b : kNoTerm, count > 2 ? node.c : kNoTerm);
}

TermId Arena::extract(TermId a, unsigned position, unsigned width) {
  PTXEQUIV_CHECK(a < nodes_.size() && position + width <= this->width(a),
                 "extract beyond the operand's width");
  const TermId simpler = simplify_extract(*this, &a, &position, width);
  if (simpler != kNoTerm) return simpler;
  const TermId id = intern({bits_op(Kind::kExtract, width), a, position, 0});
  if (const auto bits = known_bits(a)) impl_->remember(id, *bits >> position & op::mask(width));
  return id;
}

TermId Arena::select(TermId condition, TermId then_term, TermId else_term) {
  return make(bits_op(Kind::kSelect, width(then_term)), condition, then_term, else_term);
}
TermId Arena::concat(TermId high, TermId low) {
  return make(bits_op(Kind::kConcat, 2 * width(low)), high, low);
}
TermId Arena::zext(TermId a, unsigned to) {
  if (to == width(a)) return a;
  PTXEQUIV_CHECK(to > width(a), "zext must widen");
  return make(extension(Kind::kZext, width(a), to), a);
}
TermId Arena::sext(TermId a, unsigned to) {
  if (to == width(a)) return a;
  PTXEQUIV_CHECK(to > width(a), "sext must widen");
  return make(extension(Kind::kSext, width(a), to), a);
}
TermId Arena::logic_and(TermId a, TermId b) {
  return make(bits_op(Kind::kAnd, 1), a, b);
}
TermId Arena::logic_or(TermId a, TermId b) {
  return make(bits_op(Kind::kOr, 1), a, b);
}
TermId Arena::logic_not(TermId a) {
  return make(bits_op(Kind::kNot, 1), a);
}
TermId Arena::equal(TermId a, TermId b) {
  return make(bits_op(Kind::kEq, width(a)), a, b);
}

size_t Arena::memory_bytes() const {
  // Capacity beyond the size is address space that was never touched.
  constexpr size_t kMapEntry = 48;
  return nodes_.size() * sizeof(Node) + origins_.size() * sizeof(Made) +
         impl_->table.memory_bytes() + impl_->known.size() * kMapEntry + impl_->is_known.size() / 8;
}

std::optional<uint64_t> Arena::known_bits(TermId id) const {
  if (is_const(id)) return const_bits(id);
  if (id >= impl_->is_known.size() || !impl_->is_known[id]) return std::nullopt;
  return impl_->known.at(id);
}

uint32_t Arena::origin(TermId id) const {
  const std::span<const Made> made = origins_;
  const auto next = std::ranges::upper_bound(made, id, {}, [](const Made& m) { return m.first; });
  return std::prev(next)->origin;
}

void Arena::truncate(size_t mark) {
  if (mark >= nodes_.size()) return;
  impl_->table.truncate(mark, nodes_);
  for (size_t id = mark; id < impl_->is_known.size(); ++id) {
    if (impl_->is_known[id]) impl_->known.erase(static_cast<TermId>(id));
  }
  if (impl_->is_known.size() > mark) impl_->is_known.resize(mark);
  nodes_.shrink(mark);
  size_t kept = origins_.size();
  while (kept > 0 && origins_[kept - 1].first >= mark) --kept;
  origins_.shrink(kept);
}

}  // namespace ptxequiv::term
