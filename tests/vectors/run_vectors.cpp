// Executes recorded one-instruction kernels of a family and compares every buffer with what an H200
// left there. Runs named in open.txt are not expected to agree yet: one that does is a failure too,
// so that the list stays true.
// usage: run_vectors FAMILY [--list]      --list prints one line a run, for docs and open.txt
#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "../recorded_data.h"
#include "base/error.h"
#include "isa/lower.h"
#include "op/evaluate.h"
#include "ptx/parser.h"
#include "run/bytes.h"
#include "run/execute.h"

namespace ptxequiv {
namespace {

using nlohmann::json;
using testing::bytes_of;

// Runs that are not expected to agree, "family/name", with the reason.
std::map<std::string, std::string> open_runs() {
  std::map<std::string, std::string> result;
  std::ifstream stream(std::string(PTXEQUIV_TEST_DIR) + "/vectors/open.txt");
  for (std::string line; std::getline(stream, line);) {
    if (line.empty() || line[0] == '#') continue;
    const size_t space = line.find(' ');
    result[line.substr(0, space)] = space == std::string::npos ? "" : line.substr(space + 1);
  }
  return result;
}

class Run {
 public:
  explicit Run(const json& run)
      : run_(run),
        module_(ptx::parse(run["ptx"].get<std::string>(), run["name"].get<std::string>())) {}

  // Empty if all buffers agree, else what does not.
  std::string compare() {
    if (run_.contains("cluster") && run_["cluster"] != json::array({1, 1, 1})) {
      throw base::Unsupported("cluster launch", "", {});
    }
    const std::vector<const ptx::Function*> entries = module_.entries();
    const ir::Function function = isa::lower(module_, *entries.at(0));
    for (const auto& [name, buffer] : run_["buffers"].items()) add_buffer(name, buffer);
    machine::Launch launch;
    launch.function = &function;
    for (size_t i = 0; i < 3; ++i) {
      launch.grid[i] = run_["grid"][i];
      launch.block[i] = run_["block"][i];
    }
    launch.shared_bytes = run_["shared_bytes"];
    for (const json& argument : run_["args"]) launch.arguments.push_back(argument_of(argument));
    machine::Program program;
    program.steps.emplace_back(launch);
    std::string wrong;
    for (const run::Contract contract : {run::Contract::kNone, run::Contract::kAll}) {
      run::Options options;
      options.contract = contract;
      base::Log log(base::LogLevel::kOff);
      const run::Executed executed =
          run::execute(program, buffers_, {}, options, base::Deadline::in(30), log);
      wrong = differences(executed);
      if (wrong.empty()) break;
    }
    return wrong;
  }

 private:
  void add_buffer(const std::string& name, const json& buffer) {
    machine::Buffer b;
    b.name = name;
    b.type = op::type_named(buffer["type"].get<std::string>());
    if (b.type == op::Type::kNone) throw std::runtime_error("type " + buffer["type"].dump());
    b.elements = buffer["count"];
    b.role = machine::Role::kInout;
    b.align = 1024;
    b.data = buffer.contains("data") ? bytes_of(buffer["data"].get<std::string>())
                                     : std::vector<uint8_t>();
    b.data->resize(b.bytes());
    index_[name] = static_cast<uint32_t>(buffers_.size());
    buffers_.push_back(std::move(b));
  }

  machine::Argument argument_of(const json& argument) {
    using Part = machine::Argument::Part;
    machine::Argument result;
    if (argument.is_string()) {
      result.parts.push_back({0, Part::BufferAddress{index_.at(argument.get<std::string>()), 0}});
      return result;
    }
    const std::string type = argument.begin().key();
    const json& value = argument.begin().value();
    if (type == "tensormap") throw base::Unsupported("tensormap argument", "", {});
    if (type == "bytes") {
      for (uint32_t i = 0; i < value.size(); ++i) {
        result.parts.push_back({i, Part::Literal{op::Type::kU8, value[i].get<uint64_t>()}});
      }
      return result;
    }
    const op::Type of = op::type_named(type);
    uint64_t bits = 0;
    if (op::is_float(of)) {
      bits = op::from_double(of, value.get<double>());
    } else if (value.is_number_unsigned()) {
      bits = value.get<uint64_t>();
    } else {
      bits = static_cast<uint64_t>(value.get<int64_t>());
    }
    result.parts.push_back({0, Part::Literal{of, bits & op::mask(op::bits(of))}});
    return result;
  }

