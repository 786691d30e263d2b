// First-order models of real expressions on a box. Internal to the bounds.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "real/dag.h"
#include "real/span.h"

namespace ptxequiv::real::bounding {

enum class Truth : uint8_t { kFalse, kTrue, kUndecided };

// The value at x lies in (sum of linear_i * x_i) + rest, and in `range`.
struct Model {
  std::vector<std::pair<uint32_t, Span>> linear;   // by variable, ascending
  Span rest = Span::all();
  Span range = Span::all();
  int infinite = 0;          // -1, +1: that constant, and nothing else applies
  bool broken = false;       // nothing is known: an infinity was computed with
  bool may_fail = false;     // this operation may be outside its domain
  bool must_fail = false;    // ... is, on all of the box
  Truth truth = Truth::kUndecided;   // of a Bool
};

// A box: a span for each variable, and what is taken for decided.
struct Box {
  std::vector<Span> spans;
  std::map<RealId, bool> decided;
  unsigned depth = 0;
};

// The nodes below some roots, and which of them are variables.
struct Scope {
  std::vector<RealId> nodes;                // ascending
  std::vector<uint32_t> position;           // by RealId: into nodes
  std::vector<RealId> variables;
  std::vector<uint32_t> variable;           // by RealId: into variables, or kNoVariable
  static constexpr uint32_t kNoVariable = 0xffffffffu;
};
Scope make_scope(const Dag& dag, std::span<const RealId> roots);

class BoxModels {
 public:
  BoxModels(const Dag& dag, const Scope& scope, const Box& box, long precision)
      : dag_(dag), scope_(scope), box_(box), arithmetic_(precision) {}

  void evaluate();
  const Model& at(RealId id) const { return models_[scope_.position[id]]; }
  Model difference(const Model& a, const Model& b) const;
  // Of two nodes, with what they share on this box taken out: equal arms, summands, factors.
  Model difference_of(RealId a, RealId b) const;
  Model scaled(const Model& a, const Span& factor) const;
  const SpanArithmetic& arithmetic() const { return arithmetic_; }

  // Partial operations on the selected path of a root: those that are certainly executed, and those
  // that may be. A select that is not decided is named in `undecided`.
  struct Path {
    std::vector<RealId> certain, possible;
    std::vector<RealId> undecided;
  };
  Path path(RealId root) const;

  // Narrows the box to where a Bool node has this truth; false if that is nowhere.
  bool constrain(RealId condition, bool truth, Box& box) const;

 private:
  Model compute(RealId id, const Node& node) const;
  RealId taken_arm(RealId id) const;
  Model of_variable(uint32_t index) const;
  Model constant(const Span& value) const;
  Model interval(const Span& range) const;
  Model add(const Model& a, const Model& b) const;
  Model multiply(const Model& a, const Model& b, bool same) const;
  Model divide(const Node& node, const Model& a, const Model& b) const;
  Model inverse(const Model& b) const;
  Model absolute(const Model& a) const;
  Model lattice(bool least, const Model& a, const Model& b) const;
  Model function(const Node& node, const Model& a) const;
  Model step(Kind kind, const Model& a) const;
  Model join(const Model& a, const Model& b) const;
  // f(a) by its values at the ends, its range and the range of its slope.
  Model smooth(const Model& a, const Span& range, const Span& slope, const Span& at_low,
               const Span& at_middle, const Span& at_high) const;
  std::optional<RealId> softplus_argument(const Node& node) const;
  bool is_number(const Model& m) const;
  Span bounded(const Model& m) const;   // the span of linear part and rest
  void finish(Model& m) const { m.range = intersect(m.range, bounded(m)); }
  Truth compare(Kind kind, const Model& a, const Model& b) const;
  bool narrow(const Model& at_most_zero, Box& box) const;

  const Dag& dag_;
  const Scope& scope_;
  const Box& box_;
  SpanArithmetic arithmetic_;
  std::vector<Model> models_;
};

}  // namespace ptxequiv::real::bounding
