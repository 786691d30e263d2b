#include "spec/infer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "spec/nearest.h"
#include "spec/parameters.h"
#include "spec/validate.h"

namespace ptxequiv::spec {
namespace {

using base::InputError;

// Enough for real kernels; beyond it, arguments are to be written down.
constexpr size_t kMaxParameters = 24;
constexpr uint64_t kMaxSteps = 100000;

class LaunchInference {
 public:
  // `alone`: the side has no other launch.
  LaunchInference(Check& check, Launch& launch, std::string label, const ptx::Module& module,
                  bool alone)
      : check_(check), launch_(launch), label_(std::move(label)), module_(module), alone_(alone) {}

  void run() {
    const ptx::Function& kernel = entry();
    if (!launch_.block) block(kernel);
    if (!launch_.args) arguments(kernel);
  }

 private:
  [[noreturn]] void fail(const std::string& message, const std::string& hint) const {
    throw InputError(check_.path, launch_.loc, message, hint);
  }

  std::string file() const { return std::filesystem::path(launch_.ptx).filename().string(); }

  const ptx::Function& entry() {
    const std::vector<const ptx::Function*> entries = module_.entries();
    std::vector<std::string> names;
    for (const ptx::Function* entry : entries) names.push_back(entry->name);
    if (entries.empty())
      fail(fmt::format("{} has no .entry", launch_.ptx), "is it PTX of a kernel?");
    if (launch_.kernel.empty()) {
      if (entries.size() > 1)
        fail(fmt::format("{} has {} entries and the {} names none", launch_.ptx, entries.size(),
                         label_),
             fmt::format("choose one: {}", fmt::join(names, ", ")));
      launch_.kernel = entries[0]->name;
      check_.inferred.push_back(
          fmt::format("entry of the {} = {} (the only one of {})", label_, launch_.kernel, file()));
    }
    for (const ptx::Function* entry : entries)
      if (entry->name == launch_.kernel) return *entry;
    fail(fmt::format("{} has no entry \"{}\"", launch_.ptx, launch_.kernel),
         nearest_hint(launch_.kernel, names));
  }

  void block(const ptx::Function& kernel) {
    for (const auto& [directive, values] : kernel.directives) {
      if (directive != "reqntid" || values.empty() || values.size() > 3) continue;
      std::array<uint32_t, 3> block = {1, 1, 1};
      for (size_t i = 0; i < values.size(); ++i) {
        if (values[i] == 0 || values[i] > 0xffffffffu) fail(".reqntid makes no sense", "");
        block[i] = static_cast<uint32_t>(values[i]);
      }
      launch_.block = block;
      check_.inferred.push_back(
          fmt::format("block of the {} = [{}] (from .reqntid)", label_, fmt::join(block, ", ")));
      return;
    }
    fail(fmt::format("the {} has no block, and {} has no .reqntid to take it from", label_,
                     kernel.name),
         "say how many threads a CTA has (\"block\" or --block)");
  }

  // Names that a parameter could be given; the parameter is read and is no struct.
  std::vector<std::string> candidates(const ParameterUse& use) const {
    std::vector<std::string> result;
    const ParameterSlot& slot = use.slots[0];
    if (slot.pointer) {
      const bool writes = slot.stored || slot.escapes;
      for (const Buffer& buffer : check_.buffers) {
        if (buffer.role == Role::kInput && slot.stored) continue;
        // Nothing else writes an output where the launch is alone; among several, one may read
        // what another wrote.
        if (buffer.role == Role::kOutput && alone_ && !writes) continue;
        result.push_back(buffer.name);
      }
    } else {
      for (const Scalar& scalar : check_.scalars) {
        const bool widths = op::bits(scalar.type) == op::bits(use.type);
        const bool kinds = op::is_float(scalar.type) || !op::is_float(use.type);
        if (widths && kinds) result.push_back(scalar.name);
      }
    }
    return result;
  }

  Argument named(const std::string& name) const {
    Argument argument;
    argument.loc = launch_.loc;
    if (find_buffer(check_, name)) {
      argument.value = Argument::BufferRef{name, 0};
    } else {
      argument.value = Argument::ScalarRef{name};
    }
    return argument;
  }

  static Argument unused(const ParameterUse& use) {
    Argument argument;
    if (op::bits(use.type) == 64 && !op::is_float(use.type)) {
      argument.value = Argument::Null{};
    } else {
      argument.value = Argument::Literal{use.type, Number{"0"}};
    }
    return argument;
  }

