#include "spec/document.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "base/error.h"

namespace ptxequiv::spec {
namespace {

using base::InputError;
using base::SourceLoc;
using nlohmann::json;

constexpr size_t kMaxDepth = 64;
constexpr uintmax_t kMaxBytes = uintmax_t{16} << 20;

// Hands the text to nlohmann's lexer and counts what it took, so that a SAX event knows its place.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;
  CountingIterator(const char* at, const char** furthest) : at_(at), furthest_(furthest) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    if (furthest_) *furthest_ = at_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator old = *this;
    ++*this;
    return old;
  }
  friend bool operator==(const CountingIterator& a, const CountingIterator& b) {
    return a.at_ == b.at_;
  }
  friend bool operator!=(const CountingIterator& a, const CountingIterator& b) {
    return a.at_ != b.at_;
  }

 private:
  const char* at_;
  const char** furthest_;
};

class Builder : public json::json_sax_t {
 public:
  Builder(std::string_view text, const std::string& path) : text_(text), path_(path) {}
  const char** furthest() { return &furthest_; }
  Node take() { return std::move(root_); }

  bool null() override { return scalar(Node::Kind::kNull, {}, false); }
  bool boolean(bool value) override { return scalar(Node::Kind::kBool, {}, value); }
  bool number_integer(number_integer_t) override { return number(); }
  bool number_unsigned(number_unsigned_t) override { return number(); }
  bool number_float(number_float_t, const string_t&) override { return number(); }
  bool string(string_t& value) override { return scalar(Node::Kind::kString, value, false); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Node::Kind::kObject); }
  bool start_array(std::size_t) override { return open(Node::Kind::kArray); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    const SourceLoc loc = token_start();
    Node& object = *open_.back();
    const auto [first, fresh] = keys_.back().emplace(name, loc.line);
    if (!fresh)
      throw InputError(
          path_, loc,
          fmt::format("\"{}\" is given twice; the first is at line {}", name, first->second),
          "keep one of the two");
    object.members.push_back({name, loc, {}});
    token_end();
    return true;
  }

  bool parse_error(std::size_t position, const std::string& last_token,
                   const nlohmann::detail::exception& error) override {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while ..."
    std::string message = error.what();
    if (const size_t colon = message.find(": "); colon != std::string::npos)
      message = message.substr(colon + 2);
    if (const size_t last = message.find("; last read: "); last != std::string::npos)
      message = message.substr(0, last) + (message.find("; expected", last) == std::string::npos
                                               ? ""
                                               : message.substr(message.find("; expected", last)));
    // nlohmann points at a token's last character; of one that is out of place the first is meant.
    size_t offset = std::min(position > 0 ? position - 1 : 0, text_.size());
    if (message.find("unexpected") != std::string::npos) offset = std::min(offset, token_offset());
    std::string hint =
        "a check file is one JSON object (comments are allowed); docs/check-files.md"
        " shows one";
    if (last_token.find('}') != std::string::npos || last_token.find(']') != std::string::npos)
      hint = "is there a comma too many before it?";
    if (message.find("unexpected string literal; expected '}'") != std::string::npos ||
        message.find("expected ']'") != std::string::npos)
      hint = "is a comma missing before it?";
    throw InputError(path_, place(offset), "not JSON: " + message, hint);
  }

  // What follows the value must be blank or comment; nlohmann checks that.
  SourceLoc place(size_t offset) {
    // Offsets come in growing order, so the scan goes on from the last one.
    if (offset < counted_) {
      counted_ = 0;
      at_ = {1, 1};
    }
    for (; counted_ < offset; ++counted_) {
      const unsigned char c = static_cast<unsigned char>(text_[counted_]);
      if (c == '\n') {
        ++at_.line;
        at_.column = 1;
      } else if ((c & 0xC0) != 0x80) {  // continuation bytes of UTF-8 take no column
        ++at_.column;
      }
    }
    return at_;
  }

 private:
  size_t consumed() const { return furthest_ ? static_cast<size_t>(furthest_ - text_.data()) : 0; }

  // From the end of the last token over blanks, comments, commas and colons.
  size_t token_offset() const {
    size_t i = last_end_;
    if (i == 0 && text_.substr(0, 3) == "\xEF\xBB\xBF") i = 3;
    while (i < text_.size()) {
      const char c = text_[i];
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',' || c == ':') {
        ++i;
      } else if (text_.substr(i, 2) == "//") {
        const size_t end = text_.find('\n', i);
        i = end == std::string_view::npos ? text_.size() : end;
      } else if (text_.substr(i, 2) == "/*") {
        const size_t end = text_.find("*/", i + 2);
        i = end == std::string_view::npos ? text_.size() : end + 2;
      } else {
        break;
      }
    }
    return i;
  }

  SourceLoc token_start() {
    start_ = token_offset();
    return place(start_);
  }
  void token_end() { last_end_ = consumed(); }

  Node& place_for_value() {
    if (open_.empty()) return root_;
    Node& parent = *open_.back();
    if (parent.kind == Node::Kind::kObject) return parent.members.back().value;
    return parent.items.emplace_back();
  }

  bool scalar(Node::Kind kind, const std::string& text, bool value) {
    Node& node = place_for_value();
    node.kind = kind;
    node.loc = token_start();
    node.text = text;
    node.boolean = value;
    token_end();
    if (kind == Node::Kind::kString) node.plain = last_end_ - start_ == text.size() + 2;
    return true;
  }

  // The lexer reads one character past a number; its own spelling ends where number characters do.
  bool number() {
    Node& node = place_for_value();
    node.kind = Node::Kind::kNumber;
    node.loc = token_start();
    size_t end = start_;
    while (end < text_.size() && std::strchr("0123456789+-.eE", text_[end]) && text_[end]) ++end;
    node.text = std::string(text_.substr(start_, end - start_));
    last_end_ = end;
    return true;
  }

  bool open(Node::Kind kind) {
    if (open_.size() >= kMaxDepth)
      throw InputError(path_, token_start(), fmt::format("nested more than {} deep", kMaxDepth),
                       "no part of a check file needs this");
    Node& node = place_for_value();
    node.kind = kind;
    node.loc = token_start();
    token_end();
    open_.push_back(&node);  // stays put: its parent grows only after it is closed
    keys_.emplace_back();
    return true;
  }

  bool close() {
    token_end();
    open_.pop_back();
    keys_.pop_back();
    return true;
  }

  std::string_view text_;
  const std::string& path_;
  const char* furthest_ = nullptr;
  size_t last_end_ = 0, start_ = 0;
  size_t counted_ = 0;
  SourceLoc at_{1, 1};
  Node root_;
  std::vector<Node*> open_;
  std::vector<std::unordered_map<std::string, uint32_t>> keys_;  // of the open objects: their lines
};

}  // namespace

