// What is compared: pairs of final values of one buffer element.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "check/prepare.h"
#include "machine/machine.h"
#include "term/arena.h"

namespace ptxequiv::real {
class Reading;
}

namespace ptxequiv::check {

using term::TermId;

enum class ElementState : uint8_t { kOpen, kProved, kRefuted };

struct Element {
  uint32_t buffer = 0;
  uint64_t index = 0;
  op::Type type = op::Type::kNone;
  // Final contents of each side: select(written, value, initial), where the initial symbol is one
  // for both sides (the input's for an inout buffer).
  TermId reference = term::kNoTerm;
  TermId candidate = term::kNoTerm;
  bool reference_written = false;
  bool candidate_written = false;
  machine::Site reference_store, candidate_store;
  // Elements of one kind are the same function of differently named inputs (classes.h).
  std::optional<uint32_t> kind;
  ElementState state = ElementState::kOpen;
  const real::Reading* reading = nullptr;  // under which a proof was found; null: equal ids
  bool within_tolerance = false;           // proved to differ by no more than the tolerance
  std::string why_open;                    // for an open element: id of the reason
};

// One entry per element of output and inout buffers that at least one side wrote.
std::vector<Element> pair_elements(const Prepared& prepared, const machine::Outcome& reference,
                                   const machine::Outcome& candidate, term::Arena& arena);

// What an element of a buffer held before.
inline bool is_contents(op::Kind kind) {
  return kind == op::Kind::kInput || kind == op::Kind::kInitial;
}

// Which element of its buffer an input, or initial contents, is.
inline uint64_t element_index(const term::Node& leaf) {
  return uint64_t{leaf.c} << 32 | leaf.b;
}

// Kind of the symbol that stands for what an element held before: of an inout buffer the input's.
op::Kind initial_kind(const machine::Buffer& buffer);

// Is `id` that symbol of this element?
bool is_initial(const term::Arena& arena, TermId id, const Element& element,
                op::Kind kind = op::Kind::kInitial);

// Final contents select(condition, value, initial) taken apart; or, where the condition was a
// negation, select(condition, initial, value), as the arena turns it.
struct GuardedStore {
  TermId value = term::kNoTerm;
  TermId condition = term::kNoTerm;  // kNoTerm: `value` is all of the contents
  bool stored_when = true;           // what the condition is where `value` was stored
};
GuardedStore take_apart(const term::Arena& arena, TermId id, const Element& element,
                        op::Kind kind = op::Kind::kInitial);

// "o[2,17]": the element's name with its shape's indices.
std::string element_name(const spec::Buffer& buffer, uint64_t index);

}  // namespace ptxequiv::check
