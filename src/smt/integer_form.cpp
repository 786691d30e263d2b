#include "smt/integer_form.h"

#include <fmt/format.h>

namespace ptxequiv::smt {

using real::Kind;
using real::RealId;

const IntegerForm* IntegerForms::find(RealId id) const {
  const auto found = forms_.find(id);
  return found == forms_.end() ? nullptr : &found->second;
}

z3::expr IntegerForms::number(const mpz_class& value) const {
  return context_.int_val(value.get_str().c_str());
}

z3::expr IntegerForms::scaled(const IntegerForm& form, const mpz_class& denominator) const {
  const mpz_class factor = denominator / form.denominator;
  return factor == 1 ? form.numerator : number(factor) * form.numerator;
}

z3::expr IntegerForms::as_real(const IntegerForm& form) const {
  const z3::expr value = z3::to_real(form.numerator);
  if (form.denominator == 1) return value;
  return value * context_.real_val(("1/" + form.denominator.get_str()).c_str());
}

IntegerForm IntegerForms::sum(std::span<const RealId> parts) const {
  mpz_class denominator = 1;
  for (const RealId part : parts) denominator = lcm(denominator, forms_.at(part).denominator);
  z3::expr_vector all(context_);
  for (const RealId part : parts) all.push_back(scaled(forms_.at(part), denominator));
  return {z3::sum(all), denominator};
}

// The greatest whole number that is no greater, by its two inequalities.
z3::expr IntegerForms::floored(RealId id, const char* name, const z3::expr& numerator,
                               const mpz_class& denominator) {
  if (denominator == 1) return numerator;
  const z3::expr value = context_.int_const(fmt::format("{}{}", name, id).c_str());
  const z3::expr multiple = number(denominator) * value;
  facts_.push_back(multiple <= numerator);
  facts_.push_back(numerator <= multiple + number(denominator - 1));
  return value;
}

std::optional<IntegerForm> IntegerForms::make(RealId id, const real::Node& node,
                                              std::span<const RealId> parts,
                                              const z3::expr* condition) {
  if (node.kind == Kind::kRational) {
    const mpq_class& value = dag_.rational_value(id);
    return IntegerForm{number(value.get_num()), value.get_den()};
  }
  if (node.kind == Kind::kAdd) {
    for (const RealId part : parts) {
      if (find(part) == nullptr) return std::nullopt;
    }
    return sum(parts);
  }
  const bool choice = node.kind == Kind::kIte;
  const IntegerForm* a = find(choice ? node.b : node.a);
  if (a == nullptr) return std::nullopt;
  switch (node.kind) {
    case Kind::kNeg:
      return IntegerForm{-a->numerator, a->denominator};
    case Kind::kAbs:
      return IntegerForm{z3::ite(a->numerator >= 0, a->numerator, -a->numerator), a->denominator};
    case Kind::kFloor:
      return IntegerForm{floored(id, "n", a->numerator, a->denominator), 1};
    case Kind::kCeil:
      return IntegerForm{-floored(id, "n", -a->numerator, a->denominator), 1};
    case Kind::kTrunc: {
      if (a->denominator == 1) return *a;
      const z3::expr magnitude = z3::ite(a->numerator >= 0, a->numerator, -a->numerator);
      const z3::expr whole = floored(id, "n", magnitude, a->denominator);
      return IntegerForm{z3::ite(a->numerator >= 0, whole, -whole), 1};
    }
    default:
      break;
  }
  if (real::info(node.kind).arity < 2) return std::nullopt;
  const IntegerForm* b = find(choice ? node.c : node.b);
  if (b == nullptr) return std::nullopt;
  if (node.kind == Kind::kMul) {
    const bool linear =
        dag_[node.a].kind == Kind::kRational || dag_[node.b].kind == Kind::kRational;
    if (!linear) return std::nullopt;
    return IntegerForm{a->numerator * b->numerator, a->denominator * b->denominator};
  }
  const mpz_class denominator = lcm(a->denominator, b->denominator);
  const z3::expr x = scaled(*a, denominator), y = scaled(*b, denominator);
  switch (node.kind) {
    case Kind::kSub:
      return IntegerForm{x - y, denominator};
    case Kind::kMin:
      return IntegerForm{z3::ite(x <= y, x, y), denominator};
    case Kind::kMax:
      return IntegerForm{z3::ite(x >= y, x, y), denominator};
    case Kind::kIte:
      if (condition == nullptr) return std::nullopt;
      return IntegerForm{z3::ite(*condition, x, y), denominator};
    default:
      return std::nullopt;
  }
}

bool IntegerForms::add(RealId id, const real::Node& node, std::span<const RealId> parts,
                       const z3::expr* condition) {
  auto form = make(id, node, parts, condition);
  if (!form) return false;
  forms_.emplace(id, std::move(*form));
  return true;
}

std::optional<z3::expr> IntegerForms::compare(const real::Node& node) const {
  const IntegerForm *a = find(node.a), *b = find(node.b);
  if (a == nullptr || b == nullptr) return std::nullopt;
  const mpz_class denominator = lcm(a->denominator, b->denominator);
  const z3::expr x = scaled(*a, denominator), y = scaled(*b, denominator);
  return node.kind == Kind::kLt ? x < y : node.kind == Kind::kLe ? x <= y : x == y;
}

}  // namespace ptxequiv::smt
