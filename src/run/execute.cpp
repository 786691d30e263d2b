#include "run/execute.h"

#include <chrono>
#include <map>

#include "ir/contract.h"
#include "run/bytes.h"

namespace ptxequiv::run {
namespace {

// Functions in which products are fused, by those that they are made from.
using Contracted = std::map<const ir::Function*, ir::Function>;

// Lets the program's launches run contracted copies of their functions. Returns how many sums have
// become fused.
size_t contract(machine::Program& program, Contracted& copies) {
  size_t fused = 0;
  for (machine::Step& step : program.steps) {
    auto* launch = std::get_if<machine::Launch>(&step);
    if (launch == nullptr) continue;
    const auto [copy, is_new] = copies.try_emplace(launch->function, *launch->function);
    if (is_new) {
      fused += ir::contract(copy->second);
      ir::verify(copy->second);
    }
    launch->function = &copy->second;
  }
  return fused;
}

Executed::Buffer contents(const machine::Buffer& buffer, const machine::Paged<machine::Cell>& cells,
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
    if (bits) store(result.bytes, i, size, *bits);
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
  machine::Program executed = program;
  if (options.contract == Contract::kAll) {
    const auto copies = std::make_shared<Contracted>();
    result.fused = contract(executed, *copies);
    result.owner = copies;
  }
  result.outcome =
      machine::execute(executed, buffers, scalars, *result.arena, limits, deadline, nullptr, log);
  for (size_t b = 0; b < buffers.size(); ++b) {
    result.buffers.push_back(contents(buffers[b], result.outcome.buffers[b], *result.arena));
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace ptxequiv::run
