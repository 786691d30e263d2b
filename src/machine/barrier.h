// CTA barriers (PTX 9.7.13.1): arrival of whole warps, counts, reductions over a predicate.
#pragma once
#include <map>
#include <vector>

#include "machine/barrier_choice.h"
#include "machine/env.h"

namespace ptxequiv::machine {

class Barriers {
 public:
  explicit Barriers(Env& env) : env_(env), choices_(env) {}

  // A CTA, or a world of it, starts with these warps.
  void begin_cta(std::vector<Warp>& warps);
  // The strand waits, or goes on at once (bar.arrive).
  bool arrive(const CodeInst& inst, Warp& warp, Strand& strand);
  // Completes barriers that all participants have reached.
  // Else lets one of those go that wait for their turn. Did any?
  bool complete(std::vector<Warp>& warps);
  // All strands wait for something that will not come. Says what.
  void report_stuck(std::vector<Warp>& warps);

 private:
  struct State {
    bool has_count = false;
    uint64_t count = 0;
    std::vector<uint32_t> arrived;       // lanes, by warp
    std::vector<uint32_t> waiting;       // of these, those that wait (not bar.arrive)
    std::vector<SiteId> sites;           // of the first arrival, by warp
    HappensBefore::Knowledge knowledge;  // of bar.arrive threads that went on
    bool any_arrive = false;
    bool grid_waited = false;  // one of those has waited for the launch before
  };
  uint64_t counted(const State& state) const;
  bool is_complete(const State& state) const;
  uint64_t missing(uint32_t id, uint64_t count) const;  // warps
  void release(uint32_t id, State& state, std::vector<Warp>& warps);
  void check_alike(const State& state, uint32_t id, std::vector<Warp>& warps);
  void check_exited(const State& state, std::vector<Warp>& warps);
  void order(const State& state, const std::vector<Warp>& warps);
  void reduce(uint32_t id, const State& state, std::vector<Warp>& warps);
  bool waits_at(const Strand& strand, Warp& warp, uint32_t id);
  uint32_t barrier_id(const CodeInst& inst, Warp& warp, unsigned lane);

  Env& env_;
  std::map<uint32_t, State> states_;  // by barrier, those with an arrival
  BarrierChoices choices_;
  const std::vector<Warp>* warps_ = nullptr;
};

}  // namespace ptxequiv::machine
