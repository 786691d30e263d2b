#include <catch2/catch.hpp>

#include "harness.h"

using namespace ptxequiv;
using namespace ptxequiv::machine;
using namespace ptxequiv::machine::test;

namespace {

struct Setup {
  unsigned threads = 32;
  unsigned ctas = 1;
  op::Type type = op::Type::kU32;
  Role role = Role::kInout;
  bool evaluate = false, keep_approximate = false;
  std::vector<uint8_t> x, m;  // contents where evaluated
};

// %r0 = tid, %r9 = ctaid, %r1 = x[tid], %d3 = m, %d1 = &m[tid], %r11 = s, %r12 = &s[tid], in words;
// x has 256 elements and m 64, of the type.
Bench kernel_with(const std::string& body, const Setup& setup = {}) {
  Bench bench;
  bench.buffer("x", setup.type, 256, Role::kInput);
  bench.buffer("m", setup.type, 64, setup.role);
  if (!setup.x.empty()) bench["x"].data = setup.x;
  if (!setup.m.empty()) bench["m"].data = setup.m;
  bench.launch(kernel({".u64", ".u64"}, R"(
    .shared .align 16 .b8 s[1024];
    .reg .f64 %g<4>;
    ld.param.u64 %d0, [p0];
    ld.param.u64 %d3, [p1];
    mov.u32 %r0, %tid.x;
    mov.u32 %r9, %ctaid.x;
    mul.wide.u32 %d2, %r0, 4;
    add.s64 %d0, %d0, %d2;
    add.s64 %d1, %d3, %d2;
    ld.global.u32 %r1, [%d0];
    shl.b32 %r10, %r0, 2;
    mov.u32 %r11, s;
    add.s32 %r12, %r11, %r10;
)" + body + "\n ret;"),
               {setup.ctas, 1, 1}, {setup.threads, 1, 1}, {"x", "m"});
  bench.limits.evaluate = setup.evaluate;
  bench.limits.keep_approximate = setup.keep_approximate;
  bench.run();
  return bench;
}

Bench kernel_of(const std::string& body, unsigned threads, unsigned ctas) {
  Setup setup;
  setup.threads = threads;
  setup.ctas = ctas;
  return kernel_with(body, setup);
}

std::vector<uint8_t> words(std::initializer_list<uint32_t> values, size_t count) {
  std::vector<uint8_t> bytes;
  for (const uint32_t v : values) {
    for (unsigned i = 0; i < 4; ++i) bytes.push_back(static_cast<uint8_t>(v >> 8 * i));
  }
  bytes.resize(count * 4);
  return bytes;
}

}  // namespace

TEST_CASE("atomics of one commuting kind are free of order") {
  struct Row {
    const char* op;
    uint64_t (*fold)(uint64_t, uint64_t);
  };
  const Row rows[] = {
      {"add.u32", [](uint64_t a, uint64_t b) { return (a + b) & 0xffffffffu; }},
      {"min.u32", [](uint64_t a, uint64_t b) { return std::min(a, b); }},
      {"max.s32", [](uint64_t a, uint64_t b) { return std::max(a, b); }},
      {"and.b32", [](uint64_t a, uint64_t b) { return a & b; }},
      {"or.b32", [](uint64_t a, uint64_t b) { return a | b; }},
      {"xor.b32", [](uint64_t a, uint64_t b) { return a ^ b; }},
  };
  for (const Row& row : rows) {
    for (const std::string form : {"red.global.", "atom.global."}) {
      INFO(form << row.op);
      const std::string dest = form == "red.global." ? "" : "%r2, ";
      Bench bench = kernel_of(form + row.op + " " + dest + "[%d3+8], %r1;", 64, 3);
      CHECK(bench.clean());
      CHECK(bench.outcome().notes.empty());
      uint64_t wanted = 102;  // m[2]
      for (unsigned cta = 0; cta < 3; ++cta) {
        for (uint64_t i = 0; i < 64; ++i) wanted = row.fold(wanted, i);
      }
      CHECK(bench.bits("m", 2) == wanted);
    }
  }
}

