// atom and red (PTX manual, 9.7.13.5 and 9.7.13.6). Without a modifier they are relaxed, in GPU
// scope.
#include "isa/memory.h"

namespace ptxequiv::isa {
namespace {

using Rmw = ir::Atomic::Rmw;

Rmw operation(const Context& c) {
  struct Name {
    std::string_view name;
    Rmw rmw;
  };
  static constexpr Name kNames[] = {{"add", Rmw::kAdd}, {"min", Rmw::kMin}, {"max", Rmw::kMax},
                                    {"inc", Rmw::kInc}, {"dec", Rmw::kDec}, {"and", Rmw::kAnd},
                                    {"or", Rmw::kOr},   {"xor", Rmw::kXor}, {"exch", Rmw::kExch}};
  for (const Name& name : kNames) {
    if (c.has(name.name)) return name.rmw;
  }
  return Rmw::kCas;
}

void lower_atomic(Context& c) {
  if (c.has("shared::cluster")) return c.unsupported();
  ir::Atomic atomic{.access = {}, .rmw = operation(c)};
  auto [place, access] = access_place(c, "a");
  access.type = c.type();
  if (access.order == ir::MemoryAccess::Order::kWeak) {
    access.order = ir::MemoryAccess::Order::kRelaxed;
  }
  if (access.scope.empty()) access.scope = "gpu";
  atomic.access = access;
  std::vector<ValueId> srcs{place.address, c.use("b")};
  if (c.given("c")) srcs.push_back(c.use("c"));
  std::vector<unsigned> dests;
  if (c.given("d")) dests.push_back(op::bits(c.type()));
  ir::Inst& inst = c.emit_guarded(ir::Opcode::kAtomic, dests, srcs);
  inst.immediate = place.offset;
  inst.detail = atomic;
  if (dests.empty()) return;
  const ValueId old = inst.dests[0];
  c.define("d", old);
}

void lower_unsupported(Context& c) {
  c.unsupported();
}

#define WHERE                                                      \
  "{.relaxed|.acquire|.release|.acq_rel}{.cta|.cluster|.gpu|.sys}" \
  "{.global|.shared|.shared::cta|.shared::cluster}"
#define HINT "{.L2::cache_hint}"

constexpr Row kRows[] = {
    {"atom", WHERE ".add" HINT ".(u32|s32|u64|f32|f64) d, [a], b{, policy:b64}", 11, 11,
     lower_atomic, "9.7.13.5"},
    {"atom", WHERE ".add.noftz" HINT ".(f16|f16x2|bf16|bf16x2) d, [a], b{, policy:b64}", 62, 60,
     lower_atomic, "9.7.13.5"},
    {"atom", WHERE ".(min|max)" HINT ".(u32|s32|u64|s64) d, [a], b{, policy:b64}", 11, 11,
     lower_atomic, "9.7.13.5"},
    {"atom", WHERE ".(inc|dec)" HINT ".u32 d, [a], b{, policy:b64}", 11, 11, lower_atomic,
     "9.7.13.5"},
    {"atom", WHERE ".(and|or|xor)" HINT ".(b32|b64) d, [a], b{, policy:b64}", 11, 11, lower_atomic,
     "9.7.13.5"},
    {"atom", WHERE ".exch" HINT ".(b32|b64|b128) d, [a], b{, policy:b64}", 11, 11, lower_atomic,
     "9.7.13.5"},
    {"atom", WHERE ".cas" HINT ".(b16|b32|b64|b128) d, [a], b, c{, policy:b64}", 11, 11,
     lower_atomic, "9.7.13.5"},
    {"atom", ".(v2|v4|v8).* ...", 81, 90, lower_unsupported, "9.7.13.5"},
    {"red", WHERE ".add" HINT ".(u32|s32|u64|f32|f64) [a], b{, policy:b64}", 12, 11, lower_atomic,
     "9.7.13.6"},
    {"red", WHERE ".add.noftz" HINT ".(f16|f16x2|bf16|bf16x2) [a], b{, policy:b64}", 62, 60,
     lower_atomic, "9.7.13.6"},
    {"red", WHERE ".(min|max)" HINT ".(u32|s32|u64|s64) [a], b{, policy:b64}", 12, 11, lower_atomic,
     "9.7.13.6"},
    {"red", WHERE ".(inc|dec)" HINT ".u32 [a], b{, policy:b64}", 12, 11, lower_atomic, "9.7.13.6"},
    {"red", WHERE ".(and|or|xor)" HINT ".(b32|b64) [a], b{, policy:b64}", 12, 11, lower_atomic,
     "9.7.13.6"},
    {"red", ".(v2|v4|v8).* ...", 81, 90, lower_unsupported, "9.7.13.6"},
    {"red", ".async.* ...", 81, 90, lower_unsupported, "9.7.13.7"},
};

#undef WHERE
#undef HINT

}  // namespace

std::span<const Row> atomic_rows() {
  return kRows;
}

}  // namespace ptxequiv::isa
