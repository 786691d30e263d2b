#include "cli/inspect.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "isa/lower.h"
#include "report/layout.h"
#include "spec/nearest.h"
#include "spec/parameters.h"
#include "spec/vocabulary.h"

namespace ptxequiv::cli {
namespace {

using base::InputError;
using spec::ParameterSlot;
using spec::ParameterUse;

std::vector<const ptx::Function*> chosen_entries(const ptx::Module& module,
                                                 const std::string& entry) {
  const std::vector<const ptx::Function*> entries = module.entries();
  if (entries.empty()) throw InputError(module.path, {}, "has no .entry", "is it PTX of a kernel?");
  if (entry.empty()) return entries;
  std::vector<std::string> names;
  for (const ptx::Function* each : entries) {
    if (each->name == entry) return {each};
    names.push_back(each->name);
  }
  throw InputError(module.path, {}, fmt::format("has no entry \"{}\"", entry),
                   spec::nearest_hint(entry, names));
}

struct SharedMemory {
  uint64_t bytes = 0;
  bool dynamic = false;
};

SharedMemory shared_memory(const ptx::Module& module, const ptx::Function& kernel) {
  SharedMemory result;
  const auto count = [&](const std::vector<ptx::SymbolId>& variables) {
    for (const ptx::SymbolId id : variables) {
      const ptx::Symbol& symbol = module.symbol(id);
      if (symbol.space != ptx::Space::kShared) continue;
      if (symbol.is_unsized || symbol.is_extern) {
        result.dynamic = true;
      } else {
        result.bytes += symbol.bytes();
      }
    }
  };
  count(module.variables);
  count(kernel.locals);
  return result;
}

std::string types(const std::vector<op::Type>& list) {
  std::vector<std::string_view> names;
  for (const op::Type type : list) names.push_back(op::name(type));
  return names.empty() ? "" : fmt::format(" as {}", fmt::join(names, ", "));
}

std::string slot_use(const ParameterSlot& slot) {
  if (!slot.pointer) return fmt::format("scalar of {} bytes", slot.bytes);
  std::string what;
  if (slot.loaded && slot.stored) {
    what = "read and written" + types(slot.accesses);
  } else if (slot.loaded) {
    what = "read" + types(slot.accesses);
  } else if (slot.stored) {
    what = "written" + types(slot.accesses);
  } else {
    what = "not followed";
  }
  if (slot.escapes) what += ", also passed on";
  return fmt::format("pointer, {}: {}", what, spec::name(spec::suggested_role(slot)));
}

std::string parameter_type(const ParameterUse& use) {
  if (use.is_array) return fmt::format("{} bytes", use.bytes);
  return std::string(op::name(use.type));
}

bool looks_like_tensor_map(const ParameterUse& use) {
  return use.is_array && use.bytes == 128 && use.align >= 64 && use.slots.empty();
}

void describe_entry(const ptx::Module& module, const ptx::Function& kernel, report::Lines& lines) {
  const std::vector<ParameterUse> uses = spec::parameter_uses(module, kernel);
  const SharedMemory shared = shared_memory(module, kernel);
  std::vector<std::string> facts = {
      fmt::format("{} parameter{}", uses.size(), uses.size() == 1 ? "" : "s")};
  if (shared.bytes > 0) facts.push_back(fmt::format("{} bytes of shared memory", shared.bytes));
  if (shared.dynamic) facts.push_back("dynamic shared memory");
  for (const auto& [directive, values] : kernel.directives)
    facts.push_back(values.empty() ? "." + directive
                                   : fmt::format(".{} {}", directive, fmt::join(values, ", ")));
  lines.paragraph(fmt::format("{}", fmt::join(facts, "; ")), 0, kernel.name + "   ");
  std::vector<std::vector<std::string>> rows;
  for (size_t i = 0; i < uses.size(); ++i) {
    const ParameterUse& use = uses[i];
    std::string what;
    if (looks_like_tensor_map(use)) {
      what = "tensor map, by its size";
    } else if (use.slots.empty()) {
      what = use.address_taken ? "address taken" : "not used";
    } else if (use.slots.size() == 1 && !use.is_array) {
      what = slot_use(use.slots[0]);
    } else {
      what = "struct";
    }
    rows.push_back({std::to_string(i), use.name, parameter_type(use), what});
    if (what != "struct") continue;
    for (const ParameterSlot& slot : use.slots)
      rows.push_back({"", fmt::format("  +{}", slot.offset), std::string(op::name(slot.type)),
                      slot_use(slot)});
  }
  lines.table(rows, 2);
}

// Writes the file by hand: it has comments, which no JSON library prints.
class Template {
 public:
  Template(const ptx::Module& reference, const ptx::Function& reference_kernel,
           const ptx::Module& candidate, const ptx::Function& candidate_kernel) {
    text_ =
        "{\n  \"schema\": \"ptxequiv/check/v1\",\n"
        "  // Replace every \"?\". Sizes and grids are never inferred.\n";
    const std::string reference_launch = launch(reference, reference_kernel);
    const std::string candidate_launch = launch(candidate, candidate_kernel);
    text_ += "  \"buffers\": {\n" + fmt::format("{}", fmt::join(buffers_, ",\n")) + "\n  },\n";
    text_ += "  \"scalars\": {\n" + fmt::format("{}", fmt::join(scalars_, ",\n")) +
             (scalars_.empty() ? "" : "\n") + "  },\n";
    text_ += "  \"reference\": {\"launches\": [\n" + reference_launch + "\n  ]},\n";
    text_ += "  \"candidate\": {\"launches\": [\n" + candidate_launch + "\n  ]},\n";
    text_ += "  \"level\": \"real\"\n}\n";
  }
  const std::string& text() const { return text_; }

