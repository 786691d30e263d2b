#include "ptx/labels.h"

#include <algorithm>

namespace ptxequiv::ptx {
namespace {

bool is_symbol(const TokenList& list, size_t at, char symbol) {
  const Token& token = list.tokens[at];
  return token.kind == Kind::kPunctuation && token.end - token.begin == 1 &&
         list.text[token.begin] == symbol;
}

// `.loc` is the one statement that nothing ends. Returns the place after it.
size_t after_location(const TokenList& list, size_t at) {
  size_t left = 4;  // .loc 1 2 3
  while (left > 0 && list.tokens[at].kind != Kind::kEnd) ++at, --left;
  if (!is_symbol(list, at, ',')) return at;
  // , function_name label+4, inlined_at 1 2 3
  while (list.tokens[at].kind != Kind::kEnd && !is_symbol(list, at + 1, ',')) ++at;
  left = 6;
  while (left > 0 && list.tokens[at].kind != Kind::kEnd) ++at, --left;
  return at;
}

}  // namespace

bool is_label(const TokenList& list, size_t token) {
  return list.tokens[token].kind == Kind::kId && is_symbol(list, token + 1, ':');
}

Labels::Labels(const TokenList& list, uint32_t first) {
  std::vector<uint32_t> open{0};
  uint32_t opened = 1;
  for (size_t at = first; !open.empty() && list.tokens[at].kind != Kind::kEnd;) {
    if (is_label(list, at)) {
      Kind next = list.tokens[at + 2].kind;
      bool is_table = next == Kind::kBranchTargets || next == Kind::kCallTargets ||
                      next == Kind::kCallPrototype;
      if (!is_table) labels_.emplace_back(open.back(), static_cast<uint32_t>(at));
      at += 2;
      ++statements_;
      if (!is_table) continue;
    } else if (is_symbol(list, at, '{')) {
      open.push_back(opened++);
      ++at;
      continue;
    } else if (is_symbol(list, at, '}')) {
      open.pop_back();
      ++at;
      continue;
    } else if (list.tokens[at].kind == Kind::kLoc) {
      at = after_location(list, at);
      continue;
    }
    while (list.tokens[at].kind != Kind::kEnd && !is_symbol(list, at, ';')) ++at;
    if (list.tokens[at].kind != Kind::kEnd) ++at;
    ++statements_;
  }
  std::stable_sort(labels_.begin(), labels_.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
}

std::vector<uint32_t> Labels::of_next_block() {
  std::vector<uint32_t> result;
  for (; at_ < labels_.size() && labels_[at_].first == block_; ++at_)
    result.push_back(labels_[at_].second);
  ++block_;
  return result;
}

}  // namespace ptxequiv::ptx
