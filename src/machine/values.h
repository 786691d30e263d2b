// Operations on single lanes: exact on plain bits, provenance kept for addresses, terms otherwise.
#pragma once
#include <optional>

#include "machine/context.h"
#include "machine/fault.h"
#include "machine/memory.h"

namespace ptxequiv::machine {

class Values {
 public:
  Values(Context& context, Memory& memory);

  // The instruction that runs now: for gaps, and for the origin of new terms.
  void at(SiteId site) {
    site_ = site;
    arena_.set_origin(site);
  }
  SiteId site() const { return site_; }

  TermId term(const Lane& lane, unsigned bits) { return memory_.term(lane, bits); }
  Lane lane(TermId id) const { return memory_.lane(id); }
  // Is what rounds computed at once, but for approximate operations?
  bool evaluates() const { return evaluate_ && !keep_rounding_; }
  TermId truth(bool value) const { return value ? true_ : false_; }

  // dest = op(a, b, c). `bits` are the operands' widths; for kExtract `position` is the bit.
  struct Operands {
    Lane a, b, c;
    uint8_t bits[3] = {0, 0, 0};
    unsigned position = 0;
  };
  Lane apply(op::Op op, const Operands& operands);
  // Of two operands as wide as the result's type.
  Lane binary(op::Op op, const Lane& a, const Lane& b) {
    const auto width = static_cast<uint8_t>(op::bits(op.type));
    return apply(op, {a, b, {}, {width, width, 0}, 0});
  }
  Lane binary(op::Kind kind, op::Type type, const Lane& a, const Lane& b) {
    return binary(op::Op{.kind = kind, .type = type}, a, b);
  }
  // `condition` is a one-bit term.
  Lane select(TermId condition, const Lane& then_lane, const Lane& else_lane, unsigned bits);
  // Bits of a lane that is concrete, or a term over constants. Addresses become bits with a gap.
  std::optional<uint64_t> known(const Lane& lane, unsigned bits);
  // A pointer as a number: a term of where its object lies, or plain bits with a gap.
  Lane number(const Lane& pointer, unsigned bits);
  // A pointer as plain bits; says so in a gap.
  Lane concrete(const Lane& pointer, unsigned bits);

 private:
  std::optional<Lane> pointer_operation(op::Op op, const Operands& operands);
  std::optional<Lane> two_pointers(op::Op op, Pointer a, Pointer b, unsigned bits);
  std::optional<Lane> pointer_and_bits(op::Op op, Pointer p, uint64_t number, bool pointer_first,
                                       unsigned bits);
  std::optional<Lane> masked_pointer(op::Kind kind, Pointer p, uint64_t mask, unsigned bits);
  // Whether a choice between addresses (of functions, say) falls on `p`; nothing if `value` is
  // something else.
  std::optional<Lane> choice_equals(const Lane& value, Pointer p);
  Lane moved(Pointer p, int64_t distance, unsigned bits);
  // Does `op` on known bits give bits though it rounds?
  bool evaluates(op::Op op) const {
    return evaluate_ && !keep_rounding_ &&
           !(keep_approximate_ && op.rounding == op::Rounding::kApprox);
  }
  bool small(uint32_t provenance) const { return memory_.region(provenance).base >> 32 == 0; }

  Context& context_;
  term::Arena& arena_;
  Memory& memory_;
  TermId true_, false_;
  const bool evaluate_, keep_approximate_, keep_rounding_;
  SiteId site_ = kNoSite;
};

}  // namespace ptxequiv::machine
