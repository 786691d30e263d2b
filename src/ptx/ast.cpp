#include "ptx/ast.h"

namespace ptxequiv::ptx {

std::string Instruction::full_name() const {
  std::string name = opcode;
  for (const std::string& modifier : modifiers) name.append(".").append(modifier);
  return name;
}

const Function* Module::find_function(std::string_view name) const {
  for (const Function& function : functions)
    if (function.name == name) return &function;
  return nullptr;
}

const SourceFile* Module::find_file(uint32_t index) const {
  for (const SourceFile& file : files)
    if (file.index == index) return &file;
  return nullptr;
}

std::vector<const Function*> Module::entries() const {
  std::vector<const Function*> result;
  for (const Function& function : functions)
    if (function.is_entry && !function.is_declaration) result.push_back(&function);
  return result;
}

}  // namespace ptxequiv::ptx
