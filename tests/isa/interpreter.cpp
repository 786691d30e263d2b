#include "interpreter.h"

#include <fmt/format.h>

#include <stdexcept>

#include "op/evaluate.h"

namespace ptxequiv::testing {

using ir::Inst;
using ir::Opcode;

namespace {

constexpr uint64_t kRegionSize = uint64_t{1} << 40;
constexpr uint64_t kSharedStart = 0x10000;  // shared addresses fit in 32 bits
constexpr int kMaxSteps = 100000;

uint32_t special(ir::SpecialRegister reg, uint32_t thread, uint32_t threads, uint32_t cta,
                 uint32_t ctas) {
  using ir::SpecialRegister;
  switch (reg) {
    case SpecialRegister::kTidX:
      return thread;
    case SpecialRegister::kNtidX:
      return threads;
    case SpecialRegister::kCtaidX:
      return cta;
    case SpecialRegister::kNctaidX:
      return ctas;
    case SpecialRegister::kLaneId:
      return thread % 32;
    case SpecialRegister::kTidY:
    case SpecialRegister::kTidZ:
    case SpecialRegister::kCtaidY:
    case SpecialRegister::kCtaidZ:
      return 0;
    case SpecialRegister::kNtidY:
    case SpecialRegister::kNtidZ:
    case SpecialRegister::kNctaidY:
    case SpecialRegister::kNctaidZ:
      return 1;
    default:
      throw std::runtime_error("special register");
  }
}

}  // namespace

Interpreter::Interpreter(const ir::Function& function) : function_(function) {
  uint64_t shared = kSharedStart;
  for (const ir::MemoryObject& object : function.objects) {
    std::vector<uint8_t> bytes(object.bytes);
    if (object.init != nullptr) {
      for (size_t i = 0; i < object.init->bytes.size() && i < bytes.size(); ++i) {
        bytes[i] = object.init->bytes[i];
      }
      if (!object.init->addresses.empty()) throw std::runtime_error("pointer initialiser");
    }
    if (object.space == ptx::Space::kShared) {
      shared = (shared + 255) / 256 * 256;
      object_address_.push_back(shared);
      shared += std::max<uint64_t>(object.bytes, 1) + 4096;
    } else {
      object_address_.push_back(next_region_++ * kRegionSize);
    }
    regions_[object_address_.back()] = {std::move(bytes), object.space};
  }
}

uint64_t Interpreter::allocate(std::vector<uint8_t> bytes) {
  const uint64_t address = next_region_++ * kRegionSize;
  regions_[address] = {std::move(bytes), ptx::Space::kGlobal};
  return address;
}

void Interpreter::set_parameter(uint32_t index, std::vector<uint8_t> bytes) {
  regions_.at(object_address_.at(function_.params.at(index))).bytes = std::move(bytes);
}

void Interpreter::set_parameter(uint32_t index, uint64_t value) {
  std::vector<uint8_t> bytes(function_.objects.at(function_.params.at(index)).bytes);
  for (size_t i = 0; i < bytes.size() && i < 8; ++i) {
    bytes[i] = static_cast<uint8_t>(value >> (8 * i));
  }
  set_parameter(index, std::move(bytes));
}

Interpreter::Region& Interpreter::region_of(uint64_t address, uint64_t& offset) {
  auto next = regions_.upper_bound(address);
  if (next == regions_.begin()) throw std::runtime_error(fmt::format("bad address {:#x}", address));
  --next;
  offset = address - next->first;
  return next->second;
}

uint64_t Interpreter::load(uint64_t address, unsigned bits) {
  uint64_t offset = 0;
  const Region& region = region_of(address, offset);
  if (offset + bits / 8 > region.bytes.size()) throw std::runtime_error("load out of bounds");
  uint64_t result = 0;
  for (unsigned i = 0; i < bits / 8; ++i) result |= uint64_t{region.bytes[offset + i]} << (8 * i);
  return result;
}

void Interpreter::store(uint64_t address, unsigned bits, uint64_t value) {
  uint64_t offset = 0;
  Region& region = region_of(address, offset);
  if (offset + bits / 8 > region.bytes.size()) throw std::runtime_error("store out of bounds");
  for (unsigned i = 0; i < bits / 8; ++i) {
    region.bytes[offset + i] = static_cast<uint8_t>(value >> (8 * i));
  }
}

uint64_t Interpreter::value(ir::ValueId id) const {
  const ir::Value& known = function_.values[id];
  return known.is_const ? known.constant : values_[id];
}

void Interpreter::run(uint32_t threads, uint32_t cta, uint32_t ctas) {
  for (uint32_t thread = 0; thread < threads; ++thread) run_thread(thread, threads, cta, ctas);
}

void Interpreter::run_thread(uint32_t thread, uint32_t threads, uint32_t cta, uint32_t ctas) {
  values_.assign(function_.values.size(), 0xa5a5a5a5a5a5a5a5);
  ir::BlockId from = ir::kNone, at = 0;
  for (int steps = 0; steps < kMaxSteps; ++steps) {
    const ir::Block& block = function_.blocks[at];
    // All phis read before any is written.
    std::vector<std::pair<ir::ValueId, uint64_t>> phis;
    for (const ir::InstId id : block.insts) {
      const Inst& inst = function_.insts[id];
      if (inst.opcode != Opcode::kPhi) break;
      for (size_t i = 0; i < block.predecessors.size(); ++i) {
        if (block.predecessors[i] == from) phis.push_back({inst.dests[0], value(inst.srcs[i])});
      }
    }
    for (const auto& [dest, bits] : phis) values_[dest] = bits;
    for (const ir::InstId id : block.insts) {
      execute(function_.insts[id], thread, threads, cta, ctas);
    }
    const Inst& end = function_.insts[block.insts.back()];
    from = at;
    switch (end.opcode) {
      case Opcode::kExit:
        return;
      case Opcode::kBranch:
        at = block.successors[0];
        break;
      case Opcode::kCondBranch:
        at = block.successors[value(end.srcs[0]) != 0 ? 0 : 1];
        break;
      case Opcode::kIndexBranch:
        at = block.successors.at(value(end.srcs[0]));
        break;
      default:
        throw std::runtime_error("trap");
    }
  }
  throw std::runtime_error("too many steps");
}

void Interpreter::execute(const Inst& inst, uint32_t thread, uint32_t threads, uint32_t cta,
                          uint32_t ctas) {
  if (inst.guard != ir::kNone && (value(inst.guard) != 0) == inst.guard_negated) return;
  const auto source = [&](size_t i) { return i < inst.srcs.size() ? value(inst.srcs[i]) : 0; };
  switch (inst.opcode) {
    case Opcode::kOp: {
      const uint64_t second =
          inst.op.kind == op::Kind::kExtract ? static_cast<uint64_t>(inst.immediate) : source(1);
      values_[inst.dests[0]] = op::evaluate(inst.op, source(0), second, source(2)).bits;
      return;
    }
    case Opcode::kSpecial:
      values_[inst.dests[0]] =
          special(std::get<ir::SpecialUse>(inst.detail).reg, thread, threads, cta, ctas);
      return;
    case Opcode::kObjectAddress:
      values_[inst.dests[0]] =
          (object_address_[inst.object] + static_cast<uint64_t>(inst.immediate)) &
          op::mask(function_.values[inst.dests[0]].bits);
      return;
    case Opcode::kToGeneric:
    case Opcode::kFromGeneric:
      values_[inst.dests[0]] = source(0);
      return;
    case Opcode::kIsSpace: {
      uint64_t offset = 0;
      values_[inst.dests[0]] =
          region_of(source(0), offset).space == std::get<ir::SpaceUse>(inst.detail).space;
      return;
    }
    case Opcode::kLoad:
    case Opcode::kStore: {
      const auto& access = std::get<ir::MemoryAccess>(inst.detail);
      const unsigned bits = op::bits(access.type);
      for (unsigned i = 0; i < access.count; ++i) {
        const uint64_t address = source(0) + static_cast<uint64_t>(inst.immediate) + i * (bits / 8);
        if (inst.opcode == Opcode::kStore)
          store(address, bits, source(1 + i));
        else
          values_[inst.dests[i]] = load(address, bits);
      }
      return;
    }
    case Opcode::kPhi:
    case Opcode::kUndef:
    case Opcode::kPrefetch:
    case Opcode::kBranch:
    case Opcode::kCondBranch:
    case Opcode::kIndexBranch:
    case Opcode::kExit:
    case Opcode::kFence:
      return;
    default:
      throw std::runtime_error(fmt::format("cannot run {}", ir::name(inst.opcode)));
  }
}

}  // namespace ptxequiv::testing
