#include "library/maker.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/deadline.h"
#include "base/error.h"
#include "isa/lower.h"
#include "library/functions.h"
#include "machine/machine.h"
#include "ptx/parser.h"
#include "term/resolve.h"

namespace ptxequiv::library {
namespace {

// The inputs are buffers 0 and 1.
constexpr uint32_t kOutput = real::kMostArguments;

// What each parameter of the kernel is: the number of a buffer, or null.
constexpr uint32_t kNull = 99;
struct Layout {
  std::vector<uint32_t> parameters;
};
Layout layout_of(size_t parameters) {
  switch (parameters) {
    case 2:  // nvcc: f(o, x)
      return {{kOutput, 0}};
    case 3:  // nvcc: f(o, x, y)
      return {{kOutput, 0, 1}};
    case 5:  // Triton: f(x, y, o, scratch, scratch)
      return {{0, 1, kOutput, kNull, kNull}};
    default:
      throw base::InternalError("a template with unknown parameters");
  }
}

machine::Argument argument(uint32_t buffer) {
  using Part = machine::Argument::Part;
  machine::Argument result;
  if (buffer == kNull) {
    result.parts.push_back({0, Part::Literal{op::Type::kB64, 0}});
  } else {
    result.parts.push_back({0, Part::BufferAddress{buffer, 0}});
  }
  return result;
}

// One thread computes one element.
machine::Buffer buffer(std::string name, op::Type type, machine::Role role) {
  machine::Buffer result;
  result.name = std::move(name);
  result.type = type;
  result.elements = 1;
  result.role = role;
  return result;
}

// A copy of `root` over holes instead of the input elements that it is a function of.
term::TermId copy_with_hole(const term::Arena& from, term::TermId root, term::Arena& to) {
  const std::vector<term::TermId> ids = term::cone(from, std::span(&root, 1));
  std::vector<term::TermId> copies(size_t{root} + 1, term::kNoTerm);
  for (const term::TermId id : ids) {
    term::Node node = from[id];
    const std::span operands(&node.a, op::arity(node.op.kind));
    for (uint32_t& operand : operands) operand = copies[operand];
    if (node.op.kind == op::Kind::kInput) {
      PTXEQUIV_CHECK(node.a < kOutput && node.b == 0, "a template reads another element");
      node.op.kind = op::Kind::kHole;
    }
    PTXEQUIV_CHECK(!operands.empty() || node.op.kind == op::Kind::kConst ||
                       node.op.kind == op::Kind::kHole || node.op.kind == op::Kind::kPoison,
                   "a template depends on more than its argument");
    copies[id] = to.build(node);
  }
  return copies[root];
}

}  // namespace

real::Template make_template(const Source& source, base::Log& log) {
  const Named named = function_named(source.name.substr(0, source.name.find('.')));
  const ptx::Module module = ptx::parse(source.text, std::string(source.name) + ".ptx");
  const auto entry = std::ranges::find_if(module.functions, &ptx::Function::is_entry);
  PTXEQUIV_CHECK(entry != module.functions.end(), "a template without a kernel");

  const ir::Function function = isa::lower(module, *entry);
  machine::Launch launch;
  launch.function = &function;
  for (const uint32_t number : layout_of(entry->parameters.size()).parameters) {
    launch.arguments.push_back(argument(number));
  }
  machine::Program program;
  program.steps.emplace_back(std::move(launch));
  term::Arena arena;
  const machine::Outcome outcome =
      machine::execute(program,
                       {buffer("x", named.type, machine::Role::kInput),
                        buffer("y", named.type, machine::Role::kInput),
                        buffer("o", named.type, machine::Role::kOutput)},
                       {}, arena, machine::Limits{}, base::Deadline::never(), nullptr, log);
  // What may be out of bounds (the digits of 2/pi, of an exponent that is in range) is asked again
  // of each program in which the function stands.
  const bool clean =
      outcome.gaps.empty() && std::ranges::none_of(outcome.faults, [](const machine::Fault& fault) {
        return fault.strength == machine::Fault::Strength::kCertain;
      });
  PTXEQUIV_CHECK(clean, "a template does not run cleanly");
  const term::TermId value = outcome.buffers.at(kOutput)[0].value;
  PTXEQUIV_CHECK(value != term::kNoTerm, "a template writes nothing");

  auto copy = std::make_shared<term::Arena>();
  const size_t dot = source.name.find('.');
  real::Template result = describe(source.name.substr(0, dot), source.name.substr(dot + 1));
  result.root = copy_with_hole(arena, value, *copy);
  result.arena = std::move(copy);
  return result;
}

std::optional<real::Template> settled(const real::Template& made) {
  auto copy = std::make_shared<term::Arena>();
  const term::TermId root = copy_with_hole(*made.arena, made.root, *copy);
  const std::vector<bool> poisoned =
      term::any_below(*copy, [&](term::TermId id) { return copy->kind(id) == op::Kind::kPoison; });
  real::Template result = made;
  result.root = term::resolve(*copy, root, poisoned);
  if (result.root == root) return {};
  result.arena = std::move(copy);
  return result;
}

std::vector<real::Template> make_all(base::Log& log) {
  real::Library library;
  const auto add = [&](real::Template made) {
    // Many flavours are the same terms.
    const auto known = library.match(*made.arena, made.root);
    if (known && known->outer_count == 0) {
      PTXEQUIV_CHECK(known->which->function == made.function, "one template of two functions");
      return;
    }
    library.add(std::move(made));
  };
  for (const Source& source : sources()) {
    real::Template made = make_template(source, log);
    std::optional<real::Template> other = settled(made);
    add(std::move(made));
    if (other) add(*std::move(other));
  }
  return library.templates();
}

}  // namespace ptxequiv::library
