#include "real/snap.h"

namespace ptxequiv::real {
namespace {

// Operands [first, last) through which a value flows as a product, sum, lattice operand or arm.
struct Flow {
  unsigned first, last;
};
Flow flow(op::Kind kind) {
  switch (kind) {
    case op::Kind::kFAdd:
    case op::Kind::kFSub:
    case op::Kind::kFMul:
    case op::Kind::kFMin:
    case op::Kind::kFMax:
      return {0, 2};
    case op::Kind::kFFma:
      return {0, 3};
    case op::Kind::kFNeg:
      return {0, 1};
    case op::Kind::kSelect:
      return {1, 3};
    default:
      return {0, 0};
  }
}

// Operand by position; Node's payload is three consecutive words.
term::TermId operand(const term::Node& node, unsigned i) {
  return i == 0 ? node.a : i == 1 ? node.b : node.c;
}

}  // namespace

void SnapSet::consider(const term::Arena& arena, term::TermId constant, op::Type type) {
  if (multiples_.contains(constant) || !op::is_float(type)) return;
  if (const auto multiple = log_multiple(type, arena.const_bits(constant))) {
    multiples_.emplace(constant, *multiple);
  }
}

void SnapSet::into_ex2(const term::Arena& arena, term::TermId argument, op::Type type) {
  std::vector<term::TermId> open = {argument};
  while (!open.empty()) {
    const term::TermId id = open.back();
    open.pop_back();
    if (arena.is_const(id)) {
      consider(arena, id, type);
      continue;
    }
    if (into_ex2_[id]) continue;
    into_ex2_[id] = true;
    const term::Node& node = arena[id];
    const Flow range = flow(node.op.kind);
    for (unsigned i = range.first; i < range.last; ++i) open.push_back(operand(node, i));
  }
}

bool SnapSet::update(const term::Arena& arena) {
  const size_t before = multiples_.size();
  const size_t seen = from_lg2_.size();
  if (arena.size() < seen) {  // truncated: the ids that are left keep what they are
    from_lg2_.resize(arena.size());
    into_ex2_.resize(arena.size());
    std::erase_if(multiples_, [&](const auto& entry) { return entry.first >= arena.size(); });
    return multiples_.size() != before;
  }
  from_lg2_.resize(arena.size());
  into_ex2_.resize(arena.size());
  for (size_t i = seen; i < arena.size(); ++i) {
    const term::Node& node = arena[static_cast<term::TermId>(i)];
    if (node.op.kind == op::Kind::kFEx2) {
      into_ex2(arena, node.a, node.op.type);
      continue;
    }
    if (node.op.kind == op::Kind::kFLg2) {
      from_lg2_[i] = true;
      continue;
    }
    const Flow range = flow(node.op.kind);
    bool reached = false;
    for (unsigned k = range.first; k < range.last; ++k) {
      reached = reached || from_lg2_[operand(node, k)];
    }
    if (!reached) continue;
    from_lg2_[i] = true;
    // A select does not tell the format; 32 and 64 bits can only be f32 and f64 here.
    op::Type type = node.op.type;
    if (node.op.kind == op::Kind::kSelect) {
      type = op::bits(type) == 32   ? op::Type::kF32
             : op::bits(type) == 64 ? op::Type::kF64
                                    : op::Type::kNone;
    }
    for (unsigned k = range.first; k < range.last; ++k) {
      if (arena.is_const(operand(node, k))) consider(arena, operand(node, k), type);
    }
  }
  return multiples_.size() != before;
}

}  // namespace ptxequiv::real
