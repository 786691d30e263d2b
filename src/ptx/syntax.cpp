#include "ptx/syntax.h"

#include <antlr4-runtime.h>

#include <limits>
#include <memory>

#include "PtxLexer.h"
#include "PtxParser.h"
#include "base/error.h"
#include "ptx/syntax_error.h"

namespace ptxequiv::ptx {
namespace {

constexpr Kind kRuleKinds[] = {
    Kind::kModule,          Kind::kItem,          Kind::kPragma,
    Kind::kAttribute,       Kind::kAttributeItem, Kind::kFunction,
    Kind::kParameters,      Kind::kParameter,     Kind::kTuning,
    Kind::kDeclarationWord, Kind::kVariable,      Kind::kDeclarator,
    Kind::kInitializer,     Kind::kBlock,         Kind::kStatement,
    Kind::kTable,           Kind::kInstruction,   Kind::kOperand,
    Kind::kExpression,      Kind::kUnary,
};
static_assert(std::size(kRuleKinds) == PtxParser::RuleUnary + 1);
static_assert(kRuleKinds[PtxParser::RuleTuning] == Kind::kTuning);
static_assert(kRuleKinds[PtxParser::RuleBlock] == Kind::kBlock);
static_assert(kRuleKinds[PtxParser::RuleInstruction] == Kind::kInstruction);

Kind token_kind(size_t type) {
  switch (type) {
    case PtxLexer::VERSION:
      return Kind::kVersion;
    case PtxLexer::TARGET:
      return Kind::kTarget;
    case PtxLexer::ADDRESS_SIZE:
      return Kind::kAddressSize;
    case PtxLexer::FILE:
      return Kind::kFile;
    case PtxLexer::PRAGMA:
      return Kind::kPragmaWord;
    case PtxLexer::ALIAS:
      return Kind::kAlias;
    case PtxLexer::ENTRY:
      return Kind::kEntry;
    case PtxLexer::FUNC:
      return Kind::kFunc;
    case PtxLexer::EXTERN:
      return Kind::kExtern;
    case PtxLexer::VISIBLE:
      return Kind::kVisible;
    case PtxLexer::WEAK:
      return Kind::kWeak;
    case PtxLexer::COMMON:
      return Kind::kCommon;
    case PtxLexer::ATTRIBUTE:
      return Kind::kAttributeWord;
    case PtxLexer::ALIGN:
      return Kind::kAlign;
    case PtxLexer::LOC:
      return Kind::kLoc;
    case PtxLexer::BRANCHTARGETS:
      return Kind::kBranchTargets;
    case PtxLexer::CALLTARGETS:
      return Kind::kCallTargets;
    case PtxLexer::CALLPROTOTYPE:
      return Kind::kCallPrototype;
    case PtxLexer::REG:
      return Kind::kReg;
    case PtxLexer::PARAM:
      return Kind::kParam;
    case PtxLexer::SPACE:
      return Kind::kSpace;
    case PtxLexer::F32:
      return Kind::kF32;
    case PtxLexer::F64:
      return Kind::kF64;
    case PtxLexer::FLOAT:
      return Kind::kFloat;
    case PtxLexer::INT:
      return Kind::kInt;
    case PtxLexer::ID:
      return Kind::kId;
    case PtxLexer::DOTID:
      return Kind::kDotId;
    case PtxLexer::STRING:
      return Kind::kString;
    case PtxLexer::UNKNOWN:
      return Kind::kUnknown;
    default:
      return Kind::kPunctuation;
  }
}

SourceLoc loc_of(const antlr4::Token& token) {
  return {static_cast<uint32_t>(token.getLine()),
          static_cast<uint32_t>(token.getCharPositionInLine() + 1)};
}

// Characters are bytes, so that token positions index the text. PTX is ASCII; other bytes can only
// stand in comments and strings, where the grammar takes any character.
class ByteStream final : public antlr4::CharStream {
 public:
  explicit ByteStream(std::string_view text) : text_(text) {}
  void consume() override { at_ += at_ < text_.size(); }
  size_t LA(ssize_t offset) override {
    if (offset == 0) return 0;
    size_t position = at_ + static_cast<size_t>(offset > 0 ? offset - 1 : offset);
    if (position >= text_.size()) return antlr4::IntStream::EOF;
    auto byte = static_cast<unsigned char>(text_[position]);
    return byte < 0x80 ? byte : 0x7f;
  }
  ssize_t mark() override { return -1; }
  void release(ssize_t) override {}
  size_t index() override { return at_; }
  void seek(size_t index) override { at_ = std::min(index, text_.size()); }
  size_t size() override { return text_.size(); }
  std::string getSourceName() const override { return "ptx"; }
  std::string getText(const antlr4::misc::Interval& interval) override {
    auto first = static_cast<size_t>(std::max<ssize_t>(interval.a, 0));
    auto last = static_cast<size_t>(std::max<ssize_t>(interval.b, -1) + 1);
    if (first >= text_.size() || last <= first) return {};
    return std::string(text_.substr(first, last - first));
  }
  std::string toString() const override { return std::string(text_); }

