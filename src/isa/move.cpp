// mov in all its forms, cvta, isspacep and createpolicy (PTX manual, 9.7.9).
#include <fmt/format.h>

#include "isa/context.h"
#include "isa/walker.h"

namespace ptxequiv::isa {
namespace {

bool is_vector(const ptx::Operand& operand) {
  return std::holds_alternative<ptx::Vector>(operand.value);
}

// The width of one of `count` elements, or an error.
unsigned element_width(Context& c, std::string_view name, size_t count) {
  const unsigned whole = op::bits(c.type());
  if (op::bits_type(whole) != c.type()) {
    c.fail(c.operand(name), "only .b16, .b32 and .b64 moves pack and unpack vectors");
  }
  if ((count != 2 && count != 4) || whole / count < 8) {
    c.fail(c.operand(name), fmt::format("{} elements do not make {} bits", count, whole));
  }
  return whole / static_cast<unsigned>(count);
}

// mov.b64 d, {a, b}: the first element is the least significant.
void pack(Context& c) {
  const auto elements = c.elements("a");
  const unsigned width = element_width(c, "a", elements.size());
  std::vector<ValueId> values;
  for (const ptx::Operand& element : elements) {
    values.push_back(c.use_operand(element, op::bits_type(width)));
  }
  while (values.size() > 1) {
    for (size_t i = 0; i < values.size() / 2; ++i) {
      values[i] = c.concat(values[2 * i + 1], values[2 * i]);
    }
    values.resize(values.size() / 2);
  }
  c.define("d", values[0]);
}

void unpack(Context& c) {
  const ValueId value = c.use("a");
  const auto elements = c.elements("d");
  const unsigned width = element_width(c, "d", elements.size());
  for (size_t i = 0; i < elements.size(); ++i) {
    if (std::holds_alternative<ptx::Sink>(elements[i].value)) continue;
    const ValueId part = c.extract(value, static_cast<unsigned>(i) * width, width);
    c.define_operand(elements[i], part, op::bits_type(width));
  }
}

// Parts of 128 bits: two of 64 or four of 32, the least significant first.
unsigned wide_part(Context& c, std::string_view name, size_t count) {
  if (count == 2 || count == 4) return 128 / static_cast<unsigned>(count);
  c.fail(c.operand(name), "two .b64 or four .b32 elements make a .b128");
}

void lower_mov_wide(Context& c) {
  const ptx::Operand& from = c.operand("a");
  const ptx::Operand& to = c.operand("d");
  if (is_vector(from)) {
    const auto elements = c.elements("a");
    const Type type = op::bits_type(wide_part(c, "a", elements.size()));
    std::vector<ValueId> parts;
    for (const ptx::Operand& element : elements) parts.push_back(c.use_operand(element, type));
    if (parts.size() == 4) parts = {c.concat(parts[1], parts[0]), c.concat(parts[3], parts[2])};
    return c.define_halves(to, {parts[0], parts[1]});
  }
  const Context::Halves value = c.use_halves(from);
  if (!is_vector(to)) return c.define_halves(to, value);
  const auto elements = c.elements("d");
  const unsigned width = wide_part(c, "d", elements.size());
  for (size_t i = 0; i < elements.size(); ++i) {
    const unsigned position = static_cast<unsigned>(i) * width;
    const ValueId half = position < 64 ? value.low : value.high;
    c.define_operand(elements[i], c.extract(half, position % 64, width), op::bits_type(width));
  }
}

void lower_mov(Context& c) {
  if (c.type() == Type::kB128) return lower_mov_wide(c);
  const ptx::Operand& source = c.operand("a");
  if (is_vector(source)) return pack(c);
  if (is_vector(c.operand("d"))) return unpack(c);
  if (const auto* symbol = std::get_if<ptx::SymbolRef>(&source.value)) {
    const ptx::Module& module = c.walker().module();
    const ptx::Symbol& named = module.symbol(symbol->symbol);
    if (named.kind == ptx::SymbolKind::kFunction) {
      const ptx::Function* code = module.find_function(named.name);
      if (code == nullptr || code->is_entry) return c.unsupported();
      return c.define("d", c.address_of(code->symbol, symbol->addend, op::bits(c.type())));
    }
  }
  if (std::holds_alternative<ptx::LabelRef>(source.value)) return c.unsupported();
  c.define("d", c.use("a"));
}

void lower_mov_vector(Context& c) {
  const auto from = c.elements("a"), to = c.elements("d");
  if (from.size() != to.size()) c.fail("both vectors must have the same length");
  std::vector<ValueId> values;
  for (const ptx::Operand& element : from) values.push_back(c.use_operand(element, c.type()));
  for (size_t i = 0; i < to.size(); ++i) c.define_operand(to[i], values[i], c.type());
}

ptx::Space space_of(const Context& c) {
  if (c.has("shared::cluster")) return ptx::Space::kShared;  // the CTA's own window lies in it
  for (const std::string& modifier : c.instruction().modifiers) {
    const ptx::Space space = space_named(modifier);
    if (space != ptx::Space::kGeneric) return space;
  }
  return ptx::Space::kGeneric;
}

// A variable's own space is the only one that its address can be in.
void check_variable(Context& c) {
  const auto* symbol = std::get_if<ptx::SymbolRef>(&c.operand("a").value);
  if (symbol == nullptr) return;
  const ptx::Symbol& variable = c.walker().module().symbol(symbol->symbol);
  if (c.has("to")) c.fail(c.operand("a"), "cvta.to needs a register");
  if (variable.space != space_of(c)) {
    c.fail(c.operand("a"),
           fmt::format("'{}' lies in .{} space", variable.name, ir::name(variable.space)));
  }
}

void lower_cvta(Context& c) {
  check_variable(c);
  const ir::Opcode opcode = c.has("to") ? ir::Opcode::kFromGeneric : ir::Opcode::kToGeneric;
  const ValueId a = c.use("a");
  ir::Inst& inst = c.builder().emit(opcode, {c.bits(a)}, {a});
  inst.detail = ir::SpaceUse{space_of(c)};
  const ValueId result = inst.dests[0];
  c.define("d", result);
}

void lower_isspacep(Context& c) {
  const unsigned width = c.register_bits("a");
  if (width != 32 && width != 64) c.fail(c.operand("a"), "an address register is needed here");
  const ValueId a = c.use("a", width == 32 ? Type::kU32 : Type::kU64);
  ir::Inst& inst = c.builder().emit(ir::Opcode::kIsSpace, {1}, {a});
  inst.detail = ir::SpaceUse{space_of(c)};
  const ValueId result = inst.dests[0];
  c.define("p", result, Type::kPred);
}

// A cache policy only guides the hardware: any value will do.
void lower_createpolicy(Context& c) {
  c.define_operand(c.instruction().operands.at(0), c.constant(64, 0), Type::kB64);
}

#define SPACES                                                                                 \
  ".(const<31,20>|global|local|shared|shared::cta<78,20>|shared::cluster<78,90>|param<77,70>|" \
  "param::"                                                                                    \
  "entry<83,70>)"
#define PRIMARY ".(L2::evict_last|L2::evict_normal|L2::evict_first|L2::evict_unchanged)"
#define SECONDARY "{.L2::evict_first|.L2::evict_unchanged}"

constexpr Row kRows[] = {
    {"mov", ".(b16|b32|b64|b128<83,70>|u16|u32|u64|s16|s32|s64|f32|f64) d, a", 10, 10, lower_mov,
     "9.7.9.3"},
    {"mov", ".b16 d:v2:b8, a", 10, 10, lower_mov, "9.7.9.4"},
    {"mov", ".b16 d, a:v2:b8", 10, 10, lower_mov, "9.7.9.4"},
    {"mov", ".(b32|b64|b128<83,70>) d:v2:any|v4:any, a", 10, 10, lower_mov, "9.7.9.4"},
    {"mov", ".(b32|b64|b128<83,70>) d, a:v2:any|v4:any", 10, 10, lower_mov, "9.7.9.4"},
    {"mov", ".(v2|v4).(b16|b32|u16|u32|s16|s32|f32) d:vN:t1, a:vN:t1", 10, 10, lower_mov_vector,
     "9.7.9.3"},
    {"mov", ".v2.(b64|u64|s64|f64) d:vN:t1, a:vN:t1", 10, 10, lower_mov_vector, "9.7.9.3"},
    {"mov", ".pred d, !a", 10, 10, lower_mov, "9.7.9.3"},
    {"cvta", "{.to}" SPACES ".(u32|u64) d, a", 20, 20, lower_cvta, "9.7.9.20"},
    {"isspacep", SPACES " p:pred, a:u32|u64", 20, 20, lower_isspacep, "9.7.9.19"},
    {"createpolicy", ".fractional" PRIMARY SECONDARY ".b64 d{, fraction:f32}", 74, 80,
     lower_createpolicy, "9.7.9.18"},
    {"createpolicy", ".range{.global}" PRIMARY SECONDARY ".b64 d, [a], primary:u32, total:u32", 74,
     80, lower_createpolicy, "9.7.9.18"},
    {"createpolicy", ".cvt.L2.b64 d, a", 74, 80, lower_createpolicy, "9.7.9.18"},
};

#undef SPACES
#undef PRIMARY
#undef SECONDARY

}  // namespace

std::span<const Row> move_rows() {
  return kRows;
}

}  // namespace ptxequiv::isa
