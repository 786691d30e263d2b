// A check of one kernel against itself, in files that go with the test.
#pragma once
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "check/prepare.h"
#include "spec/check_file.h"

namespace ptxequiv::run::testing {

// o[i] = body(x[i]) for 32 threads; `body` reads %f1 and leaves %f2.
class Kernel {
 public:
  explicit Kernel(const std::string& body, const std::string& more = "")
      : folder_(std::filesystem::temp_directory_path() /
                ("ptxequiv_run_" + std::to_string(counter()) + "_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
    write("k.ptx", R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 px, .param .u64 po)
{
  .reg .b32 %r<4>; .reg .b64 %rd<6>; .reg .f32 %f<8>;
  ld.param.u64 %rd1, [px]; ld.param.u64 %rd2, [po];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd1, %rd3; add.s64 %rd5, %rd2, %rd3;
  ld.global.f32 %f1, [%rd4];
)" + body + R"(
  st.global.f32 [%rd5], %f2;
  ret;
}
)");
    const std::string side = R"({"launches": [{"ptx": "k.ptx", "grid": [1], "block": [32],
                                               "args": ["x", "o"]}]})";
    write("check.json", R"({"schema": "ptxequiv/check/v1", "buffers": {
      "x": {"type": "f32", "shape": [32], "role": "input", "range": [-2, 2]},
      "o": {"type": "f32", "shape": [32], "role": "output"}},)" +
                            more + R"("reference": )" + side + R"(, "candidate": )" + side + "}");
    prepared = check::prepare(spec::parse_check_file(path("check.json")), sources);
  }
  ~Kernel() { std::filesystem::remove_all(folder_); }
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }

  check::Sources sources;
  check::Prepared prepared;

 private:
  static int counter() {
    static int next = 0;  // a folder for each kernel of the process
    return next++;
  }
  std::filesystem::path folder_;
};

}  // namespace ptxequiv::run::testing
