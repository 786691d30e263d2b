#include "real/evaluator.h"

#include "base/error.h"

namespace ptxequiv::real {
namespace {

using State = FormValue::State;

FormValue negate(Algebra& algebra, const FormValue& v) {
  if (v.is_infinite()) return FormValue::infinity(v.state == State::kPlusInfinity);
  FormValue r = v;
  r.poly = algebra.scale(v.poly, -1);
  return r;
}

FormValue finite(Poly p) {
  return {State::kFinite, std::move(p), kNoReal};
}

FormValue maybe(std::optional<Poly> p) {
  return p ? finite(std::move(*p)) : FormValue::undefined();
}

// What neither operand decides is left to the case split, then undefined wins.
const FormValue* exceptional(const FormValue& a, const FormValue& b) {
  for (const FormValue* v : {&a, &b}) {
    if (v->state == State::kUndefined) return v;
  }
  for (const FormValue* v : {&a, &b}) {
    if (v->state == State::kSplit) return v;
  }
  return nullptr;
}

}  // namespace

const FormValue& Evaluator::value(RealId id) {
  shape_.update();
  evaluate(id);
  return *values_.find(id);
}

FormValue Evaluator::root(RealId id) {
  shape_.update();
  if (const FormValue* known = values_.find(id)) return *known;
  if (!is_additive(dag_[id].kind) && dag_[id].kind != Kind::kIte) return value(id);
  for (;;) {
    FormValue v = attempt(id);
    if (missing_.empty()) return v;
    const std::vector<RealId> wanted = std::move(missing_);
    for (const RealId m : wanted) evaluate(m);
  }
}

void Evaluator::evaluate(RealId id) {
  std::vector<RealId> stack = {id};
  while (!stack.empty()) {
    const RealId top = stack.back();
    if (values_.contains(top)) {
      stack.pop_back();
      continue;
    }
    if ((++steps_ & 255) == 0) forms_.algebra().deadline().poll();
    FormValue v = attempt(top);
    if (missing_.empty()) {
      values_.insert(top, std::move(v));
      stack.pop_back();
    } else {
      stack.insert(stack.end(), missing_.begin(), missing_.end());
    }
  }
}

FormValue Evaluator::attempt(RealId id) {
  missing_.clear();
  try {
    return compute(id);
  } catch (const base::LimitReached& limit) {
    if (limit.limit() != "expansion") throw;
    missing_.clear();  // too large a number: nothing is known of this node
    return FormValue::unknown();
  }
}

const FormValue* Evaluator::need(RealId id) {
  if (const FormValue* known = values_.find(id)) return known;
  if (dag_.operands(id).empty()) return &values_.insert(id, simple(id));
  missing_.push_back(id);
  return nullptr;
}

FormValue Evaluator::simple(RealId id) {
  const Node& node = dag_[id];
  Algebra& algebra = forms_.algebra();
  switch (node.kind) {
    case Kind::kRational:
      return finite(algebra.constant(Coefficient(dag_.rational_value(id))));
    case Kind::kInfinity:
      return FormValue::infinity(node.a != 0);
    case Kind::kUndefined:
      return FormValue::undefined();
    case Kind::kLog2E:
      return finite(algebra.of_atom(algebra.function(AtomKind::kLog2E, kZeroPoly)));
    case Kind::kLeaf:
    case Kind::kOpaque: {
      if (const auto given = substituted_.find(id); given != substituted_.end()) {
        return finite(given->second);
      }
      const bool integral = op::info(static_cast<op::Type>(node.b)).is_integer;
      const AtomKind kind = node.kind == Kind::kLeaf ? AtomKind::kLeaf : AtomKind::kOpaque;
      return finite(algebra.of_atom(algebra.leaf(kind, id, integral)));
    }
    case Kind::kTrue:
      return finite(algebra.constant(1));
    case Kind::kFalse:
      return finite({});
    case Kind::kOpaqueBool:
      if (const auto given = substituted_.find(id); given != substituted_.end()) {
        return finite(given->second);
      }
      return finite(algebra.of_atom(algebra.leaf(AtomKind::kBool, id, true)));
    default:
      break;
  }
  throw base::InternalError("no simple node");
}

FormValue Evaluator::compute(RealId id) {
  const Node& node = dag_[id];
  switch (node.kind) {
    case Kind::kAdd:
    case Kind::kSub:
    case Kind::kNeg:
    case Kind::kMul:
    case Kind::kDiv:
      for (const RealId operand : dag_.operands(id)) {
        if (shape_.may_be_infinite(operand)) return strict(node);
      }
      return sum(id, false);
    case Kind::kMin:
    case Kind::kMax:
      return lattice(id);
    case Kind::kIte:
      return select(node);
    case Kind::kLt:
    case Kind::kLe:
    case Kind::kEq:
      return compare(node);
    case Kind::kAnd:
    case Kind::kOr:
    case Kind::kNot:
    case Kind::kIteBool:
      return connective(node);
    default:
      return dag_.operands(id).empty() ? simple(id) : unary(node);
  }
}

FormValue Evaluator::unary(const Node& node) {
  if (node.kind == Kind::kSqrt && dag_[node.a].kind == Kind::kMul &&
      dag_[node.a].a == dag_[node.a].b && !shape_.may_be_infinite(node.a)) {
    // The form of the square may be an expanded sum, in which the root is not seen.
    const FormValue* base = need(dag_[node.a].a);
    if (base == nullptr) return {};
    return base->is_finite() ? finite(forms_.absolute(base->poly)) : *base;
  }
  const FormValue* a = need(node.a);
  if (a == nullptr) return {};
  if (a->state == State::kUndefined || a->state == State::kSplit) return *a;
  Algebra& algebra = forms_.algebra();
  const Monomial log2e = algebra.of(algebra.function(AtomKind::kLog2E, kZeroPoly));
  if (a->is_infinite()) {
    const bool plus = a->state == State::kPlusInfinity;
    switch (node.kind) {
      case Kind::kAbs:
        return FormValue::infinity(false);
      case Kind::kExp:
      case Kind::kExp2:
        return plus ? *a : finite({});
      case Kind::kSqrt:
      case Kind::kLog:
      case Kind::kLog2:
        return plus ? *a : FormValue::undefined();
      case Kind::kTanh:
      case Kind::kErf:
        return finite(algebra.constant(plus ? 1 : -1));
      case Kind::kRint:
      case Kind::kFloor:
      case Kind::kCeil:
      case Kind::kTrunc:
        return *a;
      default:
        return FormValue::undefined();
    }
  }
  const Poly& p = a->poly;
  switch (node.kind) {
    case Kind::kSqrt:
      return maybe(forms_.root(p));
    case Kind::kExp2:
      return finite(forms_.exp2(p));
    case Kind::kExp:
      return finite(forms_.exp2(algebra.scale(p, 1, log2e)));
    case Kind::kLog2:
      return maybe(forms_.log2(p));
    case Kind::kLog: {
      std::optional<Poly> log = forms_.log2(p);
      if (!log) return FormValue::undefined();
      return finite(algebra.scale(*log, 1, algebra.inverse(log2e).monomial));
    }
    case Kind::kSin:
      return finite(forms_.sine(p));
    case Kind::kCos:
      return finite(forms_.cosine(p));
    case Kind::kTanh:
      return finite(forms_.tanh(p));
    case Kind::kErf:
      return finite(forms_.erf(p));
    case Kind::kAbs:
      return finite(forms_.absolute(p));
    case Kind::kRint:
      return finite(forms_.rint(p));
    case Kind::kFloor:
      return finite(forms_.floor(p));
    case Kind::kCeil:
      return finite(forms_.ceil(p));
    case Kind::kTrunc:
      return finite(forms_.trunc(p));
    default:
      throw base::InternalError("no unary function");
  }
}

FormValue Evaluator::lattice(RealId id) {
  // A tree of one kind whose inner nodes nothing else uses is one maximum.
  const Kind kind = dag_[id].kind;
  const bool minimum = kind == Kind::kMin;
  std::vector<RealId> stack = {dag_[id].a, dag_[id].b};
  std::vector<RealId> operands;
  while (!stack.empty()) {
    const RealId top = stack.back();
    stack.pop_back();
    if (dag_[top].kind == kind && !shape_.has_several_uses(top) && !values_.contains(top)) {
      stack.push_back(dag_[top].b);
      stack.push_back(dag_[top].a);
    } else {
      operands.push_back(top);
    }
  }
  std::vector<Poly> forms;
  const FormValue* failed = nullptr;
  bool dominant = false;
  for (const RealId operand : operands) {
    const FormValue* v = need(operand);
    if (v == nullptr) continue;
    if (v->state == State::kUndefined || v->state == State::kSplit) {
      if (failed == nullptr || v->state == State::kUndefined) failed = v;
    } else if (v->is_infinite()) {
      // One end of the lattice is neutral, the other wins.
      dominant = dominant || (v->state == State::kPlusInfinity) != minimum;
    } else {
      forms.push_back(minimum ? forms_.algebra().scale(v->poly, -1) : v->poly);
    }
  }
  if (!missing_.empty()) return {};
  if (failed != nullptr) return *failed;
  if (dominant) return FormValue::infinity(minimum);
  if (forms.empty()) return FormValue::infinity(!minimum);
  Poly p = forms.size() == 1 ? std::move(forms[0]) : forms_.maximum(std::move(forms));
  return finite(minimum ? forms_.algebra().scale(p, -1) : std::move(p));
}

FormValue Evaluator::select(const Node& node) {
  const FormValue* c = need(node.a);
  if (c == nullptr) return {};
  if (!c->is_finite()) return *c;
  if (c->poly.empty() || c->poly == forms_.algebra().poly(kOnePoly)) {
    const FormValue* arm = need(c->poly.empty() ? node.c : node.b);
    return arm == nullptr ? FormValue{} : *arm;
  }
  const FormValue* then_value = need(node.b);
  const FormValue* else_value = need(node.c);
  if (then_value == nullptr || else_value == nullptr) return {};
  // Where an undefined arm is selected nothing is claimed; obligations speak of it.
  if (then_value->state == State::kUndefined) return *else_value;
  if (else_value->state == State::kUndefined) return *then_value;
  if (const FormValue* e = exceptional(*then_value, *else_value)) return *e;
  if (then_value->is_finite() && else_value->is_finite()) {
    return finite(forms_.choose(c->poly, then_value->poly, else_value->poly));
  }
  if (then_value->state == else_value->state) return *then_value;
  return FormValue::split(node.a);
}

FormValue Evaluator::compare(const Node& node) {
  const FormValue* a = need(node.a);
  const FormValue* b = need(node.b);
  if (a == nullptr || b == nullptr) return {};
  if (const FormValue* e = exceptional(*a, *b)) return *e;
  Algebra& algebra = forms_.algebra();
  if (a->is_infinite() || b->is_infinite()) {
    auto rank = [](const FormValue& v) {
      return v.state == State::kPlusInfinity ? 1 : v.state == State::kMinusInfinity ? -1 : 0;
    };
    const int x = rank(*a), y = rank(*b);
    const bool holds = node.kind == Kind::kLt ? x < y : node.kind == Kind::kLe ? x <= y : x == y;
    return finite(algebra.constant(holds ? 1 : 0));
  }
  if (node.kind == Kind::kEq) return finite(forms_.zero(algebra.add(a->poly, b->poly, -1)));
  if (node.kind == Kind::kLt) return finite(forms_.positive(algebra.add(b->poly, a->poly, -1)));
  return finite(forms_.complement(forms_.positive(algebra.add(a->poly, b->poly, -1))));
}

FormValue Evaluator::connective(const Node& node) {
  Algebra& algebra = forms_.algebra();
  const FormValue* a = need(node.a);
  if (a == nullptr) return {};
  if (!a->is_finite()) return *a;
  if (node.kind == Kind::kNot) return finite(forms_.complement(a->poly));
  const bool is_true = a->poly == algebra.poly(kOnePoly), is_false = a->poly.empty();
  if ((node.kind == Kind::kAnd && is_false) || (node.kind == Kind::kOr && is_true)) return *a;
  if (node.kind == Kind::kIteBool && (is_true || is_false)) {
    const FormValue* arm = need(is_true ? node.b : node.c);
    return arm == nullptr ? FormValue{} : *arm;
  }
  const FormValue* b = need(node.b);
  if (b == nullptr) return {};
  if (node.kind == Kind::kIteBool) {
    const FormValue* c = need(node.c);
    if (c == nullptr) return {};
    // As in select: an undefined arm says nothing of where the other is selected.
    if (b->state == State::kUndefined) return *c;
    if (c->state == State::kUndefined) return *b;
    if (const FormValue* e = exceptional(*b, *c)) return *e;
    return finite(
        algebra.add(c->poly, algebra.multiply(a->poly, algebra.add(b->poly, c->poly, -1))));
  }
  if (!b->is_finite()) return *b;
  if (node.kind == Kind::kAnd) return finite(algebra.multiply(a->poly, b->poly));
  return finite(algebra.add(algebra.add(a->poly, b->poly), algebra.multiply(a->poly, b->poly), -1));
}

FormValue Evaluator::strict(const Node& node) {
  Algebra& algebra = forms_.algebra();
  const FormValue* a = need(node.a);
  if (node.kind == Kind::kNeg) {
    if (a == nullptr) return {};
    return a->is_finite() || a->is_infinite() ? negate(algebra, *a) : *a;
  }
  const FormValue* b = need(node.b);
  if (a == nullptr || b == nullptr) return {};
  if (const FormValue* e = exceptional(*a, *b)) return *e;
  const bool infinite = a->is_infinite() || b->is_infinite();
  switch (node.kind) {
    case Kind::kAdd:
    case Kind::kSub: {
      const FormValue right = node.kind == Kind::kSub ? negate(algebra, *b) : *b;
      if (!infinite) return finite(algebra.add(a->poly, right.poly));
      if (a->is_infinite() && right.is_infinite()) {
        return a->state == right.state ? *a : FormValue::undefined();
      }
      return a->is_infinite() ? *a : right;
    }
    case Kind::kMul: {
      if (!infinite) return finite(algebra.multiply(a->poly, b->poly));
      bool negative = false;
      for (const FormValue* v : {a, b}) {
        if (v->is_infinite()) {
          negative = negative != (v->state == State::kMinusInfinity);
          continue;
        }
        const SignSet s = forms_.signs().of(v->poly);
        if (s.is_zero()) return FormValue::undefined();
        if (!s.is_positive() && !s.is_negative()) return FormValue::unknown();
        negative = negative != s.is_negative();
      }
      return FormValue::infinity(negative);
    }
    default: {  // kDiv
      if (b->is_infinite()) return a->is_infinite() ? FormValue::undefined() : finite({});
      const std::optional<Term> inverse = forms_.inverse(b->poly);
      if (!inverse) return FormValue::undefined();
      if (!infinite) return finite(algebra.multiply(a->poly, {*inverse}));
      const SignSet s = forms_.signs().of(b->poly);
      if (!s.is_positive() && !s.is_negative()) return FormValue::unknown();
      return s.is_positive() ? *a : negate(algebra, *a);
    }
  }
}

}  // namespace ptxequiv::real
