// No sequence that differs from a library function's in one constant, operation, condition, arm or
// operand is taken for one.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string>

#include "instance.h"
#include "library/library.h"
#include "op/evaluate.h"
#include "term/evaluate.h"

namespace ptxequiv::library {
namespace {

using op::Kind;
using testing::Change;
using testing::Draft;
using testing::instantiate;
using testing::TermId;

// What an operation is taken for by mistake.
const std::map<Kind, Kind>& others() {
  static const std::map<Kind, Kind> table = {
      {Kind::kAdd, Kind::kSub},      {Kind::kSub, Kind::kAdd},     {Kind::kMul, Kind::kAdd},
      {Kind::kAnd, Kind::kOr},       {Kind::kOr, Kind::kAnd},      {Kind::kXor, Kind::kOr},
      {Kind::kShl, Kind::kShrU},     {Kind::kShrU, Kind::kShrS},   {Kind::kShrS, Kind::kShrU},
      {Kind::kMinS, Kind::kMaxS},    {Kind::kMaxS, Kind::kMinS},   {Kind::kLtU, Kind::kLtS},
      {Kind::kLtS, Kind::kLtU},      {Kind::kFAdd, Kind::kFSub},   {Kind::kFSub, Kind::kFAdd},
      {Kind::kFMul, Kind::kFAdd},    {Kind::kFDiv, Kind::kFMul},   {Kind::kFMin, Kind::kFMax},
      {Kind::kFMax, Kind::kFMin},    {Kind::kFAbs, Kind::kFNeg},   {Kind::kFNeg, Kind::kFAbs},
      {Kind::kFEx2, Kind::kFLg2},    {Kind::kFLg2, Kind::kFEx2},   {Kind::kFRcp, Kind::kFRsqrt},
      {Kind::kFSqrt, Kind::kFRsqrt}, {Kind::kFRsqrt, Kind::kFRcp}, {Kind::kFEq, Kind::kFLt},
      {Kind::kFLt, Kind::kFLe},      {Kind::kFLe, Kind::kFLt},     {Kind::kFUnordered, Kind::kFEq}};
  return table;
}

// All changes of one node, as edits of its draft.
struct Mutation {
  TermId node;
  std::string what;
  std::function<void(Draft&, const std::vector<TermId>&)> edit;
};

std::vector<Mutation> mutations(const real::Template& t, std::mt19937& random) {
  const term::Arena& arena = *t.arena;
  std::vector<Mutation> result;
  const TermId root = t.root;
  const std::vector<TermId> ids = term::cone(arena, std::span(&root, 1));
  const auto add = [&](TermId id, std::string what, auto edit) {
    result.push_back({id, std::move(what), std::move(edit)});
  };
  for (const TermId id : ids) {
    const term::Node& node = arena[id];
    const Kind kind = node.op.kind;
    if (kind == Kind::kConst) {
      // An exponent stands for all of its kind: another one of that kind is no change.
      const bool exponent = t.constant && arena.const_bits(id) == *t.constant;
      for (const uint64_t flip : {uint64_t{1}, uint64_t{1} << (arena.width(id) - 1)}) {
        if (exponent && flip == 1) continue;
        add(id, "constant", [flip](Draft& d, const auto&) { d.bits ^= flip; });
      }
      continue;
    }
    const unsigned arity = op::arity(kind);
    if (arity == 0) continue;
    if (const auto other = others().find(kind); other != others().end()) {
      add(id, "operation", [k = other->second](Draft& d, const auto&) { d.op.kind = k; });
    }
    if (kind == Kind::kFRint || kind == Kind::kFToI) {
      const auto mode =
          node.op.rounding == op::Rounding::kRz ? op::Rounding::kRn : op::Rounding::kRz;
      add(id, "rounding", [mode](Draft& d, const auto&) { d.op.rounding = mode; });
    }
    if (kind == Kind::kExtract) {
      if (node.b > 0) add(id, "position", [](Draft& d, const auto&) { --d.position; });
    } else if (arity > 1 && !op::info(kind).commutative) {
      const unsigned at = kind == Kind::kSelect ? 1 : 0;
      const auto swapped = arena.operands(id);
      if (arena.width(swapped[at]) == arena.width(swapped[at + 1])) {
        add(id, "order",
            [at](Draft& d, const auto&) { std::swap(d.operands[at], d.operands[at + 1]); });
      }
    }
    // Each operand is another value of its width.
    const auto below = arena.operands(id);
    for (unsigned i = 0; i < arity; ++i) {
      std::vector<TermId> choices;
      for (const TermId other : ids) {
        if (other >= id) break;
        // What was never written has no value to confuse with another.
        if (arena.kind(other) == Kind::kPoison && arena.kind(below[i]) == Kind::kPoison) continue;
        // Nor have two roundings to nearest, of which ptxas may fuse one.
        const auto mine = arena.operands(below[i]), its = arena.operands(other);
        if (!mine.empty() && arena.kind(other) == arena.kind(below[i]) &&
            std::ranges::equal(mine, its)) {
          continue;
        }
        if (other != below[i] && arena.width(other) == arena.width(below[i]))
          choices.push_back(other);
      }
      if (choices.empty()) continue;
      const TermId other = choices[random() % choices.size()];
      add(id, "operand " + std::to_string(i) + " = " + std::to_string(other),
          [i, other](Draft& d, const auto& copies) { d.operands[i] = copies[other]; });
    }
  }
  return result;
}

// Do the two compute the same to a few units in the last place, over both signs and many sizes?
bool agree(const real::Template& t, const term::Arena& arena, TermId right, TermId changed) {
  const TermId roots[] = {right, changed};
  for (double size = 1.0 / 1024; size < 1000; size *= 1.1) {
    for (const double argument : {size, -size}) {
      const auto bits = term::evaluate(arena, roots, [&](TermId, const term::Node& node) {
        return node.op.kind == Kind::kInput ? op::from_double(t.type, argument) : uint64_t{0};
      });
      const double a = op::to_double(t.type, bits[0]), b = op::to_double(t.type, bits[1]);
      const double unit = std::ldexp(1.0, 1 - op::info(t.type).precision);
      if (std::isnan(a) != std::isnan(b)) return false;
      if (std::abs(a - b) > 4 * unit * std::abs(a)) return false;
    }
  }
  return true;
}

TEST_CASE("a library function with one thing changed is not recognised") {
  const auto library = make_library();
  std::mt19937 random(1);
  size_t tried = 0;
  std::map<std::string, size_t> kinds;
  for (const real::Template& t : library->templates()) {
    for (const Mutation& m : mutations(t, random)) {
      term::Arena arena;
      const auto leaves = testing::leaves_for(t, arena);
      const TermId right = instantiate(t, arena, leaves);
      const TermId changed =
          instantiate(t, arena, leaves, [&](TermId id, Draft& draft, const auto& copies) {
            if (id == m.node) m.edit(draft, copies);
          });
      if (changed == right) continue;  // folding made the same of it
      ++tried;
      ++kinds[m.what.substr(0, m.what.find(' '))];
      const auto match = library->match(arena, changed);
      if (!match) continue;
      // To the letter another sequence, or this one of other arguments, is no confusion.
      const std::vector<TermId> arguments(match->arguments.begin(),
                                          match->arguments.begin() + match->which->arity);
      const bool other = match->which != &t || arguments != leaves;
      if (other && instantiate(*match->which, arena, arguments) == changed) continue;
      // Exactly another function, of a part of this one, is no confusion: log1p ends in log's
      // steps. Nor is log(x) times a constant, which log10 is.
      const bool part = match->arguments[0] != leaves[0] || match->outer_count > 0;
      if (match->which->function != t.function && part) continue;
      // Nor is another compiler's sequence for the same function, where they differ in one place.
      if (match->which->function == t.function && &t != match->which && !part &&
          agree(t, arena, right, changed)) {
        continue;
      }
      FAIL_CHECK(t.function << " " << op::info(t.type).name << "." << t.flavour << ": " << m.what
                            << " of node " << m.node << " ("
                            << op::info((*t.arena)[m.node].op.kind).name << ") changed is "
                            << match->outer_count << " " << match->which->function << "."
                            << match->which->flavour);
    }
  }
  CHECK(tried > 8000);
  for (const char* what : {"constant", "operation", "order", "operand", "rounding", "position"}) {
    INFO(what);
    CHECK(kinds[what] > 20);
  }
}

}  // namespace
}  // namespace ptxequiv::library
