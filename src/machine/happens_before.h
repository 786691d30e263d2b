// Which accesses are ordered, and which conflict. Agents are threads; what orders them is program
// order, barriers, warp synchronisation, the end of a launch, and what synchronises through memory:
// a release that an acquire has seen (PTX 8.7 to 8.9). In the manner of FastTrack
// (Flanagan, Freund 2009): a memory cell keeps its last write and a summary of the reads since.
//
// Clocks have three levels, so that the usual case costs a comparison:
//   phase   counts barriers of the whole CTA: an earlier phase is ordered before everything now;
//   clock   per thread, counts its synchronisations; `known_by_warp` is how much of a thread's past
//           its whole warp has seen;
//   rows    what a thread knows of each other thread after barriers or warp syncs of a part only.
// What a thread knows of other CTAs are Releases that it, or one ordered before it, has acquired.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "machine/fault.h"
#include "machine/lane.h"

namespace ptxequiv::machine {

enum AccessFlag : uint8_t {
  kAccessVolatile = 1,
  kAccessStrong = 2,       // relaxed, acquire or release: ordered by the memory model, not by us
  kAccessNonCoherent = 4,  // ld.global.nc
  kAccessAsync = 8,        // by an asynchronous copy that the thread started
  kAccessMany = 16,        // stands for several accesses, by other threads too
  kAccessAtomic = 32,      // a read-modify-write
  kAccessSpin = 64,        // a read that a loop waits on
  kAccessShared = 128,     // of memory that only one CTA gets at
};

// One access: by whom, when, where in the program, under which condition.
struct Stamp {
  uint32_t cta = 0;  // running number of the CTA in the whole execution; 0: none
  uint32_t phase = 0;
  uint32_t clock = 0;
  SiteId site = kNoSite;
  TermId guard = kNoTerm;
  uint16_t thread = 0;  // in its CTA
  uint8_t bytes = 0;    // width of the access
  uint8_t flags = 0;
};

// What is remembered of one cell.
struct Shadow {
  Stamp write;
  Stamp read;   // by `lanes` of the reader's warp
  Stamp other;  // a read by some other CTA of the launch
  uint32_t lanes = 0;
  uint32_t more = 0;          // index + 1 of an Extra: further readers and writers
  uint32_t non_coherent = 0;  // CTA of the last ld.global.nc
};

// What an atomic operation does to a cell, as far as its order with others counts.
struct AtomicKind {
  uint16_t operation = 0;  // the same number: the same operation on the same type
  bool commutes = false;   // two of the same operation leave the same, whichever comes first
  bool rounds = false;     // ... but for rounding
  bool used = false;       // something reads what it returns
  bool narrow = false;     // its scope is the CTA
  // Operands, of an operation that commutes only with itself on the same ones.
  TermId b = kNoTerm, c = kNoTerm;
  friend bool operator==(const AtomicKind&, const AtomicKind&) = default;
};

// Two accesses of one cell that nothing orders.
struct Conflict {
  enum class Kind : uint8_t {
    kRace,      // at least one of them is not atomic
    kOverlap,   // atomic accesses of different widths
    kScope,     // one's scope leaves the other's thread out
    kOrder,     // atomic, but what is left or returned depends on which comes first
    kRounding,  // atomic additions of floats: only the rounding depends on that
  };
  Stamp earlier, now;
  bool earlier_is_write = false;
  bool now_is_write = false;
  Kind kind = Kind::kRace;
};
// All that may happen together, as far as their guards do not obviously exclude each other; one
// that happens for certain stands for all.
using Conflicts = std::vector<Conflict>;

// Whom a strong access or a fence reaches (PTX 8.5). Without a cluster launch, a cluster is a CTA.
enum class Reach : uint8_t { kCta, kGpu };
Reach reach_of(std::string_view scope);

// All that happens before a fence, or a releasing access, of one thread.
struct Release {
  uint32_t cta = 0;
  uint32_t phase = 0;
  uint32_t clock = 0;
  uint16_t thread = 0;
  std::array<uint32_t, kWarpSize> warp{};  // known_by_warp of the thread's warp
  std::shared_ptr<const std::vector<uint32_t>> row;
  std::vector<std::shared_ptr<const Release>> earlier;  // of other CTAs, that are acquired
};
using ReleaseRef = std::shared_ptr<const Release>;

// The clocks of one CTA.
struct CtaClocks {
  using Row = std::shared_ptr<const std::vector<uint32_t>>;
  struct Acquired {
    uint32_t phase = 0, clock = 0;
    uint16_t thread = 0;
    ReleaseRef release;
  };
  struct Pending {  // read, and acquired by the next fence
    ReleaseRef release;
    Reach reach;
  };
  uint32_t number = 0;  // in the whole execution
  uint32_t phase = 1;
  std::vector<uint32_t> clocks;           // by thread
  std::vector<uint32_t> known_by_warp;    // by thread: clock that all live lanes of its warp know
  std::vector<uint32_t> ordered_by_warp;  // the same, by what orders memory
  bool soft_rows = false;                 // some row is of shuffles among a part of a warp
  std::vector<uint8_t> uneven;            // by warp: its lanes' clocks differ
  std::vector<Row> rows;                  // by thread; null: knows nothing beyond the above
  bool any_row = false;
  std::map<unsigned, std::array<ReleaseRef, 2>> fences;  // by thread: last one of each reach
  std::map<unsigned, std::vector<Pending>> pending;      // by thread
  std::vector<Acquired> acquired;
  std::vector<uint8_t> waited;  // by thread of a dependent launch: for the launches before
};

// What else orders an access after a strong write of the same place.
class Coherence {
 public:
  virtual ~Coherence() = default;
  // `always`: in every schedule, not only in this one.
  virtual bool after(const Stamp& write, unsigned thread, bool always) const = 0;
};

class HappensBefore {
 public:
  static constexpr uint32_t kNoStep = 0xffffffffu;
  explicit HappensBefore(term::Arena& arena)
      : arena_(arena), true_(arena.truth(true)), false_(arena.truth(false)) {}

