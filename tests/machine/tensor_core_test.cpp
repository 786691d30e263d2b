// Products whose sums the manual leaves open, with operands of many magnitudes and both signs, as an
// H200 computed them (driver 580.159.04, ptxas 13.0): mma.m8n8k4, wmma and mma.sp, for which the
// families of tests/vectors have small integers, which say nothing about rounding; metadata of sparse
// matrices that names places twice, or out of order ("sparsebad"); and sums next to the middle
// between two f16 numbers ("ties"), which tell one rounding from two.

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "../recorded_data.h"
#include "base/error.h"
#include "isa/lower.h"
#include "machine/machine.h"
#include "ptx/parser.h"

using namespace ptxequiv;
using nlohmann::json;
using testing::bytes_of;
using testing::unpack;

namespace {

// Elements that differ from what hardware left.
size_t differences(const json& run) {
  const ptx::Module module = ptx::parse(run["ptx"].get<std::string>(), "recorded.ptx");
  const ir::Function function = isa::lower(module, *module.entries().front());
  std::vector<machine::Buffer> buffers;
  std::map<std::string, uint32_t> index;
  machine::Launch launch;
  launch.function = &function;
  launch.block = {run["block"].get<uint32_t>(), 1, 1};
  for (const json& argument : run["args"]) {
    const auto name = argument.get<std::string>();
    const json& recorded = run["buffers"][name];
    machine::Buffer buffer;
    buffer.name = name;
    buffer.type = op::type_named(recorded["type"].get<std::string>());
    buffer.elements = recorded["count"];
    buffer.role = machine::Role::kInout;
    buffer.data = recorded.contains("data") ? bytes_of(recorded["data"].get<std::string>())
                                            : std::vector<uint8_t>();
    buffer.data->resize(buffer.bytes());
    index[name] = static_cast<uint32_t>(buffers.size());
    machine::Argument::Part part;
    part.value = machine::Argument::Part::BufferAddress{index[name], 0};
    launch.arguments.push_back({{part}});
    buffers.push_back(std::move(buffer));
  }
  machine::Limits limits;
  limits.evaluate = true;
  term::Arena arena;
  base::Log log(base::LogLevel::kOff);
  const machine::Outcome outcome =
      machine::execute({{launch}}, buffers, {}, arena, limits, base::Deadline::never(), nullptr, log);
  REQUIRE(outcome.faults.empty());
  size_t wrong = 0;
  for (const auto& [name, hex] : run["expect"].items()) {
    const machine::Buffer& buffer = buffers[index.at(name)];
    const std::vector<uint8_t> theirs = bytes_of(hex.get<std::string>());
    const unsigned size = op::bits(buffer.type) / 8;
    for (uint64_t i = 0; i < buffer.elements; ++i) {
      uint64_t want = 0;
      for (unsigned b = size; b-- > 0;) want = want << 8 | theirs[i * size + b];
      const machine::Cell& cell = outcome.buffers[index.at(name)][i];
      const auto have = arena.known_bits(cell.value);
      if (!have || *have != want) ++wrong;
    }
  }
  return wrong;
}

}  // namespace

TEST_CASE("sums of products as an H200 rounds them") {
  std::istringstream lines(
      unpack(std::string(PTXEQUIV_TEST_DIR) + "/machine/tensor_cores.jsonl.gz"));
  size_t runs = 0;
  for (std::string line; std::getline(lines, line); ++runs) {
    const json run = json::parse(line);
    INFO(run["name"]);
    CHECK(differences(run) == 0);
  }
  CHECK(runs == 91);
}
