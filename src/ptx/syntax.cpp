#include "ptx/syntax.h"

#include <antlr4-runtime.h>

#include <deque>
#include <memory>
#include <utility>

#include "PtxParser.h"
#include "base/error.h"
#include "ptx/syntax_error.h"

namespace ptxequiv::ptx {
namespace {

constexpr Kind kRuleKinds[] = {
    Kind::kItem,          Kind::kPragma,     Kind::kAttribute,
    Kind::kAttributeItem, Kind::kFunction,   Kind::kParameters,
    Kind::kParameter,     Kind::kTuning,     Kind::kDeclarationWord,
    Kind::kVariable,      Kind::kDeclarator, Kind::kInitializer,
    Kind::kStatement,     Kind::kTable,      Kind::kInstruction,
    Kind::kOperand,       Kind::kExpression, Kind::kUnary,
};
static_assert(std::size(kRuleKinds) == PtxParser::RuleUnary + 1);
static_assert(kRuleKinds[PtxParser::RuleTuning] == Kind::kTuning);
static_assert(kRuleKinds[PtxParser::RuleStatement] == Kind::kStatement);
static_assert(kRuleKinds[PtxParser::RuleInstruction] == Kind::kInstruction);

size_t antlr_type(const Token& token) {
  return token.kind == Kind::kEnd ? antlr4::Token::EOF : token.type;
}

// The parser's view of the tokens. It looks at the current one and the one before only, so that two
// objects stand for all of them.
class Stream final : public antlr4::TokenStream {
 public:
  explicit Stream(const TokenList& list) : list_(list), type_(antlr_type(list.tokens[0])) {}
  const TokenList& list() const { return list_; }
  const Token& token(size_t place) const { return list_.tokens[place]; }

  void consume() override {
    ++at_;
    type_ = antlr_type(list_.tokens[at_]);
  }
  size_t LA(ssize_t offset) override { return offset == 1 ? type_ : LT(offset)->getType(); }
  antlr4::Token* LT(ssize_t offset) override {
    if (offset == 1) return &current_;
    return offset == -1 && at_ > 0 ? &previous_ : nullptr;
  }
  antlr4::Token* get(size_t) const override { return nullptr; }
  antlr4::TokenSource* getTokenSource() const override { return nullptr; }
  std::string getText(const antlr4::misc::Interval&) override { return {}; }
  std::string getText() override { return {}; }
  std::string getText(antlr4::RuleContext*) override { return {}; }
  std::string getText(antlr4::Token*, antlr4::Token*) override { return {}; }
  ssize_t mark() override { return -1; }
  void release(ssize_t) override {}
  size_t index() override { return at_; }
  void seek(size_t index) override {
    at_ = index;
    type_ = antlr_type(list_.tokens[at_]);
  }
  size_t size() override { return list_.tokens.size(); }
  std::string getSourceName() const override { return "ptx"; }

 private:
  class View final : public antlr4::Token {
   public:
    View(const Stream& stream, size_t back) : stream_(stream), back_(back) {}
    std::string getText() const override { return std::string(stream_.list_.text_of(token())); }
    size_t getType() const override { return back_ == 0 ? stream_.type_ : antlr_type(token()); }
    size_t getLine() const override { return stream_.list_.loc_of(token()).line; }
    size_t getCharPositionInLine() const override {
      return stream_.list_.loc_of(token()).column - 1;
    }
    size_t getChannel() const override { return 0; }
    size_t getTokenIndex() const override { return stream_.at_ - back_; }
    size_t getStartIndex() const override { return token().begin; }
    size_t getStopIndex() const override { return token().end - 1; }
    antlr4::TokenSource* getTokenSource() const override { return nullptr; }
    antlr4::CharStream* getInputStream() const override { return nullptr; }
    std::string toString() const override { return getText(); }

   private:
    const ptx::Token& token() const { return stream_.list_.tokens[stream_.at_ - back_]; }
    const Stream& stream_;
    size_t back_;
  };

  const TokenList& list_;
  size_t at_ = 0;
  size_t type_;
  View current_{*this, 0}, previous_{*this, 1};
};

// Ends the parse at the first error, with our words.
class Explainer final : public antlr4::DefaultErrorStrategy {
 public:
  Explainer(Stream& stream, const std::string& path) : stream_(stream), path_(path) {}
  void sync(antlr4::Parser*) override {}
  void reportMatch(antlr4::Parser*) override {}
  void reportError(antlr4::Parser* parser, const antlr4::RecognitionException&) override {
    fail(parser);
  }
  antlr4::Token* recoverInline(antlr4::Parser* parser) override { fail(parser); }
  void recover(antlr4::Parser* parser, std::exception_ptr) override { fail(parser); }

 private:
  [[noreturn]] void fail(antlr4::Parser* parser) {
    const TokenList& list = stream_.list();
    const Token& found = list.tokens[stream_.index()];
    SyntaxProblem problem{list.text, found.begin, found.end, list.loc_of(found), 0, {}, {}};
    if (stream_.index() > 0) {
      const Token& previous = list.tokens[stream_.index() - 1];
      problem.previous_end = previous.end;
      problem.previous_loc = list.loc_of(previous);
    }
    for (ssize_t type : parser->getExpectedTokens().toList())
      problem.expected.push_back(parser->getVocabulary().getDisplayName(static_cast<size_t>(type)));
    throw explain(problem, path_);
  }