  // `follows`: CTAs may wait for each other, or synchronise through memory; then accesses of
  // different CTAs are kept apart.
  // `dependent`: it may start before the launch before is over (PTX 9.7.13.13); then accesses of a
  // thread that has not waited are not ordered after those of that launch. The same `step` as the
  // last time: the launch is run again.
  void begin_launch(uint32_t ctas, bool follows, uint32_t step = kNoStep, bool dependent = false);
  // `index` is the CTA's position in its launch.
  void begin_cta(unsigned threads, uint32_t index);
  // Number of the CTA that runs.
  uint32_t cta() const { return cta_.number; }
  // Another CTA of the launch comes to run; the clocks of the one that ran are kept.
  void swap_cta(CtaClocks& other) { std::swap(cta_, other); }
  // The same CTA again, under other decisions.
  void begin_world() {
    cta_.waited.assign(cta_.waited.size(), 0);
    cta_barrier();
  }
  // griddepcontrol.launch_dependents, and .wait; what waits hand on is as for other knowledge.
  void grid_trigger() { triggered_ = true; }
  void grid_wait(unsigned thread);
  bool grid_waited(unsigned thread) const {
    return !cta_.waited.empty() && cta_.waited[thread] != 0;
  }
  bool of_earlier_launch(const Stamp& s) const { return s.cta < launch_first_; }
  // An access of the launch before that this one may have overtaken for certain: that launch let it
  // start early.
  bool overtaken(const Stamp& s) const { return s.cta >= before_first_ && before_triggered_; }
  // The launch before did not wait for those before it: nor does a wait for it.
  bool waits_for_all() const { return !chain_open_; }
  // Has the running CTA acquired anything? Then each access is held against all of it, which takes
  // long after many.
  bool has_acquired() const { return !cta_.acquired.empty(); }
  // Has someone written the cell in this launch?
  bool written_in_launch(const Shadow& cell) const { return in_launch(cell.write); }
  // Position of a CTA in its launch.
  uint32_t cta_index(const Stamp& stamp) const {
    return stamp.cta - (of_earlier_launch(stamp) ? before_first_ : launch_first_);
  }

  Stamp stamp(unsigned thread, SiteId site, TermId guard, unsigned bytes, uint8_t flags) const {
    return {cta_.number,
            cta_.phase,
            cta_.clocks[thread],
            site,
            guard,
            static_cast<uint16_t>(thread),
            static_cast<uint8_t>(bytes),
            flags};
  }
  // Each records an access of one cell and returns the accesses that it conflicts with, until the
  // next call. `now` is the first lane's stamp. A read is by `lanes` of a warp together.
  const Conflicts& read(Shadow& cell, uint32_t lanes, const Stamp& now);
  // For the accesses recorded next; null: nothing does.
  void set_coherence(const Coherence* coherence) { coherence_ = coherence; }
  // Does the cell already hold what is written, as one value of that width?
  enum class SameValue : uint8_t {
    kNo,
    kNow,     // after the last write
    kAlways,  // no other value was ever stored there, under whatever condition
  };
  // `same_value_write` is set if only that saves it from being a race.
  const Conflicts& write(Shadow& cell, const Stamp& now, SameValue same_value,
                         bool& same_value_write);
  const Conflicts& atomic(Shadow& cell, const Stamp& now, const AtomicKind& kind);

  // Synchronisation through memory (PTX 8.7): a fence before a strong write, or a releasing write,
  // with a strong read that sees it and a fence after, or an acquiring read.
  void fence(unsigned warp, uint32_t mask, uint32_t live, Reach reach);
  // What a strong write that `thread` now makes would release; null if nothing.
  ReleaseRef release_of(unsigned thread, Reach reach, bool releases);
  // `thread` has seen a write that released something.
  void see(unsigned thread, const ReleaseRef& release, Reach reach, bool acquires);
  // Is the access `s` ordered before whatever `thread` of the running CTA does now?
  bool ordered(const Stamp& s, unsigned thread) const;
  // The same by program order, barriers of the CTA and warp synchronisation alone: whatever
  // schedule is executed.
  bool ordered_always(const Stamp& s, unsigned thread) const;

