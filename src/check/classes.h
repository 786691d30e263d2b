// One of each kind (design: section 5): elements whose pair of terms is the same function of
// differently named inputs share one decision.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "check/elements.h"
#include "check/facts.h"
#include "check/shapes.h"

namespace ptxequiv::check {

class Classifier {
 public:
  // `keep_buffers`: leaves may only be renamed within their buffer (needed when `assume` names
  // one).
  Classifier(const term::Arena& arena, const SpecFacts& facts, bool keep_buffers,
             size_t max_nodes = 1 << 15)
      : arena_(arena),
        facts_(facts),
        keep_buffers_(keep_buffers),
        max_nodes_(max_nodes),
        shapes_(arena) {}

  // Index of the element's class, new or known. Terms past the limit are compared by moving inputs
  // within their buffers alone.
  // Two elements are in one class only if one substitution of leaves for leaves of the same type
  // and range, the identity on scalars and schedule inputs, turns both sides of one into the other.
  // An element's own initial contents are no leaf like others: they mean that nothing was written.
  uint32_t classify(const Element& element);

 private:
  std::optional<uint32_t> by_renaming(const Element& element);
  bool serialize(TermId root);
  void add_leaf(TermId id);
  bool worth_trying() const;
  uint32_t range_class(const term::Node& leaf);
  bool numbered(TermId id) const { return stamp_[id] == current_; }

  const term::Arena& arena_;
  const SpecFacts& facts_;
  bool keep_buffers_;
  size_t max_nodes_;
  Shapes shapes_;
  std::map<std::vector<uint64_t>, uint32_t> by_shape_;  // classes, by Shapes::key
  uint32_t count_ = 0;                                  // of classes
  // The pair as a list of words: nodes in depth-first order with leaves numbered as they are met.
  // The whole list is the key: nothing stands in for the comparison.
  std::map<std::vector<uint32_t>, uint32_t> classes_;
  std::vector<uint32_t> key_;
  const Element* element_ = nullptr;
  uint64_t large_ = 0, large_known_ = 0;  // large pairs so far, and those of a known class
  // A node's number in the pair at hand, valid where its stamp is the current one.
  std::vector<uint32_t> number_, stamp_;
  uint32_t current_ = 0, nodes_ = 0, leaves_ = 0;
  std::map<std::pair<uint32_t, op::Type>, uint32_t> range_classes_;  // by buffer and type
  std::map<std::pair<mpq_class, mpq_class>, uint32_t> ranges_;
};

}  // namespace ptxequiv::check
