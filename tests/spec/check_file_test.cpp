#include "spec/check_file.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "spec/spec.h"
#include "support.h"

using namespace ptxequiv;
using spec::Argument;
using spec::Check;
using spec::Launch;
using spec::parse_check_text;

namespace {

// A file with every feature; the tests of bad input replace parts of it.
const std::string kFull = R"({
  "schema": "ptxequiv/check/v1",
  "title": "everything",  // comments are allowed
  "buffers": {
    "x": {"type": "f32", "shape": ["M", "K * 2"], "role": "input", "range": [-10, 10]},
    "ids": {"type": "s32", "shape": [12], "role": "input", "range": [0, 49], "align": 16},
    "o": {"type": "f32", "shape": [64, 48], "role": "output"},
    "t": {"type": "f32", "shape": 3072, "role": "scratch"},
    "a": {"type": "f16", "shape": [128, 64], "role": "inout"}
  },
  "scalars": {"M": {"type": "s32", "value": 4}, "K": {"type": "s32", "value": "0x50"},
              "eps": {"type": "f32"}, "n": {"type": "s32", "range": [1, null]}},
  "assume": ["eps > 0", "0 <= ids[*] <= 49"],
  "alias": [["x", "o"]],
  "symbols": {"coefficients": [1, 0.5, "0f3F800000"], "size": 3},
  "reference": {"launches": [
    {"fill": "o", "value": 0},
    {"copy": ["o", "t"]},
    {"ptx": "ref.ptx", "kernel": "softmax", "grid": ["(M + 1) / 2", 1], "block": 128,
     "shared_bytes": "K * 4", "cluster": [2, 1, 1], "cooperative": true, "pdl": false,
     "args": ["x", "o", "K", {"s32": -5}, "null", {"buffer": "x", "offset_bytes": 64},
              {"struct": ["x", {"f32": 0.5}]},
              {"tensormap": {"buffer": "a", "shape": [128, 64], "box": [64, 32],
                             "strides": [64, 1], "swizzle": "64B", "out_of_bounds": "nan"}},
              {"tensormap": {"buffer": "a", "box": [64, 32]}}]}]},
  "candidate": {"launches": [{"ptx": "/abs/cand.ptx", "grid": [1]}]},
  "level": "bitwise",
  "expect": "not_equivalent:race",
  "note": "n", "why": "w", "needs": ["exp"]
})";

// kFull with one part replaced; the test fails if the part is not in it.
std::string with(const std::string& part, const std::string& other) {
  const size_t at = kFull.find(part);
  REQUIRE(at != std::string::npos);
  return kFull.substr(0, at) + other + kFull.substr(at + part.size());
}

base::SourceLoc place_of(const std::string& text, const std::string& part) {
  if (part.empty()) return {};
  const size_t at = text.find(part);
  REQUIRE(at != std::string::npos);
  const size_t line = text.rfind('\n', at);
  return {static_cast<uint32_t>(
              1 + std::count(text.begin(), text.begin() + static_cast<long>(at), '\n')),
          static_cast<uint32_t>(line == std::string::npos ? at + 1 : at - line)};
}

}  // namespace