 private:
  std::string_view text_;
  size_t at_ = 0;
};

// Ends the parse at the first error, with our words.
class Explainer final : public antlr4::DefaultErrorStrategy {
 public:
  Explainer(std::string_view text, const std::string& path) : text_(text), path_(path) {}
  void sync(antlr4::Parser*) override {}
  void reportError(antlr4::Parser* parser, const antlr4::RecognitionException&) override {
    fail(parser);
  }
  antlr4::Token* recoverInline(antlr4::Parser* parser) override { fail(parser); }
  void recover(antlr4::Parser* parser, std::exception_ptr) override { fail(parser); }

 private:
  [[noreturn]] void fail(antlr4::Parser* parser) {
    const antlr4::Token* found = parser->getCurrentToken();
    SyntaxProblem problem{text_, text_.size(), text_.size(), loc_of(*found), 0, {}, {}};
    if (found->getType() != antlr4::Token::EOF) {
      problem.begin = found->getStartIndex();
      problem.end = found->getStopIndex() + 1;
    }
    if (const antlr4::Token* previous = parser->getTokenStream()->LT(-1)) {
      problem.previous_end = previous->getStopIndex() + 1;
      problem.previous_loc = loc_of(*previous);
    }
    for (ssize_t type : parser->getExpectedTokens().toList())
      problem.expected.push_back(parser->getVocabulary().getDisplayName(static_cast<size_t>(type)));
    throw explain(problem, path_);
  }

  std::string_view text_;
  const std::string& path_;
};

// Writes nodes as the parser goes; ANTLR's own tree is not kept.
class Recorder final : public antlr4::tree::ParseTreeListener {
 public:
  explicit Recorder(std::vector<Node>& nodes) : nodes_(nodes) {}
  void enterEveryRule(antlr4::ParserRuleContext* context) override {
    const antlr4::Token* token = context->getStart();
    auto begin = static_cast<uint32_t>(token->getStartIndex());
    open_.push_back(static_cast<uint32_t>(nodes_.size()));
    nodes_.push_back({kRuleKinds[context->getRuleIndex()], begin, begin, loc_of(*token), 0});
  }
  void exitEveryRule(antlr4::ParserRuleContext*) override {
    Node& node = nodes_[open_.back()];
    node.end = std::max(node.begin, last_end_);
    node.next = static_cast<uint32_t>(nodes_.size());
    open_.pop_back();
  }
  void visitTerminal(antlr4::tree::TerminalNode* terminal) override {
    const antlr4::Token* token = terminal->getSymbol();
    if (token->getType() == antlr4::Token::EOF) return;
    last_end_ = static_cast<uint32_t>(token->getStopIndex() + 1);
    nodes_.push_back({token_kind(token->getType()), static_cast<uint32_t>(token->getStartIndex()),
                      last_end_, loc_of(*token), static_cast<uint32_t>(nodes_.size() + 1)});
  }
  void visitErrorNode(antlr4::tree::ErrorNode*) override {}

 private:
  std::vector<Node>& nodes_;
  std::vector<uint32_t> open_;
  uint32_t last_end_ = 0;
};

// Bounds the parser's recursion before it starts. At each bracket level the conditionals and casts
// of the current list element nest as well.
void check_nesting(const std::vector<antlr4::Token*>& tokens, std::string_view text,
                   const std::string& path) {
  std::vector<unsigned> inner{0};
  size_t depth = 0;
  bool after_parenthesis = false;
  for (const antlr4::Token* token : tokens) {
    if (token->getType() == antlr4::Token::EOF) break;
    char c = text[token->getStartIndex()];
    bool is_single = token->getStopIndex() == token->getStartIndex();
    if (is_single && (c == '(' || c == '[' || c == '{')) {
      inner.push_back(0);
      ++depth;
    } else if (is_single && (c == ')' || c == ']' || c == '}')) {
      if (inner.size() > 1) {
        depth -= 1 + inner.back();
        inner.pop_back();
      }
    } else if (is_single && (c == ',' || c == ';')) {
      depth -= inner.back();
      inner.back() = 0;
    } else if (is_single && c == '?') {
      ++inner.back();
      ++depth;
    } else if (after_parenthesis && token->getType() == PtxLexer::DOTID && inner.size() > 1) {
      ++inner[inner.size() - 2];  // outlives the cast's own parenthesis
      ++depth;
    }
    after_parenthesis = is_single && c == '(';
    if (depth > kMaxNesting)
      throw base::InputError(path, loc_of(*token),
                             "nested more than " + std::to_string(kMaxNesting) + " levels deep",
                             "Split the expression or the blocks.");
  }
}

}  // namespace

SyntaxTree read_syntax(std::string_view text, const std::string& path) {
  require_ptx(text, path);
  if (text.size() > std::numeric_limits<uint32_t>::max() / 4)
    throw base::InputError(path, {}, "the file is larger than 1 GiB");
  ByteStream bytes(text);
  PtxLexer lexer(&bytes);
  lexer.removeErrorListeners();
  antlr4::CommonTokenStream tokens(&lexer);
  tokens.fill();
  check_nesting(tokens.getTokens(), text, path);

  SyntaxTree tree{text, &path, {}};
  tree.nodes.reserve(tokens.size() * 2);
  Recorder recorder(tree.nodes);
  PtxParser parser(&tokens);
  parser.removeErrorListeners();
  parser.setBuildParseTree(false);
  parser.setErrorHandler(std::make_shared<Explainer>(text, path));
  parser.addParseListener(&recorder);
  parser.module();
  return tree;
}

}  // namespace ptxequiv::ptx
