#include "real/dag.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "base/error.h"
#include "real/dag_fold.h"

namespace ptxequiv::real {
namespace {

constexpr auto kCount = static_cast<size_t>(Kind::kCount);

constexpr std::array<KindInfo, kCount> kKinds = {{
    {Kind::kRational, "rational", 0, false, false},
    {Kind::kInfinity, "infinity", 0, false, false},
    {Kind::kUndefined, "undefined", 0, false, false},
    {Kind::kLog2E, "log2e", 0, false, false},
    {Kind::kLeaf, "leaf", 0, false, false},
    {Kind::kOpaque, "opaque", 0, false, false},
    {Kind::kAdd, "add", 2, false, true},
    {Kind::kSub, "sub", 2, false, false},
    {Kind::kNeg, "neg", 1, false, false},
    {Kind::kMul, "mul", 2, false, true},
    {Kind::kDiv, "div", 2, false, false},
    {Kind::kSqrt, "sqrt", 1, false, false},
    {Kind::kExp2, "exp2", 1, false, false},
    {Kind::kExp, "exp", 1, false, false},
    {Kind::kLog2, "log2", 1, false, false},
    {Kind::kLog, "log", 1, false, false},
    {Kind::kSin, "sin", 1, false, false},
    {Kind::kCos, "cos", 1, false, false},
    {Kind::kTanh, "tanh", 1, false, false},
    {Kind::kErf, "erf", 1, false, false},
    {Kind::kMin, "min", 2, false, true},
    {Kind::kMax, "max", 2, false, true},
    {Kind::kAbs, "abs", 1, false, false},
    {Kind::kIte, "ite", 3, false, false},
    {Kind::kRint, "rint", 1, false, false},
    {Kind::kFloor, "floor", 1, false, false},
    {Kind::kCeil, "ceil", 1, false, false},
    {Kind::kTrunc, "trunc", 1, false, false},
    {Kind::kTrue, "true", 0, true, false},
    {Kind::kFalse, "false", 0, true, false},
    {Kind::kLt, "lt", 2, true, false},
    {Kind::kLe, "le", 2, true, false},
    {Kind::kEq, "eq", 2, true, true},
    {Kind::kAnd, "and", 2, true, true},
    {Kind::kOr, "or", 2, true, true},
    {Kind::kNot, "not", 1, true, false},
    {Kind::kIteBool, "itebool", 3, true, false},
    {Kind::kOpaqueBool, "opaquebool", 0, true, false},
}};

constexpr bool rows_in_order() {
  for (size_t i = 0; i < kCount; ++i) {
    if (kKinds[i].kind != static_cast<Kind>(i)) return false;
  }
  return true;
}
static_assert(rows_in_order());

uint64_t mix(uint64_t h) {
  h ^= h >> 32;
  h *= 0xd6e8feb86659fd93u;
  h ^= h >> 32;
  h *= 0xd6e8feb86659fd93u;
  return h ^ h >> 32;
}

uint64_t hash(const Node& n) {
  const uint64_t low = uint64_t{n.a} << 32 | n.b;
  const uint64_t high = uint64_t{n.c} << 8 | static_cast<uint64_t>(n.kind);
  return mix(low + high * 0x9e3779b97f4a7c15u);
}

uint64_t hash(const mpz_class& z) {
  uint64_t h = static_cast<uint64_t>(sgn(z) + 1);
  const size_t limbs = mpz_size(z.get_mpz_t());
  for (size_t i = 0; i < limbs; ++i) h = mix(h ^ mpz_getlimbn(z.get_mpz_t(), i));
  return h;
}

// An open-addressing set of indices; what they stand for is compared by the caller. A half of
// each hash stands beside its index, so that a probe seldom reads anything else.
class IndexSet {
 public:
  IndexSet() : slots_(size_t{1} << 12) {}

  // The index equal to what is sought, else inserts `fresh` and returns it.
  template <typename Equal>
  uint32_t find_or_insert(uint64_t hashed, uint32_t fresh, const Equal& equal) {
    if (2 * (used_ + 1) > slots_.size()) grow();
    const auto tag = static_cast<uint32_t>(hashed >> 32);
    size_t slot = tag & (slots_.size() - 1);  // by the tag alone: growing reads nothing else
    while (slots_[slot].index != kNoReal) {
      if (slots_[slot].tag == tag && equal(slots_[slot].index)) return slots_[slot].index;
      slot = (slot + 1) & (slots_.size() - 1);
    }
    slots_[slot] = {fresh, tag};
    ++used_;
    return fresh;
  }

 private:
  struct Slot {
    uint32_t index = kNoReal;
    uint32_t tag = 0;
  };

  void grow() {
    std::vector<Slot> larger(slots_.size() * 2);
    for (const Slot& old : slots_) {
      if (old.index == kNoReal) continue;
      size_t slot = old.tag & (larger.size() - 1);
      while (larger[slot].index != kNoReal) slot = (slot + 1) & (larger.size() - 1);
      larger[slot] = old;
    }
    slots_ = std::move(larger);
  }

