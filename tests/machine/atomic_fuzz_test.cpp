// Random kernels of atomics: where the machine finds nothing open, every interleaving must leave
// what the machine's own order leaves.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <set>

#include "harness.h"

using namespace ptxequiv;
using namespace ptxequiv::machine;
using namespace ptxequiv::machine::test;

namespace {

constexpr unsigned kThreads = 3, kCells = 2, kCtas = 2, kItems = 8;
constexpr unsigned kSlots = kCells + kItems * kCtas;

struct Op {
  const char* name;
  uint32_t (*apply)(uint32_t old, uint32_t b, uint32_t c);
  bool two;
};
const Op kOps[] = {
    {"add.u32", [](uint32_t o, uint32_t b, uint32_t) { return o + b; }, false},
    {"min.u32", [](uint32_t o, uint32_t b, uint32_t) { return std::min(o, b); }, false},
    {"max.s32",
     [](uint32_t o, uint32_t b, uint32_t) {
       return static_cast<uint32_t>(std::max(static_cast<int32_t>(o), static_cast<int32_t>(b)));
     },
     false},
    {"or.b32", [](uint32_t o, uint32_t b, uint32_t) { return o | b; }, false},
    {"xor.b32", [](uint32_t o, uint32_t b, uint32_t) { return o ^ b; }, false},
    {"exch.b32", [](uint32_t, uint32_t b, uint32_t) { return b; }, false},
    {"inc.u32", [](uint32_t o, uint32_t b, uint32_t) { return o >= b ? 0 : o + 1; }, false},
    {"cas.b32", [](uint32_t o, uint32_t b, uint32_t c) { return o == b ? c : o; }, true},
};

struct Item {
  bool barrier = false;
  unsigned thread = 0, cell = 0, op = 0;
  uint32_t b = 0, c = 0;
  bool used = false;
};

std::string text_of(const std::vector<Item>& items) {
  std::string text =
      "ld.param.u64 %d0, [p0];\n mov.u32 %r0, %tid.x;\n mov.u32 %r9, %ctaid.x;\n"
      "mul.wide.u32 %d1, %r9, 4;\n add.s64 %d1, %d0, %d1;\n";
  for (size_t i = 0; i < items.size(); ++i) {
    const Item& item = items[i];
    if (item.barrier) {
      text += "bar.sync 0;\n";
      continue;
    }
    const Op& op = kOps[item.op];
    text += "setp.eq.u32 %p0, %r0, " + std::to_string(item.thread) + ";\n";
    text += "@%p0 atom.global." + std::string(op.name) + " %r2, [%d0+" +
            std::to_string(4 * item.cell) + "], " + std::to_string(item.b);
    if (op.two) text += ", " + std::to_string(item.c);
    text += ";\n";
    if (item.used) {
      text += "@%p0 st.global.u32 [%d1+" + std::to_string(4 * (kCells + i * kCtas)) + "], %r2;\n";
    }
  }
  return text + "ret;";
}

using Memory = std::vector<uint32_t>;

// One interleaving; each thread in its order, barriers within a CTA.
Memory interleave(const std::vector<Item>& items, unsigned ctas, Memory memory,
                  std::mt19937& random) {
  struct Thread {
    unsigned cta, thread;
    size_t pc = 0;
  };
  std::vector<Thread> threads;
  for (unsigned c = 0; c < ctas; ++c) {
    for (unsigned t = 0; t < kThreads; ++t) threads.push_back({c, t});
  }
  for (;;) {
    std::vector<Thread*> ready;
    for (Thread& thread : threads) {
      while (thread.pc < items.size() && !items[thread.pc].barrier &&
             items[thread.pc].thread != thread.thread) {
        ++thread.pc;
      }
    }
    for (Thread& thread : threads) {
      if (thread.pc >= items.size()) continue;
      if (items[thread.pc].barrier) {
        const bool all = std::all_of(threads.begin(), threads.end(), [&](const Thread& other) {
          return other.cta != thread.cta || other.pc >= thread.pc;
        });
        if (!all) continue;
      }
      ready.push_back(&thread);
    }
    if (ready.empty()) return memory;
    Thread& next = *ready[random() % ready.size()];
    const Item& item = items[next.pc];
    if (!item.barrier) {
      uint32_t& cell = memory[item.cell];
      if (item.used) memory[kCells + next.pc * kCtas + next.cta] = cell;
      cell = kOps[item.op].apply(cell, item.b, item.c);
    }
    ++next.pc;
  }
}

}  // namespace