  bool varies(const std::string& buffer) const {
    if (!run_.contains("varies")) return false;
    const json& list = run_["varies"];
    return std::find(list.begin(), list.end(), buffer) != list.end();
  }

  // Bits that count as the same: f64 NaNs are a class (README beside the vectors).
  static bool same(op::Type type, uint64_t ours, uint64_t theirs) {
    if (ours == theirs) return true;
    return type == op::Type::kF64 && std::isnan(op::to_double(type, ours)) &&
           std::isnan(op::to_double(type, theirs));
  }

  // An approximate result: within the recorded largest error of the correctly rounded one. A tensor
  // core's sums, which the manual leaves open, are modelled to the bit.
  bool near(op::Type type, uint64_t ours, uint64_t theirs) const {
    if (run_["exact"].get<bool>() || !run_.contains("ulp")) return false;
    if (run_.contains("accumulation")) return false;
    const double a = op::to_double(type, ours), b = op::to_double(type, theirs);
    if (!std::isfinite(a) || !std::isfinite(b)) return false;
    int exponent = 0;
    std::frexp(a, &exponent);
    const int least = op::info(type).min_exponent + 1;
    const double ulp =
        std::ldexp(1.0, std::max(exponent, least) - static_cast<int>(op::info(type).precision));
    return std::fabs(a - b) <= (run_["ulp"].get<double>() + 0.5) * ulp;
  }

  std::string differences(const run::Executed& executed) {
    for (const machine::Fault& fault : executed.outcome.faults) {
      // Some kernels let every thread write one place: what is left is the same in any order.
      const bool is_race = fault.category == machine::Category::kRaceShared ||
                           fault.category == machine::Category::kRaceGlobal;
      if (!is_race) return "fault: " + fault.message;
    }
    for (const auto& [name, hex] : run_["expect"].items()) {
      if (varies(name)) continue;
      const uint32_t b = index_.at(name);
      const machine::Buffer& buffer = buffers_[b];
      const std::vector<uint8_t> theirs = bytes_of(hex.get<std::string>());
      const unsigned size = op::bits(buffer.type) / 8;
      for (uint64_t i = 0; i < buffer.elements; ++i) {
        const uint64_t want = run::load(theirs, i, size);
        const uint64_t have = run::load(executed.buffers[b].bytes, i, size);
        if (executed.buffers[b].known[i] &&
            (same(buffer.type, have, want) || near(buffer.type, have, want))) {
          continue;
        }
        return fmt::format("{}[{}]: {} {:#x}, recorded {:#x}", name, i,
                           executed.buffers[b].known[i] ? "have" : "unknown", have, want);
      }
    }
    return "";
  }

  const json& run_;
  ptx::Module module_;
  std::vector<machine::Buffer> buffers_;
  std::map<std::string, uint32_t> index_;
};

std::string verdict(const json& run) {
  try {
    return Run(run).compare();
  } catch (const base::Unsupported& error) {
    return "not modelled: " + error.feature();
  } catch (const std::exception& error) {
    return std::string("error: ") + error.what();
  }
}

}  // namespace
}  // namespace ptxequiv

int main(int argc, char** argv) {
  using namespace ptxequiv;
  const std::string family = argc > 1 ? argv[1] : "";
  const bool list = argc > 2 && std::string(argv[2]) == "--list";
  const auto open = open_runs();
  const std::string prefix = "{\"family\":\"" + family + "\"";
  std::istringstream lines(
      testing::unpack(std::string(PTXEQUIV_TEST_DIR) + "/vectors/kernels.jsonl.gz"));
  size_t runs = 0, agree = 0, unspecified = 0, failures = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(0, prefix.size(), prefix) != 0) continue;
    const json run = json::parse(line);
    const std::string name = family + "/" + run["name"].get<std::string>();
    ++runs;
    const std::string wrong = verdict(run);
    if (list) std::cout << name << (wrong.empty() ? "" : " " + wrong) << "\n";
    if (wrong.empty()) {
      ++agree;
      if (open.count(name) == 0 || run.contains("unspecified")) continue;
      ++failures;
      if (!list) std::cout << name << " agrees: take it out of open.txt\n";
    } else if (run.contains("unspecified")) {
      ++unspecified;
    } else if (open.count(name) == 0) {
      ++failures;
      if (!list) std::cout << name << ": " << wrong << "\n";
    }
  }
  std::cout << fmt::format("{}: {} of {} runs agree, {} of the rest are unspecified\n", family,
                           agree, runs, unspecified);
  return list || (failures == 0 && runs > 0) ? 0 : 1;
}
