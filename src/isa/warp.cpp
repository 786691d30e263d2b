// Warp collectives (PTX manual, 9.7.9.5, 9.7.9.6 and 9.7.13.8 to 9.7.13.12).
#include "isa/context.h"

namespace ptxequiv::isa {
namespace {

// The forms without .sync (targets before sm_70) work on the lanes that are there.
ValueId member_mask(Context& c) {
  if (c.given("mask")) return c.use("mask", Type::kB32);
  return c.builder().emit_value(ir::Opcode::kActiveMask, 32, {});
}

void lower_shfl(Context& c) {
  using Mode = ir::Shuffle::Mode;
  const Mode mode = c.has("up")     ? Mode::kUp
                    : c.has("down") ? Mode::kDown
                    : c.has("bfly") ? Mode::kBfly
                                    : Mode::kIdx;
  const ValueId a = c.use("a"), lane = c.use("b"), clamp = c.use("c");
  const ValueId mask = member_mask(c);
  const ptx::Operand* second = c.second_of("d");
  std::vector<unsigned> dests{32};
  if (second != nullptr) dests.push_back(1);
  ir::Inst& inst = c.emit_guarded(ir::Opcode::kShuffle, dests, {a, lane, clamp, mask});
  inst.detail = ir::Shuffle{mode};
  const std::vector<ValueId> results = inst.dests;
  c.define_operand(*c.first_of("d"), results[0], Type::kB32);
  if (second != nullptr) c.define_operand(*second, results[1], Type::kPred);
}

void lower_vote(Context& c) {
  using Mode = ir::Vote::Mode;
  const Mode mode = c.has("all")   ? Mode::kAll
                    : c.has("any") ? Mode::kAny
                    : c.has("uni") ? Mode::kUni
                                   : Mode::kBallot;
  const bool ballot = mode == Mode::kBallot;
  const ValueId predicate = c.use("a", Type::kPred), mask = member_mask(c);
  ir::Inst& inst = c.emit_guarded(ir::Opcode::kVote, {ballot ? 32u : 1u}, {predicate, mask});
  inst.detail = ir::Vote{mode};
  const ValueId result = inst.dests[0];
  c.define("d", result);
}

void lower_match(Context& c) {
  const bool all = c.has("all");
  const ValueId a = c.use("a"), mask = c.use("mask");
  const ptx::Operand* second = c.second_of("d");
  std::vector<unsigned> dests{32};
  if (second != nullptr) dests.push_back(1);
  ir::Inst& inst = c.emit_guarded(ir::Opcode::kMatch, dests, {a, mask});
  inst.detail = ir::Match{all};
  const std::vector<ValueId> results = inst.dests;
  c.define_operand(*c.first_of("d"), results[0], Type::kB32);
  if (second != nullptr) c.define_operand(*second, results[1], Type::kPred);
}

void lower_redux(Context& c) {
  const bool is_signed = op::is_signed(c.type());
  const Kind kind = c.has("add")   ? Kind::kAdd
                    : c.has("min") ? (is_signed ? Kind::kMinS : Kind::kMinU)
                    : c.has("max") ? (is_signed ? Kind::kMaxS : Kind::kMaxU)
                    : c.has("and") ? Kind::kAnd
                    : c.has("or")  ? Kind::kOr
                                   : Kind::kXor;
  const ValueId a = c.use("a"), mask = c.use("mask");
  ir::Inst& inst = c.emit_guarded(ir::Opcode::kRedux, {32}, {a, mask});
  inst.detail = ir::Redux{Op{.kind = kind, .type = Type::kB32}};
  const ValueId result = inst.dests[0];
  c.define("d", result);
}

void lower_activemask(Context& c) {
  const ValueId mask = c.emit_guarded(ir::Opcode::kActiveMask, {32}, {}).dests[0];
  c.define("d", mask);
}

void lower_elect(Context& c) {
  const ValueId mask = c.use("mask");
  const ptx::Operand* second = c.second_of("d");
  ir::Inst& inst = c.emit_guarded(ir::Opcode::kElect, {32, 1}, {mask});
  const std::vector<ValueId> results = inst.dests;
  c.define_operand(*c.first_of("d"), results[0], Type::kB32);
  c.define_operand(*second, results[1], Type::kPred);
}

constexpr Row kRows[] = {
    {"shfl", ".sync.(up|down|bfly|idx).b32 d{|p}, a, b, c, mask", 60, 30, lower_shfl, "9.7.9.6"},
    {"shfl", ".(up|down|bfly|idx).b32 d{|p}, a, b, c", 30, "30-62|<64", lower_shfl, "9.7.9.5"},
    {"vote", ".sync.(all|any|uni).pred d, !a, mask:b32", 60, 30, lower_vote, "9.7.13.9"},
    {"vote", ".sync.ballot.b32 d, !a:pred, mask:b32", 60, 30, lower_vote, "9.7.13.9"},
    {"vote", ".(all|any|uni).pred d, !a", 12, "12-62|<64", lower_vote, "9.7.13.8"},
    {"vote", ".ballot.b32 d, !a:pred", 20, "20-62|<64", lower_vote, "9.7.13.8"},
    {"match", ".any.sync.(b32|b64) d:b32, a, mask:b32", 60, 70, lower_match, "9.7.13.10"},
    {"match", ".all.sync.(b32|b64) d{|p}:b32, a, mask:b32", 60, 70, lower_match, "9.7.13.10"},
    {"activemask", ".b32 d", 62, 30, lower_activemask, "9.7.13.11"},
    {"redux", ".sync.(add|min|max).(u32|s32) d, a, mask:b32", 70, 80, lower_redux, "9.7.13.12"},
    {"redux", ".sync.(and|or|xor).b32 d, a, mask", 70, 80, lower_redux, "9.7.13.12"},
    {"redux", ".sync.(min|max){.abs}{.NaN}.f32 d, a, mask:b32", 86, "100f", lower_unsupported,
     "9.7.13.12"},
    {"elect", ".sync d|p:b32, mask:b32", 80, 90, lower_elect, "9.7.13.14"},
};

}  // namespace

std::span<const Row> warp_rows() {
  return kRows;
}

}  // namespace ptxequiv::isa
