// Matrix fragments (PTX manual, 9.7.14). ldmatrix is shuffles of row addresses and ordinary loads:
// lane 8m + r holds the address of row r of matrix m, a row is 16 bytes.
#include "isa/memory.h"

namespace ptxequiv::isa {
namespace {

constexpr unsigned kRowWords = 4;

ValueId lane_id(Context& c) {
  ir::Inst& inst = c.builder().emit(ir::Opcode::kSpecial, {32}, {});
  inst.detail = ir::SpecialUse{ir::SpecialRegister::kLaneId};
  return inst.dests[0];
}

// The value that `lane` holds, as shfl.sync.idx over the whole warp gives it.
ValueId from_lane(Context& c, ValueId value, ValueId lane) {
  ir::Inst& inst = c.emit_guarded(ir::Opcode::kShuffle, {32},
                                  {value, lane, c.constant(32, 31), c.constant(32, 0xffffffff)});
  inst.detail = ir::Shuffle{ir::Shuffle::Mode::kIdx};
  return inst.dests[0];
}

// The four words of a row of eight 16-bit elements: one aligned 16-byte access.
std::vector<ValueId> load_row(Context& c, ValueId address, const AccessPlace& at) {
  ir::MemoryAccess access = at.access;
  access.type = Type::kB32;
  access.count = kRowWords;
  ir::Inst& inst = c.emit_guarded(ir::Opcode::kLoad, std::vector<unsigned>(kRowWords, 32), {address});
  inst.immediate = at.place.offset;
  inst.detail = access;
  return inst.dests;
}

ValueId choose(Context& c, const std::vector<ValueId>& values, ValueId index) {
  ValueId chosen = values[0];
  for (uint64_t i = 1; i < values.size(); ++i) {
    const ValueId here = c.op(Op{Kind::kEq, Type::kB32}, {index, c.constant(32, i)});
    chosen = c.select(here, values[i], chosen);
  }
  return chosen;
}

// Element `column` (0 to 7) of a row.
ValueId element(Context& c, const std::vector<ValueId>& row, ValueId column) {
  const ValueId word = choose(c, row, c.op(Kind::kShrU, 32, {column, c.constant(32, 1)}));
  const ValueId odd = c.op(Op{Kind::kEq, Type::kB32},
                           {c.op(Kind::kAnd, 32, {column, c.constant(32, 1)}), c.constant(32, 1)});
  return c.select(odd, c.extract(word, 16, 16), c.extract(word, 0, 16));
}

// 9.7.14.5.15: lane L receives elements 2(L%4), 2(L%4)+1 of row L/4; with .trans, of column L/4.
void lower_ldmatrix(Context& c) {
  const auto registers = c.elements("r");
  const std::string_view count = c.which({"x1", "x2", "x4"});
  const auto matrices = static_cast<size_t>(count[1] - '0');
  if (registers.size() != matrices) c.fail(c.operand("r"), "one register for each matrix is needed here");
  const AccessPlace at = access_place(c, "p");
  // Row addresses travel through the warp as 32-bit shared addresses; wider ones would need pairs.
  if (c.bits(at.place.address) != 32) return c.unsupported();
  const ValueId lane = lane_id(c);
  const ValueId group = c.op(Kind::kShrU, 32, {lane, c.constant(32, 2)});
  const ValueId member = c.op(Kind::kAnd, 32, {lane, c.constant(32, 3)});
  std::vector<ValueId> results;
  for (uint64_t m = 0; m < matrices; ++m) {
    const ValueId base = c.constant(32, 8 * m);
    if (!c.has("trans")) {
      const ValueId holder = c.op(Kind::kAdd, 32, {base, group});
      const auto row = load_row(c, from_lane(c, at.place.address, holder), at);
      results.push_back(choose(c, row, member));
      continue;
    }
    std::vector<ValueId> halves;
    for (uint64_t h = 0; h < 2; ++h) {
      const ValueId twice = c.op(Kind::kShl, 32, {member, c.constant(32, 1)});
      const ValueId holder = c.op(Kind::kAdd, 32, {twice, c.constant(32, 8 * m + h)});
      halves.push_back(element(c, load_row(c, from_lane(c, at.place.address, holder), at), group));
    }
    results.push_back(c.concat(halves[1], halves[0]));
  }
  for (size_t m = 0; m < matrices; ++m) c.define_operand(registers[m], results[m], Type::kB32);
}

constexpr Row kRows[] = {
    {"ldmatrix", ".sync.aligned.m8n8.(x1|x2|x4){.trans}{.shared|.shared::cta}.b16 r:any, [p]", 65, 75,
     lower_ldmatrix, "9.7.14.5.15"},
    // Eight-bit elements with padding or expansion.
    {"ldmatrix", ".sync.aligned.(m16n16|m8n16).* ...", 86, 100, [](Context& c) { c.unsupported(); },
     "9.7.14.5.15"},
};

}  // namespace

std::span<const Row> matrix_rows() {
  return kRows;
}

}  // namespace ptxequiv::isa
