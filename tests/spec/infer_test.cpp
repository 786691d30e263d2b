#include "spec/infer.h"

#include <catch2/catch.hpp>
#include <map>
#include <memory>

#include "ptx/parser.h"
#include "spec/parameters.h"
#include "support.h"

using namespace ptxequiv;
using spec::Argument;
using spec::Check;
using spec::Launch;

namespace {

const std::string kHeader = ".version 9.0\n.target sm_80\n.address_size 64\n";

// y[i] = a * x[i], with an unused pointer behind.
const std::string kScale = kHeader + R"(
.visible .entry scale(.param .u64 scale_param_0, .param .u64 scale_param_1,
                      .param .f32 scale_param_2, .param .u64 scale_param_3)
{
  .reg .f32 %f<4>; .reg .b32 %r<2>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [scale_param_0];
  ld.param.u64 %rd2, [scale_param_1];
  ld.param.f32 %f1, [scale_param_2];
  cvta.to.global.u64 %rd3, %rd1;
  cvta.to.global.u64 %rd4, %rd2;
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd5, %r1, 4;
  add.s64 %rd6, %rd3, %rd5;
  ld.global.f32 %f2, [%rd6];
  mul.f32 %f3, %f1, %f2;
  add.s64 %rd7, %rd4, %rd5;
  st.global.f32 [%rd7], %f3;
  ret;
}
)";

Check check() {
  Check c;
  c.path = "c.json";
  c.buffers.resize(2);
  c.buffers[0] = {"x", op::Type::kF32, {32}, spec::Role::kInput, {}, 256, {}};
  c.buffers[1] = {"y", op::Type::kF32, {32}, spec::Role::kOutput, {}, 256, {}};
  c.scalars.resize(1);
  c.scalars[0] = {"a", op::Type::kF32, {}, {}, {}};
  Launch launch;
  launch.ptx = "k.ptx";
  launch.grid = launch.block = std::array<uint32_t, 3>{1, 1, 1};
  launch.loc = {7, 9};
  c.reference.steps = {launch};
  c.candidate.steps = {launch};
  return c;
}

void infer(Check& c, const std::string& ptx) {
  const ptx::Module module = ptx::parse(ptx, "k.ptx");
  spec::infer(c, [&](const std::string&) -> const ptx::Module& { return module; });
}

const Launch& launch(const Check& c) {
  return std::get<Launch>(c.reference.steps[0]);
}

}  // namespace

TEST_CASE("parameters are what the kernel does with them") {
  const ptx::Module module = ptx::parse(kScale, "k.ptx");
  const auto uses = spec::parameter_uses(module, *module.find_function("scale"));
  REQUIRE(uses.size() == 4);
  REQUIRE(uses[0].slots.size() == 1);
  CHECK(uses[0].slots[0].pointer);
  CHECK(uses[0].slots[0].loaded);
  CHECK_FALSE(uses[0].slots[0].stored);
  CHECK(spec::suggested_role(uses[0].slots[0]) == spec::Role::kInput);
  CHECK(spec::suggested_role(uses[1].slots[0]) == spec::Role::kOutput);
  CHECK(uses[1].slots[0].accesses == std::vector<op::Type>{op::Type::kF32});
  CHECK_FALSE(uses[2].slots[0].pointer);
  CHECK(uses[3].slots.empty());
}

TEST_CASE("a 64-bit offset is no pointer where the base is known") {
  const std::string text = kHeader + R"(
.visible .entry k(.param .u64 k_param_0, .param .u64 k_param_1)
{
  .reg .b16 %rs<2>; .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [k_param_0];
  ld.param.u64 %rd2, [k_param_1];
  cvta.to.global.u64 %rd3, %rd1;
  add.s64 %rd4, %rd3, %rd2;
  mov.u16 %rs1, 0;
  st.global.u8 [%rd4], %rs1;
  ret;
}
)";
  const ptx::Module module = ptx::parse(text, "k.ptx");
  const auto uses = spec::parameter_uses(module, *module.find_function("k"));
  CHECK(uses[0].slots[0].pointer);
  CHECK_FALSE(uses[1].slots[0].pointer);
}

TEST_CASE("pointers go round loops, atomics write, structs have members") {
  const std::string text = kHeader + R"(
.visible .entry k(.param .align 8 .b8 k_param_0[24])
{
  .reg .pred %p<2>; .reg .f32 %f<3>; .reg .b32 %r<3>; .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [k_param_0];
  ld.param.u64 %rd2, [k_param_0+8];
  ld.param.v2.u32 {%r1, %r2}, [k_param_0+16];
  mov.u64 %rd3, %rd2;
$L0:
  ld.f32 %f1, [%rd3];
  add.s64 %rd4, %rd3, 4;
  atom.add.f32 %f2, [%rd1], %f1;
  mov.u64 %rd3, %rd4;
  setp.lt.s32 %p1, %r1, %r2;
  @%p1 bra $L0;
  ret;
}
)";
  const ptx::Module module = ptx::parse(text, "k.ptx");
  const auto uses = spec::parameter_uses(module, *module.find_function("k"));
  REQUIRE(uses.size() == 1);
  CHECK(uses[0].is_array);
  REQUIRE(uses[0].slots.size() == 4);
  CHECK(uses[0].slots[0].offset == 0);
  CHECK(spec::suggested_role(uses[0].slots[0]) == spec::Role::kInout);
  CHECK(uses[0].slots[1].pointer);
  CHECK(spec::suggested_role(uses[0].slots[1]) == spec::Role::kInput);
  CHECK(uses[0].slots[3].offset == 20);
  CHECK_FALSE(uses[0].slots[3].pointer);
}

