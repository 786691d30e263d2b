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

}  // namespace ptxequiv::isa