  Stream& stream_;
  const std::string& path_;
};

// The runtime tells its parser of a rule's end only if somebody listens.
class Listener final : public antlr4::tree::ParseTreeListener {
 public:
  void enterEveryRule(antlr4::ParserRuleContext*) override {}
  void exitEveryRule(antlr4::ParserRuleContext*) override {}
  void visitTerminal(antlr4::tree::TerminalNode*) override {}
  void visitErrorNode(antlr4::tree::ErrorNode*) override {}
};

// Bounds the parser's recursion before it starts. At each bracket level the conditionals and casts
// of the current list element nest as well.
void check_nesting(const TokenList& list, const std::string& path) {
  std::vector<unsigned> inner{0};
  size_t depth = 0;
  bool after_parenthesis = false;
  for (const Token& token : list.tokens) {
    if (token.kind == Kind::kEnd) break;
    bool is_single = token.kind == Kind::kPunctuation && token.end - token.begin == 1;
    char c = is_single ? list.text[token.begin] : '\0';
    if (c == '(' || c == '[' || c == '{') {
      inner.push_back(0);
      ++depth;
    } else if (c == ')' || c == ']' || c == '}') {
      if (inner.size() > 1) {
        depth -= 1 + inner.back();
        inner.pop_back();
      }
    } else if (c == ',' || c == ';') {
      depth -= inner.back();
      inner.back() = 0;
    } else if (c == '?') {
      ++inner.back();
      ++depth;
    } else if (after_parenthesis && token.kind == Kind::kDotId && inner.size() > 1) {
      ++inner[inner.size() - 2];  // outlives the cast's own parenthesis
      ++depth;
    }
    after_parenthesis = c == '(';
    if (depth > kMaxNesting)
      throw base::InputError(path, list.loc_of(token),
                             "nested more than " + std::to_string(kMaxNesting) + " levels deep",
                             "Split the expression or the blocks.");
  }
}

// Writes nodes as the generated parser goes. The runtime would keep the object that it makes for
// each match of a rule until the parser is gone; here it goes as soon as the parser has left it.
class Recorder final : private PtxParser {
 public:
  Recorder(Stream& stream, const std::string& path)
      : PtxParser(&stream), stream_(stream), tree_{&stream.list(), {}} {
    setBuildParseTree(false);
    addParseListener(&listener_);
    removeErrorListeners();
    setErrorHandler(std::make_shared<Explainer>(stream, path));
  }
  ~Recorder() override {
    left_.reset();
    for (antlr4::tree::ParseTreeTracker& tracker : entered_) tracker.reset();
  }

  const SyntaxTree& tree() const { return tree_; }

  template <typename Rule>
  void read(Rule rule) {
    tree_.nodes.clear();
    setState(antlr4::atn::ATNState::INVALID_STATE_NUMBER);
    (this->*rule)();
  }
  void read_item() { read(&PtxParser::item); }
  void read_statement() { read(&PtxParser::statement); }

 private:
  uint32_t here() { return static_cast<uint32_t>(stream_.index()); }
  uint32_t count() const { return static_cast<uint32_t>(tree_.nodes.size()); }

  void enterRule(antlr4::ParserRuleContext* context, size_t state, size_t rule) override {
    left_.reset();
    if (open_.size() == entered_.size()) entered_.emplace_back();
    std::swap(_tracker, entered_[open_.size()]);
    antlr4::Parser::enterRule(context, state, rule);
    open_.push_back(count());
    tree_.nodes.push_back({here(), 0, kRuleKinds[rule]});
  }
  void triggerEnterRuleEvent() override {}
  void triggerExitRuleEvent() override {
    left_.reset();  // the last rule inside; this one's own object is still in use
    tree_.nodes[open_.back()].next = count();
    open_.pop_back();
    std::swap(left_, entered_[open_.size()]);
  }
  antlr4::Token* consume() override {
    tree_.nodes.push_back({here(), count() + 1, stream_.token(here()).kind});
    stream_.consume();
    return nullptr;
  }

  Stream& stream_;
  Listener listener_;
  SyntaxTree tree_;
  std::vector<uint32_t> open_;                          // nodes of the rules being matched
  std::deque<antlr4::tree::ParseTreeTracker> entered_;  // their objects
  antlr4::tree::ParseTreeTracker left_;
};

}  // namespace

std::string SyntaxTree::spelt(uint32_t begin, uint32_t end) const {
  std::string result;
  for (uint32_t i = begin; i < end; ++i) {
    if (nodes[i].kind < Kind::kPunctuation) continue;
    if (!result.empty()) result += ' ';
    result += text(nodes[i]);
  }
  return result;
}

struct SyntaxReader::Parts {
  Parts(const TokenList& list, const std::string& path) : stream(list), recorder(stream, path) {}
  Stream stream;
  Recorder recorder;
};

SyntaxReader::SyntaxReader(const TokenList& list, const std::string& path) {
  check_nesting(list, path);
  parts_ = std::make_unique<Parts>(list, path);
}
SyntaxReader::~SyntaxReader() = default;

Kind SyntaxReader::next() const {
  return parts_->stream.token(position()).kind;
}
uint32_t SyntaxReader::position() const {
  return static_cast<uint32_t>(parts_->stream.index());
}
const SyntaxTree& SyntaxReader::tree() const {
  return parts_->recorder.tree();
}
void SyntaxReader::item() {
  parts_->recorder.read_item();
}
void SyntaxReader::statement() {
  parts_->recorder.read_statement();
}

}  // namespace ptxequiv::ptx
