#include "recorded.h"

#include <nlohmann/json.hpp>
#include <sstream>

#include "../recorded_data.h"

namespace ptxequiv::op {
namespace {

std::vector<uint64_t> values(const nlohmann::json& operand) {
  const size_t digits = operand[0].get<size_t>() / 4;
  const std::string& hex = operand[1].get_ref<const std::string&>();
  std::vector<uint64_t> result;
  for (size_t i = 0; i < hex.size(); i += digits) {
    result.push_back(std::stoull(hex.substr(i, digits), nullptr, 16));
  }
  return result;
}

}  // namespace

void for_each_recorded(const std::function<void(const Recorded&)>& visit) {
  std::istringstream lines(
      testing::unpack(std::string(PTXEQUIV_TEST_DIR) + "/vectors/instructions.jsonl.gz"));
  for (std::string line; std::getline(lines, line);) {
    const nlohmann::json run = nlohmann::json::parse(line);
    Recorded recorded;
    recorded.family = run["family"];
    recorded.instruction = run["instruction"];
    for (const char* name : {"a", "b", "c", "e", "f", "g"}) {
      if (!run["in"].contains(name)) continue;
      recorded.inputs.push_back(values(run["in"][name]));
      recorded.input_bits.push_back(run["in"][name][0]);
    }
    for (const char* name : {"d", "q", "r", "s"}) {
      if (!run["out"].contains(name)) continue;
      recorded.outputs.push_back(values(run["out"][name]));
      recorded.output_bits.push_back(run["out"][name][0]);
    }
    recorded.exact = run.value("exact", true);
    recorded.ulp = run.value("ulp", 0.0);
    recorded.unspecified = run.contains("unspecified");
    visit(recorded);
  }
}

}  // namespace ptxequiv::op
