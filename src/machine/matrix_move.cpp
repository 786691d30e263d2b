#include "machine/matrix_move.h"

namespace ptxequiv::machine {
namespace {

constexpr unsigned kRowBytes = 16;

Accesses::Request request_of(const CodeInst& inst, const Warp& warp, unsigned lane, TermId guard,
                             unsigned size, unsigned count) {
  Accesses::Request request;
  request.inst = &inst;
  request.warp = warp.index;
  request.lanes = 1u << lane;
  request.guard = guard;
  request.size = size;
  request.count = count;
  request.space = std::get<ir::MatrixMove>(inst.inst->detail).space;
  return request;
}

Lane half(Env& env, const Lane& word, bool high) {
  const op::Op part{.kind = op::Kind::kExtract, .type = op::Type::kB16, .src = op::Type::kB32};
  return env.values.apply(part, {word, {}, {}, {32, 0, 0}, high ? 16u : 0u});
}

Lane joined(Env& env, const Lane& low, const Lane& high) {
  const op::Op op{.kind = op::Kind::kConcat, .type = op::Type::kB32};
  return env.values.apply(op, {high, low, {}, {16, 16, 0}, 0});
}

}  // namespace

std::vector<Place> MatrixMoves::row(const CodeInst& inst, Warp& warp, unsigned lane,
                                    bool is_write) {
  const unsigned width = inst.src_bits[0];
  const Lane address = env_.defined(warp.regs[inst.src[0]], lane, width);
  const Accesses::Request whole = request_of(inst, warp, lane, env_.always(), 4, kRowBytes / 4);
  if (auto at = accesses_.plain(address, width)) {
    at->offset += inst.immediate;
    if (!accesses_.check(whole, *at, is_write)) return {};
    return {{kNoTerm, *at}};
  }
  return accesses_.places(whole, nullptr, env_.values.term(address, width), width, inst.immediate,
                          is_write);
}

Lane MatrixMoves::read(const CodeInst& inst, Warp& warp, const std::vector<Place>& places,
                       unsigned lane, unsigned offset, unsigned size) {
  Lane result = Lane::undefined();
  // From the last place to the first, so that the first condition stands outermost.
  for (auto place = places.rbegin(); place != places.rend(); ++place) {
    const TermId guard = place->condition == kNoTerm ? env_.always() : place->condition;
    const Pointer at{place->pointer.provenance, place->pointer.offset + offset};
    Lane value;
    accesses_.read(request_of(inst, warp, lane, guard, size, 1), at, &value);
    result = place == places.rbegin() || place->condition == kNoTerm
                 ? value
                 : env_.values.select(place->condition, value, result, size * 8);
  }
  if (result.kind == LaneKind::kUndefined) result = Lane::of_term(env_.arena().poison(size * 8));
  return result;
}

void MatrixMoves::load(const CodeInst& inst, Warp& warp) {
  const auto& move = std::get<ir::MatrixMove>(inst.inst->detail);
  // All rows are read before anything is written: an address register may be a destination.
  std::vector<std::array<Lane, kWarpSize>> results(move.count);
  for (unsigned m = 0; m < move.count; ++m) {
    std::array<Lane, 2 * kWarpSize> halves;
    for (unsigned r = 0; r < 8; ++r) {
      const std::vector<Place> places = row(inst, warp, 8 * m + r, false);
      for (unsigned i = 0; i < 4 && !move.transposed; ++i) {
        results[m][4 * r + i] = read(inst, warp, places, 4 * r + i, 4 * i, 4);
      }
      for (unsigned column = 0; column < 8 && move.transposed; ++column) {
        const unsigned lane = 4 * column + r / 2;
        halves[2 * lane + r % 2] = read(inst, warp, places, lane, 2 * column, 2);
      }
    }
    for (unsigned lane = 0; lane < kWarpSize && move.transposed; ++lane) {
      results[m][lane] = joined(env_, halves[2 * lane], halves[2 * lane + 1]);
    }
  }
  for (unsigned m = 0; m < move.count; ++m) {
    if (inst.inst->dests[m] == ir::kNone) continue;
    Register& reg = warp.regs[inst.inst->dests[m]];
    reg.open(kAllLanes, kAllLanes);
    for (unsigned lane = 0; lane < kWarpSize; ++lane) reg.set(lane, results[m][lane]);
  }
}

void MatrixMoves::store(const CodeInst& inst, Warp& warp) {
  const auto& move = std::get<ir::MatrixMove>(inst.inst->detail);
  for (unsigned m = 0; m < move.count; ++m) {
    Register& values = warp.regs[inst.inst->srcs[1 + m]];
    for (unsigned r = 0; r < 8; ++r) {
      for (const Place& place : row(inst, warp, 8 * m + r, true)) {
        const TermId guard = place.condition == kNoTerm ? env_.always() : place.condition;
        const auto put = [&](unsigned lane, unsigned offset, unsigned size, const Lane& value) {
          const Pointer at{place.pointer.provenance, place.pointer.offset + offset};
          accesses_.write(request_of(inst, warp, lane, guard, size, 1), at, &value);
        };
        for (unsigned i = 0; i < 4 && !move.transposed; ++i) {
          put(4 * r + i, 4 * i, 4, env_.defined(values, 4 * r + i, 32));
        }
        for (unsigned column = 0; column < 8 && move.transposed; ++column) {
          const unsigned lane = 4 * column + r / 2;
          put(lane, 2 * column, 2, half(env_, env_.defined(values, lane, 32), r % 2 != 0));
        }
      }
    }
  }
}

void MatrixMoves::transpose(const CodeInst& inst, Warp& warp) {
  Register& from = warp.regs[inst.src[0]];
  std::array<Lane, kWarpSize> results;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    Lane parts[2];
    for (unsigned h = 0; h < 2; ++h) {
      const unsigned r = 2 * (lane % 4) + h, column = lane / 4;
      const unsigned source = 4 * r + column / 2;
      parts[h] = half(env_, env_.defined(from, source, 32), column % 2 != 0);
    }
    results[lane] = joined(env_, parts[0], parts[1]);
  }
  Register& to = warp.regs[inst.dest];
  to.open(kAllLanes, kAllLanes);
  for (unsigned lane = 0; lane < kWarpSize; ++lane) to.set(lane, results[lane]);
}

}  // namespace ptxequiv::machine