  std::vector<Slot> slots_;
  size_t used_ = 0;
};

}  // namespace

const KindInfo& info(Kind kind) {
  return kKinds[static_cast<size_t>(kind)];
}

struct Dag::Impl {
  std::vector<mpq_class> rationals;
  std::vector<RealId> rational_nodes;  // by index into `rationals`
  IndexSet rational_set;
  IndexSet node_set;

  RealId intern(std::vector<Node>& nodes, const Node& node) {
    const auto fresh = static_cast<uint32_t>(nodes.size());
    PTXEQUIV_CHECK(fresh != kNoReal, "too many real nodes");
    const uint32_t id =
        node_set.find_or_insert(hash(node), fresh, [&](uint32_t i) { return nodes[i] == node; });
    if (id == fresh) nodes.push_back(node);
    return id;
  }
};

Dag::Dag() : impl_(std::make_unique<Impl>()) {}
Dag::~Dag() = default;

RealId Dag::rational(const mpq_class& value) {
  const auto fresh = static_cast<uint32_t>(impl_->rationals.size());
  const uint32_t index = impl_->rational_set.find_or_insert(
      mix(hash(value.get_num()) * 3 + hash(value.get_den())), fresh,
      [&](uint32_t i) { return impl_->rationals[i] == value; });
  if (index == fresh) {
    impl_->rationals.push_back(value);
    impl_->rational_nodes.push_back(impl_->intern(nodes_, {Kind::kRational, index}));
  }
  return impl_->rational_nodes[index];
}

RealId Dag::integer(long value) {
  return rational(mpq_class(value));
}
RealId Dag::infinity(bool negative) {
  return impl_->intern(nodes_, {Kind::kInfinity, negative ? 1u : 0u});
}
RealId Dag::undefined() {
  return impl_->intern(nodes_, {Kind::kUndefined});
}
RealId Dag::truth(bool value) {
  return impl_->intern(nodes_, {value ? Kind::kTrue : Kind::kFalse});
}
RealId Dag::leaf(term::TermId term, op::Type type) {
  return impl_->intern(nodes_, {Kind::kLeaf, term, static_cast<uint32_t>(type)});
}
RealId Dag::opaque(term::TermId term, op::Type type) {
  return impl_->intern(nodes_, {Kind::kOpaque, term, static_cast<uint32_t>(type)});
}
RealId Dag::opaque_bool(term::TermId term) {
  return impl_->intern(nodes_, {Kind::kOpaqueBool, term});
}

const mpq_class& Dag::rational_value(RealId id) const {
  PTXEQUIV_CHECK(nodes_[id].kind == Kind::kRational, "not a rational");
  return impl_->rationals[nodes_[id].a];
}

RealId Dag::make(Kind kind, RealId a, RealId b, RealId c) {
  const KindInfo& row = info(kind);
  if (row.arity == 0) {
    if (kind == Kind::kLog2E) return impl_->intern(nodes_, {kind});
    PTXEQUIV_CHECK(kind == Kind::kTrue || kind == Kind::kFalse, "a leaf has its own maker");
    return truth(kind == Kind::kTrue);
  }
  PTXEQUIV_CHECK(a < nodes_.size() && (row.arity < 2 || b < nodes_.size()) &&
                     (row.arity < 3 || c < nodes_.size()),
                 "operand missing");
  if (const auto folded = fold(*this, kind, a, b, c)) return *folded;
  if (row.commutative && a > b) std::swap(a, b);
  return impl_->intern(nodes_, {kind, a, row.arity > 1 ? b : 0, row.arity > 2 ? c : 0});
}

std::vector<RealId> cone(const Dag& dag, std::span<const RealId> roots) {
  std::vector<RealId> result;
  if (roots.empty()) return result;
  const RealId top = *std::max_element(roots.begin(), roots.end());
  PTXEQUIV_CHECK(top < dag.size(), "root missing");
  std::vector<uint8_t> marked(size_t{top} + 1);
  for (const RealId root : roots) marked[root] = 1;
  for (size_t i = marked.size(); i-- > 0;) {
    if (!marked[i]) continue;
    result.push_back(static_cast<RealId>(i));
    for (const RealId operand : dag.operands(static_cast<RealId>(i))) marked[operand] = 1;
  }
  std::reverse(result.begin(), result.end());
  return result;
}

std::string to_string(const Dag& dag, std::span<const RealId> roots) {
  std::string out;
  for (const RealId id : cone(dag, roots)) {
    const Node& node = dag[id];
    fmt::format_to(std::back_inserter(out), "r{} = {}", id, info(node.kind).name);
    switch (node.kind) {
      case Kind::kRational:
        fmt::format_to(std::back_inserter(out), " {}", dag.rational_value(id).get_str());
        break;
      case Kind::kInfinity:
        out += node.a ? " -" : " +";
        break;
      case Kind::kLeaf:
      case Kind::kOpaque:
        fmt::format_to(std::back_inserter(out), ".{} %{}", op::name(static_cast<op::Type>(node.b)),
                       node.a);
        break;
      case Kind::kOpaqueBool:
        fmt::format_to(std::back_inserter(out), " %{}", node.a);
        break;
      default:
        for (const RealId operand : dag.operands(id)) {
          fmt::format_to(std::back_inserter(out), " r{}", operand);
        }
    }
    out += '\n';
  }
  return out;
}

}  // namespace ptxequiv::real
