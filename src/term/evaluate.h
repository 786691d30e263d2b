// Evaluation of terms on concrete inputs, bit for bit as the hardware does.
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "term/arena.h"

namespace ptxequiv::term {

// Gives the bits of a leaf (kInput, kInitial, kScalar, kFresh, kHole, kAddress, kPoison).
using LeafBits = std::function<uint64_t(TermId, const Node&)>;

// Values of `roots`, in order; every node below them is computed once, in id order. Roots are no
// links of an open kDot chain, which have no value.
std::vector<uint64_t> evaluate(const Arena& arena, std::span<const TermId> roots,
                               const LeafBits& leaf);

}  // namespace ptxequiv::term
