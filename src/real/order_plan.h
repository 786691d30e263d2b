// Which terms are looked at as values to compare, and which as bits (order.h).
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "op/type.h"
#include "real/constants.h"
#include "term/arena.h"

namespace ptxequiv::real {

// A constant as a number, or an infinity.
struct Bound {
  enum class Kind : uint8_t { kLow, kFinite, kHigh } kind = Kind::kFinite;
  mpq_class value;
  friend bool operator==(const Bound&, const Bound&) = default;
  friend bool operator<(const Bound& a, const Bound& b) {
    return a.kind != b.kind ? a.kind < b.kind : a.kind == Kind::kFinite && a.value < b.value;
  }
};
// Of a constant term read as a type; nothing for NaN.
std::optional<Bound> bound_of(const term::Arena& arena, term::TermId id, op::Type type);

struct OrderPlan {
  // What is wanted of the terms below the roots, by place in `ids`.
  struct Wanted {
    bool bits = false;
    op::Type type = op::Type::kNone;  // as a value of this type
    bool contradictory = false;       // as values of two types
    uint32_t atom = 0;                // 1 + index in `atoms`
  };
  struct Atom {
    op::Type type;
    term::TermId term;  // one that stands for it
  };

  std::vector<term::TermId> ids;  // ascending
  std::unordered_map<term::TermId, uint32_t> place;
  std::vector<Wanted> wanted;
  std::vector<bool> is_data;  // its bits come from what is computed elsewhere, not from constants
  std::vector<Atom> atoms;
  std::vector<Bound> constants;      // that are compared; ascending, each once
  std::map<op::Type, size_t> lines;  // number lines that occur
  // Constants and atoms that something is compared with, the most frequent first.
  struct Pivot {
    bool is_atom;
    Bound constant;
    uint32_t atom = 0;
  };
  std::vector<Pivot> pivots;

  Wanted& at(term::TermId id) { return wanted[place.at(id)]; }
};

// Nothing if there is too much below, or nothing to compare.
std::optional<OrderPlan> plan_order(const term::Arena& arena, term::TermId a, term::TermId b,
                                    op::Type type,
                                    const std::function<uint32_t(term::TermId, op::Type)>& meaning);

// Types whose values are compared as numbers of one line: all float types, else the type.
op::Type line_of(op::Type type);
// Operands of a term that is a value computed by choosing among values of this type: their places
// among the operands, as a mask. 0: it is not.
unsigned chosen_operands(const term::Node& node, op::Type type);
// The type as which the operands of a comparison, or minimum or maximum, are compared.
op::Type compared_type(const term::Node& node, bool prefers_unsigned);

}  // namespace ptxequiv::real
