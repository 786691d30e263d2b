#include "machine/tickets.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace ptxequiv::machine {

using op::Kind;
using Rmw = ir::Atomic::Rmw;

namespace {

// Arrivals that may each be the last are followed one by one.
constexpr size_t kMostChoices = 1024;

}  // namespace

uint32_t Tickets::cta_position() const {
  const auto& grid = env_.launch->grid;
  return env_.cta[0] + grid[0] * (env_.cta[1] + grid[1] * env_.cta[2]);
}

void Tickets::begin_run(Mode mode, size_t choice) {
  mode_ = mode;
  now_.clear();
  numbers_.clear();
  arrived_.clear();
  holders_.clear();
  if (mode != Mode::kLast) return;
  for (const Epoch& epoch : places_in_order_) {
    const std::vector<Event>& last = places_.at(epoch).last_of_thread;
    holders_[epoch] = last[choice % last.size()];
  }
}

void Tickets::begin_cta() {
  const uint32_t cta = cta_position();
  std::erase_if(numbers_, [&](const auto& entry) { return entry.first.second.cta == cta; });
  std::erase_if(now_, [&](const auto& entry) { return entry.first.owner == cta + 1; });
}

// What memory holds after the operation, for the operations that count.
Lane Tickets::step(const Draw& draw, const Lane& old) const {
  const auto width = static_cast<uint8_t>(draw.size * 8);
  const auto apply = [&](Kind kind, const Lane& b) {
    return env_.values.apply(op::Op{.kind = kind, .type = op::bits_type(width)},
                             {old, b, {}, {width, width, 0}, 0});
  };
  if (draw.rmw == Rmw::kDec) return apply(Kind::kSub, Lane::of_bits(1));
  return apply(Kind::kAdd, draw.rmw == Rmw::kInc ? Lane::of_bits(1) : draw.operand);
}

std::optional<Lane> Tickets::draw(const Draw& draw, bool& learns) {
  Now& now = now_[draw.key];
  if (now.started && !(draw.old == now.next)) ++now.epoch;
  const bool counts = (draw.rmw == Rmw::kAdd && !op::is_float(draw.type)) ||
                      draw.rmw == Rmw::kInc || draw.rmw == Rmw::kDec;
  if (counts) now.next = step(draw, draw.old);
  now.started = true;
  const Epoch epoch{draw.key, now.epoch};
  Event event{cta_position(), draw.thread, 0};
  event.number = numbers_[{draw.key, event}]++;
  if (mode_ == Mode::kRecord) {
    auto [it, first] = places_.try_emplace(epoch);
    Place& place = it->second;
    if (first) {
      place.rmw = draw.rmw;
      place.type = draw.type;
      place.base = draw.old;
      place.operand = draw.operand;
      place.size = draw.size;
    }
    place.usable = place.usable && counts && !draw.conditional && place.rmw == draw.rmw &&
                   place.operand == draw.operand && place.size == draw.size;
    place.events.try_emplace(event, kNoTerm);
    return std::nullopt;
  }
  const auto it = places_.find(epoch);
  if (it == places_.end() || contended_.count(draw.key) == 0) return std::nullopt;
  Place& place = it->second;
  if (place.events.count(event) == 0) {
    throw base::LimitReached("tickets", "who arrives depends on the order of arrival");
  }
  arrived_[epoch][event] = true;
  const size_t total = place.events.size();
  const auto holder = holders_.find(epoch);
  if (holder == holders_.end()) {
    learns = false;
    return value(place, ticket_of(place, event, total, draw));
  }
  if (holder->second == event) return value(place, Lane::of_bits(total - 1));
  learns = false;
  return value(place, ticket_of(place, event, total - 1, draw));
}

Lane Tickets::ticket_of(Place& place, const Event& event, uint64_t among, const Draw& draw) {
  if (among <= 1) return Lane::of_bits(0);
  TermId& leaf = place.events[event];
  const unsigned width = place.size * 8;
  term::Arena& arena = env_.arena();
  if (leaf == kNoTerm) {
    leaf = arena.fresh(width);
    ScheduleInput input;
    input.leaf = leaf;
    input.what = fmt::format("as which of {} thread {} of CTA {} comes", place.events.size(),
                             event.thread, event.cta);
    input.site = env_.context.reporter.site(draw.site);
    inputs_.push_back(std::move(input));
  }
  const op::Op rem{.kind = Kind::kRemU, .type = op::bits_type(width)};
  return env_.values.lane(arena.make(rem, leaf, arena.constant(width, among)));
}

Lane Tickets::value(const Place& place, const Lane& ticket) const {
  const auto width = static_cast<uint8_t>(place.size * 8);
  const auto apply = [&](Kind kind, const Lane& a, const Lane& b) {
    return env_.values.apply(op::Op{.kind = kind, .type = op::bits_type(width)},
                             {a, b, {}, {width, width, 0}, 0});
  };
  if (place.rmw == Rmw::kDec) return apply(Kind::kSub, place.base, ticket);
  if (place.rmw == Rmw::kInc) return apply(Kind::kAdd, place.base, ticket);
  return apply(Kind::kAdd, place.base, apply(Kind::kMul, ticket, place.operand));
}

bool Tickets::plan() {
  places_in_order_.clear();
  choices_ = 0;
  if (contended_.empty()) return false;
  for (auto& [epoch, place] : places_) {
    if (contended_.count(epoch.key) == 0) continue;
    if (!place.usable) return false;
    const uint64_t last = place.events.size() - 1;
    if (place.rmw != Rmw::kAdd) {
      // The count must not wrap on the way: then each step is one more, or one less.
      if (!place.base.is_bits() || !place.operand.is_bits()) return false;
      const uint64_t base = place.base.bits, bound = place.operand.bits;
      if (place.rmw == Rmw::kInc && (base > bound || bound - base < last)) return false;
      if (place.rmw == Rmw::kDec && (base > bound || base < last)) return false;
    }
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> most;
    for (const auto& [event, leaf] : place.events) {
      uint32_t& number = most[{event.cta, event.thread}];
      number = std::max(number, event.number);
    }
    place.last_of_thread.clear();
    for (const auto& [who, number] : most) {
      place.last_of_thread.push_back({who.first, who.second, number});
    }
    places_in_order_.push_back(epoch);
    choices_ = std::max(choices_, place.last_of_thread.size());
  }
  if (choices_ > kMostChoices) choices_ = 0;
  return !places_in_order_.empty();
}

bool Tickets::must_wait(const std::vector<std::pair<StrongWrites::Key, unsigned>>& arrivals) const {
  if (mode_ != Mode::kLast) return false;
  for (const auto& [key, thread] : arrivals) {
    const auto now = now_.find(key);
    const Epoch epoch{key, now == now_.end() ? 0 : now->second.epoch};
    const auto holder = holders_.find(epoch);
    if (holder == holders_.end()) continue;
    Event event{cta_position(), thread, 0};
    const auto number = numbers_.find({key, event});
    event.number = number == numbers_.end() ? 0 : number->second;
    if (!(holder->second == event)) continue;
    size_t here = 0;
    for (const auto& [other, other_thread] : arrivals) here += other == key;
    const auto arrived = arrived_.find(epoch);
    const size_t before = arrived == arrived_.end() ? 0 : arrived->second.size();
    if (before + here < places_.at(epoch).events.size()) return true;
  }
  return false;
}

}  // namespace ptxequiv::machine
