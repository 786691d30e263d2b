// Floats that were compared as integers of the same order: the maximum of the keys is the key of
// the maximum.
#include <algorithm>
#include <map>

#include "real/ordered_bits.h"
#include "real/reader.h"

namespace ptxequiv::real {
namespace {

constexpr size_t kMaxTree = 4096;

bool is_tree(op::Kind kind, Order order) {
  switch (kind) {
    case op::Kind::kSelect:
      return true;
    case op::Kind::kMinU:
    case op::Kind::kMaxU:
      return order == Order::kUnsigned;
    case op::Kind::kMinS:
    case op::Kind::kMaxS:
      return order == Order::kSigned;
    default:
      return false;
  }
}

// The float whose key is `root`: made of minima, maxima and choices of keys; kNoReal where operands
// are pending, nothing where it is none.
std::optional<RealId> read_key(Reader& reader, term::TermId root, op::Type type, Order order) {
  std::vector<term::TermId> open{root}, tree;
  std::map<term::TermId, RealId> values;
  std::map<term::TermId, RealId> conditions;
  while (!open.empty()) {
    const term::TermId id = open.back();
    open.pop_back();
    if (values.contains(id)) continue;
    values.emplace(id, kNoReal);
    if (values.size() > kMaxTree) return {};
    const term::Node& node = reader.arena[id];
    if (node.op.kind == op::Kind::kConst) {
      values[id] = float_literal(reader.dag, type,
                                 decoded(reader.arena.const_bits(id), op::bits(type), order));
    } else if (const auto source = key_source(reader.arena, id, order)) {
      values[id] = reader.get(*source, type);
    } else if (is_tree(node.op.kind, order)) {
      tree.push_back(id);
      const bool choice = node.op.kind == op::Kind::kSelect;
      if (choice) conditions[id] = reader.get(node.a, op::Type::kPred);
      open.push_back(choice ? node.b : node.a);
      open.push_back(choice ? node.c : node.b);
    } else {
      return {};
    }
  }
  if (reader.pending()) return kNoReal;
  std::sort(tree.begin(), tree.end());  // operands have smaller ids
  for (const term::TermId id : tree) {
    const term::Node& node = reader.arena[id];
    switch (node.op.kind) {
      case op::Kind::kSelect:
        values[id] =
            reader.dag.make(Kind::kIte, conditions.at(id), values.at(node.b), values.at(node.c));
        break;
      case op::Kind::kMinU:
      case op::Kind::kMinS:
        values[id] = reader.dag.make(Kind::kMin, values.at(node.a), values.at(node.b));
        break;
      default:
        values[id] = reader.dag.make(Kind::kMax, values.at(node.a), values.at(node.b));
    }
  }
  return values.at(root);
}

bool is_logic(op::Kind kind) {
  switch (kind) {
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

bool may_flip(const term::Arena& arena, term::TermId id) {
  const term::Node& node = arena[id];
  if (!is_logic(node.op.kind)) return false;
  if (node.op.kind != op::Kind::kSelect) return true;
  const op::Kind b = arena.kind(node.b), c = arena.kind(node.c);
  return (is_logic(b) && b != op::Kind::kSelect) || (is_logic(c) && c != op::Kind::kSelect);
}

}  // namespace

std::optional<RealId> float_ordered(Reader& reader, Ref ref) {
  const op::Type type = ref.view.type();
  const unsigned width = op::bits(type);
  if ((width != 16 && width != 32 && width != 64) || !may_flip(reader.arena, ref.term)) return {};
  const auto flipped = flipped_by_sign(reader.arena, ref.term);
  if (!flipped) return {};
  if (flipped->if_clear == 0 && flipped->if_set == 0) return reader.get(flipped->source, type);
  for (const Order order : {Order::kUnsigned, Order::kSigned}) {
    const auto key = decoded_key(reader.arena, ref.term, order);
    if (key) return read_key(reader, *key, type, order);
  }
  return {};
}

// A comparison of two keys is one of their floats; zeros are equal there.
std::optional<RealId> predicate_of_keys(Reader& reader, const term::Node& node) {
  const Order order = node.op.kind == op::Kind::kLtU ? Order::kUnsigned : Order::kSigned;
  if (!may_flip(reader.arena, node.a) || !may_flip(reader.arena, node.b)) return {};
  const auto a = key_source(reader.arena, node.a, order);
  const auto b = a ? key_source(reader.arena, node.b, order) : std::nullopt;
  if (!b) return {};
  const op::Type type = reader.arena[*a].op.type;
  if (!op::is_float(type) || !is_float_bits(reader.arena, *a) || reader.arena[*b].op.type != type ||
      op::bits(type) != reader.arena.width(*a)) {
    return {};
  }
  const RealId x = reader.get(*a, type), y = reader.get(*b, type);
  if (reader.pending()) return kNoReal;
  if (reader.is_opaque(x) || reader.is_opaque(y)) return {};
  if (reader.operand_flags() & kInexactInt) return {};
  if (reader.operand_flags() & kRounded) reader.note(kDiscontinuity);
  return reader.dag.make(Kind::kLt, x, y);
}

}  // namespace ptxequiv::real
