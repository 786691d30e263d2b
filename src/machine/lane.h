// What one lane of a register, or one cell of memory, holds: plain bits, an address with its
// provenance, or a term. Everything concrete stays out of the arena.
#pragma once
#include <bit>
#include <cstdint>

#include "op/op.h"
#include "term/arena.h"

namespace ptxequiv::machine {

using term::kNoTerm;
using term::TermId;

inline constexpr unsigned kWarpSize = 32;
inline constexpr uint32_t kAllLanes = 0xffffffffu;

enum class LaneKind : uint8_t {
  kBits = 0,
  kTerm = 1,       // bits: a TermId
  kPointer = 2,    // bits: a packed Pointer
  kUndefined = 3,  // never written; becomes a poison term when something looks at it
};

struct Lane {
  uint64_t bits = 0;
  LaneKind kind = LaneKind::kBits;
  friend bool operator==(const Lane&, const Lane&) = default;

  static Lane of_bits(uint64_t value) { return {value, LaneKind::kBits}; }
  static Lane of_term(TermId id) { return {id, LaneKind::kTerm}; }
  static Lane undefined() { return {0, LaneKind::kUndefined}; }
  bool is_bits() const { return kind == LaneKind::kBits; }
  bool is_term() const { return kind == LaneKind::kTerm; }
  bool is_pointer() const { return kind == LaneKind::kPointer; }
  TermId term() const { return static_cast<TermId>(bits); }
};

// An address: which piece of memory (index into Memory's provenances), and how far from its start.
// Packed as 20 bits of provenance and 44 signed bits of offset; wider offsets lose provenance.
struct Pointer {
  uint32_t provenance = 0;
  int64_t offset = 0;

  static constexpr unsigned kOffsetBits = 44;
  static constexpr uint32_t kMaxProvenance = (1u << 20) - 1;
  static bool fits(int64_t offset) {
    return offset >= -(int64_t{1} << (kOffsetBits - 1)) &&
           offset < (int64_t{1} << (kOffsetBits - 1));
  }
  uint64_t pack() const {
    return uint64_t{provenance} << kOffsetBits |
           (static_cast<uint64_t>(offset) & op::mask(kOffsetBits));
  }
  static Pointer unpack(uint64_t bits) {
    return {static_cast<uint32_t>(bits >> kOffsetBits),
            static_cast<int64_t>(bits << (64 - kOffsetBits)) >> (64 - kOffsetBits)};
  }
  Lane lane() const { return {pack(), LaneKind::kPointer}; }
};

inline Pointer pointer_of(const Lane& lane) {
  return Pointer::unpack(lane.bits);
}

// Sign extension of the low `width` bits.
inline int64_t sign_extend(uint64_t bits, unsigned width) {
  return width >= 64 ? static_cast<int64_t>(bits)
                     : static_cast<int64_t>(bits << (64 - width)) >> (64 - width);
}

// One register of a warp. A value that all live lanes share costs one lane: then `uniform` is set,
// bits[0] counts for all, and each mask is all ones or zero.
struct alignas(16) Register {
  uint64_t bits[kWarpSize] = {};
  uint32_t terms = 0;     // lanes of kind kTerm or kUndefined
  uint32_t pointers = 0;  // lanes of kind kPointer or kUndefined
  bool uniform = true;

  Lane get(unsigned lane) const {
    const unsigned kind = (terms >> lane & 1) | (pointers >> lane & 1) << 1;
    return {bits[uniform ? 0 : lane], static_cast<LaneKind>(kind)};
  }
  // All lanes that matter hold `value`.
  void set_uniform(const Lane& value) {
    bits[0] = value.bits;
    const auto kind = static_cast<unsigned>(value.kind);
    terms = kind & 1 ? kAllLanes : 0;
    pointers = kind & 2 ? kAllLanes : 0;
    uniform = true;
  }
  void spread() {
    if (!uniform) return;
    for (unsigned i = 1; i < kWarpSize; ++i) bits[i] = bits[0];
    uniform = false;
  }
  // Makes the register ready to be set on the lanes of `mask`, one by one.
  void open(uint32_t mask, uint32_t live) {
    if (mask != live) return spread();
    uniform = false;
    terms = pointers = 0;
  }
  // The register must be spread.
  void set(unsigned lane, const Lane& value) {
    const uint32_t bit = 1u << lane;
    const auto kind = static_cast<unsigned>(value.kind);
    bits[lane] = value.bits;
    terms = kind & 1 ? terms | bit : terms & ~bit;
    pointers = kind & 2 ? pointers | bit : pointers & ~bit;
  }
  // Copies the lanes of `mask`; `live` are the lanes that still run.
  void copy(const Register& from, uint32_t mask, uint32_t live) {
    if (mask == live && from.uniform) {
      bits[0] = from.bits[0];
      terms = from.terms;
      pointers = from.pointers;
      uniform = true;
      return;
    }
    if (mask == live && !from.uniform) {
      for (unsigned i = 0; i < kWarpSize; ++i) bits[i] = from.bits[i];
      terms = from.terms;
      pointers = from.pointers;
      uniform = false;
      return;
    }
    spread();
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      bits[lane] = from.bits[from.uniform ? 0 : lane];
    }
    terms = (terms & ~mask) | (from.terms & mask);
    pointers = (pointers & ~mask) | (from.pointers & mask);
  }
};

// Calls f(lane) for each set bit.
template <typename F>
inline void for_each_lane(uint32_t mask, F&& f) {
  for (; mask != 0; mask &= mask - 1) f(static_cast<unsigned>(std::countr_zero(mask)));
}
inline unsigned first_lane(uint32_t mask) {
  return static_cast<unsigned>(std::countr_zero(mask));
}

}  // namespace ptxequiv::machine
