// Products of matrices in the registers of a warp: mma and mma.sp (PTX manual, 9.7.14.5.14 and
// 9.7.14.6). Their fragments are in ir/fragment.h.
#include "isa/mma.h"

#include <fmt/format.h>
#include <algorithm>

#include <charconv>

#include "base/error.h"

namespace ptxequiv::isa {

using Element = ir::Mma::Element;

ir::Mma matrix_shape(Context& c) {
  ir::Mma mma;
  for (const std::string& modifier : c.instruction().modifiers) {
    if (modifier[0] != 'm' || modifier.size() < 2 || modifier[1] < '0' || modifier[1] > '9')
      continue;
    const char* at = modifier.data();
    const char* const end = at + modifier.size();
    for (uint16_t* const size : {&mma.m, &mma.n, &mma.k}) {
      const auto [next, error] = std::from_chars(at + 1, end, *size);
      PTXEQUIV_CHECK(error == std::errc(), "a shape is mXnYkZ");
      at = next;
    }
  }
  PTXEQUIV_CHECK(mma.k != 0, "a shape is mXnYkZ");
  return mma;
}

std::vector<std::string_view> type_modifiers(Context& c) {
  std::vector<std::string_view> types;
  for (const std::string& modifier : c.instruction().modifiers) {
    if (is_type_name(modifier)) types.push_back(modifier);
  }
  return types;
}

std::vector<bool> layouts_are_row(Context& c) {
  std::vector<bool> layouts;
  for (const std::string& modifier : c.instruction().modifiers) {
    if (modifier == "row" || modifier == "col") layouts.push_back(modifier == "row");
  }
  return layouts;
}

Element element_named(std::string_view name) {
  for (unsigned i = 0; i <= static_cast<unsigned>(Element::kB1); ++i) {
    if (ir::name(static_cast<Element>(i)) == name) return static_cast<Element>(i);
  }
  PTXEQUIV_CHECK(false, "no type of a matrix's elements");
  return Element::kF16;
}

Type register_type(const ir::Mma& mma, ir::Operand operand) {
  if (operand == ir::Operand::kC || operand == ir::Operand::kD) {
    const Type type = operand == ir::Operand::kC ? mma.c : mma.d;
    if (type == Type::kF16) return Type::kF16x2;
    return type == Type::kF64 ? Type::kB64 : type;
  }
  switch (operand == ir::Operand::kA ? mma.a : mma.b) {
    case Element::kF16:
      return Type::kF16x2;
    case Element::kF64:
      return Type::kB64;
    case Element::kS8:
    case Element::kU8:
    case Element::kS4:
    case Element::kU4:
      return Type::kS32;
    default:
      return Type::kB32;
  }
}

std::vector<ptx::Operand> fragment_registers(Context& c, std::string_view name, const ir::Mma& mma,
                                             ir::Operand operand) {
  const auto registers = c.elements(name);
  const bool is_vector = std::holds_alternative<ptx::Vector>(c.operand(name).value);
  const unsigned wanted = ir::fragment(mma, operand).registers();
  if (registers.size() != wanted || (!is_vector && wanted == 1)) {
    c.fail(c.operand(name), fmt::format("a vector of {} registers is needed here", wanted));
  }
  return registers;
}

void emit_product(Context& c, ir::Mma mma) {
  mma.satfinite = c.has("satfinite");
  mma.rounding = c.rounding(op::Rounding::kRn);
  if (c.has("popc")) mma.bit_op = c.has("xor") ? ir::Mma::BitOp::kXor : ir::Mma::BitOp::kAnd;
  std::vector<ValueId> srcs;
  struct Source {
    std::string_view name;
    ir::Operand operand;
    uint8_t* count;
  };
  const Source sources[] = {{"a", ir::Operand::kA, &mma.a_registers},
                            {"b", ir::Operand::kB, &mma.b_registers},
                            {"c", ir::Operand::kC, &mma.c_registers}};
  for (const Source& source : sources) {
    const auto registers = fragment_registers(c, source.name, mma, source.operand);
    *source.count = static_cast<uint8_t>(registers.size());
    const Type type = register_type(mma, source.operand);
    for (const ptx::Operand& reg : registers) srcs.push_back(c.use_operand(reg, type));
  }
  if (mma.sparse) srcs.push_back(c.use("e", Type::kB32));
  const auto dests = fragment_registers(c, "d", mma, ir::Operand::kD);
  mma.d_registers = static_cast<uint8_t>(dests.size());
  const unsigned width = mma.a == Element::kF64 ? 64 : 32;
  ir::Inst& inst =
      c.emit_guarded(ir::Opcode::kMma, std::vector<unsigned>(dests.size(), width), srcs);
  inst.detail = mma;
  const std::vector<ValueId> results = inst.dests;
  for (size_t i = 0; i < dests.size(); ++i) {
    c.define_operand(dests[i], results[i], register_type(mma, ir::Operand::kD));
  }
}

namespace {

void lower_mma(Context& c) {
  ir::Mma mma = matrix_shape(c);
  const auto types = type_modifiers(c);
  const auto rows = layouts_are_row(c);
  mma.d = op::type_named(types.at(0));
  mma.a = element_named(types.at(1));
  mma.b = element_named(types.at(2));
  mma.c = op::type_named(types.at(3));
  mma.a_is_row = rows.at(0);
  mma.b_is_row = rows.at(1);
  if (mma.m == 8 && mma.k == 4 && mma.a == Element::kF16) {
    mma.layout = ir::Mma::Layout::kQuadPairs;
  }
  mma.sparse = c.has("sp") || c.has("sp::ordered_metadata");
  if (mma.sparse) {
    mma.selector = static_cast<uint8_t>(std::get<ptx::Immediate>(c.operand("f").value).bits);
  }
  emit_product(c, mma);
}

#define MMA ".sync.aligned"
#define RC ".row.col"
#define SP ".(sp|sp::ordered_metadata<85,80>).sync.aligned"
// Groups of lanes in a quad, each with a whole row of metadata.
#define OF_1 ", e:b32, f:imm(0)"
#define OF_2 ", e:b32, f:imm(0..1)"
#define OF_4 ", e:b32, f:imm(0..3)"
#define ROUND "{.rn|.rz|.rm|.rp}"
#define INT8 "{.satfinite}.s32.(s8|u8).(s8|u8).s32"
#define INT4 "{.satfinite}.s32.(s4|u4).(s4|u4).s32"
#define BITS ".s32.b1.b1.s32.(xor|and<71,80>).popc"
#define FP8 ".(e4m3|e5m2).(e4m3|e5m2)"
#define DENSE_SECTION "9.7.14.5.14"
#define SPARSE_SECTION "9.7.14.6.3"

constexpr Row kRows[] = {
    {"mma",
     MMA
     ".m8n8k4.(row|col).(row|col).f16.f16.f16.f16 d:v4:f16x2, a:v2:f16x2, b:v2:f16x2, c:v4:f16x2",
     64, 70, lower_mma, DENSE_SECTION},
    {"mma",
     MMA ".m8n8k4.(row|col).(row|col).f32.f16.f16.f16 d:v8:f32, a:v2:f16x2, b:v2:f16x2, c:v4:f16x2",
     64, 70, lower_mma, DENSE_SECTION},
    {"mma",
     MMA ".m8n8k4.(row|col).(row|col).f32.f16.f16.f32 d:v8:f32, a:v2:f16x2, b:v2:f16x2, c:v8:f32",
     64, 70, lower_mma, DENSE_SECTION},
    {"mma", MMA ".m16n8k8" RC ".f16.f16.f16.f16 d:v2:f16x2, a:v2:f16x2, b:v1:f16x2, c:v2:f16x2", 65,
     75, lower_mma, DENSE_SECTION},
    {"mma", MMA ".m16n8k8" RC ".f32.f16.f16.f32 d:v4:f32, a:v2:f16x2, b:v1:f16x2, c:v4:f32", 65, 75,
     lower_mma, DENSE_SECTION},
    {"mma", MMA ".m16n8k16" RC ".f16.f16.f16.f16 d:v2:f16x2, a:v4:f16x2, b:v2:f16x2, c:v2:f16x2",
     70, 80, lower_mma, DENSE_SECTION},
    {"mma", MMA ".m16n8k16" RC ".f32.f16.f16.f32 d:v4:f32, a:v4:f16x2, b:v2:f16x2, c:v4:f32", 70,
     80, lower_mma, DENSE_SECTION},
    {"mma", MMA ".m16n8k8" RC ".f32.bf16.bf16.f32 d:v4:f32, a:v2:b32, b:v1:b32, c:v4:f32", 70, 80,
     lower_mma, DENSE_SECTION},
    {"mma", MMA ".m16n8k16" RC ".f32.bf16.bf16.f32 d:v4:f32, a:v4:b32, b:v2:b32, c:v4:f32", 70, 80,
     lower_mma, DENSE_SECTION},
    {"mma", MMA ".m16n8k4" RC ".f32.tf32.tf32.f32 d:v4:f32, a:v2:b32, b:v1:b32, c:v4:f32", 70, 80,
     lower_mma, DENSE_SECTION},
    {"mma", MMA ".m16n8k8" RC ".f32.tf32.tf32.f32 d:v4:f32, a:v4:b32, b:v2:b32, c:v4:f32", 70, 80,
     lower_mma, DENSE_SECTION},
    {"mma", MMA ".m8n8k4" RC ROUND ".f64.f64.f64.f64 d:v2:b64, a:v1:b64, b:v1:b64, c:v2:b64", 70,
     80, lower_mma, DENSE_SECTION},
    {"mma", MMA ".m16n8k4" RC ROUND ".f64.f64.f64.f64 d:v4:b64, a:v2:b64, b:v1:b64, c:v4:b64", 78,
     90, lower_mma, DENSE_SECTION},
    {"mma", MMA ".m16n8k8" RC ROUND ".f64.f64.f64.f64 d:v4:b64, a:v4:b64, b:v2:b64, c:v4:b64", 78,
     90, lower_mma, DENSE_SECTION},
    {"mma", MMA ".m16n8k16" RC ROUND ".f64.f64.f64.f64 d:v4:b64, a:v8:b64, b:v4:b64, c:v4:b64", 78,
     90, lower_mma, DENSE_SECTION},
    {"mma", MMA ".m8n8k16" RC INT8 " d:v2:s32, a:v1:s32, b:v1:s32, c:v2:s32", 65, 75, lower_mma,
     DENSE_SECTION},
    {"mma", MMA ".m16n8k16" RC INT8 " d:v4:s32, a:v2:s32, b:v1:s32, c:v4:s32", 70, 80, lower_mma,
     DENSE_SECTION},
    {"mma", MMA ".m16n8k32" RC INT8 " d:v4:s32, a:v4:s32, b:v2:s32, c:v4:s32", 70, 80, lower_mma,
     DENSE_SECTION},
    {"mma", MMA ".m8n8k32" RC INT4 " d:v2:s32, a:v1:s32, b:v1:s32, c:v2:s32", 65, 75, lower_mma,
     DENSE_SECTION},
    {"mma", MMA ".m16n8k32" RC INT4 " d:v4:s32, a:v2:s32, b:v1:s32, c:v4:s32", 70, 80, lower_mma,
     DENSE_SECTION},
    {"mma", MMA ".m16n8k64" RC INT4 " d:v4:s32, a:v4:s32, b:v2:s32, c:v4:s32", 70, 80, lower_mma,
     DENSE_SECTION},
    {"mma", MMA ".m8n8k128" RC BITS " d:v2:s32, a:v1:b32, b:v1:b32, c:v2:s32", 70, 75, lower_mma,
     DENSE_SECTION},
    {"mma", MMA ".m16n8k128" RC BITS " d:v4:s32, a:v2:b32, b:v1:b32, c:v4:s32", 70, 80, lower_mma,
     DENSE_SECTION},
    {"mma", MMA ".m16n8k256" RC BITS " d:v4:s32, a:v4:b32, b:v2:b32, c:v4:s32", 70, 80, lower_mma,
     DENSE_SECTION},
    {"mma", MMA ".m16n8k32" RC ".f32" FP8 ".f32 d:v4:f32, a:v4:b32, b:v2:b32, c:v4:f32", 84, 89,
     lower_mma, DENSE_SECTION},
    {"mma", MMA ".m16n8k32" RC ".f16" FP8 ".f16 d:v2:f16x2, a:v4:b32, b:v2:b32, c:v2:f16x2", 87, 89,
     lower_mma, DENSE_SECTION},
    {"mma", MMA ".m16n8k16" RC ".f32" FP8 ".f32 d:v4:f32, a:v2:b32, b:v1:b32, c:v4:f32", 87, 89,
     lower_mma, DENSE_SECTION},
    {"mma", MMA ".m16n8k16" RC ".f16" FP8 ".f16 d:v2:f16x2, a:v2:b32, b:v1:b32, c:v2:f16x2", 87, 89,
     lower_mma, DENSE_SECTION},

    {"mma",
     SP ".m16n8k16" RC ".f16.f16.f16.f16 d:v2:f16x2, a:v2:f16x2, b:v2:f16x2, c:v2:f16x2" OF_4, 71,
     80, lower_mma, SPARSE_SECTION},
    {"mma", SP ".m16n8k16" RC ".f32.f16.f16.f32 d:v4:f32, a:v2:f16x2, b:v2:f16x2, c:v4:f32" OF_4,
     71, 80, lower_mma, SPARSE_SECTION},
    {"mma",
     SP ".m16n8k32" RC ".f16.f16.f16.f16 d:v2:f16x2, a:v4:f16x2, b:v4:f16x2, c:v2:f16x2" OF_2, 71,
     80, lower_mma, SPARSE_SECTION},
    {"mma", SP ".m16n8k32" RC ".f32.f16.f16.f32 d:v4:f32, a:v4:f16x2, b:v4:f16x2, c:v4:f32" OF_2,
     71, 80, lower_mma, SPARSE_SECTION},
    {"mma", SP ".m16n8k16" RC ".f32.bf16.bf16.f32 d:v4:f32, a:v2:b32, b:v2:b32, c:v4:f32" OF_4, 71,
     80, lower_mma, SPARSE_SECTION},
    {"mma", SP ".m16n8k32" RC ".f32.bf16.bf16.f32 d:v4:f32, a:v4:b32, b:v4:b32, c:v4:f32" OF_2, 71,
     80, lower_mma, SPARSE_SECTION},
    {"mma", SP ".m16n8k8" RC ".f32.tf32.tf32.f32 d:v4:f32, a:v2:b32, b:v2:b32, c:v4:f32" OF_4, 71,
     80, lower_mma, SPARSE_SECTION},
    {"mma", SP ".m16n8k16" RC ".f32.tf32.tf32.f32 d:v4:f32, a:v4:b32, b:v4:b32, c:v4:f32" OF_2, 71,
     80, lower_mma, SPARSE_SECTION},
    {"mma", SP ".m16n8k32" RC INT8 " d:v4:s32, a:v2:s32, b:v2:s32, c:v4:s32" OF_2, 71, 80,
     lower_mma, SPARSE_SECTION},
    {"mma", SP ".m16n8k64" RC INT8 " d:v4:s32, a:v4:s32, b:v4:s32, c:v4:s32" OF_1, 71, 80,
     lower_mma, SPARSE_SECTION},
    {"mma", SP ".m16n8k64" RC INT4 " d:v4:s32, a:v2:s32, b:v2:s32, c:v4:s32" OF_2, 71, 80,
     lower_mma, SPARSE_SECTION},
    {"mma", SP ".m16n8k128" RC INT4 " d:v4:s32, a:v4:s32, b:v4:s32, c:v4:s32" OF_1, 71, 80,
     lower_mma, SPARSE_SECTION},
    {"mma", SP ".m16n8k64" RC ".f32" FP8 ".f32 d:v4:f32, a:v4:b32, b:v4:b32, c:v4:f32" OF_1, 84, 89,
     lower_mma, SPARSE_SECTION},

    // Block scaling, and elements of six and four bits.
    {"mma",
     "{.sp|.sp::ordered_metadata}.sync.aligned.(kind::f8f6f4|kind::mxf8f6f4|kind::mxf4|kind::"
     "mxf4nvf4).* ...",
     87, "120a|120f", lower_unsupported, DENSE_SECTION},
};

#undef MMA
#undef RC
#undef SP
#undef OF_1
#undef OF_2
#undef OF_4
#undef ROUND
#undef INT8
#undef INT4
#undef BITS
#undef FP8
#undef DENSE_SECTION
#undef SPARSE_SECTION

}  // namespace

std::span<const Row> mma_rows() {
  return kRows;
}

}  // namespace ptxequiv::isa
