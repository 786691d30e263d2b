// What terms are when inputs may be moved within their buffers: every element index of a buffer by
// the same distance. That is how the outputs of a tile differ. Each term is given a shape, equal
// for those that can be moved into each other, and a place; both follow from its operands', so that
// one sweep over the terms serves all outputs.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "check/elements.h"

namespace ptxequiv::check {

// Sequences of words, each kept once: equal ids are equal sequences.
class Sequences {
 public:
  Sequences() : index_(0, Hash{this}, Equal{this}) {}
  Sequences(const Sequences&) = delete;
  Sequences& operator=(const Sequences&) = delete;

  uint32_t intern(std::span<const uint64_t> words);
  std::span<const uint64_t> operator[](uint32_t id) const {
    return {words_.data() + starts_[id], starts_[id + 1] - starts_[id]};
  }

 private:
  using Words = std::span<const uint64_t>;
  struct Hash {
    using is_transparent = void;
    const Sequences* all;
    size_t operator()(Words words) const;
    size_t operator()(uint32_t id) const { return (*this)((*all)[id]); }
  };
  struct Equal {
    using is_transparent = void;
    const Sequences* all;
    bool operator()(uint32_t a, uint32_t b) const { return a == b; }
    bool operator()(Words a, uint32_t b) const;
    bool operator()(uint32_t a, Words b) const { return (*this)(b, a); }
  };
  std::vector<uint64_t> words_;
  std::vector<size_t> starts_{0};
  std::unordered_set<uint32_t, Hash, Equal> index_;
};

class Shapes {
 public:
  explicit Shapes(const term::Arena& arena) : arena_(arena) { places_.intern({}); }

  // Terms of equal shape are the same function of inputs at other places: what holds for all inputs
  // of the one, whose ranges are those of their buffers, holds for the other.
  uint32_t shape(TermId id);
  // Elements with equal keys: one substitution of leaves turns both sides of the one into those of
  // the other: input i of a buffer by input i + d of the same buffer, with one distance d for each;
  // all else stays as it is. The element's own initial contents become the other's own.
  std::vector<uint64_t> key(const Element& element);

 private:
  // A term is its shape with, for each slot (buffer and kind of leaf), the least index that occurs
  // put where the place says. A place is a sequence of slots, ascending, each with that index.
  struct Form {
    uint32_t shape = 0, place = 0;
  };
  using Words = std::span<const uint64_t>;
  void extend();
  Form form_of_leaf(const term::Node& node);
  Form form_of(const term::Node& node, std::span<const TermId> operands);
  uint32_t least(std::span<const Words> places, std::span<const Form> forms);
  void describe(uint32_t shape, Words place, Words least, std::vector<uint64_t>& out) const;

  const term::Arena& arena_;
  std::vector<Form> forms_;
  Sequences shapes_, places_;
  // Of the last operation: neighbours in the arena are mostly lanes of one instruction.
  std::vector<uint64_t> last_;
  uint32_t last_shape_ = 0;
  std::vector<uint64_t> merged_, now_;
  std::array<std::vector<uint64_t>, 3> parts_;
};

}  // namespace ptxequiv::check
