#include "real/reading.h"

#include <algorithm>

#include "base/error.h"
#include "real/reader.h"

namespace ptxequiv::real {

View View::of(op::Type type) {
  switch (type) {
    case op::Type::kB8:
      type = op::Type::kU8;
      break;
    case op::Type::kB16:
      type = op::Type::kU16;
      break;
    case op::Type::kB32:
      type = op::Type::kU32;
      break;
    case op::Type::kB64:
      type = op::Type::kU64;
      break;
    default:
      break;
  }
  PTXEQUIV_CHECK(type == op::Type::kPred || op::is_float(type) || op::info(type).is_integer,
                 "a term cannot be read as this type");
  return View(static_cast<unsigned>(type));
}

namespace {

uint64_t key(Ref ref) {
  return uint64_t{ref.view.index()} << 32 | ref.term;
}

}  // namespace

RealId Reader::get(term::TermId term, View view) {
  const Ref ref{term, view};
  if (needed_ != nullptr) needed_->push_back(ref);
  const RealId id = *cached(ref);
  if (id == kNoReal) {
    stack_.push_back(ref);
    pending_ = true;
  } else {
    operand_flags_ |= caches_[view.index()].flags[term] & kInheritedFlags;
  }
  return id;
}

RealId* Reader::cached(Ref ref) {
  Cache& cache = caches_[ref.view.index()];
  if (ref.term >= cache.ids.size()) {
    cache.ids.resize(arena.size(), kNoReal);
    cache.flags.resize(arena.size());
  }
  return &cache.ids[ref.term];
}

void Reader::clear() {
  for (Cache& cache : caches_) cache = {};
  bounds_.clear();
  affine_.clear();
}

RealId Reader::read(Ref ref) {
  stack_.push_back(ref);
  while (!stack_.empty()) {
    const Ref top = stack_.back();
    if (*cached(top) != kNoReal) {
      stack_.pop_back();
      continue;
    }
    pending_ = false;
    own_flags_ = operand_flags_ = 0;
    own_bounds_.reset();
    own_affine_.reset();
    const RealId id = evaluate(top);
    if (pending_) continue;  // what it needs now stands above it
    stack_.pop_back();
    if (own_bounds_) bounds_.emplace(key(top), *own_bounds_);
    if (own_affine_ && own_affine_->base != term::kNoTerm) {
      affine_.emplace(key(top), *std::move(own_affine_));
    }
    Cache& cache = caches_[top.view.index()];
    cache.ids[top.term] = id;
    // Only a value carries its operands' roundings on; a sign, step or comparison has used them.
    const bool value = !top.view.is_sign() && !top.view.is_residue() &&
                       op::is_float(top.view.type()) && !is_opaque(id);
    const auto inherited = static_cast<uint8_t>(value ? operand_flags_ : 0);
    cache.flags[top.term] = own_flags_ | inherited;
  }
  return *cached(ref);
}

uint8_t Reader::uses(Ref ref, std::vector<Ref>& needed) {
  const term::Node& node = arena[ref.term];
  const RealId known = *cached(ref);
  PTXEQUIV_CHECK(known != kNoReal, "a term was not read");
  const uint8_t flags = caches_[ref.view.index()].flags[ref.term];
  // Most nodes are plain arithmetic, which needs its operands and nothing else.
  const RowFunction row = reading_row(node.op.kind).as_float;
  const bool is_plain = !ref.view.is_sign() && op::is_float(ref.view.type()) &&
                        (row == float_arithmetic || row == float_minmax) && !(flags & kLibm);
  if (!is_plain) return replay(ref, needed);
  if (is_opaque(known) && dag[known].a == ref.term) return flags;
  for (const term::TermId operand : arena.operands(ref.term)) {
    needed.push_back({operand, View::of(node.op.type)});
  }
  return flags;
}

uint8_t Reader::replay(Ref ref, std::vector<Ref>& needed) {
  needed_ = &needed;
  pending_ = false;
  own_flags_ = operand_flags_ = 0;
  const RealId id = evaluate(ref);
  needed_ = nullptr;
  PTXEQUIV_CHECK(!pending_ && id == *cached(ref), "a reading changed");
  return own_flags_;
}

RealId Reader::opaque(Ref ref) {
  own_flags_ = 0;
  if (ref.view.is_sign()) {  // exactly the sign bit, also of zeros
    const op::Type bits = signed_type(op::bits(ref.view.type()));
    return dag.make(Kind::kLt, dag.opaque(ref.term, bits), dag.integer(0));
  }
  if (ref.view.type() == op::Type::kPred) return dag.opaque_bool(ref.term);
  return dag.opaque(ref.term, ref.view.type());
}

Wide constant_number(uint64_t bits, op::Type type) {
  const unsigned width = op::bits(type);
  auto value = static_cast<Wide>(bits);
  if (op::is_signed(type) && (value >> (width - 1) & 1) != 0) value -= Wide{1} << width;
  return value;
}

std::optional<op::Type> number_type(op::Type type) {
  switch (type) {
    case op::Type::kB8:
    case op::Type::kB16:
    case op::Type::kB32:
    case op::Type::kB64:
      return View::of(type).type();
    default:
      break;
  }
  if (op::info(type).is_integer) return type;
  return {};
}

op::Type signed_type(unsigned width) {
  switch (width) {
    case 8:
      return op::Type::kS8;
    case 16:
      return op::Type::kS16;
    case 32:
      return op::Type::kS32;
    default:
      return op::Type::kS64;
  }
}

op::Type unsigned_type(unsigned width) {
  return View::of(op::bits_type(width)).type();
}

RealId Reader::evaluate(Ref ref) {
  const term::Node& node = arena[ref.term];
  if (ref.view.is_sign()) return read_sign(*this, node, ref);
  if (ref.view.is_residue()) return read_residue(*this, node, ref);
  const op::Type type = ref.view.type();
  const ReadingRow& row = reading_row(node.op.kind);
  if (type == op::Type::kPred) {
    return row.as_predicate ? row.as_predicate(*this, node, ref) : opaque(ref);
  }
  if (!op::is_float(type)) {
    return row.as_integer ? row.as_integer(*this, node, ref) : opaque(ref);
  }
  if (library != nullptr) {
    const RealId id = read_library(*this, node, ref);
    if (id != kNoReal || pending_) return id;
  }
  return row.as_float ? row.as_float(*this, node, ref) : opaque(ref);
}

// Total operations of total operands: nothing here can be outside a domain, infinite, or NaN bits.
bool Reader::is_total(RealId id) {
  while (total_.size() <= id) {
    const auto next = static_cast<RealId>(total_.size());
    bool total = true;
    switch (dag[next].kind) {
      case Kind::kInfinity:
      case Kind::kUndefined:
      case Kind::kOpaque:
      case Kind::kDiv:
      case Kind::kSqrt:
      case Kind::kLog2:
      case Kind::kLog:
        total = false;
        break;
      default:
        for (const RealId operand : dag.operands(next)) total = total && total_[operand];
    }
    total_.push_back(total);
  }
  return total_[id];
}

Bounds limits(op::Type type) {
  const unsigned width = op::bits(type);
  const Wide one = 1;
  if (op::is_signed(type)) return {-(one << (width - 1)), (one << (width - 1)) - 1};
  return {0, (one << width) - 1};
}

Bounds Reader::bounds(term::TermId term, View view) const {
  const op::Type type = view.type();
  const auto it = bounds_.find(key({term, view}));
  if (it != bounds_.end()) return it->second;
  if (arena.is_const(term)) {
    const Wide value = constant_number(arena.const_bits(term), type);
    return {value, value};
  }
  return limits(type);
}

Affine Reader::affine(term::TermId term, View view) const {
  if (const auto it = affine_.find(key({term, view})); it != affine_.end()) return it->second;
  const term::Node& node = arena[term];
  const Bounds range = bounds(term, view);
  Affine out;
  const bool leaf = op::arity(node.op.kind) == 0 && node.op.kind != op::Kind::kConst;
  const auto own = leaf ? number_type(node.op.type) : std::nullopt;
  if (own && op::bits(*own) == op::bits(view.type()) &&
      (view.is_residue() || *own == view.type())) {
    out.base = term;
    out.factor = 1;
    out.base_low = to_rational(range.low);
    out.base_high = to_rational(range.high);
    return out;
  }
  out.low = to_rational(range.low);
  out.high = to_rational(range.high);
  return out;
}

std::optional<Reader::WithConst> Reader::with_const(const term::Node& node) const {
  if (arena.is_const(node.a)) return WithConst{arena.const_bits(node.a), node.b};
  if (arena.is_const(node.b)) return WithConst{arena.const_bits(node.b), node.a};
  return {};
}

struct Reading::Impl {
  Impl(const term::Arena& arena, Dag& dag, const Library* library, ReadingOptions chosen)
      : reader(arena, dag, library), options(chosen) {}
  Reader reader;
  ReadingOptions options;
};

Reading::Reading(const term::Arena& arena, const Library* library, ReadingOptions options)
    : arena_(arena), impl_(std::make_unique<Impl>(arena, dag_, library, options)) {}
Reading::~Reading() = default;

RealId Reading::read(term::TermId term, op::Type type) {
  PTXEQUIV_CHECK(term < arena_.size(), "no such term");
  PTXEQUIV_CHECK(arena_.width(term) == op::bits(type), "a term is read at another width");
  Reader& reader = impl_->reader;
  // A literal that is found to be a multiple of log2 e is one everywhere: read all again.
  if (impl_->options.snap_constants && reader.snapped.update(arena_)) reader.clear();
  return reader.read({term, View::of(type)});
}

Assumptions Reading::assumptions(std::span<const std::pair<term::TermId, op::Type>> roots) const {
  Reader& reader = impl_->reader;
  Assumptions result;
  std::array<std::vector<bool>, View::kCount> visited;
  std::vector<Ref> open;
  for (const auto& [term, type] : roots) {
    open.push_back({term, View::of(type)});
    reader.read(open.back());
  }
  const auto use = [&](std::string_view name, term::TermId term) {
    AssumptionUse& entry = result[std::string(name)];
    ++entry.count;
    const uint32_t origin = arena_.origin(term);
    if (entry.origins.size() < 8 &&
        std::ranges::find(entry.origins, origin) == entry.origins.end()) {
      entry.origins.push_back(origin);
    }
  };
  std::vector<Ref> needed;
  while (!open.empty()) {
    const Ref ref = open.back();
    open.pop_back();
    std::vector<bool>& seen = visited[ref.view.index()];
    if (seen.empty()) seen.resize(arena_.size());
    if (seen[ref.term]) continue;
    seen[ref.term] = true;
    needed.clear();
    const uint8_t flags = reader.uses(ref, needed);
    for (size_t i = 0; i < kAssumptionNames.size(); ++i) {
      if (flags >> i & 1 && (1u << i) != kConstant) use(kAssumptionNames[i], ref.term);
    }
    for (const Ref& below : needed) {
      // A literal is used at its users' places: it has one node for all of them.
      if (op::is_float(below.view.type()) && reader.snapped.find(below.term) != nullptr) {
        use("constant", ref.term);
      }
      open.push_back(below);
    }
  }
  return result;
}

}  // namespace ptxequiv::real
