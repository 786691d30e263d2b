// Warp-wide matrix products (PTX 9.7.14): on bits where everything is known, else as terms, a chain
// of kDot links for each sum that a tensor core rounds once.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "machine/env.h"
#include "machine/mma_plan.h"
#include "op/dot.h"

namespace ptxequiv::machine {

class MatrixProducts {
 public:
  explicit MatrixProducts(Env& env) : env_(env) {}
  // kMma; all lanes of the warp are there.
  void execute(const CodeInst& inst, Warp& warp);

 private:
  // A's elements by row, B's by column, in the order in which sums need them.
  struct Matrix {
    std::vector<Lane> lanes;
    std::vector<TermId> terms;           // kNoTerm: not asked for yet
    std::vector<op::DotFactor> factors;  // of floats, where lanes are bits
    std::vector<uint8_t> known;          // by row of A, column of B: all are bits
  };
  // Two bits of a sparse matrix's metadata that are terms; kNoTerm if they are known.
  struct Choice {
    TermId low = kNoTerm, high = kNoTerm;
  };
  // The factors of one sum.
  struct Line {
    size_t a = 0, b = 0;               // where they start
    const uint16_t* places = nullptr;  // sparse: for each of A's, which of B's
    const Choice* choices = nullptr;   // or the first of the four among which data chooses
    bool known = false;                // all are bits
  };

  const MmaPlan& plan_of(const CodeInst& inst);
  void read_factors(const CodeInst& inst, Warp& warp, const MmaPlan& plan, bool is_a);
  void read_accumulator(const CodeInst& inst, Warp& warp, const MmaPlan& plan);
  void read_metadata(const CodeInst& inst, Warp& warp, const MmaPlan& plan);
  void check_copies(const CodeInst& inst, Warp& warp, const MmaPlan& plan, bool is_a);
  Lane element(Register& reg, unsigned lane, unsigned shift, unsigned bits, unsigned register_bits);
  Lane converted(const Lane& value, ir::Mma::Element element, const MmaPlan& plan);
  Lane integer(const Lane& value, ir::Mma::Element element);
  void write(const CodeInst& inst, Warp& warp, const MmaPlan& plan);

  Line line_of(const MmaPlan& plan, size_t row, size_t column) const;

  // mma_sum.cpp
  Lane sum(const MmaPlan& plan, const Line& line, const Lane& c);
  void tensor_sums(const MmaPlan& plan);
  void pass(const MmaPlan& plan, unsigned number, op::Type from, op::Type to);
  std::optional<Lane> known_pass(const MmaPlan& plan, const Line& line, unsigned number,
                                 const Lane& c, op::Type from, op::Type to);
  Lane fused_sum(const MmaPlan& plan, const Line& line, const Lane& c);
  Lane integer_sum(const MmaPlan& plan, const Line& line, const Lane& c);
  Lane bit_sum(const MmaPlan& plan, const Line& line, const Lane& c);
  size_t b_index(const Line& line, unsigned t) const {
    return line.b + (line.places != nullptr ? line.places[t] : t);
  }
  TermId term(Matrix& matrix, size_t index, unsigned bits);
  TermId b_term(const MmaPlan& plan, const Line& line, unsigned t, unsigned bits);
  Lane apply(op::Kind kind, op::Type type, const Lane& a, const Lane& b = {}, const Lane& c = {},
             op::Type src = op::Type::kNone, op::Rounding rounding = op::Rounding::kNone);

  Env& env_;
  std::unordered_map<const ir::Inst*, std::unique_ptr<MmaPlan>> plans_;
  Matrix a_, b_;
  std::vector<Lane> c_, d_;
  struct Chain {
    size_t output;
    TermId link;
  };
  std::vector<Line> lines_;                            // of each element of the result
  std::vector<Chain> chains_;                          // of those that are terms
  std::vector<TermId> links_, a_factors_, b_factors_;  // parallel to them
  std::vector<uint16_t> places_;                       // sparse: [row][held column]
  std::vector<Choice> choices_;                        // parallel, or empty if all are known
  std::vector<op::DotFactor> gathered_;                // of B, for a sparse sum
};

}  // namespace ptxequiv::machine
