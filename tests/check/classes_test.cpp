#include "check/classes.h"

#include <catch2/catch.hpp>

#include "check/world.h"

using namespace ptxequiv;
using namespace ptxequiv::check;
using op::Kind;
using op::Op;
using op::Rounding;
using op::Type;
using term::TermId;

namespace {

struct Fixture {
  Fixture() {
    for (const char* name : {"x", "y", "o"}) {
      spec::Buffer b;
      b.name = name;
      b.type = Type::kF32;
      b.shape = {8};
      prepared.spec.buffers.push_back(b);
      prepared.buffers.push_back({name, Type::kF32, 8, machine::Role::kInput, 256, -1});
    }
    spec::Scalar s;
    s.name = "s";
    s.type = Type::kF32;
    prepared.spec.scalars = {s, s};
    prepared.scalars = {{"s", Type::kF32, {}}, {"t", Type::kF32, {}}};
  }
  TermId x(uint32_t i) { return arena.leaf(Kind::kInput, Type::kF32, 0, i); }
  TermId y(uint32_t i) { return arena.leaf(Kind::kInput, Type::kF32, 1, i); }
  TermId scalar(uint32_t i) { return arena.leaf(Kind::kScalar, Type::kF32, i); }
  TermId add(TermId a, TermId b) {
    return arena.make(Op{Kind::kFAdd, Type::kF32, Type::kNone, Rounding::kRn}, a, b);
  }
  TermId sub(TermId a, TermId b) {
    return arena.make(Op{Kind::kFSub, Type::kF32, Type::kNone, Rounding::kRn}, a, b);
  }
  Prepared prepared;
  term::Arena arena;
};

Element pair(TermId reference, TermId candidate) {
  Element element;
  element.buffer = 2;
  element.type = Type::kF32;
  element.reference = reference;
  element.candidate = candidate;
  return element;
}

}  // namespace

TEST_CASE("elements that differ in the names of inputs are of one kind") {
  Fixture f;
  real::Reading reading(f.arena, nullptr, {});
  const SpecFacts facts(f.prepared, f.arena, reading);
  Classifier c(f.arena, facts, false);
  const auto kind = [&](TermId a, TermId b) { return c.classify(pair(a, b)); };
  const auto base = kind(f.add(f.x(0), f.y(0)), f.add(f.y(0), f.x(0)));
  CHECK(base == kind(f.add(f.x(3), f.y(5)), f.add(f.y(5), f.x(3))));
  // One substitution for both sides: here the candidate reads another element.
  CHECK(base != kind(f.add(f.x(3), f.y(5)), f.add(f.y(5), f.x(4))));
  // The same input twice is another function than two inputs.
  CHECK(base != kind(f.add(f.x(3), f.x(3)), f.add(f.x(3), f.x(3))));
  CHECK(kind(f.sub(f.x(0), f.x(1)), f.sub(f.x(1), f.x(0))) == kind(f.sub(f.x(5), f.x(2)), f.sub(f.x(2), f.x(5))));
  CHECK(kind(f.sub(f.x(0), f.x(1)), f.sub(f.x(0), f.x(1))) != kind(f.sub(f.x(0), f.x(1)), f.sub(f.x(1), f.x(0))));
}

TEST_CASE("literals and scalars are compared, never abstracted") {
  Fixture f;
  real::Reading reading(f.arena, nullptr, {});
  const SpecFacts facts(f.prepared, f.arena, reading);
  Classifier c(f.arena, facts, false);
  const TermId one = f.arena.constant(32, 0x3f800000), two = f.arena.constant(32, 0x40000000);
  CHECK(c.classify(pair(f.add(f.x(0), one), f.x(0))) != c.classify(pair(f.add(f.x(1), two), f.x(1))));
  CHECK(c.classify(pair(f.add(f.x(0), f.scalar(0)), f.x(0))) !=
        c.classify(pair(f.add(f.x(1), f.scalar(1)), f.x(1))));
}

TEST_CASE("a declared range is part of an input's kind") {
  Fixture f;
  f.prepared.spec.buffers[1].range = spec::Range{spec::Number{"0"}, spec::Number{"1"}};
  real::Reading reading(f.arena, nullptr, {});
  const SpecFacts facts(f.prepared, f.arena, reading);
  Classifier c(f.arena, facts, false);
  CHECK(c.classify(pair(f.add(f.x(0), f.x(1)), f.x(0))) != c.classify(pair(f.add(f.x(0), f.y(1)), f.x(0))));
}

TEST_CASE("terms past the limit are of one kind only if they are moved within their buffers") {
  Fixture f;
  real::Reading reading(f.arena, nullptr, {});
  const SpecFacts facts(f.prepared, f.arena, reading);
  Classifier c(f.arena, facts, false, 4);
  const auto sum = [&](std::initializer_list<uint32_t> indices) {
    TermId all = f.y(0);
    for (const uint32_t i : indices) all = f.sub(all, f.x(i));
    return all;
  };
  const uint32_t base = c.classify(pair(sum({0, 1, 2, 3}), f.x(0)));
  CHECK(base == c.classify(pair(sum({3, 4, 5, 6}), f.x(3))));
  CHECK(base != c.classify(pair(sum({3, 4, 5, 6}), f.x(4))));
  CHECK(base != c.classify(pair(sum({3, 4, 5, 7}), f.x(3))));
}

TEST_CASE("an element's own initial contents are not another's") {
  Fixture f;
  real::Reading reading(f.arena, nullptr, {});
  const SpecFacts facts(f.prepared, f.arena, reading);
  Classifier c(f.arena, facts, false);
  const TermId own = f.arena.leaf(Kind::kInitial, Type::kF32, 2, 0), other = f.arena.leaf(Kind::kInitial, Type::kF32, 2, 1);
  CHECK(c.classify(pair(f.add(f.x(0), own), own)) != c.classify(pair(f.add(f.x(0), other), other)));
}
