// Runs small PTX kernels on the machine, and evaluates what they leave on concrete inputs.
#pragma once
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "machine/machine.h"

namespace ptxequiv::machine::test {

// A kernel k with parameters p0, p1, ... of the given types and ample registers:
// %p<16> predicates, %h<16> .b16, %r<64> .b32, %d<64> .b64, %f<32> .f32.
std::string kernel(std::initializer_list<const char*> parameters, const std::string& body,
                   const std::string& module_scope = "");

class Bench {
 public:
  uint32_t buffer(const std::string& name, op::Type type, uint64_t elements, Role role);
  uint32_t scalar(const std::string& name, op::Type type, std::optional<uint64_t> value = {});

  // An argument: "x" for a buffer, a scalar's name, or a number.
  using Arg = std::variant<const char*, uint64_t>;
  void launch(const std::string& ptx, std::array<uint32_t, 3> grid, std::array<uint32_t, 3> block,
              std::initializer_list<Arg> args, uint32_t shared_bytes = 0);
  void step(Step step) { program_.steps.push_back(step); }
  Launch& last_launch() { return std::get<Launch>(program_.steps.back()); }
  Buffer& operator[](const std::string& name) { return buffers_[buffer_index_.at(name)]; }

  // Executes what was launched.
  const Outcome& run(Oracle* oracle = nullptr);
  const Outcome& outcome() const { return outcome_; }
  term::Arena& arena() { return *arena_; }

  // Bits of input element i of buffer b; by default 100 * b + i, as float bits for f32 buffers.
  std::function<uint64_t(uint32_t buffer, uint32_t element)> input;
  std::function<uint64_t(uint32_t scalar)> scalar_bits;
  std::function<uint64_t(term::TermId)> fresh_bits;  // of what the schedule chooses; else 0
  // Bits of an element at the end, on those inputs.
  uint64_t bits(const std::string& buffer, uint64_t element);
  float f32(const std::string& buffer, uint64_t element);
  bool written(const std::string& buffer, uint64_t element);
  uint64_t evaluate(term::TermId id);
  const Cell& cell(const std::string& buffer, uint64_t element) const;

  // Faults of a category, and gaps and notes with an id.
  std::vector<const Fault*> faults(Category category) const;
  bool has_gap(const std::string& id) const;
  bool has_note(const std::string& id) const;
  // Nothing wrong, nothing left open.
  bool clean() const { return outcome_.faults.empty() && outcome_.gaps.empty(); }

  Limits limits;

 private:
  std::vector<Buffer> buffers_;
  std::vector<Scalar> scalars_;
  std::map<std::string, uint32_t> buffer_index_, scalar_index_;
  std::vector<std::unique_ptr<ptx::Module>> modules_;
  std::vector<std::unique_ptr<ir::Function>> functions_;
  Program program_;
  std::unique_ptr<term::Arena> arena_ = std::make_unique<term::Arena>();
  Outcome outcome_;
};

uint32_t float_bits(float value);
float bits_float(uint64_t bits);

}  // namespace ptxequiv::machine::test
