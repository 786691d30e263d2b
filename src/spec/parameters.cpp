#include "spec/parameters.h"

#include <algorithm>
#include <map>
#include <set>

namespace ptxequiv::spec {
namespace {

using ptx::Address;
using ptx::Instruction;
using ptx::Operand;
using ptx::SymbolId;

using Origins = std::set<uint32_t>;  // indices of pointer-sized slots that a register derives from

bool has(const Instruction& instruction, std::string_view modifier) {
  return std::find(instruction.modifiers.begin(), instruction.modifiers.end(), modifier) !=
         instruction.modifiers.end();
}

// The last modifier that names a type: of the data for a load or store, of the source for a cvt.
op::Type data_type(const Instruction& instruction) {
  for (size_t i = instruction.modifiers.size(); i-- > 0;) {
    const op::Type type = op::type_named(instruction.modifiers[i]);
    if (type != op::Type::kNone) return type;
  }
  return op::Type::kNone;
}

class Analysis {
 public:
  Analysis(const ptx::Module& module, const ptx::Function& kernel)
      : module_(module), kernel_(kernel) {}

  std::vector<ParameterUse> run() {
    for (const SymbolId id : kernel_.parameters) {
      const ptx::Symbol& symbol = module_.symbol(id);
      ParameterUse use;
      use.symbol = id;
      use.name = symbol.name;
      use.type = symbol.type;
      use.bytes = symbol.bytes();
      use.align = symbol.align;
      use.is_array = symbol.is_array || symbol.vector > 1;
      use.declared_pointer = symbol.is_pointer;
      index_[id] = uses_.size();
      uses_.push_back(std::move(use));
    }
    // Loops carry pointers round, so go on until nothing new is learnt. Sets only grow.
    do {
      changed_ = false;
      for (const ptx::Statement& statement : kernel_.body)
        if (const auto* instruction = std::get_if<Instruction>(&statement)) propagate(*instruction);
    } while (changed_);
    for (const ptx::Statement& statement : kernel_.body)
      if (const auto* instruction = std::get_if<Instruction>(&statement)) access(*instruction);
    for (const Found& found : slots_) uses_[found.parameter].slots.push_back(found.slot);
    for (ParameterUse& use : uses_) {
      std::sort(use.slots.begin(), use.slots.end(),
                [](const ParameterSlot& a, const ParameterSlot& b) { return a.offset < b.offset; });
    }
    return std::move(uses_);
  }

 private:
  struct Found {
    size_t parameter;
    ParameterSlot slot;
    bool certain = false;  // a pointer whatever its uses: .ptr, or converted by cvta
  };

  // Registers an operand names, in order.
  static std::vector<SymbolId> registers(const Operand& operand) {
    std::vector<SymbolId> result;
    std::vector<const Operand*> work = {&operand};
    while (!work.empty()) {
      const Operand& next = *work.back();
      work.pop_back();
      if (const auto* reg = std::get_if<ptx::RegisterRef>(&next.value)) {
        result.push_back(reg->symbol);
      } else if (const auto* element = std::get_if<ptx::RegisterElement>(&next.value)) {
        result.push_back(element->symbol);
      } else if (const auto* vector = std::get_if<ptx::Vector>(&next.value)) {
        for (size_t i = vector->elements.size(); i-- > 0;) work.push_back(&vector->elements[i]);
      } else if (const auto* list = std::get_if<ptx::ArgumentList>(&next.value)) {
        for (size_t i = list->elements.size(); i-- > 0;) work.push_back(&list->elements[i]);
      }
    }
    return result;
  }

  const Origins& origins(SymbolId reg) const {
    static const Origins kNothing;
    const auto found = origins_.find(reg);
    return found == origins_.end() ? kNothing : found->second;
  }

  void flow(const std::vector<SymbolId>& to, const std::vector<SymbolId>& from) {
    for (const SymbolId source : from) {
      const Origins origins = this->origins(source);
      if (origins.empty()) continue;
      for (const SymbolId target : to) {
        const size_t before = origins_[target].size();
        origins_[target].insert(origins.begin(), origins.end());
        changed_ = changed_ || origins_[target].size() != before;
      }
    }
  }

  uint32_t slot(size_t parameter, uint32_t offset, op::Type type) {
    const uint32_t bytes = (op::bits(type) + 7) / 8;
    for (uint32_t i = 0; i < slots_.size(); ++i)
      if (slots_[i].parameter == parameter && slots_[i].slot.offset == offset &&
          slots_[i].slot.bytes == bytes)
        return i;
    Found found{parameter, {}, false};
    found.slot.offset = offset;
    found.slot.bytes = bytes;
    found.slot.type = type;
    found.certain = uses_[parameter].declared_pointer;
    slots_.push_back(found);
    changed_ = true;
    return static_cast<uint32_t>(slots_.size() - 1);
  }

