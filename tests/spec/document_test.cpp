#include "spec/document.h"

#include <catch2/catch.hpp>

#include "support.h"

using namespace ptxequiv;
using spec::Node;
using spec::parse_document;

TEST_CASE("every value and key keeps its place") {
  const Node root =
      parse_document("// first\n{\"a\": 1, /* x */ \"b\":\n  [true, \"s\", -2.50e3]}", "f");
  REQUIRE(root.kind == Node::Kind::kObject);
  CHECK(root.loc == base::SourceLoc{2, 1});
  REQUIRE(root.members.size() == 2);
  CHECK(root.members[0].loc == base::SourceLoc{2, 2});
  CHECK(root.members[0].value.loc == base::SourceLoc{2, 7});
  CHECK(root.members[1].loc == base::SourceLoc{2, 18});
  const Node& list = root.members[1].value;
  REQUIRE(list.items.size() == 3);
  CHECK(list.loc == base::SourceLoc{3, 3});
  CHECK(list.items[0].loc == base::SourceLoc{3, 4});
  CHECK(list.items[1].loc == base::SourceLoc{3, 10});
  CHECK(list.items[2].loc == base::SourceLoc{3, 15});
  CHECK(list.items[2].text == "-2.50e3");
}

TEST_CASE("members keep their order and numbers their spelling") {
  const Node root = parse_document("{\"z\": -0, \"a\": 123456789012345678901234567890}", "f");
  CHECK(root.members[0].key == "z");
  CHECK(root.members[0].value.text == "-0");
  CHECK(root.members[1].value.text == "123456789012345678901234567890");
}

TEST_CASE("columns count characters, not bytes") {
  const Node root = parse_document("{\"\xC3\xA4\": [\"\xE2\x82\xAC\", 1]}", "f");
  CHECK(root.members[0].value.items[1].loc == base::SourceLoc{1, 13});
}

TEST_CASE("a byte order mark is no character") {
  CHECK(parse_document("\xEF\xBB\xBF{\"a\": 1}", "f").members.size() == 1);
}

TEST_CASE("a text with escapes is marked") {
  const Node root = parse_document(R"({"a": "x\ny", "b": "xy"})", "f");
  CHECK_FALSE(root.members[0].value.plain);
  CHECK(root.members[0].value.text == "x\ny");
  CHECK(root.members[1].value.plain);
}

TEST_CASE("a key given twice names both places") {
  const auto error = input_error([] { parse_document("{\n\"n\": 1,\n \"n\": 2}", "c.json"); });
  CHECK(error.loc() == base::SourceLoc{3, 2});
  CHECK_THAT(error.message(), Catch::Contains("\"n\" is given twice; the first is at line 2"));
}

TEST_CASE("syntax errors have a place") {
  struct Case {
    const char* text;
    base::SourceLoc loc;
  };
  const Case c = GENERATE(Case{"", {1, 1}}, Case{"{\"a\": }", {1, 7}}, Case{"{\"a\": 1,}", {1, 9}},
                          Case{"{\"a\" 1}", {1, 6}}, Case{"[1 2]", {1, 4}},
                          Case{"{\"a\": 1} x", {1, 10}}, Case{"{\"a\": tru}", {1, 10}});
  const auto error = input_error([&] { parse_document(c.text, "c.json"); });
  INFO(c.text << " -> " << error.what());
  CHECK(error.loc() == c.loc);
  CHECK_THAT(error.message(), Catch::StartsWith("not JSON: "));
}

TEST_CASE("nesting without end is refused, not recursed into") {
  const auto error = input_error([] { parse_document(std::string(1000000, '['), "c.json"); });
  CHECK_THAT(error.message(), Catch::Contains("nested more than 64 deep"));
}

TEST_CASE("a large object is read in linear time") {
  std::string text = "{\"first\": 0";
  for (int i = 0; i < 100000; ++i)
    text += ", \"key" + std::to_string(i) + "\": " + std::to_string(i);
  CHECK(parse_document(text + "}", "f").members.size() == 100001);
  CHECK_THAT(input_error([&] { parse_document(text + ", \"first\": 1}", "f"); }).message(),
             Catch::Contains("given twice"));
}
