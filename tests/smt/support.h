// A small vocabulary for solver tests: leaves, facts, and exact evaluation of a model.
#pragma once
#include <gmpxx.h>

#include <map>
#include <vector>

#include "base/deadline.h"
#include "base/log.h"
#include "op/op.h"
#include "real/dag.h"
#include "real/facts.h"
#include "smt/solver.h"

namespace ptxequiv::smt::testing {

using real::Kind;
using real::RealId;

class TestFacts : public real::Facts {
 public:
  real::Interval range(RealId leaf, const real::Node&) const override {
    const auto found = ranges.find(leaf);
    return found == ranges.end() ? real::Interval{} : found->second;
  }
  std::span<const RealId> assumptions() const override { return assumed; }

  std::map<RealId, real::Interval> ranges;
  std::vector<RealId> assumed;
};

// Exact value of a node at a model; Booleans are 0 and 1. Enough kinds for these tests.
inline mpq_class evaluate(const real::Dag& dag, RealId root, const Model& model) {
  const std::vector<RealId> roots{root};
  std::map<RealId, mpq_class> at;
  for (RealId id : real::cone(dag, roots)) {
    const real::Node& n = dag[id];
    const auto a = [&]() -> const mpq_class& { return at.at(n.a); };
    const auto b = [&]() -> const mpq_class& { return at.at(n.b); };
    mpq_class value;
    switch (n.kind) {
      case Kind::kRational: value = dag.rational_value(id); break;
      case Kind::kLeaf: case Kind::kOpaque: case Kind::kOpaqueBool:
        value = model.reals.at(id);
        break;
      case Kind::kAdd: value = a() + b(); break;
      case Kind::kSub: value = a() - b(); break;
      case Kind::kNeg: value = -a(); break;
      case Kind::kMul: value = a() * b(); break;
      case Kind::kDiv: value = a() / b(); break;
      case Kind::kMin: value = a() < b() ? a() : b(); break;
      case Kind::kMax: value = a() < b() ? b() : a(); break;
      case Kind::kAbs: value = ::abs(a()); break;
      case Kind::kIte: case Kind::kIteBool: value = a() != 0 ? b() : at.at(n.c); break;
      case Kind::kTrue: value = 1; break;
      case Kind::kFalse: value = 0; break;
      case Kind::kLt: value = a() < b(); break;
      case Kind::kLe: value = a() <= b(); break;
      case Kind::kEq: value = a() == b(); break;
      case Kind::kAnd: value = a() != 0 && b() != 0; break;
      case Kind::kOr: value = a() != 0 || b() != 0; break;
      case Kind::kNot: value = a() == 0; break;
      default: throw std::logic_error("kind not known to this test");
    }
    at[id] = value;
  }
  return at.at(root);
}

class Fixture {
 public:
  RealId leaf(unsigned number, op::Type type = op::Type::kF32) { return dag.leaf(number, type); }
  RealId num(long n, long d = 1) { return dag.rational(mpq_class(n, d)); }
  RealId make(Kind kind, RealId a, RealId b = real::kNoReal, RealId c = real::kNoReal) {
    return dag.make(kind, a, b, c);
  }
  RealId differ(RealId a, RealId b) { return make(Kind::kNot, make(Kind::kEq, a, b)); }
  Answer ask(std::vector<RealId> conjunction) {
    Solver solver(options, log);
    return solver.check(dag, conjunction, facts, base::Deadline::never());
  }
  bool proves_equal(RealId a, RealId b) {
    return std::holds_alternative<Unsat>(ask({differ(a, b)}));
  }

  real::Dag dag;
  TestFacts facts;
  Options options;
  base::Log log{base::LogLevel::kOff};
};

}  // namespace ptxequiv::smt::testing
