// What a launch writes to memory by strong accesses (relaxed, release, volatile, atomic), in the
// order in which it was executed: what a strong read sees, and whom that synchronises with
// (PTX 8.7.4).
#pragma once
#include <compare>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "machine/happens_before.h"
#include "machine/lane.h"

namespace ptxequiv::machine {

class StrongWrites {
 public:
  explicit StrongWrites(HappensBefore& order) : order_(order) {}

  struct Write {
    Lane value;  // what the place holds after it
    // What it releases to threads of its CTA, and to others; null: nothing.
    ReleaseRef near, far;
    bool is_rmw = false;
    uint16_t operation = 0;  // of a read-modify-write, with its operand
    Lane operand;
    Stamp stamp;
    // All writes up to that with this index come before it in every schedule; -1: none.
    int after = -1;
    // The last one that is not of its own chain of read-modify-writes and whose past it hands on.
    int hands_on = -1;
  };
  struct Seen {  // that what a thread does from then on comes after
    Stamp stamp;
    int write = -1;
    // In every schedule: of all writes up to it, or of the read-modify-writes of one operation.
    enum class Always : uint8_t { kNo, kLike, kAll } always = Always::kNo;
    uint16_t operation = 0;
  };
  struct Exit {  // of a loop that waited for the place
    Stamp stamp;
    int write = -1;  // the first that ends the loop
    // Does a value end it? Nothing: not known.
    std::function<std::optional<bool>(const Lane&)> ends;
  };
  struct Place {
    Lane before;  // contents before the first of the writes
    unsigned size = 0;
    bool mixed = false;  // written in several widths, or partly
    std::vector<Write> writes;
    std::vector<Exit> exits;
    std::vector<Seen> seen;
  };

  void begin_launch() { places_.clear(); }
  // `owner` keeps the shared memory of CTAs apart; 0 for global memory.
  struct Key {
    uint32_t provenance = 0;
    uint32_t owner = 0;
    uint64_t offset = 0;
    auto operator<=>(const Key&) const = default;
  };
  Place* find(const Key& key);
  // The place, with what it holds before any write if there was none.
  Place& open(const Key& key, unsigned size, const Lane& before);
  // Remembers a write; true if it may make a loop end that was left by an earlier one without it:
  // then the earlier order is not the only one.
  bool add(const Key& key, unsigned size, const Lane& before, Write write);
  // What is seen by reading what the write with that index left: its release, and those of the
  // read-modify-writes that it follows on without another write between.
  void see(Place& place, int index, unsigned thread, Reach reach, bool acquires,
           Seen::Always always, uint16_t operation = 0);
  // What is seen by reading no one knows which of them: no race is claimed that one may exclude.
  void see_any(const Place& place, unsigned thread, Reach reach);
  // Does whatever `thread` now does at the place come after this write, because it, or one ordered
  // before it, has seen it there? (Coherence: PTX 8.10.3.)
  // `always`: in every schedule.
  bool after(const Place& place, const Stamp& write, unsigned thread, bool always) const;
  // The first of the writes that `thread` may still see: what one ordered before it has
  // overwritten, it cannot. -1: what was there before; nothing: not the same in every schedule.
  std::optional<int> earliest_seen(const Place& place, unsigned thread) const;
  // Does who sees the one also synchronise with the other, an earlier one?
  static bool includes(const Place& place, int later, int earlier);
  // Is it the same writes that come up to `index`, or none of `index` and those after it, in every
  // schedule?
  static bool settled(const Place& place, int index);

 private:
  // The last index up to which all writes come before what `thread` does now; -1: none.
  int all_before(const Place& place, unsigned thread) const;

  HappensBefore& order_;
  std::map<Key, Place> places_;
};

}  // namespace ptxequiv::machine
