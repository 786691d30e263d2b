// The stack of a thread (PTX manual, 9.7.17).
#include "isa/context.h"
#include "isa/walker.h"

namespace ptxequiv::isa {
namespace {

// CUDA's default stack is 1 KiB a thread, its largest is below this.
constexpr uint64_t kMaxBytes = 1 << 18;

// Memory of a known size is one more local variable. What runs again in one call of the function,
// or takes its size from a register, would need a stack.
void lower_alloca(Context& c) {
  const auto* size = std::get_if<ptx::Immediate>(&c.operand("size").value);
  const bool modelled = size != nullptr && size->bits <= kMaxBytes && !c.walker().may_repeat();
  if (!modelled) return c.unsupported();
  uint64_t align = 8;
  if (c.given("align")) align = std::get<ptx::Immediate>(c.operand("align").value).bits;
  if (align == 0 || (align & (align - 1)) != 0) {
    c.fail(c.operand("align"), "an alignment is a power of two");
  }
  const ir::ObjectId object = c.walker().add_stack_object(size->bits, static_cast<uint32_t>(align));
  ir::Inst& inst = c.builder().emit(ir::Opcode::kObjectAddress, {op::bits(c.type())}, {});
  inst.object = object;
  const ValueId address = inst.dests[0];
  c.define("d", address);
}

// Only stackrestore can use what stacksave gives. Memory from alloca is never used twice here, so
// nothing has to be restored.
void lower_stacksave(Context& c) {
  Builder& builder = c.builder();
  c.define("d", builder.read(builder.new_var(op::bits(c.type()), ptx::kNoSymbol)));
}

void lower_stackrestore(Context& c) {
  c.use("a");
}

constexpr Row kRows[] = {
    {"stacksave", ".(u32|u64) d", 73, 52, lower_stacksave, "9.7.17.1"},
    {"stackrestore", ".(u32|u64) a", 73, 52, lower_stackrestore, "9.7.17.2"},
    {"alloca", ".(u32|u64) d, size:t1{, align:imm}", 73, 52, lower_alloca, "9.7.17.3"},
};

}  // namespace

std::span<const Row> stack_rows() {
  return kRows;
}

}  // namespace ptxequiv::isa
