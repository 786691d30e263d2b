#include "cli/ptxas.h"

#include <catch2/catch.hpp>
#include <cstdlib>

#include "base/error.h"
#include "support.h"

using namespace ptxequiv;
using cli::PtxasOpinion;

namespace {

// A folder that holds a shell script named ptxas, and is all of the PATH while this lives.
class FakePtxas {
 public:
  explicit FakePtxas(const std::string& script) {
    const char* path = std::getenv("PATH");
    old_path_ = path == nullptr ? "" : path;
    folder_ =
        std::filesystem::temp_directory_path() / ("ptxequiv_fake_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
    if (!script.empty()) {
      const std::filesystem::path program = folder_ / "ptxas";
      std::ofstream(program)
          << "#!/bin/sh\n"
          << "[ \"$1\" = --version ] && { echo 'release 13.0, V13.0.88'; exit; }\n"
          << script;
      std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    }
    setenv("PATH", folder_.c_str(), 1);
  }
  ~FakePtxas() {
    setenv("PATH", old_path_.c_str(), 1);
    std::filesystem::remove_all(folder_);
  }

 private:
  std::string old_path_;
  std::filesystem::path folder_;
};

constexpr const char* kVerbose = R"(ptxas info    : 82 bytes gmem, 64 bytes cmem[4]
ptxas info    : Compiling entry function 'softmax' for 'sm_80'
ptxas info    : Function properties for softmax
    16 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads
ptxas info    : Used 32 registers, used 1 barriers, 1024 bytes smem, 372 bytes cmem[0]
ptxas info    : Compile time = 4.463 ms
ptxas info    : Function properties for helper
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Function properties for deep
    40 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
)";

}  // namespace

TEST_CASE("what ptxas -v writes is read") {
  PtxasOpinion opinion;
  cli::read_ptxas_output(kVerbose, opinion);
  REQUIRE(opinion.functions.size() == 3);
  CHECK(opinion.messages.empty());
  const cli::PtxasFunction& entry = opinion.functions[0];
  CHECK(entry.name == "softmax");
  CHECK(entry.is_entry);
  CHECK(entry.registers == 32);
  CHECK(entry.barriers == 1);
  CHECK(entry.shared_bytes == 1024);
  CHECK(entry.stack_bytes == 16);
  CHECK(entry.spill_stores == 8);
  CHECK(entry.spill_loads == 4);
  CHECK_FALSE(opinion.functions[2].is_entry);
  CHECK(opinion.functions[2].stack_bytes == 40);
}

TEST_CASE("ptxas' complaints keep their lines") {
  PtxasOpinion opinion;
  cli::read_ptxas_output(
      "ptxas a error : b/x.ptx, line 145; error   : Unknown field '.f64'\n"
      "ptxas x.ptx, line 7; warning : fatal : all of it\n"
      "ptxas fatal   : Ptx assembly aborted due to errors\n"
      "ptxas info    : (C7510) Potential Performance Loss\nno message at all\nerror\n: \n",
      opinion);
  REQUIRE(opinion.messages.size() == 3);
  CHECK(opinion.messages[1].severity == "warning");
  CHECK(opinion.messages[1].line == 7);
  CHECK(opinion.messages[1].text == "fatal : all of it");
  CHECK(opinion.messages[2].severity == "fatal");
  CHECK(opinion.messages[2].line == 0);
}

TEST_CASE("inspect --ptxas reports each entry") {
  // The script is given the arguments that matter: target and file.
  const FakePtxas fake("case \"$*\" in *-arch=sm_80*copy.ptx) ;; *) exit 9;; esac\necho \"" +
                       std::string(kVerbose) + "\" >&2\n");
  const Outcome o = run_here({"inspect", "--ptxas", data("copy.ptx")});
  CHECK(o.status == 0);
  CHECK(o.out == data("copy.ptx") + R"(: ptxas 13.0.88 for sm_80 accepts it
  softmax  32 registers; 1024 bytes of static shared memory; 1 barrier; 16 bytes of stack; spills 8 bytes, reloads 4
  deep     40 bytes of stack
)");
}

TEST_CASE("what ptxas refuses is invalid") {
  const FakePtxas fake("echo \"ptxas x, line 12; error   : Unknown symbol '%r9'\"; exit 255\n");
  const Outcome o = run_here({"inspect", "--ptxas", data("copy.ptx")});
  CHECK(o.status == 4);
  CHECK(o.out == data("copy.ptx") + ": ptxas 13.0.88 for sm_80 refuses it\n  " + data("copy.ptx") +
                     ":12: error: Unknown symbol '%r9'\n");
}

TEST_CASE("a part of a program is asked about as one") {
  const FakePtxas fake(
      "[ \"$1\" = -c ] && exit 0\necho 'ptxas fatal   : Unresolved extern f'; exit 1\n");
  CHECK(run_here({"inspect", "--ptxas", data("copy.ptx")}).status == 0);
}

TEST_CASE("a ptxas that dies, or is none, is no acceptance") {
  {
    const FakePtxas fake("kill -SEGV $$\n");
    const Outcome o = run_here({"inspect", "--ptxas", data("copy.ptx")});
    CHECK(o.status == 4);
    CHECK_THAT(o.out, Catch::Contains("fatal: ended by signal 11"));
  }
  const FakePtxas fake("");
  const Outcome o = run_here({"inspect", "--ptxas", data("copy.ptx")});
  CHECK(o.status == 4);
  CHECK_THAT(o.err, Catch::Contains("there is no ptxas on the PATH"));
}

TEST_CASE("inspect --dump ast prints PTX that reads the same") {
  const Outcome once = run_here({"inspect", "--dump", "ast", data("copy.ptx")});
  CHECK(once.status == 0);
  CHECK_THAT(once.out, Catch::StartsWith(".version 9.0\n.target sm_80\n"));
  CHECK(run_here({"inspect", "--dump", "ir", data("copy.ptx")}).status == 4);
  CHECK(run_here({"inspect", "--dump", "ast", "--ptxas", data("copy.ptx")}).status == 4);
}