  void arguments(const ptx::Function& kernel) {
    const std::vector<ParameterUse> uses = parameter_uses(module_, kernel);
    const std::string needed = fmt::format("the {} has no args", label_);
    const std::string hint = fmt::format(
        "list the {} arguments of {} in order (\"args\" or --args); `ptxequiv inspect` "
        "shows the parameters",
        uses.size(), kernel.name);
    if (uses.size() > kMaxParameters) fail(needed, hint);

    const std::vector<std::string> known = value_names(check_);
    const bool by_name = std::all_of(uses.begin(), uses.end(), [&](const ParameterUse& use) {
      return std::find(known.begin(), known.end(), use.name) != known.end();
    });
    std::vector<std::string> chosen(uses.size());
    if (by_name) {
      for (size_t i = 0; i < uses.size(); ++i) chosen[i] = uses[i].name;
    } else {
      std::vector<std::vector<std::string>> options(uses.size());
      for (size_t i = 0; i < uses.size(); ++i) {
        const ParameterUse& use = uses[i];
        if (use.is_array || use.slots.size() > 1 || use.address_taken)
          fail(needed + fmt::format(", and its parameter {} is a struct", i), hint);
        if (use.slots.empty()) continue;
        options[i] = candidates(use);
        if (options[i].empty())
          fail(needed + fmt::format(", and no buffer or scalar fits parameter {}", i), hint);
      }
      if (!assign(options, chosen)) fail(needed + ", and more than one order would fit", hint);
    }

    std::vector<Argument> args;
    std::vector<std::string> words;
    for (size_t i = 0; i < uses.size(); ++i) {
      args.push_back(chosen[i].empty() ? unused(uses[i]) : named(chosen[i]));
      words.push_back(chosen[i].empty() ? "(unused)" : chosen[i]);
    }
    launch_.args = std::move(args);
    check_.inferred.push_back(
        fmt::format("args of the {} = {} ({})", label_, fmt::join(words, ", "),
                    by_name ? "by the parameters' names" : "the only order that fits their use"));
  }

  // Gives each parameter that has options one of them, none twice; true if there is exactly one
  // way to do so.
  static bool assign(const std::vector<std::vector<std::string>>& options,
                     std::vector<std::string>& chosen) {
    std::vector<size_t> open;
    for (size_t i = 0; i < options.size(); ++i)
      if (!options[i].empty()) open.push_back(i);
    std::sort(open.begin(), open.end(), [&](size_t a, size_t b) {
      return options[a].size() != options[b].size() ? options[a].size() < options[b].size() : a < b;
    });
    // Depth-first over `open` with an explicit stack of option indices.
    std::vector<size_t> at(open.size(), 0);
    std::vector<std::string> current(options.size());
    size_t depth = 0, solutions = 0;
    for (uint64_t steps = 0; steps < kMaxSteps; ++steps) {
      if (depth == open.size()) {
        if (++solutions > 1) return false;
        chosen = current;
        if (depth == 0) return true;
        --depth;
        current[open[depth]].clear();
        continue;
      }
      const std::vector<std::string>& here = options[open[depth]];
      bool placed = false;
      while (at[depth] < here.size() && !placed) {
        const std::string& name = here[at[depth]++];
        if (std::find(current.begin(), current.end(), name) != current.end()) continue;
        current[open[depth]] = name;
        placed = true;
      }
      if (placed) {
        if (++depth < open.size()) at[depth] = 0;
      } else {
        if (depth == 0) return solutions == 1;
        --depth;
        current[open[depth]].clear();
      }
    }
    return false;
  }

  Check& check_;
  Launch& launch_;
  std::string label_;
  const ptx::Module& module_;
  bool alone_;
};

}  // namespace

void infer(Check& check, const ModuleOf& module_of) {
  struct Named {
    Side* side;
    const char* name;
  };
  for (const Named& named :
       {Named{&check.reference, "reference"}, Named{&check.candidate, "candidate"}}) {
    const size_t launches = static_cast<size_t>(
        std::count_if(named.side->steps.begin(), named.side->steps.end(),
                      [](const Step& step) { return std::holds_alternative<Launch>(step); }));
    size_t index = 0;
    for (Step& step : named.side->steps) {
      auto* launch = std::get_if<Launch>(&step);
      if (!launch) continue;
      ++index;
      const std::string label =
          launches == 1 ? named.name : fmt::format("{}'s launch {}", named.name, index);
      LaunchInference(check, *launch, label, module_of(launch->ptx), launches == 1).run();
    }
  }
}

}  // namespace ptxequiv::spec