  // Forgets a cell's accesses.
  void clear(Shadow& cell) {
    drop_extra(cell);
    cell = Shadow{};
  }
  // Gives `copy`, a copy of another cell's shadow, further readers and writers of its own.
  void separate(Shadow& copy);

  // Synchronisation. `live` are the warp's lanes that have not exited.
  // `orders`: the manual says that it orders memory, which of shuffles and votes it does not.
  void warp_sync(unsigned warp, uint32_t mask, uint32_t live, bool orders = true);
  // Was an access taken to be ordered by shuffles or votes alone, since this was last asked?
  bool take_relied_on_shuffles() { return std::exchange(relied_, false); }
  void cta_barrier();
  using Knowledge = std::vector<uint32_t>;
  // What `thread` knows and did is added to `into`; later actions of it are not.
  void release(unsigned thread, Knowledge& into);
  void acquire(unsigned thread, const Knowledge& from);

 private:
  struct Reader {
    Stamp stamp;
    uint32_t lanes = 0;
  };
  // Atomic accesses of one kind. The operations commute with each other or not, all alike.
  struct AtomicGroup {
    AtomicKind kind;
    uint8_t bytes = 0;
    std::vector<Reader> members;
    size_t prune_at = 32;  // size at which members that need not be kept are dropped
  };
  struct Extra {
    std::vector<Reader> writers;  // one lane each
    std::vector<Reader> readers;
    std::vector<AtomicGroup> atomics;
  };
  using Row = CtaClocks::Row;

  // Of this launch, or of one before that some thread may not be ordered after: to be remembered.
  bool in_launch(const Stamp& s) const { return s.cta >= kept_first_ && s.cta != 0; }
  // The same for the thread whose access is in hand.
  bool counts(const Stamp& s) const { return s.cta >= bound_ && s.cta != 0; }
  uint32_t bound_of(unsigned thread) const {
    return cta_.waited.empty() || cta_.waited[thread] != 0 ? launch_first_ : kept_first_;
  }
  void share_wait(unsigned first, uint32_t lanes);
  bool ordered_elsewhere(const Stamp& s, unsigned thread) const;
  void acquire_release(unsigned thread, const ReleaseRef& release);
  // May nothing come between `s`, by `lanes` of its warp, and `now`? `s` becomes one that is not
  // ordered before `thread`.
  bool unordered(Stamp& s, uint32_t lanes, unsigned thread) const;
  // Adds a conflict unless the guards exclude each other; true if it is certain: no need to go on.
  bool add(const Stamp& earlier, bool earlier_is_write, const Stamp& now, bool now_is_write,
           Conflict::Kind kind = Conflict::Kind::kRace);
  void find_for_read(const Shadow& cell, uint32_t lanes, const Stamp& now);
  void find_for_write(const Shadow& cell, const Stamp& now, SameValue same_value,
                      bool& same_value_write);
  bool find_among_reads(const Shadow& cell, const Stamp& now);
  bool find_among_atomics(const Shadow& cell, uint32_t lanes, const Stamp& now, bool now_is_write);
  bool find_in_group(const AtomicGroup& group, const Stamp& now, const AtomicKind& kind);
  void record_atomic(Shadow& cell, const Stamp& now, const AtomicKind& kind);
  void prune(AtomicGroup& group, const Stamp& now);
  void record_read(Shadow& cell, uint32_t lanes, const Stamp& now);
  void drop_reads(Shadow& cell, bool cta_only);
  void read_elsewhere(Shadow& cell, const Stamp& read, uint32_t lanes);  // by another CTA
  void add_reader(Shadow& cell, const Stamp& stamp, uint32_t lanes);
  void add_writer(Shadow& cell, const Stamp& stamp);
  // Does one entry stand for both exactly, whoever comes next? Then with the guards' disjunction.
  bool alike(const Stamp& a, const Stamp& b) const;
  void compress(std::vector<Reader>& entries);
  void merge(Stamp& into, const Stamp& other);
  Extra& extra(Shadow& cell);
  void drop_extra(Shadow& cell);
  void share_row(unsigned warp, uint32_t mask, Row row);

  term::Arena& arena_;
  TermId true_, false_;
  Conflicts conflicts_;  // of the access in hand
  const Coherence* coherence_ = nullptr;
  mutable bool relied_ = false;
  bool follows_ = false;
  uint32_t launch_first_ = 1;
  // Dependent launches.
  uint32_t step_ = kNoStep;
  uint32_t kept_first_ = 1, before_first_ = 1, bound_ = 1;
  bool dependent_ = false, triggered_ = false, any_waited_ = false;
  bool before_triggered_ = false, chain_open_ = false;
  uint32_t next_ = 1;  // CTA number not yet given out
  uint32_t many_ = 0;  // stands for several CTAs of the launch
  CtaClocks cta_;
  std::vector<Extra> extras_;
  std::vector<uint32_t> free_extras_;
};

}  // namespace ptxequiv::machine
