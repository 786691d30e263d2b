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
// of them, not for the whole (9.7.13.5).
std::vector<ValueId> parts_of(Context& c, std::string_view name) {
  std::vector<ValueId> parts;
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
  if (c.given("c")) srcs.push_back(c.use("c"));
  std::vector<unsigned> dests;
  if (c.given("d")) dests.assign(access.count, op::bits(access.type));
  ir::Inst& inst = c.emit_guarded(ir::Opcode::kAtomic, dests, srcs);
  inst.immediate = place.offset;
  inst.detail = atomic;
  if (dests.empty()) return;
  const std::vector<ValueId> old = inst.dests;
  const std::vector<ptx::Operand> elements = c.elements("d");
  for (size_t i = 0; i < elements.size(); ++i) {
    const ValueId value = lanes == 1 ? old[i] : c.concat(old[2 * i + 1], old[2 * i]);
    c.define_operand(elements[i], value, c.type());
  }
}

void lower_unsupported(Context& c) {
  c.unsupported();
}

#define ORDER "{.relaxed|.acquire|.release|.acq_rel}{.cta|.cluster|.gpu|.sys}"
#define RED_ORDER "{.relaxed|.release}{.cta|.cluster|.gpu|.sys}"
#define SPACE "{.global|.shared|.shared::cta|.shared::cluster}"
#define HINT "{.L2::cache_hint}"
#define ATOM " d, [a], b{, policy:b64}"
#define RED " [a], b{, policy:b64}"
#define ATOM_VECTOR " d:any, [a], b:any{, policy:b64}"
#define RED_VECTOR " [a], b:any{, policy:b64}"

constexpr Row kRows[] = {
    {"atom", ORDER SPACE ".add" HINT ".(u32|s32|u64|f32|f64)" ATOM, 11, 11, lower_atomic,
     "9.7.13.5"},
    {"atom", ORDER SPACE ".add.noftz" HINT ".(f16|f16x2|bf16|bf16x2)" ATOM, 62, 60, lower_atomic,
     "9.7.13.5"},
    {"atom", ORDER SPACE ".(min|max)" HINT ".(u32|s32|u64|s64)" ATOM, 11, 11, lower_atomic,
     "9.7.13.5"},
    {"atom", ORDER SPACE ".(inc|dec)" HINT ".u32" ATOM, 11, 11, lower_atomic, "9.7.13.5"},
    {"atom", ORDER SPACE ".(and|or|xor)" HINT ".(b32|b64)" ATOM, 11, 11, lower_atomic, "9.7.13.5"},
    {"atom", ORDER SPACE ".exch" HINT ".(b32|b64|b128)" ATOM, 11, 11, lower_atomic, "9.7.13.5"},
    {"atom", ORDER SPACE ".cas" HINT ".(b16|b32|b64|b128) d, [a], b, c{, policy:b64}", 11, 11,
     lower_atomic, "9.7.13.5"},
    {"atom", ORDER "{.global}.add" HINT ".(v2|v4).f32" ATOM_VECTOR, 81, 90, lower_atomic,
     "9.7.13.5"},
    {"atom", ORDER "{.global}.(add|min|max).noftz" HINT ".(v2|v4|v8).(f16|bf16)" ATOM_VECTOR, 81,
     90, lower_atomic, "9.7.13.5"},
    {"atom", ORDER "{.global}.(add|min|max).noftz" HINT ".(v2|v4).(f16x2|bf16x2)" ATOM_VECTOR, 81,
     90, lower_atomic, "9.7.13.5"},
    {"red", RED_ORDER SPACE ".add" HINT ".(u32|s32|u64|f32|f64)" RED, 12, 11, lower_atomic,
     "9.7.13.6"},
    {"red", RED_ORDER SPACE ".add.noftz" HINT ".(f16|f16x2|bf16|bf16x2)" RED, 62, 60, lower_atomic,
     "9.7.13.6"},
    {"red", RED_ORDER SPACE ".(min|max)" HINT ".(u32|s32|u64|s64)" RED, 12, 11, lower_atomic,
     "9.7.13.6"},
    {"red", RED_ORDER SPACE ".(inc|dec)" HINT ".u32" RED, 12, 11, lower_atomic, "9.7.13.6"},
    {"red", RED_ORDER SPACE ".(and|or|xor)" HINT ".(b32|b64)" RED, 12, 11, lower_atomic,
     "9.7.13.6"},
    {"red", RED_ORDER "{.global}.add" HINT ".(v2|v4).f32" RED_VECTOR, 81, 90, lower_atomic,
     "9.7.13.6"},
    {"red", RED_ORDER "{.global}.(add|min|max).noftz" HINT ".(v2|v4|v8).(f16|bf16)" RED_VECTOR, 81,
     90, lower_atomic, "9.7.13.6"},
    {"red", RED_ORDER "{.global}.(add|min|max).noftz" HINT ".(v2|v4).(f16x2|bf16x2)" RED_VECTOR, 81,
     90, lower_atomic, "9.7.13.6"},
    {"red", ".async.* ...", 81, 90, lower_unsupported, "9.7.13.7"},
};

#undef ORDER
#undef RED_ORDER
#undef SPACE
#undef HINT
#undef ATOM
#undef RED
#undef ATOM_VECTOR
#undef RED_VECTOR

}  // namespace

std::span<const Row> atomic_rows() {
  return kRows;
}

}  // namespace ptxequiv::isa
