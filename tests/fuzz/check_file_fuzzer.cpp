// Any text is a check or an InputError; never a crash, a hang or another exception.
// Seeds: tests/cli/data/*.json.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/error.h"
#include "spec/expression.h"
#include "spec/spec.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const ptxequiv::spec::Check check = ptxequiv::spec::parse_check_text(text, "fuzz.json");
    for (const ptxequiv::spec::Assume& assume : check.assume)
      ptxequiv::spec::parse_assume(assume, check);
    for (const ptxequiv::spec::Buffer& buffer : check.buffers)
      if (buffer.elements() == 0) __builtin_trap();
  } catch (const ptxequiv::base::InputError& error) {
    // A place that is given lies in the text.
    if (error.loc().line != 0 && error.loc().column == 0) __builtin_trap();
  }
  return 0;
}