TEST_CASE("different atomics on one cell must be ordered") {
  const std::string other[] = {"red.global.max.u32 [%d3], %r1;", "red.global.xor.b32 [%d3], %r1;"};
  for (const std::string& second : other) {
    INFO(second);
    CHECK(kernel_of("red.global.add.u32 [%d3], %r1;\n" + second, 2, 1).has_gap("schedule"));
    CHECK(kernel_of("red.global.add.u32 [%d3], %r1;\n bar.sync 0;\n" + second, 64, 1).clean());
    CHECK(kernel_of("red.global.add.u32 [%d3], %r1;\n" + second, 1, 1).clean());
    // A barrier does not order CTAs.
    CHECK(kernel_of("red.global.add.u32 [%d3], %r1;\n bar.sync 0;\n" + second, 64, 2)
              .has_gap("schedule"));
  }
  CHECK(kernel_of("red.global.min.u32 [%d3], %r1;\n red.global.min.s32 [%d3], %r1;", 2, 1)
            .has_gap("schedule"));
  CHECK(kernel_of("red.global.add.u32 [%d3], %r1;\n red.global.add.s32 [%d3], %r1;", 2, 1).clean());
}

TEST_CASE("a result that something reads must not depend on the order") {
  const std::string store = "\n add.s64 %d1, %d1, 128;\n st.global.u32 [%d1], %r2;";
  const std::string add = "atom.global.add.u32 %r2, [%d3], %r1;";
  const Bench racing = kernel_of(add + store, 2, 1);
  REQUIRE(racing.has_gap("schedule"));
  CHECK(racing.outcome().gaps[0].message.find("atom.global.add.u32") != std::string::npos);
  CHECK(racing.outcome().gaps[0].message.find("m[0]") != std::string::npos);
  // Who came first is a matter of order too if only one of them looks.
  CHECK(kernel_of("setp.eq.u32 %p0, %r0, 0;\n mov.u32 %r2, 0;\n @%p0 " + add +
                      "\n @!%p0 red.global.add.u32 [%d3], 1;\n @%p0 st.global.u32 [%d1+128], %r2;",
                  2, 1)
            .has_gap("schedule"));
  Bench alone = kernel_of(add + store, 1, 1);
  CHECK(alone.clean());
  CHECK(alone.bits("m", 32) == 100);
  // One thread after the other.
  Bench ordered = kernel_of(
      "mov.u32 %r2, 0;\n setp.eq.u32 %p0, %r0, 0;\n setp.eq.u32 %p1, %r0, 1;\n"
      "@%p0 atom.global.add.u32 %r2, [%d3], 5;\n bar.sync 0;\n"
      "@%p1 atom.global.add.u32 %r2, [%d3], 7;" +
          store,
      2, 1);
  CHECK(ordered.clean());
  CHECK(ordered.bits("m", 0) == 112);
  CHECK(ordered.bits("m", 32) == 100);
  CHECK(ordered.bits("m", 33) == 105);
}

TEST_CASE("exchanges and counters depend on the order, and are exact without a choice") {
  struct Row {
    const char* text;
    uint64_t m0, result;  // after one thread with x[0] = 0
  };
  const Row rows[] = {
      {"atom.global.exch.b32 %r2, [%d3], 9;", 9, 100},
      {"atom.global.cas.b32 %r2, [%d3], 100, 3;", 3, 100},
      {"atom.global.cas.b32 %r2, [%d3], 101, 3;", 100, 100},
      {"atom.global.inc.u32 %r2, [%d3], 100;", 0, 100},
      {"atom.global.inc.u32 %r2, [%d3], 101;", 101, 100},
      {"atom.global.dec.u32 %r2, [%d3], 99;", 99, 100},
      {"atom.global.dec.u32 %r2, [%d3], 100;", 99, 100},
  };
  for (const Row& row : rows) {
    INFO(row.text);
    Bench alone = kernel_of(std::string(row.text) + "st.global.u32 [%d1+4], %r2;", 1, 1);
    CHECK(alone.clean());
    CHECK(alone.bits("m", 0) == row.m0);
    CHECK(alone.bits("m", 1) == row.result);
    const std::string text = std::string(row.text) + "st.global.u32 [%d1+64], %r2;";
    CHECK(kernel_of(text, 2, 1).has_gap("schedule"));
    CHECK(kernel_of(text, 1, 2).has_gap("schedule"));
  }
  // One and the same function of what was there, applied by all.
  Bench counter = kernel_of("red.global.inc.u32 [%d3], 107;", 10, 1);
  CHECK(counter.clean());
  CHECK(counter.bits("m", 0) == 2);  // 101 to 107, 0, 1, 2
  CHECK(kernel_of("red.global.inc.u32 [%d3], %r1;", 2, 1).has_gap("schedule"));
  CHECK(kernel_of("atom.global.exch.b32 %r2, [%d3], 5;", 32, 2).clean());
  CHECK(kernel_of("atom.global.exch.b32 %r2, [%d3], %r0;", 2, 1).has_gap("schedule"));
  CHECK(kernel_of("atom.global.cas.b32 %r2, [%d3], 100, 5;", 32, 1).clean());
  CHECK(kernel_of("atom.global.cas.b32 %r2, [%d3], 100, %r0;", 2, 1).has_gap("schedule"));
  CHECK(kernel_of("red.global.inc.u32 [%d3], 9;\n red.global.dec.u32 [%d3], 9;", 2, 1)
            .has_gap("schedule"));
}