TEST_CASE("a check file with everything is read") {
  const Check c = parse_check_text(kFull, "dir/c.json");
  CHECK(c.path == "dir/c.json");
  CHECK(c.title == "everything");
  CHECK(c.level == Level::kBitwise);
  CHECK(c.expect == "not_equivalent:race");
  REQUIRE(c.buffers.size() == 5);
  CHECK(c.buffers[0].name == "x");  // in the order of the text
  CHECK(c.buffers[0].shape == std::vector<uint64_t>{4, 160});
  CHECK(c.buffers[0].elements() == 640);
  CHECK(c.buffers[0].range->low->text == "-10");
  CHECK(c.buffers[1].align == 16);
  CHECK(c.buffers[0].align == 256);
  CHECK(c.buffers[3].shape == std::vector<uint64_t>{3072});
  CHECK(c.buffers[3].role == spec::Role::kScratch);
  REQUIRE(c.scalars.size() == 4);
  CHECK(c.scalars[1].value->bits(op::Type::kS32) == 80);
  CHECK_FALSE(c.scalars[2].value);
  CHECK(c.scalars[3].range->low->text == "1");
  CHECK_FALSE(c.scalars[3].range->high);
  CHECK(c.assume[1].text == "0 <= ids[*] <= 49");
  CHECK(c.alias == std::vector<std::vector<std::string>>{{"x", "o"}});
  REQUIRE(c.symbols.size() == 2);
  CHECK(c.symbols[0].second.size() == 3);
  CHECK(c.symbols[1].second[0].text == "3");

  REQUIRE(c.reference.steps.size() == 3);
  CHECK(std::get<spec::Fill>(c.reference.steps[0]).buffer == "o");
  CHECK(std::get<spec::Copy>(c.reference.steps[1]).to == "t");
  const Launch& launch = std::get<Launch>(c.reference.steps[2]);
  CHECK(launch.ptx == "dir/ref.ptx");
  CHECK(launch.kernel == "softmax");
  CHECK(*launch.grid == std::array<uint32_t, 3>{2, 1, 1});
  CHECK(*launch.block == std::array<uint32_t, 3>{128, 1, 1});
  CHECK(*launch.cluster == std::array<uint32_t, 3>{2, 1, 1});
  CHECK(launch.shared_bytes == 320);
  CHECK(launch.cooperative);
  CHECK_FALSE(launch.pdl);
  REQUIRE(launch.args->size() == 9);
  const auto& args = *launch.args;
  CHECK(std::get<Argument::BufferRef>(args[0].value).buffer == "x");
  CHECK(std::get<Argument::ScalarRef>(args[2].value).scalar == "K");
  CHECK(std::get<Argument::Literal>(args[3].value).value.text == "-5");
  CHECK(std::holds_alternative<Argument::Null>(args[4].value));
  CHECK(std::get<Argument::BufferRef>(args[5].value).offset_bytes == 64);
  CHECK(std::get<Argument::Struct>(args[6].value).members.size() == 2);
  const auto& map = std::get<Argument::TensorMap>(args[7].value);
  CHECK(map.box == std::vector<uint64_t>{64, 32});
  CHECK(map.strides == std::vector<uint64_t>{64, 1});
  CHECK(map.swizzle == "64B");
  CHECK(map.out_of_bounds == "nan");
  const auto& plain = std::get<Argument::TensorMap>(args[8].value);
  CHECK(plain.shape == std::vector<uint64_t>{128, 64});
  CHECK(plain.swizzle == "none");
  CHECK(plain.out_of_bounds == "zero");

  const Launch& candidate = std::get<Launch>(c.candidate.steps[0]);
  CHECK(candidate.ptx == "/abs/cand.ptx");
  CHECK(candidate.kernel.empty());
  CHECK_FALSE(candidate.block);
  CHECK_FALSE(candidate.args);
}

