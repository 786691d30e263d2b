#include "report/layout.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptxequiv::report {

std::string styled(std::string_view text, Style style, bool colour) {
  const char* code = nullptr;
  switch (style) {
    case Style::kPlain:
      break;
    case Style::kGood:
      code = "1;32";
      break;
    case Style::kBad:
      code = "1;31";
      break;
    case Style::kDoubt:
      code = "1;33";
      break;
    case Style::kDim:
      code = "2";
      break;
  }
  if (!colour || !code) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

std::string printable(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const unsigned char byte = static_cast<unsigned char>(c);
    result += (byte < 0x20 && c != '\n') || byte == 0x7f ? '?' : c;
  }
  return result;
}

void Lines::paragraph(const std::string& text, size_t indent, const std::string& label) {
  const std::string prefix(indent, ' ');
  const std::string hang(indent + label.size(), ' ');
  std::string line = prefix + label;
  bool empty = true;
  const std::string clean = printable(text);
  for (size_t start = 0; start < clean.size();) {
    const size_t end = std::min(clean.find_first_of(" \n", start), clean.size());
    const std::string word = clean.substr(start, end - start);
    const bool forced = end < clean.size() && clean[end] == '\n';
    start = end + 1;
    if (!word.empty()) {
      if (!empty && line.size() + 1 + word.size() > width_) {
        lines_.push_back(line);
        line = hang;
        empty = true;
      }
      if (!empty) line += ' ';
      line += word;
      empty = false;
    }
    if (forced) {
      lines_.push_back(line);
      line = hang;
      empty = true;
    }
  }
  if (!empty) lines_.push_back(line);
}

void Lines::table(const std::vector<std::vector<std::string>>& rows, size_t indent) {
  std::vector<size_t> widths;
  for (const std::vector<std::string>& row : rows)
    for (size_t i = 0; i < row.size(); ++i) {
      if (i == widths.size()) widths.push_back(0);
      widths[i] = std::max(widths[i], row[i].size());
    }
  for (const std::vector<std::string>& row : rows) {
    std::string line(indent, ' ');
    for (size_t i = 0; i < row.size(); ++i) {
      if (widths[i] == 0) continue;
      line += printable(row[i]) + std::string(widths[i] - row[i].size() + 2, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    lines_.push_back(line);
  }
}

std::string Lines::text(size_t most) const {
  std::string result;
  const bool cut = lines_.size() > most;
  const size_t shown = cut ? most - 1 : lines_.size();
  for (size_t i = 0; i < shown; ++i) result += lines_[i] + "\n";
  if (cut) result += fmt::format("  ... {} more lines with -v\n", lines_.size() - shown);
  return result;
}

}  // namespace ptxequiv::report
