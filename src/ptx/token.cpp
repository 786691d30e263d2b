#include "ptx/token.h"

#include <antlr4-runtime.h>

#include <algorithm>
#include <array>
#include <limits>

#include "PtxLexer.h"
#include "base/error.h"
#include "ptx/syntax_error.h"

namespace ptxequiv::ptx {
namespace {

Kind kind_of(size_t type) {
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

// A character is a byte, so that places index the text. PTX is ASCII; other bytes can only stand
// in comments and strings, where the grammar takes any character.
constexpr size_t kCharacters = 128;
uint8_t character(char c) {
  return std::min(static_cast<uint8_t>(c), static_cast<uint8_t>(kCharacters - 1));
}

// For the runtime, which is handed one character at a time.
class OneCharacter final : public antlr4::CharStream {
 public:
  explicit OneCharacter(size_t value) : value_(value) {}
  void consume() override { is_consumed_ = true; }
  size_t LA(ssize_t offset) override {
    return offset == (is_consumed_ ? -1 : 1) ? value_ : antlr4::IntStream::EOF;
  }
  ssize_t mark() override { return -1; }
  void release(ssize_t) override {}
  size_t index() override { return is_consumed_; }
  void seek(size_t index) override { is_consumed_ = index != 0; }
  size_t size() override { return 1; }
  std::string getSourceName() const override { return "ptx"; }
  std::string getText(const antlr4::misc::Interval&) override { return toString(); }
  std::string toString() const override { return std::string(1, static_cast<char>(value_)); }

 private:
  size_t value_;
  bool is_consumed_ = false;
};

// The lexer's automaton as a table. ANTLR finds its states as they are needed; its own loop spends
// most of the time on locks, hash tables and an object per token.
class Scanner final : public antlr4::atn::LexerATNSimulator {
 public:
  explicit Scanner(PtxLexer& lexer)
      : LexerATNSimulator(
            &lexer, lexer.getATN(),
            lexer.getInterpreter<antlr4::atn::LexerATNSimulator>()->_decisionToDFA,
            lexer.getInterpreter<antlr4::atn::LexerATNSimulator>()->getSharedContextCache()) {
    OneCharacter blank(' ');
    match(&blank, 0);  // makes the start state
    start_ = row_of(getDFA(0).s0);
  }

  struct Match {
    size_t end;  // as for no match: the beginning
    size_t type;
    bool is_skipped;
  };

  // The longest token that begins at `begin`, and of these the first in the grammar.
  Match longest(std::string_view text, size_t begin) {
    size_t accepted = start_, end = begin, row = start_;
    for (size_t at = begin; at < text.size();) {
      uint8_t c = character(text[at]);
      int32_t next = rows_[row].next[c];
      if (next == kNotKnown) next = find_next(row, c);
      if (next == kDead) break;
      row = static_cast<size_t>(next);
      ++at;
      if (!rows_[row].accepts) continue;
      accepted = row;
      end = at;
    }
    return {end, rows_[accepted].type, rows_[accepted].is_skipped};
  }

 private:
  static constexpr int32_t kNotKnown = -1, kDead = -2;
  struct Row {
    std::array<int32_t, kCharacters> next;
    antlr4::dfa::DFAState* state = nullptr;
    size_t type = 0;
    bool accepts = false, is_skipped = false;
  };

  size_t row_of(antlr4::dfa::DFAState* state) {
    auto row = static_cast<size_t>(state->stateNumber);
    if (row >= rows_.size()) rows_.resize(row + 1);
    Row& result = rows_[row];
    if (result.state != nullptr) return row;
    result.next.fill(kNotKnown);
    result.state = state;
    result.accepts = state->isAcceptState;
    result.type = state->prediction;
    result.is_skipped = state->lexerActionExecutor != nullptr;  // `-> skip` is the only action
    return row;
  }

  int32_t find_next(size_t row, size_t c) {
    antlr4::dfa::DFAState* from = rows_[row].state;
    antlr4::dfa::DFAState* to = getExistingTargetState(from, c);
    OneCharacter input(c);
    if (to == nullptr) to = computeTargetState(&input, from, c);
    int32_t next = to == ERROR.get() ? kDead : static_cast<int32_t>(row_of(to));
    rows_[row].next[c] = next;
    return next;
  }

  std::vector<Row> rows_;  // by state number
  size_t start_ = 0;
};

}  // namespace

Lines::Lines(std::string_view text) : begins_{0} {
  for (size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1))
    begins_.push_back(static_cast<uint32_t>(at + 1));
}

SourceLoc Lines::locate(uint32_t offset) const {
  constexpr size_t kNear = 8;
  size_t stop = std::min(last_ + kNear, begins_.size());
  if (begins_[last_] <= offset) {
    while (last_ + 1 < stop && begins_[last_ + 1] <= offset) ++last_;
  }
  bool is_here =
      begins_[last_] <= offset && (last_ + 1 == begins_.size() || begins_[last_ + 1] > offset);
  if (!is_here)
    last_ = static_cast<size_t>(std::upper_bound(begins_.begin(), begins_.end(), offset) -
                                begins_.begin()) -
            1;
  return {static_cast<uint32_t>(last_ + 1), offset - begins_[last_] + 1};
}

TokenList tokenize(std::string_view text, const std::string& path) {
  require_ptx(text, path);
  if (text.size() > std::numeric_limits<uint32_t>::max() / 4)
    throw base::InputError(path, {}, "the file is larger than 1 GiB");
  TokenList list{text, Lines(text), {}, {}};
  constexpr size_t kUsualLength = 3;  // with the blanks between
  list.tokens.reserve(text.size() / kUsualLength + 2);
  OneCharacter nothing(' ');
  PtxLexer lexer(&nothing);
  Scanner scanner(lexer);
  for (size_t at = 0; at < text.size();) {
    Scanner::Match found = scanner.longest(text, at);
    PTXEQUIV_CHECK(found.end > at, "the grammar has no token for a character");
    Token token{static_cast<uint32_t>(at), static_cast<uint32_t>(found.end), kind_of(found.type),
                static_cast<uint8_t>(found.type)};
    at = found.end;
    if (found.is_skipped) {
      if (found.type == PtxLexer::SECTION || found.type == PtxLexer::DWARF)
        list.debug_sections.push_back(list.text_of(token));
      continue;
    }
    // A comment, string or section that never ends would be tried again from every place inside.
    std::string_view spelt = list.text_of(token);
    if ((spelt == "/" && text.substr(token.begin, 2) == "/*") || spelt == ".section") {
      token.kind = Kind::kUnknown;
      token.type = PtxLexer::UNKNOWN;
    }
    list.tokens.push_back(token);
    if (token.kind == Kind::kUnknown) break;
  }
  auto size = static_cast<uint32_t>(text.size());
  list.tokens.push_back({size, size, Kind::kEnd, 0});
  return list;
}

}  // namespace ptxequiv::ptx
