#include "real/bound.h"

#include <algorithm>
#include <optional>
#include <set>

#include "real/box_model.h"

namespace ptxequiv::real {
namespace {

using bounding::Box;
using bounding::BoxModels;
using bounding::Model;
using bounding::Scope;
using bounding::Truth;

constexpr unsigned kMaxDepth = 400;
constexpr unsigned kMaxTries = 48;       // points handed on
constexpr long kBasePrecision = 80, kMaxPrecision = 1200;

class Search {
 public:
  Search(const Dag& dag, const Facts& facts, const BoundQuestion& question,
         const BoundOptions& options, const base::Deadline& deadline, const TryPoint& try_point)
      : dag_(dag),
        facts_(facts),
        question_(question),
        options_(options),
        deadline_(deadline),
        try_point_(try_point) {}

  BoundAnswer run() {
    std::vector<RealId> roots{question_.reference, question_.candidate};
    for (const RealId assumption : facts_.assumptions()) roots.push_back(assumption);
    scope_ = bounding::make_scope(dag_, roots);
    if (scope_.nodes.size() * std::max<size_t>(1, scope_.variables.size()) > options_.max_terms) {
      return open("size");
    }
    stack_.push_back(first_box());
    while (!stack_.empty()) {
      if (deadline_.passed()) return open("timeout");
      if (answer_.boxes >= options_.max_boxes) return open("boxes");
      Box box = std::move(stack_.back());
      stack_.pop_back();
      ++answer_.boxes;
      if (!treat(std::move(box))) return answer_;
    }
    answer_.proved = true;
    return answer_;
  }

 private:
  BoundAnswer open(const std::string& why) {
    answer_.proved = false;
    answer_.why = why;
    return answer_;
  }

  Box first_box() const {
    Box box;
    for (const RealId id : scope_.variables) {
      Span span = Span::all();
      if (dag_[id].kind == Kind::kLeaf) {
        const Interval range = facts_.range(id, dag_[id]);
        // Ends that are no dyadics of this length move outwards.
        if (range.low) span.low = Dyadic(*range.low, false, kMaxPrecision);
        if (range.high) span.high = Dyadic(*range.high, true, kMaxPrecision);
      }
      box.spans.push_back(std::move(span));
    }
    return box;
  }

  // Enough for the cancellation of the largest numbers in the box.
  static long precision(const Box& box) {
    long largest = 0;
    for (const Span& span : box.spans) {
      for (const Dyadic* end : {&span.low, &span.high}) {
        if (end->finite()) largest = std::max(largest, end->exponent());
      }
    }
    return std::min(kMaxPrecision, kBasePrecision + 2 * largest);
  }

  // False: the search is over.
  bool treat(Box box) {
    const Box given = box;
    BoxModels models(dag_, scope_, given, precision(given));
    models.evaluate();
    for (const RealId assumption : facts_.assumptions()) {
      if (!models.constrain(assumption, true, box)) return true;
    }
    const BoxModels::Path reference = models.path(question_.reference);
    for (const RealId id : reference.certain) {
      if (models.at(id).must_fail) return true;   // the reference is undefined on all of the box
    }
    const BoxModels::Path candidate = models.path(question_.candidate);
    const bool defined = std::all_of(
        candidate.possible.begin(), candidate.possible.end(), [&](RealId id) {
          return std::binary_search(reference.certain.begin(), reference.certain.end(), id);
        });
    const Model &r = models.at(question_.reference), &c = models.at(question_.candidate);
    const bool usable = !r.broken && !c.broken && r.infinite == 0 && c.infinite == 0;
    if (r.infinite != 0 && r.infinite == c.infinite && !r.broken && !c.broken && defined) {
      return true;
    }
    if (usable && defined && within(models, r, c)) return true;
    if (usable && try_middle(given)) {
      answer_.stopped = true;
      return false;
    }
    std::set<RealId> undecided(reference.undecided.begin(), reference.undecided.end());
    undecided.insert(candidate.undecided.begin(), candidate.undecided.end());
    if (given.depth >= kMaxDepth) {
      answer_.why = defined ? "boxes" : "definedness";
      return false;
    }
    ++box.depth;
    for (const RealId condition : undecided) {
      if (box.decided.contains(condition)) continue;
      for (const bool truth : {false, true}) {
        Box part = box;
        if (models.constrain(condition, truth, part)) stack_.push_back(std::move(part));
      }
      return true;
    }
    const std::optional<uint32_t> variable = widest(models, box, r, c);
    if (!variable) {
      answer_.why = defined ? "boxes" : "definedness";
      return false;
    }
    const Dyadic cut = cut_of(box.spans[*variable]);
    Box left = box, right = std::move(box);
    left.spans[*variable].high = cut;
    right.spans[*variable].low = cut;
    stack_.push_back(std::move(right));
    stack_.push_back(std::move(left));
    return true;
  }

