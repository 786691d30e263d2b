// Which lane of a warp holds which element of a matrix: the fragments of mma (PTX 9.7.14.5) and of
// wmma, which the manual leaves open and an H200 was asked for.
#pragma once
#include <array>
#include <cstdint>

#include "ir/ir.h"

namespace ptxequiv::ir {

// Of an element in a register; b1 elements are taken 32 at a time, as one element of 32 bits.
unsigned element_bits(Mma::Element element);
// The type of a floating-point element; kNone for integers and bits.
op::Type element_type(Mma::Element element);

// A fragment is a sequence of cores, small blocks of the matrix spread over the whole warp, each
// lane holding a run of neighbouring elements of each.
struct Fragment {
  enum class Core : uint8_t {
    k8Rows,            // 8 rows: lane l has, in row l / 4, the run number l % 4
    kQuadRow,          // m8n8k4: a lane has a run of a row, of the first four or the last four rows
    kQuadBlock,        // m8n8k4: the run goes down a column instead
    kQuadAccumulator,  // m8n8k4: f32, pairs of elements of two rows
  };
  struct Origin {
    uint8_t row = 0, column = 0;
  };
  static constexpr unsigned kMaxCores = 8;

  Core core = Core::k8Rows;
  bool transposed = false;  // columns for rows
  uint8_t element_bits = 0;
  uint8_t register_bits = 32;
  uint8_t run = 1;
  uint8_t cores = 1;
  uint8_t distinct = 1;  // the cores from here on hold the same elements again
  std::array<Origin, kMaxCores> origins;

  struct Element {
    unsigned row, column;
    unsigned product;  // m8n8k4: one of four
  };
  // What `lane` holds as its element number `index`.
  Element at(unsigned lane, unsigned index) const;
  unsigned elements() const { return unsigned{run} * cores; }
  unsigned registers() const { return elements() * element_bits / register_bits; }
  unsigned per_register() const { return register_bits / element_bits; }
};

enum class Operand : uint8_t { kA, kB, kC, kD };
Fragment fragment(const Mma& mma, Operand operand);
// Independent products that one instruction computes: 4 for kQuadPairs, else 1.
unsigned products(const Mma& mma);
// Columns of A as it is held: fewer than k if sparse; for b1, words of 32.
unsigned held_columns(const Mma& mma);

}  // namespace ptxequiv::ir
