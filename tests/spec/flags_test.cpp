#include "spec/flags.h"

#include <catch2/catch.hpp>

#include "support.h"

using namespace ptxequiv;
using spec::Argument;
using spec::Check;
using spec::Flags;
using spec::Launch;

namespace {

const char* const kPtx = PTXEQUIV_TEST_DIR "/spec/data/copy.ptx";

Flags flags() {
  Flags f;
  f.reference_ptx = f.candidate_ptx = kPtx;
  f.both.grid = "4";
  f.both.block = "256";
  f.both.args = "x,o,n";
  f.buffers = {"x:f32[1000]", "o:f32[n]:output"};
  f.scalars = {"n:s32=1000", "eps:f32"};
  return f;
}

const Launch& launch(const spec::Side& side) {
  return std::get<Launch>(side.steps.at(0));
}

}  // namespace

TEST_CASE("flags describe the same check as a file") {
  Flags f = flags();
  f.candidate.grid = "ceil_div(n, 128), 2";
  f.candidate.args = "x+64, o, s32:5, null, eps";
  f.reference.entry = "copy";
  f.both.shared = "4*n";
  f.ranges = {"x=-10,10", "eps=0,"};
  f.assume = {"eps <= x[*]"};
  f.alias = {"x,o"};
  const Check c = spec::parse_flags(f);
  CHECK(c.path.empty());
  REQUIRE(c.buffers.size() == 2);
  CHECK(c.buffers[0].role == spec::Role::kInput);
  CHECK(c.buffers[1].role == spec::Role::kOutput);
  CHECK(c.buffers[1].shape == std::vector<uint64_t>{1000});
  CHECK(c.buffers[0].range->low->text == "-10");
  CHECK_FALSE(c.scalars[1].range->high);
  CHECK(c.assume.size() == 1);
  CHECK(c.alias[0] == std::vector<std::string>{"x", "o"});
  const Launch& r = launch(c.reference);
  CHECK(r.kernel == "copy");
  CHECK(*r.grid == std::array<uint32_t, 3>{4, 1, 1});
  CHECK(r.shared_bytes == 4000);
  CHECK(std::get<Argument::ScalarRef>(r.args->at(2).value).scalar == "n");
  const Launch& k = launch(c.candidate);
  CHECK(k.kernel.empty());
  CHECK(*k.grid == std::array<uint32_t, 3>{8, 2, 1});
  CHECK(*k.block == std::array<uint32_t, 3>{256, 1, 1});
  CHECK(std::get<Argument::BufferRef>(k.args->at(0).value).offset_bytes == 64);
  CHECK(std::get<Argument::Literal>(k.args->at(2).value).value.text == "5");
  CHECK(std::holds_alternative<Argument::Null>(k.args->at(3).value));
}

TEST_CASE("dimensions have three spellings and args may be JSON") {
  Flags f = flags();
  f.both.grid = "4x2";
  f.both.block = "32,4,2";
  f.both.args = R"(["x", {"buffer": "o", "offset_bytes": 8}, {"struct": ["n", "eps"]}])";
  const Check c = spec::parse_flags(f);
  CHECK(*launch(c.reference).grid == std::array<uint32_t, 3>{4, 2, 1});
  CHECK(*launch(c.reference).block == std::array<uint32_t, 3>{32, 4, 2});
  CHECK(std::get<Argument::Struct>(launch(c.reference).args->at(2).value).members.size() == 2);
}

TEST_CASE("what is left out is left to inference") {
  Flags f = flags();
  f.both.args.reset();
  f.both.block.reset();
  const Check c = spec::parse_flags(f);
  CHECK_FALSE(launch(c.reference).args);
  CHECK_FALSE(launch(c.reference).block);
}

TEST_CASE("a buffer's flag reads back") {
  const Check c = spec::parse_flags(flags());
  CHECK(spec::to_flag(c.buffers[1]) == "o:f32[1000]:output");
}

TEST_CASE("bad flags are named") {
  struct Case {
    void (*change)(Flags&);
    const char* message;
    const char* hint;
  };
  const Case cases[] = {
      {[](Flags& f) { f.scalars.push_back("n:s32=1"); },
       "--scalar n:s32=1: the scalar \"n\" is given twice", "keep one"},
      {[](Flags& f) { f.scalars.push_back("m"); }, "--scalar m: the type is missing", "NAME:TYPE"},
      {[](Flags& f) { f.scalars.push_back("m:s33"); }, "no type \"s33\"", "s32"},
      {[](Flags& f) { f.scalars.push_back("m:s32=x"); }, "\"x\" is not a number", ""},
      {[](Flags& f) { f.scalars.push_back("x:s32"); }, "\"x\" is a buffer and a scalar", ""},
      {[](Flags& f) { f.buffers.push_back("x:f32[4]"); }, "the buffer \"x\" is given twice", ""},
      {[](Flags& f) { f.buffers.push_back("y:f32"); }, "--buffer y:f32: is no buffer", "[SHAPE]"},
      {[](Flags& f) { f.buffers.push_back("y:f32[0]"); }, "an extent is 0", "at least 1"},
      {[](Flags& f) { f.buffers.push_back("y:f32[4]:out"); }, "no role \"out\"", "output"},
      {[](Flags& f) { f.buffers.push_back("y:f32[4]output"); }, "follows the shape", ""},
      {[](Flags& f) {
         f.buffers.clear();
         f.both.args.reset();
       },
       "no buffer is given", "--buffer"},
      {[](Flags& f) {
         f.buffers = {"x:f32[4]"};
         f.both.args = "x";
       },
       "no buffer is compared", "output"},
      {[](Flags& f) { f.ranges = {"x=1"}; }, "is no range", "LOW,HIGH"},
      {[](Flags& f) { f.ranges = {"y=1,2"}; }, "neither a buffer nor a scalar", ""},
      {[](Flags& f) { f.ranges = {"x=2,1"}; }, "is empty", ""},
      {[](Flags& f) {
         f.ranges = {"x=1,2", "x=1,3"};
       },
       "has a range already", ""},
      {[](Flags& f) { f.ranges = {"n=1,2"}; }, "both a value and a range", ""},
      {[](Flags& f) { f.assume = {"eps <"}; }, "--assume", ""},
      {[](Flags& f) { f.alias = {"x,y"}; }, "no buffer \"y\"", ""},
      {[](Flags& f) { f.both.grid.reset(); }, "the grid of", "--grid"},
      {[](Flags& f) { f.both.grid = "0"; }, "--grid 0: an entry is 0", ""},
      {[](Flags& f) { f.candidate.block = "1,1,1,1"; }, "--cand-block 1,1,1,1: has 4 entries", ""},
      {[](Flags& f) { f.both.shared = "-1"; }, "-1 bytes", ""},
      {[](Flags& f) { f.both.args = "x,o,5"; }, "the argument 5 has no type", "s32:5"},
      {[](Flags& f) { f.both.args = "x,out"; }, "neither a buffer nor a scalar", ""},
      {[](Flags& f) { f.both.args = "x+99999"; }, "leaves \"x\"", ""},
      {[](Flags& f) { f.both.args = "[\"x\","; }, "not JSON", ""},
      {[](Flags& f) { f.candidate_ptx = "/nowhere/k.ptx"; }, "cannot be read: No such file", ""},
  };
  for (const Case& c : cases) {
    Flags f = flags();
    c.change(f);
    INFO(c.message);
    const auto error = input_error([&] { spec::parse_flags(f); });
    CHECK_THAT(error.message(), Catch::Contains(c.message));
    CHECK_THAT(error.hint(), Catch::Contains(c.hint));
  }
}