const Node* Node::find(std::string_view key) const {
  for (const Member& member : members)
    if (member.key == key) return &member.value;
  return nullptr;
}

std::string Node::describe() const {
  switch (kind) {
    case Kind::kNull:
      return "null";
    case Kind::kBool:
      return boolean ? "true" : "false";
    case Kind::kNumber:
      return "the number " + text;
    case Kind::kString:
      return text.size() > 40 ? "a long text" : fmt::format("the text \"{}\"", text);
    case Kind::kArray:
      return items.empty() ? "an empty list" : "a list";
    case Kind::kObject:
      return "an object";
  }
  return "something else";
}

Node parse_document(std::string_view text, const std::string& path) {
  Builder builder(text, path);
  const char* end = text.data() + text.size();
  const CountingIterator first(text.data(), builder.furthest());
  const CountingIterator last(end, nullptr);
  // The handler throws on every error, so the result is always true.
  json::sax_parse(first, last, &builder, json::input_format_t::json, /*strict=*/true,
                  /*ignore_comments=*/true);
  return builder.take();
}

std::string read_text(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::is_directory(status))
    throw InputError(path, {}, "is a folder, not a file", "name a file in it, such as check.json");
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    throw InputError(path, {},
                     fmt::format("cannot be read: {}", std::strerror(errno ? errno : EIO)),
                     "is the path right? Paths on the command line are relative to where you are");
  std::string text;
  char buffer[1 << 16];
  while (stream.read(buffer, sizeof buffer) || stream.gcount() > 0) {
    text.append(buffer, static_cast<size_t>(stream.gcount()));
    if (text.size() > kMaxBytes)
      throw InputError(path, {}, fmt::format("is larger than {} MB", kMaxBytes >> 20),
                       "no check file is that large; is this the right file?");
  }
  if (stream.bad()) throw InputError(path, {}, "cannot be read to its end");
  return text;
}

}  // namespace ptxequiv::spec
