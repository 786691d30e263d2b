// The tokens of a PTX text. Which there are is said in grammar/Ptx.g4.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"

namespace ptxequiv::ptx {

using base::SourceLoc;

// What a node of the syntax is: a rule or a token.
enum class Kind : uint8_t {
  // Rules, in the order of the grammar.
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

struct Token {
  uint32_t begin, end;  // bytes of the text
  Kind kind;
  uint8_t type;  // as ANTLR numbers it; 0 at the end of the text
};

// Where lines begin. Asking for places in ascending order costs nothing.
class Lines {
 public:
  explicit Lines(std::string_view text);
  SourceLoc locate(uint32_t offset) const;

 private:
  std::vector<uint32_t> begins_;
  mutable size_t last_ = 0;
};

struct TokenList {
  std::string_view text;
  Lines lines;
  std::vector<Token> tokens;  // the last stands at the end of the text
  std::vector<std::string_view> debug_sections;  // which are no tokens
  std::string_view text_of(const Token& token) const {
    return text.substr(token.begin, token.end - token.begin);
  }
  SourceLoc loc_of(const Token& token) const { return lines.locate(token.begin); }
};

// `text` must outlive the result. The list ends early, with the end behind it, after a kUnknown: no
// rule takes one. Throws base::InputError for a text that is no PTX at all.
TokenList tokenize(std::string_view text, const std::string& path);

}  // namespace ptxequiv::ptx