TEST_CASE("plain accesses race with atomics that nothing orders") {
  const std::string lane0 = "setp.eq.u32 %p0, %r0, 0;\n";
  for (const std::string plain :
       {"@%p0 ld.shared.u32 %r3, [%r11];\n @%p0 st.global.u32 [%d3], %r3;",
        "@%p0 st.shared.u32 [%r11], 5;"}) {
    INFO(plain);
    const std::string first = "@%p0 st.shared.u32 [%r11], 0;\n bar.sync 0;\n";
    const std::string atomic = "red.shared.add.u32 [%r11], %r1;\n";
    const auto faults = [&](const std::string& body) {
      Bench bench = kernel_of(lane0 + first + body, 64, 1);
      return bench.faults(Category::kRaceShared).size();
    };
    CHECK(faults(atomic + plain) >= 1);
    CHECK(faults(plain + "\n" + atomic) >= 1);
    CHECK(faults(atomic + "bar.sync 0;\n" + plain) == 0);
    CHECK(faults(plain + "\n bar.sync 0;\n" + atomic) == 0);
  }
  const Bench message = kernel_of(lane0 +
                                      "red.global.add.u32 [%d3+4], %r1;\n"
                                      "@%p0 st.global.u32 [%d3+4], 5;",
                                  2, 1);
  const auto race = message.faults(Category::kRaceGlobal);
  REQUIRE(race.size() == 1);
  CHECK(race[0]->message == "m[1]: updated by thread 1, written by thread 0, nothing between them");
  CHECK(race[0]->strength == Fault::Strength::kCertain);
  // In another CTA a barrier does not help, in the next launch nothing is needed.
  CHECK(kernel_of("red.global.add.u32 [%d3], 1;\n bar.sync 0;\n ld.global.u32 %r2, [%d3];", 1, 2)
            .faults(Category::kRaceGlobal)
            .size() >= 1);
  CHECK(kernel_of("red.global.add.u32 [%d3], 1;\n ld.global.nc.u32 %r2, [%d3];", 1, 1)
            .faults(Category::kRaceGlobal)
            .size() == 1);
}

TEST_CASE("an atomic does not hide what came before it") {
  // Thread 0 writes and updates; thread 1 only updates: that conflicts with the write.
  CHECK(kernel_of("setp.eq.u32 %p0, %r0, 0;\n @%p0 st.global.u32 [%d3], 0;\n"
                  "red.global.add.u32 [%d3], 1;",
                  2, 1)
            .faults(Category::kRaceGlobal)
            .size() == 1);
  // Of two kinds in program order the first one is still there.
  CHECK(kernel_of("setp.eq.u32 %p0, %r0, 0;\n @%p0 red.global.max.u32 [%d3], 7;\n"
                  "red.global.add.u32 [%d3], 1;",
                  2, 1)
            .has_gap("schedule"));
}

TEST_CASE("strong loads of what atomics change are a matter of order, not a race") {
  for (const std::string load : {"ld.relaxed.gpu.global.u32", "ld.volatile.global.u32"}) {
    const Bench bench = kernel_of(
        "setp.eq.u32 %p0, %r0, 0;\n red.global.add.u32 [%d3], 1;\n @%p0 " + load + " %r2, [%d3];",
        2, 1);
    CHECK(bench.has_gap("strong-access"));
    CHECK(bench.outcome().faults.empty());
  }
}

