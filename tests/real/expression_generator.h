// Small random expressions that can be changed before they are built in a Dag.
#pragma once

#include <random>
#include <vector>

#include "normal_support.h"

namespace ptxequiv::real::test {

// A node of an expression that can be changed before it is built in a Dag.
struct Item {
  Kind kind;
  size_t a = 0, b = 0, c = 0;  // operands; of a leaf, its number
  mpq_class value = 0;
};
struct Expression {
  std::vector<Item> items;  // operands come first
  size_t root = 0;
};

inline constexpr Kind kArithmetic[] = {Kind::kAdd, Kind::kAdd, Kind::kSub, Kind::kSub, Kind::kMul,
                                       Kind::kMul, Kind::kMul, Kind::kDiv, Kind::kDiv, Kind::kDiv,
                                       Kind::kMin, Kind::kMax, Kind::kMin, Kind::kMax};
inline constexpr Kind kUnary[] = {Kind::kNeg,   Kind::kSqrt, Kind::kSqrt, Kind::kExp2,
                                  Kind::kLog2,  Kind::kAbs,  Kind::kAbs,  Kind::kRint,
                                  Kind::kFloor, Kind::kCeil, Kind::kTrunc};
inline constexpr Kind kComparisons[] = {Kind::kLt, Kind::kLe, Kind::kEq};

class Generator {
 public:
  // Leaf number `leaves` is a condition.
  Generator(unsigned seed, size_t leaves)
      : random_(seed), leaves_(leaves), has_condition_(seed % 4 == 1), masks_(seed % 5 == 2) {}

  Expression expression(size_t size, bool boolean) {
    e_ = {};
    reals_.clear();
    bools_.clear();
    for (size_t i = 0; i < leaves_; ++i) reals_.push_back(add({Kind::kLeaf, i}));
    if (has_condition_) bools_.push_back(add({Kind::kOpaqueBool, leaves_}));
    for (size_t i = 0; i < size; ++i) grow();
    if (boolean && bools_.empty()) bools_.push_back(comparison());
    e_.root = boolean ? bools_.back() : reals_.back();
    return e_;
  }

  // Rewrites that keep the value wherever both are defined, and changes that may not.
  Expression variant(const Expression& original) {
    e_ = original;
    const size_t steps = 1 + pick(3);
    for (size_t i = 0; i < steps; ++i) {
      std::vector<Item> before = e_.items;
      const size_t at = pick_used();
      if (pick(2) == 0) {
        change(at);
      } else {
        rewrite(at);
      }
    }
    return e_;
  }

  size_t pick(size_t n) { return random_() % n; }
  bool has_condition() const { return has_condition_; }

 private:
  size_t add(Item item) {
    e_.items.push_back(std::move(item));
    return e_.items.size() - 1;
  }
  size_t make(Kind kind, size_t a, size_t b = 0, size_t c = 0) { return add({kind, a, b, c}); }
  size_t constant() {
    static const mpq_class values[] = {0, 0, 1, 1, -1, mpq_class(1, 2), 2, 3};
    if (pick(24) == 0) return make(Kind::kInfinity, pick(2));
    return add({Kind::kRational, 0, 0, 0, values[pick(std::size(values))]});
  }
  size_t real() {
    const size_t r = pick(8);
    if (r == 0) return constant();
    if (r < 4) return reals_[pick(leaves_)];
    return reals_[reals_.size() - 1 - pick(std::min<size_t>(reals_.size(), 4))];
  }
  size_t comparison() {
    const Kind kind = kComparisons[pick(3)];
    return pick(2) == 0
               ? make(kind, real(), real())
               : (pick(2) == 0 ? make(kind, real(), constant()) : make(kind, constant(), real()));
  }
  size_t boolean() {
    if (bools_.empty() || pick(3) == 0) bools_.push_back(comparison());
    return bools_[bools_.size() - 1 - pick(std::min<size_t>(bools_.size(), 3))];
  }
  void grow() {
    if (masks_ && pick(4) == 0) {
      // What a mask leaves out is -inf, as in a softmax.
      const size_t none = make(Kind::kInfinity, 1), c = boolean(), a = real(), b = real();
      const size_t masked = make(Kind::kIte, c, a, none);
      const size_t largest = make(Kind::kMax, masked, b);
      const size_t uses[] = {largest, make(Kind::kExp2, make(Kind::kSub, masked, largest)),
                             make(Kind::kExp2, make(Kind::kMin, masked, b)),
                             make(Kind::kIte, make(Kind::kEq, largest, none), b, largest)};
      reals_.push_back(uses[pick(4)]);
      return;
    }
    switch (pick(10)) {
      case 0:
      case 1:
      case 2:
      case 3: {
        const size_t a = real();
        reals_.push_back(make(kArithmetic[pick(std::size(kArithmetic))], a, real()));
        break;
      }
      case 4:
      case 5:
        reals_.push_back(make(kUnary[pick(std::size(kUnary))], real()));
        break;
      case 6:
      case 7:
      case 8: {
        const size_t c = boolean(), a = real();
        reals_.push_back(make(Kind::kIte, c, a, real()));
        break;
      }
      default: {
        const size_t a = boolean();
        switch (pick(4)) {
          case 0:
            bools_.push_back(make(Kind::kNot, a));
            break;
          case 1:
            bools_.push_back(make(Kind::kIteBool, a, boolean(), boolean()));
            break;
          default:
            bools_.push_back(make(pick(2) == 0 ? Kind::kAnd : Kind::kOr, a, boolean()));
        }
      }
    }
  }