  void load_parameter(const Instruction& instruction, const Address& address) {
    const auto parameter = index_.find(address.symbol);
    if (parameter == index_.end()) return;
    const op::Type type = data_type(instruction);
    const std::vector<SymbolId> targets = registers(instruction.operands[0]);
    for (size_t i = 0; i < targets.size(); ++i) {
      const int64_t offset = address.offset + static_cast<int64_t>(i * ((op::bits(type) + 7) / 8));
      if (offset < 0 || offset >= static_cast<int64_t>(uses_[parameter->second].bytes)) continue;
      const uint32_t index = slot(parameter->second, static_cast<uint32_t>(offset), type);
      if (op::bits(type) != module_.address_size) continue;
      changed_ = origins_[targets[i]].insert(index).second || changed_;
    }
  }

  void propagate(const Instruction& instruction) {
    if (instruction.operands.empty()) return;
    const std::string& opcode = instruction.opcode;
    if (opcode == "ld" && instruction.operands.size() >= 2) {
      const auto* address = std::get_if<Address>(&instruction.operands[1].value);
      if (address && address->base == Address::Base::kSymbol) load_parameter(instruction, *address);
      return;
    }
    // Operands through which a pointer stays a pointer; offsets that were multiplied or converted
    // from 32 bits do not come through here.
    std::vector<size_t> from;
    if (opcode == "mov" || opcode == "cvta" || opcode == "and") {
      from = {1};
    } else if (opcode == "add" || opcode == "selp" || opcode == "or") {
      from = {1, 2};
    } else if (opcode == "sub") {
      from = {1};
    } else if (opcode == "mad") {
      from = {3};
    } else if (opcode == "cvt" && op::bits(data_type(instruction)) == module_.address_size) {
      from = {1};
    } else {
      return;
    }
    const op::Type type = data_type(instruction);
    if (type != op::Type::kNone && op::bits(type) < module_.address_size && opcode != "mad") return;
    const std::vector<SymbolId> to = registers(instruction.operands[0]);
    for (const size_t i : from) {
      if (i >= instruction.operands.size()) continue;
      const Operand& operand = instruction.operands[i];
      flow(to, registers(operand));
      if (const auto* ref = std::get_if<ptx::SymbolRef>(&operand.value)) {
        const auto parameter = index_.find(ref->symbol);
        if (parameter != index_.end()) uses_[parameter->second].address_taken = true;
      }
      if (opcode != "cvta") continue;
      for (const SymbolId reg : registers(operand))
        for (const uint32_t origin : origins(reg)) slots_[origin].certain = true;
    }
  }

  void mark(const Origins& origins, bool loaded, bool stored, bool escapes, op::Type type) {
    const bool certain =
        std::any_of(origins.begin(), origins.end(), [&](uint32_t i) { return slots_[i].certain; });
    for (const uint32_t i : origins) {
      // base + offset: where one of them is known to be the pointer, the other is an offset.
      if (certain && !slots_[i].certain) continue;
      ParameterSlot& slot = slots_[i].slot;
      slot.pointer = true;
      slot.loaded = slot.loaded || loaded;
      slot.stored = slot.stored || stored;
      slot.escapes = slot.escapes || escapes;
      if (type != op::Type::kNone &&
          std::find(slot.accesses.begin(), slot.accesses.end(), type) == slot.accesses.end())
        slot.accesses.push_back(type);
    }
  }

  void access(const Instruction& instruction) {
    const std::string& opcode = instruction.opcode;
    if (opcode == "prefetch" || opcode == "prefetchu") return;
    const bool store = opcode == "st" || has(instruction, "store");
    const bool load = opcode == "ld" || opcode == "ldu" || has(instruction, "load");
    const bool atomic = opcode == "atom" || opcode == "red";
    const bool copy = opcode == "cp";
    bool first_address = true;
    for (const Operand& operand : instruction.operands) {
      if (const auto* address = std::get_if<Address>(&operand.value)) {
        if (address->base == Address::Base::kRegister) {
          // A copy writes its first address and reads the others.
          const bool writes = store || atomic || (copy && first_address);
          const bool reads = load || atomic || (copy && !first_address);
          mark(origins(address->symbol), reads, writes, !writes && !reads,
               store || load || atomic ? data_type(instruction) : op::Type::kNone);
        }
        first_address = false;
      } else if (store || atomic || opcode == "call") {
        // Only what is certainly a pointer: an s64 scalar may be stored as well.
        for (const SymbolId reg : registers(operand))
          for (const uint32_t origin : origins(reg))
            if (slots_[origin].certain || opcode == "call" || has(instruction, "param"))
              slots_[origin].slot.escapes = true;
      }
    }
    for (Found& found : slots_)
      if (found.certain) found.slot.pointer = true;
  }

  const ptx::Module& module_;
  const ptx::Function& kernel_;
  std::vector<ParameterUse> uses_;
  std::map<SymbolId, size_t> index_;
  std::vector<Found> slots_;
  std::map<SymbolId, Origins> origins_;
  bool changed_ = false;
};

}  // namespace

std::vector<ParameterUse> parameter_uses(const ptx::Module& module, const ptx::Function& kernel) {
  return Analysis(module, kernel).run();
}

Role suggested_role(const ParameterSlot& slot) {
  if (slot.escapes || (slot.loaded && slot.stored)) return Role::kInout;
  return slot.stored ? Role::kOutput : Role::kInput;
}

}  // namespace ptxequiv::spec
