// Strong reads and writes: what they see of each other's past, and whose past they hand on.
#include "machine/access.h"
#include "machine/spin.h"

namespace ptxequiv::machine {

using Order = ir::MemoryAccess::Order;

void Accesses::strong_read(const Request& request, Region& region, uint64_t offset,
                           const ir::MemoryAccess& access, const Rmw* last) {
  using Always = StrongWrites::Seen::Always;
  const StrongWrites::Key key = env_.strong_key(region, offset);
  const Reach reach = reach_of(access.scope);
  const bool acquires = access.order == Order::kAcquire || access.order == Order::kAcqRel;
  StrongWrites::Place* place = env_.strong.find(key);
  for_each_lane(request.lanes, [&](unsigned lane) {
    const unsigned thread = request.warp * kWarpSize + lane;
    if (request.inst->spins && env_.spins != nullptr) {
      env_.spins->read(thread, key, request.size, reach, acquires);
    } else if (place != nullptr) {
      env_.strong.see(*place, static_cast<int>(place->writes.size()) - 1, thread, reach, acquires,
                      last != nullptr ? Always::kLike : Always::kNo,
                      last != nullptr ? last->operation : uint16_t{0});
    }
  });
}

void Accesses::strong_write(const Request& request, Region& region, uint64_t offset,
                            const ir::MemoryAccess& access, const Lane& before, const Lane& value,
                            const Rmw* rmw) {
  const unsigned thread = request.thread();
  const bool releases = access.order == Order::kRelease || access.order == Order::kAcqRel;
  StrongWrites::Write write;
  write.value = value;
  write.near = env_.order.release_of(thread, Reach::kCta, releases);
  if (reach_of(access.scope) == Reach::kGpu) {
    write.far = releases ? write.near : env_.order.release_of(thread, Reach::kGpu, false);
  }
  write.is_rmw = rmw != nullptr;
  if (rmw != nullptr) {
    write.operation = rmw->operation;
    write.operand = rmw->operand;
  }
  write.stamp = env_.order.stamp(thread, request.inst->site, env_.in_world(request.guard),
                                 request.size, request.flags);
  const StrongWrites::Key key = env_.strong_key(region, offset);
  const bool overtakes = env_.strong.add(key, request.size, before, std::move(write));
  if (request.guard != env_.always()) env_.strong.find(key)->mixed = true;
  if (overtakes) {
    env_.gap_of_schedule("strong-access",
                         env_.memory.element(region, offset, request.size) +
                             ": written again, and nothing orders that after a loop that waited "
                             "for an earlier value",
                         request.inst->site);
  }
}

}  // namespace ptxequiv::machine
