#include "ir/fragment.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace ptxequiv::ir {
namespace {

using Element = Mma::Element;

// Origins in the order of registers: down the first dimension, then along the second.
struct Grid {
  unsigned rows, columns;  // of the matrix
  unsigned core_rows, core_columns;
};

void fill(Fragment& f, const Grid& grid, bool rows_first) {
  const unsigned down = std::max(1u, grid.rows / grid.core_rows);
  const unsigned along = std::max(1u, grid.columns / grid.core_columns);
  PTXEQUIV_CHECK(down * along <= Fragment::kMaxCores, "a fragment has fewer cores");
  f.cores = static_cast<uint8_t>(down * along);
  for (unsigned i = 0; i < f.cores; ++i) {
    const unsigned r = rows_first ? i % down : i / along;
    const unsigned c = rows_first ? i / down : i % along;
    f.origins[i] = {static_cast<uint8_t>(r * grid.core_rows),
                    static_cast<uint8_t>(c * grid.core_columns)};
  }
}

// Holds the cores again until there are `count`.
void repeat(Fragment& f, unsigned count) {
  for (unsigned i = f.cores; i < count; ++i) f.origins[i] = f.origins[i % f.distinct];
  f.cores = static_cast<uint8_t>(count);
}

// Registers of wmma's f16 factors, whatever the shape (as found; the manual has eight, 9.7.14.3.1).
constexpr unsigned kHalfFactorCores = 8;

Fragment factor(const Mma& mma, bool is_a) {
  Fragment f;
  const Element element = is_a ? mma.a : mma.b;
  f.element_bits = static_cast<uint8_t>(element_bits(element));
  f.register_bits = element == Element::kF64 ? 64 : 32;
  f.run = static_cast<uint8_t>(f.per_register());
  if (mma.layout == Mma::Layout::kQuadPairs) {
    const bool along = is_a ? mma.a_is_row : !mma.b_is_row;  // the run lies along k
    f.core = along ? Fragment::Core::kQuadRow : Fragment::Core::kQuadBlock;
    f.transposed = !is_a;
    f.run = 4;
    return f;
  }
  f.transposed = !is_a;
  const unsigned width = 4u * f.run;  // of a core, along k
  const unsigned k = element == Element::kB1 ? mma.k / 32u : mma.k;
  if (is_a) {
    const unsigned held = held_columns(mma);
    fill(f, {mma.m, held, 8, width}, true);
    // wmma's 32 rows are two products of 16.
    if (mma.m == 32 && held > width) {
      f.origins = {{{0, 0}, {8, 0}, {0, 8}, {8, 8}, {16, 0}, {24, 0}, {16, 8}, {24, 8}}};
    }
  } else {
    fill(f, {k, mma.n, width, 8}, true);
    if (mma.n == 32 && k > width) {
      f.origins = {{{0, 0}, {0, 8}, {8, 0}, {8, 8}, {0, 16}, {0, 24}, {8, 16}, {8, 24}}};
    }
  }
  f.distinct = f.cores;
  if (mma.layout == Mma::Layout::kWmma && element == Element::kF16) repeat(f, kHalfFactorCores);
  return f;
}

Fragment accumulator(const Mma& mma, op::Type type) {
  Fragment f;
  f.element_bits = static_cast<uint8_t>(op::bits(type));
  f.register_bits = type == op::Type::kF64 ? 64 : 32;
  if (mma.layout == Mma::Layout::kQuadPairs) {
    f.core = type == op::Type::kF16 ? Fragment::Core::kQuadRow : Fragment::Core::kQuadAccumulator;
    f.run = 8;
    return f;
  }
  f.run = 2;
  // wmma's 8x32 is computed as the transpose of a 32x8.
  f.transposed = mma.n == 32;
  fill(f, {mma.m, mma.n, 8, 8}, true);
  f.distinct = f.cores;
  return f;
}

}  // namespace

unsigned element_bits(Element element) {
  static constexpr uint8_t kBits[] = {16, 16, 32, 64, 8, 8, 8, 8, 4, 4, 32};
  return kBits[static_cast<size_t>(element)];
}

op::Type element_type(Element element) {
  using op::Type;
  static constexpr Type kTypes[] = {Type::kF16,  Type::kBF16, Type::kTF32, Type::kF64,
                                    Type::kE4M3, Type::kE5M2, Type::kNone, Type::kNone,
                                    Type::kNone, Type::kNone, Type::kNone};
  return kTypes[static_cast<size_t>(element)];
}

unsigned products(const Mma& mma) {
  return mma.layout == Mma::Layout::kQuadPairs ? 4 : 1;
}

unsigned held_columns(const Mma& mma) {
  const unsigned k = mma.a == Element::kB1 ? mma.k / 32u : mma.k;
  return mma.sparse ? k / 2 : k;
}

Fragment fragment(const Mma& mma, Operand operand) {
  switch (operand) {
    case Operand::kA:
      return factor(mma, true);
    case Operand::kB:
      return factor(mma, false);
    case Operand::kC:
      return accumulator(mma, mma.c);
    case Operand::kD:
      break;
  }
  return accumulator(mma, mma.d);
}

Fragment::Element Fragment::at(unsigned lane, unsigned index) const {
  const unsigned core_index = index / run, i = index % run;
  const Origin origin = origins[core_index];
  Element e{0, 0, lane % 16 / 4};
  const unsigned upper = lane >= 16 ? 4 : 0;
  switch (core) {
    case Core::k8Rows:
      e = {lane / 4, lane % 4 * run + i, 0};
      break;
    case Core::kQuadRow:
      e.row = lane % 4 + upper;
      e.column = i;
      break;
    case Core::kQuadBlock:
      e.row = i + upper;
      e.column = lane % 4;
      break;
    case Core::kQuadAccumulator:
      e.row = (lane & 1) + (i & 2) + upper;
      e.column = (i & 4) + (lane & 2) + (i & 1);
      break;
  }
  if (transposed) std::swap(e.row, e.column);
  e.row += origin.row;
  e.column += origin.column;
  return e;
}

}  // namespace ptxequiv::ir
