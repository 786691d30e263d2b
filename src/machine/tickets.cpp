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

void Tickets::begin_run(Mode mode, size_t choice) {
  mode_ = mode;
  now_.clear();
  numbers_.clear();
  arrived_.clear();
  holders_.clear();
  if (mode != Mode::kLast) return;
  for (const Epoch& epoch : places_in_order_) {
    const std::vector<Event>& last = places_.at(epoch).last;
    holders_[epoch] = last[choice % last.size()];
    if (!apart_) choice /= last.size();
  }
}

void Tickets::begin_cta() {
  const uint32_t cta = env_.cta_position();
  std::erase_if(numbers_, [&](const auto& entry) { return entry.first.second.cta == cta; });
  std::erase_if(now_, [&](const auto& entry) { return entry.first.owner == cta + 1; });
}

// What memory holds after the operation, for the operations that count.
Lane Tickets::step(const Draw& draw, const Lane& old) const {
  const op::Type type = op::bits_type(draw.size * 8);
  const Lane one = Lane::of_bits(1);
  if (draw.rmw == Rmw::kDec) return env_.values.binary(Kind::kSub, type, old, one);
  return env_.values.binary(Kind::kAdd, type, old, draw.rmw == Rmw::kInc ? one : draw.operand);
}

std::optional<Tickets::Drawn> Tickets::draw(const Draw& draw) {
  const bool counts = (draw.rmw == Rmw::kAdd && !op::is_float(draw.type)) ||
                      draw.rmw == Rmw::kInc || draw.rmw == Rmw::kDec;
  if (!counts) return std::nullopt;  // it begins the count anew, or conflicts with it
  Now& now = now_[draw.key];
  if (now.started && !(draw.old == now.next)) {
    // Set anew, or wrapped around: another count only if all of the last one are over.
    const auto last = places_.find({draw.key, now.epoch});
    if (mode_ == Mode::kRecord && last != places_.end()) {
      for (const auto& [other, earlier] : last->second.events) {
        if (env_.order.ordered_always(earlier.stamp, draw.thread)) continue;
        last->second.usable = false;
        break;
      }
    }
    ++now.epoch;
  }
  now.next = step(draw, draw.old);
  now.started = true;
  const Epoch epoch{draw.key, now.epoch};
  Event event{env_.cta_position(), draw.thread, 0};
  event.number = numbers_[{draw.key, event}]++;
  if (mode_ == Mode::kRecord) {
    auto [it, first] = places_.try_emplace(epoch);
    Place& place = it->second;
    if (first) {
      place.rmw = draw.rmw;
      place.base = draw.old;
      place.operand = draw.operand;
      place.size = draw.size;
    }
    place.usable = place.usable && !draw.conditional && place.rmw == draw.rmw &&
                   place.operand == draw.operand && place.size == draw.size;
    note_arrival(place, event, draw);
    return std::nullopt;
  }
  const auto it = places_.find(epoch);
  if (it == places_.end() || contended_.count(draw.key) == 0) return std::nullopt;
  Place& place = it->second;
  if (place.events.count(event) == 0) {
    throw base::LimitReached("tickets", "who arrives depends on the order of arrival");
  }
  arrived_[epoch].insert(event);
  const size_t total = place.events.size();
  const auto holder = holders_.find(epoch);
  if (holder == holders_.end()) {
    return Drawn{value(place, ticket_of(place, event, total)), false};
  }
  if (holder->second == event) return Drawn{value(place, Lane::of_bits(total - 1)), true};
  return Drawn{value(place, ticket_of(place, event, total - 1)), false};
}

void Tickets::note_arrival(Place& place, const Event& event, const Draw& draw) {
  constexpr size_t kMostCompared = 2048;
  Arrival arrival;
  arrival.position = place.events.size();
  arrival.stamp = env_.order.stamp(draw.thread, draw.site, env_.always(), draw.size, 0);
  if (place.events.size() >= kMostCompared) place.any_order = false;
  for (auto& [other, earlier] : place.events) {
    if (place.events.size() >= kMostCompared) break;
    if (!env_.order.ordered_always(earlier.stamp, draw.thread)) continue;
    place.any_order = earlier.may_be_last = false;
  }
  place.events.try_emplace(event, arrival);
}

