// The kernels that the normal form must prove without a solver, and near misses that it must not.
#include <catch2/catch.hpp>

#include "normal_support.h"

namespace ptxequiv::real::test {
namespace {

Ex maximum(const std::vector<Ex>& x) {
  Ex m = x[0];
  for (size_t i = 1; i < x.size(); ++i) m = max(m, x[i]);
  return m;
}

Ex tree_maximum(std::vector<Ex> all) {
  for (; all.size() > 1; all.resize((all.size() + 1) / 2)) {
    const size_t half = (all.size() + 1) / 2;
    for (size_t i = 0; i + half < all.size(); ++i) all[i] = max(all[i + half], all[i]);
  }
  return all[0];
}

std::vector<Ex> softmax(const std::vector<Ex>& x, bool subtract) {
  std::vector<Ex> e;
  const Ex m = tree_maximum(x);
  for (const Ex v : x) e.push_back(subtract ? exp(v - m) : exp(v));
  const Ex inverse = x[0].world->c(1) / tree_sum(e);
  for (Ex& v : e) v = v * inverse;
  return e;
}

// Running maximum and sum; `rescale` false is the classic mistake.
std::vector<Ex> online_softmax(const std::vector<Ex>& x, bool rescale) {
  World& w = *x[0].world;
  Ex m = w.minus_infinity(), l = w.c(0);
  for (const Ex v : x) {
    const Ex next = max(m, v);
    l = (rescale ? l * exp(m - next) : l) + exp(v - next);
    m = next;
  }
  std::vector<Ex> result;
  for (const Ex v : x) result.push_back(exp(v - m) / l);
  return result;
}

TEST_CASE("softmax with and without the maximum, online, and by halves") {
  World w;
  const std::vector<Ex> x = w.xs(64);
  const auto plain = softmax(x, false), shifted = softmax(x, true),
             online = online_softmax(x, true), wrong = online_softmax(x, false);
  for (const size_t i : {0, 17, 63}) {
    CHECK(w.same(plain[i], shifted[i]));
    CHECK(w.same(shifted[i], online[i]));
    CHECK_FALSE(w.equal(shifted[i], wrong[i]));
  }
  // Two halves merged as a warp shuffle does.
  Ex m[2] = {w.minus_infinity(), w.minus_infinity()}, l[2] = {w.c(0), w.c(0)};
  for (size_t i = 0; i < x.size(); ++i) {
    Ex& mm = m[i % 2];
    Ex& ll = l[i % 2];
    const Ex next = max(mm, x[i]);
    ll = ll * exp(mm - next) + exp(x[i] - next);
    mm = next;
  }
  const Ex both = max(m[0], m[1]);
  const Ex total = l[0] * exp(m[0] - both) + l[1] * exp(m[1] - both);
  CHECK(w.same(exp(x[5] - both) / total, plain[5]));
  CHECK_FALSE(w.equal(plain[5], plain[6]));
}

TEST_CASE("softmax of two") {
  World w;
  const std::vector<Ex> x = w.xs(2);
  CHECK(w.same(softmax(x, true)[0], softmax(x, false)[0]));
  CHECK(w.same(online_softmax(x, true)[1], softmax(x, false)[1]));
  CHECK_FALSE(w.equal(online_softmax(x, false)[1], softmax(x, false)[1]));
  CHECK(w.equal(softmax(x, false)[0], w.c(1) / (exp(x[1] - x[0]) + 1)));
  CHECK(w.equal(softmax(x, true)[0] + softmax(x, false)[1], w.c(1)));
}

struct Attention {
  std::vector<Ex> q;
  std::vector<std::vector<Ex>> k, v;
  Ex scale;
};

Attention inputs(World& w, size_t keys, size_t head) {
  Attention a;
  a.q = w.xs(head);
  for (size_t j = 0; j < keys; ++j) {
    a.k.push_back(w.xs(head));
    a.v.push_back(w.xs(head));
  }
  a.scale = w.x();
  return a;
}

Ex score(const Attention& a, size_t j) {
  Ex s = a.q[0].world->c(0);
  for (size_t d = 0; d < a.q.size(); ++d) s = s + a.q[d] * a.k[j][d];
  return s * a.scale;
}

std::vector<Ex> plain_attention(const Attention& a) {
  std::vector<Ex> s, out;
  for (size_t j = 0; j < a.k.size(); ++j) s.push_back(score(a, j));
  const std::vector<Ex> p = softmax(s, true);
  for (size_t d = 0; d < a.q.size(); ++d) {
    Ex sum = p[0] * a.v[0][d];
    for (size_t j = 1; j < s.size(); ++j) sum = sum + p[j] * a.v[j][d];
    out.push_back(sum);
  }
  return out;
}

std::vector<Ex> streaming_attention(const Attention& a, size_t tile, bool rescale) {
  World& w = *a.scale.world;
  std::vector<Ex> scaled = a.q, acc(a.q.size(), w.c(0));
  for (Ex& q : scaled) q = q * a.scale;
  Ex m = w.minus_infinity(), l = w.c(0);
  for (size_t j0 = 0; j0 < a.k.size(); j0 += tile) {
    std::vector<Ex> s;
    Ex next = m;
    for (size_t j = j0; j < j0 + tile; ++j) {
      Ex dot = w.c(0);
      for (size_t d = 0; d < scaled.size(); ++d) dot = scaled[d] * a.k[j][d] + dot;
      s.push_back(dot);
      next = max(next, dot);
    }
    const Ex alpha = exp(m - next);
    l = l * alpha;
    if (rescale)
      for (Ex& o : acc) o = o * alpha;
    for (size_t j = 0; j < tile; ++j) {
      const Ex p = exp(s[j] - next);
      l = l + p;
      for (size_t d = 0; d < acc.size(); ++d) acc[d] = p * a.v[j0 + j][d] + acc[d];
    }
    m = next;
  }
  const Ex inverse = w.c(1) / l;
  for (Ex& o : acc) o = o * inverse;
  return acc;
}

TEST_CASE("streaming attention against plain attention") {
  World w;
  const Attention a = inputs(w, 16, 4);
  const auto plain = plain_attention(a);
  for (const size_t tile : {1, 4}) {
    const auto streaming = streaming_attention(a, tile, true);
    const auto wrong = streaming_attention(a, tile, false);
    for (const size_t d : {0, 3}) {
      CHECK(w.same(plain[d], streaming[d]));
      CHECK_FALSE(w.equal(plain[d], wrong[d]));
    }
  }
}

TEST_CASE("log-sum-exp with and without the shift") {
  World w;
  const std::vector<Ex> x = w.xs(48);
  const Ex m = maximum(x);
  std::vector<Ex> direct, shifted;
  for (const Ex v : x) {
    direct.push_back(exp(v));
    shifted.push_back(exp(v - m));
  }
  CHECK(w.same(log(tree_sum(direct)), m + log(sum(shifted))));
  CHECK_FALSE(w.equal(log(tree_sum(direct)), log(sum(shifted))));
  // Cross entropy: log softmax.
  CHECK(w.same(log(exp(x[3] - m) / sum(shifted)), x[3] - log(sum(direct))));
}

std::vector<Ex> two_pass(const std::vector<Ex>& x, Ex eps) {
  const long n = static_cast<long>(x.size());
  const Ex mean = sum(x) / n;
  std::vector<Ex> squares, out;
  for (const Ex v : x) squares.push_back((v - mean) * (v - mean));
  const Ex r = sqrt(tree_sum(squares) / n + eps);
  for (const Ex v : x) out.push_back((v - mean) / r);
  return out;
}

std::vector<Ex> one_pass(const std::vector<Ex>& x, Ex eps) {
  const long n = static_cast<long>(x.size());
  std::vector<Ex> squares, out;
  for (const Ex v : x) squares.push_back(v * v);
  World& w = *eps.world;
  const Ex mean = tree_sum(x) * w.c(1, n);
  const Ex r = w.c(1) / sqrt(sum(squares) * w.c(1, n) - mean * mean + eps);
  for (const Ex v : x) out.push_back(v * r - mean * r);
  return out;
}

std::vector<Ex> welford(const std::vector<Ex>& x, Ex eps) {
  World& w = *eps.world;
  Ex mean = w.c(0), m2 = w.c(0);
  long n = 0;
  std::vector<Ex> out;
  for (const Ex v : x) {
    const Ex d = v - mean;
    mean = mean + d / w.c(++n);
    m2 = m2 + d * (v - mean);
  }
  const Ex r = w.c(1) / sqrt(m2 / n + eps);
  for (const Ex v : x) out.push_back((v - mean) * r);
  return out;
}

TEST_CASE("layer norm: two passes, one pass, Welford") {
  World w;
  const std::vector<Ex> x = w.xs(32);
  const Ex eps = w.x();
  const auto two = two_pass(x, eps), one = one_pass(x, eps), wel = welford(x, eps);
  for (const size_t i : {0, 31}) {
    CHECK(w.equal(two[i], one[i]));
    CHECK(w.equal(two[i], wel[i]));
  }
  CHECK_FALSE(w.equal(two[0], two_pass(x, eps * 2)[0]));
}

TEST_CASE("layer norm of a real row") {
  World w;
  const std::vector<Ex> x = w.xs(200);
  const Ex eps = w.c(1, 100000);
  const auto two = two_pass(x, eps), one = one_pass(x, eps);
  for (const size_t i : {0, 100, 199}) CHECK(w.equal(two[i], one[i]));
}

TEST_CASE("layer norm of a row too long to expand") {
  World w;
  const std::vector<Ex> x = w.xs(1024);
  const Ex eps = w.c(1, 100000);
  const auto two = two_pass(x, eps), one = one_pass(x, eps);
  for (const size_t i : {0, 1023}) CHECK(w.equal(two[i], one[i]));
  CHECK_FALSE(w.equal(two[0], one[1]));
}

TEST_CASE("rms norm: root and reciprocal root, epsilon inside and outside") {
  World w;
  const std::vector<Ex> x = w.xs(200);
  const Ex eps = w.x(), g = w.x();
  std::vector<Ex> squares;
  for (const Ex v : x) squares.push_back(v * v);
  const Ex a = x[7] / sqrt(sum(squares) / 200 + eps) * g;
  const Ex b = x[7] * (w.c(1) / sqrt(tree_sum(squares) * w.c(1, 200) + eps)) * g;
  CHECK(w.same(a, b));
  CHECK_FALSE(w.equal(a, x[7] / (sqrt(sum(squares) / 200) + eps) * g));
  CHECK_FALSE(w.equal(a, x[7] / sqrt(sum(squares) / 199 + eps) * g));
}

TEST_CASE("matrix products: order, tiles, Strassen, associativity") {
  World w;
  auto matrix = [&](size_t n) {
    std::vector<std::vector<Ex>> m;
    for (size_t i = 0; i < n; ++i) m.push_back(w.xs(n));
    return m;
  };
  const auto a = matrix(8), b = matrix(8), c = matrix(8);
  auto dot = [&](const auto& p, const auto& q, size_t i, size_t j, size_t step) {
    Ex s = w.c(0);
    for (size_t k0 = 0; k0 < step; ++k0) {
      for (size_t k = k0; k < 8; k += step) s = s + p[i][k] * q[k][j];
    }
    return s;
  };
  CHECK(w.same(dot(a, b, 1, 2, 1), dot(a, b, 1, 2, 3)));
  CHECK_FALSE(w.equal(dot(a, b, 1, 2, 1), dot(a, b, 2, 1, 1)));
  auto product = [&](const auto& p, const auto& q) {
    auto r = p;
    for (size_t i = 0; i < 8; ++i)
      for (size_t j = 0; j < 8; ++j) r[i][j] = dot(p, q, i, j, 1);
    return r;
  };
  CHECK(w.same(product(product(a, b), c)[3][4], product(a, product(b, c))[3][4]));
  const Ex m1 = (a[0][0] + a[1][1]) * (b[0][0] + b[1][1]), m4 = a[1][1] * (b[1][0] - b[0][0]),
           m5 = (a[0][0] + a[0][1]) * b[1][1], m7 = (a[0][1] - a[1][1]) * (b[1][0] + b[1][1]);
  CHECK(w.same(m1 + m4 - m5 + m7, a[0][0] * b[0][0] + a[0][1] * b[1][0]));
  CHECK_FALSE(w.equal(m1 + m4 - m5 - m7, a[0][0] * b[0][0] + a[0][1] * b[1][0]));
  // Complex product with three multiplications.
  const Ex pr = a[0][0], pi = a[0][1], qr = b[0][0], qi = b[0][1];
  const Ex k1 = qr * (pr + pi);
  CHECK(w.same(k1 - pi * (qr + qi), pr * qr - pi * qi));
  CHECK(w.same(k1 + pr * (qi - qr), pr * qi + pi * qr));
}

TEST_CASE("Horner, prefix sums, a transform") {
  World w;
  const Ex x = w.x();
  const std::vector<Ex> c = w.xs(12);
  Ex horner = c[11], expanded = c[0], power = x;
  for (size_t i = 11; i-- > 0;) horner = horner * x + c[i];
  for (size_t i = 1; i < 12; ++i, power = power * x) expanded = expanded + c[i] * power;
  CHECK(w.same(horner, expanded));
  // Eight-point transform with a literal for sqrt(1/2): direct against butterflies.
  const std::vector<Ex> v = w.xs(8);
  const Ex h = w.c(11863283, 1L << 24);
  const Ex even = (v[0] + v[4]) - (v[2] + v[6]) * 0, odd = h * (v[1] - v[5]);
  CHECK(w.same(even + odd, v[0] + v[4] + h * v[1] - h * v[5]));
  Ex scan = w.c(0), tree = (v[0] + v[1]) + (v[2] + v[3]);
  for (size_t i = 0; i < 4; ++i) scan = scan + v[i];
  CHECK(w.same(scan, tree));
}

}  // namespace
}  // namespace ptxequiv::real::test