TEST_CASE("a scope that leaves the other thread out makes no atomic of it") {
  for (const std::string scope : {"cta", "cluster"}) {
    const std::string text = "red.relaxed." + scope + ".global.add.u32 [%d3], 1;";
    const Bench between = kernel_of(text, 32, 2);
    const auto faults = between.faults(Category::kRaceGlobal);
    REQUIRE(faults.size() == 1);
    CHECK(faults[0]->message.find("in the scope of a CTA only") != std::string::npos);
    CHECK(faults[0]->remedy.find(".gpu") != std::string::npos);
    CHECK(kernel_of(text, 64, 1).clean());
  }
  CHECK(kernel_of("red.relaxed.gpu.global.add.u32 [%d3], 1;", 32, 2).clean());
  CHECK(kernel_of("red.relaxed.sys.global.add.u32 [%d3], 1;", 32, 2).clean());
  // One side's scope is enough to spoil it.
  CHECK(kernel_of("setp.eq.u32 %p0, %r9, 0;\n @%p0 red.relaxed.cta.global.add.u32 [%d3], 1;\n"
                  "@!%p0 red.relaxed.gpu.global.add.u32 [%d3], 1;",
                  1, 2)
            .faults(Category::kRaceGlobal)
            .size() == 1);
}

TEST_CASE("atomics of different widths on one place race") {
  CHECK(kernel_of("setp.eq.u32 %p0, %r0, 0;\n mov.u64 %d9, 1;\n"
                  "@%p0 red.global.add.u64 [%d3], %d9;\n @!%p0 red.global.add.u32 [%d3], 1;",
                  2, 1)
            .faults(Category::kRaceGlobal)
            .size() == 1);
}

TEST_CASE("atomics under conditions on data") {
  const std::string guard = "setp.gt.u32 %p0, %r1, 10;\n";
  for (const std::string op : {"add.u32", "max.u32", "and.b32"}) {
    Bench bench = kernel_with(guard + "@%p0 red.global." + op + " [%d3], %r1;");
    CHECK(bench.clean());
    CHECK(bench.written("m", 0));
    uint64_t wanted = 100;
    for (uint64_t i = 11; i < 32; ++i) {
      wanted = op == "add.u32" ? wanted + i : op == "max.u32" ? std::max(wanted, i) : wanted & i;
    }
    CHECK(bench.bits("m", 0) == wanted);
  }
  // An operand may be left out only where the cell has a value without it.
  Setup output;
  output.role = Role::kOutput;
  Bench bench = kernel_with(guard + "@%p0 red.global.add.u32 [%d1], %r1;", output);
  CHECK_FALSE(bench.written("m", 10));
  CHECK(bench.written("m", 11));
  CHECK(bench.bits("m", 11) == 0xeeee0000u + 11 + 11);
  // Each thread in a branch of its own: no worlds are needed.
  Bench many = kernel_of(
      "setp.gt.u32 %p0, %r1, 10;\n @!%p0 bra J;\n"
      "red.global.add.u32 [%d3], %r1;\n J:",
      128, 1);
  CHECK(many.clean());
  CHECK(many.bits("m", 0) == 100 + 127 * 64 - 55);
}

TEST_CASE("guards that exclude each other are no conflict") {
  const std::string text = R"(
    ld.global.u32 %r5, [%d9];
    setp.gt.u32 %p0, %r5, 10;
    setp.eq.u32 %p1, %r0, 0;
    and.pred %p2, %p0, %p1;
    not.pred %p3, %p1;
    )";
  const std::string same = "\n and.pred %p4, %p0, %p3;",
                    other = "\n not.pred %p5, %p0;\n and.pred %p4, %p5, %p3;";
  const std::string x0 = "sub.s64 %d9, %d0, %d2;\n";
  const std::string ops =
      "\n @%p2 red.global.add.u32 [%d3], 1;\n @%p4 red.global.max.u32 [%d3], 1;";
  CHECK(kernel_of(x0 + text + same + ops, 2, 1).has_gap("schedule"));
  CHECK(kernel_of(x0 + text + other + ops, 2, 1).clean());
  // The one that excludes it must not hide one that does not.
  const std::string three = R"(
    and.pred %p6, %p0, %p1;
    not.pred %p5, %p0;
    setp.eq.u32 %p7, %r0, 1;
    and.pred %p8, %p5, %p7;
    setp.eq.u32 %p9, %r0, 2;
    and.pred %p10, %p0, %p9;
    @%p6 st.global.u32 [%d3], 1;
    @%p8 st.global.u32 [%d3], 2;
    @%p10 st.global.u32 [%d3], 3;)";
  CHECK(kernel_of(x0 + text + three, 3, 1).faults(Category::kRaceGlobal).size() == 1);
}

