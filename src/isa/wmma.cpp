// wmma (PTX manual, 9.7.14.4): loads and stores are each lane's own, at addresses that follow from
// its place in the fragment. The manual leaves the fragments open; here they are the hardware's.
#include "isa/memory.h"
#include "isa/mma.h"

namespace ptxequiv::isa {
namespace {

using Element = ir::Mma::Element;
using ir::Fragment;

// A fragment in memory.
struct Image {
  ir::Mma mma;
  ir::Operand operand = ir::Operand::kA;
  Fragment fragment;
  bool along = false;        // a lane's run of elements is contiguous
  unsigned line_length = 0;  // elements from a row (or column) to the next, if no stride is given
  AccessPlace at;
};

ValueId lane_id(Context& c) {
  ir::Inst& inst = c.builder().emit(ir::Opcode::kSpecial, {32}, {});
  inst.detail = ir::SpecialUse{ir::SpecialRegister::kLaneId};
  return inst.dests[0];
}

Image image_of(Context& c) {
  Image image;
  ir::Mma& mma = image.mma = matrix_shape(c);
  mma.layout = ir::Mma::Layout::kWmma;
  const std::string_view type = type_modifiers(c).at(0);
  const bool is_row = layouts_are_row(c).at(0);
  if (c.has("a") || c.has("b")) {
    image.operand = c.has("a") ? ir::Operand::kA : ir::Operand::kB;
    mma.a = mma.b = element_named(type);
  } else {
    image.operand = c.has("c") ? ir::Operand::kC : ir::Operand::kD;
    mma.c = mma.d = op::type_named(type);
  }
  image.fragment = ir::fragment(mma, image.operand);
  image.along = is_row != image.fragment.transposed;
  const unsigned rows = image.operand == ir::Operand::kB ? mma.k : mma.m;
  const unsigned columns = image.operand == ir::Operand::kA ? mma.k : mma.n;
  image.line_length = is_row ? columns : rows;
  image.at = access_place(c, "p");
  return image;
}

// Bytes from the start of the matrix to elements of this lane: a part that depends on the lane, and
// multiples of the stride.
class Addresses {
 public:
  Addresses(Context& c, const Image& image) : c_(c), image_(image) {
    const Fragment& f = image.fragment;
    width_ = c.bits(image.at.place.address);
    // b1 is held in words: its elements are 32 bits wide here, the stride counts single ones.
    const unsigned stride_bits = image.mma.a == Element::kB1 ? 1 : f.element_bits;
    const ValueId stride =
        c.given("s") ? wide(c.use("s", Type::kU32)) : c.constant(width_, image.line_length);
    stride_ = scaled(stride, stride_bits);
    const ValueId lane = wide(lane_id(c));
    const ValueId group = c.op(Kind::kShrU, width_, {lane, c.constant(32, 2)});
    const ValueId member = c.op(Kind::kAnd, width_, {lane, c.constant(width_, 3)});
    const ValueId run = times(member, f.run);
    // Runs lie along a line of memory, or across.
    const ValueId line = image.along ? group : run;
    const ValueId place = image.along ? run : group;
    start_ = add(image.at.place.address,
                 add(c.op(Kind::kMul, width_, {line, stride_}), scaled(place, f.element_bits)));
  }

  struct Place {
    ValueId address;
    int64_t offset;
  };
  // Of element `index` of a run of core number `core`.
  Place of(unsigned core, unsigned index) {
    const Fragment& f = image_.fragment;
    const Fragment::Origin origin = f.origins[core];
    // Lines are rows if the fragment's runs lie along rows and along lines, and so on.
    const bool lines_are_rows = image_.along != f.transposed;
    unsigned line = lines_are_rows ? origin.row : origin.column;
    unsigned place = lines_are_rows ? origin.column : origin.row;
    (image_.along ? place : line) += index;
    const ValueId address =
        line == 0 ? start_ : add(start_, c_.op(Kind::kMul, width_, {stride_, number(line)}));
    return {address, image_.at.place.offset + int64_t{place} * f.element_bits / 8};
  }

 private:
  ValueId number(uint64_t value) { return c_.constant(width_, value); }
  ValueId wide(ValueId value) { return c_.resize(value, width_, false); }
  ValueId add(ValueId a, ValueId b) { return c_.op(Kind::kAdd, width_, {a, b}); }
  ValueId times(ValueId value, uint64_t factor) {
    return factor == 1 ? value : c_.op(Kind::kMul, width_, {value, number(factor)});
  }
  // Elements of `bits` bits as bytes.
  ValueId scaled(ValueId elements, unsigned bits) {
    if (bits >= 8) return times(elements, bits / 8);
    return c_.op(Kind::kShrU, width_, {elements, c_.constant(32, bits == 4 ? 1 : 3)});
  }

