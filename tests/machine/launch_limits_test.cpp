#include <catch2/catch.hpp>

#include "base/error.h"
#include "harness.h"

using namespace ptxequiv;
using namespace ptxequiv::machine;
using namespace ptxequiv::machine::test;

namespace {

struct Shape {
  std::array<uint32_t, 3> grid{1, 1, 1}, block{32, 1, 1}, cluster{1, 1, 1};
  uint32_t shared = 0;
  uint32_t registers = 0;
  std::string target = "sm_90";
  std::string directives, variables;
};

// What is said of such a launch of a kernel that does nothing; empty: nothing.
std::string refused(const Shape& shape) {
  std::string text = kernel({}, shape.variables + "ret;");
  const std::string target = ".target sm_90a";
  text.replace(text.find(target), target.size(), ".target " + shape.target);
  const std::string version = ".version 8.6";
  text.replace(text.find(version), version.size(), ".version 8.7");
  text.insert(text.find('{'), shape.directives + "\n");
  Bench bench;
  bench.launch(text, shape.grid, shape.block, {}, shape.shared);
  bench.last_launch().cluster = shape.cluster;
  bench.last_launch().registers = shape.registers;
  bench.run();
  const auto faults = bench.faults(Category::kLaunchLimit);
  if (faults.empty()) return "";
  CHECK(faults[0]->strength == Fault::Strength::kCertain);
  CHECK(bench.outcome().thread_instructions == 0);
  return faults[0]->message;
}

}  // namespace

TEST_CASE("blocks and grids have a largest size") {
  CHECK(refused({.block = {1024, 1, 1}}) == "");
  CHECK(refused({.block = {1056, 1, 1}}) ==
        "the launch has a block of 1056 threads, more than 1024");
  CHECK(refused({.block = {32, 33, 1}}) ==
        "the launch has a block of 1056 threads, more than 1024");
  CHECK(refused({.block = {1, 1, 64}}) == "");
  CHECK(refused({.block = {1, 1, 65}}) ==
        "the launch has a block of 65 threads in z, more than 64");
  CHECK(refused({.grid = {70000, 1, 1}, .block = {1, 1, 1}}) == "");
  CHECK(refused({.grid = {1, 65536, 1}}) ==
        "the launch has a grid of 65536 CTAs in y, more than 65535");
  CHECK(refused({.grid = {1, 1, 65536}}) ==
        "the launch has a grid of 65536 CTAs in z, more than 65535");
  CHECK(refused({.grid = {1, 0, 1}}) == "the launch has a grid of no CTAs");
}

TEST_CASE("shared memory is limited by the target") {
  struct Row {
    const char* target;
    uint32_t most;
  };
  for (const auto& [target, most] :
       {Row{"sm_75", 64 << 10}, Row{"sm_80", 163 << 10}, Row{"sm_86", 99 << 10},
        Row{"sm_89", 99 << 10}, Row{"sm_90", 227 << 10}, Row{"sm_90a", 227 << 10},
        Row{"sm_100a", 227 << 10}, Row{"sm_120", 99 << 10}}) {
    INFO(target);
    CHECK(refused({.shared = most, .target = target}) == "");
    CHECK_FALSE(refused({.shared = most + 1, .target = target}).empty());
    const std::string with_static = ".shared .align 16 .b8 s[1024];\n mov.u32 %r1, s;\n";
    CHECK_FALSE(
        refused({.shared = most - 1023, .target = target, .variables = with_static}).empty());
    CHECK(refused({.shared = most - 1024, .target = target, .variables = with_static}) == "");
  }
  CHECK(refused({.shared = 166913, .target = "sm_80"}) ==
        "the launch has 166913 bytes of shared memory, more than the 166912 of sm_80");
  CHECK(refused({.variables = ".shared .align 4 .b8 s[49156];\n mov.u32 %r1, s;\n"}) ==
        "the launch has 49156 bytes of static shared memory, more than 49152");
}

TEST_CASE("a kernel's directives limit its launches") {
  CHECK(refused({.block = {64, 1, 1}, .directives = ".maxntid 64, 1, 1"}) == "");
  CHECK(refused({.block = {8, 8, 1}, .directives = ".maxntid 64"}) == "");
  CHECK(refused({.block = {96, 1, 1}, .directives = ".maxntid 64, 1, 1"}) ==
        "the launch has a block of 96 threads, and the kernel says .maxntid 64");
  CHECK(refused({.block = {64, 1, 1}, .directives = ".reqntid 64"}) == "");
  for (const std::array<uint32_t, 3>& block :
       {std::array<uint32_t, 3>{32, 1, 1}, {96, 1, 1}, {8, 8, 1}}) {  // PTX 11.4.3: each dimension
    CHECK_FALSE(refused({.block = block, .directives = ".reqntid 64"}).empty());
  }
  // What the compiler is to aim at is no limit.
  CHECK(refused({.block = {64, 1, 1}, .directives = ".maxntid 64\n.minnctapersm 2"}) == "");
  CHECK(refused({.block = {1024, 1, 1}, .directives = ".maxnreg 32"}) == "");
}

TEST_CASE("clusters") {
  CHECK_THROWS_AS(refused({.grid = {4, 1, 1}, .cluster = {2, 1, 1}}), base::Unsupported);
  CHECK_THROWS_AS(refused({.grid = {16, 1, 1}, .cluster = {16, 1, 1}}), base::Unsupported);
  CHECK_THROWS_AS(
      refused({.grid = {4, 1, 1}, .directives = ".explicitcluster\n.reqnctapercluster 2, 1, 1"}),
      base::Unsupported);
  CHECK(refused({.grid = {4, 1, 1},
                 .directives = ".explicitcluster\n.reqnctapercluster 1, 1, 1"}) == "");
  CHECK(refused({.grid = {32, 1, 1}, .cluster = {32, 1, 1}}) ==
        "the launch has a cluster of 32 CTAs, more than 16");
  CHECK(refused({.grid = {3, 1, 1}, .cluster = {2, 1, 1}}) ==
        "the launch has a grid of 3 CTAs in x, which is no multiple of the cluster's 2");
  CHECK(refused({.grid = {2, 1, 1}, .cluster = {2, 1, 1}, .target = "sm_80"}) ==
        "the launch has a cluster of 2 CTAs, which sm_80 does not have");
  CHECK(refused({.grid = {4, 1, 1},
                 .cluster = {4, 1, 1},
                 .directives = ".explicitcluster\n.reqnctapercluster 2, 1, 1"}) ==
        "the launch has a cluster of 4 x 1 x 1 CTAs, and the kernel says .reqnctapercluster "
        "2 x 1 x 1");
  CHECK_FALSE(refused({.grid = {4, 1, 1},
                       .cluster = {4, 1, 1},
                       .directives = ".explicitcluster\n.maxclusterrank 2"})
                  .empty());
}

TEST_CASE("registers, where they are known") {
  CHECK(refused({.block = {1024, 1, 1}, .registers = 64}) == "");
  CHECK(
      refused({.block = {1024, 1, 1}, .registers = 65}) ==
      "the launch has 1024 threads of 65 registers (by ptxas), more than the 65536 of an SM hold");
  CHECK(refused({.block = {512, 1, 1}, .registers = 128}) == "");
  CHECK_FALSE(refused({.block = {512, 1, 1}, .registers = 129}).empty());
  CHECK(refused({.block = {256, 1, 1}, .registers = 255}) == "");
}
