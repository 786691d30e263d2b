// The stages of one check in order, and the verdict they lead to. Internal to `check`.
#pragma once
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "check/atomic_order.h"
#include "check/check.h"
#include "check/elements.h"
#include "check/faults.h"
#include "check/prepare.h"
#include "check/prover.h"
#include "check/refuter.h"
#include "check/schedule.h"
#include "check/world.h"
#include "machine/machine.h"
#include "real/library.h"

namespace ptxequiv::check {

// What a report says of a fault.
Finding finding_of(const SettledFault& settled, const std::string& side);

class Runner {
 public:
  Runner(const spec::Check& check, const Options& options, base::Log& log, Report& report);
  ~Runner();

  // Fills the report. Throws what a stage throws; check::run turns that into a verdict.
  void run();
  // Which side was being executed when an exception left run(), or empty.
  const std::string& side() const { return side_; }

 private:
  // Faults and gaps that leave the verdict open, but forbid a proof.
  struct Blocked {
    Verdict verdict = Verdict::kUnknown;
    std::string reason, message;
    bool may_refute = true;   // the reference is beyond doubt, and the candidate did run
    std::vector<SettledFault> possible;   // of the candidate
  };

  machine::Outcome execute(const machine::Program& program, const std::string& side,
                           machine::Schedule schedule = machine::Schedule::kForward,
                           const base::Deadline* deadline = nullptr);  // null: the check's own
  void decide();
  bool decided() const {
    return report_.verdict == Verdict::kInvalid || report_.verdict == Verdict::kNotEquivalent;
  }
  // Each of these: true if it decides the verdict.
  bool settle_structure();                  // faults and gaps
  bool settle_uninitialised();
  bool settle_order();                      // what depends on the order of atomics
  bool settle_schedule_inputs();            // ... on clocks and the like
  bool differs_in_order(bool is_reference);
  bool differs_in_order(bool is_reference, const machine::Outcome& forward,
                        machine::Schedule schedule, const char* name, const machine::Site& cause);
  bool differs_in_inputs(bool is_reference);
  void refute_only();                       // values, where a proof is out of reach
  void decide_elements();
  void reopen_order_dependent();
  ProofLog prove(World& world, Prover::Effort effort);
  bool refute(World& world, std::optional<Refutation> found);
  void try_models(World& world, const ProofLog& log);
  void look_closely(World& world);
  void decide_bitwise(World& world);
  void prove_integers(World& world);
  void decide_within_tolerance();
  // Level real-if: a condition on the inputs under which what is refuted or open is proved.
  struct Conditional {
    std::string text;
    Prepared prepared;                       // with the condition among its assumptions
    std::unique_ptr<World> exact, snapped;
    std::vector<Element> elements;
    ProofLog log;
  };
  void know_bits();
  void seek_condition();
  std::vector<std::string> condition_candidates() const;
  bool holds_under(Conditional& trial, const base::Deadline& deadline);
  void adopt_condition();
  void bound_elements(World& world);
  void conclude();
  std::vector<size_t> classify();
  bool differs_in_coverage(const Element& element, const Point& point) const;
  std::string queries(World& world);
  // A confirmed fault of a side; the first one is the verdict.
  void report_fault(const SettledFault& fault, bool is_reference);
  void report_finding(Finding finding, Witness witness, bool is_reference);
  void report_two_runs(bool is_reference, const Element& runs, const Refutation& difference,
                       const std::string& first, const std::string& second,
                       const machine::Site& cause, machine::Category category);
  // Where the witness of a refutation is gone once an instruction does not wrap: `int-overflow`.
  using Shows = std::function<bool(const machine::Outcome&)>;
  void explain_by_overflow(const std::optional<Point>& point, bool of_values, const Shows& gone);
  void explain_fault(const SettledFault& settled);
  void blame(const ir::Function& function, const ptx::Instruction& instruction);
  bool agrees(const machine::Outcome& outcome, const Element& element, const Point& point);
  bool happens(const machine::Fault& fault, const machine::Outcome& outcome,
               const std::optional<Point>& point);
  // Does the suppressions file name it? Then it is only counted.
  bool suppress(const Finding& finding, bool certain);
  void note_suppressions();
  // The candidate's possible fault that happens at this point.
  const SettledFault* fault_at(const Point& point) const;
  bool reads_unwritten(TermId value, const Element& element);
  void collect_assumptions();
  void note(const machine::Outcome& outcome, const std::string& side);
  void note_unexecuted(const machine::Outcome& outcome, const std::string& side);
  void note_unused_inputs();
  World& world(bool snapped);
  bool literals_matter() const;             // some ex2/lg2 meets a literal
  template <typename F>
  auto timed(const std::string& stage, F&& work);
  void dump(const std::string& what, const std::function<std::string()>& text);

  const Options& options_;
  base::Log& log_;
  Report& report_;
  spec::Check spec_;
  base::Deadline deadline_;
  std::string side_;
  Sources sources_;
  Prepared prepared_;
  term::Arena arena_;
  machine::Outcome reference_, candidate_;
  std::vector<Element> elements_;
  AtomicOrder order_{arena_};
  ScheduleInputs schedule_{arena_};
  std::optional<Blocked> blocked_;
  std::vector<bool> suppression_used_;
  std::shared_ptr<const real::Library> library_;
  std::unique_ptr<smt::Solver> solver_;
  std::unique_ptr<World> exact_, snapped_;
  ProofLog proof_;
  bool refuted_ = false;
  std::optional<Point> witness_;             // of the refutation
  std::unique_ptr<Conditional> condition_;   // once it is found and adopted
};

template <typename F>
auto Runner::timed(const std::string& stage, F&& work) {
  const auto start = std::chrono::steady_clock::now();
  if (options_.progress) options_.progress(stage, 0, 0);
  struct Stop {
    Runner& runner;
    const std::string& stage;
    std::chrono::steady_clock::time_point start;
    ~Stop() {
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      for (auto& [name, total] : runner.report_.timings) {
        if (name == stage) {
          total += seconds;
          return;
        }
      }
      runner.report_.timings.emplace_back(stage, seconds);
    }
  } stop{*this, stage, start};
  return work();
}

}  // namespace ptxequiv::check
