// Every instruction of recorded.txt, lowered and run on operands for which hardware's results are
// known.
#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "helpers.h"
#include "interpreter.h"

namespace ptxequiv::testing {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) {
    if (!part.empty() || separator == '\t') parts.push_back(part);
  }
  return parts;
}

// A register and the type it is declared with: "a:u32". Predicates travel as u32.
struct Register {
  explicit Register(const std::string& text)
      : name(text.substr(0, text.find(':'))), type(text.substr(text.find(':') + 1)) {}
  bool is_predicate() const { return type == "pred"; }
  unsigned bits() const { return is_predicate() ? 32 : op::bits(op::type_named(type)); }
  std::string name, type;
};

std::vector<Register> registers(const std::string& text) {
  std::vector<Register> result;
  for (const std::string& part : split(text, ' ')) result.emplace_back(part);
  return result;
}

std::string kernel_for(const std::string& core, const std::vector<Register>& inputs,
                       const std::vector<Register>& outputs, const std::vector<Register>& others) {
  std::string parameters, declarations, loads, stores;
  for (const Register& input : inputs) {
    parameters += fmt::format(".param .b{} p_{}, ", input.bits(), input.name);
    declarations += fmt::format(".reg .{} %{};\n", input.type, input.name);
    if (input.is_predicate()) {
      declarations += fmt::format(".reg .b32 %i{};\n", input.name);
      loads +=
          fmt::format("ld.param.b32 %i{0}, [p_{0}]; setp.ne.u32 %{0}, %i{0}, 0;\n", input.name);
    } else {
      loads += fmt::format("ld.param.b{1} %{0}, [p_{0}];\n", input.name, input.bits());
    }
  }
  for (const Register& output : outputs) {
    declarations += fmt::format(".reg .{} %{};\n", output.type, output.name);
    std::string value = "%" + output.name;
    if (output.is_predicate()) {
      declarations += fmt::format(".reg .b32 %i{};\n", output.name);
      stores += fmt::format("selp.u32 %i{0}, 1, 0, %{0};\n", output.name);
      value = "%i" + output.name;
    }
    stores +=
        fmt::format("st.global.b{} [%out], {};\nadd.s64 %out, %out, 8;\n", output.bits(), value);
  }
  for (const Register& other : others) {
    declarations += fmt::format(".reg .{} %{};\n", other.type, other.name);
  }
  return fmt::format(
      ".visible .entry k({}.param .u64 out) {{\n.reg .b64 %out;\n{}"
      "ld.param.u64 %out, [out];\n{}{}\n{}}}\n",
      parameters, declarations, loads, core, stores);
}

uint64_t number(const std::string& hex) {
  return std::stoull(hex, nullptr, 16);
}

TEST_CASE("instructions give what an H200 gives") {
  std::ifstream file(PTXEQUIV_TEST_DIR "/isa/recorded.txt");
  REQUIRE(file);
  size_t instructions = 0, tuples = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    const auto fields = split(line, '\t');
    REQUIRE(fields.size() == 5);
    const auto inputs = registers(fields[1]), outputs = registers(fields[2]);
    const Lowered lowered =
        lower_module(kernel_for(fields[0], inputs, outputs, registers(fields[3])));
    ++instructions;
    for (const std::string& tuple : split(fields[4], ';')) {
      Interpreter interpreter(lowered.function);
      const size_t arrow = tuple.find('>');
      const auto operands = split(tuple.substr(0, arrow), ' ');
      const auto expected = split(tuple.substr(arrow + 1), ' ');
      REQUIRE(operands.size() == inputs.size());
      for (size_t i = 0; i < operands.size(); ++i) {
        interpreter.set_parameter(static_cast<uint32_t>(i), number(operands[i]));
      }
      const uint64_t out = interpreter.allocate(std::vector<uint8_t>(8 * outputs.size()));
      interpreter.set_parameter(static_cast<uint32_t>(inputs.size()), out);
      interpreter.run(1);
      for (size_t i = 0; i < outputs.size(); ++i) {
        INFO(fields[0] << "  on " << tuple);
        CHECK(interpreter.word(out + 8 * i, outputs[i].bits()) == number(expected.at(i)));
      }
      ++tuples;
    }
  }
  CHECK(instructions > 400);
  CHECK(tuples > 1600);
}

}  // namespace
}  // namespace ptxequiv::testing
