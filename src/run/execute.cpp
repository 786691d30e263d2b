#include "run/execute.h"

#include <chrono>
#include <cstring>
#include <map>

#include "ir/contract.h"

namespace ptxequiv::run {
namespace {

// The program with copies of its functions in which products are fused.
class Contracted {
 public:
  explicit Contracted(const machine::Program& program) : program_(program) {
    for (machine::Step& step : program_.steps) {
      auto* launch = std::get_if<machine::Launch>(&step);
      if (launch == nullptr) continue;
      auto& copy = copies_[launch->function];
      if (!copy) {
        copy = std::make_unique<ir::Function>(*launch->function);
        fused_ += ir::contract(*copy);
        ir::verify(*copy);
      }
      launch->function = copy.get();
    }
  }
  const machine::Program& program() const { return program_; }
  size_t fused() const { return fused_; }

 private:
  machine::Program program_;
  std::map<const ir::Function*, std::unique_ptr<ir::Function>> copies_;
  size_t fused_ = 0;
};

Executed::Buffer contents(const machine::Buffer& buffer, const std::vector<machine::Cell>& cells,
                          const term::Arena& arena) {
  Executed::Buffer result;
  if (buffer.data) result.bytes = *buffer.data;
  result.bytes.resize(buffer.bytes());
  result.known.assign(buffer.elements, buffer.data.has_value());
  const unsigned size = op::bits(buffer.type) / 8;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].value == term::kNoTerm) continue;
    // A write under a condition that is known by now: read() has already merged the initial value.
    const auto bits = arena.known_bits(cells[i].value);
    result.known[i] = bits.has_value();
    if (bits) std::memcpy(result.bytes.data() + i * size, &*bits, size);
  }
  return result;
}

}  // namespace

Executed execute(const machine::Program& program, const std::vector<machine::Buffer>& buffers,
                 const std::vector<machine::Scalar>& scalars, const Options& options,
                 const base::Deadline& deadline, base::Log& log) {
  const auto start = std::chrono::steady_clock::now();
  machine::Limits limits = options.limits;
  limits.evaluate = true;
  limits.keep_approximate = options.keep_approximate;
  Executed result;
  result.arena = std::make_shared<term::Arena>();
  const bool fuse = options.contract == Contract::kAll;
  const auto contracted = std::make_shared<Contracted>(fuse ? program : machine::Program{});
  result.fused = contracted->fused();
  result.owner = contracted;
  result.outcome = machine::execute(fuse ? contracted->program() : program, buffers, scalars,
                                    *result.arena, limits, deadline, nullptr, log);
  for (size_t b = 0; b < buffers.size(); ++b) {
    result.buffers.push_back(contents(buffers[b], result.outcome.buffers[b], *result.arena));
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace ptxequiv::run
