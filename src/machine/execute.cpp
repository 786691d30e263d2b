// Cta: operations on registers, on a whole warp at once where lanes hold plain bits.
#include <algorithm>

#include "machine/cta.h"
#include "machine/lane_loop.h"

namespace ptxequiv::machine {

void Cta::execute_op(const CodeInst& inst, Warp& warp, const Strand& strand) {
  Register& dest = warp.regs[inst.dest];
  const unsigned arity = inst.arity;
  Register* src[3] = {nullptr, nullptr, nullptr};
  bool uniform = true;
  uint32_t special = 0;
  for (unsigned i = 0; i < arity; ++i) {
    src[i] = &warp.regs[inst.src[i]];
    uniform = uniform && src[i]->uniform;
    special |= src[i]->terms | src[i]->pointers;
  }
  const auto position = static_cast<unsigned>(inst.immediate);
  if (uniform) {
    bool undefined = false;
    for (unsigned i = 0; i < arity; ++i) {
      undefined = undefined || (src[i]->terms & src[i]->pointers) != 0;
    }
    if (!undefined || inst.op.kind == op::Kind::kSelect) {
      Values::Operands in;
      in.position = position;
      Lane* lanes[3] = {&in.a, &in.b, &in.c};
      for (unsigned i = 0; i < arity; ++i) {
        *lanes[i] = src[i]->get(0);
        in.bits[i] = inst.src_bits[i];
      }
      // Poison differs from lane to lane, unless a select passes it by.
      const bool lanewise = undefined && !(in.a.is_bits());
      if (!lanewise) {
        Register value;
        value.set_uniform(env_.values.apply(inst.op, in));
        if (strand.mask == warp.live) {
          dest.bits[0] = value.bits[0];
          dest.terms = value.terms;
          dest.pointers = value.pointers;
          dest.uniform = true;
        } else {
          dest.copy(value, strand.mask, warp.live);
        }
        return;
      }
    }
  }
  if ((special & strand.mask) == 0) {
    static constexpr uint64_t kNone[kWarpSize] = {};
    const LaneOperands in{arity > 0 ? src[0]->bits : kNone, arity > 1 ? src[1]->bits : kNone,
                          arity > 2 ? src[2]->bits : kNone, arity > 0 && !src[0]->uniform,
                          arity > 1 && !src[1]->uniform,    arity > 2 && !src[2]->uniform};
    uint64_t result[kWarpSize];
    if (run_lanes(inst.op, position, in, result, kWarpSize) ||
        (env_.values.evaluates() && run_float_lanes(inst.op, in, result, kWarpSize))) {
      if (strand.mask == warp.live) {
        std::copy(result, result + kWarpSize, dest.bits);
        dest.terms = dest.pointers = 0;
        dest.uniform = false;
      } else {
        dest.spread();
        for_each_lane(strand.mask, [&](unsigned lane) { dest.bits[lane] = result[lane]; });
        dest.terms &= ~strand.mask;
        dest.pointers &= ~strand.mask;
      }
      return;
    }
  }
  execute_lanes(inst, warp, strand.mask);
}

// Floating point on terms, all lanes at a time; false if they are not of one sort.
bool Cta::execute_terms(const CodeInst& inst, Warp& warp, uint32_t mask) {
  if (!op::info(inst.op.kind).is_float || inst.arity == 0) return false;
  bool any = false;
  for (unsigned i = 0; i < inst.arity; ++i) {
    const Register& src = warp.regs[inst.src[i]];
    if ((src.pointers & mask) != 0) return false;  // an address, or never written
    const uint32_t terms = src.terms & mask;
    if (terms != 0 && terms != mask) return false;
    any = any || terms != 0;
  }
  if (!any) return false;
  TermId operands[3][kWarpSize], results[kWarpSize];
  unsigned count = 0;
  for_each_lane(mask, [&](unsigned lane) {
    for (unsigned i = 0; i < inst.arity; ++i) {
      operands[i][count] = env_.values.term(warp.regs[inst.src[i]].get(lane), inst.src_bits[i]);
    }
    ++count;
  });
  env_.arena().make_many(inst.op, count, operands[0], operands[1], operands[2], results);
  Register& dest = warp.regs[inst.dest];
  dest.open(mask, warp.live);
  count = 0;
  for_each_lane(mask, [&](unsigned lane) { dest.set(lane, env_.values.lane(results[count++])); });
  return true;
}

void Cta::execute_lanes(const CodeInst& inst, Warp& warp, uint32_t mask) {
  if (execute_terms(inst, warp, mask)) return;
  Register& dest = warp.regs[inst.dest];
  dest.open(mask, warp.live);
  Values::Operands in;
  in.position = static_cast<unsigned>(inst.immediate);
  Lane* lanes[3] = {&in.a, &in.b, &in.c};
  for (unsigned i = 0; i < inst.arity; ++i) in.bits[i] = inst.src_bits[i];
  const bool is_select = inst.op.kind == op::Kind::kSelect;
  for_each_lane(mask, [&](unsigned lane) {
    for (unsigned i = 0; i < inst.arity; ++i) {
      Register& src = warp.regs[inst.src[i]];
      // A select does not look at the value that it drops.
      *lanes[i] = is_select && i > 0 ? src.get(lane) : env_.defined(src, lane, inst.src_bits[i]);
    }
    if (is_select && !in.a.is_bits()) {
      in.b = env_.defined(warp.regs[inst.src[1]], lane, inst.src_bits[1]);
      in.c = env_.defined(warp.regs[inst.src[2]], lane, inst.src_bits[2]);
    }
    dest.set(lane, env_.values.apply(inst.op, in));
  });
}

void Cta::object_address(const CodeInst& inst, Warp& warp, const Strand& strand) {
  const uint32_t provenance = env_.memory.object_provenance(inst.inst->object);
  Register value;
  value.set_uniform(Pointer{provenance, inst.immediate}.lane());
  warp.regs[inst.dest].copy(value, strand.mask, warp.live);
}

void Cta::is_space(const CodeInst& inst, Warp& warp, const Strand& strand) {
  const ptx::Space space = std::get<ir::SpaceUse>(inst.inst->detail).space;
  Register& dest = warp.regs[inst.dest];
  dest.spread();
  for_each_lane(strand.mask, [&](unsigned lane) {
    const Lane address = env_.defined(warp.regs[inst.src[0]], lane, inst.src_bits[0]);
    if (!address.is_pointer()) {
      throw_unsupported(env_.context.reporter.site(inst.site), "an address that depends on data");
    }
    const Region& region = env_.memory.region(pointer_of(address).provenance);
    // A parameter's generic address lies in global memory too (shared/vectors, address_space).
    const bool is_parameter = region.space == ptx::Space::kParam && space == ptx::Space::kGlobal;
    dest.set(lane, Lane::of_bits(region.space == space || is_parameter));
  });
}

}  // namespace ptxequiv::machine
