#include "library/library.h"

#include <catch2/catch.hpp>

#include <string>

#include "real/reading.h"

namespace ptxequiv::library {
namespace {

using term::TermId;

// The same term in another arena, over `argument` instead of the hole; the constant numbered
// `changed` (in id order) differs in its lowest bit. Returns how many constants there are.
struct Instance {
  TermId root = term::kNoTerm;
  unsigned constants = 0;
};
Instance instantiate(const real::Template& from, term::Arena& arena, TermId argument,
                     unsigned changed) {
  Instance result;
  std::vector<TermId> copies(from.root + size_t{1}, term::kNoTerm);
  const TermId root = from.root;
  for (const TermId id : term::cone(*from.arena, std::span(&root, 1))) {
    const term::Node& node = (*from.arena)[id];
    const unsigned arity = op::arity(node.op.kind);
    if (node.op.kind == op::Kind::kHole) {
      copies[id] = argument;
    } else if (node.op.kind == op::Kind::kConst) {
      const uint64_t bits = from.arena->const_bits(id);
      const bool change = ++result.constants == changed;
      copies[id] = arena.constant(from.arena->width(id), change ? bits ^ 1 : bits);
    } else if (node.op.kind == op::Kind::kExtract) {
      copies[id] = arena.extract(copies[node.a], node.b, from.arena->width(id));
    } else {
      copies[id] = arena.make(node.op, copies[node.a], arity > 1 ? copies[node.b] : term::kNoTerm,
                              arity > 2 ? copies[node.c] : term::kNoTerm);
    }
  }
  result.root = copies[root];
  return result;
}

TEST_CASE("every source makes a template that is recognised as its function") {
  base::Log log;
  const auto library = make_library(log);
  CHECK(sources().size() > library->templates().size());
  for (const Source& source : sources()) {
    INFO(source.name);
    const real::Template made = make_template(source, log);
    term::Arena arena;
    const TermId x = arena.leaf(op::Kind::kInput, op::Type::kF32, 0, 5);
    const auto match = library->match(arena, instantiate(made, arena, x, 0).root);
    REQUIRE(match);
    CHECK(match->argument == x);
    CHECK(match->which->function == made.function);
    CHECK(match->which->negate_argument == made.negate_argument);
  }
}

TEST_CASE("the functions wanted are there") {
  base::Log log;
  const auto library = make_library(log);
  for (const std::string function : {"exp", "log", "log2", "tanh", "erf"}) {
    const auto& all = library->templates();
    CHECK(std::any_of(all.begin(), all.end(),
                      [&](const real::Template& t) { return t.function == function; }));
  }
}

TEST_CASE("a template with any one constant changed is not recognised") {
  base::Log log;
  const auto library = make_library(log);
  for (const real::Template& t : library->templates()) {
    const unsigned constants = [&] {
      term::Arena arena;
      const TermId x = arena.leaf(op::Kind::kInput, op::Type::kF32, 0, 0);
      return instantiate(t, arena, x, 0).constants;
    }();
    CHECK(constants >= 7);
    for (unsigned i = 1; i <= constants; ++i) {
      INFO(t.function << "." << t.flavour << ", constant " << i);
      term::Arena arena;
      const TermId x = arena.leaf(op::Kind::kInput, op::Type::kF32, 0, 0);
      CHECK_FALSE(library->match(arena, instantiate(t, arena, x, i).root));
    }
  }
}

TEST_CASE("a library function reads as the real one") {
  base::Log log;
  const auto library = make_library(log);
  for (const real::Template& t : library->templates()) {
    INFO(t.function << "." << t.flavour);
    term::Arena arena;
    const TermId x = arena.leaf(op::Kind::kInput, op::Type::kF32, 0, 0);
    const TermId root = instantiate(t, arena, x, 0).root;
    real::Reading reading(arena, library.get(), {});
    real::Dag& dag = reading.dag();
    real::RealId argument = dag.leaf(x, op::Type::kF32);
    if (t.negate_argument) argument = dag.make(real::Kind::kNeg, argument);
    CHECK(reading.read(root, op::Type::kF32) == dag.make(t.kind, argument));
  }
}

}  // namespace
}  // namespace ptxequiv::library