TEST_CASE("bad check files get a diagnostic with its place and a hint") {
  struct Case {
    const char *part, *other;  // what is replaced, by what
    const char* at;            // the first of these in the text is the place; empty: no place
    const char *message, *hint;
  };
  const Case cases[] = {
      // Shape of the JSON
      {"\"buffers\": {", "\"bufers\": {", "\"bufers\"", "has no key \"bufers\"", "\"buffers\""},
      {"\"everything\"", "5", "5,", "should be a text", ""},
      {"\"ptxequiv/check/v1\"", "\"v9\"", "\"v9\"", "is unknown", "ptxequiv/check/v1"},
      {"\"schema\": \"ptxequiv/check/v1\",", "", "{", "has no \"schema\"", "begin with"},
      {"[\"eps > 0\", \"0 <= ids[*] <= 49\"]", "\"eps > 0\"", "\"eps > 0\"", "should be a list",
       ""},
      {"\"note\": \"n\"", "\"note\": []", "[], \"why\"", "should be a text", ""},
      {"[\"exp\"]", "[1]", "1]\n", "should be a text", ""},
      {"\"bitwise\"", "\"bitwize\"", "\"bitwize\"", "no level", "\"bitwise\""},
      {"\"bitwise\"", "\"tolerance\"", "", "needs a tolerance", "atol"},
      {"\"bitwise\"", "\"real\", \"tolerance\": {\"atol\": -1, \"rtol\": 0}", "-1, \"rtol\"",
       "\"atol\" is -1", "not negative"},
      {"\"not_equivalent:race\"", "\"not_equivalent:fast\"", "\"not_equivalent:fast\"",
       "no category", ""},
      // Buffers
      {"\"type\": \"f32\", \"shape\": [64, 48]", "\"type\": \"float\", \"shape\": [64, 48]",
       "\"float\"", "no type \"float\"", "known"},
      {"\"shape\": [64, 48], ", "", "{\"type\": \"f32\", \"role\": \"output\"}", "has no \"shape\"",
       "never inferred"},
      {"[64, 48]", "[0, 48]", "0, 48]", "entry 0", "least"},
      {"[64, 48]", "[64, -1]", "-1]", "entry -1", "least"},
      {"[64, 48]", "[64, \"K - 80\"]", "\"K - 80\"", "which is 0", "least"},
      {"[64, 48]", "[64, \"2*Q\"]", "Q\"", "no scalar \"Q\"", ""},
      {"[64, 48]", "[64, {}]", "{}]", "number or an expression", ""},
      {"[64, 48]", "[1099511627776, 1099511627776]", "\"o\": {", "larger than 2^40", ""},
      {"\"role\": \"scratch\"", "\"role\": \"temp\"", "\"temp\"", "no role \"temp\"", "scratch"},
      {"\"role\": \"scratch\"", "\"role\": \"scratch\", \"range\": [0, 1]", "\"t\": {",
       "a range could bound", "inout"},
      {"\"range\": [-10, 10]", "\"range\": [10, -10]", "[10, -10]", "is empty", "lower"},
      {"\"range\": [-10, 10]", "\"range\": [0]", "[0]}", "has 1 entries", "[low, high]"},
      {"\"range\": [-10, 10]", "\"range\": [\"nan\", 1]", "\"nan\"", "NaN", ""},
      {"\"range\": [0, 49]", "\"range\": [0, 0.5]", "0.5], \"align\"", "0.5 does not fit in s32",
       "integer"},
      {"\"align\": 16", "\"align\": 24", "\"ids\": {", "no power of two", "256"},
      {"\"ids\": {", "\"2ids\": {", "\"2ids\": {", "cannot name a buffer", "letters"},
      {"\"ids\": {", "\"null\": {", "\"null\": {", "cannot be called", "null pointer"},
      {"\"ids\": {", "\"x\": {", "\"x\": {\"type\": \"s32\"",
       "\"x\" is given twice; the first is at", ""},
      // Scalars
      {"\"eps\": {\"type\": \"f32\"}", "\"M\": {\"type\": \"f32\"}", "\"M\": {\"type\": \"f32\"}",
       "\"M\" is given twice", "keep one"},
      {"\"eps\": {\"type\": \"f32\"}", "\"x\": {\"type\": \"f32\"}", "\"x\": {\"type\": \"f32\"}",
       "a buffer and a scalar", ""},
      {"\"value\": 4}", "\"value\": 4.5}", "4.5}", "4.5 does not fit in s32", ""},
      {"\"value\": 4}", "\"value\": 3000000000}", "3000000000", "does not fit in s32",
       "2147483647"},
      {"\"value\": 4}", "\"value\": 4, \"range\": [1, 8]}", "\"M\": {", "both a value and a range",
       ""},
      {"\"value\": 4}", "\"valu\": 4}", "\"valu\"", "no key \"valu\"", "\"value\""},
      {"\"value\": 4}", "\"value\": true}", "true}", "should be a number", ""},
      {"\"value\": \"0x50\"", "\"value\": \"80x\"", "\"80x\"", "\"80x\" is not a number", "0x10"},
      // Assumptions, aliases, symbols
      {"\"eps > 0\"", "\"0 < epsilon\"", "epsilon\"", "no scalar \"epsilon\"", ""},
      {"[[\"x\", \"o\"]]", "[[\"x\", \"x\"]]", "[\"x\", \"x\"]", "in \"alias\" twice", ""},
      {"[[\"x\", \"o\"]]", "[[\"x\", \"M\"]]", "[\"x\", \"M\"]", "no buffer \"M\"", ""},
      {"[[\"x\", \"o\"]]", "[[\"x\", \"o\"], [\"t\", \"o\"]]", "[\"t\", \"o\"]",
       "in \"alias\" twice", ""},
      {"[[\"x\", \"o\"]]", "[[\"x\"]]", "[\"x\"]", "fewer than two", ""},
      {"\"size\": 3", "\"size\": {}", "{}}", "should be a number", ""},
      // Steps
      {"{\"fill\": \"o\", \"value\": 0}", "{\"fill\": \"x\", \"value\": 0}", "\"x\", \"value\"",
       "is an input and is overwritten", "inout"},
      {"{\"fill\": \"o\", \"value\": 0}", "{\"fill\": \"o\", \"value\": 1e39}", "1e39",
       "does not fit in f32", ""},
      {"{\"copy\": [\"o\", \"t\"]}", "{\"copy\": [\"o\", \"a\"]}", "[\"o\", \"a\"]",
       "has 12288 bytes", ""},
      {"{\"copy\": [\"o\", \"t\"]}", "{\"copy\": [\"o\"]}", "[\"o\"]", "has 1 entries", ""},
      {"\"ptx\": \"ref.ptx\", ", "", "{\"kernel\"", "has no \"ptx\"", ""},
      {"\"kernel\": \"softmax\"", "\"kernl\": \"softmax\"", "\"kernl\"", "no key \"kernl\"",
       "\"kernel\""},
      {"\"grid\": [\"(M + 1) / 2\", 1]", "\"grid\": [0]", "0], \"block\"",
       "the grid has the entry 0", "least"},
      {"\"grid\": [\"(M + 1) / 2\", 1], ", "", "{\"ptx\": \"ref.ptx\"", "has no \"grid\"",
       "never inferred"},
      {"\"grid\": [\"(M + 1) / 2\", 1]", "\"grid\": [1, 1, 1, 1]", "[1, 1, 1, 1]", "has 4 entries",
       "1 to 3"},
      {"\"block\": 128", "\"block\": []", "[],\n", "has 0 entries", ""},
      {"\"shared_bytes\": \"K * 4\"", "\"shared_bytes\": -4", "-4, \"cluster\"", "is -4", ""},
      {"\"cooperative\": true", "\"cooperative\": 1", "1, \"pdl\"", "true or false", ""},
      // Arguments
      {"[\"x\", \"o\", \"K\",", "[\"x\", \"out\", \"K\",", "\"out\"",
       "neither a buffer nor a scalar", ""},
      {"{\"s32\": -5}", "5", "5, \"null\"", "has no type", "{\"s32\": 5}"},
      {"{\"s32\": -5}", "{\"i32\": -5}", "\"i32\"", "cannot be {\"i32\": ...}", ""},
      {"{\"s32\": -5}", "{\"u32\": -5}", "-5}", "does not fit in u32", ""},
      {"{\"s32\": -5}", "null", "null, \"null\"", "an argument is null", "\"null\""},
      {"{\"s32\": -5}", "{\"s32\": 1, \"s64\": 2}", "{\"s32\": 1", "has 2 keys", "offset_bytes"},
      {"\"offset_bytes\": 64", "\"offset_bytes\": 99999", "{\"buffer\": \"x\"", "leaves \"x\"",
       "bytes"},
      {"{\"struct\": [\"x\", {\"f32\": 0.5}]}", "{\"struct\": []}", "[]},", "no members", ""},
      {"\"box\": [64, 32],\n", "\"box\": [64],\n", "{\"tensormap\"", "the box has 1 dimensions",
       ""},
      {"\"strides\": [64, 1]", "\"strides\": [65, 1]", "{\"tensormap\"", "larger than \"a\"", ""},
      {"\"swizzle\": \"64B\"", "\"swizzle\": \"16B\"", "\"16B\"", "cannot be \"16B\"", "64B"},
      // Sides
      {"\"candidate\": {\"launches\": [", "\"candidates\": {\"launches\": [", "\"candidates\"",
       "no key \"candidates\"", "\"candidate\""},
      {"[{\"ptx\": \"/abs/cand.ptx\", \"grid\": [1]}]", "[]", "[]},", "an empty list", ""},
      {"[{\"ptx\": \"/abs/cand.ptx\", \"grid\": [1]}]", "[{\"fill\": \"o\", \"value\": 1}]", "",
       "launches nothing", ""},
      {"{\"launches\": [{\"ptx\": \"/abs/cand.ptx\", \"grid\": [1]}]}", "[]", "[],\n  \"level\"",
       "should be an object", ""},
  };
  for (const Case& c : cases) {
    INFO(c.part << " -> " << c.other);
    const std::string text = with(c.part, c.other);
    const auto error = input_error([&] { parse_check_text(text, "c.json"); });
    INFO(error.what());
    CHECK(error.file() == "c.json");
    CHECK(error.loc() == place_of(text, c.at));
    CHECK_THAT(error.message(), Catch::Contains(c.message));
    CHECK_THAT(error.hint(), Catch::Contains(c.hint));
    CHECK(error.message().find('\n') == std::string::npos);
  }
}

