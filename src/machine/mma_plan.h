// Where the elements of an mma are, and how its sums are taken: worked out once for an instruction.
#pragma once
#include <cstdint>
#include <vector>

#include "ir/fragment.h"

namespace ptxequiv::machine {

struct MmaPlan {
  explicit MmaPlan(const ir::Mma& mma);

  struct Slot {
    uint8_t lane, reg, shift;  // reg: number within the operand
  };
  // How a sum is taken (shared/vectors/instructions/README.md, "Tensor cores").
  enum class Sum : uint8_t {
    kTensor,    // passes of a tensor core
    kFused,     // f64: fma in the order of k, from c
    kEmulated,  // m8n8k4: fma in f32 in the order of k from zero, then c is added
    kInteger,
    kBits,
  };

  ir::Mma mma;
  Sum sum = Sum::kTensor;
  unsigned held = 0;   // factors of a sum
  unsigned depth = 0;  // elements of a column of B
  unsigned products = 1;
  ir::Fragment a_fragment, b_fragment, c_fragment, d_fragment;
  // A by product, row and held column; B by product, column and row; C and D by product, row and
  // column. Columns of A and rows of B are in the order in which passes take them.
  std::vector<Slot> a, b, c, d;
  // Sums of a tensor core: so many passes, each over held / passes factors.
  unsigned passes = 1;
  bool from_zero = false;           // c is added at the end, by an ordinary addition
  op::Type total = op::Type::kF32;  // what passes give; converted to d's type at the end
  // What the factors are converted to before they are multiplied; their own type otherwise.
  op::Type factor = op::Type::kNone;
  std::vector<uint16_t> order;  // the held columns, in the order of passes
  unsigned choice_step = 1;     // sparse: from one of the rows that metadata chooses to the next

 private:
  void choose_sum();
  static std::vector<Slot> slots(const ir::Fragment& fragment, size_t size, auto&& index_of);
};

}  // namespace ptxequiv::machine
