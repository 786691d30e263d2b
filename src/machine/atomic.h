// atom and red (PTX 9.7.13.5, 9.7.13.6): read-modify-writes, one lane after the other. They are
// executed in one order; where another order could leave or return something else, the race check
// says so.
#pragma once
#include <vector>

#include "machine/access.h"

namespace ptxequiv::machine {

class Atomics {
 public:
  Atomics(Env& env, Accesses& accesses);
  enum class Result : uint8_t {
    kChanged,
    kSame,  // memory is as it was before
    kWait,  // not executed: others come first
  };
  Result execute(const CodeInst& inst, Warp& warp, const Strand& strand);

 private:
  static constexpr unsigned kMaxParts = 8;
  // Of one lane: vector elements, or the halves of a 128-bit value.
  struct Operands {
    Lane b[kMaxParts], c[kMaxParts];
  };
  bool must_wait(const CodeInst& inst, Warp& warp, const Active& active);
  Accesses::Request request_for(const CodeInst& inst, unsigned warp) const;
  AtomicKind kind_of(const CodeInst& inst) const;
  Operands operands(const CodeInst& inst, Warp& warp, unsigned lane,
                    const Accesses::Request& request);
  // At one place; the old values go to `old`. False if memory is as it was before.
  bool update(const Accesses::Request& request, const AtomicKind& kind, Pointer at,
              const Operands& operands, Lane* old);
  // What the operation makes of the old values; exact.
  void combine(const ir::Atomic& atomic, bool is_global, unsigned parts, const Lane* old,
               const Operands& operands, Lane* out);
  Lane combine_one(const ir::Atomic& atomic, bool is_global, const Lane& old, const Lane& b);
  // The operation under a condition, as one without: an operand that changes nothing takes the
  // place of `b` where the condition is false. Nothing if that is not exact for it.
  std::optional<Lane> conditional(const Accesses::Request& request, Region& region, uint64_t offset,
                                  const Lane& old, const Lane& b);

  Env& env_;
  Accesses& accesses_;
};

}  // namespace ptxequiv::machine