TermId Tickets::leaf_of(Place& place, const Event& event) {
  Arrival& arrival = place.events.at(event);
  if (arrival.leaf != kNoTerm) return arrival.leaf;
  arrival.leaf = env_.arena().fresh(place.size * 8);
  ScheduleInput input;
  input.leaf = arrival.leaf;
  input.what = fmt::format("as which of {} thread {} of CTA {} comes", place.events.size(),
                           event.thread, event.cta);
  input.site = env_.context.reporter.site(arrival.stamp.site);
  input.nature = ScheduleInput::Nature::kTicket;
  input.position = arrival.position;
  input.total = place.events.size();
  input.any_order = place.any_order;
  inputs_.push_back(std::move(input));
  return arrival.leaf;
}

Lane Tickets::ticket_of(Place& place, const Event& event, uint64_t among) {
  if (among <= 1) return Lane::of_bits(0);
  term::Arena& arena = env_.arena();
  const unsigned width = place.size * 8;
  const op::Op rem{.kind = Kind::kRemU, .type = op::bits_type(width)};
  return env_.values.lane(arena.make(rem, leaf_of(place, event), arena.constant(width, among)));
}

TermId Tickets::is_last(size_t choice) {
  Place& place = places_.at(places_in_order_.front());
  const uint64_t total = place.events.size();
  if (total == 1) return env_.always();
  const Event& event = place.last[choice];
  const TermId ticket = env_.values.term(ticket_of(place, event, total), place.size * 8);
  const op::Op equal{.kind = Kind::kEq, .type = op::bits_type(place.size * 8)};
  return env_.arena().make(equal, ticket, env_.arena().constant(place.size * 8, total - 1));
}

Lane Tickets::value(const Place& place, const Lane& ticket) const {
  const op::Type type = op::bits_type(place.size * 8);
  Values& values = env_.values;
  if (place.rmw == Rmw::kDec) return values.binary(Kind::kSub, type, place.base, ticket);
  if (place.rmw == Rmw::kInc) return values.binary(Kind::kAdd, type, place.base, ticket);
  return values.binary(Kind::kAdd, type, place.base,
                       values.binary(Kind::kMul, type, ticket, place.operand));
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
    place.last.clear();
    for (const auto& [event, arrival] : place.events) {
      if (arrival.may_be_last) place.last.push_back(event);
    }
    places_in_order_.push_back(epoch);
  }
  count_choices();
  return !places_in_order_.empty();
}

// CTAs that come to different places, and hear of each other in no other way, do not depend on who
// is last elsewhere: one choice of each place at a time will do. Else it takes all combinations.
void Tickets::count_choices() {
  std::map<uint32_t, const Place*> place_of;
  apart_ = !env_.code->waits;
  for (const Epoch& epoch : places_in_order_) {
    const Place& place = places_.at(epoch);
    for (const auto& [event, arrival] : place.events) {
      apart_ = apart_ && place_of.try_emplace(event.cta, &place).first->second == &place;
    }
  }
  choices_ = 1;
  for (const Epoch& epoch : places_in_order_) {
    const size_t here = places_.at(epoch).last.size();
    choices_ = apart_ ? std::max(choices_, here) : choices_ * here;
    if (choices_ > kMostChoices) choices_ = 0;
    if (choices_ == 0) return;
  }
}

bool Tickets::decide(const Memory& memory) const {
  if (inputs_.empty()) return false;
  const term::Arena& arena = env_.context.arena;
  TermId first = inputs_.front().leaf;
  for (const ScheduleInput& input : inputs_) first = std::min(first, input.leaf);
  std::vector<bool> below(arena.size() - first, false);  // by term, from `first` on
  for (const ScheduleInput& input : inputs_) below[input.leaf - first] = true;
  for (TermId id = first; id < arena.size(); ++id) {
    for (const TermId operand : arena.operands(id)) {
      if (operand >= first && below[operand - first]) below[id - first] = true;
    }
  }
  return memory.any_global([&](TermId id) { return id >= first && below[id - first]; });
}

bool Tickets::must_wait(const std::vector<std::pair<StrongWrites::Key, unsigned>>& arrivals) const {
  if (mode_ != Mode::kLast) return false;
  for (const auto& [key, thread] : arrivals) {
    const auto now = now_.find(key);
    const Epoch epoch{key, now == now_.end() ? 0 : now->second.epoch};
    const auto holder = holders_.find(epoch);
    if (holder == holders_.end()) continue;
    Event event{env_.cta_position(), thread, 0};
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
