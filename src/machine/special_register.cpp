// Special registers (PTX chapter 10).
#include <fmt/format.h>

#include "machine/cta.h"

namespace ptxequiv::machine {

using ir::SpecialRegister;

namespace {

enum class Source : uint8_t { kCta, kThread, kLane, kNumber, kCounter, kUnknown };

// Where a register's value comes from: the same for the CTA, of the thread or lane, the schedule's
// choice (a number that all lanes of a warp share, or a count), or outside what is modelled.
Source source_of(SpecialRegister reg) {
  using R = SpecialRegister;
  switch (reg) {
    case R::kTidX:
    case R::kTidY:
    case R::kTidZ:
      return Source::kThread;
    case R::kLaneId:
    case R::kLanemaskEq:
    case R::kLanemaskLt:
    case R::kLanemaskLe:
    case R::kLanemaskGt:
    case R::kLanemaskGe:
      return Source::kLane;
    case R::kSmId:
    case R::kNsmId:
    case R::kGridId:
      return Source::kNumber;
    case R::kClock:
    case R::kClockHi:
    case R::kClock64:
    case R::kGlobalTimer:
    case R::kGlobalTimerLo:
    case R::kGlobalTimerHi:
      return Source::kCounter;
    case R::kOther:
      return Source::kUnknown;
    default:
      return Source::kCta;
  }
}

uint64_t lane_value(SpecialRegister reg, unsigned lane) {
  const uint32_t bit = 1u << lane;
  switch (reg) {
    case SpecialRegister::kLaneId:
      return lane;
    case SpecialRegister::kLanemaskEq:
      return bit;
    case SpecialRegister::kLanemaskLt:
      return bit - 1;
    case SpecialRegister::kLanemaskLe:
      return bit | (bit - 1);
    case SpecialRegister::kLanemaskGt:
      return ~(bit | (bit - 1)) & kAllLanes;
    case SpecialRegister::kLanemaskGe:
      return ~(bit - 1) & kAllLanes;
    default:
      return 0;
  }
}

// Launches without clusters: each CTA is a cluster of its own (PTX 10.14 ff.).
uint64_t cta_value(SpecialRegister reg, const Env& env, unsigned warp) {
  using R = SpecialRegister;
  const Launch& launch = *env.launch;
  const unsigned warps = (env.threads() + kWarpSize - 1) / kWarpSize;
  switch (reg) {
    case R::kNtidX:
      return launch.block[0];
    case R::kNtidY:
      return launch.block[1];
    case R::kNtidZ:
      return launch.block[2];
    case R::kCtaidX:
      return env.cta[0];
    case R::kCtaidY:
      return env.cta[1];
    case R::kCtaidZ:
      return env.cta[2];
    case R::kNctaidX:
      return launch.grid[0];
    case R::kNctaidY:
      return launch.grid[1];
    case R::kNctaidZ:
      return launch.grid[2];
    case R::kWarpId:
      return warp;
    case R::kNwarpId:
      return warps;
    case R::kDynamicSmemSize:
      return launch.shared_bytes;
    case R::kClusterNctaIdX:
    case R::kClusterNctaIdY:
    case R::kClusterNctaIdZ:
    case R::kClusterNctaRank:
      return 1;
    case R::kClusterIdX:
      return env.cta[0];
    case R::kClusterIdY:
      return env.cta[1];
    case R::kClusterIdZ:
      return env.cta[2];
    case R::kNclusterIdX:
      return launch.grid[0];
    case R::kNclusterIdY:
      return launch.grid[1];
    case R::kNclusterIdZ:
      return launch.grid[2];
    case R::kTotalSmemSize: {
      uint64_t bytes = launch.shared_bytes;
      for (const ir::MemoryObject& object : launch.function->objects) {
        if (object.space == ptx::Space::kShared && !object.dynamic_shared) bytes += object.bytes;
      }
      return bytes;
    }
    default:
      return 0;  // positions within the cluster
  }
}

std::string of_cta(const Env& env) {
  if (env.cta == std::array<uint32_t, 3>{}) return "";
  return fmt::format(" of CTA {},{},{}", env.cta[0], env.cta[1], env.cta[2]);
}

}  // namespace

void Cta::special_register(const CodeInst& inst, Warp& warp, const Strand& strand) {
  const SpecialRegister reg = std::get<ir::SpecialUse>(inst.inst->detail).reg;
  const uint64_t mask = op::mask(inst.dest_bits);
  Register value;
  switch (source_of(reg)) {
    case Source::kUnknown:
      throw_unsupported(env_.context.reporter.site(inst.site), "this special register");
    case Source::kNumber:
      value.set_uniform(Lane::of_term(env_.context.reporter.schedule_input(
          inst.dest_bits,
          fmt::format("what {} gives thread {}{}", ir::name(reg),
                      warp.thread(first_lane(strand.mask)), of_cta(env_)),
          inst.site, ScheduleInput::Nature::kNumber)));
      break;
    case Source::kCounter:
      value.uniform = false;
      for_each_lane(strand.mask, [&](unsigned lane) {
        value.set(lane, Lane::of_term(env_.context.reporter.schedule_input(
                            inst.dest_bits,
                            fmt::format("what {} gives thread {}{}", ir::name(reg),
                                        warp.thread(lane), of_cta(env_)),
                            inst.site, ScheduleInput::Nature::kCounter)));
      });
      break;
    case Source::kCta:
      value.set_uniform(Lane::of_bits(cta_value(reg, env_, warp.index) & mask));
      break;
    case Source::kThread: {
      const auto axis = static_cast<unsigned>(reg) - static_cast<unsigned>(SpecialRegister::kTidX);
      // A flat block makes the other coordinates uniform.
      if (env_.launch->block[axis] == 1) {
        value.set_uniform(Lane::of_bits(0));
        break;
      }
      value.uniform = false;
      for_each_lane(strand.mask, [&](unsigned lane) {
        value.set(lane, Lane::of_bits(env_.thread_index(warp.thread(lane))[axis] & mask));
      });
      break;
    }
    case Source::kLane:
      value.uniform = false;
      for_each_lane(strand.mask, [&](unsigned lane) {
        value.set(lane, Lane::of_bits(lane_value(reg, lane) & mask));
      });
      break;
  }
  warp.regs[inst.dest].copy(value, strand.mask, warp.live);
}

}  // namespace ptxequiv::machine
