// Runs SSA one thread after another on concrete bits: what a test needs to compare a lowering with
// results that hardware left. No collectives and no races; the machine proper is elsewhere.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ir/ir.h"

namespace ptxequiv::testing {

class Interpreter {
 public:
  // The function must outlive this.
  explicit Interpreter(const ir::Function& function);

  // Makes memory and gives its address.
  uint64_t allocate(std::vector<uint8_t> bytes);
  const std::vector<uint8_t>& bytes_at(uint64_t address) const {
    return regions_.at(address).bytes;
  }
  uint64_t word(uint64_t address, unsigned bits) { return load(address, bits); }
  // Contents of the entry's parameter `index`.
  void set_parameter(uint32_t index, std::vector<uint8_t> bytes);
  void set_parameter(uint32_t index, uint64_t value);

  // All threads of one CTA, in order. Throws std::runtime_error on anything it cannot do.
  void run(uint32_t threads, uint32_t cta = 0, uint32_t ctas = 1);

 private:
  struct Region {
    std::vector<uint8_t> bytes;
    ptx::Space space = ptx::Space::kGlobal;
  };
  Region& region_of(uint64_t address, uint64_t& offset);
  uint64_t load(uint64_t address, unsigned bits);
  void store(uint64_t address, unsigned bits, uint64_t value);
  void run_thread(uint32_t thread, uint32_t threads, uint32_t cta, uint32_t ctas);
  void execute(const ir::Inst& inst, uint32_t thread, uint32_t threads, uint32_t cta,
               uint32_t ctas);
  uint64_t value(ir::ValueId id) const;

  const ir::Function& function_;
  std::map<uint64_t, Region> regions_;  // by first address
  std::vector<uint64_t> object_address_;
  std::vector<uint64_t> values_;
  uint64_t next_region_ = 1;
};

}  // namespace ptxequiv::testing
