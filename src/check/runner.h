// The stages of one check in order, and the verdict they lead to. Internal to `check`.
#pragma once
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
#include "check/world.h"
#include "machine/machine.h"
#include "real/library.h"

namespace ptxequiv::check {

class Runner {
 public:
  Runner(const spec::Check& check, const Options& options, base::Log& log, Report& report);
  ~Runner();

  // Fills the report. Throws what a stage throws; check::run turns that into a verdict.
  void run();
  // Which side was being executed when an exception left run(), or empty.
  const std::string& side() const { return side_; }

 private:
  machine::Outcome execute(const machine::Program& program, const std::string& side);
  bool settle_structure();                  // faults and gaps; true if they decide the verdict
  bool settle_uninitialised();
  void decide_elements();
  void reopen_order_dependent();
  ProofLog prove(World& world, Prover::Effort effort);
  bool refute(World& world, std::optional<Refutation> found);
  void try_models(World& world, const ProofLog& log);
  void look_closely(World& world);
  void decide_bitwise(World& world);
  void conclude();
  std::vector<size_t> classify();
  bool differs_in_coverage(const Element& element, const Point& point) const;
  std::string queries(World& world);
  void report_fault(const SettledFault& fault, const std::string& side);
  void collect_assumptions();
  void note(const machine::Outcome& outcome, const std::string& side);
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
  std::shared_ptr<const real::Library> library_;
  std::unique_ptr<smt::Solver> solver_;
  std::unique_ptr<World> exact_, snapped_;
  ProofLog proof_;
  bool refuted_ = false;
};

}  // namespace ptxequiv::check
