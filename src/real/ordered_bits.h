// Floats as integers of the same order: programs compare them, and take maxima, by integers that
// are the bits of the float with some turned over, by its sign. And back.
#pragma once
#include <cstdint>
#include <optional>

#include "term/arena.h"

namespace ptxequiv::real {

// A term whose bits are those of another, turned over by a mask that its sign bit chooses.
struct Flipped {
  term::TermId source;
  uint64_t if_clear, if_set;  // the masks where the source's top bit is 0, and 1
};

// Follows logic, shifts by constants, selections and tests of the sign bit; nothing where the term
// is no such function of one other term of its width.
std::optional<Flipped> flipped_by_sign(const term::Arena& arena, term::TermId id);

// What makes an order of integers of the order of floats, -0 before +0 (of numbers, not of NaN).
enum class Order : uint8_t { kUnsigned, kSigned };
// The float whose bits `id` is, made to compare as integers of this order.
std::optional<term::TermId> key_source(const term::Arena& arena, term::TermId id, Order order);
// The key whose float `id` is.
std::optional<term::TermId> decoded_key(const term::Arena& arena, term::TermId id, Order order);
// Bits of a float that are turned over to make a key of it; its own inverse for kSigned.
uint64_t decoded(uint64_t key, unsigned width, Order order);

}  // namespace ptxequiv::real
