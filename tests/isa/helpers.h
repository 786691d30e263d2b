// What the tests of the lowering share.
#pragma once
#include <catch2/catch.hpp>
#include <memory>
#include <string>

#include "base/error.h"
#include "ir/ir.h"
#include "isa/lower.h"
#include "ptx/parser.h"

namespace ptxequiv::testing {

inline constexpr const char* kRegisters =
    "  .reg .pred %p<8>; .reg .b8 %b<4>; .reg .b16 %h<8>; .reg .b32 %r<16>; .reg .b64 %rd<16>;\n"
    "  .reg .u16 %us<4>; .reg .s32 %s<4>; .reg .u32 %u<4>; .reg .u64 %ul<4>;\n"
    "  .reg .f32 %f<8>; .reg .f64 %fd<8>; .reg .f16 %fh<4>; .reg .b128 %q<4>;\n"
    "  .shared .align 4 .b8 sh[64]; .local .align 4 .b8 lo[64];\n";

// A module and the SSA of its entry `k`, kept together since the one points into the other.
struct Lowered {
  std::unique_ptr<ptx::Module> module;
  ir::Function function;
  std::string text() const { return ir::to_string(function); }
};

inline Lowered lower_module(const std::string& text, const std::string& version = "8.6",
                            const std::string& target = "sm_90a") {
  Lowered result;
  result.module = std::make_unique<ptx::Module>(ptx::parse(
      ".version " + version + "\n.target " + target + "\n.address_size 64\n" + text, "test.ptx"));
  const ptx::Function* entry = result.module->find_function("k");
  REQUIRE(entry != nullptr);
  result.function = isa::lower(*result.module, *entry);
  ir::verify(result.function);
  return result;
}

// An entry with parameters in (u64) and out (u64), registers of each class, and `body` from line 9
// of the text on.
inline std::string kernel(const std::string& body, const std::string& module_level = "") {
  return module_level + ".visible .entry k(.param .u64 in, .param .u64 out) {\n" + kRegisters +
         body + "\n}\n";
}

inline Lowered lower_body(const std::string& body, const std::string& module_level = "") {
  return lower_module(kernel(body, module_level));
}

// The diagnostic for a body that must be refused.
inline base::InputError refusal(const std::string& body) {
  try {
    lower_body(body);
  } catch (const base::InputError& error) {
    return error;
  }
  FAIL("accepted: " << body);
  throw 0;
}

// How many instructions of `opcode` there are.
inline size_t count(const ir::Function& function, ir::Opcode opcode) {
  size_t found = 0;
  for (const ir::Inst& inst : function.insts) found += inst.opcode == opcode ? 1 : 0;
  return found;
}

// The only instruction of `opcode`.
inline const ir::Inst& only(const ir::Function& function, ir::Opcode opcode) {
  REQUIRE(count(function, opcode) == 1);
  for (const ir::Inst& inst : function.insts) {
    if (inst.opcode == opcode) return inst;
  }
  throw 0;
}

}  // namespace ptxequiv::testing
