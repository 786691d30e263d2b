// Normal forms of Dag nodes in one case: under one set of facts. No recursion; sums and products
// are taken apart from above, each shared node once.
#pragma once
#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

#include "real/dag.h"
#include "real/forms.h"
#include "real/shape.h"

namespace ptxequiv::real {

struct FormValue {
  enum class State : uint8_t {
    kFinite,  // poly; of a Bool node an indicator form, 0 or 1
    kPlusInfinity,
    kMinusInfinity,
    kUndefined,
    kSplit,  // finite in some cases of `condition`, not in others: decide that first;
             // without a condition: not known to be any of these
  } state = State::kFinite;
  Poly poly;
  RealId condition = kNoReal;  // kSplit

  bool is_finite() const { return state == State::kFinite; }
  bool is_infinite() const {
    return state == State::kPlusInfinity || state == State::kMinusInfinity;
  }
  static FormValue undefined() { return {State::kUndefined, {}, kNoReal}; }
  static FormValue infinity(bool negative) {
    return {negative ? State::kMinusInfinity : State::kPlusInfinity, {}, kNoReal};
  }
  static FormValue unknown() { return {State::kSplit, {}, kNoReal}; }
  static FormValue split(RealId condition) { return {State::kSplit, {}, condition}; }
};

// Values by node: a table over all nodes for the case that most work is done in, a hash map for the
// many small ones.
class FormValues {
 public:
  explicit FormValues(bool dense) : dense_(dense) {}
  const FormValue* find(RealId id) const {
    if (dense_) {
      return id < slots_.size() && slots_[id] != 0 ? &values_[slots_[id] - 1] : nullptr;
    }
    const auto found = sparse_.find(id);
    return found == sparse_.end() ? nullptr : &values_[found->second];
  }
  bool contains(RealId id) const { return find(id) != nullptr; }
  const FormValue& insert(RealId id, FormValue value) {
    values_.push_back(std::move(value));
    const auto index = static_cast<uint32_t>(values_.size() - 1);
    if (dense_) {
      if (id >= slots_.size()) slots_.resize(size_t{id} + id / 4 + 64);
      slots_[id] = index + 1;
    } else {
      sparse_.emplace(id, index);
    }
    return values_.back();
  }

 private:
  bool dense_;
  std::vector<uint32_t> slots_;
  std::unordered_map<RealId, uint32_t> sparse_;
  std::deque<FormValue> values_;  // references stay valid
};

class Evaluator {
 public:
  Evaluator(const Dag& dag, Shape& shape, Forms& forms, bool dense)
      : dag_(dag), shape_(shape), forms_(forms), values_(dense) {}

  // Of a Real or Bool node; kept, and so is what lies below it and is of use again.
  const FormValue& value(RealId id);
  // The same, not kept itself: for roots, of which there are many and large ones.
  FormValue root(RealId id);
  // In this case the leaf has that value.
  void substitute(RealId leaf, Poly value) { substituted_[leaf] = std::move(value); }

 private:
  struct Pending {  // coefficient * monomial * node is still to be added
    RealId id;
    Monomial monomial;
    Coefficient coefficient;
    friend bool operator<(const Pending& a, const Pending& b) { return a.id < b.id; }
  };
  using Heap = std::vector<Pending>;

  void evaluate(RealId id);
  const FormValue* need(RealId id);  // the value, or nullptr and the id noted as missing
  FormValue attempt(RealId id);
  FormValue compute(RealId id);
  FormValue simple(RealId id);
  FormValue unary(const Node& node);
  FormValue lattice(RealId id);
  FormValue select(const Node& node);
  FormValue compare(const Node& node);
  FormValue connective(const Node& node);
  FormValue strict(const Node& node);  // sums and products with infinities

  // evaluator_sum.cpp
  struct Sum {
    bool shallow = false;  // large shared sums below stay whole
    Heap heap;
    Poly out;          // not settled
    FormValue failed;  // not finite: the result
    size_t merge_at = 1 << 16;
  };
  FormValue sum(RealId id, bool shallow);
  void take_apart(RealId id, const Poly& by, Sum& sum);
  void product(const Node& node, const Poly& by, Sum& sum);
  void spread(RealId id, const Poly& by, Sum& sum);
  const Poly* finite_value(RealId id, Sum& sum);
  void add_product(const Poly& by, const Poly& p, Sum& sum);
  std::optional<Poly> multiplicand(RealId id, Sum& sum);
  Poly abbreviate(const Poly& p);

  const Dag& dag_;
  Shape& shape_;
  Forms& forms_;
  FormValues values_;
  std::unordered_map<RealId, Term> inverses_;
  std::unordered_map<RealId, Poly> substituted_;
  std::vector<RealId> missing_;
  size_t steps_ = 0;
};

}  // namespace ptxequiv::real
