#include "check/prepare.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "check/symbols.h"
#include "check/values.h"
#include "isa/lower.h"
#include "ptx/parser.h"
#include "spec/infer.h"

namespace ptxequiv::check {
namespace {

using base::InputError;

template <typename Range>
std::string quoted_list(const Range& names) {
  return fmt::format("'{}'", fmt::join(names, "', '"));
}

machine::Role to_machine(spec::Role role) {
  switch (role) {
    case spec::Role::kInput: return machine::Role::kInput;
    case spec::Role::kOutput: return machine::Role::kOutput;
    case spec::Role::kInout: return machine::Role::kInout;
    case spec::Role::kScratch: return machine::Role::kScratch;
  }
  return machine::Role::kScratch;
}

// The declared bounds of integers that the machine may rely on for indices.
std::optional<machine::IntegerRange> integer_range(const std::optional<spec::Range>& range,
                                                   op::Type type) {
  if (!range || !op::info(type).is_integer) return std::nullopt;
  const auto end = [&](const std::optional<spec::Number>& number, const mpq_class& otherwise) {
    return number ? *value_of(type, number->bits(type)) : otherwise;
  };
  const mpq_class low = end(range->low, least(type)), high = end(range->high, greatest(type));
  if (!low.get_num().fits_slong_p() || !high.get_num().fits_slong_p()) return std::nullopt;
  return machine::IntegerRange{low.get_num().get_si(), high.get_num().get_si()};
}

// Builds the parts of one argument, following C's natural alignment inside structs.
class ArgumentBuilder {
 public:
  ArgumentBuilder(const spec::Check& check, const std::map<std::string, uint32_t>& buffers,
                  const std::map<std::string, uint32_t>& scalars)
      : check_(check), buffers_(buffers), scalars_(scalars) {}

  machine::Argument build(const spec::Argument& argument) {
    machine::Argument out;
    size_ = 0;
    append(argument, out);
    return out;
  }
  uint32_t size() const { return size_; }

 private:
  // Members are flattened in order; deeper nesting is refused.
  void append(const spec::Argument& argument, machine::Argument& out) {
    if (const auto* group = std::get_if<spec::Argument::Struct>(&argument.value)) {
      for (const spec::Argument& member : group->members) {
        if (std::holds_alternative<spec::Argument::Struct>(member.value)) {
          throw InputError(check_.path, member.loc, "a struct argument inside a struct argument",
                           "list the inner members directly, in order");
        }
        append_scalar(member, out);
      }
      return;
    }
    append_scalar(argument, out);
  }

  void append_scalar(const spec::Argument& argument, machine::Argument& out) {
    machine::Argument::Part part;
    uint32_t bytes = 8;
    if (const auto* ref = std::get_if<spec::Argument::BufferRef>(&argument.value)) {
      part.value = machine::Argument::Part::BufferAddress{lookup(buffers_, ref->buffer, argument.loc),
                                                          ref->offset_bytes};
    } else if (const auto* scalar = std::get_if<spec::Argument::ScalarRef>(&argument.value)) {
      const uint32_t index = lookup(scalars_, scalar->scalar, argument.loc);
      part.value = machine::Argument::Part::ScalarValue{index};
      bytes = op::bits(check_.scalars[index].type) / 8;
    } else if (const auto* literal = std::get_if<spec::Argument::Literal>(&argument.value)) {
      part.value = machine::Argument::Part::Literal{literal->type, literal->value.bits(literal->type)};
      bytes = op::bits(literal->type) / 8;
    } else if (std::holds_alternative<spec::Argument::Null>(argument.value)) {
      part.value = machine::Argument::Part::Literal{op::Type::kB64, 0};
    } else {
      throw base::Unsupported("tensormap argument", check_.path, argument.loc,
                              "TMA is not modelled yet");
    }
    bytes = std::max<uint32_t>(bytes, 1);
    size_ = (size_ + bytes - 1) / bytes * bytes;
    part.offset = size_;
    size_ += bytes;
    out.parts.push_back(part);
  }

  uint32_t lookup(const std::map<std::string, uint32_t>& names, const std::string& name,
                  base::SourceLoc loc) const {
    auto found = names.find(name);
    if (found == names.end()) {
      throw InputError(check_.path, loc, fmt::format("argument '{}' is not declared", name),
                       "declare it under \"buffers\" or \"scalars\"");
    }
    return found->second;
  }