TEST_CASE("histograms: every cell that an index may mean gets a guarded update") {
  const std::string text = R"(
    and.b32 %r2, %r1, 7;
    mul.wide.u32 %d5, %r2, 4;
    add.s64 %d5, %d3, %d5;
    atom.global.add.u32 %r3, [%d5], 1;)";
  Bench bench = kernel_of(text, 50, 2);
  CHECK(bench.clean());
  for (uint64_t i = 0; i < 8; ++i) CHECK(bench.bits("m", i) == 100 + i + 2 * (i < 2 ? 7 : 6));
  // An index that may leave the buffer.
  Bench wild = kernel_of(
      "and.b32 %r2, %r1, 127;\n mul.wide.u32 %d5, %r2, 4;\n"
      "add.s64 %d5, %d3, %d5;\n red.global.add.u32 [%d5], 1;",
      1, 1);
  CHECK(wild.faults(Category::kOutOfBounds).size() == 1);
  // The old value of the cell that it was.
  Bench old = kernel_of(text + "\n st.global.u32 [%d1+128], %r3;", 1, 1);
  CHECK(old.clean());
  old.input = [](uint32_t buffer, uint32_t i) -> uint64_t { return buffer == 0 ? 13 : 40 + i; };
  CHECK(old.bits("m", 32) == 45);
  CHECK(old.bits("m", 5) == 46);
}

TEST_CASE("float additions by several threads are noted, with their sums") {
  const std::string load = "mov.b32 %f1, %r1;\n";
  Setup f32;
  f32.type = op::Type::kF32;
  Bench many = kernel_with(load + "red.global.add.f32 [%d3], %f1;", f32);
  CHECK(many.clean());
  REQUIRE(many.has_note("commutative-atomics"));
  CHECK(many.outcome().notes[0].count == 31);
  CHECK(many.outcome().unordered_sums.size() == 31);
  CHECK(many.outcome().unordered_sums.back() == many.cell("m", 0).value);
  CHECK(many.f32("m", 0) == 100 + 31 * 16);
  // One thread, or one after the other: the order is fixed.
  f32.threads = 1;
  Bench one =
      kernel_with(load + "red.global.add.f32 [%d3], %f1;\n red.global.add.f32 [%d3], %f1;", f32);
  CHECK(one.clean());
  CHECK_FALSE(one.has_note("commutative-atomics"));
  CHECK(one.outcome().unordered_sums.empty());
  f32.threads = 2;
  const std::string turns = load +
                            "setp.eq.u32 %p0, %r0, 0;\n @%p0 red.global.add.f32 [%d3], %f1;\n"
                            "bar.sync 0;\n @!%p0 red.global.add.f32 [%d3], %f1;";
  CHECK_FALSE(kernel_with(turns, f32).has_note("commutative-atomics"));
  // CTAs have no order.
  f32.threads = 1;
  f32.ctas = 2;
  CHECK(kernel_with(load + "red.global.add.f32 [%d3], %f1;", f32).has_note("commutative-atomics"));
  // Integers need no assumption.
  CHECK_FALSE(kernel_of("red.global.add.u32 [%d3], %r1;", 32, 2).has_note("commutative-atomics"));
}

TEST_CASE("additions in global memory flush subnormals, in shared memory they do not") {
  Setup setup;
  setup.type = op::Type::kF32;
  setup.threads = 1;
  setup.evaluate = true;
  setup.x = words({0x00000003}, 256);
  setup.m = words({0x00000004, 0, 0}, 64);
  Bench bench = kernel_with(R"(
    mov.b32 %f1, %r1;
    st.shared.u32 [%r11], 4;
    atom.global.add.f32 %f2, [%d3], %f1;
    red.shared.add.f32 [%r11], %f1;
    ld.shared.u32 %r3, [%r11];
    st.global.u32 [%d3+4], %r3;
    st.global.f32 [%d3+8], %f2;)",
                            setup);
  CHECK(bench.bits("m", 0) == 0);
  CHECK(bench.bits("m", 1) == 7);
  CHECK(bench.bits("m", 2) == 4);
}

