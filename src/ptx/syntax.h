// The bare syntax of a PTX text: which rule of grammar/Ptx.g4 matched which tokens. All of ANTLR is
// behind this and token.h; what comes out is one item or statement at a time, as a flat array of
// nodes in preorder.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/token.h"

namespace ptxequiv::ptx {

struct Node {
  uint32_t token;  // its first
  uint32_t next;   // index of the node after this one's descendants
  Kind kind;
};

// How deeply brackets, blocks, casts and conditionals may be nested: bounds every recursion over
// the syntax.
inline constexpr unsigned kMaxNesting = 200;

struct SyntaxTree {
  const TokenList* list;
  std::vector<Node> nodes;  // nodes[0] is the item or statement

  const Token& token(const Node& node) const { return list->tokens[node.token]; }
  // Of a rule: its first token's.
  std::string_view text(const Node& node) const { return list->text_of(token(node)); }
  SourceLoc loc(const Node& node) const { return list->loc_of(token(node)); }
  // The tokens of nodes [begin, end), with blanks between.
  std::string spelt(uint32_t begin, uint32_t end) const;
};

// Reads a text from its beginning to its end. Which is called when is the caller's business, who
// counts braces.
class SyntaxReader {
 public:
  // `path` must outlive this, and so must the text of `list`. Throws base::InputError, as the
  // others do.
  SyntaxReader(const TokenList& list, const std::string& path);
  ~SyntaxReader();

  // Of the next token.
  Kind next() const;
  uint32_t position() const;
  const SyntaxTree& tree() const;  // of what was read last
  void item();
  void statement();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// Walks the children of one node.
class Cursor {
 public:
  Cursor(const SyntaxTree& tree, uint32_t at, uint32_t end) : tree_(&tree), at_(at), end_(end) {}
  static Cursor children_of(const SyntaxTree& tree, uint32_t node) {
    return Cursor(tree, node + 1, tree.nodes[node].next);
  }

  bool done() const { return at_ >= end_; }
  uint32_t index() const { return at_; }
  const Node& node() const { return tree_->nodes[at_]; }
  Kind kind() const { return done() ? Kind::kEnd : node().kind; }
  SourceLoc loc() const { return done() ? SourceLoc{} : tree_->loc(node()); }
  std::string_view text() const { return done() ? std::string_view() : tree_->text(node()); }
  bool at(Kind kind_wanted) const { return kind() == kind_wanted; }
  bool at(std::string_view symbol) const {
    return kind() == Kind::kPunctuation && text() == symbol;
  }
  void skip() { at_ = node().next; }
  template <typename What>
  bool accept(What what) {
    if (!at(what)) return false;
    skip();
    return true;
  }
  // The text of the current token; moves on.
  std::string_view take() {
    std::string_view result = text();
    skip();
    return result;
  }
  // The children of the current node; moves on.
  Cursor enter() {
    Cursor inside = children_of(*tree_, at_);
    skip();
    return inside;
  }

 private:
  const SyntaxTree* tree_;
  uint32_t at_, end_;
};

}  // namespace ptxequiv::ptx