 private:
  static std::string quoted(const std::string& text) { return nlohmann::json(text).dump(); }

  // The parameter's own name, unless it is one that a compiler made up.
  static std::string value_name(const ParameterUse& use, size_t index, uint32_t offset) {
    const bool made_up = use.name.find("_param_") != std::string::npos;
    std::string result = made_up || use.name.empty() ? fmt::format("p{}", index) : use.name;
    for (char& c : result)
      if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_') c = '_';
    if (std::isdigit(static_cast<unsigned char>(result[0]))) result = "p" + result;
    if (use.is_array) result += fmt::format("_{}", offset);
    return result;
  }

  static std::string guessed_type(const ParameterSlot& slot, op::Type declared) {
    const op::Type type = slot.type != op::Type::kNone ? slot.type : declared;
    if (op::is_float(type)) return std::string(op::name(type));
    // Untyped: Triton loads floats and integers alike as .b32.
    if (!op::info(type).is_integer) return "?";
    return fmt::format("s{}", op::bits(type));
  }

  std::string argument(const ParameterUse& use, const ParameterSlot& slot, size_t index) {
    const std::string name = value_name(use, index, slot.offset);
    if (!names_.insert(name).second) return quoted(name);  // both sides use it
    if (slot.pointer) {
      const op::Type type = slot.accesses.empty() ? op::Type::kF32 : slot.accesses[0];
      const bool known = spec::data_type_named(op::name(type)).has_value();
      const bool untyped = op::name(type).substr(0, 1) == "b";
      buffers_.push_back(fmt::format("    {}: {{\"type\": {}, \"shape\": [\"?\"], \"role\": {}}}",
                                     quoted(name),
                                     quoted(std::string(known && !untyped ? op::name(type) : "?")),
                                     quoted(std::string(spec::name(spec::suggested_role(slot))))));
    } else {
      scalars_.push_back(fmt::format("    {}: {{\"type\": {}, \"value\": \"?\"}}", quoted(name),
                                     quoted(guessed_type(slot, use.type))));
    }
    return quoted(name);
  }

  std::string launch(const ptx::Module& module, const ptx::Function& kernel) {
    std::vector<std::string> args;
    const std::vector<ParameterUse> uses = spec::parameter_uses(module, kernel);
    for (size_t i = 0; i < uses.size(); ++i) {
      const ParameterUse& use = uses[i];
      if (looks_like_tensor_map(use)) {
        args.push_back("{\"tensormap\": {\"buffer\": \"?\", \"box\": [\"?\"]}}");
      } else if (use.slots.empty()) {
        args.push_back(use.is_array ? "{\"struct\": [\"?\"]}"
                       : op::bits(use.type) == 64
                           ? "\"null\""
                           : fmt::format("{{\"{}\": 0}}", op::name(use.type)));
      } else if (use.is_array) {
        std::vector<std::string> members;
        for (const ParameterSlot& slot : use.slots) members.push_back(argument(use, slot, i));
        args.push_back(fmt::format("{{\"struct\": [{}]}}", fmt::join(members, ", ")));
      } else {
        args.push_back(argument(use, use.slots[0], i));
      }
    }
    std::string result = fmt::format("    {{\"ptx\": {}, \"kernel\": {},\n     \"grid\": [\"?\"],",
                                     quoted(module.path), quoted(kernel.name));
    const bool fixed = std::any_of(kernel.directives.begin(), kernel.directives.end(),
                                   [](const auto& d) { return d.first == "reqntid"; });
    // A block that .reqntid fixes is inferred.
    if (!fixed) result += " \"block\": [\"?\"],";
    if (shared_memory(module, kernel).dynamic) result += " \"shared_bytes\": \"?\",";
    return result + fmt::format("\n     \"args\": [{}]}}", fmt::join(args, ", "));
  }

  std::string text_;
  std::set<std::string> names_;
  std::vector<std::string> buffers_, scalars_;
};

const ptx::Function& single_entry(const ptx::Module& module, const std::string& entry) {
  const std::vector<const ptx::Function*> entries = chosen_entries(module, entry);
  if (entries.size() == 1) return *entries[0];
  std::vector<std::string> names;
  for (const ptx::Function* each : entries) names.push_back(each->name);
  throw InputError(module.path, {}, fmt::format("has {} entries", entries.size()),
                   fmt::format("choose one with --entry: {}", fmt::join(names, ", ")));
}

}  // namespace

std::string describe_module(const ptx::Module& module, const std::string& entry) {
  isa::check(module);
  report::Lines lines(100, false);
  lines.paragraph(fmt::format("{}: PTX {}.{} for {}", module.path, module.version_major,
                              module.version_minor, module.target),
                  0);
  for (const ptx::Function* kernel : chosen_entries(module, entry))
    describe_entry(module, *kernel, lines);
  return lines.text(SIZE_MAX);
}

std::string check_file_for(const ptx::Module& reference, const ptx::Module& candidate,
                           const std::string& entry) {
  return Template(reference, single_entry(reference, entry), candidate,
                  single_entry(candidate, &reference == &candidate ? entry : ""))
      .text();
}

}  // namespace ptxequiv::cli
