#include "ir/fragment.h"

#include <catch2/catch.hpp>
#include <set>
#include <tuple>
#include <vector>

namespace ptxequiv::ir {
namespace {

using Element = Mma::Element;
using Layout = Mma::Layout;
using op::Type;

Mma shape(Layout layout, unsigned m, unsigned n, unsigned k, Element element,
          Type accumulator = Type::kF32) {
  Mma mma;
  mma.layout = layout;
  mma.m = static_cast<uint16_t>(m);
  mma.n = static_cast<uint16_t>(n);
  mma.k = static_cast<uint16_t>(k);
  mma.a = mma.b = element;
  mma.c = mma.d = accumulator;
  return mma;
}

std::vector<std::pair<unsigned, unsigned>> held(const Fragment& f, unsigned lane) {
  std::vector<std::pair<unsigned, unsigned>> all;
  for (unsigned i = 0; i < f.elements(); ++i) {
    const auto e = f.at(lane, i);
    all.emplace_back(e.row, e.column);
  }
  return all;
}

using Places = std::vector<std::pair<unsigned, unsigned>>;

std::vector<Mma> all_shapes() {
  std::vector<Mma> all;
  const auto add = [&](Layout layout, unsigned m, unsigned n, std::initializer_list<unsigned> ks,
                       std::initializer_list<Element> elements, Type accumulator) {
    for (const unsigned k : ks) {
      for (const Element e : elements) all.push_back(shape(layout, m, n, k, e, accumulator));
    }
  };
  const Layout mma = Layout::kMma, wmma = Layout::kWmma;
  add(mma, 16, 8, {8, 16}, {Element::kF16, Element::kBF16}, Type::kF32);
  add(mma, 16, 8, {8, 16}, {Element::kF16}, Type::kF16);
  add(mma, 16, 8, {4, 8}, {Element::kTF32}, Type::kF32);
  add(mma, 8, 8, {4}, {Element::kF64}, Type::kF64);
  add(mma, 16, 8, {4, 8, 16}, {Element::kF64}, Type::kF64);
  add(mma, 8, 8, {16}, {Element::kS8, Element::kU8}, Type::kS32);
  add(mma, 16, 8, {16, 32}, {Element::kS8, Element::kE4M3}, Type::kS32);
  add(mma, 8, 8, {32}, {Element::kS4}, Type::kS32);
  add(mma, 16, 8, {32, 64}, {Element::kU4}, Type::kS32);
  add(mma, 8, 8, {128}, {Element::kB1}, Type::kS32);
  add(mma, 16, 8, {128, 256}, {Element::kB1}, Type::kS32);
  for (const auto& [m, n] : {std::pair{16u, 16u}, {8u, 32u}, {32u, 8u}}) {
    add(wmma, m, n, {16}, {Element::kF16, Element::kBF16, Element::kS8}, Type::kF32);
    add(wmma, m, n, {16}, {Element::kF16}, Type::kF16);
  }
  add(wmma, 16, 16, {8}, {Element::kTF32}, Type::kF32);
  add(wmma, 8, 8, {4}, {Element::kF64}, Type::kF64);
  add(wmma, 8, 8, {32}, {Element::kS4}, Type::kS32);
  add(wmma, 8, 8, {128}, {Element::kB1}, Type::kS32);
  for (const bool a_row : {false, true}) {
    for (const bool b_row : {false, true}) {
      for (const Type type : {Type::kF16, Type::kF32}) {
        Mma quads = shape(Layout::kQuadPairs, 8, 8, 4, Element::kF16, type);
        quads.a_is_row = a_row;
        quads.b_is_row = b_row;
        all.push_back(quads);
      }
    }
  }
  for (const auto& [k, e] : {std::pair{16u, Element::kF16},
                             {32u, Element::kF16},
                             {8u, Element::kTF32},
                             {16u, Element::kTF32},
                             {32u, Element::kS8},
                             {64u, Element::kS8},
                             {64u, Element::kS4},
                             {128u, Element::kS4}}) {
    Mma sparse = shape(Layout::kMma, 16, 8, k, e);
    sparse.sparse = true;
    all.push_back(sparse);
  }
  return all;
}

}  // namespace

TEST_CASE("every element of a matrix is held once by the distinct cores") {
  for (const Mma& mma : all_shapes()) {
    INFO(mma.m << " " << mma.n << " " << mma.k << " " << name(mma.a) << " "
               << static_cast<int>(mma.layout) << " " << mma.a_is_row << mma.b_is_row);
    const unsigned k = mma.a == Element::kB1 ? mma.k / 32u : mma.k;
    const unsigned rows[] = {mma.m, k, mma.m, mma.m};
    const unsigned columns[] = {held_columns(mma), mma.n, mma.n, mma.n};
    for (const Operand operand : {Operand::kA, Operand::kB, Operand::kC, Operand::kD}) {
      const Fragment f = fragment(mma, operand);
      std::set<std::tuple<unsigned, unsigned, unsigned>> seen;
      size_t distinct = 0;
      for (unsigned lane = 0; lane < 32; ++lane) {
        for (unsigned i = 0; i < f.elements(); ++i) {
          const auto e = f.at(lane, i);
          REQUIRE(e.row < rows[static_cast<size_t>(operand)]);
          REQUIRE(e.column < columns[static_cast<size_t>(operand)]);
          REQUIRE(e.product < products(mma));
          if (i >= unsigned{f.run} * f.distinct) {
            const auto first = f.at(lane, i % (unsigned{f.run} * f.distinct));
            CHECK((first.row == e.row && first.column == e.column));
            continue;
          }
          seen.insert({e.product, e.row, e.column});
          ++distinct;
        }
      }
      CHECK(seen.size() == distinct);
      CHECK(distinct == rows[static_cast<size_t>(operand)] * columns[static_cast<size_t>(operand)] *
                            products(mma));
    }
  }
}

TEST_CASE("mma's fragments are the manual's") {
  // PTX 9.7.14.5.8: m16n8k16 on 16-bit elements; lane 6 is in group 1, number 2 in it.
  const Mma half = shape(Layout::kMma, 16, 8, 16, Element::kF16);
  CHECK(held(fragment(half, Operand::kA), 6) ==
        Places{{1, 4}, {1, 5}, {9, 4}, {9, 5}, {1, 12}, {1, 13}, {9, 12}, {9, 13}});
  CHECK(held(fragment(half, Operand::kB), 6) == Places{{4, 1}, {5, 1}, {12, 1}, {13, 1}});
  CHECK(held(fragment(half, Operand::kC), 6) == Places{{1, 4}, {1, 5}, {9, 4}, {9, 5}});
  const Mma tf32 = shape(Layout::kMma, 16, 8, 8, Element::kTF32);
  CHECK(held(fragment(tf32, Operand::kA), 6) == Places{{1, 2}, {9, 2}, {1, 6}, {9, 6}});
  CHECK(held(fragment(tf32, Operand::kB), 6) == Places{{2, 1}, {6, 1}});
  const Mma byte = shape(Layout::kMma, 16, 8, 32, Element::kS8, Type::kS32);
  CHECK(held(fragment(byte, Operand::kB), 6) ==
        Places{{8, 1}, {9, 1}, {10, 1}, {11, 1}, {24, 1}, {25, 1}, {26, 1}, {27, 1}});
  CHECK(fragment(byte, Operand::kA).registers() == 4);
  const Mma f64 = shape(Layout::kMma, 8, 8, 4, Element::kF64, Type::kF64);
  CHECK(held(fragment(f64, Operand::kC), 6) == Places{{1, 4}, {1, 5}});
  CHECK(fragment(f64, Operand::kC).registers() == 2);
  // 9.7.14.5.1: m8n8k4, lane 18: the product of quads 0 and 4, lower half.
  Mma quads = shape(Layout::kQuadPairs, 8, 8, 4, Element::kF16);
  CHECK(held(fragment(quads, Operand::kA), 18) == Places{{6, 0}, {6, 1}, {6, 2}, {6, 3}});
  CHECK(held(fragment(quads, Operand::kB), 18) == Places{{0, 6}, {1, 6}, {2, 6}, {3, 6}});
  CHECK(held(fragment(quads, Operand::kC), 18) ==
        Places{{4, 2}, {4, 3}, {6, 2}, {6, 3}, {4, 6}, {4, 7}, {6, 6}, {6, 7}});
  CHECK(fragment(quads, Operand::kC).at(22, 0).product == 1);
  quads.a_is_row = false;
  quads.b_is_row = true;
  CHECK(held(fragment(quads, Operand::kA), 18) == Places{{4, 2}, {5, 2}, {6, 2}, {7, 2}});
  CHECK(held(fragment(quads, Operand::kB), 18) == Places{{2, 4}, {2, 5}, {2, 6}, {2, 7}});
}

TEST_CASE("wmma's fragments are as recorded on hardware") {
  const Mma square = shape(Layout::kWmma, 16, 16, 16, Element::kF16);
  CHECK(held(fragment(square, Operand::kA), 4) == Places{{1, 0},
                                                         {1, 1},
                                                         {9, 0},
                                                         {9, 1},
                                                         {1, 8},
                                                         {1, 9},
                                                         {9, 8},
                                                         {9, 9},
                                                         {1, 0},
                                                         {1, 1},
                                                         {9, 0},
                                                         {9, 1},
                                                         {1, 8},
                                                         {1, 9},
                                                         {9, 8},
                                                         {9, 9}});
  CHECK(held(fragment(square, Operand::kC), 4) ==
        Places{{1, 0}, {1, 1}, {9, 0}, {9, 1}, {1, 8}, {1, 9}, {9, 8}, {9, 9}});
  const Mma flat = shape(Layout::kWmma, 8, 32, 16, Element::kF16);
  CHECK(held(fragment(flat, Operand::kA), 1) == Places{{0, 2},
                                                       {0, 3},
                                                       {0, 10},
                                                       {0, 11},
                                                       {0, 2},
                                                       {0, 3},
                                                       {0, 10},
                                                       {0, 11},
                                                       {0, 2},
                                                       {0, 3},
                                                       {0, 10},
                                                       {0, 11},
                                                       {0, 2},
                                                       {0, 3},
                                                       {0, 10},
                                                       {0, 11}});
  CHECK(held(fragment(flat, Operand::kB), 1) == Places{{2, 0},
                                                       {3, 0},
                                                       {2, 8},
                                                       {3, 8},
                                                       {10, 0},
                                                       {11, 0},
                                                       {10, 8},
                                                       {11, 8},
                                                       {2, 16},
                                                       {3, 16},
                                                       {2, 24},
                                                       {3, 24},
                                                       {10, 16},
                                                       {11, 16},
                                                       {10, 24},
                                                       {11, 24}});
  CHECK(held(fragment(flat, Operand::kC), 1) ==
        Places{{2, 0}, {3, 0}, {2, 8}, {3, 8}, {2, 16}, {3, 16}, {2, 24}, {3, 24}});
  const Mma tall = shape(Layout::kWmma, 32, 8, 16, Element::kBF16);
  CHECK(held(fragment(tall, Operand::kA), 20) == Places{{5, 0},
                                                        {5, 1},
                                                        {13, 0},
                                                        {13, 1},
                                                        {5, 8},
                                                        {5, 9},
                                                        {13, 8},
                                                        {13, 9},
                                                        {21, 0},
                                                        {21, 1},
                                                        {29, 0},
                                                        {29, 1},
                                                        {21, 8},
                                                        {21, 9},
                                                        {29, 8},
                                                        {29, 9}});
  CHECK(held(fragment(tall, Operand::kB), 20) == Places{{0, 5}, {1, 5}, {8, 5}, {9, 5}});
  CHECK(held(fragment(tall, Operand::kC), 20) ==
        Places{{5, 0}, {5, 1}, {13, 0}, {13, 1}, {21, 0}, {21, 1}, {29, 0}, {29, 1}});
  const Mma bytes = shape(Layout::kWmma, 32, 8, 16, Element::kU8, Type::kS32);
  CHECK(fragment(bytes, Operand::kA).registers() == 4);
  CHECK(fragment(bytes, Operand::kA).at(20, 13).row == 29);
  const Mma tf32 = shape(Layout::kWmma, 16, 16, 8, Element::kTF32);
  CHECK(held(fragment(tf32, Operand::kB), 20) == Places{{0, 5}, {4, 5}, {0, 13}, {4, 13}});
}

}  // namespace ptxequiv::ir
