// Context: building operations.
#include "base/error.h"
#include "isa/context.h"
#include "isa/walker.h"

namespace ptxequiv::isa {

ValueId Context::op(Kind kind, unsigned width, std::initializer_list<ValueId> srcs) {
  return builder_.op(Op{.kind = kind, .type = op::bits_type(width)}, srcs);
}

ValueId Context::constant(unsigned width, uint64_t value) {
  return builder_.function().constant(width, value);
}

ValueId Context::extract(ValueId value, unsigned position, unsigned width) {
  const unsigned from = bits(value);
  if (position == 0 && width == from) return value;
  PTXEQUIV_CHECK(position + width <= from, "extract stays inside its operand");
  const ir::Value& known = builder_.function().values[value];
  if (known.is_const) return constant(width, known.constant >> position);
  return builder_.op(
      Op{.kind = Kind::kExtract, .type = op::bits_type(width), .src = op::bits_type(from)}, {value},
      position);
}

ValueId Context::concat(ValueId high, ValueId low) {
  return builder_.op(Op{.kind = Kind::kConcat, .type = op::bits_type(bits(high) * 2)}, {high, low});
}

ValueId Context::resize(ValueId value, unsigned width, bool is_signed) {
  const unsigned from = bits(value);
  if (width == from) return value;
  if (width < from) return extract(value, 0, width);
  const ir::Value& known = builder_.function().values[value];
  if (known.is_const) {
    const bool fill = is_signed && (known.constant >> (from - 1) & 1) != 0;
    return constant(width, fill ? known.constant | ~op::mask(from) : known.constant);
  }
  return builder_.op(Op{.kind = is_signed ? Kind::kSext : Kind::kZext,
                        .type = op::bits_type(width),
                        .src = op::bits_type(from)},
                     {value});
}

ValueId Context::select(ValueId predicate, ValueId if_true, ValueId if_false) {
  if (if_true == if_false) return if_true;
  return op(Kind::kSelect, bits(if_true), {predicate, if_true, if_false});
}

ValueId Context::logic_not(ValueId value) {
  const ir::Value& known = builder_.function().values[value];
  if (known.is_const) return constant(known.bits, ~known.constant);
  return op(Kind::kNot, bits(value), {value});
}

std::vector<ValueId> Context::sources() {
  std::vector<ValueId> values;
  for (const std::string_view name : {"a", "b", "c"}) {
    if (given(name)) values.push_back(use(name));
  }
  return values;
}

ValueId Context::lanewise(Type type, const std::vector<ValueId>& srcs,
                          const LaneFunction& function) {
  const unsigned lanes = lane_count(type);
  const Type lane = lane_type(type);
  if (lanes == 1) return function(lane, srcs);
  const unsigned width = op::bits(lane);
  std::vector<ValueId> results;
  for (unsigned i = 0; i < lanes; ++i) {
    std::vector<ValueId> parts;
    for (const ValueId source : srcs) parts.push_back(extract(source, i * width, width));
    results.push_back(function(lane, parts));
  }
  PTXEQUIV_CHECK(lanes == 2, "packed types have two lanes");
  return concat(results[1], results[0]);
}

// An error only if executed; its destinations hold something whose value is never asked for.
void Context::unsupported() {
  const auto write_all = [&](const ptx::Operand& operand, auto&& write_one) {
    if (const auto* vector = std::get_if<ptx::Vector>(&operand.value)) {
      for (const ptx::Operand& element : vector->elements) write_one(element);
    } else if (const auto* pair = std::get_if<ptx::Pair>(&operand.value)) {
      for (const ptx::Operand& element : pair->elements) write_one(element);
    } else {
      write_one(operand);
    }
  };
  std::vector<Var> vars;
  std::vector<unsigned> widths;
  if (!inst_.operands.empty()) {
    write_all(inst_.operands.front(), [&](const ptx::Operand& dest) {
      ptx::SymbolId id = ptx::kNoSymbol;
      unsigned element = 0;
      if (const auto* reg = std::get_if<ptx::RegisterRef>(&dest.value)) id = reg->symbol;
      if (const auto* part = std::get_if<ptx::RegisterElement>(&dest.value)) {
        id = part->symbol;
        element = part->index;
      }
      if (id == ptx::kNoSymbol || op::bits(walker_.module().symbol(id).type) > 64) return;
      vars.push_back(walker_.variable(id, element));
      widths.push_back(builder_.bits(vars.back()));
    });
  }
  const std::vector<ValueId> dests = emit_guarded(ir::Opcode::kUnsupported, widths, {}).dests;
  for (size_t i = 0; i < vars.size(); ++i) write(vars[i], dests[i]);
}

Type lane_type(Type type) {
  switch (type) {
    case Type::kF16x2:
      return Type::kF16;
    case Type::kBF16x2:
      return Type::kBF16;
    case Type::kU16x2:
      return Type::kU16;
    case Type::kS16x2:
      return Type::kS16;
    case Type::kE4M3x2:
      return Type::kE4M3;
    case Type::kE5M2x2:
      return Type::kE5M2;
    case Type::kF32x2:
      return Type::kF32;
    default:
      return type;
  }
}

unsigned lane_count(Type type) {
  return lane_type(type) == type ? 1 : 2;
}

ptx::Space space_named(std::string_view modifier) {
  struct Name {
    std::string_view name;
    ptx::Space space;
  };
  static constexpr Name kNames[] = {
      {"param", ptx::Space::kParam},       {"param::entry", ptx::Space::kParam},
      {"param::func", ptx::Space::kParam}, {"global", ptx::Space::kGlobal},
      {"shared", ptx::Space::kShared},     {"shared::cta", ptx::Space::kShared},
      {"local", ptx::Space::kLocal},       {"const", ptx::Space::kConst},
  };
  for (const Name& name : kNames) {
    if (name.name == modifier) return name.space;
  }
  return ptx::Space::kGeneric;
}

ptx::SymbolId Context::wide_register(const ptx::Operand& operand) const {
  const auto* reg = std::get_if<ptx::RegisterRef>(&operand.value);
  if (reg == nullptr || walker_.module().symbol(reg->symbol).type != Type::kB128) {
    fail(operand, "a .b128 register is needed here");
  }
  return reg->symbol;
}

Context::Halves Context::use_halves(const ptx::Operand& operand) {
  const ptx::SymbolId symbol = wide_register(operand);
  return {builder_.read(walker_.variable(symbol, 0)), builder_.read(walker_.variable(symbol, 1))};
}

void Context::define_halves(const ptx::Operand& operand, Halves value) {
  if (std::holds_alternative<ptx::Sink>(operand.value)) return;
  const ptx::SymbolId symbol = wide_register(operand);
  write(walker_.variable(symbol, 0), value.low);
  write(walker_.variable(symbol, 1), value.high);
}

}  // namespace ptxequiv::isa
