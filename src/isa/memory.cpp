// ld, ldu, st, prefetching and discard (PTX manual, 9.7.9.8 to 9.7.9.17). Cache operators, eviction
// priorities, prefetch sizes and cache policies change nothing that can be observed.
#include "isa/memory.h"

#include <fmt/format.h>

namespace ptxequiv::isa {

AccessPlace access_place(Context& c, std::string_view name) {
  using Order = ir::MemoryAccess::Order;
  struct Name {
    std::string_view name;
    Order order;
  };
  static constexpr Name kOrders[] = {{"mmio", Order::kMmio},
                                     {"relaxed", Order::kRelaxed},
                                     {"acquire", Order::kAcquire},
                                     {"release", Order::kRelease},
                                     {"acq_rel", Order::kAcqRel}};
  ir::MemoryAccess access;
  for (const std::string& modifier : c.instruction().modifiers) {
    if (const ptx::Space space = space_named(modifier); space != ptx::Space::kGeneric) {
      access.space = space;
    }
  }
  for (const Name& order : kOrders) {
    if (c.has(order.name)) {
      access.order = order.order;
      break;
    }
  }
  access.scope = c.which({"cta", "cluster", "gpu", "sys"});
  access.is_volatile = c.has("volatile");
  access.non_coherent = c.has("nc") || c.instruction().opcode == "ldu";
  const Context::Place place = c.place(name, access.space);
  // A variable named in a generic access is accessed in its own space.
  if (access.space == ptx::Space::kGeneric) access.space = place.space;
  return {place, access};
}

namespace {

std::vector<ptx::Operand> vector_elements(Context& c, std::string_view name) {
  const auto elements = c.elements(name);
  const std::string_view vector = c.which({"v2", "v4", "v8"});
  const size_t wanted = vector.empty() ? 1 : static_cast<size_t>(vector[1] - '0');
  if (elements.size() != wanted) {
    c.fail(c.operand(name),
           fmt::format("{} element{} needed here", wanted, wanted == 1 ? " is" : "s are"));
  }
  if (wanted * op::bits(c.type()) > 256) {
    c.fail("a vector access has at most 32 bytes");
  }
  return elements;
}

// A CTA's view of its cluster's shared memory needs a model of clusters.
bool is_cluster(const Context& c) {
  return c.has("shared::cluster");
}

// 128-bit elements travel as pairs of 64 bits: one access all the same, with its alignment.
AccessPlace wide_place(Context& c, size_t elements) {
  AccessPlace at = access_place(c, "a");
  at.access.type = Type::kB64;
  at.access.count = static_cast<uint8_t>(2 * elements);
  return at;
}

void load_wide(Context& c, const std::vector<ptx::Operand>& elements) {
  const auto [place, access] = wide_place(c, elements.size());
  ir::Inst& inst =
      c.emit_guarded(ir::Opcode::kLoad, std::vector<unsigned>(access.count, 64), {place.address});
  inst.immediate = place.offset;
  inst.detail = access;
  const std::vector<ValueId> values = inst.dests;
  for (size_t i = 0; i < elements.size(); ++i) {
    c.define_halves(elements[i], {values[2 * i], values[2 * i + 1]});
  }
}

void store_wide(Context& c, const std::vector<ptx::Operand>& elements) {
  const auto [place, access] = wide_place(c, elements.size());
  std::vector<ValueId> srcs{place.address};
  for (const ptx::Operand& element : elements) {
    const Context::Halves value = c.use_halves(element);
    srcs.insert(srcs.end(), {value.low, value.high});
  }
  ir::Inst& inst = c.emit_guarded(ir::Opcode::kStore, {}, srcs);
  inst.immediate = place.offset;
  inst.detail = access;
}

void lower_ld(Context& c) {
  if (is_cluster(c)) return c.unsupported();
  const auto elements = vector_elements(c, "d");
  if (c.type() == Type::kB128) return load_wide(c, elements);
  auto [place, access] = access_place(c, "a");
  access.type = c.type();
  access.count = static_cast<uint8_t>(elements.size());
  const std::vector<unsigned> widths(elements.size(), op::bits(access.type));
  ir::Inst& inst = c.emit_guarded(ir::Opcode::kLoad, widths, {place.address});
  inst.immediate = place.offset;
  inst.detail = access;
  const std::vector<ValueId> values = inst.dests;
  for (size_t i = 0; i < elements.size(); ++i) {
    c.define_operand(elements[i], values[i], c.type(), Fit::kRelaxed);
  }
}

void lower_st(Context& c) {
  if (is_cluster(c)) return c.unsupported();
  const auto elements = vector_elements(c, "b");
  if (c.type() == Type::kB128) return store_wide(c, elements);
  auto [place, access] = access_place(c, "a");
  access.type = c.type();
  access.count = static_cast<uint8_t>(elements.size());
  std::vector<ValueId> srcs{place.address};
  for (const ptx::Operand& element : elements) {
    srcs.push_back(c.use_operand(element, c.type(), Fit::kRelaxed));
  }
  ir::Inst& inst = c.emit_guarded(ir::Opcode::kStore, {}, srcs);
  inst.immediate = place.offset;
  inst.detail = access;
}

// The 128 bytes hold nothing until they are written again.
void lower_discard(Context& c) {
  const auto at = access_place(c, "a");
  Builder& builder = c.builder();
  const ValueId nothing = builder.read(builder.new_var(64, ptx::kNoSymbol));
  for (int64_t offset = 0; offset < 128; offset += 32) {
    ir::Inst& store = c.emit_guarded(ir::Opcode::kStore, {},
                                     {at.place.address, nothing, nothing, nothing, nothing});
    store.immediate = at.place.offset + offset;
    ir::MemoryAccess access = at.access;
    access.type = Type::kB64;
    access.count = 4;
    store.detail = access;
  }
}

void lower_prefetch(Context& c) {
  c.emit_guarded(ir::Opcode::kPrefetch, {}, {});
}

#define SCOPE ".(cta|cluster<78,90>|gpu|sys)"
#define VECTOR "{.v2|.v4}"
#define TYPES ".(b8|b16|b32|b64|b128<83,70>|u8|u16|u32|u64|s8|s16|s32|s64|f32|f64)"
#define L1                                                                                         \
  "{.L1::evict_normal|.L1::evict_unchanged|.L1::evict_first|.L1::evict_last|.L1::no_allocate}<74," \
  "70>"
#define L2 "{.L2::evict_normal|.L2::evict_first|.L2::evict_last}"
#define HINT "{.L2::cache_hint}<74,80>"
#define FETCH "{.L2::64B<74,75>|.L2::128B<74,75>|.L2::256B<74,80>}"
#define POLICY "{, policy:b64 if L2::cache_hint}"
#define LD " d:vN:t1+, [a]" POLICY
#define ST " [a], b:vN:t1+" POLICY
#define LD_SPACE                                                                    \
  "{.const|.global|.local|.param|.param::entry<83,10>|.param::func<83,10>|.shared|" \
  ".shared::cta<78,10>|.shared::cluster<78,90>}"
#define ST_SPACE                                                                                   \
  "{.global|.local|.param|.param::func<83,10>|.shared|.shared::cta<78,10>|.shared::cluster<78,90>" \
  "}"
// Spaces that threads share.
#define COMMON "{.global|.shared|.shared::cta<78,10>|.shared::cluster<78,90>}"
#define LD_WIDE " d:vQ:t1, [a]" POLICY
#define ST_WIDE " [a], b:vQ:t1" POLICY
#define WIDE ".v8.(b32|u32|s32|f32)"
#define WIDE_64 ".v4.(b64|u64|s64|f64)"

constexpr Row kRows[] = {
    {"ld", "{.weak}<60,70>" LD_SPACE "{.ca|.cg|.cs|.lu|.cv}" VECTOR TYPES LD, 10, 10, lower_ld,
     "9.7.9.8"},
    {"ld", "{.weak}<60,70>{.global}{.ca|.cg|.cs|.lu|.cv}" HINT FETCH VECTOR TYPES LD, 10, 10,
     lower_ld, "9.7.9.8"},
    {"ld", "{.weak}<60,70>{.global}" L1 HINT FETCH VECTOR TYPES LD, 10, 10, lower_ld, "9.7.9.8"},
    {"ld", ".volatile" COMMON VECTOR TYPES LD, 10, 10, lower_ld, "9.7.9.8"},
    {"ld", ".volatile{.global}" FETCH VECTOR TYPES LD, 10, 10, lower_ld, "9.7.9.8"},
    {"ld", ".(relaxed|acquire)" SCOPE COMMON VECTOR TYPES LD, 60, 70, lower_ld, "9.7.9.8"},
    {"ld", ".(relaxed|acquire)" SCOPE "{.global}" L1 HINT FETCH VECTOR TYPES LD, 60, 70, lower_ld,
     "9.7.9.8"},
    {"ld", ".mmio.relaxed.sys{.global}" TYPES LD, 82, 70, lower_ld, "9.7.9.8"},
    {"ld", ".global{.ca|.cg|.cs}.nc" HINT FETCH VECTOR TYPES LD, 31, 32, lower_ld, "9.7.9.9"},
    {"ld", ".global.nc" L1 HINT FETCH VECTOR TYPES LD, 31, 32, lower_ld, "9.7.9.9"},
    {"ld", "{.weak}{.global}" L1 L2 HINT FETCH WIDE LD_WIDE, 88, 100, lower_ld, "9.7.9.8"},
    {"ld", "{.weak}{.global}" L1 L2 HINT FETCH WIDE_64 LD_WIDE, 88, 100, lower_ld, "9.7.9.8"},
    {"ld", ".(relaxed|acquire)" SCOPE "{.global}" L1 L2 HINT FETCH WIDE LD_WIDE, 88, 100, lower_ld,
     "9.7.9.8"},
    {"ld", ".(relaxed|acquire)" SCOPE "{.global}" L1 L2 HINT FETCH WIDE_64 LD_WIDE, 88, 100,
     lower_ld, "9.7.9.8"},
    {"ld", "{.weak}{.global}{.ca|.cg|.cs|.lu|.cv}" HINT FETCH WIDE LD_WIDE, 88, 100, lower_ld,
     "9.7.9.8"},
    {"ld", ".volatile{.global}" FETCH WIDE LD_WIDE, 88, 100, lower_ld, "9.7.9.8"},
    {"ld", ".global{.ca|.cg|.cs}.nc" HINT FETCH WIDE LD_WIDE, 88, 100, lower_ld, "9.7.9.9"},
    {"ld", "{.weak}{.global}{.ca|.cg|.cs|.lu|.cv}" HINT FETCH WIDE_64 LD_WIDE, 88, 100, lower_ld,
     "9.7.9.8"},
    {"ld", ".volatile{.global}" FETCH WIDE_64 LD_WIDE, 88, 100, lower_ld, "9.7.9.8"},
    {"ld", ".global{.ca|.cg|.cs}.nc" HINT FETCH WIDE_64 LD_WIDE, 88, 100, lower_ld, "9.7.9.9"},
    {"ld", ".global.nc" L1 L2 HINT FETCH WIDE LD_WIDE, 88, 100, lower_ld, "9.7.9.9"},
    {"ld", ".global.nc" L1 L2 HINT FETCH WIDE_64 LD_WIDE, 88, 100, lower_ld, "9.7.9.9"},
    {"ldu", "{.global}" VECTOR TYPES " d:vN:t1+, [a]", 20, 20, lower_ld, "9.7.9.10"},
    {"st", "{.weak}<60,70>" ST_SPACE "{.wb|.cg|.cs|.wt}" VECTOR TYPES ST, 10, 10, lower_st,
     "9.7.9.11"},
    {"st", "{.weak}<60,70>{.global}{.wb|.cg|.cs|.wt}" HINT VECTOR TYPES ST, 10, 10, lower_st,
     "9.7.9.11"},
    {"st", "{.weak}<60,70>{.global}" L1 HINT VECTOR TYPES ST, 10, 10, lower_st, "9.7.9.11"},
    {"st", ".volatile" COMMON VECTOR TYPES ST, 10, 10, lower_st, "9.7.9.11"},
    {"st", ".(relaxed|release)" SCOPE COMMON VECTOR TYPES ST, 60, 70, lower_st, "9.7.9.11"},
    {"st", ".(relaxed|release)" SCOPE "{.global}" L1 HINT VECTOR TYPES ST, 60, 70, lower_st,
     "9.7.9.11"},
    {"st", ".mmio.relaxed.sys{.global}" TYPES ST, 82, 70, lower_st, "9.7.9.11"},
    {"st", "{.weak}{.global}" L1 L2 HINT WIDE ST_WIDE, 88, 100, lower_st, "9.7.9.11"},
    {"st", "{.weak}{.global}" L1 L2 HINT WIDE_64 ST_WIDE, 88, 100, lower_st, "9.7.9.11"},
    {"st", ".(relaxed|release)" SCOPE "{.global}" L1 L2 HINT WIDE ST_WIDE, 88, 100, lower_st,
     "9.7.9.11"},
    {"st", ".(relaxed|release)" SCOPE "{.global}" L1 L2 HINT WIDE_64 ST_WIDE, 88, 100, lower_st,
     "9.7.9.11"},
    {"st", "{.weak}{.global}{.wb|.cg|.cs|.wt}" HINT WIDE ST_WIDE, 88, 100, lower_st, "9.7.9.11"},
    {"st", ".volatile{.global}" WIDE ST_WIDE, 88, 100, lower_st, "9.7.9.11"},
    {"st", "{.weak}{.global}{.wb|.cg|.cs|.wt}" HINT WIDE_64 ST_WIDE, 88, 100, lower_st, "9.7.9.11"},
    {"st", ".volatile{.global}" WIDE_64 ST_WIDE, 88, 100, lower_st, "9.7.9.11"},
    {"prefetch", "{.global|.local}.(L1|L2) [a]", 20, 20, lower_prefetch, "9.7.9.15"},
    {"prefetch", "{.global}.(L2::evict_last|L2::evict_normal) [a]", 74, 80, lower_prefetch,
     "9.7.9.15"},
    {"prefetch", "{.const|.param}.tensormap [a]", 80, 90, lower_prefetch, "9.7.9.15"},
    {"prefetchu", ".L1 [a]", 20, 20, lower_prefetch, "9.7.9.15"},
    {"applypriority", "{.global}.L2::evict_normal [a], size:imm(128)", 74, 80, lower_prefetch,
     "9.7.9.16"},
    {"discard", "{.global}.L2 [a], size:imm(128)", 74, 80, lower_discard, "9.7.9.17"},
};

#undef SCOPE
#undef VECTOR
#undef TYPES
#undef L1
#undef L2
#undef HINT
#undef FETCH
#undef POLICY
#undef LD
#undef ST
#undef LD_SPACE
#undef ST_SPACE
#undef COMMON
#undef LD_WIDE
#undef ST_WIDE
#undef WIDE
#undef WIDE_64

}  // namespace

std::span<const Row> memory_rows() {
  return kRows;
}

}  // namespace ptxequiv::isa
