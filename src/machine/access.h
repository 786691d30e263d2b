// Loads and stores: bounds, alignment, spaces, races; at plain addresses and at terms.
#pragma once
#include "machine/env.h"

namespace ptxequiv::machine {

class AsyncCopies;

// A place that an address which is a term may mean, under a condition.
struct Place {
  TermId condition = kNoTerm;  // kNoTerm: no condition
  Pointer pointer;
};

class Accesses {
 public:
  explicit Accesses(Env& env) : env_(env) {}
  void set_async(const AsyncCopies* async) { async_ = async; }

  void load(const CodeInst& inst, Warp& warp, const Strand& strand);
  // False if no lane stores.
  bool store(const CodeInst& inst, Warp& warp, const Strand& strand);

  // One access by `lanes` of a warp (one lane unless all read the same place).
  struct Request {
    const CodeInst* inst = nullptr;
    unsigned warp = 0;
    uint32_t lanes = 0;
    TermId guard = kNoTerm;
    unsigned size = 0;  // of an element
    unsigned count = 1;
    ptx::Space space = ptx::Space::kGeneric;
    uint8_t flags = 0;
    unsigned thread() const { return warp * kWarpSize + first_lane(lanes); }
  };
  // False if it is out of bounds or misaligned, which is reported. `extra` bytes are what the
  // instruction's other accesses need beside this one for alignment.
  bool check(const Request& request, Pointer at, bool is_write);
  void read(const Request& request, Pointer at, Lane* out);
  void write(const Request& request, Pointer at, const Lane* values);
  // Remembers an access for the race check, and reports a conflict.
  void track(const Request& request, Region& region, uint64_t offset, unsigned bytes, bool is_write,
             const Lane* value);
  // The same for a read-modify-write. True if it is a float addition that meets another one which
  // nothing orders with it: then the sum depends on the order by its rounding.
  bool track_atomic(const Request& request, Region& region, uint64_t offset,
                    const AtomicKind& kind);
  // A read-modify-write, of one element.
  struct Rmw {
    uint16_t operation;
    Lane operand;
  };
  // strong_access.cpp: a strong read of one element by request.lanes at a place, which may
  // synchronise with writes. `last`: in every schedule the read-modify-writes
  // of that operation there come before.
  void strong_read(const Request& request, Region& region, uint64_t offset,
                   const ir::MemoryAccess& access, const Rmw* last = nullptr);
  // A strong write of one element, to be seen by others; `before` was there. `rmw` if it also
  // reads.
  void strong_write(const Request& request, Region& region, uint64_t offset,
                    const ir::MemoryAccess& access, const Lane& before, const Lane& value,
                    const Rmw* rmw);
  // What a store of one element needs beside the race check: that the memory may be written.
  void before_write(const Request& request, Region& region, uint64_t offset, const Lane& value);
  // The place of a lane's address if it is one; nothing for a term.
  std::optional<Pointer> plain(const Lane& address, unsigned width);
  // The address is a number that lies in no memory: reported, and true.
  bool nowhere(const Request& request, TermId address, bool is_write);
  // The places that `address` plus `offset` may mean for an access; out-of-bounds ones are
  // reported.
  std::vector<Place> places(const Request& request, const Path* path, TermId address,
                            unsigned width, int64_t offset, bool is_write);

 private:
  struct Option;  // symbolic_address.cpp
  std::vector<Option> decompose(const Request& request, TermId address, unsigned width);
  void places_of(const Request& request, const Facts& facts, const Option& option, bool is_write,
                 std::vector<Place>& out);
  void load_symbolic(const Request& request, const Path* path, TermId address, unsigned width,
                     Lane* out);
  void store_symbolic(const Request& request, const Path* path, TermId address, unsigned width,
                      const Lane* values);
  void read_initialised(const Request& request, Pointer at, Lane* out);
  // conflict_report.cpp
  void report(const Conflicts& conflicts, Region& region, uint64_t offset);
  bool left_open(const Conflict& conflict, Region& region, uint64_t offset);
  void report_race(const Conflict& conflict, TermId both, Region& region, uint64_t offset);
  Request request_for(const CodeInst& inst, unsigned warp) const;

  Env& env_;
  const AsyncCopies* async_ = nullptr;
};

}  // namespace ptxequiv::machine
