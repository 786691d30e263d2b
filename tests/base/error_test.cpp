#include "base/error.h"

#include <catch2/catch.hpp>

using namespace ptxequiv::base;

TEST_CASE("an input error shows place, message and hint") {
  const InputError error("k.ptx", {12, 5}, "unknown opcode `fmax`", "did you mean `fma`?");
  CHECK(std::string(error.what()) ==
        "k.ptx:12:5: unknown opcode `fmax`\n  hint: did you mean `fma`?");
  CHECK(error.file() == "k.ptx");
  CHECK(error.loc() == SourceLoc{12, 5});
  CHECK(error.message() == "unknown opcode `fmax`");
  CHECK(error.hint() == "did you mean `fma`?");
}

TEST_CASE("an input error leaves out what is not known") {
  CHECK(std::string(InputError("", {}, "no grid").what()) == "no grid");
  CHECK(std::string(InputError("check.json", {}, "no grid").what()) == "check.json: no grid");
}

TEST_CASE("an unsupported feature says what and why") {
  const Unsupported error("tex.2d", "k.ptx", {3, 1}, "textures");
  CHECK(std::string(error.what()) == "k.ptx:3:1: not modelled: tex.2d (textures)");
  CHECK(error.feature() == "tex.2d");
  CHECK(error.why() == "textures");
  CHECK(std::string(Unsupported("tex.2d", "", {}).what()) == "not modelled: tex.2d");
}

TEST_CASE("a limit keeps its stable id") {
  const LimitReached error("unroll", "more than 1000 iterations");
  CHECK(error.limit() == "unroll");
  CHECK(error.detail() == "more than 1000 iterations");
  CHECK(std::string(error.what()) == "unroll: more than 1000 iterations");
}

TEST_CASE("a failed check is an internal error that names the expression") {
  const int lanes = 33;
  PTXEQUIV_CHECK(lanes == 33, "must hold");
  try {
    PTXEQUIV_CHECK(lanes <= 32, "a warp has 32 lanes");
    FAIL("the check passed");
  } catch (const InternalError& error) {
    const std::string text = error.what();
    CHECK(text.find("a warp has 32 lanes") != std::string::npos);
    CHECK(text.find("lanes <= 32") != std::string::npos);
    CHECK(text.find("error_test.cpp") != std::string::npos);
  }
}

TEST_CASE("all errors are base errors, and not each other") {
  CHECK_THROWS_AS(throw InputError("", {}, "x"), Error);
  CHECK_THROWS_AS(throw Unsupported("x", "", {}), Error);
  CHECK_THROWS_AS(throw LimitReached("timeout", "x"), Error);
  const LimitReached limit("timeout", "x");
  const Error& error = limit;
  CHECK(dynamic_cast<const Unsupported*>(&error) == nullptr);
}
