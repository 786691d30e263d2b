#include "report/layout.h"

#include <catch2/catch.hpp>

using ptxequiv::report::Lines;

TEST_CASE("paragraphs wrap at blanks and hang under their label") {
  Lines lines(40, false);
  lines.paragraph("one two three four five six seven eight nine ten", 2, "hint: ");
  CHECK(lines.text(99) ==
        "  hint: one two three four five six\n"
        "        seven eight nine ten\n");
}

TEST_CASE("a word longer than the line is kept whole") {
  Lines lines(40, false);
  lines.paragraph("a " + std::string(60, 'x') + " b", 0);
  CHECK(lines.text(99) == "a\n" + std::string(60, 'x') + "\nb\n");
}

TEST_CASE("empty columns and trailing blanks vanish") {
  Lines lines(80, false);
  lines.table({{"a", "", "long", ""}, {"bb", "", "c", ""}}, 1);
  CHECK(lines.text(99) == " a   long\n bb  c\n");
}

TEST_CASE("what does not fit is announced") {
  Lines lines(80, false);
  for (int i = 0; i < 10; ++i) lines.add("x");
  CHECK(lines.text(3) == "x\nx\n  ... 8 more lines with -v\n");
}