TEST_CASE("what is free of order is the same in every interleaving") {
  unsigned clean = 0, open = 0, really_open = 0, tickets = 0;
  for (uint32_t seed = 0; seed < 3000; ++seed) {
    std::mt19937 random(seed);
    const unsigned ctas = 1 + random() % kCtas;
    const unsigned favourite = random() % std::size(kOps);
    std::vector<Item> items(1 + random() % kItems);
    for (Item& item : items) {
      item.barrier = random() % 4 == 0;
      item.thread = random() % kThreads;
      item.cell = random() % kCells;
      item.op = random() % 4 == 0 ? random() % std::size(kOps) : favourite;
      item.b = random() % 3 == 0 ? random() % 8 : 5;
      item.c = random() % 8;
      item.used = random() % 6 == 0;
    }
    if (seed % 3 == 0) {  // arrivals that are counted
      const unsigned counts = seed % 2 == 0 ? 0 : 6;
      for (Item& item : items) {
        item.op = counts;
        item.b = counts == 6 ? 100 : 5;
        item.used = item.used || random() % 2 == 0;
      }
    }
    Memory initial(kSlots);
    for (uint32_t& cell : initial) cell = random() % 9;
    Bench bench;
    bench.buffer("m", op::Type::kU32, kSlots, Role::kInout);
    bench.launch(kernel({".u64"}, text_of(items)), {ctas, 1, 1}, {kThreads, 1, 1}, {"m"});
    bench.run();
    REQUIRE(bench.outcome().faults.empty());
    std::vector<Memory> seen;
    for (unsigned i = 0; i < 60; ++i) seen.push_back(interleave(items, ctas, initial, random));
    const bool same = std::all_of(seen.begin(), seen.end(),
                                  [&](const Memory& memory) { return memory == seen[0]; });
    INFO("seed " << seed << ", " << ctas << " CTAs of " << kThreads << "\n" << text_of(items));
    if (!bench.clean()) {
      ++open;
      really_open += !same;
      continue;
    }
    ++clean;
    bench.input = [&](uint32_t, uint32_t element) { return initial[element]; };
    // Whatever an interleaving leaves, the terms give for some choice of the schedule's.
    const bool chosen = !bench.outcome().schedule_inputs.empty();
    tickets += chosen;
    REQUIRE((same || chosen));
    for (unsigned i = 0; i < kSlots; ++i) {
      std::set<uint64_t> ours;
      const auto missing = [&] {
        return std::any_of(seen.begin(), seen.end(),
                           [&](const Memory& memory) { return ours.count(memory[i]) == 0; });
      };
      for (uint64_t turn = 0; turn < (chosen ? 20000 : 1) && missing(); ++turn) {
        bench.fresh_bits = [&](TermId leaf) -> uint64_t {
          for (const ScheduleInput& input : bench.outcome().schedule_inputs) {
            if (input.leaf != leaf) continue;
            // Proofs hold for any values; a witness has each ticket once.
            if (turn >= 48) {
              if (input.position == turn % input.total) return input.total - 1;
              return ((leaf + turn * 7919) * 0x9e3779b97f4a7c15u >> 40) % (input.total - 1);
            }
            if (!input.any_order) return input.position;
            const uint64_t place =
                turn % 2 == 0 ? input.position : input.total - 1 - input.position;
            return (place + turn / 2) % input.total;
          }
          return 0;
        };
        ours.insert(bench.cell("m", i).value == term::kNoTerm ? initial[i] : bench.bits("m", i));
      }
      INFO("element " << i);
      for (const Memory& memory : seen) REQUIRE(ours.count(memory[i]) == 1);
    }
  }
  CHECK(tickets > 20);
  CHECK(clean > 300);
  CHECK(really_open > 200);
  CHECK(really_open <= open);
}
