#include "check/refuter.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "check/exact.h"
#include "check/sizes.h"
#include "check/values.h"
#include "real/constants.h"

namespace ptxequiv::check {
namespace {

using real::Comparison;
using real::RealId;

constexpr size_t kMaxConfirmationsPerPoint = 6;
constexpr unsigned kMaxAssumptionTries = 200;
constexpr unsigned kIdealisationFactor = 8;  // see exceeds_idealisation
constexpr unsigned kMostShort = 4096;  // the largest numerator or denominator of a short number

op::Type decode_type(op::Type type) {
  // Untyped elements compare as unsigned numbers: injective on bits.
  switch (type) {
    case op::Type::kB8:
      return op::Type::kU8;
    case op::Type::kB16:
      return op::Type::kU16;
    case op::Type::kB32:
      return op::Type::kU32;
    case op::Type::kB64:
      return op::Type::kU64;
    default:
      return type;
  }
}

// Doubles filter only; the slack is far above their error on sums of moderate size.
bool differ(double a, double b) {
  if (std::isnan(a)) return false;  // the reference is undefined or unknown there
  if (std::isnan(b)) return true;
  if (std::isinf(a) || std::isinf(b)) return a != b;
  return std::fabs(a - b) > 1e-9 * (std::fabs(a) + std::fabs(b)) + 1e-13;
}

}  // namespace

real::LeafValue Refuter::leaf_values(const Point& point, std::span<const RealId> roots) {
  // Opaque nodes have a value where their bits come from exact steps only.
  const real::Dag& dag = reading_.dag();
  std::vector<term::TermId> terms;
  std::vector<RealId> nodes;
  for (RealId id : real::cone(dag, roots)) {
    const real::Node& node = dag[id];
    if (node.kind == real::Kind::kOpaque || node.kind == real::Kind::kOpaqueBool) {
      nodes.push_back(id);
      terms.push_back(node.a);
    }
  }
  auto values = std::make_shared<std::unordered_map<RealId, mpq_class>>();
  if (!terms.empty()) {
    const std::vector<op::Result> results = evaluate_exactly(arena_, terms, point);
    for (size_t i = 0; i < nodes.size(); ++i) {
      if (!results[i].exact) continue;
      const real::Node& node = dag[nodes[i]];
      const op::Type type = node.kind == real::Kind::kOpaqueBool
                                ? op::Type::kPred
                                : decode_type(static_cast<op::Type>(node.b));
      if (const auto value = value_of(type, results[i].bits)) values->emplace(nodes[i], *value);
    }
  }
  return [point, values](RealId id, const real::Node& node) -> std::optional<mpq_class> {
    if (node.kind == real::Kind::kLeaf) return point.value(node);
    const auto found = values->find(id);
    if (found == values->end()) return std::nullopt;
    return found->second;
  };
}

// Drawn values keep to the declared ranges; those of a solver's model, or of a smaller witness, may
// not.
bool Refuter::within_ranges(const Point& point) const {
  for (const auto& [leaf, bits] : point.chosen()) {
    const term::Node& node = arena_[leaf];
    const bool is_float = op::is_float(node.op.type);
    if (!is_float && !facts_.has_declared_range(node)) continue;
    const auto value = value_of(decode_type(node.op.type), bits);
    if (!value) return false;  // a NaN or an infinity is no input
    const real::Interval range = facts_.leaf_range(node);
    if ((range.low && *value < *range.low) || (range.high && *value > *range.high)) return false;
  }
  return true;
}

bool Refuter::assumptions_hold(const Point& point) {
  if (!within_ranges(point)) return false;
  const auto assumptions = facts_.assumptions();
  if (assumptions.empty()) return true;
  // An assumption is Boolean: enclose ite(assumption, 1, 0).
  real::Dag& dag = reading_.dag();
  std::vector<RealId> roots;
  for (RealId a : assumptions) {
    roots.push_back(dag.make(real::Kind::kIte, a, dag.integer(1), dag.integer(0)));
  }
  const auto results = real::enclose(dag, roots, leaf_values(point, roots), 256);
  return std::all_of(results.begin(), results.end(), [](const real::Enclosure& e) {
    return e.state == real::Enclosure::State::kFinite && e.low == 1;
  });
}

std::optional<Point> Refuter::feasible_point() {
  for (unsigned attempt = 0; attempt < kMaxAssumptionTries; ++attempt) {
    Point point(arena_, facts_, static_cast<Draw>(attempt % kDrawCount), seed_ + attempt);
    if (assumptions_hold(point)) return point;
  }
  return std::nullopt;
}

bool Refuter::seems_different(const Element& element, const Point& point) {
  return !suspicious({element}, {0}, point).empty();
}

std::vector<size_t> Refuter::suspicious(const std::vector<Element>& elements,
                                        const std::vector<size_t>& open, const Point& point) {
  std::vector<RealId> roots;
  for (size_t i : open) {
    roots.push_back(reading_.read(elements[i].reference, decode_type(elements[i].type)));
    roots.push_back(reading_.read(elements[i].candidate, decode_type(elements[i].type)));
  }
  const real::LeafValue exact = leaf_values(point, roots);
  const std::vector<double> values =
      real::sample(reading_.dag(), roots, [&](RealId id, const real::Node& node) {
        if (node.kind == real::Kind::kLeaf) {
          const auto type = static_cast<op::Type>(node.b);
          if (op::is_float(type) && point.is_given(node.a)) {
            return op::to_double(type, point.bits(node.a));
          }
        }
        const auto value = exact(id, node);
        return value ? value->get_d() : std::nan("");
      });
  const std::vector<bool> wholes_differ = different_wholes(elements, open, point);
  std::vector<size_t> out;
  for (size_t i = 0; i < open.size(); ++i) {
    const double reference = values[2 * i], candidate = values[2 * i + 1];
    if (!differ(reference, candidate) && !wholes_differ[i]) continue;
    if (tolerance_) {
      const double allowed =
          tolerance_->first.get_d() + tolerance_->second.get_d() * std::fabs(reference);
      if (std::fabs(reference - candidate) < 0.999 * allowed) continue;
    }
    out.push_back(open[i]);
  }
  return out;
}

std::optional<Refutation> Refuter::confirm(const std::vector<Element>& elements, size_t index,
                                           const Point& point) {
  if (!assumptions_hold(point)) return std::nullopt;
  const Element& element = elements[index];
  const RealId roots[] = {reading_.read(element.reference, decode_type(element.type)),
                          reading_.read(element.candidate, decode_type(element.type))};
  const real::LeafValue leaf = leaf_values(point, roots);
  real::PointComparison result = real::compare_at(reading_.dag(), roots[0], roots[1], leaf, 512);
  if (result.result != Comparison::kDisjoint && result.result != Comparison::kCandidateUndefined) {
    return std::nullopt;
  }
  if (tolerance_ && !exceeds_tolerance(result, roots[0], roots[1], leaf)) return std::nullopt;
  Refutation out{index, point, result, false, 0, 0};
  fill_bits(element, out);
  if (!exceeds_idealisation(element, out)) return std::nullopt;
  return out;
}

bool Refuter::exceeds_tolerance(real::PointComparison& found, RealId reference, RealId candidate,
                                const real::LeafValue& leaf) const {
  if (found.result == Comparison::kCandidateUndefined) return true;
  const RealId roots[] = {reference, candidate};
  const std::vector<real::Enclosure> values = real::enclose(reading_.dag(), roots, leaf, 512);
  using State = real::Enclosure::State;
  if (values[0].state == State::kUnknown || values[1].state == State::kUnknown) return false;
  // An infinity that was compared: no finite number is near it.
  if (values[0].state != State::kFinite || values[1].state != State::kFinite) return true;
  found.reference = values[0];
  found.candidate = values[1];
  const mpq_class gap = std::max(mpq_class(values[0].low - values[1].high),
                                 mpq_class(values[1].low - values[0].high));
  const mpq_class size = std::max(mpq_class(abs(values[0].low)), mpq_class(abs(values[0].high)));
  return gap > tolerance_->first + tolerance_->second * size;
}

// Where an inlined library function is read as the function it approximates (or a literal as the
// real it stands for), a copy of it that is not recognised differs by the approximation's error:
// no difference between the programs. How far the reals are from what hardware computes bounds
// that error, so a real difference must be well above it.
bool Refuter::exceeds_idealisation(const Element& element, const Refutation& found) {
  if (found.comparison.result != Comparison::kDisjoint) return true;
  if (puts_bits_together(element)) {
    if (found.reference_bits == found.candidate_bits) return false;
    if (is_put_together(element.reference, element.type) ||
        is_put_together(element.candidate, element.type)) {
      return true;
    }
  }
  const real::Enclosure& reference = found.comparison.reference;
  const real::Enclosure& candidate = found.comparison.candidate;
  if (reference.state != real::Enclosure::State::kFinite ||
      candidate.state != real::Enclosure::State::kFinite) {
    return true;
  }
  const op::Type type = decode_type(element.type);
  const std::pair<term::TermId, op::Type> roots[] = {{element.reference, type},
                                                     {element.candidate, type}};
  const real::Assumptions used = reading_.assumptions(roots);
  const RealId reals[] = {reading_.read(element.reference, type),
                          reading_.read(element.candidate, type)};
  const auto below = real::cone(reading_.dag(), reals);
  // Exponents of floats, taken apart: such code may be a library function that is not recognised.
  const bool takes_apart = std::any_of(below.begin(), below.end(), [&](RealId id) {
    const real::Node& node = reading_.dag()[id];
    return node.kind == real::Kind::kFloor && reading_.dag()[node.a].kind == real::Kind::kLog2;
  });
  if (!used.contains("libm") && !used.contains("constant") && !takes_apart) return true;
  // An approximation has coefficients of many digits: without any, what is left is meant.
  const bool approximates = std::any_of(below.begin(), below.end(), [&](RealId id) {
    if (reading_.dag()[id].kind != real::Kind::kRational) return false;
    const mpq_class& value = reading_.dag().rational_value(id);
    if (abs(value.get_num()) <= kMostShort && value.get_den() <= kMostShort) return false;
    // What a literal stands for as a multiple of log2 e is no coefficient either.
    const uint64_t literal = op::from_double(op::Type::kF32, value.get_d());
    return value != value_of(op::Type::kF32, literal) ||
           !real::log_multiple(op::Type::kF32, literal);
  });
  if (!approximates && !takes_apart) return true;
  const auto reference_hardware = value_of(type, found.reference_bits);
  const auto candidate_hardware = value_of(type, found.candidate_bits);
  if (!reference_hardware || !candidate_hardware) return false;
  const mpq_class gap = abs(reference.low - candidate.low);
  const mpq_class deviation =
      abs(reference.low - *reference_hardware) + abs(candidate.low - *candidate_hardware);
  return gap > kIdealisationFactor * deviation;
}

std::vector<bool> Refuter::different_wholes(const std::vector<Element>& elements,
                                            const std::vector<size_t>& open,
                                            const Point& point) const {
  std::vector<bool> out(open.size());
  std::vector<term::TermId> roots;
  std::vector<size_t> places;
  for (size_t i = 0; i < open.size(); ++i) {
    const Element& element = elements[open[i]];
    if (op::is_float(element.type) || op::bits(element.type) < 32) continue;
    roots.insert(roots.end(), {element.reference, element.candidate});
    places.push_back(i);
  }
  const std::vector<op::Result> results = evaluate_exactly(arena_, roots, point);
  for (size_t k = 0; k < places.size(); ++k) {
    const op::Result &a = results[2 * k], &b = results[2 * k + 1];
    out[places[k]] = a.exact && b.exact && a.bits != b.bits;
  }
  return out;
}

namespace {

// Bits that have no meaning over the reals, read as a float.
bool is_float_of_bits(const real::Node& node) {
  return node.kind == real::Kind::kOpaque && op::is_float(static_cast<op::Type>(node.b));
}

}  // namespace

// A float whose bits integer operations make may have been rounded by them, where the other side
// rounds by an instruction, which over the reals is none.
bool Refuter::puts_bits_together(const Element& element) {
  const op::Type type = decode_type(element.type);
  const RealId roots[] = {reading_.read(element.reference, type),
                          reading_.read(element.candidate, type)};
  const auto below = real::cone(reading_.dag(), roots);
  return std::any_of(below.begin(), below.end(),
                     [&](RealId id) { return is_float_of_bits(reading_.dag()[id]); });
}

bool Refuter::is_put_together(term::TermId side, op::Type type) {
  return is_float_of_bits(reading_.dag()[reading_.read(side, decode_type(type))]);
}

void Refuter::fill_bits(const Element& element, Refutation& refutation) {
  const term::TermId roots[] = {element.reference, element.candidate};
  const auto bits = evaluate_exactly(arena_, roots, refutation.point);
  refutation.reference_bits = bits[0].bits;
  refutation.candidate_bits = bits[1].bits;
}

// A scalar at a time at the values that the code tells from others, smallest first.
std::optional<Refutation> Refuter::search_sizes(const std::vector<Element>& elements,
                                                const std::vector<size_t>& which) {
  std::vector<term::TermId> roots;
  for (const size_t i : which) {
    roots.insert(roots.end(), {elements[i].reference, elements[i].candidate});
  }
  const auto budget = base::Deadline::in(deadline_.left() / 4);
  for (const auto& [leaf, bits] : special_sizes(arena_, facts_, roots)) {
    if (budget.passed()) return std::nullopt;
    Point point(arena_, facts_, Draw::kDense, seed_);
    point.set(leaf, bits);
    if (!assumptions_hold(point)) continue;
    const std::vector<size_t> suspects = suspicious(elements, which, point);
    for (size_t k = 0; k < std::min(suspects.size(), kMaxConfirmationsPerPoint); ++k) {
      if (auto found = confirm(elements, suspects[k], point)) return found;
    }
  }
  return std::nullopt;
}

std::optional<Refutation> Refuter::search(const std::vector<Element>& elements,
                                          const std::vector<size_t>& which) {
  if (which.empty()) return std::nullopt;
  if (auto found = search_sizes(elements, which)) return found;
  for (unsigned draw = 0; draw < kDrawCount; ++draw) {
    if (deadline_.passed()) return std::nullopt;
    Point point(arena_, facts_, static_cast<Draw>(draw), seed_);
    for (unsigned attempt = 1; attempt < 20 && !assumptions_hold(point); ++attempt) {
      point = Point(arena_, facts_, static_cast<Draw>(draw), seed_ + 1000 * attempt);
    }
    if (!assumptions_hold(point)) continue;
    const std::vector<size_t> suspects = suspicious(elements, which, point);
    for (size_t k = 0; k < std::min(suspects.size(), kMaxConfirmationsPerPoint); ++k) {
      if (auto found = confirm(elements, suspects[k], point)) return found;
    }
  }
  return std::nullopt;
}

Point Refuter::point_of(const smt::Model& model) {
  Point point(arena_, facts_, Draw::kZero, seed_);
  for (const auto& [id, value] : model.reals) {
    const real::Node& node = reading_.dag()[id];
    if (node.kind != real::Kind::kLeaf) continue;
    point.set(node.a, nearest_bits(static_cast<op::Type>(node.b), value));
  }
  for (const auto& [leaf, bits] : model.bits) point.set(leaf, bits);
  return point;
}

std::vector<term::TermId> Refuter::leaves(std::initializer_list<term::TermId> roots) const {
  std::vector<term::TermId> out;
  const std::vector<term::TermId> list(roots);
  for (term::TermId id : term::cone(arena_, list)) {
    const op::Kind kind = arena_.kind(id);
    if (kind == op::Kind::kInput || kind == op::Kind::kScalar) out.push_back(id);
  }
  return out;
}

std::vector<Point> Refuter::thresholds(const Element& element) {
  constexpr size_t kMostPoints = 24;
  const real::Dag& dag = reading_.dag();
  const RealId roots[] = {reading_.read(element.reference, decode_type(element.type)),
                          reading_.read(element.candidate, decode_type(element.type))};
  std::vector<Point> points;
  for (const RealId id : real::cone(dag, roots)) {
    const real::Node& node = dag[id];
    if (node.kind != real::Kind::kLt && node.kind != real::Kind::kLe) continue;
    const bool swapped = dag[node.a].kind == real::Kind::kRational;
    const RealId number = swapped ? node.a : node.b, leaf = swapped ? node.b : node.a;
    if (dag[number].kind != real::Kind::kRational || dag[leaf].kind != real::Kind::kLeaf) continue;
    const auto type = static_cast<op::Type>(dag[leaf].b);
    if (!op::is_float(type)) continue;
    const uint64_t at = nearest_bits(type, dag.rational_value(number));
    for (const uint64_t bits : {at, at + 1, at - 1}) {
      if (points.size() == kMostPoints) return points;
      points.emplace_back(arena_, facts_, Draw::kZero, seed_).set(dag[leaf].a, bits);
    }
  }
  return points;
}

std::optional<Point> Refuter::find_true(term::TermId condition) {
  for (unsigned attempt = 0; attempt < 8 * kDrawCount; ++attempt) {
    if (deadline_.passed()) return std::nullopt;
    const Point point(arena_, facts_, static_cast<Draw>(attempt % kDrawCount), seed_ + attempt);
    if (auto found = confirm_true(condition, point)) return found;
  }
  return std::nullopt;
}

std::optional<Point> Refuter::confirm_true(term::TermId condition, const Point& point) {
  const term::TermId roots[] = {condition};
  const op::Result result = evaluate_exactly(arena_, roots, point)[0];
  if (!result.exact || (result.bits & 1) == 0 || !assumptions_hold(point)) return std::nullopt;
  return point;
}

Refutation Refuter::minimise(const std::vector<Element>& elements, Refutation best) {
  const Element element = elements[best.element];
  const std::vector<Element> alone{element};
  const std::vector<term::TermId> inputs = leaves({element.reference, element.candidate});
  const auto budget = base::Deadline::in(std::min(1.5, deadline_.left() / 3));
  // From here on every input is explicit, so that single ones can be changed.
  Point current = best.point;
  for (term::TermId leaf : inputs) current.set(leaf, best.point.bits(leaf));
  const auto still = [&](const Point& point) {
    return seems_different(element, point) && confirm(alone, 0, point).has_value();
  };
  const Point zero(arena_, facts_, Draw::kZero, 0);
  // Halves, quarters, ... set to zero wherever the difference survives (delta debugging).
  std::vector<term::TermId> nonzero;
  for (term::TermId leaf : inputs) {
    if (current.bits(leaf) != zero.bits(leaf)) nonzero.push_back(leaf);
  }
  for (size_t chunk = std::max<size_t>(1, nonzero.size()); chunk >= 1; chunk /= 2) {
    for (size_t at = 0; at < nonzero.size() && !budget.passed();) {
      const size_t end = std::min(at + chunk, nonzero.size());
      Point trial = current;
      for (size_t i = at; i < end; ++i) trial.set(nonzero[i], zero.bits(nonzero[i]));
      if (still(trial)) {
        current = trial;
        nonzero.erase(nonzero.begin() + static_cast<long>(at),
                      nonzero.begin() + static_cast<long>(end));
      } else {
        at = end;
      }
    }
    if (chunk == 1 || budget.passed()) break;
  }
  // Simple values for what is left.
  for (term::TermId leaf : nonzero) {
    const op::Type type = arena_[leaf].op.type;
    if (!op::is_float(type) && !op::info(type).is_integer) continue;
    for (double value : {1.0, 2.0, -1.0, 3.0, 0.5}) {
      if (budget.passed()) break;
      const uint64_t bits = nearest_bits(type, mpq_class(value));
      if (bits == current.bits(leaf)) break;
      const real::Interval range = facts_.leaf_range(arena_[leaf]);
      if ((range.low && value < *range.low) || (range.high && value > *range.high)) continue;
      Point trial = current;
      trial.set(leaf, bits);
      if (still(trial)) {
        current = trial;
        break;
      }
    }
  }
  if (auto confirmed = confirm(alone, 0, current)) {
    confirmed->element = best.element;
    return *confirmed;
  }
  return best;
}

}  // namespace ptxequiv::check
