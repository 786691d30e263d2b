// Sums and products: a root is taken apart from above with a coefficient for each node still to be
// added, largest id first. So each shared node is opened once for a root, however often it occurs,
// a chain of n multiply-adds costs n steps, and the rescaling factors of streaming softmax
// telescope.
#include <algorithm>

#include "base/error.h"
#include "real/content.h"
#include "real/evaluator.h"

namespace ptxequiv::real {
namespace {

using State = FormValue::State;

// Shared sums larger than this stay whole inside a product.
constexpr size_t kLargeShared = 8;
// Products of more terms than this are first formed with large factors whole.
constexpr size_t kLargeProduct = 256, kLargeFactor = 16;

}  // namespace

FormValue Evaluator::sum(RealId id, bool shallow) {
  Sum sum;
  sum.shallow = shallow;
  Algebra& algebra = forms_.algebra();
  take_apart(id, algebra.poly(kOnePoly), sum);
  Poly by;
  while (!sum.heap.empty()) {
    if ((++steps_ & 4095) == 0) algebra.deadline().poll();
    const RealId top = sum.heap.front().id;
    by.clear();
    while (!sum.heap.empty() && sum.heap.front().id == top) {
      std::pop_heap(sum.heap.begin(), sum.heap.end());
      by.push_back({sum.heap.back().monomial, std::move(sum.heap.back().coefficient)});
      sum.heap.pop_back();
    }
    if (by.size() > 1) Algebra::sort_and_merge(by);
    take_apart(top, by, sum);
    if (sum.out.size() >= sum.merge_at) {
      Algebra::sort_and_merge(sum.out);
      sum.merge_at = std::max(sum.merge_at, 2 * sum.out.size());
    }
  }
  if (!missing_.empty()) return {};
  if (!sum.failed.is_finite()) return sum.failed;
  Algebra::sort_and_merge(sum.out);
  if (!shallow) algebra.settle(sum.out);
  FormValue result;
  result.poly = std::move(sum.out);
  return result;
}

const Poly* Evaluator::finite_value(RealId id, Sum& sum) {
  const FormValue* v = need(id);
  if (v == nullptr) return nullptr;
  if (v->is_finite()) return &v->poly;
  PTXEQUIV_CHECK(!v->is_infinite(), "an infinity in a finite sum");
  if (sum.failed.state != State::kUndefined) sum.failed = *v;
  return nullptr;
}

void Evaluator::add_product(const Poly& by, const Poly& p, Sum& sum) {
  for (const Term& t : by) {
    forms_.algebra().append_scaled(sum.out, p, t.coefficient, t.monomial);
  }
}

void Evaluator::spread(RealId id, const Poly& by, Sum& sum) {
  const Node& node = dag_[id];
  Algebra& algebra = forms_.algebra();
  if ((node.kind == Kind::kLeaf || node.kind == Kind::kOpaque) && substituted_.empty()) {
    const bool integral = op::info(static_cast<op::Type>(node.b)).is_integer;
    const Monomial m = algebra.of(
        algebra.leaf(node.kind == Kind::kLeaf ? AtomKind::kLeaf : AtomKind::kOpaque, id, integral));
    for (const Term& t : by) {
      const Product product = algebra.multiply(t.monomial, m);
      sum.out.push_back({product.monomial, product.shift == 0
                                               ? t.coefficient
                                               : t.coefficient.shifted(product.shift)});
    }
    return;
  }
  const bool open = is_additive(node.kind) && !values_.contains(id) &&
                    !(node.kind == Kind::kDiv && shape_.may_be_infinite(node.b));
  if (open && sum.shallow && shape_.has_several_uses(id)) {
    const Poly* p = finite_value(id, sum);
    if (p != nullptr) add_product(by, p->size() > kLargeShared ? abbreviate(*p) : *p, sum);
    return;
  }
  if (open) {
    for (const Term& t : by) {
      sum.heap.push_back({id, t.monomial, t.coefficient});
      std::push_heap(sum.heap.begin(), sum.heap.end());
    }
    return;
  }
  const Poly* p = finite_value(id, sum);
  if (p == nullptr) return;
  const bool whole = sum.shallow && p->size() > kLargeShared && is_additive(node.kind) &&
                     shape_.has_several_uses(id);
  add_product(by, whole ? abbreviate(*p) : *p, sum);
}

void Evaluator::take_apart(RealId id, const Poly& by, Sum& sum) {
  const Node& node = dag_[id];
  Algebra& algebra = forms_.algebra();
  switch (node.kind) {
    case Kind::kAdd:
      spread(node.a, by, sum);
      spread(node.b, by, sum);
      break;
    case Kind::kSub:
      spread(node.a, by, sum);
      spread(node.b, algebra.scale(by, -1), sum);
      break;
    case Kind::kNeg:
      spread(node.a, algebra.scale(by, -1), sum);
      break;
    case Kind::kMul:
      product(node, by, sum);
      break;
    case Kind::kDiv: {
      auto inverse = inverses_.find(node.b);
      if (inverse == inverses_.end()) {
        const Poly* p = finite_value(node.b, sum);
        std::optional<Term> term;
        if (p != nullptr) term = forms_.inverse(*p);
        if (!term) {
          if (p != nullptr) sum.failed = FormValue::undefined();
          spread(node.a, by, sum);  // to see what else is missing
          break;
        }
        inverse = inverses_.emplace(node.b, std::move(*term)).first;
      }
      Poly scaled;
      algebra.append_scaled(scaled, by, inverse->second.coefficient, inverse->second.monomial);
      spread(node.a, scaled, sum);
      break;
    }
    default:
      throw base::InternalError("not a sum or product");
  }
}

void Evaluator::product(const Node& node, const Poly& by, Sum& sum) {
  Algebra& algebra = forms_.algebra();
  // One factor that is a single monomial becomes part of the coefficient of the other.
  RealId factor = node.a, rest = node.b;
  auto rank = [&](RealId id) {
    if (is_simple(dag_[id].kind)) return 0;
    if (shape_.is_monomial(id)) return 1;
    return is_additive(dag_[id].kind) ? 3 : 2;
  };
  if (rank(rest) < rank(factor)) std::swap(factor, rest);
  if (rank(factor) < 3 && factor != rest) {
    if (dag_[factor].kind == Kind::kRational) {
      spread(rest, algebra.scale(by, Coefficient(dag_.rational_value(factor))), sum);
      return;
    }
    const Poly* p = finite_value(factor, sum);
    if (p == nullptr || p->size() <= 1) {
      Poly scaled;
      if (p == nullptr)
        scaled = by;
      else if (!p->empty())
        algebra.append_scaled(scaled, by, (*p)[0].coefficient, (*p)[0].monomial);
      if (p == nullptr || !p->empty() || !sum.failed.is_finite()) spread(rest, scaled, sum);
      return;
    }
  }
  std::optional<Poly> a = multiplicand(factor, sum);
  std::optional<Poly> b = factor == rest ? a : multiplicand(rest, sum);
  if (!a || !b) return;
  if (a->size() * b->size() > kLargeProduct) {
    if (a->size() > kLargeFactor) a = abbreviate(*a);
    if (b->size() > kLargeFactor) b = abbreviate(*b);
  }
  for (const Term& t : *a) {
    Poly scaled;
    algebra.append_scaled(scaled, by, t.coefficient, t.monomial);
    add_product(scaled, *b, sum);
  }
}

std::optional<Poly> Evaluator::multiplicand(RealId id, Sum& sum) {
  const bool open = is_additive(dag_[id].kind) && !sum.shallow &&
                    !(dag_[id].kind == Kind::kDiv && shape_.may_be_infinite(dag_[id].b));
  if (open) {
    const size_t before = missing_.size();
    FormValue v = this->sum(id, true);
    if (missing_.size() != before || !missing_.empty()) return std::nullopt;
    if (v.is_finite()) return std::move(v.poly);
    if (sum.failed.state != State::kUndefined) sum.failed = v;
    return std::nullopt;
  }
  const Poly* p = finite_value(id, sum);
  if (p == nullptr) return std::nullopt;
  return *p;
}

Poly Evaluator::abbreviate(const Poly& p) {
  Algebra& algebra = forms_.algebra();
  if (p.size() < 2) return p;
  const Split parts = split(algebra, p);
  if (parts.is_zero()) return {};
  if (parts.is_monomial()) return p;
  const AtomId whole = algebra.function(AtomKind::kFactor, algebra.intern(parts.primitive));
  const Product product = algebra.multiply(parts.content, algebra.of(whole));
  return {{product.monomial, parts.scale.shifted(product.shift)}};
}

}  // namespace ptxequiv::real