  std::vector<bool> used() const {
    std::vector<bool> result(e_.items.size(), false);
    result[e_.root] = true;
    // Rewrites append what they replace, so that operands may come later: to a fixed point.
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t i = 0; i < e_.items.size(); ++i) {
        if (!result[i]) continue;
        const Item& item = e_.items[i];
        const size_t operands[] = {item.a, item.b, item.c};
        for (size_t k = 0; k < info(item.kind).arity; ++k) {
          if (!result[operands[k]]) {
            result[operands[k]] = true;
            changed = true;
          }
        }
      }
    }
    return result;
  }
  size_t pick_used() {
    const std::vector<bool> is_used = used();
    size_t at = pick(is_used.size());
    while (!is_used[at]) at = pick(is_used.size());
    return at;
  }

  void change(size_t at) {
    Item& item = e_.items[at];
    switch (item.kind) {
      case Kind::kRational:
        item.value += static_cast<long>(pick(3)) - 1;
        break;
      case Kind::kInfinity:
        item.a ^= 1;
        break;
      case Kind::kLt:
      case Kind::kLe:
      case Kind::kEq:
        if (pick(3) == 0)
          std::swap(item.a, item.b);
        else
          item.kind = kComparisons[pick(3)];
        break;
      case Kind::kMin:
      case Kind::kMax:
        item.kind = item.kind == Kind::kMin ? Kind::kMax : Kind::kMin;
        break;
      case Kind::kAnd:
      case Kind::kOr:
        item.kind = item.kind == Kind::kAnd ? Kind::kOr : Kind::kAnd;
        break;
      case Kind::kIte:
      case Kind::kIteBool:
        if (pick(2) == 0)
          std::swap(item.b, item.c);
        else
          copy(at, pick(2) == 0 ? item.b : item.c);
        break;
      case Kind::kSub:
      case Kind::kDiv:
        std::swap(item.a, item.b);
        break;
      case Kind::kAdd:
      case Kind::kMul:
        copy(at, pick(2) == 0 ? item.a : item.b);
        break;
      case Kind::kRint:
      case Kind::kFloor:
      case Kind::kCeil:
      case Kind::kTrunc: {
        const Kind steps[] = {Kind::kRint, Kind::kFloor, Kind::kCeil, Kind::kTrunc};
        item.kind = steps[pick(4)];
        break;
      }
      case Kind::kNeg:
      case Kind::kAbs:
      case Kind::kNot:
        copy(at, item.a);
        break;
      default:
        break;
    }
  }
  // The operand takes the place of the node.
  void copy(size_t at, size_t from) {
    const Item item = e_.items[from];
    e_.items[at] = item;
  }

  size_t zero() { return add({Kind::kRational, 0, 0, 0, 0}); }
  size_t one() { return add({Kind::kRational, 0, 0, 0, 1}); }
  size_t leaf() {
    for (size_t i = 0; i < e_.items.size(); ++i) {
      if (e_.items[i].kind == Kind::kLeaf && pick(2) == 0) return i;
    }
    return add({Kind::kLeaf, 0});
  }

  void rewrite(size_t at) {
    const Item old = e_.items[at];
    if (info(old.kind).is_bool) {
      rewrite_bool(at, old);
      return;
    }
    if (old.kind == Kind::kMax && pick(2) == 0) {
      e_.items[at] = {Kind::kIte, make(pick(2) == 0 ? Kind::kLt : Kind::kLe, old.a, old.b), old.b,
                      old.a};
      return;
    }
    if (old.kind == Kind::kMin && pick(2) == 0) {
      e_.items[at] = {Kind::kIte, make(pick(2) == 0 ? Kind::kLt : Kind::kLe, old.a, old.b), old.a,
                      old.b};
      return;
    }
    if (old.kind == Kind::kAbs && pick(2) == 0) {
      e_.items[at] = {Kind::kMax, old.a, make(Kind::kNeg, old.a)};
      return;
    }
    if (old.kind == Kind::kIte && pick(2) == 0) {
      // c ? a : b = [c] a + (1 - [c]) b
      const size_t i = make(Kind::kIte, old.a, one(), zero());
      e_.items[at] = {Kind::kAdd, make(Kind::kMul, i, old.b),
                      make(Kind::kMul, make(Kind::kSub, one(), i), old.c)};
      return;
    }
    if (old.kind == Kind::kDiv && pick(2) == 0) {
      e_.items[at] = {Kind::kMul, old.a, make(Kind::kDiv, one(), old.b)};
      return;
    }
    const size_t x = add(old);  // the old value; its node becomes what takes its place
    Item& item = e_.items[at];
    const size_t y = pick(3) == 0 ? x : leaf();
    const size_t comparison =
        make(kComparisons[pick(3)], pick(2) == 0 ? x : y, pick(2) == 0 ? zero() : leaf());
    const size_t product = make(Kind::kMul, x, y);
    const Item choices[] = {
        {Kind::kDiv, product, y},
        {Kind::kMul, make(Kind::kDiv, x, y), y},
        {Kind::kAdd, x, make(Kind::kMul, zero(), y)},
        {Kind::kMul, x, make(Kind::kDiv, y, y)},
        {Kind::kAdd, make(Kind::kSub, x, y), y},
        {Kind::kMul, make(Kind::kSqrt, x), make(Kind::kSqrt, x)},
        {Kind::kSqrt, make(Kind::kMul, x, x)},
        {Kind::kExp2, make(Kind::kLog2, x)},
        {Kind::kLog2, make(Kind::kExp2, x)},
        {Kind::kNeg, make(Kind::kNeg, x)},
        {Kind::kIte, comparison, x, add({Kind::kAdd, x, zero()})},
        {Kind::kIte, comparison, make(Kind::kDiv, product, y), x},
        {Kind::kIte, comparison, x, make(Kind::kAbs, x)},
        {Kind::kIte, comparison, x, zero()},
        {Kind::kIte, comparison, x, y},
        {Kind::kIte, comparison, make(Kind::kMul, x, make(Kind::kDiv, y, y)), x},
        {Kind::kMin, x, make(Kind::kMax, x, y)},
        {Kind::kMax, x, make(Kind::kMin, x, y)},
        {Kind::kDiv, x, make(Kind::kMax, one(), y)},
        {Kind::kDiv, make(Kind::kMax, x, zero()), make(Kind::kMax, x, zero())},
        {Kind::kDiv, make(Kind::kAbs, x), x},
        {Kind::kFloor, x},
    };
    e_.items[at] = choices[pick(std::size(choices))];
    (void)item;
  }
  void rewrite_bool(size_t at, const Item& old) {
    if ((old.kind == Kind::kLt || old.kind == Kind::kLe) && pick(3) != 0) {
      if (pick(2) == 0) {
        e_.items[at] = {Kind::kNot,
                        make(old.kind == Kind::kLt ? Kind::kLe : Kind::kLt, old.b, old.a)};
      } else {
        e_.items[at] = {old.kind, make(Kind::kSub, old.a, old.b), zero()};
      }
      return;
    }
    const size_t x = add(old);
    const size_t other = make(kComparisons[pick(3)], leaf(), pick(2) == 0 ? zero() : leaf());
    const Item choices[] = {
        {Kind::kNot, make(Kind::kNot, x)},
        {Kind::kAnd, x, make(Kind::kOr, x, other)},
        {Kind::kOr, x, make(Kind::kAnd, x, other)},
        {Kind::kIteBool, other, x, x},
        {Kind::kAnd, x, other},
        {Kind::kOr, x, other},
    };
    e_.items[at] = choices[pick(std::size(choices))];
  }

  std::mt19937 random_;
  size_t leaves_;
  bool has_condition_, masks_;
  Expression e_;
  std::vector<size_t> reals_, bools_;
};

}  // namespace ptxequiv::real::test
