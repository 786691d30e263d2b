// Control flow (PTX manual, 9.7.12), and what has no effect here (9.7.19).
#include "isa/context.h"
#include "isa/walker.h"

namespace ptxequiv::isa {
namespace {

void lower_bra(Context& c) {
  const auto* label = std::get_if<ptx::LabelRef>(&c.operand("target").value);
  if (label == nullptr) c.fail(c.operand("target"), "a label is needed here");
  c.walker().branch(c, label->symbol);
}

void lower_brx(Context& c) {
  const ValueId index = c.use("index");
  const auto* table = std::get_if<ptx::SymbolRef>(&c.operand("table").value);
  if (table == nullptr || c.walker().module().symbol(table->symbol).targets.empty()) {
    c.fail(c.operand("table"), "the name of a .branchtargets list is needed here");
  }
  c.walker().index_branch(c, index, c.walker().module().symbol(table->symbol).targets);
}

void lower_call(Context& c) {
  c.walker().call(c);
}
void lower_ret(Context& c) {
  c.walker().ret(c);
}
void lower_exit(Context& c) {
  c.walker().end(c, ir::Opcode::kExit);
}
void lower_trap(Context& c) {
  c.walker().end(c, ir::Opcode::kTrap);
}
void lower_nothing(Context&) {}
void lower_griddepcontrol(Context& c) {
  c.emit_guarded(c.has("wait") ? ir::Opcode::kGridWait : ir::Opcode::kGridTrigger, {}, {});
}
// What a breakpoint does depends on who is watching.
void lower_brkpt(Context& c) {
  c.unsupported();
}

constexpr Row kRows[] = {
    {"bra", "{.uni} target:any", 10, 10, lower_bra, "9.7.12.3"},
    {"brx", ".idx{.uni} index:u32, table:any", 60, 30, lower_brx, "9.7.12.4"},
    {"call", "{.uni} ...", 10, 10, lower_call, "9.7.12.5"},
    {"ret", "{.uni}", 10, 10, lower_ret, "9.7.12.6"},
    {"exit", "", 10, 10, lower_exit, "9.7.12.7"},
    {"trap", "", 10, 10, lower_trap, "9.7.19.4"},
    {"brkpt", "", 10, 11, lower_brkpt, "9.7.19.1"},
    {"nanosleep", ".u32 t", 62, 70, lower_nothing, "9.7.19.2"},
    {"pmevent", "{.mask}<30,20> a:imm(0..15)", 14, 10, lower_nothing, "9.7.19.3"},
    {"setmaxnreg", ".(inc|dec).sync.aligned.u32 n:imm(24..256..8)", 80, "90a|100f|101f|110f|120f",
     lower_nothing, "9.7.19.5"},
    {"griddepcontrol", ".(launch_dependents|wait)", 78, 90, lower_griddepcontrol, "9.7.13.13"},
};

}  // namespace

std::span<const Row> control_rows() {
  return kRows;
}

}  // namespace ptxequiv::isa