  bool within(const BoxModels& models, const Model& r, const Model& c) const {
    const SpanArithmetic& a = models.arithmetic();
    const Dyadic atol(question_.atol, false, a.precision());
    Model d = models.difference_of(question_.reference, question_.candidate);
    const Model plain = models.difference(r, c);
    const auto size_of = [&](const Model& m) { return a.magnitude(m.range); };
    if (d.broken || size_of(plain) < size_of(d)) d = plain;
    const Dyadic size = a.magnitude(d.range);
    if (size <= atol) return true;
    if (sgn(question_.rtol) == 0) return false;
    const Span rtol = a.rational(question_.rtol);
    const int sign = r.range.low.sign() >= 0 ? 1 : r.range.high.sign() <= 0 ? -1 : 0;
    if (sign == 0) return false;
    const Span least = sign > 0 ? r.range : a.negate(r.range);
    Dyadic room;
    arf_mul(room.get(), Dyadic(question_.rtol, false, a.precision()).get(), least.low.get(),
            a.precision(), ARF_RND_FLOOR);
    arf_add(room.get(), room.get(), atol.get(), a.precision(), ARF_RND_FLOOR);
    if (size <= room) return true;
    // +-d - rtol |r| <= atol, with what is linear in both cancelled.
    const Model share = models.scaled(r, a.mul(rtol, Span::integer(sign)));
    const Model above = models.difference(d, share);
    const Model below = models.difference(models.scaled(d, Span::integer(-1)), share);
    return above.range.high <= atol && below.range.high <= atol;
  }

  // Is the bound exceeded in the middle of the box, as far as doubles' worth of digits tell?
  bool try_middle(const Box& given) {
    if (!try_point_ || tries_ >= kMaxTries) return false;
    const SpanArithmetic a(precision(given));
    Box point;
    for (const Span& span : given.spans) {
      Dyadic middle = a.middle(span);
      if (span.low.sign() <= 0 && span.high.sign() >= 0 && !span.is_point()) {
        // Not zero, where much is equal by chance; and not far out.
        const Dyadic one(1);
        middle = one <= span.high ? one : a.middle(span);
      }
      arf_set_round(middle.get(), middle.get(), 24, ARF_RND_NEAR);
      if (middle < span.low || span.high < middle) middle = a.middle(span);
      point.spans.push_back(Span::point(middle));
    }
    BoxModels models(dag_, scope_, point, 192);
    models.evaluate();
    for (const RealId assumption : facts_.assumptions()) {
      if (models.at(assumption).truth != Truth::kTrue) return false;
    }
    const Model &r = models.at(question_.reference), &c = models.at(question_.candidate);
    if (r.broken || c.broken || r.infinite != 0 || c.infinite != 0) return false;
    if (within(models, r, c)) return false;
    ++tries_;
    std::map<RealId, mpq_class> values;
    for (size_t i = 0; i < scope_.variables.size(); ++i) {
      values[scope_.variables[i]] = point.spans[i].low.rational();
    }
    return try_point_(values);
  }

  // The variable whose spread matters most; every few levels the one with the widest span.
  std::optional<uint32_t> widest(const BoxModels& models, const Box& box, const Model& r,
                                 const Model& c) const {
    const SpanArithmetic& a = models.arithmetic();
    std::vector<Dyadic> weight(box.spans.size(), Dyadic(0));
    if (box.depth % 3 != 0) {
      for (const Model* m : {&r, &c}) {
        for (const auto& [variable, factor] : m->linear) {
          const Dyadic own = a.magnitude(factor);
          if (weight[variable] < own) weight[variable] = own;
        }
      }
    }
    std::optional<uint32_t> best;
    Dyadic best_size;
    for (const bool weighted : {true, false}) {
      for (uint32_t i = 0; i < box.spans.size(); ++i) {
        const Span& span = box.spans[i];
        if (!splittable(span)) continue;
        Dyadic size = a.width(span);
        if (weighted) {
          if (weight[i].zero()) continue;
          arf_mul(size.get(), size.get(), weight[i].get(), 64, ARF_RND_UP);
        }
        if (!best || best_size < size) {
          best = i;
          best_size = size;
        }
      }
      if (best) return best;
    }
    return best;
  }

  bool splittable(const Span& span) const {
    if (span.is_point()) return false;
    const Dyadic cut = cut_of(span);
    return span.low < cut && cut < span.high;
  }

  // At zero; at a power of two between ends that are orders apart; else in the middle.
  static Dyadic cut_of(const Span& span) {
    constexpr long kFar = 1200;   // beyond the numbers of any format
    const auto power = [](long exponent, int sign) {
      Dyadic r(sign);
      arf_mul_2exp_si(r.get(), r.get(), exponent);
      return r;
    };
    if (span.low.sign() < 0 && span.high.sign() > 0) return Dyadic(0);
    const int sign = span.high.sign() > 0 ? 1 : -1;
    const Dyadic& inner = sign > 0 ? span.low : span.high;
    const Dyadic& outer = sign > 0 ? span.high : span.low;
    const long high = std::min(outer.exponent(), kFar);
    if (inner.zero()) {
      if (high > 1) return power(std::min(high - 2, 0L), sign);
      return power(high - 2, sign);
    }
    const long low = std::max(inner.exponent(), -kFar);
    if (high - low > 2) return power((high + low) / 2, sign);
    return SpanArithmetic(256).middle(span);
  }

  const Dag& dag_;
  const Facts& facts_;
  const BoundQuestion& question_;
  const BoundOptions& options_;
  const base::Deadline& deadline_;
  const TryPoint& try_point_;
  Scope scope_;
  std::vector<Box> stack_;
  BoundAnswer answer_;
  unsigned tries_ = 0;
};

}  // namespace

BoundAnswer bound_difference(const Dag& dag, const Facts& facts, const BoundQuestion& question,
                             const BoundOptions& options, const base::Deadline& deadline,
                             const TryPoint& try_point) {
  return Search(dag, facts, question, options, deadline, try_point).run();
}

}  // namespace ptxequiv::real
