#include "run/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.h"
#include "check/refuter.h"
#include "real/reading.h"
#include "run/bytes.h"

namespace ptxequiv::run {
namespace {

using base::InputError;
using Json = nlohmann::ordered_json;

std::vector<uint8_t> from_hex(const std::string& path, const std::string& name,
                              const std::string& text) {
  const auto digit = [&](char c) -> unsigned {
    if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
    if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
    if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
    throw InputError(path, {}, fmt::format("'{}' is not hexadecimal", name),
                     "bytes in memory order, two digits each");
  };
  if (text.size() % 2 != 0) {
    throw InputError(path, {}, fmt::format("'{}' has an odd number of hexadecimal digits", name));
  }
  std::vector<uint8_t> bytes(text.size() / 2);
  for (size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<uint8_t>(digit(text[2 * i]) << 4 | digit(text[2 * i + 1]));
  }
  return bytes;
}

std::string to_hex(const std::vector<uint8_t>& bytes) {
  return fmt::format("{:02x}", fmt::join(bytes, ""));
}

uint64_t scalar_bits(const std::vector<uint8_t>& bytes) {
  return load(bytes, 0, static_cast<unsigned>(std::min<size_t>(bytes.size(), 8)));
}

using Buffers = std::map<std::string, std::vector<uint8_t>>;

Buffers read_buffers(const std::string& path, const Json& object) {
  Buffers result;
  for (const auto& [name, data] : object.items()) {
    if (!data.is_string()) {
      throw InputError(path, {}, fmt::format("'{}' is not a string of hexadecimal digits", name));
    }
    result[name] = from_hex(path, name, data.get<std::string>());
  }
  return result;
}

Json write_buffers(const Buffers& buffers) {
  Json object = Json::object();
  for (const auto& [name, bytes] : buffers) object[name] = to_hex(bytes);
  return object;
}

}  // namespace

Recorded read_recorded(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw InputError(path, {}, "cannot be read");
  Recorded recorded;
  try {
    const Json json = Json::parse(stream);
    if (!json.is_object() || !json.contains("inputs")) {
      throw InputError(path, {}, "has no \"inputs\"",
                       "an object like recorded.json: {\"inputs\": {\"x\": \"0000803f\"}}");
    }
    recorded.inputs.buffers = read_buffers(path, json.at("inputs"));
    if (json.contains("device")) recorded.device = json.at("device").get<std::string>();
    if (json.contains("scalars")) {
      for (const auto& [name, value] : json.at("scalars").items()) {
        const std::string text =
            value.is_object() ? value.at("data").get<std::string>() : value.get<std::string>();
        recorded.inputs.scalars[name] = scalar_bits(from_hex(path, name, text));
      }
    }
    if (json.contains("reference")) {
      recorded.reference = read_buffers(path, json.at("reference"));
    }
    if (json.contains("candidate")) {
      recorded.candidate = read_buffers(path, json.at("candidate"));
    }
  } catch (const nlohmann::json::exception& error) {
    throw InputError(path, {}, error.what());
  }
  return recorded;
}

std::string write_recorded(const Recorded& recorded) {
  Json json = {{"schema", "ptxequiv/recorded/v1"}, {"device", recorded.device}};
  Json scalars = Json::object();
  for (const auto& [name, bits] : recorded.inputs.scalars) {
    std::vector<uint8_t> bytes(8);
    store(bytes, 0, 8, bits);
    scalars[name] = {{"data", to_hex(bytes)}};
  }
  json["scalars"] = scalars;
  json["inputs"] = write_buffers(recorded.inputs.buffers);
  if (!recorded.reference.empty()) json["reference"] = write_buffers(recorded.reference);
  if (!recorded.candidate.empty()) json["candidate"] = write_buffers(recorded.candidate);
  return json.dump(1) + "\n";
}

Inputs random_inputs(const check::Prepared& prepared, uint64_t seed,
                     const base::Deadline& deadline, check::Draw draw) {
  term::Arena arena;
  real::Reading reading(arena, nullptr, real::ReadingOptions{});
  const check::SpecFacts facts(prepared, arena, reading);
  check::Point point(arena, facts, draw, seed);
  if (!facts.assumptions().empty()) {
    check::Refuter refuter(arena, reading, facts, deadline, seed);
    const auto feasible = refuter.feasible_point();
    if (!feasible) {
      throw InputError(prepared.spec.path, {}, "no input was found that satisfies the assumptions",
                       "give one with --inputs FILE");
    }
    point = *feasible;
  }
  Inputs inputs;
  for (uint32_t b = 0; b < prepared.buffers.size(); ++b) {
    const machine::Buffer& buffer = prepared.buffers[b];
    if (buffer.role != machine::Role::kInput && buffer.role != machine::Role::kInout) continue;
    const unsigned size = op::bits(buffer.type) / 8;
    std::vector<uint8_t>& bytes = inputs.buffers[buffer.name];
    bytes.resize(buffer.bytes());
    for (uint32_t i = 0; i < buffer.elements; ++i) {
      const uint64_t bits = point.bits(arena.leaf(op::Kind::kInput, buffer.type, b, i));
      store(bytes, i, size, bits);
    }
  }
  for (uint32_t s = 0; s < prepared.scalars.size(); ++s) {
    const machine::Scalar& scalar = prepared.scalars[s];
    if (scalar.value) continue;
    inputs.scalars[scalar.name] = point.bits(arena.leaf(op::Kind::kScalar, scalar.type, s));
  }
  return inputs;
}

void apply(const Inputs& inputs, const std::string& source, uint8_t rest,
           std::vector<machine::Buffer>& buffers, std::vector<machine::Scalar>& scalars) {
  size_t used = 0;
  for (machine::Buffer& buffer : buffers) {
    const auto found = inputs.buffers.find(buffer.name);
    const bool wanted =
        buffer.role == machine::Role::kInput || buffer.role == machine::Role::kInout;
    if (found == inputs.buffers.end()) {
      if (wanted) {
        throw InputError(source, {}, fmt::format("gives no contents for buffer '{}'", buffer.name));
      }
      buffer.data = std::vector<uint8_t>(buffer.bytes(), rest);
      continue;
    }
    ++used;
    if (found->second.size() != buffer.bytes()) {
      throw InputError(source, {},
                       fmt::format("buffer '{}' has {} bytes, {} are given", buffer.name,
                                   buffer.bytes(), found->second.size()));
    }
    buffer.data = found->second;
  }
  if (used != inputs.buffers.size()) {
    for (const auto& [name, bytes] : inputs.buffers) {
      if (std::none_of(buffers.begin(), buffers.end(),
                       [&](const auto& b) { return b.name == name; })) {
        throw InputError(source, {},
                         fmt::format("names '{}', which is no buffer of the check", name));
      }
    }
  }
  for (machine::Scalar& scalar : scalars) {
    if (scalar.value) continue;
    const auto found = inputs.scalars.find(scalar.name);
    if (found == inputs.scalars.end()) {
      throw InputError(source, {}, fmt::format("gives no value for scalar '{}'", scalar.name));
    }
    scalar.value = found->second & op::mask(op::bits(scalar.type));
  }
}

}  // namespace ptxequiv::run
