// Products of matrices. As terms they must evaluate to what concrete execution computes: the two
// are different code. That this is what hardware computes is the business of the recorded kernels.
#include <catch2/catch.hpp>
#include <random>

#include "base/error.h"
#include "harness.h"

using namespace ptxequiv;
using namespace ptxequiv::machine;
using namespace ptxequiv::machine::test;

namespace {

using op::Type;

// One warp loads `a`, `b`, `c` registers a lane from buffers of words, executes, stores `d`.
struct Product {
  std::string instruction;  // up to the operands
  unsigned a, b, c, d;      // registers
  unsigned bits = 32;
  std::string tail = {};  // after c
  bool metadata = false;  // %r63 is a valid code
};

std::string registers(const char* prefix, unsigned count) {
  std::string text = "{";
  for (unsigned i = 0; i < count; ++i) {
    text += (i ? ", " : "") + std::string(prefix) + std::to_string(i);
  }
  return text + "}";
}

Bench build(const Product& p) {
  Bench bench;
  const Type type = p.bits == 64 ? Type::kB64 : Type::kB32;
  bench.buffer("a", type, 32 * p.a, Role::kInput);
  bench.buffer("b", type, 32 * p.b, Role::kInput);
  bench.buffer("c", type, 32 * p.c, Role::kInput);
  bench.buffer("d", type, 32 * p.d, Role::kOutput);
  const std::string width = ".b" + std::to_string(p.bits);
  std::string body =
      ".reg " + width + " %xa<16>, %xb<16>, %xc<16>, %xd<16>;\nmov.u32 %r0, %tid.x;\n";
  const std::pair<const char*, unsigned> operands[] = {
      {"a", p.a}, {"b", p.b}, {"c", p.c}, {"d", p.d}};
  std::string stores;
  for (unsigned i = 0; i < 4; ++i) {
    const auto& [name, count] = operands[i];
    const std::string at = "%d" + std::to_string(i);
    body += "ld.param.u64 " + at + ", [p" + std::to_string(i) + "];\nmul.wide.u32 %d8, %r0, " +
            std::to_string(count * p.bits / 8) + ";\nadd.s64 " + at + ", " + at + ", %d8;\n";
    for (unsigned r = 0; r < count; ++r) {
      const std::string reg = "%x" + std::string(name) + std::to_string(r);
      const std::string place = "[" + at + "+" + std::to_string(r * p.bits / 8) + "]";
      (i < 3 ? body : stores) += i < 3 ? "ld.global" + width + " " + reg + ", " + place + ";\n"
                                       : "st.global" + width + " " + place + ", " + reg + ";\n";
    }
  }
  if (p.metadata) body += "mov.b32 %r63, 0x9c4e8d94;\n";
  body += p.instruction + " " + registers("%xd", p.d) + ", " + registers("%xa", p.a) + ", " +
          registers("%xb", p.b) + ", " + registers("%xc", p.c) + p.tail + ";\n" + stores + "ret;";
  bench.launch(kernel({".u64", ".u64", ".u64", ".u64"}, body), {1, 1, 1}, {32, 1, 1},
               {"a", "b", "c", "d"});
  return bench;
}

// Bits of element `index` of buffer `buffer`: halves, words and doubles that are mostly ordinary
// numbers of either sign and different magnitude.
uint64_t word(const Product& p, uint32_t buffer, uint32_t index, uint64_t seed) {
  std::mt19937_64 random(seed * 7919 + buffer * 104729 + index);
  const bool is_half = p.instruction.find(".f16.f16") != std::string::npos ||
                       p.instruction.find("m16n16k16.f") != std::string::npos;
  const auto half = [&] { return (random() & 0x83ff) | (10 + random() % 12) << 10; };
  const uint64_t bits = random();
  if (p.bits == 64) return (bits & 0x800fffffffffffff) | (1020 + random() % 8) << 52;
  if (buffer == 2 && p.c >= p.d) return (bits & 0x807fffff) | (120 + random() % 14) << 23;
  if (is_half) return half() << 16 | half();
  if (p.instruction.find("tf32") != std::string::npos) {
    return (bits & 0x807fffff) | (122 + random() % 10) << 23;
  }
  if (p.instruction.find("bf16") != std::string::npos) {
    return (bits & 0x807f807f) | (122 + random() % 10) << 23 | (122 + random() % 10) << 7;
  }
  return bits & 0xffffffff;
}

// The same, to be executed on concrete data.
template <typename Input>
Bench concrete_on(const Product& product, Input&& input) {
  Bench concrete = build(product);
  concrete.limits.evaluate = true;
  for (const char* name : {"a", "b", "c"}) {
    Buffer& buffer = concrete[name];
    const uint32_t which = static_cast<uint32_t>(*name - 'a');
    buffer.data.emplace();
    for (uint32_t i = 0; i < buffer.elements; ++i) {
      const uint64_t bits = input(which, i);
      for (unsigned byte = 0; byte < product.bits / 8; ++byte) {
        buffer.data->push_back(static_cast<uint8_t>(bits >> 8 * byte));
      }
    }
  }
  return concrete;
}

}  // namespace

