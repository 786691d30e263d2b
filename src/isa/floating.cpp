// Floating-point arithmetic in f32, f64, f16, bf16 and their packed forms (PTX manual, 9.7.3, 9.7.4
// and, for mixed precision, 9.7.5). Packed operands are computed lane by lane.
#include "isa/float.h"

namespace ptxequiv::isa {
namespace {

using op::Rounding;

// Un-suffixed add, sub and mul round to nearest and may be fused by ptxas.
void lower_arithmetic(Context& c, Kind kind) {
  const Rounding rounding = c.rounding(Rounding::kAny);
  c.define("d", c.lanewise(c.type(), c.sources(), [&](Type lane, const auto& s) {
    return c.op(float_op(c, kind, lane, rounding), {s[0], s[1]});
  }));
}
void lower_add(Context& c) {
  lower_arithmetic(c, Kind::kFAdd);
}
void lower_sub(Context& c) {
  lower_arithmetic(c, Kind::kFSub);
}
void lower_mul(Context& c) {
  lower_arithmetic(c, Kind::kFMul);
}

void lower_fma(Context& c) {
  const Rounding rounding = c.rounding(Rounding::kRn);
  c.define("d", c.lanewise(c.type(), c.sources(), [&](Type lane, const auto& s) {
    const ValueId value = c.op(float_op(c, Kind::kFFma, lane, rounding), {s[0], s[1], s[2]});
    return c.has("relu") ? relu(c, lane, value) : value;
  }));
}

// The NaN that marks an element from out of bounds (9.7.4.4), in a or b, makes the result zero.
void lower_fma_oob(Context& c) {
  c.define("d", c.lanewise(c.type(), c.sources(), [&](Type lane, const auto& s) {
    const auto is_mark = [&](ValueId value) {
      const ValueId magnitude = c.op(Kind::kAnd, 16, {value, c.constant(16, 0x7fff)});
      return c.op(Kind::kEq, 16, {magnitude, c.constant(16, 0x7ff7)});
    };
    ValueId value = c.op(float_op(c, Kind::kFFma, lane, Rounding::kRn), {s[0], s[1], s[2]});
    if (c.has("relu")) value = relu(c, lane, value);
    const ValueId marked = c.op(Kind::kOr, 1, {is_mark(s[0]), is_mark(s[1])});
    return c.select(marked, c.constant(16, 0), value);
  }));
}

// add.f32.f16 and the like: the 16-bit operand is widened, which is exact.
ValueId widened(Context& c, std::string_view name) {
  return c.op(Op{.kind = Kind::kFCvt, .type = Type::kF32, .src = c.type(1)},
              {c.use(name, c.type(1))});
}

void lower_mixed(Context& c) {
  const bool is_add = c.instruction().opcode == "add";
  const ValueId a = widened(c, "a"), addend = c.use("c");
  c.define("d", c.op(float_op(c, is_add ? Kind::kFAdd : Kind::kFSub, Type::kF32,
                              c.rounding(Rounding::kAny)),
                     {a, addend}));
}

void lower_mixed_fma(Context& c) {
  const ValueId a = widened(c, "a"), b = widened(c, "b"), addend = c.use("c");
  c.define("d",
           c.op(float_op(c, Kind::kFFma, Type::kF32, c.rounding(Rounding::kRn)), {a, b, addend}));
}

void lower_div(Context& c) {
  const ValueId a = c.use("a"), b = c.use("b");
  Op op = float_op(c, Kind::kFDiv, c.type(), c.rounding(Rounding::kRn));
  op.nan = c.has("full");  // see fdiv in op/float_arith.cpp
  c.define("d", c.op(op, {a, b}));
}

// Functions of one argument.
struct Function {
  std::string_view opcode;
  Kind kind;
};
constexpr Function kFunctions[] = {
    {"rcp", Kind::kFRcp}, {"sqrt", Kind::kFSqrt}, {"rsqrt", Kind::kFRsqrt}, {"ex2", Kind::kFEx2},
    {"lg2", Kind::kFLg2}, {"sin", Kind::kFSin},   {"cos", Kind::kFCos},     {"tanh", Kind::kFTanh},
    {"abs", Kind::kFAbs}, {"neg", Kind::kFNeg},
};

void lower_function(Context& c) {
  for (const Function& function : kFunctions) {
    if (function.opcode != c.instruction().opcode) continue;
    const Rounding rounding = c.rounding(Rounding::kNone);
    return c.define("d", c.lanewise(c.type(), c.sources(), [&](Type lane, const auto& s) {
      return c.op(float_op(c, function.kind, lane, rounding), {s[0]});
    }));
  }
}

void lower_copysign(Context& c) {
  const ValueId a = c.use("a"), b = c.use("b");
  c.define("d", c.op(Op{.kind = Kind::kFCopysign, .type = c.type()}, {a, b}));
}

// The sign of a times that of b, with the minimum or maximum of their magnitudes (9.7.3.11): the
// sign of a is copied and turned where b's is set, which readers of signs understand best.
ValueId xorsign(Context& c, Kind kind, Type lane, ValueId a, ValueId b) {
  const unsigned w = op::bits(lane);
  const Op absolute = plain_float_op(c, Kind::kFAbs, lane);
  const ValueId magnitude =
      c.op(float_op(c, kind, lane), {c.op(absolute, {a}), c.op(absolute, {b})});
  const ValueId with_sign = c.op(Op{.kind = Kind::kFCopysign, .type = lane}, {a, magnitude});
  const ValueId negative = c.op(Kind::kLtS, w, {b, c.constant(w, 0)});
  const ValueId turned =
      c.select(negative, c.op(Op{.kind = Kind::kFNeg, .type = lane}, {with_sign}), with_sign);
  // A NaN stays canonical.
  const ValueId is_nan = c.op(Op{.kind = Kind::kFUnordered, .type = lane}, {magnitude, magnitude});
  return c.select(is_nan, magnitude, turned);
}

void lower_min_max(Context& c) {
  const Kind kind = c.instruction().opcode == "min" ? Kind::kFMin : Kind::kFMax;
  c.define("d", c.lanewise(c.type(), c.sources(), [&](Type lane, const std::vector<ValueId>& s) {
    if (c.has("xorsign")) return xorsign(c, kind, lane, s[0], s[1]);
    ValueId best = ir::kNone;
    for (ValueId source : s) {
      if (c.has("abs")) source = c.op(plain_float_op(c, Kind::kFAbs, lane), {source});
      best = best == ir::kNone ? source : c.op(float_op(c, kind, lane), {best, source});
    }
    return best;
  }));
}

// Zero counts as normal (shared/vectors).
void lower_testp(Context& c) {
  const Type type = c.type();
  const unsigned w = op::bits(type);
  const ValueId a = c.use("a");
  const auto compare = [&](Kind kind, ValueId x, ValueId y) {
    return c.op(Op{.kind = kind, .type = type}, {x, y});
  };
  const ValueId magnitude = c.op(Op{.kind = Kind::kFAbs, .type = type}, {a});
  const ValueId infinity = c.constant(w, infinity_bits(type));
  const auto subnormal = [&] {
    return c.op(Kind::kAnd, 1,
                {compare(Kind::kFLt, c.constant(w, 0), magnitude),
                 compare(Kind::kFLt, magnitude, c.constant(w, least_normal_bits(type)))});
  };
  ValueId result = ir::kNone;
  if (c.has("finite"))
    result = compare(Kind::kFLt, magnitude, infinity);
  else if (c.has("infinite"))
    result = compare(Kind::kFEq, magnitude, infinity);
  else if (c.has("number"))
    result = c.logic_not(compare(Kind::kFUnordered, a, a));
  else if (c.has("notanumber"))
    result = compare(Kind::kFUnordered, a, a);
  else if (c.has("subnormal"))
    result = subnormal();
  else
    result =
        c.op(Kind::kAnd, 1, {compare(Kind::kFLt, magnitude, infinity), c.logic_not(subnormal())});
  c.define("p", result);
}

constexpr Row kRows[] = {
    {"testp", ".(finite|infinite|number|notanumber|normal|subnormal).(f32|f64) p:pred, a", 20, 20,
     lower_testp, "9.7.3.1"},
    {"copysign", ".(f32|f64) d, a, b", 20, 20, lower_copysign, "9.7.3.2"},
    {"add", "{.rn|.rz|.rm|.rp}{.ftz}{.sat}.f32 d, a, b", 10, 10, lower_add, "9.7.3.3"},
    {"add", "{.rn|.rz|.rm|.rp}.f64 d, a, b", 10, 13, lower_add, "9.7.3.3"},
    {"add", "{.rn|.rz|.rm|.rp}{.ftz}.f32x2 d, a, b", 86, 100, lower_add, "9.7.3.3"},
    {"add", "{.rn}{.ftz}{.sat}.(f16|f16x2) d, a, b", 42, 53, lower_add, "9.7.4.1"},
    {"add", "{.rn}.(bf16|bf16x2) d, a, b", 78, 90, lower_add, "9.7.4.1"},
    {"add", "{.rn|.rz|.rm|.rp}{.sat}.f32.(f16|bf16) d, a:t2, c", 86, 100, lower_mixed, "9.7.5.1"},
    {"sub", "{.rn|.rz|.rm|.rp}{.ftz}{.sat}.f32 d, a, b", 10, 10, lower_sub, "9.7.3.4"},
    {"sub", "{.rn|.rz|.rm|.rp}.f64 d, a, b", 10, 13, lower_sub, "9.7.3.4"},
    {"sub", "{.rn|.rz|.rm|.rp}{.ftz}.f32x2 d, a, b", 86, 100, lower_sub, "9.7.3.4"},
    {"sub", "{.rn}{.ftz}{.sat}.(f16|f16x2) d, a, b", 42, 53, lower_sub, "9.7.4.2"},
    {"sub", "{.rn}.(bf16|bf16x2) d, a, b", 78, 90, lower_sub, "9.7.4.2"},
    {"sub", "{.rn|.rz|.rm|.rp}{.sat}.f32.(f16|bf16) d, a:t2, c", 86, 100, lower_mixed, "9.7.5.2"},
    {"mul", "{.rn|.rz|.rm|.rp}{.ftz}{.sat}.f32 d, a, b", 10, 10, lower_mul, "9.7.3.5"},
    {"mul", "{.rn|.rz|.rm|.rp}.f64 d, a, b", 10, 13, lower_mul, "9.7.3.5"},
    {"mul", "{.rn|.rz|.rm|.rp}{.ftz}.f32x2 d, a, b", 86, 100, lower_mul, "9.7.3.5"},
    {"mul", "{.rn}{.ftz}{.sat}.(f16|f16x2) d, a, b", 42, 53, lower_mul, "9.7.4.3"},
    {"mul", "{.rn}.(bf16|bf16x2) d, a, b", 78, 90, lower_mul, "9.7.4.3"},
    {"fma", ".(rn|rz|rm|rp){.ftz}{.sat}.f32 d, a, b, c", 20, 20, lower_fma, "9.7.3.6"},
    {"fma", ".(rn|rz|rm|rp).f64 d, a, b, c", 14, 13, lower_fma, "9.7.3.6"},
    {"fma", ".(rn|rz|rm|rp){.ftz}.f32x2 d, a, b, c", 86, 100, lower_fma, "9.7.3.6"},
    {"fma", ".rn{.ftz}{.sat}.(f16|f16x2) d, a, b, c", 42, 53, lower_fma, "9.7.4.4"},
    {"fma", ".rn{.ftz}.relu.(f16|f16x2) d, a, b, c", 70, 80, lower_fma, "9.7.4.4"},
    {"fma", ".rn{.relu}.(bf16|bf16x2) d, a, b, c", 70, 80, lower_fma, "9.7.4.4"},
    {"fma", ".rn.oob{.sat|.relu}.(f16|f16x2) d, a, b, c", 81, 90, lower_fma_oob, "9.7.4.4"},
    {"fma", ".rn.oob{.relu}.(bf16|bf16x2) d, a, b, c", 81, 90, lower_fma_oob, "9.7.4.4"},
    {"fma", ".(rn|rz|rm|rp){.sat}.f32.(f16|bf16) d, a:t2, b:t2, c", 86, 100, lower_mixed_fma,
     "9.7.5.3"},
    {"mad", ".(rn|rz|rm|rp){.ftz}{.sat}.f32 d, a, b, c", 20, 20, lower_fma, "9.7.3.7"},
    {"mad", ".(rn|rz|rm|rp).f64 d, a, b, c", 10, 13, lower_fma, "9.7.3.7"},
    {"div", ".(approx|full|rn|rz|rm|rp){.ftz}.f32 d, a, b", 10, 10, lower_div, "9.7.3.8"},
    {"div", ".(rn|rz|rm|rp).f64 d, a, b", 10, 13, lower_div, "9.7.3.8"},
    {"abs", "{.ftz}.f32 d, a", 10, 10, lower_function, "9.7.3.9"},
    {"abs", ".f64 d, a", 10, 13, lower_function, "9.7.3.9"},
    {"abs", "{.ftz}.(f16|f16x2) d, a", 65, 53, lower_function, "9.7.4.6"},
    {"abs", ".(bf16|bf16x2) d, a", 70, 80, lower_function, "9.7.4.6"},
    {"neg", "{.ftz}.f32 d, a", 10, 10, lower_function, "9.7.3.10"},
    {"neg", ".f64 d, a", 10, 13, lower_function, "9.7.3.10"},
    {"neg", "{.ftz}.(f16|f16x2) d, a", 60, 53, lower_function, "9.7.4.5"},
    {"neg", ".(bf16|bf16x2) d, a", 70, 80, lower_function, "9.7.4.5"},
    {"min", "{.ftz}{.NaN}<70,80>.f32 d, a, b", 10, 10, lower_min_max, "9.7.3.11"},
    {"min", "{.ftz}{.NaN}.xorsign.abs.f32 d, a, b", 72, 86, lower_min_max, "9.7.3.11"},
    {"min", "{.ftz}{.NaN}{.abs}.f32 d, a, b, c", 88, 100, lower_min_max, "9.7.3.11"},
    {"min", ".f64 d, a, b", 10, 13, lower_min_max, "9.7.3.11"},
    {"min", "{.ftz}{.NaN}.(f16|f16x2) d, a, b", 70, 80, lower_min_max, "9.7.4.7"},
    {"min", "{.ftz}{.NaN}.xorsign.abs.(f16|f16x2) d, a, b", 72, 86, lower_min_max, "9.7.4.7"},
    {"min", "{.NaN}.(bf16|bf16x2) d, a, b", 70, 80, lower_min_max, "9.7.4.7"},
    {"min", "{.NaN}.xorsign.abs.(bf16|bf16x2) d, a, b", 72, 86, lower_min_max, "9.7.4.7"},
    {"max", "{.ftz}{.NaN}<70,80>.f32 d, a, b", 10, 10, lower_min_max, "9.7.3.12"},
    {"max", "{.ftz}{.NaN}.xorsign.abs.f32 d, a, b", 72, 86, lower_min_max, "9.7.3.12"},
    {"max", "{.ftz}{.NaN}{.abs}.f32 d, a, b, c", 88, 100, lower_min_max, "9.7.3.12"},
    {"max", ".f64 d, a, b", 10, 13, lower_min_max, "9.7.3.12"},
    {"max", "{.ftz}{.NaN}.(f16|f16x2) d, a, b", 70, 80, lower_min_max, "9.7.4.8"},
    {"max", "{.ftz}{.NaN}.xorsign.abs.(f16|f16x2) d, a, b", 72, 86, lower_min_max, "9.7.4.8"},
    {"max", "{.NaN}.(bf16|bf16x2) d, a, b", 70, 80, lower_min_max, "9.7.4.8"},
    {"max", "{.NaN}.xorsign.abs.(bf16|bf16x2) d, a, b", 72, 86, lower_min_max, "9.7.4.8"},
    {"rcp", ".(approx|rn|rz|rm|rp){.ftz}.f32 d, a", 10, 10, lower_function, "9.7.3.13"},
    {"rcp", ".(rn|rz|rm|rp).f64 d, a", 10, 13, lower_function, "9.7.3.13"},
    {"rcp", ".approx.ftz.f64 d, a", 21, 20, lower_function, "9.7.3.14"},
    {"sqrt", ".(approx|rn|rz|rm|rp){.ftz}.f32 d, a", 10, 10, lower_function, "9.7.3.15"},
    {"sqrt", ".(rn|rz|rm|rp).f64 d, a", 10, 13, lower_function, "9.7.3.15"},
    {"rsqrt", ".approx{.ftz}.f32 d, a", 10, 10, lower_function, "9.7.3.16"},
    {"rsqrt", ".approx{.ftz}<40,20>.f64 d, a", 10, 13, lower_function, "9.7.3.16"},
    {"sin", ".approx{.ftz}.f32 d, a", 10, 10, lower_function, "9.7.3.18"},
    {"cos", ".approx{.ftz}.f32 d, a", 10, 10, lower_function, "9.7.3.19"},
    {"lg2", ".approx{.ftz}.f32 d, a", 10, 10, lower_function, "9.7.3.20"},
    {"ex2", ".approx{.ftz}.f32 d, a", 10, 10, lower_function, "9.7.3.21"},
    {"ex2", ".approx.(f16|f16x2) d, a", 70, 75, lower_function, "9.7.4.10"},
    {"ex2", ".approx.ftz.(bf16|bf16x2) d, a", 78, 90, lower_function, "9.7.4.10"},
    {"tanh", ".approx.f32 d, a", 70, 75, lower_function, "9.7.3.22"},
    {"tanh", ".approx.(f16|f16x2) d, a", 70, 75, lower_function, "9.7.4.9"},
    {"tanh", ".approx.(bf16|bf16x2) d, a", 78, 90, lower_function, "9.7.4.9"},
};

}  // namespace

std::span<const Row> floating_rows() {
  return kRows;
}

}  // namespace ptxequiv::isa
