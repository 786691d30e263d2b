#include <catch2/catch.hpp>

#include <set>

#include "graph.h"

namespace ptxequiv::ir {
namespace {

using testing::append;
using testing::finish;
using testing::operation;

TEST_CASE("a function's text shows objects, blocks, operands and jumps") {
  Function function;
  function.name = "k";
  function.blocks.resize(2);
  function.objects.push_back(
      {.name = "red", .space = ptx::Space::kShared, .bytes = 128, .align = 4});
  const ValueId tid = function.add_value(32);
  append(
      function, 0,
      {.opcode = Opcode::kSpecial, .dests = {tid}, .detail = SpecialUse{SpecialRegister::kTidX}});
  const ValueId sum = operation(function, 0, op::Op{.kind = op::Kind::kAdd, .type = op::Type::kB32},
                                {tid, function.constant(32, 7)}, 32);
  const ValueId address = function.add_value(64);
  append(function, 0, {.opcode = Opcode::kObjectAddress, .dests = {address}, .object = 0});
  append(function, 0,
         {.opcode = Opcode::kStore,
          .srcs = {address, sum},
          .guard = function.constant(1, 1),
          .guard_negated = true,
          .immediate = 8,
          .detail = MemoryAccess{
              .space = ptx::Space::kShared, .type = op::Type::kF32, .is_volatile = true}});
  finish(function, 0, {1});
  finish(function, 1, {});
  const std::string text = to_string(function);
  INFO(text);
  const auto shows = [&](const char* part) { return text.find(part) != std::string::npos; };
  CHECK(shows("function k\n"));
  CHECK(shows("@0 shared red[128] align 4"));
  CHECK(shows("%0 = special %tid.x"));
  CHECK(shows("= add.b32 %0, 7"));
  CHECK(shows(":64 = address @0"));
  CHECK(shows("@!true store.shared.volatile.f32 %3, %2 +8"));
  CHECK(shows("branch -> bb1"));
  CHECK(shows("bb1:  ; from bb0"));
}

TEST_CASE("special registers are found by their names") {
  CHECK(special_register_named("%tid.x") == SpecialRegister::kTidX);
  CHECK(special_register_named("%lanemask_lt") == SpecialRegister::kLanemaskLt);
  CHECK(special_register_named("%envreg3") == SpecialRegister::kOther);
  CHECK_FALSE(special_register_named("%nothing").has_value());
  CHECK(special_register_bits(SpecialRegister::kClock64) == 64);
  CHECK(name(SpecialRegister::kNctaidZ) == "%nctaid.z");
}

TEST_CASE("opcodes have names of their own and sound properties") {
  std::set<std::string_view> names;
  for (unsigned i = 0; i <= static_cast<unsigned>(Opcode::kUnsupported); ++i) {
    const Opcode opcode = static_cast<Opcode>(i);
    CHECK(names.insert(name(opcode)).second);
    CHECK_FALSE((is_pure(opcode) && (synchronises(opcode) || ends_block(opcode))));
  }
  CHECK(synchronises(Opcode::kFence));
  CHECK_FALSE(synchronises(Opcode::kLoad));
  CHECK(ends_block(Opcode::kTrap));
}

TEST_CASE("a constant is one value for its width and bits") {
  Function function;
  CHECK(function.constant(32, 5) == function.constant(32, 5));
  CHECK(function.constant(32, 5) != function.constant(64, 5));
  CHECK(function.constant(8, 0x1ff) == function.constant(8, 0xff));
}

}  // namespace
}  // namespace ptxequiv::ir
