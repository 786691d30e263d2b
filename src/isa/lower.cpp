#include "isa/lower.h"

#include "base/error.h"
#include "isa/walker.h"

namespace ptxequiv::isa {

ir::Function lower(const ptx::Module& module, const ptx::Function& entry) {
  PTXEQUIV_CHECK(entry.is_entry, "only entries are lowered by themselves");
  ir::Function function{.name = entry.name, .module = &module, .source = &entry};
  Walker(module, entry, function).run();
  return function;
}

void check(const ptx::Module& module) {
  check(module, [](const base::InputError& error) { throw error; });
}

void check(const ptx::Module& module, const std::function<void(const base::InputError&)>& report) {
  for (const ptx::Function& function : module.functions) {
    if (function.is_declaration) continue;
    ir::Function unused{.name = function.name, .module = &module, .source = &function};
    Walker(module, function, unused).check(report);
  }
}

}  // namespace ptxequiv::isa
