#include "check/symbols.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "spec/nearest.h"

namespace ptxequiv::check {
namespace {

using base::InputError;
using Values = std::vector<spec::Number>;

bool holds_state(const ptx::Symbol& symbol) {
  return symbol.space == ptx::Space::kConst || symbol.space == ptx::Space::kGlobal;
}

// "1.5", "1e3", "inf", "0f3F800000": what only a float is written as.
bool reads_as_float(const std::string& text) {
  if (text.rfind("0x", 0) == 0 || text.rfind("0X", 0) == 0) return false;
  return text.find_first_of(".eEnNfF") != std::string::npos || text.rfind("0d", 0) == 0 ||
         text.rfind("0D", 0) == 0;
}

// Compilers declare arrays of any type as bytes: then it follows from how many numbers fill the
// variable, and from how they are written.
op::Type element_type(const ptx::Symbol& symbol, const Values& values) {
  const uint64_t bytes = symbol.bytes();
  if (op::bits(symbol.type) > 8) return symbol.type;
  if (values.size() == bytes || bytes % values.size() != 0) return symbol.type;
  const bool is_float = std::any_of(values.begin(), values.end(), [](const spec::Number& number) {
    return reads_as_float(number.text);
  });
  const bool is_signed = std::any_of(values.begin(), values.end(), [](const spec::Number& number) {
    return number.text.rfind('-', 0) == 0;
  });
  switch (bytes / values.size()) {
    case 2:
      return is_float ? op::Type::kF16 : is_signed ? op::Type::kS16 : op::Type::kU16;
    case 4:
      return is_float ? op::Type::kF32 : is_signed ? op::Type::kS32 : op::Type::kU32;
    case 8:
      return is_float ? op::Type::kF64 : is_signed ? op::Type::kS64 : op::Type::kU64;
    default:
      return symbol.type;
  }
}

// Bits of an untyped element take numbers as unsigned ones do.
op::Type number_type(op::Type type) {
  switch (type) {
    case op::Type::kB8:
      return op::Type::kU8;
    case op::Type::kB16:
      return op::Type::kU16;
    case op::Type::kB32:
      return op::Type::kU32;
    case op::Type::kB64:
      return op::Type::kU64;
    default:
      return type;
  }
}

std::vector<uint8_t> contents(const spec::Check& check, const ptx::Symbol& symbol,
                              const Values& values) {
  const op::Type type = number_type(element_type(symbol, values));
  const unsigned size = std::max(1u, op::bits(type) / 8);
  if (values.size() * size != symbol.bytes()) {
    throw InputError(check.path, {},
                     fmt::format("the symbol '{}' has {} bytes, and {} numbers are given for it",
                                 symbol.name, symbol.bytes(), values.size()),
                     "give one number for each element; floats with a point");
  }
  std::vector<uint8_t> bytes(symbol.bytes());
  for (size_t i = 0; i < values.size(); ++i) {
    const uint64_t bits = values[i].bits(type);
    for (unsigned byte = 0; byte < size; ++byte) {
      bytes[i * size + byte] = static_cast<uint8_t>(bits >> (8 * byte));
    }
  }
  return bytes;
}

}  // namespace

std::vector<machine::Variable> given_variables(const spec::Check& check,
                                               const std::vector<const ptx::Module*>& modules,
                                               std::vector<bool>& found) {
  std::vector<machine::Variable> given;
  found.resize(check.symbols.size());
  for (size_t i = 0; i < check.symbols.size(); ++i) {
    const auto& [name, values] = check.symbols[i];
    for (const ptx::Module* module : modules) {
      for (const ptx::SymbolId id : module->variables) {
        const ptx::Symbol& symbol = module->symbol(id);
        if (symbol.name != name || !holds_state(symbol)) continue;
        found[i] = true;
        given.push_back({module, id, contents(check, symbol, values)});
      }
    }
  }
  return given;
}

void require_found(const spec::Check& check, const std::vector<const ptx::Module*>& modules,
                   const std::vector<bool>& found) {
  for (size_t i = 0; i < check.symbols.size(); ++i) {
    if (found[i]) continue;
    const std::string& name = check.symbols[i].first;
    std::vector<std::string> known;
    for (const ptx::Module* module : modules) {
      for (const ptx::SymbolId id : module->variables) {
        if (holds_state(module->symbol(id))) known.push_back(module->symbol(id).name);
      }
    }
    throw InputError(check.path, {},
                     fmt::format("no module has a __constant__ or __device__ variable '{}'", name),
                     spec::nearest_hint(name, known));
  }
}

}  // namespace ptxequiv::check
