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

// The elements of a vector operand, each taken apart into lanes: the operation is atomic for each
// of them, not for the whole (9.7.13.5). The halves of a 128-bit operand, which is one.
std::vector<ValueId> parts_of(Context& c, std::string_view name) {
  std::vector<ValueId> parts;
  if (c.type() == Type::kB128) {
    const Context::Halves halves = c.use_halves(c.operand(name));
    return {halves.low, halves.high};
  }
  const unsigned lanes = lane_count(c.type());
  const unsigned width = op::bits(c.type()) / lanes;
  for (const ptx::Operand& element : c.elements(name)) {
    const ValueId value = c.use_operand(element, c.type());
    for (unsigned i = 0; i < lanes; ++i) {
      parts.push_back(lanes == 1 ? value : c.extract(value, i * width, width));
    }
  }
  return parts;
}

void lower_atomic(Context& c) {
  if (c.has("shared::cluster")) return c.unsupported();
  ir::Atomic atomic{.access = {}, .rmw = operation(c)};
  auto [place, access] = access_place(c, "a");
  const std::string_view vector = c.which({"v2", "v4", "v8"});
  const size_t wanted = vector.empty() ? 1 : static_cast<size_t>(vector[1] - '0');
  for (const std::string_view name : {"d", "b"}) {
    if (c.given(name) && c.elements(name).size() != wanted) {
      c.fail(c.operand(name), "the number of elements is that of the vector");
    }
  }
  const unsigned lanes = lane_count(c.type());
  access.type = lane_type(c.type());
  access.count = static_cast<uint8_t>(wanted * lanes);
  if (access.order == ir::MemoryAccess::Order::kWeak) {
    access.order = ir::MemoryAccess::Order::kRelaxed;
  }
  if (access.scope.empty()) access.scope = "gpu";
  atomic.access = access;
  std::vector<ValueId> srcs{place.address};
  for (const ValueId part : parts_of(c, "b")) srcs.push_back(part);
  if (c.given("c")) {
    for (const ValueId part : parts_of(c, "c")) srcs.push_back(part);
  }
  std::vector<unsigned> dests;
  const bool wide = access.type == Type::kB128;
  if (c.given("d")) dests.assign(wide ? 2 : access.count, wide ? 64 : op::bits(access.type));
  ir::Inst& inst = c.emit_guarded(ir::Opcode::kAtomic, dests, srcs);
  inst.immediate = place.offset;
  inst.detail = atomic;
  if (dests.empty()) return;
  const std::vector<ValueId> old = inst.dests;
  if (wide) return c.define_halves(c.operand("d"), {old[0], old[1]});
  const std::vector<ptx::Operand> elements = c.elements("d");
  for (size_t i = 0; i < elements.size(); ++i) {
    const ValueId value = lanes == 1 ? old[i] : c.concat(old[2 * i + 1], old[2 * i]);
    c.define_operand(elements[i], value, c.type());
  }
}

#define SCOPE "{.cta<50,60>|.cluster<78,90>|.gpu<50,60>|.sys<50,60>}"
#define ATOM_ORDER "{.relaxed|.acquire|.release|.acq_rel}<60,70>" SCOPE
#define RED_ORDER "{.relaxed|.release}<60,70>" SCOPE
#define SPACE "{.global|.shared|.shared::cta<78,30>|.shared::cluster<78,90>}"
#define HINT "{.L2::cache_hint}<74,80>"
#define POLICY "{, policy:b64 if L2::cache_hint}"
#define ADD ".add.(u32|s32|u64|f32|f64<50,60>)"
#define ADD_HALF ".add.noftz.(f16<63,70>|f16x2|bf16<78,90>|bf16x2<78,90>)"
#define MIN_MAX ".(min|max).(u32|s32|u64<31,32>|s64<31,32>)"
#define COUNT ".(inc|dec).u32"
#define LOGIC ".(and|or|xor).(b32|b64<31,32>)"
#define VECTOR ".add.(v2|v4).f32"
#define VECTOR_HALF ".(add|min|max).noftz.(v2|v4|v8).(f16|bf16)"
#define VECTOR_PAIR ".(add|min|max).noftz.(v2|v4).(f16x2|bf16x2)"
// A cache policy goes with global memory only.
#define ATOM(OPERATION, PTX, SM)                                                              \
  {"atom", ATOM_ORDER SPACE OPERATION " d, [a], b", PTX, SM, lower_atomic, "9.7.13.5"}, {     \
    "atom", ATOM_ORDER "{.global}" HINT OPERATION " d, [a], b" POLICY, PTX, SM, lower_atomic, \
        "9.7.13.5"                                                                            \
  }
#define RED(OPERATION, PTX, SM)                                                          \
  {"red", RED_ORDER SPACE OPERATION " [a], b", PTX, SM, lower_atomic, "9.7.13.6"}, {     \
    "red", RED_ORDER "{.global}" HINT OPERATION " [a], b" POLICY, PTX, SM, lower_atomic, \
        "9.7.13.6"                                                                       \
  }
#define VECTORS(OPERATION)                                                                    \
  {"atom",       ATOM_ORDER "{.global}" HINT OPERATION " d:vN:t1, [a], b:vN:t1" POLICY,       \
   81,           90,                                                                          \
   lower_atomic, "9.7.13.5"},                                                                 \
  {                                                                                           \
    "red", RED_ORDER "{.global}" HINT OPERATION " [a], b:vN:t1" POLICY, 81, 90, lower_atomic, \
        "9.7.13.6"                                                                            \
  }

constexpr Row kRows[] = {
    ATOM(ADD, 11, 11),
    ATOM(ADD_HALF, 62, 60),
    ATOM(MIN_MAX, 11, 11),
    ATOM(COUNT, 11, 11),
    ATOM(LOGIC, 11, 11),
    ATOM(".exch.(b32|b64|b128<83,90>)", 11, 11),
    {"atom", ATOM_ORDER SPACE ".cas.(b16<63,70>|b32|b64|b128<83,90>) d, [a], b, c", 11, 11,
     lower_atomic, "9.7.13.5"},
    RED(ADD, 12, 11),
    RED(ADD_HALF, 62, 60),
    RED(MIN_MAX, 12, 11),
    RED(COUNT, 12, 11),
    RED(LOGIC, 12, 11),
    VECTORS(VECTOR),
    VECTORS(VECTOR_HALF),
    VECTORS(VECTOR_PAIR),
};

#undef SCOPE
#undef ATOM_ORDER
#undef RED_ORDER
#undef SPACE
#undef HINT
#undef POLICY
#undef ADD
#undef ADD_HALF
#undef MIN_MAX
#undef COUNT
#undef LOGIC
#undef VECTOR
#undef VECTOR_HALF
#undef VECTOR_PAIR
#undef ATOM
#undef RED
#undef VECTORS

}  // namespace

std::span<const Row> atomic_rows() {
  return kRows;
}

}  // namespace ptxequiv::isa
