// Random kernels of flags, fences and data: what the machine says of one schedule must hold for all
// of them, as an interpreter finds that tries many. Each CTA is one thread.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <set>

#include "harness.h"

using namespace ptxequiv;
using namespace ptxequiv::machine;
using namespace ptxequiv::machine::test;

namespace {

constexpr unsigned kCtas = 3, kData = 2, kFlags = 2, kItems = 5;
constexpr unsigned kSlots = kData + kFlags + kCtas * kItems;  // data, flags, what was read

struct Item {
  enum class Kind : uint8_t { kWrite, kRead, kFence, kSet, kAdd, kWaitEqual, kWaitAtLeast } kind;
  unsigned place = 0;
  uint32_t value = 0;
};
using Flags = std::vector<std::vector<Item>>;  // by CTA

std::string text_of(const Flags& program) {
  std::string text = "ld.param.u64 %d0, [p0];\n mov.u32 %r9, %ctaid.x;\n";
  for (size_t c = 0; c < program.size(); ++c) {
    text += "setp.ne.u32 %p0, %r9, " + std::to_string(c) + ";\n@%p0 bra NEXT" + std::to_string(c) +
            ";\n";
    for (size_t i = 0; i < program[c].size(); ++i) {
      const Item& item = program[c][i];
      const std::string data = "[%d0+" + std::to_string(4 * item.place) + "]";
      const std::string flag = "[%d0+" + std::to_string(4 * (kData + item.place)) + "]";
      const std::string slot =
          "[%d0+" + std::to_string(4 * (kData + kFlags + c * kItems + i)) + "]";
      const std::string value = std::to_string(item.value);
      const std::string loop = "L" + std::to_string(c) + "_" + std::to_string(i);
      switch (item.kind) {
        case Item::Kind::kWrite:
          text += "st.global.u32 " + data + ", " + value + ";\n";
          break;
        case Item::Kind::kRead:
          text += "ld.global.u32 %r1, " + data + ";\n st.global.u32 " + slot + ", %r1;\n";
          break;
        case Item::Kind::kFence:
          text += "membar.gl;\n";
          break;
        case Item::Kind::kSet:
          text += "st.volatile.global.u32 " + flag + ", " + value + ";\n";
          break;
        case Item::Kind::kAdd:
          text += "red.global.add.u32 " + flag + ", 1;\n";
          break;
        default:
          text += loop + ": ld.volatile.global.u32 %r2, " + flag + ";\n setp." +
                  (item.kind == Item::Kind::kWaitEqual ? "ne" : "lt") + ".u32 %p1, %r2, " + value +
                  ";\n @%p1 bra " + loop + ";\n";
          break;
      }
    }
    text += "NEXT" + std::to_string(c) + ":\n";
  }
  return text + "ret;";
}

using Clock = std::vector<unsigned>;
void join(Clock& into, const Clock& from) {
  for (size_t i = 0; i < into.size(); ++i) into[i] = std::max(into[i], from[i]);
}

struct Run {
  std::vector<uint32_t> memory;
  bool race = false, stuck = false;
  bool matters = false;  // a race that can change a value
};

uint32_t last_value(const Flags& program, size_t cta, unsigned place) {
  uint32_t value = 0;
  for (const Item& item : program[cta]) {
    if (item.kind == Item::Kind::kWrite && item.place == place) value = item.value;
  }
  return value;
}

// One interleaving, with clocks (PTX 8.7: fence and strong write, strong read and fence).
Run interleave(const Flags& program, std::mt19937& random) {
  const size_t n = program.size();
  Run run;
  run.memory.assign(kSlots, 0);
  std::vector<size_t> pc(n, 0);
  std::vector<Clock> now(n, Clock(n, 0)), fenced(n, Clock(n, 0)), pending(n, Clock(n, 0));
  for (size_t c = 0; c < n; ++c) now[c][c] = 1;
  struct Access {
    size_t cta;
    unsigned at;
    uint32_t value;
  };
  std::vector<std::vector<Access>> writes(kData), reads(kData);
  std::vector<Clock> released(kFlags, Clock(n, 0));
  const auto ready = [&](size_t c) {
    if (pc[c] >= program[c].size()) return false;
    const Item& item = program[c][pc[c]];
    if (item.kind == Item::Kind::kWaitEqual) return run.memory[kData + item.place] == item.value;
    if (item.kind == Item::Kind::kWaitAtLeast) return run.memory[kData + item.place] >= item.value;
    return true;
  };
  for (;;) {
    std::vector<size_t> able;
    for (size_t c = 0; c < n; ++c) {
      if (ready(c)) able.push_back(c);
    }
    if (able.empty()) break;
    const size_t c = able[random() % able.size()];
    const Item& item = program[c][pc[c]++];
    const auto conflicts = [&](const Access& a) { return a.cta != c && now[c][a.cta] < a.at; };
    switch (item.kind) {
      case Item::Kind::kWrite:
        for (const Access& a : writes[item.place]) {
          // Two threads may write the same value; and what a thread writes and overwrites itself
          // is never seen, or it races with the reader.
          if (!conflicts(a) || a.value == item.value) continue;
          run.race = true;
          run.matters = run.matters || last_value(program, a.cta, item.place) !=
                                           last_value(program, c, item.place);
        }
        if (std::any_of(reads[item.place].begin(), reads[item.place].end(), conflicts)) {
          run.race = run.matters = true;
        }
        // What the same thread has overwritten does not come back.
        std::erase_if(writes[item.place], [&](const Access& a) { return a.cta == c; });
        writes[item.place].push_back({c, now[c][c], item.value});
        run.memory[item.place] = item.value;
        break;
      case Item::Kind::kRead:
        if (std::any_of(writes[item.place].begin(), writes[item.place].end(), conflicts)) {
          run.race = run.matters = true;
        }
        reads[item.place].push_back({c, now[c][c], item.value});
        run.memory[kData + kFlags + c * kItems + pc[c] - 1] = run.memory[item.place];
        break;
      case Item::Kind::kFence:
        join(now[c], pending[c]);
        fenced[c] = now[c];
        ++now[c][c];
        break;
      case Item::Kind::kSet:
        run.memory[kData + item.place] = item.value;
        released[item.place] = fenced[c];
        break;
      case Item::Kind::kAdd:
        ++run.memory[kData + item.place];
        join(released[item.place], fenced[c]);
        break;
      default:
        join(pending[c], released[item.place]);
        break;
    }
  }
  for (size_t c = 0; c < n; ++c) run.stuck = run.stuck || pc[c] < program[c].size();
  return run;
}

}  // namespace