  const spec::Check& check_;
  const std::map<std::string, uint32_t>& buffers_;
  const std::map<std::string, uint32_t>& scalars_;
  uint32_t size_ = 0;
};

// Names of an entry's parameters with their types, for diagnostics.
std::string signature(const ptx::Module& module, const ptx::Function& entry) {
  std::vector<std::string> parts;
  for (ptx::SymbolId id : entry.parameters) {
    const ptx::Symbol& symbol = module.symbol(id);
    parts.push_back(symbol.is_array ? fmt::format("{} bytes", symbol.bytes())
                                    : "." + std::string(op::name(symbol.type)));
  }
  return fmt::format("({})", fmt::join(parts, ", "));
}

class Builder {
 public:
  Builder(Prepared& out, Sources& sources) : out_(out), spec_(out.spec), sources_(sources) {
    for (size_t i = 0; i < spec_.buffers.size(); ++i) buffer_index_[spec_.buffers[i].name] = i;
    for (size_t i = 0; i < spec_.scalars.size(); ++i) scalar_index_[spec_.scalars[i].name] = i;
  }

  void build() {
    make_buffers();
    for (const spec::Scalar& scalar : spec_.scalars) {
      machine::Scalar s;
      s.name = scalar.name;
      s.type = scalar.type;
      s.range = integer_range(scalar.range, scalar.type);
      if (scalar.value) s.value = scalar.value->bits(scalar.type);
      out_.scalars.push_back(s);
    }
    make_side(spec_.reference, out_.reference, "reference");
    make_side(spec_.candidate, out_.candidate, "candidate");
    std::vector<const ptx::Module*> all;
    std::vector<bool> found;
    for (machine::Program* program : {&out_.reference, &out_.candidate}) {
      std::vector<const ptx::Module*> modules;
      for (const machine::Step& step : program->steps) {
        const auto* launch = std::get_if<machine::Launch>(&step);
        if (launch == nullptr) continue;
        const ptx::Module* module = launch->function->module;
        if (std::find(modules.begin(), modules.end(), module) == modules.end()) {
          modules.push_back(module);
        }
      }
      program->variables = given_variables(spec_, modules, found);
      all.insert(all.end(), modules.begin(), modules.end());
    }
    require_found(spec_, all, found);
  }

 private:
  void make_buffers() {
    for (const spec::Buffer& buffer : spec_.buffers) {
      machine::Buffer b;
      b.name = buffer.name;
      b.type = buffer.type;
      b.elements = buffer.elements();
      b.role = to_machine(buffer.role);
      b.align = buffer.align;
      b.range = integer_range(buffer.range, buffer.type);
      out_.buffers.push_back(b);
    }
    for (size_t group = 0; group < spec_.alias.size(); ++group) {
      for (const std::string& name : spec_.alias[group]) {
        auto found = buffer_index_.find(name);
        if (found == buffer_index_.end()) {
          throw InputError(spec_.path, {}, fmt::format("alias names '{}', which is no buffer", name));
        }
        out_.buffers[found->second].alias_group = static_cast<int>(group);
      }
    }
  }

  uint32_t buffer(const std::string& name, base::SourceLoc loc) const {
    auto found = buffer_index_.find(name);
    if (found == buffer_index_.end()) {
      throw InputError(spec_.path, loc, fmt::format("'{}' is not a buffer", name));
    }
    return found->second;
  }

  void make_side(const spec::Side& side, machine::Program& program, const std::string& name) {
    if (side.steps.empty()) {
      throw InputError(spec_.path, {}, fmt::format("the {} has no launches", name));
    }
    for (const spec::Step& step : side.steps) {
      if (const auto* fill = std::get_if<spec::Fill>(&step)) {
        const uint32_t index = buffer(fill->buffer, fill->loc);
        program.steps.push_back(machine::Fill{index, fill->value.bits(spec_.buffers[index].type)});
      } else if (const auto* copy = std::get_if<spec::Copy>(&step)) {
        const uint32_t from = buffer(copy->from, copy->loc), to = buffer(copy->to, copy->loc);
        if (out_.buffers[from].bytes() != out_.buffers[to].bytes()) {
          throw InputError(spec_.path, copy->loc,
                           fmt::format("copy from '{}' ({} bytes) to '{}' ({} bytes)", copy->from,
                                       out_.buffers[from].bytes(), copy->to,
                                       out_.buffers[to].bytes()),
                           "both buffers of a copy must have the same size");
        }
        program.steps.push_back(machine::Copy{from, to});
      } else {
        program.steps.push_back(make_launch(std::get<spec::Launch>(step), name));
      }
    }
  }

