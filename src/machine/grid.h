// Runs one launch: its CTAs in turn, each to its end or until its threads wait for those of others;
// and again, where the results of atomics depend on who comes first, for other orders of arrival.
#pragma once
#include <memory>
#include <vector>

#include "machine/cta.h"
#include "machine/spin.h"
#include "machine/tickets.h"

namespace ptxequiv::machine {

class Grid {
 public:
  explicit Grid(Env& env);

  // Its effects on memory are in place afterwards.
  void run();
  uint64_t thread_instructions() const { return thread_instructions_; }
  const std::vector<bool>& executed() const { return executed_; }

 private:
  // A CTA that waits for others.
  struct Waiting {
    std::unique_ptr<Cta> cta;
    std::array<uint32_t, 3> position{};
    CtaClocks clocks;
    CtaMemory memory;
  };
  enum class Outcome : uint8_t {
    kDone,
    kImpossible,  // the arrival that was to come last cannot
  };
  Outcome run_once();
  // Goes on with those that wait, until none does or none can go on.
  Outcome finish(std::vector<Waiting>& waiting);
  // Takes a CTA's clocks and memory in or sets them aside.
  void exchange(Waiting& aside);
  // Runs anew with tickets as given: does it end, with nothing worse than was said before?
  bool holds_in(const SavedMemory& before, const Reporter::Saved& said, Tickets::Mode mode,
                size_t choice = 0);
  bool run_choices(const SavedMemory& before, const Reporter::Saved& said);
  std::unique_ptr<Cta> make_cta();
  void put_away(std::unique_ptr<Cta> cta);

  Env& env_;
  Spins spins_;
  Tickets tickets_;
  std::unique_ptr<Cta> spare_;
  uint64_t thread_instructions_ = 0;
  std::vector<bool> executed_;
};

}  // namespace ptxequiv::machine
