// Any text is parsed or refused with an error of ours; what parses can be printed, and what is
// printed parses to the same.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/error.h"
#include "ptx/parser.h"

namespace {

[[noreturn]] void complain(const char* what, const std::string& text) {
  std::fprintf(stderr, "%s:\n%s\n", what, text.c_str());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ptxequiv;
  std::string text(reinterpret_cast<const char*>(data), size);
  // Most mutants lose the first lines; the rest of the parser should see them nevertheless.
  if (!std::string_view(text).starts_with(".version"))
    text = ".version 8.5\n.target sm_90a\n.address_size 64\n" + text;
  std::string printed;
  try {
    printed = ptx::print(ptx::parse(text, "fuzz.ptx"));
  } catch (const base::InternalError&) {
    throw;
  } catch (const base::Error&) {
    return 0;
  }
  try {
    if (ptx::print(ptx::parse(printed, "printed.ptx")) != printed)
      complain("printed differently the second time", printed);
  } catch (const base::Error& error) {
    complain(error.what(), printed);
  }
  return 0;
}
