#include "cli/inspect.h"

#include <catch2/catch.hpp>

#include "base/error.h"
#include "ptx/parser.h"
#include "spec/spec.h"
#include "support.h"

using namespace ptxequiv;

TEST_CASE("inspect shows entries, parameters and their use") {
  const Outcome o = run_here({"inspect", data("copy.ptx")});
  CHECK(o.status == 0);
  CHECK(o.out == data("copy.ptx") + R"(: PTX 9.0 for sm_80
copy   3 parameters; .reqntid 256, 1, 1
  0  copy_param_0  u64  pointer, read as f32: input
  1  copy_param_1  u64  pointer, written as f32: output
  2  copy_param_2  u32  scalar of 4 bytes
)");
}

TEST_CASE("inspect --init writes a check file that asks for what is missing") {
  const Outcome o = run_here({"inspect", "--init", data("copy.ptx")});
  REQUIRE(o.status == 0);
  // As it stands it is refused at the first thing to fill in ...
  try {
    spec::parse_check_text(o.out, "c.json");
    FAIL("accepted");
  } catch (const base::InputError& error) {
    CHECK_THAT(error.message(), Catch::Contains("\"?\" is not a number"));
  }
  // ... and filled in, it is a check.
  std::string text = o.out;
  for (size_t at; (at = text.find("\"value\": \"?\"")) != std::string::npos;)
    text.replace(at, 12, "\"value\": 1000");
  for (size_t at; (at = text.find("[\"?\"]")) != std::string::npos;) text.replace(at, 5, "[1000]");
  const spec::Check check = spec::parse_check_text(text, "c.json");
  REQUIRE(check.buffers.size() == 2);
  CHECK(check.buffers[0].name == "p0");
  CHECK(check.buffers[0].type == op::Type::kF32);
  CHECK(check.buffers[0].role == spec::Role::kInput);
  CHECK(check.buffers[1].role == spec::Role::kOutput);
  CHECK(check.scalars[0].name == "p2");
  const auto& launch = std::get<spec::Launch>(check.candidate.steps[0]);
  CHECK(launch.kernel == "copy");
  CHECK(launch.args->size() == 3);
  CHECK_FALSE(launch.block);  // .reqntid says it
}

TEST_CASE("structs, shared memory and unused parameters are shown") {
  const ptx::Module module = ptx::parse(R"(.version 9.0
.target sm_80
.address_size 64
.extern .shared .align 16 .b8 dyn[];
.visible .entry k(.param .align 8 .b8 k_param_0[16], .param .b32 n, .param .u64 spare)
.maxntid 128
{
  .reg .b32 %r<3>; .reg .b64 %rd<2>;
  .shared .align 4 .b8 red[256];
  ld.param.u64 %rd1, [k_param_0];
  ld.param.u32 %r1, [k_param_0+8];
  ld.param.b32 %r2, [n];
  st.b32 [%rd1], %r2;
  ret;
}
)",
                                        "k.ptx");
  CHECK(cli::describe_module(module, "") == R"(k.ptx: PTX 9.0 for sm_80
k   3 parameters; 256 bytes of shared memory; dynamic shared memory; .maxntid 128
  0  k_param_0  16 bytes  struct
       +0       u64       pointer, written as b32: output
       +8       u32       scalar of 4 bytes
  1  n          b32       scalar of 4 bytes
  2  spare      u64       not used
)");
  const std::string text = cli::check_file_for(module, module, "");
  CHECK_THAT(text,
             Catch::Contains("\"args\": [{\"struct\": [\"p0_0\", \"p0_8\"]}, \"n\", \"null\"]"));
  CHECK_THAT(text, Catch::Contains("\"shared_bytes\": \"?\""));
  CHECK_THAT(text, Catch::Contains("\"block\": [\"?\"]"));
  CHECK_THAT(text, Catch::Contains("\"n\": {\"type\": \"?\", \"value\": \"?\"}"));
}

TEST_CASE("inspect explains what it cannot do") {
  CHECK(run_here({"inspect", "/nowhere/k.ptx"}).status == 4);
  const Outcome entry = run_here({"inspect", "--entry", "cpy", data("copy.ptx")});
  CHECK(entry.status == 4);
  CHECK_THAT(entry.err, Catch::Contains("did you mean \"copy\"?"));
  CHECK(run_here({"inspect", "--init", "a.ptx", "b.ptx", "c.ptx"}).status == 4);
}
