// Arithmetic in check files: extents ("(n + 255) / 256") are evaluated here; assumptions
// ("0 <= x[*] <= hi") become a small tree that `check` gives a meaning.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "spec/spec.h"

namespace ptxequiv::spec {

enum class Relation : uint8_t { kEq, kNe, kLt, kLe, kGt, kGe };
std::string_view name(Relation relation);  // "<="

struct ExpressionNode {
  enum class Kind : uint8_t {
    kNumber,    // `number`
    kScalar,    // `name`
    kElements,  // every element of the buffer `name`: x[*]
    kNegate,    // of `left`
    kAdd,
    kSubtract,
    kMultiply,
    kDivide,     // extents only: integer division, rounding towards zero
    kRemainder,  // of integers, with the sign of `left`, as in C and PTX
    kCeilDiv,
    kMin,
    kMax,  // extents only
  };
  Kind kind = Kind::kNumber;
  Number number;
  std::string name;
  uint32_t left = 0, right = 0;  // into Expression::nodes, always smaller than the node's own index
  base::SourceLoc loc;
};

struct Comparison {
  Relation relation = Relation::kEq;
  uint32_t left = 0, right = 0;
};

// An assumption: every comparison holds, for every element of every x[*] in it. `0 <= x <= 1` is
// two comparisons. x[*] and y[*] in one comparison range independently; two x[*] are one element.
struct Expression {
  std::vector<ExpressionNode> nodes;
  std::vector<Comparison> comparisons;
};

// Names are resolved against the check's scalars and buffers. Throws base::InputError with the
// place inside the text.
Expression parse_assume(const Assume& assume, const Check& check);

// Value of an integer expression over those scalars that have a value.
int64_t evaluate_extent(std::string_view text, const std::vector<Scalar>& scalars,
                        const std::string& path, base::SourceLoc loc);

}  // namespace ptxequiv::spec
