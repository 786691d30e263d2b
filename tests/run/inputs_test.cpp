#include "run/inputs.h"

#include <catch2/catch.hpp>

#include <bit>
#include <cmath>
#include <cstring>

#include "base/error.h"
#include "support.h"

namespace ptxequiv::run {
namespace {

using testing::Kernel;

float element(const std::vector<uint8_t>& bytes, size_t index) {
  float value = 0;
  std::memcpy(&value, bytes.data() + 4 * index, 4);
  return value;
}

TEST_CASE("random inputs keep to the ranges and follow the seed") {
  const Kernel k("  mov.f32 %f2, %f1;");
  const auto never = base::Deadline::never();
  const Inputs a = random_inputs(k.prepared, 1, never), b = random_inputs(k.prepared, 1, never);
  CHECK(a.buffers == b.buffers);
  CHECK(a.buffers != random_inputs(k.prepared, 2, never).buffers);
  REQUIRE(a.buffers.size() == 1);  // outputs have none
  for (size_t i = 0; i < 32; ++i) CHECK(std::fabs(element(a.buffers.at("x"), i)) <= 2);
}

TEST_CASE("random inputs satisfy what is assumed") {
  const Kernel k("  mov.f32 %f2, %f1;", R"("assume": ["x[*] >= 0"],)");
  const Inputs inputs = random_inputs(k.prepared, 3, base::Deadline::never());
  for (size_t i = 0; i < 32; ++i) CHECK(element(inputs.buffers.at("x"), i) >= 0);
}

TEST_CASE("what is written can be read") {
  const Kernel k("  mov.f32 %f2, %f1;");
  Recorded recorded;
  recorded.device = "here";
  recorded.inputs.buffers["x"] = {0, 0, 0x80, 0x3f};
  recorded.inputs.scalars["n"] = 0x0102030405060708;
  recorded.candidate["o"] = {1, 2, 0xff};
  k.write("r.json", write_recorded(recorded));
  const Recorded back = read_recorded(k.path("r.json"));
  CHECK(back.device == "here");
  CHECK(back.inputs.buffers == recorded.inputs.buffers);
  CHECK(back.inputs.scalars == recorded.inputs.scalars);
  CHECK(back.candidate == recorded.candidate);
  CHECK(back.reference.empty());
}

TEST_CASE("bad records are diagnostics") {
  const Kernel k("  mov.f32 %f2, %f1;");
  for (const char* text :
       {"{", "[]", "{}", R"({"inputs": {"x": 3}})", R"({"inputs": {"x": "0"}})",
        R"({"inputs": {"x": "0g"}})", R"({"inputs": {}, "scalars": {"n": {}}})"}) {
    INFO(text);
    k.write("bad.json", text);
    CHECK_THROWS_AS(read_recorded(k.path("bad.json")), base::InputError);
  }
  CHECK_THROWS_AS(read_recorded(k.path("none.json")), base::InputError);
}

TEST_CASE("inputs must fit the check's buffers") {
  const Kernel k("  mov.f32 %f2, %f1;");
  const auto fails = [&](const Inputs& inputs) {
    auto buffers = k.prepared.buffers;
    auto scalars = k.prepared.scalars;
    CHECK_THROWS_AS(apply(inputs, "r.json", 0, buffers, scalars), base::InputError);
  };
  Inputs inputs;
  fails(inputs);  // x is missing
  inputs.buffers["x"].resize(64);
  fails(inputs);  // too short
  inputs.buffers["x"].resize(128);
  auto buffers = k.prepared.buffers;
  auto scalars = k.prepared.scalars;
  apply(inputs, "r.json", 0x4d, buffers, scalars);
  CHECK(buffers[0].data->size() == 128);
  CHECK(buffers[1].data == std::vector<uint8_t>(128, 0x4d));
  inputs.buffers["y"];
  fails(inputs);  // no such buffer
}

}  // namespace
}  // namespace ptxequiv::run
