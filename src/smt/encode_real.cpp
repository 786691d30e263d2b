#include "smt/encode_real.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>

#include "base/error.h"
#include "op/type.h"
#include "smt/integer_form.h"
#include "smt/laws.h"

namespace ptxequiv::smt {
namespace {

using real::Kind;
using real::Node;
using real::RealId;

// log2 e = 1.442695040888963407359924681...
constexpr const char* kLog2ELow = "14426950408889634073/10000000000000000000";
constexpr const char* kLog2EHigh = "14426950408889634074/10000000000000000000";

// Ends beyond this only make numbers long; see RealQuery::wide_ranges.
const mpq_class& wide_end() {
  static const mpq_class end = mpq_class(mpz_class(1) << 80);
  return end;
}

class Encoder {
 public:
  Encoder(z3::context& context, const real::Dag& dag, const real::Facts& facts)
      : context_(context), dag_(dag), facts_(facts), integers_(context, dag, query_.assertions) {}

  RealQuery run(std::span<const RealId> conjunction);

 private:
  using Row = void (Encoder::*)(RealId, const Node&);
  struct KindRow {
    Kind kind;
    Row encode;
  };
  static const std::array<KindRow, static_cast<size_t>(Kind::kCount)>& rows();

  const z3::expr& at(RealId id) const { return values_.at(id); }
  void set(RealId id, z3::expr value) { values_.emplace(id, std::move(value)); }
  void require(const z3::expr& fact) { query_.assertions.push_back(fact); }
  z3::expr unknown(RealId id, const char* prefix) {
    return context_.real_const(fmt::format("{}{}", prefix, id).c_str());
  }
  bool is_constant(RealId id) const { return dag_[id].kind == Kind::kRational; }

  void find_chains(std::span<const RealId> roots);
  std::vector<RealId> chain(RealId id) const;
  z3::expr gather(RealId id, z3::expr (*join)(const z3::expr_vector&));

  z3::expr integer_unknown(RealId id, const char* prefix, op::Type type,
                           const real::Interval& range);
  void bound(const z3::expr& value, const real::Interval& range);

  bool as_integer(RealId id, const Node& node);

  void rational(RealId id, const Node& node);
  void obstacle(RealId id, const Node& node);
  void log2e(RealId id, const Node& node);
  void leaf(RealId id, const Node& node);
  void opaque(RealId id, const Node& node);
  void opaque_bool(RealId id, const Node& node);
  void add(RealId id, const Node& node);
  void sub(RealId id, const Node& node);
  void neg(RealId id, const Node& node);
  void mul(RealId id, const Node& node);
  void div(RealId id, const Node& node);
  void sqrt(RealId id, const Node& node);
  void function(RealId id, const Node& node);
  void extremum(RealId id, const Node& node);
  void abs(RealId id, const Node& node);
  void ite(RealId id, const Node& node);
  void step(RealId id, const Node& node);
  void truth(RealId id, const Node& node);
  void compare(RealId id, const Node& node);
  void logic(RealId id, const Node& node);
  void logic_not(RealId id, const Node& node);

