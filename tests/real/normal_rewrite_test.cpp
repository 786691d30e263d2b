// Random expressions rewritten by random identities of the reals: the normal form must find its way
// back.
#include <catch2/catch.hpp>

#include <random>

#include "normal_support.h"

namespace ptxequiv::real::test {
namespace {

struct Rewriter {
  World& w;
  std::mt19937 random;
  std::vector<Ex> leaves, conditions;
  bool branches;

  Ex leaf() {
    if (random() % 5 == 0) return w.c(static_cast<long>(random() % 7) - 3, 1 + random() % 3);
    return leaves[random() % leaves.size()];
  }
  Ex tree(int depth) {
    if (depth == 0) return leaf();
    const Ex a = tree(depth - 1),
             b = tree(static_cast<int>(random() % static_cast<unsigned>(depth)));
    switch (random() % (branches ? 12 : 9)) {
      case 0:
      case 1:
        return a + b;
      case 2:
        return a - b;
      case 3:
      case 4:
        return a * b;
      case 5:
        return a / (exp(b) + 1);
      case 6:
        return exp(a);
      case 7:
        return a / (b * b + 1);
      case 8:
        return tanh(a);
      case 9:
        return max(a, b);
      case 10:
        return abs(a);
      default:
        return ite(conditions[random() % conditions.size()], a, b);
    }
  }

  Ex wrap(RealId id) { return w.wrap(id); }

  Ex rewrite(Ex e) {
    const Node n = w.dag[e.id];
    const unsigned arity = info(n.kind).arity;
    if (arity == 0 || info(n.kind).is_bool) return e;
    Ex a = wrap(n.a), b = arity > 1 ? wrap(n.b) : e, c = arity > 2 ? wrap(n.c) : e;
    if (n.kind != Kind::kIte) a = rewrite(a);
    if (arity > 1) b = rewrite(b);
    if (arity > 2) c = rewrite(c);
    const Ex t = leaves[random() % leaves.size()];
    switch (n.kind) {
      case Kind::kAdd:
        if (random() % 3 == 0) return (a + t) + (b - t);
        return random() % 2 ? b + a : a - (w.c(0) - b);
      case Kind::kSub:
        return random() % 2 ? a + b * -1 : -(b - a);
      case Kind::kMul: {
        const Node inner = w.dag[b.id];
        if (inner.kind == Kind::kAdd) return a * wrap(inner.a) + a * wrap(inner.b);
        if (branches && inner.kind == Kind::kIte) {
          return ite(wrap(inner.a), a * wrap(inner.b), a * wrap(inner.c));
        }
        return random() % 2 ? (b * 2) * (a / 2) : (a - t) * b + t * b;
      }
      case Kind::kDiv:
        if (random() % 2) return a * (w.c(1) / b);
        return (a * exp(t)) / (b * exp(t));
      case Kind::kExp: {
        const Node inner = w.dag[a.id];
        if (inner.kind == Kind::kAdd) return exp(wrap(inner.a)) * exp(wrap(inner.b));
        if (inner.kind == Kind::kSub) return exp(wrap(inner.a)) / exp(wrap(inner.b));
        if (branches && inner.kind == Kind::kIte) {
          return ite(wrap(inner.a), exp(wrap(inner.b)), exp(wrap(inner.c)));
        }
        return exp(a / 2) * exp(a / 2);
      }
      case Kind::kTanh:
        return w.c(1) - w.c(2) / (exp(a * 2) + 1);
      case Kind::kMax:
        if (random() % 3 == 0) return ite(a < b, b, a);
        return random() % 2 ? a + b - min(a, b) : max(b - t, a - t) + t;
      case Kind::kAbs:
        return random() % 2 ? max(-a, a) : sqrt(a * a);
      case Kind::kIte:
        return ite(make(Kind::kNot, a), c, b);
      default:
        return make(n.kind, a);
    }
  }
};

TEST_CASE("rewritten rational and exponential expressions are proved") {
  int open = 0;
  for (unsigned seed = 1; seed <= 150; ++seed) {
    World w;
    Rewriter r{w, std::mt19937(seed), w.xs(3), {}, false};
    const Ex e = r.tree(3), f = r.rewrite(r.rewrite(e));
    if (!w.equal(e, f)) {
      ++open;
      const RealId roots[] = {e.id, f.id};
      UNSCOPED_INFO("seed " << seed << "\n"
                            << to_string(w.dag, roots) << w.text(e) << "\n"
                            << w.text(f));
    }
    CHECK_FALSE(w.equal(e + 1, f));
  }
  CHECK(open == 0);
}

TEST_CASE("rewritten expressions with branches are proved") {
  int open = 0;
  for (unsigned seed = 1; seed <= 150; ++seed) {
    World w;
    Rewriter r{w, std::mt19937(seed), w.xs(2), {w.condition(), w.condition()}, true};
    const Ex e = r.tree(3), f = r.rewrite(e);
    if (!w.equal(e, f)) {
      ++open;
      const RealId roots[] = {e.id, f.id};
      UNSCOPED_INFO("seed " << seed << "\n"
                            << to_string(w.dag, roots) << w.text(e) << "\n"
                            << w.text(f));
    }
  }
  CHECK(open == 0);
}

}  // namespace
}  // namespace ptxequiv::real::test
