// A JSON text as a tree in which every value and key keeps its place, members keep their order and
// numbers keep their spelling. nlohmann's own tree has none of the three.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/source.h"

namespace ptxequiv::spec {

struct Node;

struct Member;

struct Node {
  enum class Kind : uint8_t { kNull, kBool, kNumber, kString, kArray, kObject };
  Kind kind = Kind::kNull;
  base::SourceLoc loc;  // of the first character
  bool boolean = false;
  bool plain = true;            // a string without escapes: columns inside it are exact
  std::string text;             // of a number as written, or of a string
  std::vector<Node> items;      // array
  std::vector<Member> members;  // object, in the order of the text, names unique

  const Node* find(std::string_view key) const;
  // "an object", "the number 5", "the text \"abc\"": for diagnostics.
  std::string describe() const;
};

struct Member {
  std::string key;
  base::SourceLoc loc;  // of the key
  Node value;
};

// JSON with // and /* */ comments. Throws base::InputError for a syntax error, a key given twice in
// one object, and nesting deeper than any check file needs.
Node parse_document(std::string_view text, const std::string& path);

// Reads a whole file. Throws base::InputError if it cannot be read or is absurdly large.
std::string read_text(const std::string& path);

}  // namespace ptxequiv::spec
