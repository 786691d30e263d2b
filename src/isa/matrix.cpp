// Moves of 8x8 matrices of 16-bit elements (PTX manual, 9.7.14.5.15 to 9.7.14.5.17).
#include "isa/memory.h"

namespace ptxequiv::isa {
namespace {

ir::MatrixMove move_of(Context& c, const ir::MemoryAccess& access) {
  const std::string_view count = c.which({"x1", "x2", "x4"});
  return {access.space, static_cast<uint8_t>(count[1] - '0'), c.has("trans")};
}

// A vector, of one register for each matrix.
std::vector<ptx::Operand> matrices(Context& c) {
  if (!std::holds_alternative<ptx::Vector>(c.operand("r").value)) {
    c.fail(c.operand("r"), "a vector of registers is needed here");
  }
  return c.elements("r");
}

void lower_ldmatrix(Context& c) {
  const AccessPlace at = access_place(c, "p");
  const ir::MatrixMove move = move_of(c, at.access);
  const auto registers = matrices(c);
  ir::Inst& inst = c.emit_guarded(ir::Opcode::kMatrixLoad, std::vector<unsigned>(move.count, 32),
                                  {at.place.address});
  inst.immediate = at.place.offset;
  inst.detail = move;
  const std::vector<ValueId> results = inst.dests;
  for (size_t i = 0; i < registers.size(); ++i) {
    c.define_operand(registers[i], results[i], Type::kB32);
  }
}

void lower_stmatrix(Context& c) {
  const AccessPlace at = access_place(c, "p");
  const ir::MatrixMove move = move_of(c, at.access);
  std::vector<ValueId> srcs{at.place.address};
  for (const ptx::Operand& reg : matrices(c)) {
    if (std::holds_alternative<ptx::Immediate>(reg.value)) c.fail(reg, "a register is needed here");
    srcs.push_back(c.use_operand(reg, Type::kB32));
  }
  ir::Inst& inst = c.emit_guarded(ir::Opcode::kMatrixStore, {}, srcs);
  inst.immediate = at.place.offset;
  inst.detail = move;
}

void lower_movmatrix(Context& c) {
  if (std::holds_alternative<ptx::Immediate>(c.operand("a").value)) {
    c.fail(c.operand("a"), "a register is needed here");
  }
  ir::Inst& inst = c.emit_guarded(ir::Opcode::kMatrixTranspose, {32}, {c.use("a", Type::kB32)});
  inst.detail = ir::MatrixMove{.transposed = true};
  const ValueId result = inst.dests[0];
  c.define_operand(c.operand("d"), result, Type::kB32);
}

#define LAYOUT ".sync.aligned.m8n8"
#define SPACE "{.trans}{.shared|.shared::cta<78,75>}.b16"

constexpr Row kRows[] = {
    {"ldmatrix", LAYOUT ".x1" SPACE " r:v1:b32, [p]", 65, 75, lower_ldmatrix, "9.7.14.5.15"},
    {"ldmatrix", LAYOUT ".x2" SPACE " r:v2:b32, [p]", 65, 75, lower_ldmatrix, "9.7.14.5.15"},
    {"ldmatrix", LAYOUT ".x4" SPACE " r:v4:b32, [p]", 65, 75, lower_ldmatrix, "9.7.14.5.15"},
    // Eight-bit elements with padding or expansion.
    {"ldmatrix", ".sync.aligned.(m16n16|m8n16).* ...", 86, "100f|101f|120f", lower_unsupported,
     "9.7.14.5.15"},
    {"stmatrix", LAYOUT ".x1" SPACE " [p], r:v1:b32", 78, 90, lower_stmatrix, "9.7.14.5.16"},
    {"stmatrix", LAYOUT ".x2" SPACE " [p], r:v2:b32", 78, 90, lower_stmatrix, "9.7.14.5.16"},
    {"stmatrix", LAYOUT ".x4" SPACE " [p], r:v4:b32", 78, 90, lower_stmatrix, "9.7.14.5.16"},
    {"stmatrix", ".sync.aligned.m16n8.* ...", 86, "100f|101f|120f", lower_unsupported,
     "9.7.14.5.16"},
    {"movmatrix", ".sync.aligned.m8n8.trans.b16 d:b32, a:b32", 78, 75, lower_movmatrix,
     "9.7.14.5.17"},
};

#undef LAYOUT
#undef SPACE

}  // namespace

std::span<const Row> matrix_rows() {
  return kRows;
}

}  // namespace ptxequiv::isa
