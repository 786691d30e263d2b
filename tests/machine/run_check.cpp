// Development aid: executes both sides of a check file and prints what the machine found.
//   machine_run CHECK.json [--cells N] [--side reference|candidate]
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>

#include <fmt/format.h>
#include <sys/resource.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "isa/lower.h"
#include "machine/machine.h"
#include "op/evaluate.h"
#include "ptx/parser.h"
#include "term/evaluate.h"

using namespace ptxequiv;
using nlohmann::json;

namespace {

struct Setup {
  std::vector<machine::Buffer> buffers;
  std::vector<machine::Scalar> scalars;
  std::map<std::string, uint32_t> buffer_index, scalar_index;
  std::map<std::string, std::unique_ptr<ptx::Module>> modules;
  std::vector<std::unique_ptr<ir::Function>> functions;
};

uint64_t number_bits(const json& value, op::Type type);

uint64_t evaluate(const Setup& s, const json& value) {
  if (value.is_number()) return value.get<uint64_t>();
  const auto text = value.get<std::string>();
  const auto it = s.scalar_index.find(text);
  if (it == s.scalar_index.end()) throw std::runtime_error("expression " + text);
  return *s.scalars[it->second].value;
}

uint64_t number_bits(const json& value, op::Type type) {
  if (op::is_float(type)) {
    const double d = value.get<double>();
    if (type == op::Type::kF64) {
      uint64_t bits;
      std::memcpy(&bits, &d, 8);
      return bits;
    }
    const auto f = static_cast<float>(d);
    uint32_t bits;
    std::memcpy(&bits, &f, 4);
    return bits;
  }
  return static_cast<uint64_t>(value.get<int64_t>()) & op::mask(op::bits(type));
}

void add_parts(const Setup& s, const json& arg, uint32_t& offset, machine::Argument& out) {
  using Part = machine::Argument::Part;
  Part part;
  unsigned size = 8;
  if (arg.is_object() && arg.contains("struct")) {
    for (const json& member : arg["struct"]) add_parts(s, member, offset, out);
    return;
  }
  if (arg.is_object() && arg.contains("buffer")) {
    part.value =
        Part::BufferAddress{s.buffer_index.at(arg["buffer"]), arg.value("offset_bytes", 0)};
  } else if (arg.is_object()) {
    const auto it = arg.begin();
    const op::Type type = op::type_named(it.key());
    part.value = Part::Literal{type, number_bits(it.value(), type)};
    size = op::bits(type) / 8;
  } else if (arg == "null") {
    part.value = Part::Literal{op::Type::kB64, 0};
  } else if (s.buffer_index.count(arg)) {
    part.value = Part::BufferAddress{s.buffer_index.at(arg), 0};
  } else {
    const uint32_t i = s.scalar_index.at(arg);
    part.value = Part::ScalarValue{i};
    size = op::bits(s.scalars[i].type) / 8;
  }
  offset = (offset + size - 1) / size * size;
  part.offset = offset;
  offset += size;
  out.parts.push_back(part);
}

std::array<uint32_t, 3> dim(const Setup& s, const json& value) {
  std::array<uint32_t, 3> d{1, 1, 1};
  if (value.is_array()) {
    for (size_t i = 0; i < value.size(); ++i) d[i] = static_cast<uint32_t>(evaluate(s, value[i]));
  } else {
    d[0] = static_cast<uint32_t>(evaluate(s, value));
  }
  return d;
}

machine::Program program(Setup& s, const json& side, const std::filesystem::path& folder) {
  machine::Program p;
  for (const json& step : side["launches"]) {
    if (step.contains("fill")) {
      const uint32_t b = s.buffer_index.at(step["fill"]);
      p.steps.push_back(machine::Fill{b, number_bits(step["value"], s.buffers[b].type)});
      continue;
    }
    if (step.contains("copy")) {
      p.steps.push_back(
          machine::Copy{s.buffer_index.at(step["copy"][0]), s.buffer_index.at(step["copy"][1])});
      continue;
    }
    const std::string path = (folder / step["ptx"].get<std::string>()).string();
    auto& module = s.modules[path];
    if (!module) module = std::make_unique<ptx::Module>(ptx::parse_file(path));
    const ptx::Function* entry = step.contains("kernel")
                                     ? module->find_function(step["kernel"].get<std::string>())
                                     : module->entries().at(0);
    if (entry == nullptr) throw std::runtime_error("no such kernel");
    s.functions.push_back(std::make_unique<ir::Function>(isa::lower(*module, *entry)));
    machine::Launch launch;
    launch.function = s.functions.back().get();
    launch.grid = dim(s, step["grid"]);
    launch.block = dim(s, step["block"]);
    launch.shared_bytes = static_cast<uint32_t>(evaluate(s, step.value("shared_bytes", json(0))));
    for (const json& arg : step["args"]) {
      machine::Argument a;
      uint32_t offset = 0;
      add_parts(s, arg, offset, a);
      launch.arguments.push_back(std::move(a));
    }
    p.steps.push_back(std::move(launch));
  }
  return p;
}

std::string where(const machine::Site& site) {
  if (site.inst == nullptr) return fmt::format("step {}", site.step);
  return fmt::format(
      "{}:{} {}",
      site.function->module->path.substr(site.function->module->path.find_last_of('/') + 1),
      site.inst->loc.line, site.inst->full_name());
}

void print(const machine::Outcome& outcome, const term::Arena& arena, const Setup& s,
           size_t cells) {
  for (const auto& f : outcome.faults) {
    fmt::print("  fault {} {} cond={}: {}\n", machine::name(f.category),
               f.strength == machine::Fault::Strength::kCertain ? "certain" : "possible",
               arena.is_const(f.condition) ? std::to_string(arena.const_bits(f.condition))
                                           : "%" + std::to_string(f.condition),
               f.message);
    for (const auto& a : f.accesses)
      fmt::print("      {} thread {}\n", where(a.site), a.thread.thread[0]);
  }
  for (const auto& g : outcome.gaps)
    fmt::print("  gap {}: {} at {}\n", g.id, g.message, where(g.site));
  for (const auto& n : outcome.notes) fmt::print("  note {} x{}: {}\n", n.id, n.count, n.message);
  for (size_t b = 0; b < outcome.buffers.size(); ++b) {
    size_t written = 0, conditional = 0;
    for (size_t i = 0; i < outcome.buffers[b].size(); ++i) {
      const auto& cell = outcome.buffers[b][i];
      if (cell.value == term::kNoTerm) continue;
      ++written;
      if (!arena.is_const(cell.written)) ++conditional;
    }
    if (outcome.buffers[b].empty()) continue;
    fmt::print("  {}: {} of {} elements written, {} conditionally\n", s.buffers[b].name, written,
               outcome.buffers[b].size(), conditional);
    for (size_t i = 0; i < std::min(cells, outcome.buffers[b].size()); ++i) {
      const auto& cell = outcome.buffers[b][i];
      if (cell.value == term::kNoTerm) continue;
      const term::TermId roots[] = {cell.value, cell.written};
      fmt::print("[{}] written %{}:\n{}", i, cell.written, term::to_string(arena, roots));
    }
  }
}

// Compares with what an NVIDIA H200 left (recorded.json), evaluated without contraction.
void compare(const machine::Outcome& outcome, const term::Arena& arena, const Setup& s,
             const json& recorded, const std::string& side) {
  std::map<std::string, std::vector<uint8_t>> bytes;
  const auto decode = [](const std::string& hex) {
    std::vector<uint8_t> out;
    for (size_t i = 0; i + 1 < hex.size(); i += 2) {
      out.push_back(static_cast<uint8_t>(std::stoi(hex.substr(i, 2), nullptr, 16)));
    }
    return out;
  };
  for (const auto& [name, hex] : recorded["inputs"].items()) bytes[name] = decode(hex);
  const auto element = [](const std::vector<uint8_t>& from, size_t index, unsigned width) {
    uint64_t bits = 0;
    for (unsigned i = 0; i < width; ++i) bits |= uint64_t{from.at(index * width + i)} << (8 * i);
    return bits;
  };
  const auto leaf = [&](term::TermId, const term::Node& node) -> uint64_t {
    if (node.op.kind == op::Kind::kInput) {
      const auto& buffer = s.buffers[node.a];
      return element(bytes.at(buffer.name), node.b, op::bits(buffer.type) / 8);
    }
    if (node.op.kind == op::Kind::kScalar) {
      const json& value = recorded["scalars"].at(s.scalars[node.a].name);
      const auto data = decode(value.at("data").get<std::string>());
      return element(data, 0, static_cast<unsigned>(data.size()));
    }
    return 0x4d4d4d4d4d4d4d4dull;
  };
  for (const auto& [name, hex] : recorded[side].items()) {
    const uint32_t b = s.buffer_index.at(name);
    const auto& buffer = s.buffers[b];
    if (outcome.buffers[b].empty()) continue;
    const std::vector<uint8_t> expected = decode(hex);
    std::vector<term::TermId> roots;
    std::vector<size_t> where;
    for (size_t i = 0; i < outcome.buffers[b].size(); ++i) {
      const auto& cell = outcome.buffers[b][i];
      if (cell.value == term::kNoTerm) continue;
      roots.push_back(cell.value);
      roots.push_back(cell.written);
      where.push_back(i);
    }
    const auto values = term::evaluate(arena, roots, leaf);
    const unsigned width = op::bits(buffer.type) / 8;
    size_t equal = 0, compared = 0;
    double worst = 0;
    size_t worst_at = 0;
    for (size_t k = 0; k < where.size(); ++k) {
      if ((values[2 * k + 1] & 1) == 0) continue;
      ++compared;
      const uint64_t want = element(expected, where[k], width);
      if (values[2 * k] == want) {
        ++equal;
        continue;
      }
      double difference = 1e300;
      if (op::is_float(buffer.type)) {
        const double x = op::to_double(buffer.type, values[2 * k]);
        const double y = op::to_double(buffer.type, want);
        difference = std::abs(x - y) / std::max(1e-3, std::abs(y));
      }
      if (!(difference <= worst)) worst = difference, worst_at = where[k];
    }
    fmt::print("  recorded {}: {} of {} equal, worst relative difference {:.3g} at {}{}\n", name,
               equal, compared, worst, worst_at, worst > 1e-3 ? "  <<<< DIFFERS" : "");
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 4;
  std::filesystem::path path = argv[1];
  if (std::filesystem::is_directory(path)) path /= "check.json";
  size_t cells = 0;
  std::string only;
  for (int i = 2; i + 1 < argc; ++i) {
    if (std::string(argv[i]) == "--cells") cells = std::stoul(argv[i + 1]);
    if (std::string(argv[i]) == "--side") only = argv[i + 1];
  }
  std::ifstream in(path);
  const json check = json::parse(in, nullptr, true, true);
  Setup s;
  try {
    const json scalars = check.value("scalars", json::object());
    for (const auto& [name, d] : scalars.items()) {
      machine::Scalar scalar{name, op::type_named(d["type"].get<std::string>()), std::nullopt};
      if (d.contains("value")) scalar.value = number_bits(d["value"], scalar.type);
      s.scalar_index[name] = static_cast<uint32_t>(s.scalars.size());
      s.scalars.push_back(scalar);
    }
    const std::map<std::string, machine::Role> roles{{"input", machine::Role::kInput},
                                                     {"output", machine::Role::kOutput},
                                                     {"inout", machine::Role::kInout},
                                                     {"scratch", machine::Role::kScratch}};
    for (const auto& [name, d] : check["buffers"].items()) {
      machine::Buffer buffer;
      buffer.name = name;
      buffer.type = op::type_named(d["type"].get<std::string>());
      buffer.elements = 1;
      for (const json& n : d["shape"]) buffer.elements *= evaluate(s, n);
      buffer.role = roles.at(d.value("role", "input"));
      if (d.contains("range") && op::info(buffer.type).is_integer) {
        buffer.range =
            machine::IntegerRange{d["range"][0].get<int64_t>(), d["range"][1].get<int64_t>()};
      }
      s.buffer_index[name] = static_cast<uint32_t>(s.buffers.size());
      s.buffers.push_back(buffer);
    }
    if (check.contains("alias")) {
      int group = 0;
      for (const json& names : check["alias"]) {
        for (const json& name : names) s.buffers[s.buffer_index.at(name)].alias_group = group;
        ++group;
      }
    }
    term::Arena arena;
    base::Log log;
    for (const char* side : {"reference", "candidate"}) {
      if (!only.empty() && only != side) continue;
      const auto start = std::chrono::steady_clock::now();
      const machine::Program p = program(s, check[side], path.parent_path());
      const auto lowered = std::chrono::steady_clock::now();
      const auto outcome = machine::execute(p, s.buffers, s.scalars, arena, machine::Limits{},
                                            base::Deadline::in(120), nullptr, log);
      const auto end = std::chrono::steady_clock::now();
      rusage usage{};
      getrusage(RUSAGE_SELF, &usage);
      const double seconds = std::chrono::duration<double>(end - lowered).count();
      fmt::print(
          "{}: front {:.3f} s, machine {:.3f} s, {} thread instructions ({:.1f} M/s), {} terms, "
          "peak {} MB\n",
          side, std::chrono::duration<double>(lowered - start).count(), seconds,
          outcome.thread_instructions,
          static_cast<double>(outcome.thread_instructions) / seconds / 1e6, arena.size(),
          usage.ru_maxrss / 1024);
      print(outcome, arena, s, cells);
      const auto recording = path.parent_path() / "recorded.json";
      if (std::filesystem::exists(recording)) {
        std::ifstream file(recording);
        compare(outcome, arena, s, json::parse(file), side);
      }
    }
  } catch (const base::Unsupported& e) {
    fmt::print("unsupported: {}\n", e.what());
    return 3;
  } catch (const std::exception& e) {
    fmt::print("error: {}\n", e.what());
    return 2;
  }
  return 0;
}