TEST_CASE("concrete execution goes on in one order, and says so") {
  Setup setup;
  setup.threads = 4;
  setup.evaluate = true;
  setup.x = words({1, 2, 3, 4}, 256);
  setup.m = words({10}, 64);
  Bench bench =
      kernel_with("atom.global.add.u32 %r2, [%d3], %r1;\n st.global.u32 [%d1+64], %r2;", setup);
  CHECK(bench.clean());
  CHECK(bench.has_note("schedule"));
  CHECK(bench.bits("m", 0) == 20);
  CHECK(bench.bits("m", 16) == 10);
  CHECK(bench.bits("m", 19) == 16);
}

TEST_CASE("with approximations kept, additions by atomics are of no known order") {
  Setup setup;
  setup.type = op::Type::kF32;
  setup.threads = 3;
  setup.evaluate = true;
  setup.x = words({float_bits(1), float_bits(-1), float_bits(4)}, 256);
  setup.m = words({0}, 64);
  setup.keep_approximate = true;
  Bench bench = kernel_with("mov.b32 %f1, %r1;\n red.global.add.f32 [%d3], %f1;", setup);
  const term::Node& sum = bench.arena()[bench.cell("m", 0).value];
  CHECK(sum.op.kind == op::Kind::kFAdd);
  CHECK(sum.op.rounding == op::Rounding::kApprox);
  CHECK(bench.f32("m", 0) == 4);
}

TEST_CASE("vectors and packed halves are updated element by element") {
  Setup setup;
  setup.type = op::Type::kF16;
  setup.threads = 1;
  setup.evaluate = true;
  setup.m = {0x00, 0x3c, 0x00, 0x40, 0x00, 0x42, 0x00, 0x44};  // 1, 2, 3, 4
  setup.m.resize(128);
  setup.x.assign(512, 0);
  Bench bench = kernel_with(R"(
    mov.b32 %r2, 0x3c004000;
    mov.b32 %r3, 0x40003c00;
    atom.global.add.noftz.v2.f16x2 {%r4, %r5}, [%d3], {%r2, %r3};
    mov.b16 %h1, 0x4500;
    mov.b16 %h2, 0x3800;
    red.global.max.noftz.v2.f16 [%d3+4], {%h1, %h2};
    st.global.u32 [%d3+16], %r5;)",
                            setup);
  CHECK(bench.bits("m", 0) == 0x4200);  // 1 + 2
  CHECK(bench.bits("m", 1) == 0x4200);  // 2 + 1
  CHECK(bench.bits("m", 2) == 0x4500);  // max(3 + 1, 5)
  CHECK(bench.bits("m", 3) == 0x4600);  // max(4 + 2, 0.5)
  CHECK(bench.bits("m", 8) == 0x4200);
  CHECK(bench.bits("m", 9) == 0x4400);
  // A half and a pair of halves meet element by element.
  setup.threads = 2;
  setup.evaluate = false;
  const std::string both =
      "setp.eq.u32 %p0, %r0, 0;\n mov.b32 %r2, 0x3c003c00;\n mov.b16 %h1, 0x3c00;\n"
      "@%p0 red.global.add.noftz.f16x2 [%d3], %r2;\n";
  CHECK(kernel_with(both + "@!%p0 red.global.add.noftz.f16 [%d3+2], %h1;", setup).clean());
  CHECK(kernel_with(both + "@!%p0 red.global.add.u32 [%d3], %r2;", setup)
            .faults(Category::kRaceGlobal)
            .size() == 1);
}