  Context& c_;
  const Image& image_;
  unsigned width_ = 64;
  ValueId stride_ = ir::kNone;  // bytes
  ValueId start_ = ir::kNone;   // of this lane, in the core at the origin
};

ir::MemoryAccess access_of(const Image& image, unsigned bits) {
  ir::MemoryAccess access = image.at.access;
  access.type = op::bits_type(bits);
  access.count = 1;
  return access;
}

ValueId load(Context& c, const Image& image, Addresses::Place place, unsigned bits) {
  ir::Inst& inst = c.emit_guarded(ir::Opcode::kLoad, {bits}, {place.address});
  inst.immediate = place.offset;
  inst.detail = access_of(image, bits);
  return inst.dests[0];
}

void store(Context& c, const Image& image, Addresses::Place place, unsigned bits, ValueId value) {
  ir::Inst& inst = c.emit_guarded(ir::Opcode::kStore, {}, {place.address, value});
  inst.immediate = place.offset;
  inst.detail = access_of(image, bits);
}

// Parts of a register, the lowest first.
ValueId joined(Context& c, std::vector<ValueId> parts) {
  while (parts.size() > 1) {
    std::vector<ValueId> pairs;
    for (size_t i = 0; i < parts.size(); i += 2) pairs.push_back(c.concat(parts[i + 1], parts[i]));
    parts = std::move(pairs);
  }
  return parts[0];
}

void lower_load(Context& c) {
  const Image image = image_of(c);
  const Fragment& f = image.fragment;
  const auto registers = fragment_registers(c, "d", image.mma, image.operand);
  Addresses addresses(c, image);
  const unsigned distinct = unsigned{f.run} * f.distinct / f.per_register();
  std::vector<ValueId> values;
  for (unsigned r = 0; r < distinct; ++r) {
    const unsigned first = r * f.per_register(), core = first / f.run, index = first % f.run;
    if (image.along || f.per_register() == 1) {
      values.push_back(load(c, image, addresses.of(core, index), f.register_bits));
      continue;
    }
    std::vector<ValueId> parts;
    for (unsigned i = 0; i < f.per_register(); ++i) {
      parts.push_back(load(c, image, addresses.of(core, index + i), f.element_bits));
    }
    values.push_back(joined(c, std::move(parts)));
  }
  for (size_t r = 0; r < registers.size(); ++r) {
    c.define_operand(registers[r], values[r % distinct], register_type(image.mma, image.operand));
  }
}

void lower_store(Context& c) {
  const Image image = image_of(c);
  const Fragment& f = image.fragment;
  const auto registers = fragment_registers(c, "r", image.mma, image.operand);
  Addresses addresses(c, image);
  for (unsigned r = 0; r < registers.size(); ++r) {
    const ValueId value = c.use_operand(registers[r], register_type(image.mma, image.operand));
    const unsigned first = r * f.per_register(), core = first / f.run, index = first % f.run;
    if (image.along || f.per_register() == 1) {
      store(c, image, addresses.of(core, index), f.register_bits, value);
      continue;
    }
    for (unsigned i = 0; i < f.per_register(); ++i) {
      store(c, image, addresses.of(core, index + i), f.element_bits,
            c.extract(value, i * f.element_bits, f.element_bits));
    }
  }
}

void lower_mma(Context& c) {
  ir::Mma mma = matrix_shape(c);
  mma.layout = ir::Mma::Layout::kWmma;
  const auto types = type_modifiers(c);
  const auto rows = layouts_are_row(c);
  mma.a_is_row = rows.at(0);
  mma.b_is_row = rows.at(1);
  mma.d = op::type_named(types.front());
  mma.c = op::type_named(types.back());
  if (types.size() == 4) {  // with two the factors are f16
    mma.a = element_named(types[1]);
    mma.b = element_named(types[2]);
  }
  emit_product(c, mma);
}

#define LOAD_A ".load.a.sync.aligned.(row|col)"
#define LOAD_B ".load.b.sync.aligned.(row|col)"
#define LOAD_C ".load.c.sync.aligned.(row|col)"
#define STORE ".store.d.sync.aligned.(row|col)"
#define MMA ".mma.sync.aligned.(row|col).(row|col)"
#define SPACE "{.global|.shared|.shared::cta<78,70>}"
#define HALF ".(m16n16k16|m8n32k16<61,70>|m32n8k16<61,70>)"
#define BYTE ".(m16n16k16|m8n32k16|m32n8k16)"
#define FROM ", [p]{, s:u32}"
#define TO " [p], r:"
#define STRIDE "{, s:u32}"
#define LOAD_SECTION "9.7.14.4.3"
#define STORE_SECTION "9.7.14.4.4"
#define MMA_SECTION "9.7.14.4.5"

constexpr Row kRows[] = {
    {"wmma", ".load.(a|b).sync.aligned.(row|col)" HALF SPACE ".f16 d:v8:f16x2" FROM, 60, 70,
     lower_load, LOAD_SECTION},
    {"wmma", LOAD_C HALF SPACE ".f16 d:v4:f16x2" FROM, 60, 70, lower_load, LOAD_SECTION},
    {"wmma", LOAD_C HALF SPACE ".f32 d:v8:f32" FROM, 60, 70, lower_load, LOAD_SECTION},
    {"wmma", ".load.(a|b).sync.aligned.(row|col).m16n16k16" SPACE ".bf16 d:v4:b32" FROM, 70, 80,
     lower_load, LOAD_SECTION},
    {"wmma", LOAD_A ".m8n32k16" SPACE ".bf16 d:v2:b32" FROM, 70, 80, lower_load, LOAD_SECTION},
    {"wmma", LOAD_B ".m8n32k16" SPACE ".bf16 d:v8:b32" FROM, 70, 80, lower_load, LOAD_SECTION},
    {"wmma", LOAD_A ".m32n8k16" SPACE ".bf16 d:v8:b32" FROM, 70, 80, lower_load, LOAD_SECTION},
    {"wmma", LOAD_B ".m32n8k16" SPACE ".bf16 d:v2:b32" FROM, 70, 80, lower_load, LOAD_SECTION},
    {"wmma", ".load.(a|b).sync.aligned.(row|col).m16n16k16" SPACE ".(s8|u8) d:v2:s32" FROM, 63, 72,
     lower_load, LOAD_SECTION},
    {"wmma", LOAD_A ".m8n32k16" SPACE ".(s8|u8) d:v1:s32" FROM, 63, 72, lower_load, LOAD_SECTION},
    {"wmma", LOAD_B ".m8n32k16" SPACE ".(s8|u8) d:v4:s32" FROM, 63, 72, lower_load, LOAD_SECTION},
    {"wmma", LOAD_A ".m32n8k16" SPACE ".(s8|u8) d:v4:s32" FROM, 63, 72, lower_load, LOAD_SECTION},
    {"wmma", LOAD_B ".m32n8k16" SPACE ".(s8|u8) d:v1:s32" FROM, 63, 72, lower_load, LOAD_SECTION},
    {"wmma", LOAD_C BYTE SPACE ".s32 d:v8:s32" FROM, 63, 72, lower_load, LOAD_SECTION},
    {"wmma", ".load.a.sync.aligned.row.m8n8k32" SPACE ".(s4|u4) d:v1:s32" FROM, 63, 75, lower_load,
     LOAD_SECTION},
    {"wmma", ".load.b.sync.aligned.col.m8n8k32" SPACE ".(s4|u4) d:v1:s32" FROM, 63, 75, lower_load,
     LOAD_SECTION},
    {"wmma", ".load.a.sync.aligned.row.m8n8k128" SPACE ".b1 d:v1:b32" FROM, 63, 75, lower_load,
     LOAD_SECTION},
    {"wmma", ".load.b.sync.aligned.col.m8n8k128" SPACE ".b1 d:v1:b32" FROM, 63, 75, lower_load,
     LOAD_SECTION},
    {"wmma", LOAD_C ".(m8n8k32|m8n8k128)" SPACE ".s32 d:v2:s32" FROM, 63, 75, lower_load,
     LOAD_SECTION},
    {"wmma", ".load.(a|b).sync.aligned.(row|col).m16n16k8" SPACE ".tf32 d:v4:b32" FROM, 70, 80,
     lower_load, LOAD_SECTION},
    {"wmma", LOAD_C ".m16n16k8" SPACE ".f32 d:v8:f32" FROM, 70, 80, lower_load, LOAD_SECTION},
    {"wmma", ".load.(a|b).sync.aligned.(row|col).m8n8k4" SPACE ".f64 d:v1:b64" FROM, 70, 80,
     lower_load, LOAD_SECTION},
    {"wmma", LOAD_C ".m8n8k4" SPACE ".f64 d:v2:b64" FROM, 70, 80, lower_load, LOAD_SECTION},

    {"wmma", STORE HALF SPACE ".f16" TO "v4:f16x2" STRIDE, 60, 70, lower_store, STORE_SECTION},
    {"wmma", STORE HALF SPACE ".f32" TO "v8:f32" STRIDE, 60, 70, lower_store, STORE_SECTION},
    {"wmma", STORE BYTE SPACE ".s32" TO "v8:s32" STRIDE, 63, 72, lower_store, STORE_SECTION},
    {"wmma", STORE ".(m8n8k32|m8n8k128)" SPACE ".s32" TO "v2:s32" STRIDE, 63, 75, lower_store,
     STORE_SECTION},
    {"wmma", STORE ".m16n16k8" SPACE ".f32" TO "v8:f32" STRIDE, 70, 80, lower_store, STORE_SECTION},
    {"wmma", STORE ".m8n8k4" SPACE ".f64" TO "v2:b64" STRIDE, 70, 80, lower_store, STORE_SECTION},

    {"wmma", MMA HALF ".f16.f16 d:v4:f16x2, a:v8:f16x2, b:v8:f16x2, c:v4:f16x2", 60, 70, lower_mma,
     MMA_SECTION},
    {"wmma", MMA HALF ".f16.f32 d:v4:f16x2, a:v8:f16x2, b:v8:f16x2, c:v8:f32", 60, 70, lower_mma,
     MMA_SECTION},
    {"wmma", MMA HALF ".f32.f16 d:v8:f32, a:v8:f16x2, b:v8:f16x2, c:v4:f16x2", 60, 70, lower_mma,
     MMA_SECTION},
    {"wmma", MMA HALF ".f32.f32 d:v8:f32, a:v8:f16x2, b:v8:f16x2, c:v8:f32", 60, 70, lower_mma,
     MMA_SECTION},
    {"wmma", MMA ".m16n16k16.f32.bf16.bf16.f32 d:v8:f32, a:v4:b32, b:v4:b32, c:v8:f32", 70, 80,
     lower_mma, MMA_SECTION},
    {"wmma", MMA ".m8n32k16.f32.bf16.bf16.f32 d:v8:f32, a:v2:b32, b:v8:b32, c:v8:f32", 70, 80,
     lower_mma, MMA_SECTION},
    {"wmma", MMA ".m32n8k16.f32.bf16.bf16.f32 d:v8:f32, a:v8:b32, b:v2:b32, c:v8:f32", 70, 80,
     lower_mma, MMA_SECTION},
    {"wmma", MMA ".m16n16k8.f32.tf32.tf32.f32 d:v8:f32, a:v4:b32, b:v4:b32, c:v8:f32", 70, 80,
     lower_mma, MMA_SECTION},
    {"wmma", MMA ".m8n8k4{.rn|.rz|.rm|.rp}.f64.f64.f64.f64 d:v2:b64, a:v1:b64, b:v1:b64, c:v2:b64",
     70, 80, lower_mma, MMA_SECTION},
    {"wmma", MMA ".m16n16k16{.satfinite}.s32.s8.s8.s32 d:v8:s32, a:v2:s32, b:v2:s32, c:v8:s32", 63,
     72, lower_mma, MMA_SECTION},
    {"wmma", MMA ".m16n16k16{.satfinite}.s32.u8.u8.s32 d:v8:s32, a:v2:s32, b:v2:s32, c:v8:s32", 63,
     72, lower_mma, MMA_SECTION},
    {"wmma", MMA ".m8n32k16{.satfinite}.s32.s8.s8.s32 d:v8:s32, a:v1:s32, b:v4:s32, c:v8:s32", 63,
     72, lower_mma, MMA_SECTION},
    {"wmma", MMA ".m8n32k16{.satfinite}.s32.u8.u8.s32 d:v8:s32, a:v1:s32, b:v4:s32, c:v8:s32", 63,
     72, lower_mma, MMA_SECTION},
    {"wmma", MMA ".m32n8k16{.satfinite}.s32.s8.s8.s32 d:v8:s32, a:v4:s32, b:v1:s32, c:v8:s32", 63,
     72, lower_mma, MMA_SECTION},
    {"wmma", MMA ".m32n8k16{.satfinite}.s32.u8.u8.s32 d:v8:s32, a:v4:s32, b:v1:s32, c:v8:s32", 63,
     72, lower_mma, MMA_SECTION},
    {"wmma",
     ".mma.sync.aligned.row.col.m8n8k32{.satfinite}.s32.s4.s4.s32 d:v2:s32, a:v1:s32, b:v1:s32, "
     "c:v2:s32",
     63, 75, lower_mma, MMA_SECTION},
    {"wmma",
     ".mma.sync.aligned.row.col.m8n8k32{.satfinite}.s32.u4.u4.s32 d:v2:s32, a:v1:s32, b:v1:s32, "
     "c:v2:s32",
     63, 75, lower_mma, MMA_SECTION},
    {"wmma",
     ".mma.(xor|and<71,80>).popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32 d:v2:s32, a:v1:b32, "
     "b:v1:b32, c:v2:s32",
     63, 75, lower_mma, MMA_SECTION},
};

#undef LOAD_A
#undef LOAD_B
#undef LOAD_C
#undef STORE
#undef MMA
#undef SPACE
#undef HALF
#undef BYTE
#undef FROM
#undef TO
#undef STRIDE
#undef LOAD_SECTION
#undef STORE_SECTION
#undef MMA_SECTION

}  // namespace

std::span<const Row> wmma_rows() {
  return kRows;
}

}  // namespace ptxequiv::isa
