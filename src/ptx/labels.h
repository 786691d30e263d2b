// Which labels each block of a function declares: they are visible before they stand.
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "ptx/token.h"

namespace ptxequiv::ptx {

class Labels {
 public:
  // `first` is the token after the `{` of a function's body. Scans to the `}` that closes it, or as
  // far as the text is well-formed.
  Labels(const TokenList& list, uint32_t first);

  // The tokens that name the labels of the next block, in the order in which blocks open; the
  // function's body is the first.
  std::vector<uint32_t> of_next_block();
  // An estimate for what needs room.
  size_t statements() const { return statements_; }

 private:
  std::vector<std::pair<uint32_t, uint32_t>> labels_;  // block and token
  size_t at_ = 0;
  uint32_t block_ = 0;
  size_t statements_ = 0;
};

// Whether a label stands at this token, whatever is around.
bool is_label(const TokenList& list, size_t token);

}  // namespace ptxequiv::ptx
