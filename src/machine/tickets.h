// Tickets: what atomics return that count arrivals at one place, all by the same step. In every
// schedule the results are the same numbers, each returned once; who gets which, the schedule
// chooses. A launch is first run in one order. Then it stands for every order if it comes out the
// same
//   kAny:   with tickets that may be any of the numbers, or
//   kLast:  for each arrival that may come last: that one waits until all others have come, which
//           gives it the last number and orders it after them; theirs are any of the others.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "machine/env.h"
#include "machine/strong_writes.h"

namespace ptxequiv::machine {

class Tickets {
 public:
  enum class Mode : uint8_t { kRecord, kAny, kLast };

  explicit Tickets(Env& env) : env_(env) {}

  struct Draw {
    StrongWrites::Key key;
    unsigned size = 0;
    ir::Atomic::Rmw rmw{};
    op::Type type{};
    Lane operand;
    Lane old;  // what memory holds
    unsigned thread = 0;
    bool conditional = false;
    SiteId site = kNoSite;
  };
  // What the read-modify-write returns in this run instead of `old`, and what that says.
  struct Drawn {
    Lane value;
    bool last = false;  // all others come before it; else it is ordered after none
  };
  std::optional<Drawn> draw(const Draw& draw);
  // Accesses to the place are not ordered, and what they return depends on that.
  void contended(const StrongWrites::Key& key) { contended_.insert(key); }
  // Must the arrivals of one instruction wait for others? By place and thread of each.
  bool must_wait(const std::vector<std::pair<StrongWrites::Key, unsigned>>& arrivals) const;

  // After the run that recorded: can other orders be followed? False also if none need to be.
  bool plan();
  bool any_contended() const { return !contended_.empty(); }
  // How many ways there are to choose who comes last, everywhere; 0 if that cannot be followed.
  size_t choices() const { return choices_; }
  bool one_place() const { return places_in_order_.size() == 1; }
  // Of the only place: that the arrival which a choice has come last is the last one.
  TermId is_last(size_t choice);
  void begin_run(Mode mode, size_t choice = 0);
  // A CTA starts, perhaps anew in another world.
  void begin_cta();
  // Does what memory holds depend on a ticket?
  bool decide(const Memory& memory) const;
  // Terms for tickets that runs used, with what they are.
  const std::vector<ScheduleInput>& inputs() const { return inputs_; }

 private:
  struct Event {  // one arrival; the n-th of its thread
    uint32_t cta = 0;
    uint32_t thread = 0;
    uint32_t number = 0;
    auto operator<=>(const Event&) const = default;
  };
  struct Arrival {
    uint64_t position = 0;  // in the order of the run that recorded
    Stamp stamp;
    bool may_be_last = true;  // no other is ordered after it
    TermId leaf = kNoTerm;    // for its ticket, once there is one
  };
  struct Place {
    ir::Atomic::Rmw rmw{};
    Lane base, operand;
    unsigned size = 0;
    bool usable = true;
    bool any_order = true;  // nothing orders any of them with another
    std::map<Event, Arrival> events;
    std::vector<Event> last;  // those that may be
  };
  struct Epoch {  // arrivals between two times that the place is set anew
    StrongWrites::Key key;
    uint32_t number = 0;
    auto operator<=>(const Epoch&) const = default;
  };
  Lane step(const Draw& draw, const Lane& old) const;
  Lane value(const Place& place, const Lane& ticket) const;
  void count_choices();
  void note_arrival(Place& place, const Event& event, const Draw& draw);
  TermId leaf_of(Place& place, const Event& event);
  Lane ticket_of(Place& place, const Event& event, uint64_t among);

  Env& env_;
  Mode mode_ = Mode::kRecord;
  std::map<Epoch, Place> places_;
  std::set<StrongWrites::Key> contended_;
  std::vector<Epoch> places_in_order_;  // those that are contended
  std::map<Epoch, Event> holders_;      // kLast: who comes last
  size_t choices_ = 0;
  bool apart_ = false;  // who is last at one place does not count at another
  std::vector<ScheduleInput> inputs_;
  // Of the run under way.
  struct Now {
    uint32_t epoch = 0;
    Lane next;
    bool started = false;
  };
  std::map<StrongWrites::Key, Now> now_;
  std::map<std::pair<StrongWrites::Key, Event>, uint32_t> numbers_;  // Event::number left 0
  std::map<Epoch, std::set<Event>> arrived_;
};

}  // namespace ptxequiv::machine
