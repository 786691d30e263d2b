#include "harness.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "isa/lower.h"
#include "ptx/parser.h"
#include "term/evaluate.h"

namespace ptxequiv::machine::test {

uint32_t float_bits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

float bits_float(uint64_t bits) {
  const auto narrow = static_cast<uint32_t>(bits);
  float value;
  std::memcpy(&value, &narrow, sizeof value);
  return value;
}

std::string kernel(std::initializer_list<const char*> parameters, const std::string& body,
                   const std::string& module_scope) {
  std::string text =
      ".version 8.6\n.target sm_90a\n.address_size 64\n" + module_scope + "\n.visible .entry k(";
  int i = 0;
  for (const char* type : parameters) {
    text += (i == 0 ? "" : ", ");
    text += ".param " + std::string(type) + " p" + std::to_string(i);
    ++i;
  }
  return text +
         ") {\n.reg .pred %p<16>;\n.reg .b16 %h<16>;\n.reg .b32 %r<64>;\n.reg .b64 %d<64>;\n"
         ".reg .f32 %f<32>;\n" +
         body + "\n}\n";
}

uint32_t Bench::buffer(const std::string& name, op::Type type, uint64_t elements, Role role) {
  Buffer b;
  b.name = name;
  b.type = type;
  b.elements = elements;
  b.role = role;
  buffer_index_[name] = static_cast<uint32_t>(buffers_.size());
  buffers_.push_back(b);
  return buffer_index_[name];
}

uint32_t Bench::scalar(const std::string& name, op::Type type, std::optional<uint64_t> value) {
  scalar_index_[name] = static_cast<uint32_t>(scalars_.size());
  scalars_.push_back({name, type, value});
  return scalar_index_[name];
}

void Bench::launch(const std::string& ptx, std::array<uint32_t, 3> grid,
                   std::array<uint32_t, 3> block, std::initializer_list<Arg> args,
                   uint32_t shared_bytes) {
  modules_.push_back(std::make_unique<ptx::Module>(ptx::parse(ptx, "test.ptx")));
  const ptx::Module& module = *modules_.back();
  functions_.push_back(
      std::make_unique<ir::Function>(isa::lower(module, *module.entries().front())));
  Launch launch;
  launch.function = functions_.back().get();
  launch.grid = grid;
  launch.block = block;
  launch.shared_bytes = shared_bytes;
  for (const Arg& arg : args) {
    Argument::Part part;
    if (const auto* number = std::get_if<uint64_t>(&arg)) {
      const size_t index = launch.arguments.size();
      const uint64_t bytes = launch.function->objects[launch.function->params[index]].bytes;
      part.value =
          Argument::Part::Literal{op::bits_type(static_cast<unsigned>(bytes) * 8), *number};
    } else {
      const std::string name = std::get<const char*>(arg);
      if (buffer_index_.count(name)) {
        part.value = Argument::Part::BufferAddress{buffer_index_.at(name), 0};
      } else {
        part.value = Argument::Part::ScalarValue{scalar_index_.at(name)};
      }
    }
    launch.arguments.push_back({{part}});
  }
  program_.steps.push_back(launch);
}

const Outcome& Bench::run(Oracle* oracle) {
  base::Log log;
  outcome_ =
      execute(program_, buffers_, scalars_, *arena_, limits, base::Deadline::never(), oracle, log);
  return outcome_;
}

uint64_t Bench::evaluate(term::TermId root) {
  const term::TermId roots[] = {root};
  return term::evaluate(*arena_, roots, [&](term::TermId id, const term::Node& node) -> uint64_t {
    switch (node.op.kind) {
      case op::Kind::kInput: {
        if (input) return input(node.a, node.b);
        const uint32_t number = 100 * node.a + node.b;
        return node.op.type == op::Type::kF32 ? float_bits(static_cast<float>(number)) : number;
      }
      case op::Kind::kScalar:
        return scalar_bits ? scalar_bits(node.a) : 7 + node.a;
      case op::Kind::kInitial:
        return 0xeeee0000 + node.b;
      case op::Kind::kFresh:
        return fresh_bits ? fresh_bits(id) : 0;
      default:
        return 0xdead0000;  // poison and the like: visible if it gets through
    }
  })[0];
}

const Cell& Bench::cell(const std::string& buffer, uint64_t element) const {
  return outcome_.buffers.at(buffer_index_.at(buffer))[element];
}

uint64_t Bench::bits(const std::string& buffer, uint64_t element) {
  return evaluate(cell(buffer, element).value);
}

float Bench::f32(const std::string& buffer, uint64_t element) {
  return bits_float(bits(buffer, element));
}

bool Bench::written(const std::string& buffer, uint64_t element) {
  const Cell& c = cell(buffer, element);
  return c.value != term::kNoTerm && evaluate(c.written) != 0;
}

std::vector<const Fault*> Bench::faults(Category category) const {
  std::vector<const Fault*> found;
  for (const Fault& f : outcome_.faults) {
    if (f.category == category) found.push_back(&f);
  }
  return found;
}

bool Bench::has_gap(const std::string& id) const {
  return std::any_of(outcome_.gaps.begin(), outcome_.gaps.end(),
                     [&](const Gap& gap) { return gap.id == id; });
}

bool Bench::has_note(const std::string& id) const {
  return std::any_of(outcome_.notes.begin(), outcome_.notes.end(),
                     [&](const Note& note) { return note.id == id; });
}

}  // namespace ptxequiv::machine::test