TEST_CASE("products as terms evaluate to what concrete execution computes") {
  const Product products[] = {
      {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 4, 2, 4, 4},
      {"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", 4, 2, 2, 2},
      {"mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32", 2, 1, 4, 4},
      {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 4, 2, 4, 4},
      {"mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32", 2, 2, 8, 8},
      {"mma.sync.aligned.m8n8k4.col.row.f16.f16.f16.f16", 2, 2, 4, 4},
      {"mma.sync.aligned.m16n8k4.row.col.rz.f64.f64.f64.f64", 2, 1, 4, 4, 64},
      {"mma.sync.aligned.m16n8k16.row.col.s32.s8.u8.s32", 2, 1, 4, 4},
      {"mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s4.u4.s32", 2, 1, 4, 4},
      {"mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc", 1, 1, 2, 2},
      {"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32", 4, 2, 4, 4},
      {"mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 2, 2, 4, 4, 32, ", %r63, 1", true},
      {"mma.sp.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", 2, 2, 4, 4, 32, ", %r63, 0", true},
      {"wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32", 4, 4, 8, 8},
      {"wmma.mma.sync.aligned.row.col.m8n32k16.f32.bf16.bf16.f32", 2, 8, 8, 8},
  };
  for (const Product& product : products) {
    INFO(product.instruction);
    const auto input = [&](uint32_t buffer, uint32_t index) {
      return word(product, buffer, index, 1);
    };
    Bench concrete = concrete_on(product, input);
    concrete.run();
    Bench symbolic = build(product);
    symbolic.input = input;
    symbolic.run();
    REQUIRE(symbolic.clean());
    bool differs_from_c = false;
    for (uint64_t i = 0; i < 32 * product.d; ++i) {
      const Cell& cell = concrete.cell("d", i);
      REQUIRE(concrete.arena().is_const(cell.value));
      REQUIRE(symbolic.bits("d", i) == concrete.arena().const_bits(cell.value));
      differs_from_c =
          differs_from_c || symbolic.bits("d", i) != input(2, static_cast<uint32_t>(i));
    }
    CHECK(differs_from_c);
  }
}

TEST_CASE("metadata of a sparse matrix may depend on data") {
  // c holds the metadata too: its first register is read as such.
  for (const Product& product :
       {Product{"mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", 4, 4, 4, 4, 32,
                ", %xc0, 1"},
        Product{"mma.sp.sync.aligned.m16n8k64.row.col.s32.s4.u4.s32", 2, 2, 4, 4, 32, ", %xc0, 0"},
        Product{"mma.sp.sync.aligned.m16n8k64.row.col.s32.s8.u8.s32", 4, 4, 4, 4, 32,
                ", %xc0, 0"}}) {
    INFO(product.instruction);
    const auto input = [&](uint32_t buffer, uint32_t index) {
      return word(product, buffer, index, 3);
    };
    Bench concrete = concrete_on(product, input);
    concrete.run();
    Bench symbolic = build(product);
    symbolic.input = input;
    symbolic.run();
    REQUIRE(symbolic.clean());
    for (uint64_t i = 0; i < 32 * product.d; ++i) {
      REQUIRE(symbolic.bits("d", i) == concrete.arena().const_bits(concrete.cell("d", i).value));
    }
  }
  Bench tf32 =
      build({"mma.sp.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 2, 2, 4, 4, 32, ", %xc0, 0"});
  CHECK_THROWS_AS(tf32.run(), base::Unsupported);  // some codes have no meaning
}

TEST_CASE("a product is a chain of links, rounded where the chain closes") {
  Bench bench = build({"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 4, 2, 4, 4});
  bench.run();
  term::Arena& arena = bench.arena();
  TermId link = bench.cell("d", 0).value;
  CHECK(arena[link].op.kind == op::Kind::kDotClose);
  link = arena[link].a;
  unsigned links = 0;
  for (; arena.kind(link) == op::Kind::kDotTerm; link = arena[link].a) ++links;
  CHECK(links == 16);
  CHECK(arena.kind(link) == op::Kind::kDotOpen);
}

TEST_CASE("a product of known numbers is a number if it is exact") {
  const char* text = R"(
    ld.param.u64 %d0, [p0];
    mov.u32 %r0, %tid.x;
    mul.wide.u32 %d2, %r0, 4;
    add.s64 %d0, %d0, %d2;
    mov.b32 %r1, )";
  for (const auto& [factor, exact] : {std::pair{"0x40004000", true}, {"0x78017801", false}}) {
    Bench bench;
    bench.buffer("o", Type::kF32, 32, Role::kOutput);
    bench.launch(kernel({".u64"}, std::string(text) + factor + R"(;
    mov.f32 %f0, 0f3f800000;
    mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r1}, {%r1},
      {%f0, %f0, %f0, %f0};
    st.global.f32 [%d0], %f1;
    ret;)"),
                 {1, 1, 1}, {32, 1, 1}, {"o"});
    bench.run();
    CHECK(bench.arena().is_const(bench.cell("o", 3).value) == exact);
    if (exact) CHECK(bench.f32("o", 3) == 33);  // 1 + 8 * 2 * 2
  }
}

TEST_CASE("all threads of a warp must execute a product") {
  const std::string mma =
      "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r1}, {%r1}, "
      "{%f0, %f0, %f0, %f0};\n";
  const auto launch = [&](const std::string& body, unsigned threads) {
    Bench bench;
    bench.buffer("o", Type::kF32, 32, Role::kOutput);
    bench.launch(
        kernel({".u64"}, "mov.u32 %r0, %tid.x;\n mov.b32 %r1, 0;\n mov.f32 %f0, 0f00000000;\n" +
                             body + "ret;"),
        {1, 1, 1}, {threads, 1, 1}, {"o"});
    return bench;
  };
  Bench fine = launch(mma, 32);
  fine.run();
  CHECK(fine.clean());
  Bench few = launch(mma, 16);
  CHECK_THROWS_AS(few.run(), base::Unsupported);
  Bench guarded = launch("setp.lt.u32 %p0, %r0, 7;\n@%p0 " + mma, 32);
  guarded.run();
  CHECK(guarded.faults(Category::kShuffleMask).size() == 1);
  // In two branches: the same instruction twice is not one.
  Bench apart =
      launch("setp.lt.u32 %p0, %r0, 7;\n@%p0 bra A;\n" + mma + "bra B;\nA:\n" + mma + "B:\n", 32);
  apart.run();
  CHECK(!apart.faults(Category::kShuffleMask).empty());
}

TEST_CASE("a product orders no memory") {
  Bench bench;
  bench.buffer("o", Type::kU32, 32, Role::kOutput);
  bench.launch(kernel({".u64"}, R"(
    .shared .align 4 .b8 s[128];
    mov.u32 %r0, %tid.x;
    mov.u32 %r2, s;
    shl.b32 %r3, %r0, 2;
    add.s32 %r4, %r2, %r3;
    st.shared.u32 [%r4], %r0;
    mov.b32 %r1, 0;
    mov.f32 %f0, 0f00000000;
    mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r1}, {%r1},
      {%f0, %f0, %f0, %f0};
    xor.b32 %r5, %r3, 4;
    add.s32 %r5, %r5, %r2;
    ld.shared.u32 %r6, [%r5];
    ld.param.u64 %d0, [p0];
    mul.wide.u32 %d2, %r0, 4;
    add.s64 %d0, %d0, %d2;
    st.global.u32 [%d0], %r6;
    ret;)"),
               {1, 1, 1}, {32, 1, 1}, {"o"});
  bench.run();
  CHECK(!bench.faults(Category::kRaceShared).empty());
}

TEST_CASE("wmma takes fragments whose copies agree") {
  const std::string eight = "{%r1, %r1, %r1, %r1, %r1, %r1, %r1, %r1}";
  const auto run = [&](const std::string& a) {
    Bench bench;
    bench.buffer("o", Type::kF32, 32, Role::kOutput);
    bench.launch(kernel({".u64"},
                        "mov.b32 %r1, 0x3c003c00;\n mov.b32 %r2, 0x40004000;\n"
                        "mov.f32 %f0, 0f00000000;\n"
                        "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%f1, %f2, %f3, "
                        "%f4, %f5, %f6, %f7, %f8}, " +
                            a + ", " + eight +
                            ", {%f0, %f0, %f0, %f0, %f0, %f0, %f0, %f0};\n"
                            "ld.param.u64 %d0, [p0];\n mov.u32 %r0, %tid.x;\n"
                            "mul.wide.u32 %d2, %r0, 4;\n add.s64 %d0, %d0, %d2;\n"
                            "st.global.f32 [%d0], %f8;\n ret;"),
                 {1, 1, 1}, {32, 1, 1}, {"o"});
    bench.run();
    return bench.f32("o", 5);
  };
  CHECK(run("{%r2, %r1, %r2, %r1, %r2, %r1, %r2, %r1}") == 16);
  CHECK_THROWS_AS(run("{%r2, %r1, %r2, %r1, %r1, %r1, %r2, %r1}"), base::Unsupported);
}