TEST_CASE("entry, block and arguments are inferred where only one answer fits") {
  Check c = check();
  std::get<Launch>(c.reference.steps[0]).block.reset();
  std::string text = kScale;
  text.replace(text.find(")\n{"), 3, ")\n.reqntid 32, 2\n{");
  infer(c, text);
  const Launch& l = launch(c);
  CHECK(l.kernel == "scale");
  CHECK(*l.block == std::array<uint32_t, 3>{32, 2, 1});
  REQUIRE(l.args->size() == 4);
  CHECK(std::get<Argument::BufferRef>(l.args->at(0).value).buffer == "x");
  CHECK(std::get<Argument::BufferRef>(l.args->at(1).value).buffer == "y");
  CHECK(std::get<Argument::ScalarRef>(l.args->at(2).value).scalar == "a");
  CHECK(std::holds_alternative<Argument::Null>(l.args->at(3).value));
  CHECK(c.inferred == std::vector<std::string>{
                          "entry of the reference = scale (the only one of k.ptx)",
                          "block of the reference = [32, 2, 1] (from .reqntid)",
                          "args of the reference = x, y, a, (unused) (the only order that fits "
                          "their use)",
                          "entry of the candidate = scale (the only one of k.ptx)",
                          "args of the candidate = x, y, a, (unused) (the only order that fits "
                          "their use)"});
}

TEST_CASE("nothing is inferred that was said") {
  Check c = check();
  for (spec::Side* side : {&c.reference, &c.candidate}) {
    Launch& l = std::get<Launch>(side->steps[0]);
    l.kernel = "scale";
    l.args.emplace();
  }
  infer(c, kScale);
  CHECK(c.inferred.empty());
  CHECK(launch(c).args->empty());  // that they do not fit is for the checker to say
}

TEST_CASE("parameters with the names of buffers are those") {
  Check c = check();
  c.buffers[1].role = spec::Role::kInput;
  c.buffers[0].role = spec::Role::kOutput;  // by use it would be the other way round
  std::string text = kScale;
  for (const auto& [from, to] : std::map<std::string, std::string>{
           {"scale_param_0", "y"}, {"scale_param_1", "x"}, {"scale_param_2", "a"}}) {
    for (size_t at; (at = text.find(from)) != std::string::npos;) text.replace(at, from.size(), to);
  }
  text.replace(text.find(", .param .u64 scale_param_3"), 27, "");
  infer(c, text);
  CHECK(std::get<Argument::BufferRef>(launch(c).args->at(0).value).buffer == "y");
  CHECK(c.inferred[1] == "args of the reference = y, x, a (by the parameters' names)");
}

TEST_CASE("what could be two things is asked for") {
  struct Case {
    void (*change)(Check&);
    const char* message;
    const char* hint;
  };
  const Case cases[] = {
      {[](Check& c) {
         c.buffers.push_back(c.buffers[0]);
         c.buffers[2].name = "z";
       },
       "more than one order would fit", "--args"},
      {[](Check& c) { c.buffers[1].role = spec::Role::kInput; },
       "no buffer or scalar fits parameter 1", "inspect"},
      {[](Check& c) { c.scalars.clear(); }, "no buffer or scalar fits parameter 2", ""},
      {[](Check& c) { c.scalars[0].type = op::Type::kS32; }, "fits parameter 2", ""},
      {[](Check& c) { std::get<Launch>(c.reference.steps[0]).kernel = "scal"; },
       "has no entry \"scal\"", "did you mean \"scale\"?"},
      {[](Check& c) { std::get<Launch>(c.reference.steps[0]).block.reset(); }, "has no block",
       "--block"},
  };
  for (const Case& k : cases) {
    Check c = check();
    k.change(c);
    INFO(k.message);
    const auto error = input_error([&] { infer(c, kScale); });
    CHECK(error.file() == "c.json");
    CHECK(error.loc() == base::SourceLoc{7, 9});
    CHECK_THAT(error.message(), Catch::Contains(k.message));
    CHECK_THAT(error.hint(), Catch::Contains(k.hint));
  }
}

TEST_CASE("of several entries none is chosen") {
  Check c = check();
  const auto error = input_error(
      [&] { infer(c, kHeader + ".visible .entry a() { ret; }\n.visible .entry b() { ret; }\n"); });
  CHECK_THAT(error.message(), Catch::Contains("has 2 entries"));
  CHECK_THAT(error.hint(), Catch::Contains("a, b"));
  CHECK_THAT(input_error([&] { infer(c, kHeader); }).message(), Catch::Contains("has no .entry"));
}
