// ld, ldu, st and prefetching (PTX manual, 9.7.9.8 to 9.7.9.17). Cache operators, eviction
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

void lower_ld(Context& c) {
  if (is_cluster(c)) return c.unsupported();
  const auto elements = vector_elements(c, "d");
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

void lower_prefetch(Context& c) {
  c.emit_guarded(ir::Opcode::kPrefetch, {}, {});
}

#define SCOPE "{.cta|.cluster<78,90>|.gpu|.sys}<60,70>"
#define VECTOR "{.v2|.v4|.v8<88,100>}"
#define TYPES ".(b8|b16|b32|b64|b128<83,70>|u8|u16|u32|u64|s8|s16|s32|s64|f32|f64)"
#define PRIORITIES                                                                             \
  "{.L1::evict_normal|.L1::evict_unchanged|.L1::evict_first|.L1::evict_last|.L1::no_allocate}" \
  "<74,70>{.L2::evict_normal|.L2::evict_first|.L2::evict_last}<88,100>"
#define HINT "{.L2::cache_hint}<74,80>"
#define FETCH "{.L2::64B<74,75>|.L2::128B<74,75>|.L2::256B<74,80>}"
#define LD_SPACE                                                                    \
  "{.const|.global|.local|.param|.param::entry<83,10>|.param::func<83,10>|.shared|" \
  ".shared::cta<78,30>|.shared::cluster<78,90>}"
#define ST_SPACE                                                                                   \
  "{.global|.local|.param|.param::func<83,10>|.shared|.shared::cta<78,30>|.shared::cluster<78,90>" \
  "}"

constexpr Row kRows[] = {
    {"ld",
     "{.weak<60,70>|.relaxed<60,70>|.acquire<60,70>|.volatile}{.mmio}<82,70>" SCOPE LD_SPACE
     "{.ca|.cg|.cs|.lu|.cv}{.nc}<31,32>" PRIORITIES HINT FETCH "{.unified}<80,70>" VECTOR TYPES
     " d:vN:t1+, [a]{, policy:b64}",
     10, 10, lower_ld, "9.7.9.8"},
    {"ldu", "{.global}" VECTOR TYPES " d:vN:t1+, [a]", 20, 20, lower_ld, "9.7.9.10"},
    {"st",
     "{.weak<60,70>|.relaxed<60,70>|.release<60,70>|.volatile}{.mmio}<82,70>" SCOPE ST_SPACE
     "{.wb|.cg|.cs|.wt}" PRIORITIES HINT VECTOR TYPES " [a], b:vN:t1+{, policy:b64}",
     10, 10, lower_st, "9.7.9.11"},
    {"prefetch", "{.global|.local}.(L1|L2) [a]", 20, 20, lower_prefetch, "9.7.9.15"},
    {"prefetch", ".global.(L2::evict_last|L2::evict_normal) [a]", 74, 80, lower_prefetch,
     "9.7.9.15"},
    {"prefetch", "{.const|.param}.tensormap [a]", 80, 90, lower_prefetch, "9.7.9.15"},
    {"prefetchu", ".L1 [a]", 20, 20, lower_prefetch, "9.7.9.15"},
    {"applypriority", "{.global}.L2::evict_normal [a], size:imm", 74, 80, lower_prefetch,
     "9.7.9.16"},
};

#undef SCOPE
#undef VECTOR
#undef TYPES
#undef PRIORITIES
#undef HINT
#undef FETCH
#undef LD_SPACE
#undef ST_SPACE

}  // namespace

std::span<const Row> memory_rows() {
  return kRows;
}

}  // namespace ptxequiv::isa
