// The driver: steps of a program, CTAs of a launch.
#include "machine/machine.h"

#include <memory>

#include "base/error.h"
#include "machine/grid.h"
#include "machine/launch_limits.h"

namespace ptxequiv::machine {
namespace {

class Execution {
 public:
  Execution(Context& context, const Program& program, Outcome& outcome)
      : context_(context),
        program_(program),
        outcome_(outcome),
        order_(context.arena),
        memory_(context, order_),
        values_(context, memory_),
        ranges_(context),
        worlds_(context),
        strong_(order_) {}

  void run() {
    for (uint32_t step = 0; step < program_.steps.size(); ++step) {
      const Step& what = program_.steps[step];
      if (const auto* launch = std::get_if<Launch>(&what)) {
        run_launch(step, *launch);
        continue;
      }
      const SiteId site = context_.reporter.add_sites(step, nullptr);
      values_.at(site);
      before_ = nullptr;  // what the host does waits for all before it
      if (const auto* fill = std::get_if<Fill>(&what)) memory_.fill(*fill, site);
      if (const auto* copy = std::get_if<Copy>(&what)) memory_.copy(*copy, site);
    }
    carried_over_ = memory_.carried_over();
    if (!carried_over_.empty()) return;
    outcome_.buffers = memory_.results();
    context_.arena.set_origin(0xffffffffu);
  }
  // Ends the run here. What is found stands; the gap keeps it from being a proof.
  void cut_short(const std::string& id, const std::string& message, bool unsupported) {
    context_.reporter.gap(id, message, values_.site(), unsupported);
    outcome_.buffers = memory_.results();
    context_.arena.set_origin(0xffffffffu);
  }
  // Module variables to be taken for arbitrary in another run, since the launches change them.
  const std::vector<CarriedOver>& carried_over() const { return carried_over_; }

 private:
  bool within_limits(uint32_t step, const Launch& launch) {
    const std::string wrong = beyond_limits(launch);
    const Site site{step, launch.function, nullptr};
    if (!wrong.empty()) {
      context_.reporter.fault({Category::kLaunchLimit,
                               Fault::Strength::kCertain,
                               context_.arena.truth(true),
                               "the launch has " + wrong,
                               {{site, {}, false}},
                               {},
                               {}});
      return false;
    }
    if (cluster_size(launch) == 1) return true;
    const ptx::Module* module = launch.function->module;
    throw base::Unsupported("cluster launch", module == nullptr ? "" : module->path, {},
                            "thread block clusters are not modelled yet");
  }

  void run_launch(uint32_t step, const Launch& launch) {
    const SiteId first_site = context_.reporter.add_sites(step, launch.function);
    if (!within_limits(step, launch)) return;
    const Code code(*launch.function, first_site);
    Env env{context_, memory_, order_, values_, ranges_, worlds_, strong_};
    env.step = step;
    env.launch = &launch;
    env.before = before_;
    before_ = &launch;
    env.code = &code;
    memory_.begin_launch(launch, env.threads());
    Grid grid(env);
    grid.run();
    outcome_.thread_instructions += grid.thread_instructions();
    std::vector<bool>& executed = outcome_.blocks_executed[launch.function];
    executed.resize(grid.executed().size());
    for (size_t i = 0; i < executed.size(); ++i) executed[i] = executed[i] || grid.executed()[i];
  }

  Context& context_;
  const Program& program_;
  Outcome& outcome_;
  std::vector<CarriedOver> carried_over_;
  const Launch* before_ = nullptr;
  HappensBefore order_;
  Memory memory_;
  Values values_;
  Ranges ranges_;
  Worlds worlds_;
  StrongWrites strong_;
};

}  // namespace

Outcome execute(const Program& program, const std::vector<Buffer>& buffers,
                const std::vector<Scalar>& scalars, term::Arena& arena, const Limits& limits,
                const base::Deadline& deadline, Oracle* oracle, base::Log& log) {
  // With module variables as they are initialised; then, where the launches change what they read,
  // with arbitrary contents.
  const size_t mark = arena.size();
  std::vector<CarriedOver> arbitrary;
  for (;;) {
    Outcome outcome;
    Reporter reporter(arena, outcome);
    Context context{
        buffers,   scalars, arena, limits, deadline, oracle, log, reporter, &program.variables,
        &arbitrary};
    Execution execution(context, program, outcome);
    try {
      execution.run();
    } catch (const base::Unsupported& e) {
      if (!reporter.any_for_all_inputs()) throw;
      execution.cut_short("unsupported", e.what(), true);
      return outcome;
    } catch (const base::LimitReached& e) {
      if (!reporter.any_for_all_inputs() || deadline.passed()) throw;
      execution.cut_short(e.limit(), e.detail(), false);
      return outcome;
    }
    log.debug("machine: {} thread instructions, {} terms", outcome.thread_instructions,
              arena.size());
    if (execution.carried_over().empty()) return outcome;
    const std::vector<CarriedOver>& more = execution.carried_over();
    arbitrary.insert(arbitrary.end(), more.begin(), more.end());
    arena.truncate(mark);
  }
}

}  // namespace ptxequiv::machine
