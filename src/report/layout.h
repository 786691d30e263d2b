// Lines of text: wrapping, columns, colour.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace ptxequiv::report {

enum class Style : uint8_t { kPlain, kGood, kBad, kDoubt, kDim };

std::string styled(std::string_view text, Style style, bool colour);
// Control characters would let a file name or a message redraw the terminal.
std::string printable(std::string_view text);

// Collects lines and cuts them off at `most`, saying so.
class Lines {
 public:
  Lines(unsigned width, bool colour) : width_(width < 40 ? 40 : width), colour_(colour) {}

  bool colour() const { return colour_; }
  void add(const std::string& line) { lines_.push_back(line); }
  // Wrapped at blanks, every line indented by `indent`, the first beginning with `label`.
  void paragraph(const std::string& text, size_t indent, const std::string& label = {});
  // Rows of cells, aligned in columns; an empty last cell leaves no blanks behind.
  void table(const std::vector<std::vector<std::string>>& rows, size_t indent);
  std::string text(size_t most) const;

 private:
  unsigned width_;
  bool colour_;
  std::vector<std::string> lines_;
};

}  // namespace ptxequiv::report
