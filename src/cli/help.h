// The text of --help.
#pragma once
#include <memory>
#include <string>

namespace CLI {
class FormatterBase;
}

namespace ptxequiv::cli {

extern const char* const kDescription;
std::string examples();
std::string inspect_examples();
std::string run_examples();
std::shared_ptr<CLI::FormatterBase> make_formatter();

}  // namespace ptxequiv::cli
