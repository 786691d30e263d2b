// The bare syntax of a PTX text: which rule of grammar/Ptx.g4 matched which tokens. All of ANTLR is
// behind this; what comes out is one flat array of nodes in preorder.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"

namespace ptxequiv::ptx {

using base::SourceLoc;

enum class Kind : uint8_t {
  // Rules, in the order of the grammar.
  kModule,
  kItem,
  kPragma,
  kAttribute,
  kAttributeItem,
  kFunction,
  kParameters,
  kParameter,
  kTuning,
  kDeclarationWord,
  kVariable,
  kDeclarator,
  kInitializer,
  kBlock,
  kStatement,
  kTable,
  kInstruction,
  kOperand,
  kExpression,
  kUnary,
  // Tokens. A symbol such as `,` or `<<` is kPunctuation; its text says which.
  kPunctuation,
  kVersion,
  kTarget,
  kAddressSize,
  kFile,
  kPragmaWord,
  kAlias,
  kEntry,
  kFunc,
  kExtern,
  kVisible,
  kWeak,
  kCommon,
  kAttributeWord,
  kAlign,
  kLoc,
  kBranchTargets,
  kCallTargets,
  kCallPrototype,
  kReg,
  kParam,
  kSpace,
  kF32,
  kF64,
  kFloat,
  kInt,
  kId,
  kDotId,
  kString,
  kUnknown,
  kEnd,
};

struct Node {
  Kind kind;
  uint32_t begin, end;  // bytes of the text
  SourceLoc loc;
  uint32_t next;  // index of the node after this one's descendants
};

// How deeply brackets, blocks, casts and conditionals may be nested: bounds every recursion over
// the syntax.
inline constexpr unsigned kMaxNesting = 200;

struct SyntaxTree {
  std::string_view text;
  const std::string* path;
  std::vector<Node> nodes;  // nodes[0] is the module
};

// `text` and `path` must outlive the result. Throws base::InputError.
SyntaxTree read_syntax(std::string_view text, const std::string& path);

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
  SourceLoc loc() const { return done() ? SourceLoc{} : node().loc; }
  std::string_view text() const {
    return done() ? std::string_view()
                  : tree_->text.substr(node().begin, node().end - node().begin);
  }
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
