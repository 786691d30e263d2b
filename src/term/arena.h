// Terms: the hash-consed exact DAG of what registers and memory hold. Nothing is idealised here:
// a node is one machine operation on typeless bits (op/op.h). Equal ids are equal values; the
// converse is the business of `real` and `check`.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "op/op.h"
#include "term/growing.h"

namespace ptxequiv::term {

// Index of a node in its arena. Children have smaller ids than their parents, so id order is a
// topological order and a sweep needs no recursion.
using TermId = uint32_t;
inline constexpr TermId kNoTerm = 0xffffffffu;

// Payloads of leaves (Node::a, b, c):
//   kConst    a, b: low and high 32 bits of the value; width is that of op.type
//   kInput    a: buffer index, b, c: low and high 32 bits of the element index (Node::element);
//             op.type is the buffer's element type.
//             The same symbol on both sides: initial contents of input and inout buffers.
//   kInitial  as kInput: undefined contents of an output buffer before the launch, shared by sides
//   kScalar   a: scalar index; op.type its type
//   kAddress  a: provenance, b, c: low and high 32 bits of the signed byte offset; 64 bits wide
//   kPoison   a: running number: an unwritten register, shared, local or scratch byte(s)
//   kFresh    a: running number: a value the schedule chooses (activemask, clock, ...)
//   kHole     a: number: argument of a library template
//   kExtract  a: term, b: bit position (a number)
struct Node {
  op::Op op;
  uint32_t a = 0;
  uint32_t b = 0;
  uint32_t c = 0;
  uint64_t element() const { return uint64_t{c} << 32 | b; }  // of a kInput or kInitial
  friend bool operator==(const Node&, const Node&) = default;
};
static_assert(sizeof(Node) == 16);

class Arena {
 public:
  Arena();
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  TermId constant(unsigned width, uint64_t bits);  // typed B8..B64 or Pred; `bits` is truncated
  TermId truth(bool value) { return constant(1, value); }
  TermId leaf(op::Kind kind, op::Type type, uint32_t a, uint32_t b = 0, uint32_t c = 0);
  TermId element_leaf(op::Kind kind, op::Type type, uint32_t buffer, uint64_t element) {
    return leaf(kind, type, buffer, static_cast<uint32_t>(element),
                static_cast<uint32_t>(element >> 32));
  }
  TermId poison(unsigned width);  // a new one each time
  bool any_poison() const;        // false: there is none
  TermId fresh(unsigned width);

  // Builds one operation. Integer and bit operations on constants fold; a float operation folds
  // only where op::evaluate says the result is exact. Simplifies only by identities that hold bit
  // for bit (select(c,x,x), extract of concat, x & x, double negation, ...). Commutative operands
  // are ordered by id. Operands must have the width the operation wants (checked).
  TermId make(op::Op op, TermId a, TermId b = kNoTerm, TermId c = kNoTerm);

  // out[i] = make(op, a[i], b[i], c[i]) for all i < count, in this order; `out` may be one of the
  // operands. Not for kExtract. Faster than one by one: the
  // look-ups, each at a random place in memory, wait for it together.
  void make_many(op::Op op, unsigned count, const TermId* a, const TermId* b, const TermId* c,
                 TermId* out);

  // A node as another arena, or this one, has it, but for its operands, which are of this one.
  TermId build(const Node& node);

  // Shorthands, in terms of make.
  TermId select(TermId condition, TermId then_term, TermId else_term);
  TermId extract(TermId a, unsigned position, unsigned width);
  TermId concat(TermId high, TermId low);
  TermId zext(TermId a, unsigned width);
  TermId sext(TermId a, unsigned width);
  TermId logic_and(TermId a, TermId b);
  TermId logic_or(TermId a, TermId b);
  TermId logic_not(TermId a);
  TermId equal(TermId a, TermId b);

  const Node& operator[](TermId id) const { return nodes_[id]; }
  op::Kind kind(TermId id) const { return nodes_[id].op.kind; }
  unsigned width(TermId id) const { return op::result_bits(nodes_[id].op); }
  size_t size() const { return nodes_.size(); }
  size_t memory_bytes() const;

  bool is_const(TermId id) const { return nodes_[id].op.kind == op::Kind::kConst; }
  // Bits of a kConst node.
  uint64_t const_bits(TermId id) const { return uint64_t{nodes_[id].b} << 32 | nodes_[id].a; }
  // The value's bits where all leaves below are constants: kConst nodes, and float operations on
  // constants that were kept because they round.
  std::optional<uint64_t> known_bits(TermId id) const;

  // Operands of a node that are terms.
  std::span<const uint32_t> operands(TermId id) const {
    return {&nodes_[id].a, op::arity(nodes_[id].op.kind)};
  }

  // A tag for the nodes made from now on (the machine's running instruction), so that a report can
  // say where a value came from. First maker wins.
  void set_origin(uint32_t tag) { origin_ = tag; }
  uint32_t origin(TermId id) const;

  // Drops every node with id >= mark (taken earlier from size()).
  void truncate(size_t mark);

 private:
  struct Impl;
  TermId intern(const Node& node);
  TermId intern(const Node& node, uint64_t hash);
  bool keeps(const Node& node, unsigned arity) const;
  Growing<Node> nodes_;
  // Nodes made one after the other mostly have one origin.
  struct Made {
    TermId first = 0;  // from this node on, up to the next such
    uint32_t origin = 0;
  };
  Growing<Made> origins_;
  uint32_t origin_ = 0xffffffffu;
  std::unique_ptr<Impl> impl_;
};

// By term: does `is` hold of it, or of a term below it? One sweep.
template <typename Is>
std::vector<bool> any_below(const Arena& arena, const Is& is) {
  std::vector<bool> out(arena.size());
  for (TermId id = 0; id < out.size(); ++id) {
    bool found = is(id);
    for (const TermId operand : arena.operands(id)) found = found || out[operand];
    out[id] = found;
  }
  return out;
}
// Marks, for each id below arena.size(), whether it is reachable from `roots`. No recursion.
std::vector<bool> reachable(const Arena& arena, std::span<const TermId> roots);
// Ids reachable from `roots`, ascending (so children first).
std::vector<TermId> cone(const Arena& arena, std::span<const TermId> roots);
// One line per node: "%12 = fadd.rn.f32 %3 %7". For --dump terms and tests.
std::string to_string(const Arena& arena, std::span<const TermId> roots);

}  // namespace ptxequiv::term
