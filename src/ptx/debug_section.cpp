#include "ptx/debug_section.h"

#include <fmt/format.h>

#include <charconv>

#include "base/error.h"
#include "ptx/constant.h"

namespace ptxequiv::ptx {
namespace {

// What may stand after a type, as ptxas 13 has it.
struct TypeRow {
  std::string_view name;
  int64_t least, most;  // 0 and 0: any integer
  bool takes_names;
};

constexpr TypeRow kTypes[] = {
    {".b8", -128, 255, false},
    {".b16", -32768, 65535, false},
    {".b32", 0, 0, true},
    {".b64", 0, 0, true},
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

class Reader {
 public:
  Reader(const TokenList& list, std::string_view section, const std::string& path)
      : list_(list), text_(section), path_(path) {}

  void check() {
    take_word();  // .section
    take_word();  // .debug_...
    expect('{');
    while (!accept('}')) item();
  }

 private:
  void item() {
    std::string_view word = take_word();
    if (!word.empty() && word[0] != '.' && !is_digit(word[0]) && accept(':')) return;
    const TypeRow* type = nullptr;
    for (const TypeRow& row : kTypes)
      if (row.name == word) type = &row;
    if (type == nullptr)
      fail(word, fmt::format("`{}` is no type of debug data", shown(word)),
           "A debug section holds labels, and .b8, .b16, .b32 or .b64 with values.");
    bool is_negative = accept('-');
    std::string_view value = take_word();
    if (value.empty()) fail(value, fmt::format("`{}` needs a value", type->name), {});
    if (!is_digit(value[0])) {
      if (is_negative || !type->takes_names)
        fail(value, fmt::format("`{}` does not fit {}", shown(value), type->name),
             "Names stand after .b32 and .b64.");
      name_tail();
      return;
    }
    integer(*type, value, is_negative);
    while (accept(',')) {
      is_negative = accept('-');
      integer(*type, take_word(), is_negative);
    }
  }

  // name+4, name-name
  void name_tail() {
    if (accept('+')) {
      std::string_view addend = take_word();
      if (addend.empty() || !is_digit(addend[0])) fail(addend, "`+` needs an integer here", {});
    } else if (accept('-')) {
      std::string_view other = take_word();
      if (other.empty() || is_digit(other[0])) fail(other, "`-` needs a name here", {});
    }
  }

  void integer(const TypeRow& type, std::string_view word, bool is_negative) {
    const auto [digits, base] = integer_digits(word);
    uint64_t value = 0;
    auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    bool is_large = error == std::errc::result_out_of_range;
    if ((error != std::errc() && !is_large) || end != digits.data() + digits.size())
      fail(word, fmt::format("`{}` is not an integer", shown(word)), {});
    uint64_t most = static_cast<uint64_t>(is_negative ? -type.least : type.most);
    if (type.most != 0 && (is_large || value > most))
      fail(word, fmt::format("{}{} does not fit {}", is_negative ? "-" : "", word, type.name), {});
  }

  void skip_blanks() {
    while (at_ < text_.size()) {
      char c = text_[at_];
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f')
        ++at_;
      else if (text_.substr(at_, 2) == "//")
        at_ = std::min(text_.find('\n', at_), text_.size());
      else if (text_.substr(at_, 2) == "/*")
        at_ = std::min(text_.find("*/", at_ + 2), text_.size() - 2) + 2;
      else
        return;
    }
  }
  bool accept(char wanted) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }
  void expect(char wanted) {
    if (accept(wanted)) return;
    fail(text_.substr(at_, 1), fmt::format("expected `{}` here", wanted), {});
  }
  // A name, a number or a word with a dot; empty if there is none.
  std::string_view take_word() {
    skip_blanks();
    size_t begin = at_;
    if (at_ < text_.size() && (text_[at_] == '.' || text_[at_] == '%')) ++at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  // An empty word is shown as the character that stands there.
  std::string shown(std::string_view word) const {
    return std::string(word.empty() ? text_.substr(at_, 1) : word.substr(0, 40));
  }
  [[noreturn]] void fail(std::string_view word, std::string message, std::string hint) const {
    auto offset = static_cast<uint32_t>(word.data() - list_.text.data());
    throw base::InputError(path_, list_.lines.locate(offset), std::move(message), std::move(hint));
  }

  const TokenList& list_;
  std::string_view text_;
  const std::string& path_;
  size_t at_ = 0;
};

}  // namespace

void check_debug_section(const TokenList& list, std::string_view section, const std::string& path) {
  if (section.starts_with(".section")) Reader(list, section, path).check();
}

}  // namespace ptxequiv::ptx