TEST_CASE("128-bit values are exchanged as a whole") {
  Setup setup;
  setup.type = op::Type::kU64;
  setup.threads = 1;
  Bench bench = kernel_with(R"(
    .reg .b128 %q<4>;
    mov.u64 %d5, 100;
    mov.u64 %d6, 101;
    mov.b128 %q0, {%d5, %d6};
    mov.u64 %d7, 7;
    mov.b128 %q1, {%d7, %d7};
    atom.global.cas.b128 %q2, [%d3], %q0, %q1;    // m[0], m[1] are 100, 101
    atom.global.cas.b128 %q3, [%d3+16], %q0, %q1; // m[2], m[3] are not
    mov.b128 {%d8, %d9}, %q2;
    st.global.u64 [%d3+32], %d9;
    atom.global.exch.b128 %q2, [%d3+48], %q0;
    mov.b128 {%d8, %d9}, %q2;
    st.global.u64 [%d3+40], %d8;)",
                            setup);
  REQUIRE(bench.clean());
  const uint64_t wanted[] = {7, 7, 102, 103, 101, 106, 100, 101};
  for (uint64_t i = 0; i < 8; ++i) CHECK(bench.bits("m", i) == wanted[i]);
}

TEST_CASE("fences and atomics order what comes before with what comes after") {
  // CTA 0 writes, fences and counts; CTA 1 counts, fences and reads: ordered in the order that is
  // executed, and only there.
  const auto text = [](const std::string& count, const std::string& fence) {
    return "setp.eq.u32 %p0, %r9, 0;\n @%p0 st.global.u32 [%d3+4], 5;\n" + fence + "\n" + count +
           "\n" + fence + "\n @!%p0 ld.global.u32 %r4, [%d3+4];";
  };
  const std::string used = "atom.global.add.u32 %r2, [%d3], 1;\n st.shared.u32 [%r12], %r2;";
  const std::string unused = "red.global.add.u32 [%d3], 1;";
  const Bench open = kernel_of(text(used, "membar.gl;"), 1, 2);
  CHECK(open.has_gap("schedule"));
  CHECK(open.outcome().faults.empty());
  // Without a fence, or without a look at the count, nothing can be learnt.
  CHECK(kernel_of(text(used, ""), 1, 2).faults(Category::kRaceGlobal).size() == 1);
  CHECK(kernel_of(text(used, "membar.cta;"), 1, 2).faults(Category::kRaceGlobal).size() == 1);
  CHECK(kernel_of(text(unused, "membar.gl;"), 1, 2).faults(Category::kRaceGlobal).size() == 1);
  // An acquire and a release of the atomic's own.
  const std::string strong =
      "atom.acq_rel.gpu.global.add.u32 %r2, [%d3], 1;\n st.shared.u32 [%r12], %r2;";
  CHECK(kernel_of(text(strong, ""), 1, 2).outcome().faults.empty());
}

TEST_CASE("atomics on inputs, constants and private memory") {
  Bench bench;
  bench.buffer("x", op::Type::kU32, 4, Role::kInput);
  bench.launch(kernel({".u64"}, "ld.param.u64 %d0, [p0];\n red.global.add.u32 [%d0], 1;\n ret;"),
               {1, 1, 1}, {1, 1, 1}, {"x"});
  bench.run();
  CHECK(bench.faults(Category::kInputModified).size() == 1);
  Bench null;
  null.buffer("x", op::Type::kU32, 4, Role::kInput);
  null.launch(kernel({".u64"}, "mov.u64 %d0, 16;\n red.global.add.u32 [%d0], 1;\n ret;"), {1, 1, 1},
              {1, 1, 1}, {"x"});
  null.run();
  CHECK(null.faults(Category::kOutOfBounds).size() == 1);
  CHECK(kernel_of("red.global.add.u32 [%d3+2], 1;", 1, 1).faults(Category::kMisaligned).size() ==
        1);
  CHECK(kernel_of("red.global.add.u32 [%d3+256], 1;", 1, 1).faults(Category::kOutOfBounds).size() ==
        1);
}

TEST_CASE("generic atomics go where their address points") {
  Bench bench = kernel_of(R"(
    st.shared.u32 [%r11], 3;
    cvt.u64.u32 %d5, %r11;
    cvta.shared.u64 %d5, %d5;
    red.add.u32 [%d5], 4;
    ld.shared.u32 %r3, [%r11];
    cvta.global.u64 %d6, %d3;
    red.add.u32 [%d6], %r3;)",
                          1, 1);
  CHECK(bench.clean());
  CHECK(bench.bits("m", 0) == 107);
  CHECK(kernel_of("red.shared.add.u32 [%d3], 1;", 1, 1).faults(Category::kOutOfBounds).size() == 1);
}
