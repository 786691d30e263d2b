// Binary decision diagrams: boolean functions of numbered variables, each function one edge. Equal
// functions are equal edges.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "base/deadline.h"

namespace ptxequiv::real {

class Bdd {
 public:
  // An index into the nodes, and in the lowest bit whether the function is the complement.
  using Edge = uint32_t;
  static constexpr Edge kTrue = 0, kFalse = 1;

  Bdd(size_t max_nodes, const base::Deadline& deadline);

  // Variables are tested in the order of their numbers.
  Edge variable(uint32_t number) { return node(number, kTrue, kFalse); }
  static Edge negate(Edge a) { return a ^ 1; }
  Edge conjoin(Edge a, Edge b);
  Edge disjoin(Edge a, Edge b) { return negate(conjoin(negate(a), negate(b))); }
  Edge choose(Edge condition, Edge then_edge, Edge else_edge) {
    if (then_edge == else_edge) return then_edge;
    return disjoin(conjoin(condition, then_edge), conjoin(negate(condition), else_edge));
  }
  bool implies(Edge a, Edge b) { return conjoin(a, negate(b)) == kFalse; }

  // An assignment under which the function is true: the variables on one path, with their values.
  // Empty for kFalse.
  std::optional<std::vector<std::pair<uint32_t, bool>>> assignment(Edge a) const;
  bool value(Edge a, const std::vector<bool>& variables) const;
  size_t size() const { return nodes_.size(); }

 private:
  struct Node {
    uint32_t variable;
    Edge high, low;  // `high` is never a complement
  };
  struct Entry {
    Edge a = 0, b = 0, result = 0;
    bool used = false;
  };
  Edge node(uint32_t variable, Edge high, Edge low);
  void grow();
  // As deep as there are variables.
  Edge conjoin_nodes(Edge a, Edge b);

  std::vector<Node> nodes_;
  std::vector<uint32_t> slots_;
  std::vector<Entry> cache_;
  size_t max_nodes_;
  const base::Deadline& deadline_;
};

}  // namespace ptxequiv::real
