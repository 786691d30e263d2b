// Non-bulk asynchronous copies (PTX manual, 9.7.9.25.3).
#include <fmt/format.h>

#include "isa/context.h"

namespace ptxequiv::isa {
namespace {

const ptx::Immediate& literal(Context& c, std::string_view name) {
  const auto* number = std::get_if<ptx::Immediate>(&c.operand(name).value);
  if (number == nullptr) c.fail(c.operand(name), "this operand must be a literal");
  return *number;
}

ValueId address(Context& c, std::string_view name, ptx::Space space) {
  const Context::Place place = c.place(name, space);
  if (place.offset == 0) return place.address;
  const unsigned width = c.bits(place.address);
  return c.op(Kind::kAdd, width,
              {place.address, c.constant(width, static_cast<uint64_t>(place.offset))});
}

// The fourth operand is the number of bytes to read (the rest is filled with zeros) or a predicate
// that says to read none.
void lower_cp_async(Context& c) {
  ir::CpAsync copy;
  copy.bytes = static_cast<uint32_t>(literal(c, "size").bits);
  std::vector<ValueId> srcs{address(c, "dst", ptx::Space::kShared),
                            address(c, "src", ptx::Space::kGlobal)};
  if (c.given("from")) {
    copy.has_ignore = c.register_bits("from") == 1;
    copy.has_src_size = !copy.has_ignore;
    const auto* bytes = std::get_if<ptx::Immediate>(&c.operand("from").value);
    if (bytes != nullptr && bytes->bits > copy.bytes) {
      c.fail(c.operand("from"), fmt::format("at most {} bytes are read", copy.bytes));
    }
    srcs.push_back(c.use("from", copy.has_ignore ? Type::kPred : Type::kU32));
  }
  c.emit_guarded(ir::Opcode::kCpAsync, {}, srcs).detail = copy;
}

void lower_commit(Context& c) {
  c.emit_guarded(ir::Opcode::kCpAsyncCommit, {}, {});
}

void lower_wait(Context& c) {
  const int64_t pending = c.has("wait_all") ? -1 : static_cast<int64_t>(literal(c, "n").bits);
  c.emit_guarded(ir::Opcode::kCpAsyncWait, {}, {}).immediate = pending;
}

#define CA ".async.ca.(shared|shared::cta<78,80>).global"
#define CG ".async.cg.(shared|shared::cta<78,80>).global"
#define FETCH "{.L2::64B|.L2::128B|.L2::256B}<74,80>"
#define HINT "{.L2::cache_hint}<74,80>"
#define POLICY "{, policy:b64 if L2::cache_hint}"

constexpr Row kRows[] = {
    {"cp", CA HINT FETCH " [dst], [src], size:imm(4,8,16){, from:u32}" POLICY, 70, 80,
     lower_cp_async, "9.7.9.25.3.1"},
    {"cp", CG HINT FETCH " [dst], [src], size:imm(16){, from:u32}" POLICY, 70, 80, lower_cp_async,
     "9.7.9.25.3.1"},
    // from: a predicate that says to read nothing
    {"cp", CA HINT FETCH " [dst], [src], size:imm(4,8,16), from:pred" POLICY, 75, 80,
     lower_cp_async, "9.7.9.25.3.1"},
    {"cp", CG HINT FETCH " [dst], [src], size:imm(16), from:pred" POLICY, 75, 80, lower_cp_async,
     "9.7.9.25.3.1"},
    {"cp", ".async.commit_group", 70, 80, lower_commit, "9.7.9.25.3.2"},
    {"cp", ".async.wait_group n:imm", 70, 80, lower_wait, "9.7.9.25.3.3"},
    {"cp", ".async.wait_all", 70, 80, lower_wait, "9.7.9.25.3.3"},
};

#undef CA
#undef CG
#undef FETCH
#undef HINT
#undef POLICY

}  // namespace

std::span<const Row> async_rows() {
  return kRows;
}

}  // namespace ptxequiv::isa