TEST_CASE("what is said of flags in one schedule holds in all of them") {
  unsigned clean = 0, waiting = 0, races = 0, deadlocks = 0, open = 0;
  for (uint32_t seed = 0; seed < 4000; ++seed) {
    std::mt19937 random(seed);
    Flags program(2 + random() % (kCtas - 1));
    bool waits = false;
    const bool adds = random() % 2 == 0;  // flags are counted up, or set
    for (auto& items : program) {
      // Often in the order that makes sense: write, fence, set; or wait, fence, read.
      const unsigned shape = random() % 4;
      const auto flag = static_cast<unsigned>(random() % kFlags);
      const auto data = static_cast<unsigned>(random() % kData);
      const auto level = static_cast<uint32_t>(1 + random() % 2);
      using Kind = Item::Kind;
      const Kind raise = adds ? Kind::kAdd : Kind::kSet;
      const Kind wait = random() % 2 == 0 ? Kind::kWaitEqual : Kind::kWaitAtLeast;
      if (shape == 0) items = {{Kind::kWrite, data, 7}, {Kind::kFence}, {raise, flag, level}};
      if (shape == 1) items = {{wait, flag, level}, {Kind::kFence}, {Kind::kRead, data}};
      if (shape == 2) {
        items = {{wait, flag, level},
                 {Kind::kFence},
                 {Kind::kRead, data},
                 {Kind::kFence},
                 {raise, 1 - flag, level}};
      }
      for (unsigned i = 0; i < 2 && items.size() < kItems; ++i) {
        if (shape != 3 && random() % 3 != 0) continue;
        Item item;
        item.kind = static_cast<Kind>(random() % 7);
        if (item.kind == Kind::kAdd || item.kind == Kind::kSet) item.kind = raise;
        item.place = static_cast<unsigned>(random() % 2);
        item.value = static_cast<uint32_t>(1 + random() % 2);
        items.insert(items.begin() + static_cast<ptrdiff_t>(random() % (items.size() + 1)), item);
      }
      for (const Item& item : items) waits = waits || item.kind >= Kind::kWaitEqual;
    }
    Bench bench;
    bench.buffer("m", op::Type::kU32, kSlots, Role::kInout);
    bench["m"].data = std::vector<uint8_t>(kSlots * 4, 0);
    bench.launch(kernel({".u64"}, text_of(program)), {static_cast<uint32_t>(program.size()), 1, 1},
                 {1, 1, 1}, {"m"});
    bench.run();
    std::vector<Run> runs;
    for (unsigned i = 0; i < 150; ++i) runs.push_back(interleave(program, random));
    const auto any = [&](bool Run::*what) {
      return std::any_of(runs.begin(), runs.end(), [&](const Run& r) { return r.*what; });
    };
    const auto may = [&](bool Run::*what) {  // a fault is one if some schedule has it
      for (unsigned i = 0; i < 5000; ++i) {
        if (interleave(program, random).*what) return true;
      }
      return any(what);
    };
    INFO("seed " << seed << ", " << program.size() << " CTAs\n" << text_of(program));
    if (!bench.faults(Category::kRaceGlobal).empty()) {
      ++races;
      CHECK(may(&Run::race));
    } else if (!bench.faults(Category::kDeadlock).empty()) {
      ++deadlocks;
      CHECK(may(&Run::stuck));
    } else if (!bench.clean()) {
      ++open;
    } else {
      ++clean;
      waiting += waits;
      REQUIRE_FALSE(any(&Run::matters));
      REQUIRE_FALSE(any(&Run::stuck));
      for (unsigned i = 0; i < kSlots; ++i) {
        const uint64_t ours = bench.cell("m", i).value == term::kNoTerm ? 0 : bench.bits("m", i);
        for (const Run& run : runs) REQUIRE(run.memory[i] == ours);
      }
    }
  }
  CHECK(clean > 100);
  CHECK(waiting > 40);
  CHECK(races > 100);
  CHECK(deadlocks > 100);
  CHECK(open < clean);
}
