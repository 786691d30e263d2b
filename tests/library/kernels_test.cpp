// Library functions are recognised where nvcc puts them: inside an expression (make_kernels.py).
#include <catch2/catch.hpp>

#include <algorithm>
#include <set>
#include <string>

#include "base/deadline.h"
#include "isa/lower.h"
#include "library/functions.h"
#include "library/library.h"
#include "library/maker.h"
#include "machine/machine.h"
#include "ptx/parser.h"
#include "real/reading.h"
#include "recorded_data.h"

namespace ptxequiv::library {
namespace {

using real::Kind;
using real::RealId;

constexpr uint32_t kOutput = 2;

machine::Buffer buffer(std::string name, op::Type type, machine::Role role) {
  machine::Buffer result;
  result.name = std::move(name);
  result.type = type;
  result.elements = 1;
  result.role = role;
  return result;
}

struct Executed {
  term::Arena arena;
  term::TermId value = term::kNoTerm;
};
void execute(const ptx::Module& module, const ptx::Function& entry, op::Type type, Executed& out) {
  using Part = machine::Argument::Part;
  base::Log log;
  const ir::Function function = isa::lower(module, entry);
  machine::Launch launch;
  launch.function = &function;
  for (const uint32_t number : {kOutput, 0u, 1u}) {
    machine::Argument argument;
    argument.parts.push_back({0, Part::BufferAddress{number, 0}});
    launch.arguments.push_back(argument);
  }
  machine::Program program;
  program.steps.emplace_back(std::move(launch));
  const machine::Outcome outcome = machine::execute(
      program,
      {buffer("x", type, machine::Role::kInput), buffer("y", type, machine::Role::kInput),
       buffer("o", type, machine::Role::kOutput)},
      {}, out.arena, machine::Limits{}, base::Deadline::never(), nullptr, log);
  out.value = outcome.buffers.at(kOutput)[0].value;
}

// Not recognised yet: NVVM 20 simplifies these together with what stands around them.
const std::set<std::string> kOpen = {"nvvm20 expm1", "nvvm20 f64-pow", "nvvm20 f64-pow-part",
                                     "nvvm20 f64-pow-minus-part"};

TEST_CASE("a library function inside an expression is recognised") {
  const auto library = make_library();
  for (const std::string compiler : {"nvvm7", "nvvm20"}) {
    const std::string path = std::string(KERNELS) + "/kernels." + compiler + ".ptx.gz";
    const ptx::Module module = ptx::parse(ptxequiv::testing::unpack(path), path);
    unsigned recognised = 0;
    for (const ptx::Function& entry : module.functions) {
      if (!entry.is_entry) continue;
      std::string name(entry.name.substr(2));
      std::ranges::replace(name, '_', '-');
      INFO(compiler << " " << name);
      const Named named = function_named(name);
      Executed executed;
      execute(module, entry, named.type, executed);
      real::Reading reading(executed.arena, library.get(), {});
      const RealId value = reading.read(executed.value, named.type);
      real::Dag& dag = reading.dag();
      const auto input = [&](uint32_t number) {
        const auto leaf = executed.arena.leaf(op::Kind::kInput, named.type, number, 0);
        return dag.leaf(leaf, named.type);
      };
      const RealId x = input(0), y = input(1);
      std::vector<RealId> arguments = {
          dag.make(Kind::kAdd, dag.make(Kind::kMul, x, y), dag.integer(1))};
      if (named.row->arity == 2) arguments.push_back(dag.make(Kind::kSub, y, x));
      if (named.row->constant) arguments.push_back(dag.rational(mpq_class(*named.row->constant)));
      const RealId function = named.row->meaning(dag, arguments);
      const RealId wanted = dag.make(Kind::kAdd, dag.make(Kind::kMul, function, y), x);
      CHECK((value == wanted) != kOpen.contains(compiler + " " + name));
      if (value != wanted) {
        const RealId roots[] = {value};
        UNSCOPED_INFO(real::to_string(dag, roots).substr(0, 3000));
      }
      recognised += value == wanted;
    }
    CHECK(recognised >= 43);
  }
}

}  // namespace
}  // namespace ptxequiv::library
