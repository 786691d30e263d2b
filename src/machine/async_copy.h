// cp.async (PTX 9.7.9.25): the copied bytes become visible to the issuing thread at its wait only.
#pragma once
#include <deque>
#include <unordered_map>
#include <vector>

#include "machine/access.h"
#include "machine/env.h"

namespace ptxequiv::machine {

class AsyncCopies {
 public:
  AsyncCopies(Env& env, Accesses& accesses) : env_(env), accesses_(accesses) {}

  void begin_cta(unsigned threads);
  void issue(const CodeInst& inst, Warp& warp, const Strand& strand);
  void commit(Warp& warp, const Strand& strand, const CodeInst& inst);
  void wait(const CodeInst& inst, Warp& warp, const Strand& strand);

  // Reports an access to bytes that a copy under way will write.
  void check_access(SiteId site, unsigned thread, TermId guard, const Region& region,
                    uint64_t offset, unsigned bytes, bool is_write) const;

 private:
  static constexpr unsigned kUnit = 4;  // bytes of one piece; copies are of 4, 8 or 16
  struct Piece {
    uint32_t provenance = 0;
    uint64_t offset = 0;
    Lane value;
    TermId guard = kNoTerm;
    SiteId site = kNoSite;
    std::optional<Pointer> source;  // where the engine reads it
  };
  using Group = std::vector<Piece>;
  struct Queue {
    std::deque<Group> committed;
    Group open;
  };
  struct Flight {
    unsigned thread = 0;
    Stamp issued;
    TermId guard = kNoTerm;
    unsigned count = 0;
  };
  static uint64_t key(uint32_t provenance, uint64_t offset) {
    return uint64_t{provenance} << Pointer::kOffsetBits | offset / kUnit;
  }
  void issue_lane(const CodeInst& inst, Warp& warp, const Strand& strand, unsigned lane,
                  TermId guard);
  std::vector<TermId> bytes_read(const CodeInst& inst, Warp& warp, unsigned lane);
  Lane read_piece(Accesses::Request source, TermId guard, Pointer at, const TermId* read);
  static int64_t offset_of(size_t piece) { return static_cast<int64_t>(piece * kUnit); }
  void land(const Group& group, unsigned thread, const CodeInst& inst);

  using Flights = std::unordered_map<uint64_t, Flight>;
  void take_off(Flights& flights, const Piece& piece, uint64_t key, unsigned thread);
  // What `thread` would have to execute so that its copies to, or from, the place are over.
  std::string waiting_for(unsigned thread, bool to, uint64_t key) const;
  static void arrive(Flights& flights, uint64_t key);

  Env& env_;
  Accesses& accesses_;
  std::vector<Queue> queues_;  // by thread
  Flights in_flight_;          // by destination
  Flights sources_;            // by source
};

}  // namespace ptxequiv::machine
