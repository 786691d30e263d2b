// mma, wmma and the moves of matrices: what the machine is told, and what is refused.
#include "helpers.h"

namespace ptxequiv::testing {
namespace {

using ir::Mma;
using ir::Opcode;
using Element = ir::Mma::Element;

Mma product(const std::string& body) {
  const Lowered lowered = lower_body(body);
  return std::get<Mma>(only(lowered.function, Opcode::kMma).detail);
}

TEST_CASE("products of matrices") {
  Mma mma = product(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%f0, %f1, %f2, %f3}, "
      "{%r0, %r1, %r2, %r3}, {%r4, %r5}, {%f0, %f1, %f2, %f3};");
  CHECK((mma.m == 16 && mma.n == 8 && mma.k == 16));
  CHECK(mma.a == Element::kBF16);
  CHECK(mma.d == op::Type::kF32);
  CHECK(mma.layout == Mma::Layout::kMma);
  CHECK((mma.a_registers == 4 && mma.b_registers == 2 && mma.c_registers == 4));
  mma = product(
      "mma.sync.aligned.m8n8k4.col.row.f32.f16.f16.f16 {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}, "
      "{%r0, %r1}, {%r2, %r3}, {%r4, %r5, %r6, %r7};");
  CHECK(mma.layout == Mma::Layout::kQuadPairs);
  CHECK((!mma.a_is_row && mma.b_is_row));
  CHECK((mma.d == op::Type::kF32 && mma.c == op::Type::kF16));
  mma = product(
      "mma.sync.aligned.m8n8k4.row.col.rz.f64.f64.f64.f64 {%fd0, %fd1}, {%fd2}, {%fd3}, "
      "{%fd4, %fd5};");
  CHECK(mma.layout == Mma::Layout::kMma);
  CHECK(mma.rounding == op::Rounding::kRz);
  mma = product(
      "mma.sync.aligned.m8n8k32.row.col.satfinite.s32.u4.s4.s32 {%s0, %s1}, {%r0}, {%r1}, "
      "{%s0, %s1};");
  CHECK((mma.a == Element::kU4 && mma.b == Element::kS4));
  CHECK(mma.satfinite);
  mma = product(
      "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc {%s0, %s1}, {%r0}, {%r1}, "
      "{%s0, %s1};");
  CHECK(mma.bit_op == Mma::BitOp::kAnd);
  mma = product(
      "mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%r0, %r1}, "
      "{%r2, %r3}, {%r4, %r5}, {%r6, %r7}, %r8, 3;");
  CHECK(mma.sparse);
  CHECK(mma.selector == 3);
  CHECK((mma.a_registers == 2 && mma.b_registers == 2));
}

TEST_CASE("products of matrices that ptxas refuses") {
  // Registers of another type, a scalar for a vector of one, a layout, a selector out of range.
  CHECK_THROWS_AS(lower_body("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, "
                             "%f3}, {%f4, %f5}, {%r0}, {%f0, %f1, %f2, %f3};"),
                  base::InputError);
  CHECK(refusal("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, "
                "{%r0, %r1}, %r2, {%f0, %f1, %f2, %f3};")
            .what() != std::string());
  CHECK_THROWS_AS(lower_body("mma.sync.aligned.m16n8k8.col.col.f32.f16.f16.f32 {%f0, %f1, %f2, "
                             "%f3}, {%r0, %r1}, {%r2}, {%f0, %f1, %f2, %f3};"),
                  base::InputError);
  CHECK_THROWS_AS(lower_body("mma.sp.sync.aligned.m16n8k32.row.col.f16.f16.f16.f16 {%r0, %r1}, "
                             "{%r2, %r3, %r4, %r5}, {%r2, %r3, %r4, %r5}, {%r6, %r7}, %r8, 2;"),
                  base::InputError);
  CHECK_THROWS_AS(lower_body("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f32 {%r0, %r1}, {%r0, "
                             "%r1, %r2, %r3}, {%r4, %r5}, {%f0, %f1, %f2, %f3};"),
                  base::InputError);
  CHECK_THROWS_AS(lower_body("movmatrix.sync.aligned.m8n8.trans.b16 %r0, 5;"), base::InputError);
  CHECK_THROWS_AS(lower_body("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r0}, [%r1];"),
                  base::InputError);
}

TEST_CASE("moves of matrices") {
  const Lowered load =
      lower_body("ldmatrix.sync.aligned.x4.m8n8.trans.shared.b16 {%r0, %r1, %r2, %r3}, [%r4+32];");
  const ir::Inst& inst = only(load.function, Opcode::kMatrixLoad);
  const auto move = std::get<ir::MatrixMove>(inst.detail);
  CHECK((move.count == 4 && move.transposed && move.space == ptx::Space::kShared));
  CHECK(inst.immediate == 32);
  CHECK(inst.dests.size() == 4);
  const Lowered generic = lower_body("ldmatrix.sync.aligned.m8n8.x1.b16 {%r0}, [%rd4];");
  CHECK(std::get<ir::MatrixMove>(only(generic.function, Opcode::kMatrixLoad).detail).space ==
        ptx::Space::kGeneric);
  const Lowered store = lower_body("stmatrix.sync.aligned.m8n8.x2.shared.b16 [sh], {%r0, %r1};");
  CHECK(only(store.function, Opcode::kMatrixStore).srcs.size() == 3);
  CHECK(only(lower_body("movmatrix.sync.aligned.m8n8.trans.b16 %r0, %r1;").function,
             Opcode::kMatrixTranspose)
            .dests.size() == 1);
}

TEST_CASE("wmma loads and stores are each lane's own") {
  // A, row-major: pairs of halves lie side by side, and each is held twice.
  const Lowered a = lower_body(
      "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, "
      "[%r8], 24;");
  CHECK(count(a.function, Opcode::kLoad) == 4);
  // Column-major they do not.
  const Lowered column = lower_body(
      "wmma.load.a.sync.aligned.col.m16n16k16.shared.f16 {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, "
      "[%r8];");
  CHECK(count(column.function, Opcode::kLoad) == 8);
  const Lowered store = lower_body(
      "wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%rd0], {%f0, %f1, %f2, %f3, %f4, %f5, "
      "%f6, %f7}, %r0;");
  CHECK(count(store.function, Opcode::kStore) == 8);
  const Mma mma = product(
      "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}, "
      "{%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, {%r8, %r9, %r10, %r11, %r12, %r13, %r14, %r15}, "
      "{%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7};");
  CHECK(mma.layout == Mma::Layout::kWmma);
  CHECK((mma.a == Element::kF16 && mma.c == op::Type::kF32));
  CHECK_THROWS_AS(lower_body("wmma.load.a.sync.aligned.col.m8n8k32.shared.s4 {%r0}, [%r8];"),
                  base::InputError);
}

}  // namespace
}  // namespace ptxequiv::testing
