// The driver: steps of a program, CTAs of a launch.
#include "machine/machine.h"

#include <fmt/format.h>

#include <memory>

#include "base/error.h"
#include "machine/grid.h"

namespace ptxequiv::machine {
namespace {

// PTX and CUDA limits that hold on every target (CUDA guide, compute capabilities).
constexpr uint64_t kMaxThreads = 1024;
constexpr uint64_t kMaxStaticShared = 48 << 10;
constexpr uint64_t kMaxShared = 227 << 10;  // of the largest GPUs
constexpr uint64_t kMaxBlockZ = 64;
constexpr uint64_t kMaxGridX = 0x7fffffff, kMaxGridYZ = 65535;

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
  // Module variables to be taken for arbitrary in another run, since the launches change them.
  const std::vector<CarriedOver>& carried_over() const { return carried_over_; }

 private:
  // What the kernel itself, or any GPU, allows.
  static std::string beyond_kernel(const Launch& launch, uint64_t threads) {
    const ptx::Function* kernel = launch.function->source;
    if (kernel != nullptr) {
      for (const auto& [name, extents] : kernel->directives) {
        if (name != "maxntid" && name != "reqntid") continue;
        uint64_t allowed = 1;
        for (const uint64_t extent : extents) allowed *= extent;
        if (threads > allowed || (name == "reqntid" && threads != allowed)) {
          return fmt::format("a block of {} threads, and the kernel says .{} {}", threads, name,
                             allowed);
        }
      }
    }
    uint64_t shared = 0;
    for (const ir::MemoryObject& object : launch.function->objects) {
      if (object.space != ptx::Space::kShared || object.dynamic_shared) continue;
      shared = (shared + object.align - 1) / object.align * object.align + object.bytes;
    }
    if (shared > kMaxStaticShared) {
      return fmt::format("{} bytes of static shared memory, more than {}", shared,
                         kMaxStaticShared);
    }
    if (shared + launch.shared_bytes > kMaxShared) {
      return fmt::format("{} bytes of shared memory, more than {}", shared + launch.shared_bytes,
                         kMaxShared);
    }
    return "";
  }

  bool within_limits(uint32_t step, const Launch& launch) {
    const uint64_t threads = uint64_t{launch.block[0]} * launch.block[1] * launch.block[2];
    const uint64_t ctas = uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
    std::string wrong;
    if (threads == 0) wrong = "a block of no threads";
    if (ctas == 0) wrong = "a grid of no CTAs";
    if (threads > kMaxThreads)
      wrong = fmt::format("a block of {} threads, more than 1024", threads);
    if (launch.block[2] > kMaxBlockZ)
      wrong = fmt::format("a block {} deep, more than 64", launch.block[2]);
    if (launch.grid[0] > kMaxGridX || launch.grid[1] > kMaxGridYZ || launch.grid[2] > kMaxGridYZ) {
      wrong = "a grid that is too large";
    }
    if (wrong.empty()) wrong = beyond_kernel(launch, threads);
    if (wrong.empty()) return true;
    Site site{step, launch.function, nullptr};
    context_.reporter.fault({Category::kLaunchLimit,
                             Fault::Strength::kCertain,
                             context_.arena.truth(true),
                             "the launch has " + wrong,
                             {{site, {}, false}},
                             {},
                             {}});
    return false;
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
    outcome_.block_executed = grid.executed();
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
    Context context{buffers,  scalars,  arena, limits,   deadline,
                    oracle,   log,      reporter, &program.variables, &arbitrary};
    Execution execution(context, program, outcome);
    execution.run();
    log.debug("machine: {} thread instructions, {} terms", outcome.thread_instructions,
              arena.size());
    if (execution.carried_over().empty()) return outcome;
    for (const CarriedOver& variable : execution.carried_over()) {
      arbitrary.push_back(variable);
    };
    arena.truncate(mark);
  }
}

}  // namespace ptxequiv::machine