  machine::Launch make_launch(const spec::Launch& launch, const std::string& side) {
    const ir::Function& function =
        sources_.function(launch.ptx, launch.kernel, launch.loc, spec_.path);
    machine::Launch out;
    out.function = &function;
    if (!launch.grid) {
      throw InputError(spec_.path, launch.loc, fmt::format("the {}'s grid is not given", side),
                       "say --grid X[,Y[,Z]] or \"grid\" in the launch; sizes are never inferred");
    }
    if (!launch.block) {
      throw InputError(spec_.path, launch.loc, fmt::format("the {}'s block is not given", side),
                       "say --block X[,Y[,Z]] or \"block\"; the kernel has no .reqntid");
    }
    out.grid = *launch.grid;
    out.block = *launch.block;
    check_extent(out.grid, "grid", launch);
    check_extent(out.block, "block", launch);
    if (launch.cluster) out.cluster = *launch.cluster;
    out.dependent = launch.pdl;
    out.shared_bytes = launch.shared_bytes;
    make_arguments(launch, function, out);
    return out;
  }

  void check_extent(const std::array<uint32_t, 3>& extent, const char* what,
                    const spec::Launch& launch) const {
    for (uint32_t n : extent) {
      if (n == 0) {
        throw InputError(spec_.path, launch.loc,
                         fmt::format("{} of {} x {} x {} has no threads", what, extent[0],
                                     extent[1], extent[2]),
                         fmt::format("every dimension of a {} is at least 1", what));
      }
    }
  }

  void make_arguments(const spec::Launch& launch, const ir::Function& function,
                      machine::Launch& out) {
    const ptx::Module& module = *function.module;
    const ptx::Function& entry = *function.source;
    const size_t wanted = entry.parameters.size();
    if (!launch.args) {
      throw InputError(spec_.path, launch.loc,
                       fmt::format("the arguments of '{}' {} are not given", entry.name,
                                   signature(module, entry)),
                       "list them in parameter order with --args or \"args\"");
    }
    if (launch.args->size() != wanted) {
      throw InputError(
          spec_.path, launch.loc,
          fmt::format("'{}' takes {} parameters {}, {} are given", entry.name, wanted,
                      signature(module, entry), launch.args->size()),
          fmt::format("`ptxequiv inspect {}` lists them", launch.ptx));
    }
    ArgumentBuilder builder(spec_, buffer_index_, scalar_index_);
    for (size_t i = 0; i < wanted; ++i) {
      const spec::Argument& argument = (*launch.args)[i];
      const ptx::Symbol& parameter = module.symbol(entry.parameters[i]);
      out.arguments.push_back(builder.build(argument));
      const uint64_t have = builder.size(), want = parameter.bytes();
      const bool is_struct = std::holds_alternative<spec::Argument::Struct>(argument.value);
      if (is_struct ? have > want : have != want) {
        throw InputError(spec_.path, argument.loc,
                         fmt::format("parameter {} of '{}' ({}) has {} bytes, its argument {}", i,
                                     entry.name, parameter.name, want, have),
                         "arguments are in parameter order; a pointer has 8 bytes");
      }
    }
  }

  Prepared& out_;
  const spec::Check& spec_;
  Sources& sources_;
  std::map<std::string, uint32_t> buffer_index_, scalar_index_;
};

}  // namespace

const ptx::Module& Sources::module(const std::string& path) {
  auto& slot = modules_[path];
  if (!slot) {
    auto parsed = std::make_unique<ptx::Module>(ptx::parse_file(path));
    isa::check(*parsed);
    slot = std::move(parsed);
  }
  return *slot;
}

const ir::Function& Sources::function(const std::string& path, const std::string& entry,
                                      base::SourceLoc asked_at, const std::string& check_file) {
  auto& slot = functions_[{path, entry}];
  if (slot) return *slot;
  const ptx::Module& m = module(path);
  const std::vector<const ptx::Function*> entries = m.entries();
  std::vector<std::string> names;
  for (const ptx::Function* f : entries) names.push_back(f->name);
  const ptx::Function* chosen = nullptr;
  for (const ptx::Function* f : entries) {
    if (f->name == entry || (entry.empty() && entries.size() == 1)) chosen = f;
  }
  if (!chosen) {
    functions_.erase({path, entry});
    if (entries.empty()) throw InputError(path, {}, "the file has no .entry");
    if (entry.empty()) {
      throw InputError(check_file, asked_at, fmt::format("{} has several entries", path),
                       "name one with --entry or \"kernel\": " + quoted_list(names));
    }
    throw InputError(check_file, asked_at, fmt::format("{} has no entry '{}'", path, entry),
                     "it has " + quoted_list(names));
  }
  slot = std::make_unique<ir::Function>(isa::lower(m, *chosen));
  ir::verify(*slot);
  return *slot;
}

std::vector<std::string> Sources::paths() const {
  std::vector<std::string> out;
  for (const auto& [path, module] : modules_) out.push_back(path);
  return out;
}

Prepared prepare(spec::Check check, Sources& sources) {
  spec::infer(check, [&](const std::string& path) -> const ptx::Module& { return sources.module(path); });
  Prepared out;
  out.spec = std::move(check);
  Builder(out, sources).build();
  return out;
}

}  // namespace ptxequiv::check