TEST_CASE("texts that are no check at all are refused") {
  const char* text = GENERATE("", "5", "[]", "{}", "null", "\"x\"", "\xff\xfe", "{\"schema\": 1}",
                              "{\"schema\": \"ptxequiv/check/v1\"}");
  INFO(text);
  const auto error = input_error([&] { parse_check_text(text, "c.json"); });
  CHECK(error.loc().line == 1);
}

TEST_CASE("nothing compared is no check") {
  const std::string text = R"({"schema": "ptxequiv/check/v1",
    "buffers": {"x": {"type": "f32", "shape": [4], "role": "input"}},
    "reference": {"launches": [{"ptx": "r.ptx", "grid": [1]}]},
    "candidate": {"launches": [{"ptx": "c.ptx", "grid": [1]}]}})";
  CHECK_THAT(input_error([&] { parse_check_text(text, "c.json"); }).message(),
             Catch::Contains("no buffer is compared"));
}

TEST_CASE("missing files are named where the check names them") {
  CHECK_THAT(input_error([] { spec::parse_check_file("/nowhere/c.json"); }).message(),
             Catch::Contains("cannot be read: No such file"));
  CHECK_THAT(input_error([] { spec::parse_check_file("/tmp"); }).message(),
             Catch::Contains("is a folder"));
}

TEST_CASE("the expectation of a broken file can still be read") {
  CHECK(spec::peek_expect(PTXEQUIV_TEST_DIR "/spec/data/broken.json") == "invalid");
  CHECK(spec::peek_expect("/nowhere/c.json").empty());
  const auto error =
      input_error([] { spec::parse_check_file(PTXEQUIV_TEST_DIR "/spec/data/broken.json"); });
  CHECK(error.loc() == base::SourceLoc{4, 38});
  CHECK_THAT(error.message(), Catch::Contains("spec/data/missing.ptx cannot be read"));
}
