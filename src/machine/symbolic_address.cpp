// Loads and stores at addresses that depend on data: the sum is taken apart into a provenance and
// integer terms, and each place that it may mean is visited under a condition.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "machine/access.h"
#include "machine/index_condition.h"

namespace ptxequiv::machine {

using op::Kind;

namespace {

// Places that one access may mean; more would make the select chain useless anyway.
constexpr uint64_t kMaxPlaces = 4096;
constexpr size_t kMaxOptions = 64;
__extension__ typedef __int128 Wide;

op::Op word(Kind kind, unsigned width) {
  return op::Op{.kind = kind, .type = op::bits_type(width)};
}

// Is there an address below, through what keeps one recognisable? Bounded look.
bool has_address(const term::Arena& arena, TermId id) {
  std::vector<TermId> work{id};
  for (size_t looked = 0; !work.empty() && looked < 256; ++looked) {
    const TermId t = work.back();
    work.pop_back();
    const term::Node& node = arena[t];
    switch (node.op.kind) {
      case Kind::kAddress:
        return true;
      case Kind::kAdd:
      case Kind::kSub:
      case Kind::kConcat:
        work.insert(work.end(), {node.a, node.b});
        break;
      case Kind::kSelect:
        work.insert(work.end(), {node.b, node.c});
        break;
      case Kind::kZext:
      case Kind::kSext:
      case Kind::kExtract:
        work.push_back(node.a);
        break;
      default:
        break;
    }
  }
  return false;
}

}  // namespace

// A sum with one address in it.
struct Accesses::Option {
  TermId condition = kNoTerm;  // of the selects on the way; kNoTerm: none
  std::optional<uint32_t> provenance;
  int64_t offset = 0;
  std::vector<std::pair<TermId, bool>> rest;  // summands; true: subtracted
  unsigned width = 64;                        // the sum counts modulo 2^width
};

std::vector<Accesses::Option> Accesses::decompose(const Request& request, TermId address,
                                                  unsigned width) {
  term::Arena& arena = env_.arena();
  struct State {
    Option option;
    std::vector<std::pair<TermId, bool>> todo;
  };
  std::vector<State> states;
  State start;
  start.option.width = width;
  start.todo.emplace_back(address, false);
  states.push_back(std::move(start));
  std::vector<Option> done;
  while (!states.empty()) {
    State state = std::move(states.back());
    states.pop_back();
    Option& option = state.option;
    bool forked = false;
    while (!state.todo.empty() && !forked) {
      const auto [t, negative] = state.todo.back();
      state.todo.pop_back();
      const term::Node node = arena[t];
      const bool inner_address = node.op.kind != Kind::kAddress && has_address(arena, t);
      if (node.op.kind == Kind::kConst) {
        const int64_t value = sign_extend(arena.const_bits(t), arena.width(t));
        option.offset += negative ? -value : value;
      } else if (node.op.kind == Kind::kAddress && !negative && !option.provenance) {
        option.provenance = node.a;
        option.offset += static_cast<int64_t>(uint64_t{node.c} << 32 | node.b);
      } else if (node.op.kind == Kind::kAdd) {
        state.todo.insert(state.todo.end(), {{node.a, negative}, {node.b, negative}});
      } else if (node.op.kind == Kind::kSub) {
        state.todo.insert(state.todo.end(), {{node.a, negative}, {node.b, !negative}});
      } else if (inner_address && node.op.kind == Kind::kSelect && !negative &&
                 done.size() + states.size() < kMaxOptions) {
        for (const bool taken : {true, false}) {
          State arm = state;
          const TermId literal = taken ? node.a : arena.logic_not(node.a);
          TermId& condition = arm.option.condition;
          condition = condition == kNoTerm ? literal : arena.logic_and(condition, literal);
          arm.todo.emplace_back(taken ? node.b : node.c, false);
          states.push_back(std::move(arm));
        }
        forked = true;
      } else if (inner_address && (node.op.kind == Kind::kZext || node.op.kind == Kind::kSext ||
                                   (node.op.kind == Kind::kExtract && node.b == 0))) {
        // Addresses that fit 32 bits: the sum below counts modulo 2^32.
        option.width = std::min({option.width, arena.width(t), arena.width(node.a)});
        state.todo.emplace_back(node.a, negative);
      } else if (inner_address && node.op.kind == Kind::kConcat && arena.is_const(node.a) &&
                 arena.const_bits(node.a) == 0) {
        option.width = std::min(option.width, arena.width(node.b));
        state.todo.emplace_back(node.b, negative);
      } else {
        option.rest.emplace_back(t, negative);
      }
    }
    if (forked) continue;
    if (!option.provenance) {
      throw_unsupported(env_.context.reporter.site(request.inst->site),
                        "an address that is not a known object plus an offset");
    }
    done.push_back(std::move(option));
  }
  return done;
}

void Accesses::places_of(const Request& request, const Facts& facts, const Option& option,
                         bool is_write, std::vector<Place>& out) {
  term::Arena& arena = env_.arena();
  const Region& region = env_.memory.region(*option.provenance);
  const auto total = static_cast<int64_t>(request.size) * request.count;
  const TermId path = option.condition == kNoTerm
                          ? request.guard
                          : arena.logic_and(request.guard, option.condition);
  if (option.rest.empty()) {
    Request one = request;
    one.guard = path;
    if (check(one, {*option.provenance, option.offset}, is_write)) {
      out.push_back({option.condition, {*option.provenance, option.offset}});
    }
    return;
  }
  // Bounds and alignment of the varying part, and the sum as a term.
  Wide low = option.offset, high = option.offset;
  unsigned zeros = 32;
  TermId sum = kNoTerm;
  for (const auto& [summand, negative] : option.rest) {
    TermId t = summand;
    if (arena.width(t) > option.width) t = arena.extract(t, 0, option.width);
    PTXEQUIV_CHECK(arena.width(t) == option.width, "a summand as wide as the address");
    const Range r = env_.ranges.of(t, facts);
    const Wide unsigned_span = Wide{r.high} - Wide{r.low};
    const Wide signed_span = Wide{r.signed_high} - Wide{r.signed_low};
    const bool use_unsigned = unsigned_span < signed_span;
    const Wide t_low = use_unsigned ? Wide{r.low} : Wide{r.signed_low};
    const Wide t_high = use_unsigned ? Wide{r.high} : Wide{r.signed_high};
    low += negative ? -t_high : t_low;
    high += negative ? -t_low : t_high;
    zeros = std::min(zeros, r.zeros);
    if (sum == kNoTerm) {
      sum = negative
                ? arena.make(word(Kind::kSub, option.width), arena.constant(option.width, 0), t)
                : t;
    } else {
      sum = arena.make(word(negative ? Kind::kSub : Kind::kAdd, option.width), sum, t);
    }
  }
  const TermId whole =
      arena.make(word(Kind::kAdd, option.width), sum,
                 arena.constant(option.width, static_cast<uint64_t>(option.offset)));
  const char* verb = is_write ? "write" : "read";
  const int64_t last = static_cast<int64_t>(region.bytes) - total;
  const auto report = [&](Category category, TermId condition, std::string_view what) {
    env_.fault(category, Fault::Strength::kPossible, arena.logic_and(path, condition),
               fmt::format("thread {} may {} {} {}", request.thread(), verb, region.name, what),
               {env_.access(request.inst->site, request.thread(), is_write)}, region.name, {},
               fmt::format("thread {} {}s {} {}", request.thread(), verb, region.name, what));
  };
  const auto can_be = [&](TermId condition) {
    const Lane lane = env_.values.lane(condition);
    const auto known =
        lane.is_bits() ? std::optional<bool>(lane.bits & 1) : env_.ranges.truth(condition, facts);
    if (known) return *known;
    return env_.context.oracle == nullptr ||
           env_.context.oracle->possible(env_.in_world(path), condition) != Possibility::kNever;
  };
  if (low < 0 || high > last) {
    const TermId inside =
        last < 0 ? env_.values.truth(false)
                 : arena.make(word(Kind::kLtU, option.width), whole,
                              arena.constant(option.width, static_cast<uint64_t>(last) + 1));
    const TermId outside = arena.logic_not(inside);
    if (can_be(outside)) report(Category::kOutOfBounds, outside, "out of its bounds");
  }
  int64_t step = int64_t{1} << zeros;
  const int64_t residue = option.offset & (step - 1);
  int64_t phase = residue;
  if (step < total) {
    const TermId low_bits =
        arena.make(word(Kind::kAnd, option.width), whole,
                   arena.constant(option.width, static_cast<uint64_t>(total - 1)));
    const TermId odd = arena.logic_not(arena.equal(low_bits, arena.constant(option.width, 0)));
    if (can_be(odd)) report(Category::kMisaligned, odd, "at a misaligned address");
    step = total;
    phase = 0;
  } else if (residue % total != 0) {
    report(Category::kMisaligned, env_.always(), "at a misaligned address");
    return;
  }
  int64_t begin = static_cast<int64_t>(std::max<Wide>(low, 0));
  const auto end = static_cast<int64_t>(std::min<Wide>(high, last));
  begin += ((phase - begin) % step + step) % step;
  if (begin > end) return;
  const uint64_t count = static_cast<uint64_t>(end - begin) / static_cast<uint64_t>(step) + 1;
  if (count > kMaxPlaces) {
    throw base::LimitReached(
        "symbolic-address",
        fmt::format("an index that depends on data may mean {} elements of {}, more than {}", count,
                    region.name, kMaxPlaces));
  }
  Bounds bounds(env_.ranges, facts);
  const bool single = option.rest.size() == 1 && !option.rest[0].second &&
                      arena.width(option.rest[0].first) == option.width;
  for (int64_t offset = begin; offset <= end; offset += step) {
    const auto value = static_cast<uint64_t>(offset - option.offset);
    TermId condition = equals(arena, bounds, single ? option.rest[0].first : sum, value);
    if (condition == env_.values.truth(false)) continue;
    if (option.condition != kNoTerm) condition = arena.logic_and(option.condition, condition);
    out.push_back({condition, {*option.provenance, offset}});
  }
}

std::vector<Place> Accesses::places(const Request& request, const Path* path, TermId address,
                                    unsigned width, int64_t offset, bool is_write) {
  std::vector<Place> all;
  const Facts facts = env_.facts(path, first_lane(request.lanes));
  for (Option& option : decompose(request, address, width)) {
    option.offset += offset;
    Facts here = facts;
    if (option.condition != kNoTerm) here.push_back({option.condition, true});
    places_of(request, here, option, is_write, all);
  }
  return all;
}

bool Accesses::nowhere(const Request& request, TermId address, bool is_write) {
  if (!env_.arena().known_bits(address)) return false;
  env_.fault(Category::kOutOfBounds, Fault::Strength::kCertain, request.guard,
             fmt::format("thread {} {} an address that lies in no memory", request.thread(),
                         is_write ? "writes" : "reads"),
             {env_.access(request.inst->site, request.thread(), is_write)});
  return true;
}

void Accesses::load_symbolic(const Request& request, const Path* path, TermId address,
                             unsigned width, Lane* out) {
  std::vector<Place> all;
  if (!nowhere(request, address, false)) {
    all = places(request, path, address, width, request.inst->immediate, false);
  }
  for (unsigned i = 0; i < request.count; ++i) out[i] = Lane::undefined();
  Lane value[16];
  // From the last place to the first, so that the first condition stands outermost.
  for (auto place = all.rbegin(); place != all.rend(); ++place) {
    env_.context.deadline.poll();
    Request one = request;
    if (place->condition != kNoTerm) {
      one.guard = env_.arena().logic_and(request.guard, place->condition);
    }
    read_initialised(one, place->pointer, value);
    for (unsigned i = 0; i < request.count; ++i) {
      out[i] = place == all.rbegin() || place->condition == kNoTerm
                   ? value[i]
                   : env_.values.select(place->condition, value[i], out[i], request.size * 8);
    }
  }
  for (unsigned i = 0; i < request.count; ++i) {
    if (out[i].kind == LaneKind::kUndefined) {
      out[i] = Lane::of_term(env_.arena().poison(request.size * 8));
    }
  }
}

void Accesses::store_symbolic(const Request& request, const Path* path, TermId address,
                              unsigned width, const Lane* values) {
  if (nowhere(request, address, true)) return;
  for (const Place& place : places(request, path, address, width, request.inst->immediate, true)) {
    env_.context.deadline.poll();  // each place is held against all that was accessed before
    Request one = request;
    if (place.condition != kNoTerm) {
      one.guard = env_.arena().logic_and(request.guard, place.condition);
    }
    write(one, place.pointer, values);
  }
}

}  // namespace ptxequiv::machine
