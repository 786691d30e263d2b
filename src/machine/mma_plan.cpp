#include "machine/mma_plan.h"

#include "machine/lane.h"

namespace ptxequiv::machine {

using Element = ir::Mma::Element;
using op::Type;

namespace {

bool is_byte_float(Element element) {
  return element == Element::kE4M3 || element == Element::kE5M2;
}

}  // namespace

// Found on an H200 with operands of many magnitudes: mma's passes take all of k; those of wmma on
// tf32 take four, like m16n8k4; wmma from f32 to f16 computes in f32 and rounds again; fp8 is
// widened to f16 and takes, of each four held elements, first two and then the other two, and adds
// c at last. m8n8k4 is not done by a tensor core.
void MmaPlan::choose_sum() {
  switch (mma.a) {
    case Element::kF64:
      sum = Sum::kFused;
      factor = Type::kF64;
      break;
    case Element::kS8:
    case Element::kU8:
    case Element::kS4:
    case Element::kU4:
      sum = Sum::kInteger;
      break;
    case Element::kB1:
      sum = Sum::kBits;
      break;
    default:
      factor = ir::element_type(mma.a);
      break;
  }
  if (mma.layout == ir::Mma::Layout::kQuadPairs) {
    sum = Sum::kEmulated;
    factor = Type::kF32;
  }
  const bool is_wmma = mma.layout == ir::Mma::Layout::kWmma;
  if (is_wmma && mma.a == Element::kTF32) passes = held / 4;
  total = is_wmma && mma.c == Type::kF32 ? Type::kF32 : mma.d;
  for (unsigned t = 0; t < held; ++t) order.push_back(static_cast<uint16_t>(t));
  if (is_byte_float(mma.a)) {
    factor = Type::kF16;
    passes = 2;
    from_zero = true;
    order.clear();
    for (const unsigned part : {0u, 2u}) {
      for (unsigned t = 0; t < held; ++t) {
        if (t % 4 / 2 * 2 == part) order.push_back(static_cast<uint16_t>(t));
      }
    }
  }
}

// The first place of each element; `index_of` says where it stands in the list.
std::vector<MmaPlan::Slot> MmaPlan::slots(const ir::Fragment& fragment, size_t size,
                                          auto&& index_of) {
  std::vector<Slot> all(size);
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    for (unsigned i = 0; i < unsigned{fragment.run} * fragment.distinct; ++i) {
      const unsigned in_register = i % fragment.per_register();
      all[index_of(fragment.at(lane, i))] = {
          static_cast<uint8_t>(lane), static_cast<uint8_t>(i / fragment.per_register()),
          static_cast<uint8_t>(in_register * fragment.element_bits)};
    }
  }
  return all;
}

MmaPlan::MmaPlan(const ir::Mma& instruction)
    : mma(instruction),
      held(ir::held_columns(instruction)),
      depth(mma.sparse ? 2 * held : held),
      products(ir::products(instruction)),
      a_fragment(ir::fragment(mma, ir::Operand::kA)),
      b_fragment(ir::fragment(mma, ir::Operand::kB)),
      c_fragment(ir::fragment(mma, ir::Operand::kC)),
      d_fragment(ir::fragment(mma, ir::Operand::kD)) {
  choose_sum();
  if (ir::element_bits(mma.a) == 4) choice_step = 2;  // pairs of elements
  std::vector<unsigned> position(held);
  for (unsigned t = 0; t < held; ++t) position[order[t]] = t;
  const unsigned m = mma.m, n = mma.n;
  using At = ir::Fragment::Element;
  a = slots(a_fragment, size_t{products} * m * held,
            [&](const At& e) { return (e.product * m + e.row) * held + position[e.column]; });
  b = slots(b_fragment, size_t{products} * n * depth, [&](const At& e) {
    return (e.product * n + e.column) * depth + (mma.sparse ? e.row : position[e.row]);
  });
  const auto cell = [&](const At& e) { return (e.product * m + e.row) * n + e.column; };
  c = slots(c_fragment, size_t{products} * m * n, cell);
  d = slots(d_fragment, size_t{products} * m * n, cell);
}

}  // namespace ptxequiv::machine