  z3::context& context_;
  const real::Dag& dag_;
  const real::Facts& facts_;
  RealQuery query_;
  IntegerForms integers_;
  std::unordered_map<RealId, z3::expr> values_;
  std::unordered_map<RealId, bool> absorbed_;   // inner links of a chain of one operation
  std::vector<Application> applications_;
};

const std::array<Encoder::KindRow, static_cast<size_t>(Kind::kCount)>& Encoder::rows() {
  static const std::array<KindRow, static_cast<size_t>(Kind::kCount)> table = {{
      {Kind::kRational, &Encoder::rational},
      {Kind::kInfinity, &Encoder::obstacle},
      {Kind::kUndefined, &Encoder::obstacle},
      {Kind::kLog2E, &Encoder::log2e},
      {Kind::kLeaf, &Encoder::leaf},
      {Kind::kOpaque, &Encoder::opaque},
      {Kind::kAdd, &Encoder::add},
      {Kind::kSub, &Encoder::sub},
      {Kind::kNeg, &Encoder::neg},
      {Kind::kMul, &Encoder::mul},
      {Kind::kDiv, &Encoder::div},
      {Kind::kSqrt, &Encoder::sqrt},
      {Kind::kExp2, &Encoder::function},
      {Kind::kExp, &Encoder::function},
      {Kind::kLog2, &Encoder::function},
      {Kind::kLog, &Encoder::function},
      {Kind::kSin, &Encoder::function},
      {Kind::kCos, &Encoder::function},
      {Kind::kTanh, &Encoder::function},
      {Kind::kErf, &Encoder::function},
      {Kind::kMin, &Encoder::extremum},
      {Kind::kMax, &Encoder::extremum},
      {Kind::kAbs, &Encoder::abs},
      {Kind::kIte, &Encoder::ite},
      {Kind::kRint, &Encoder::step},
      {Kind::kFloor, &Encoder::step},
      {Kind::kCeil, &Encoder::step},
      {Kind::kTrunc, &Encoder::step},
      {Kind::kTrue, &Encoder::truth},
      {Kind::kFalse, &Encoder::truth},
      {Kind::kLt, &Encoder::compare},
      {Kind::kLe, &Encoder::compare},
      {Kind::kEq, &Encoder::compare},
      {Kind::kAnd, &Encoder::logic},
      {Kind::kOr, &Encoder::logic},
      {Kind::kNot, &Encoder::logic_not},
      {Kind::kIteBool, &Encoder::ite},
      {Kind::kOpaqueBool, &Encoder::opaque_bool},
  }};
  return table;
}

// --- leaves ---

void Encoder::rational(RealId id, const Node&) {
  set(id, context_.real_val(dag_.rational_value(id).get_str().c_str()));
}

void Encoder::obstacle(RealId id, const Node& node) {
  query_.obstacle = node.kind == Kind::kInfinity ? "infinity" : "undefined";
  set(id, context_.real_val(0));
}

void Encoder::log2e(RealId id, const Node&) {
  const z3::expr value = context_.real_const("log2e");
  require(value > context_.real_val(kLog2ELow) && value < context_.real_val(kLog2EHigh));
  set(id, value);
}

void Encoder::bound(const z3::expr& value, const real::Interval& range) {
  const auto place = [this](const mpq_class& end, const z3::expr& fact) {
    (::abs(end) > wide_end() ? query_.wide_ranges : query_.assertions).push_back(fact);
  };
  if (range.low) place(*range.low, value >= context_.real_val(range.low->get_str().c_str()));
  if (range.high) place(*range.high, value <= context_.real_val(range.high->get_str().c_str()));
}

// An unknown whole number within its type's limits and a range, as a real.
z3::expr Encoder::integer_unknown(RealId id, const char* prefix, op::Type type,
                                  const real::Interval& range) {
  query_.integers = true;
  const z3::expr whole = context_.int_const(fmt::format("{}{}", prefix, id).c_str());
  const unsigned width = op::bits(type);
  const mpz_class span = mpz_class(1) << (op::is_signed(type) ? width - 1 : width);
  mpz_class low = op::is_signed(type) ? mpz_class(-span) : mpz_class(0), high = span - 1;
  if (range.low) {
    mpz_class end;
    mpz_cdiv_q(end.get_mpz_t(), range.low->get_num_mpz_t(), range.low->get_den_mpz_t());
    low = std::max(low, end);
  }
  if (range.high) {
    mpz_class end;
    mpz_fdiv_q(end.get_mpz_t(), range.high->get_num_mpz_t(), range.high->get_den_mpz_t());
    high = std::min(high, end);
  }
  require(whole >= context_.int_val(low.get_str().c_str()));
  require(whole <= context_.int_val(high.get_str().c_str()));
  integers_.set(id, {whole, 1});
  return z3::to_real(whole);
}

void Encoder::leaf(RealId id, const Node& node) {
  const auto type = static_cast<op::Type>(node.b);
  const real::Interval range = facts_.range(id, node);
  const bool whole = op::info(type).is_integer;
  const z3::expr value = whole ? integer_unknown(id, "x", type, range) : unknown(id, "x");
  if (!whole) bound(value, range);
  query_.leaves.emplace_back(id, value);
  set(id, value);
}

void Encoder::opaque(RealId id, const Node& node) {
  const auto type = static_cast<op::Type>(node.b);
  const z3::expr value =
      op::info(type).is_integer ? integer_unknown(id, "u", type, {}) : unknown(id, "u");
  query_.leaves.emplace_back(id, value);
  set(id, value);
}

void Encoder::opaque_bool(RealId id, const Node&) {
  const z3::expr value = context_.bool_const(fmt::format("p{}", id).c_str());
  query_.leaves.emplace_back(id, value);
  set(id, value);
}

void Encoder::truth(RealId id, const Node& node) {
  set(id, context_.bool_val(node.kind == Kind::kTrue));
}

// --- chains: ((a + b) + c) + d as one sum of four, so that terms stay shallow ---

bool chains(Kind kind) { return kind == Kind::kAdd || kind == Kind::kAnd || kind == Kind::kOr; }

void Encoder::find_chains(std::span<const RealId> roots) {
  std::unordered_map<RealId, unsigned> uses;
  std::unordered_map<RealId, Kind> user;
  for (RealId id : real::cone(dag_, roots)) {
    for (RealId operand : dag_.operands(id)) {
      ++uses[operand];
      user[operand] = dag_[id].kind;
    }
  }
  for (RealId root : roots) uses[root] += 2;
  for (const auto& [id, count] : uses) {
    if (count == 1 && chains(dag_[id].kind) && user.at(id) == dag_[id].kind) absorbed_[id] = true;
  }
}

std::vector<RealId> Encoder::chain(RealId id) const {
  std::vector<RealId> parts, todo(dag_.operands(id).rbegin(), dag_.operands(id).rend());
  while (!todo.empty()) {
    const RealId next = todo.back();
    todo.pop_back();
    if (absorbed_.contains(next)) {
      const auto operands = dag_.operands(next);
      todo.insert(todo.end(), operands.rbegin(), operands.rend());
    } else {
      parts.push_back(next);
    }
  }
  return parts;
}

z3::expr Encoder::gather(RealId id, z3::expr (*join)(const z3::expr_vector&)) {
  z3::expr_vector parts(context_);
  for (RealId part : chain(id)) parts.push_back(at(part));
  return join(parts);
}

// --- arithmetic ---

void Encoder::add(RealId id, const Node&) { set(id, gather(id, z3::sum)); }
void Encoder::sub(RealId id, const Node& node) { set(id, at(node.a) - at(node.b)); }
void Encoder::neg(RealId id, const Node& node) { set(id, -at(node.a)); }

void Encoder::mul(RealId id, const Node& node) {
  if (!is_constant(node.a) && !is_constant(node.b)) query_.nonlinear = true;
  set(id, at(node.a) * at(node.b));
}

// SMT-LIB's x/0 is some number, PTX's is undefined: outside the domain nothing is said.
void Encoder::div(RealId id, const Node& node) {
  if (is_constant(node.b) && sgn(dag_.rational_value(node.b)) != 0) {
    const mpq_class factor = 1 / dag_.rational_value(node.b);
    set(id, at(node.a) * context_.real_val(factor.get_str().c_str()));
    return;
  }
  query_.nonlinear = true;
  const z3::expr value = unknown(id, "q");
  require(z3::implies(at(node.b) != 0, value * at(node.b) == at(node.a)));
  set(id, value);
}

void Encoder::sqrt(RealId id, const Node& node) {
  query_.nonlinear = true;
  const z3::expr value = unknown(id, "s");
  require(z3::implies(at(node.a) >= 0, value >= 0 && value * value == at(node.a)));
  set(id, value);
}

void Encoder::function(RealId id, const Node& node) {
  const z3::expr value = unknown(id, "f");
  applications_.push_back({node.kind, at(node.a), value});
  set(id, value);
}

void Encoder::extremum(RealId id, const Node& node) {
  const z3::expr &a = at(node.a), &b = at(node.b);
  set(id, z3::ite(node.kind == Kind::kMin ? a <= b : a >= b, a, b));
}

void Encoder::abs(RealId id, const Node& node) {
  set(id, z3::ite(at(node.a) >= 0, at(node.a), -at(node.a)));
}

void Encoder::ite(RealId id, const Node& node) {
  set(id, z3::ite(at(node.a), at(node.b), at(node.c)));
}

// SMT-LIB's to_int is floor.
void Encoder::step(RealId id, const Node& node) {
  query_.integers = true;
  const z3::expr& x = at(node.a);
  const auto floor = [this](const z3::expr& e) {
    return z3::expr(context_, Z3_mk_real2int(context_, e));
  };
  const z3::expr below = floor(x);
  switch (node.kind) {
    case Kind::kFloor: set(id, z3::to_real(below)); return;
    case Kind::kCeil: set(id, -z3::to_real(floor(-x))); return;
    case Kind::kTrunc:
      set(id, z3::ite(x >= 0, z3::to_real(below), -z3::to_real(floor(-x))));
      return;
    default: break;
  }
  const z3::expr rest = x - z3::to_real(below);
  const z3::expr half = context_.real_val(1, 2);
  const z3::expr even = z3::mod(below, 2) == 0;
  set(id, z3::to_real(z3::ite(rest < half || (rest == half && even), below, below + 1)));
}

// --- booleans ---

void Encoder::compare(RealId id, const Node& node) {
  if (const auto whole = integers_.compare(node)) {
    set(id, *whole);
    return;
  }
  const z3::expr &a = at(node.a), &b = at(node.b);
  set(id, node.kind == Kind::kLt ? a < b : node.kind == Kind::kLe ? a <= b : a == b);
}

void Encoder::logic(RealId id, const Node& node) {
  set(id, gather(id, node.kind == Kind::kAnd ? z3::mk_and : z3::mk_or));
}

void Encoder::logic_not(RealId id, const Node& node) { set(id, !at(node.a)); }

// Whole numbers and fractions of them stay integers as long as they can.
bool Encoder::as_integer(RealId id, const Node& node) {
  const bool is_choice = node.kind == Kind::kIte;
  if (real::info(node.kind).is_bool || real::info(node.kind).arity == 0) {
    if (node.kind == Kind::kRational) integers_.add(id, node, {}, nullptr);
    return false;
  }
  std::vector<RealId> parts;
  if (node.kind == Kind::kAdd) parts = chain(id);
  const z3::expr* condition = is_choice ? &at(node.a) : nullptr;
  if (!integers_.add(id, node, parts, condition)) return false;
  set(id, integers_.as_real(*integers_.find(id)));
  return true;
}

RealQuery Encoder::run(std::span<const RealId> conjunction) {
  std::vector<RealId> roots(conjunction.begin(), conjunction.end());
  const auto assumed = facts_.assumptions();
  roots.insert(roots.end(), assumed.begin(), assumed.end());
  find_chains(roots);
  for (RealId id : real::cone(dag_, roots)) {
    if (absorbed_.contains(id)) continue;
    const Node& node = dag_[id];
    const KindRow& row = rows()[static_cast<size_t>(node.kind)];
    PTXEQUIV_CHECK(row.kind == node.kind, "the encoder's table is in the order of Kind");
    if (as_integer(id, node)) continue;
    (this->*row.encode)(id, node);
    if (!query_.obstacle.empty()) return std::move(query_);
  }
  for (RealId root : roots) require(at(root));
  for (const z3::expr& law : laws(context_, applications_)) require(law);
  return std::move(query_);
}

}  // namespace

RealQuery encode_real(z3::context& context, const real::Dag& dag,
                      std::span<const RealId> conjunction, const real::Facts& facts) {
  return Encoder(context, dag, facts).run(conjunction);
}

}  // namespace ptxequiv::smt
