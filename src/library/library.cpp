#include "library/library.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/deadline.h"
#include "base/error.h"
#include "isa/lower.h"
#include "machine/machine.h"
#include "ptx/parser.h"

namespace ptxequiv::library {
namespace {

// Error bounds of the full ranges: CUDA C++ Programming Guide, 13.1 "Standard Functions".
struct FunctionRow {
  std::string_view name;
  real::Kind kind;
  bool negate_argument;  // the sign is in the constants
  double max_ulp;
};
constexpr std::array<FunctionRow, 6> kFunctions = {{
    {"exp", real::Kind::kExp, false, 1},
    {"exp-neg", real::Kind::kExp, true, 1},
    {"log", real::Kind::kLog, false, 1},
    {"log2", real::Kind::kLog2, false, 1},
    {"tanh", real::Kind::kTanh, false, 2},
    {"erf", real::Kind::kErf, false, 2},
}};

// Thread i computes element i. A template is read off element 0.
constexpr uint32_t kThreads = 32;
constexpr uint32_t kInput = 0, kOutput = 1;

// Where the two buffers stand among the kernel's parameters; the others are null.
struct Layout {
  size_t parameters;
  size_t input, output;
};
constexpr std::array<Layout, 2> kLayouts = {{
    {2, 1, 0},  // nvcc: f(o, x)
    {5, 0, 2},  // Triton: f(x, y, o, scratch, scratch)
}};

const FunctionRow& function_of(const Source& source) {
  const std::string_view name = source.name.substr(0, source.name.find('.'));
  const auto row = std::ranges::find(kFunctions, name, &FunctionRow::name);
  PTXEQUIV_CHECK(row != kFunctions.end(), "a template of an unknown function");
  return *row;
}

machine::Argument argument(size_t position, const Layout& layout) {
  using Part = machine::Argument::Part;
  machine::Argument result;
  if (position == layout.input) {
    result.parts.push_back({0, Part::BufferAddress{kInput, 0}});
  } else if (position == layout.output) {
    result.parts.push_back({0, Part::BufferAddress{kOutput, 0}});
  } else {
    result.parts.push_back({0, Part::Literal{op::Type::kB64, 0}});
  }
  return result;
}

machine::Buffer buffer(std::string name, machine::Role role) {
  machine::Buffer result;
  result.name = std::move(name);
  result.type = op::Type::kF32;
  result.elements = kThreads;
  result.role = role;
  return result;
}

// A copy of `root` over one hole instead of the input element that it is a function of.
term::TermId copy_with_hole(const term::Arena& from, term::TermId root, term::Arena& to) {
  const std::vector<term::TermId> ids = term::cone(from, std::span(&root, 1));
  std::vector<term::TermId> copies(size_t{root} + 1, term::kNoTerm);
  for (const term::TermId id : ids) {
    const term::Node& node = from[id];
    const unsigned arity = op::arity(node.op.kind);
    const auto operand = [&](unsigned i, uint32_t payload) {
      return i < arity ? copies[payload] : term::kNoTerm;
    };
    switch (node.op.kind) {
      case op::Kind::kConst:
        copies[id] = to.constant(from.width(id), from.const_bits(id));
        break;
      case op::Kind::kInput:
        PTXEQUIV_CHECK(node.a == kInput && node.b == 0, "a template reads another element");
        copies[id] = to.leaf(op::Kind::kHole, node.op.type, 0);
        break;
      case op::Kind::kExtract:
        copies[id] = to.extract(copies[node.a], node.b, from.width(id));
        break;
      default:
        PTXEQUIV_CHECK(arity > 0, "a template depends on more than its argument");
        copies[id] = to.make(node.op, operand(0, node.a), operand(1, node.b), operand(2, node.c));
    }
  }
  return copies[root];
}

}  // namespace

real::Template make_template(const Source& source, base::Log& log) {
  const FunctionRow& row = function_of(source);
  const ptx::Module module = ptx::parse(source.text, std::string(source.name) + ".ptx");
  const auto entry = std::ranges::find_if(module.functions, &ptx::Function::is_entry);
  PTXEQUIV_CHECK(entry != module.functions.end(), "a template without a kernel");
  const auto layout = std::ranges::find(kLayouts, entry->parameters.size(), &Layout::parameters);
  PTXEQUIV_CHECK(layout != kLayouts.end(), "a template with unknown parameters");

  const ir::Function function = isa::lower(module, *entry);
  machine::Launch launch;
  launch.function = &function;
  launch.block = {kThreads, 1, 1};
  for (size_t i = 0; i < layout->parameters; ++i) launch.arguments.push_back(argument(i, *layout));
  machine::Program program;
  program.steps.emplace_back(std::move(launch));
  term::Arena arena;
  const machine::Outcome outcome = machine::execute(
      program, {buffer("x", machine::Role::kInput), buffer("o", machine::Role::kOutput)}, {}, arena,
      machine::Limits{}, base::Deadline::never(), nullptr, log);
  PTXEQUIV_CHECK(outcome.gaps.empty() && outcome.faults.empty(), "a template does not run cleanly");
  const term::TermId value = outcome.buffers.at(kOutput)[0].value;
  PTXEQUIV_CHECK(value != term::kNoTerm, "a template writes nothing");

  auto copy = std::make_shared<term::Arena>();
  real::Template result;
  result.function = row.name.substr(0, row.name.find('-'));
  result.flavour = source.name.substr(source.name.find('.') + 1);
  result.kind = row.kind;
  result.negate_argument = row.negate_argument;
  result.max_ulp = row.max_ulp;
  result.root = copy_with_hole(arena, value, *copy);
  result.arena = std::move(copy);
  return result;
}

std::shared_ptr<const real::Library> make_library(base::Log& log) {
  auto library = std::make_shared<real::Library>();
  for (const Source& source : sources()) {
    real::Template made = make_template(source, log);
    // Many flavours are the same terms.
    if (library->match(*made.arena, made.root)) continue;
    library->add(std::move(made));
  }
  log.debug("library: {} templates from {} sources", library->templates().size(), sources().size());
  return library;
}

}  // namespace ptxequiv::library
