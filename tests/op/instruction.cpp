#include "instruction.h"

#include <algorithm>
#include <map>
#include <sstream>

#include "op/evaluate.h"

namespace ptxequiv::op {
namespace {

using Values = std::vector<uint64_t>;
using Scalar = std::optional<uint64_t> (*)(const Instruction&, Type type, const Values& in);

Type scalar_of(Type packed) {
  switch (packed) {
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
    default:
      return Type::kNone;
  }
}

std::vector<Type> types_of(const Instruction& i) {
  std::vector<Type> types;
  for (const std::string& modifier : i.modifiers) {
    if (const Type type = type_named(modifier); type != Type::kNone) types.push_back(type);
  }
  return types;
}

Op op_of(const Instruction& i, Kind kind, Type type, Type src = Type::kNone) {
  Op op{.kind = kind, .type = type, .src = src};
  static const std::map<std::string, Rounding, std::less<>> kRoundings = {
      {"rn", Rounding::kRn},         {"rz", Rounding::kRz},      {"rm", Rounding::kRm},
      {"rp", Rounding::kRp},         {"rna", Rounding::kRna},    {"rni", Rounding::kRn},
      {"rzi", Rounding::kRz},        {"rmi", Rounding::kRm},     {"rpi", Rounding::kRp},
      {"approx", Rounding::kApprox}, {"full", Rounding::kApprox}};
  for (const std::string& modifier : i.modifiers) {
    if (const auto it = kRoundings.find(modifier); it != kRoundings.end()) op.rounding = it->second;
  }
  op.ftz = i.has("ftz");
  op.sat = i.has("sat");
  op.nan = i.has("NaN");
  op.relu = i.has("relu");
  op.satfinite = i.has("satfinite");
  return op;
}

uint64_t eval(Op op, uint64_t a, uint64_t b = 0, uint64_t c = 0) {
  return evaluate(op, a, b, c).bits;
}
Op plain(Kind kind, Type type, Type src = Type::kNone) {
  return Op{.kind = kind, .type = type, .src = src};
}

const std::map<std::string, Kind, std::less<>>& unary_kinds() {
  static const std::map<std::string, Kind, std::less<>> kKinds = {
      {"rcp", Kind::kFRcp}, {"sqrt", Kind::kFSqrt}, {"rsqrt", Kind::kFRsqrt},
      {"ex2", Kind::kFEx2}, {"lg2", Kind::kFLg2},   {"sin", Kind::kFSin},
      {"cos", Kind::kFCos}, {"tanh", Kind::kFTanh}, {"not", Kind::kNot},
      {"brev", Kind::kBrev}};
  return kKinds;
}
std::optional<uint64_t> unary(const Instruction& i, Type t, const Values& in) {
  return eval(op_of(i, unary_kinds().find(i.opcode)->second, t), in[0]);
}
std::optional<uint64_t> counting(const Instruction& i, Type t, const Values& in) {
  const Kind kind = i.opcode == "popc"  ? Kind::kPopc
                    : i.opcode == "clz" ? Kind::kClz
                    : is_signed(t)      ? Kind::kBfindS
                                        : Kind::kBfindU;
  const uint64_t found = eval(plain(kind, Type::kB32, t), in[0]);
  return i.has("shiftamt") && found != 0xffffffffu ? bits(t) - 1 - found : found;
}
std::optional<uint64_t> abs_neg(const Instruction& i, Type t, const Values& in) {
  const bool abs = i.opcode == "abs";
  if (is_float(t)) return eval(op_of(i, abs ? Kind::kFAbs : Kind::kFNeg, t), in[0]);
  return abs ? eval(plain(Kind::kAbsS, t), in[0]) : eval(plain(Kind::kSub, t), 0, in[0]);
}
std::optional<uint64_t> add_sub(const Instruction& i, Type t, const Values& in) {
  const bool add = i.opcode == "add";
  if (is_float(t)) return eval(op_of(i, add ? Kind::kFAdd : Kind::kFSub, t), in[0], in[1]);
  if (i.has("sat")) return std::nullopt;
  return eval(plain(add ? Kind::kAdd : Kind::kSub, t), in[0], in[1]);
}
std::optional<uint64_t> multiply(const Instruction& i, Type t, const Values& in) {
  if (is_float(t)) return eval(op_of(i, Kind::kFMul, t), in[0], in[1]);
  if (i.has("hi")) {
    return eval(plain(is_signed(t) ? Kind::kMulHiS : Kind::kMulHiU, t), in[0], in[1]);
  }
  if (!i.has("wide")) return eval(plain(Kind::kMul, t), in[0], in[1]);
  const Type wide = bits_type(2 * bits(t));
  const Op extend = plain(is_signed(t) ? Kind::kSext : Kind::kZext, wide, t);
  return eval(plain(Kind::kMul, wide), eval(extend, in[0]), eval(extend, in[1]));
}
std::optional<uint64_t> multiply_add(const Instruction& i, Type t, const Values& in) {
  if (is_float(t)) {
    if (i.has("oob")) return std::nullopt;
    return eval(op_of(i, Kind::kFFma, t), in[0], in[1], in[2]);
  }
  if (i.has("sat")) return std::nullopt;
  const Type wide = i.has("wide") ? bits_type(2 * bits(t)) : t;
  return eval(plain(Kind::kAdd, wide), *multiply(i, t, in), in[2]);
}
Op division_of(const Instruction& i, Type t) {
  Op op = op_of(i, Kind::kFDiv, t);
  op.nan = i.has("full");
  return op;
}
std::optional<uint64_t> divide(const Instruction& i, Type t, const Values& in) {
  if (is_float(t)) return eval(division_of(i, t), in[0], in[1]);
  const Kind kind = i.opcode == "div" ? (is_signed(t) ? Kind::kDivS : Kind::kDivU)
                                      : (is_signed(t) ? Kind::kRemS : Kind::kRemU);
  return eval(plain(kind, t), in[0], in[1]);
}
std::optional<uint64_t> min_max(const Instruction& i, Type t, const Values& in) {
  const bool min = i.opcode == "min";
  if (i.has("xorsign")) return std::nullopt;
  if (is_float(t)) return eval(op_of(i, min ? Kind::kFMin : Kind::kFMax, t), in[0], in[1]);
  const Kind kind =
      is_signed(t) ? (min ? Kind::kMinS : Kind::kMaxS) : (min ? Kind::kMinU : Kind::kMaxU);
  const uint64_t value = eval(plain(kind, t), in[0], in[1]);
  return i.has("relu") ? eval(plain(Kind::kMaxS, t), value, 0) : value;
}
std::optional<uint64_t> copysign(const Instruction& i, Type t, const Values& in) {
  return eval(op_of(i, Kind::kFCopysign, t), in[0], in[1]);
}
std::optional<uint64_t> bitwise(const Instruction& i, Type t, const Values& in) {
  const Kind kind = i.opcode == "and" ? Kind::kAnd : i.opcode == "or" ? Kind::kOr : Kind::kXor;
  return eval(plain(kind, t), in[0], in[1]);
}
std::optional<uint64_t> shift(const Instruction& i, Type t, const Values& in) {
  const Kind kind = i.opcode == "shl" ? Kind::kShl : is_signed(t) ? Kind::kShrS : Kind::kShrU;
  return eval(plain(kind, t), in[0], in[1]);
}
std::optional<uint64_t> field(const Instruction&, Type t, const Values& in) {
  return eval(plain(is_signed(t) ? Kind::kBfeS : Kind::kBfeU, t), in[0], in[1], in[2]);
}
std::optional<uint64_t> permute(const Instruction& i, Type t, const Values& in) {
  if (i.modifiers.size() > 1) return std::nullopt;
  return eval(plain(Kind::kPrmt, t), in[0], in[1], in[2]);
}
std::optional<uint64_t> select(const Instruction&, Type t, const Values& in) {
  return eval(plain(Kind::kSelect, t), in[2], in[0], in[1]);
}

// setp and set: the comparison's bit.
std::optional<uint64_t> compare(const Instruction& i, Type t, const Values& in) {
  static const std::map<std::string, std::string, std::less<>> kUnsigned = {
      {"lo", "lt"}, {"ls", "le"}, {"hi", "gt"}, {"hs", "ge"}};
  std::string name = i.modifiers[0];
  if (const auto it = kUnsigned.find(name); it != kUnsigned.end()) name = it->second;
  const Values swapped = {in[1], in[0]};
  const bool swap = name.starts_with("g");
  const uint64_t a = swap ? in[1] : in[0];
  const uint64_t b = swap ? in[0] : in[1];
  uint64_t result = 0;
  if (is_float(t)) {
    const uint64_t unordered = eval(op_of(i, Kind::kFUnordered, t), a, b);
    const uint64_t equal = eval(op_of(i, Kind::kFEq, t), a, b);
    if (name == "nan" || name == "num") {
      result = unordered ^ (name == "num" ? 1 : 0);
    } else {
      const bool or_unordered = name.size() == 3;
      name.resize(2);
      if (name == "eq")
        result = equal;
      else if (name == "ne")
        result = 1 & ~equal & ~unordered;
      else
        result = eval(op_of(i, name[1] == 't' ? Kind::kFLt : Kind::kFLe, t), a, b);
      if (or_unordered) result |= unordered;
    }
  } else {
    const Kind less = is_signed(t) ? Kind::kLtS : Kind::kLtU;
    if (name == "eq" || name == "ne") {
      result = eval(plain(Kind::kEq, t), a, b) ^ (name == "ne" ? 1 : 0);
    } else if (name[1] == 't') {
      result = eval(plain(less, t), a, b);
    } else {
      result = 1 ^ eval(plain(less, t), b, a);
    }
  }
  return result;
}

const std::map<std::string, Scalar, std::less<>>& scalars() {
  static const std::map<std::string, Scalar, std::less<>> kScalars = {
      {"add", add_sub},       {"sub", add_sub},   {"mul", multiply}, {"mad", multiply_add},
      {"fma", multiply_add},  {"div", divide},    {"rem", divide},   {"min", min_max},
      {"max", min_max},       {"abs", abs_neg},   {"neg", abs_neg},  {"rcp", unary},
      {"sqrt", unary},        {"rsqrt", unary},   {"ex2", unary},    {"lg2", unary},
      {"sin", unary},         {"cos", unary},     {"tanh", unary},   {"not", unary},
      {"brev", unary},        {"popc", counting}, {"clz", counting}, {"bfind", counting},
      {"copysign", copysign}, {"and", bitwise},   {"or", bitwise},   {"xor", bitwise},
      {"shl", shift},         {"shr", shift},     {"bfe", field},    {"prmt", permute},
      {"selp", select}};
  return kScalars;
}

// The predicate operand of setp.lt.and and the like, for the first and the second destination.
uint64_t combined(const Instruction& i, uint64_t value, const Values& in) {
  if (in.size() < 3) return value;
  const uint64_t c = (in[2] & 1) ^ (i.sources[2][0] == '!' ? 1 : 0);
  return i.has("and") ? value & c : i.has("or") ? value | c : value ^ c;
}

uint64_t true_value(Type type, bool halves) {
  switch (type) {
    case Type::kF32:
      return 0x3f800000;
    case Type::kF16:
    case Type::kF16x2:
      return 0x3c00;
    case Type::kBF16:
    case Type::kBF16x2:
      return 0x3f80;
    default:
      return halves ? 0xffff : mask(bits(type));
  }
}

std::optional<Values> comparison(const Instruction& i, const Values& in) {
  const std::vector<Type> types = types_of(i);
  const Type t = types.back();
  const Type half = scalar_of(t);
  if (half != Type::kNone) {
    uint64_t packed = 0;
    Values predicates;
    for (unsigned h = 0; h < 2; ++h) {
      Values operands = {in[0] >> 16 * h & 0xffff, in[1] >> 16 * h & 0xffff};
      const uint64_t bit = *compare(i, half, operands);
      if (in.size() > 2) operands.push_back(in[2]);
      predicates.push_back(combined(i, bit, operands));
      if (predicates.back() != 0) packed |= true_value(types[0], true) << 16 * h;
    }
    return i.opcode == "setp" ? predicates : Values{packed};
  }
  const uint64_t bit = *compare(i, t, in);
  const uint64_t first = combined(i, bit, in);
  if (i.opcode == "set") return Values{first != 0 ? true_value(types[0], false) : 0};
  return Values{first, combined(i, bit ^ 1, in)};
}

uint64_t convert_one(const Instruction& i, Type to, Type from, uint64_t a) {
  a &= mask(bits(from));
  const bool integral = i.has("rni") || i.has("rzi") || i.has("rmi") || i.has("rpi");
  if (is_float(to) && is_float(from)) {
    return integral && to == from ? eval(op_of(i, Kind::kFRint, to), a)
                                  : eval(op_of(i, Kind::kFCvt, to, from), a);
  }
  if (is_float(from)) return eval(op_of(i, Kind::kFToI, to, from), a);
  if (is_float(to)) return eval(op_of(i, Kind::kIToF, to, from), a);
  // Integers: clamp in 64 bits, where both types fit as signed unless they are u64.
  const Op widen = plain(is_signed(from) ? Kind::kSext : Kind::kZext, Type::kB64, from);
  uint64_t value = bits(from) == 64 ? a : eval(widen, a);
  if (i.has("sat")) {
    const bool negative = is_signed(from) && static_cast<int64_t>(value) < 0;
    const uint64_t top = is_signed(to) ? mask(bits(to)) >> 1 : mask(bits(to));
    if (!negative && value > top) value = top;
    if (negative) {
      value = is_signed(to) ? eval(plain(Kind::kMaxS, Type::kB64), value, ~top) : 0;
    }
  }
  return value & mask(bits(to));
}

std::optional<Values> convert(const Instruction& i, const Values& in) {
  const std::vector<Type> types = types_of(i);
  if (types.size() != 2) return std::nullopt;
  const Type to = types[0];
  const Type from = types[1];
  const Type half = scalar_of(to);
  if (half == Type::kNone) {
    uint64_t value = convert_one(i, to, from, in[0]);
    // The register may be wider than the type: signed results are extended (9.4.1).
    if (is_signed(to) && bits(to) < 64) {
      value = eval(plain(Kind::kSext, Type::kB64, to), value);
    }
    return Values{value};
  }
  const unsigned width = bits(half);
  if (in.size() == 2) {  // a is the high half
    return Values{convert_one(i, half, from, in[0]) << width | convert_one(i, half, from, in[1])};
  }
  const Type source = scalar_of(from);
  if (source == Type::kNone) return std::nullopt;
  const uint64_t high = convert_one(i, half, source, in[0] >> bits(source));
  return Values{high << width | convert_one(i, half, source, in[0])};
}

}  // namespace

bool Instruction::has(std::string_view modifier) const {
  return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

Instruction parse_instruction(const std::string& text) {
  Instruction result;
  std::istringstream stream(text.substr(0, text.find(';')));
  std::string head;
  stream >> head;
  std::istringstream parts(head);
  std::getline(parts, result.opcode, '.');
  for (std::string part; std::getline(parts, part, '.');) result.modifiers.push_back(part);
  std::vector<std::string> operands;
  for (std::string operand; std::getline(stream, operand, ',');) {
    operand.erase(0, operand.find_first_not_of(' '));
    operands.push_back(operand);
  }
  std::istringstream destinations(operands.at(0));
  for (std::string d; std::getline(destinations, d, '|');) result.destinations.push_back(d);
  result.sources.assign(operands.begin() + 1, operands.end());
  return result;
}

std::optional<Op> single_op(const Instruction& i) {
  const Type t = types_of(i).back();
  if (!is_float(t)) return std::nullopt;
  if (i.opcode == "div") return division_of(i, t);
  const auto it = unary_kinds().find(i.opcode);
  if (it == unary_kinds().end()) return std::nullopt;
  return op_of(i, it->second, t);
}

std::optional<Values> run_instruction(const Instruction& i, const Values& operands) {
  Values in;
  for (const std::string& source : i.sources) {
    const size_t name = source.find('%');
    if (name == std::string::npos) {
      in.push_back(std::stoull(source, nullptr, 0));
      continue;
    }
    in.push_back(operands.at(std::string("abcefg").find(source[name + 1])));
  }
  if (i.opcode == "cvt") return convert(i, in);
  if (i.opcode == "setp" || i.opcode == "set") return comparison(i, in);
  const auto scalar = scalars().find(i.opcode);
  if (scalar == scalars().end()) return std::nullopt;
  const Type t = types_of(i).back();
  const Type half = scalar_of(t);
  if (half == Type::kNone) {
    const auto value = scalar->second(i, t, in);
    return value ? std::optional(Values{*value}) : std::nullopt;
  }
  uint64_t packed = 0;
  for (unsigned h = 0; h < 2; ++h) {
    Values part;
    for (uint64_t value : in) part.push_back(value >> 16 * h & 0xffff);
    const auto value = scalar->second(i, half, part);
    if (!value) return std::nullopt;
    packed |= *value << 16 * h;
  }
  return Values{packed};
}

}  // namespace ptxequiv::op
