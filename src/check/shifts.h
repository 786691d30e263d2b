// Whether one pair of terms is another with the inputs moved within their buffers: every element
// index of a buffer by the same distance. That is how the outputs of a tile differ, and, unlike a
// renaming found leaf by leaf, what is known of a shared part holds for all outputs above it: all
// pairs together cost one walk over the terms.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "check/elements.h"

namespace ptxequiv::check {

class Shifts {
 public:
  explicit Shifts(const term::Arena& arena) : arena_(arena) {}

  // Only pairs of equal shape can be moved into each other: a filter, which proves nothing.
  uint64_t shape(const Element& element);
  // Both sides of `first` become those of `second` by one substitution of leaves: input i of a
  // buffer by input i + d of the same buffer, with one distance d for each; all else stays as it
  // is. The element's own initial contents become the other's own.
  bool moves(const Element& first, const Element& second);

 private:
  using ShiftId = uint32_t;
  struct Distance {
    uint32_t slot;  // buffer and kind of leaf
    int64_t distance;
    friend bool operator==(const Distance&, const Distance&) = default;
  };
  // By which distances `first` becomes the term that this is kept for.
  struct Match {
    TermId first = term::kNoTerm;
    ShiftId shift = 0;
  };
  struct Frame {
    TermId first, second;
    uint8_t next = 0;
    bool swapped = false;
    ShiftId shift = 0;
  };
  std::optional<ShiftId> match(TermId first, TermId second);
  std::optional<ShiftId> match_leaf(TermId first, TermId second);
  std::optional<ShiftId> join(ShiftId a, ShiftId b);
  ShiftId intern(std::vector<Distance> distances);
  // Can the two be the same operation? Says whether the first two operands change places.
  bool alike(TermId first, TermId second, bool& swapped) const;
  void extend_shapes();

  const term::Arena& arena_;
  std::vector<uint32_t> shapes_;
  std::vector<Match> matches_;  // by the second term
  std::vector<Frame> stack_;
  // Pairs still to be looked at: no look costs more than a few walks over the terms together.
  uint64_t steps_left_ = 0;
  std::vector<std::vector<Distance>> shifts_{{}};  // each sorted by slot; the first moves nothing
  std::unordered_map<uint64_t, std::vector<ShiftId>> shift_index_;
  std::unordered_map<uint64_t, ShiftId> joins_;  // kNever: they contradict each other
  struct Recent {
    uint64_t key = ~uint64_t{0};
    ShiftId shift = 0;
  };
  std::array<Recent, 4096> recent_ = {};
};

}  // namespace ptxequiv::check
