#include "real/affine.h"

#include <utility>

namespace ptxequiv::real {
namespace {

mpq_class end(const Affine& a, bool greatest) {
  if (a.base == term::kNoTerm || sgn(a.factor) == 0) return greatest ? a.high : a.low;
  const bool upper = (sgn(a.factor) > 0) == greatest;
  return a.factor * (upper ? a.base_high : a.base_low) + (greatest ? a.high : a.low);
}

Affine without_base(const Affine& a) {
  Affine out;
  out.low = a.least();
  out.high = a.greatest();
  return out;
}

}  // namespace

mpq_class Affine::least() const {
  return end(*this, false);
}
mpq_class Affine::greatest() const {
  return end(*this, true);
}

Affine scaled(Affine a, const mpq_class& by) {
  a.factor *= by;
  a.low *= by;
  a.high *= by;
  if (sgn(by) < 0) std::swap(a.low, a.high);
  return a;
}

Affine sum(const Affine& a, const Affine& b) {
  if (a.base == term::kNoTerm) {
    if (b.base != term::kNoTerm) return sum(b, a);
  } else if (b.base != term::kNoTerm && a.base != b.base) {
    const mpq_class x = a.greatest() - a.least(), y = b.greatest() - b.least();
    return x < y ? sum(without_base(a), b) : sum(a, without_base(b));
  }
  Affine out = a;
  if (b.base != term::kNoTerm) out.factor += b.factor;
  out.low += b.low;
  out.high += b.high;
  return out;
}

Affine widened(Affine a, const mpq_class& low, const mpq_class& high) {
  a.low += low;
  a.high += high;
  return a;
}

}  // namespace ptxequiv::real
