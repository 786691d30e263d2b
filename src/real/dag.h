// The meaning of terms over the reals (design.md, section 1): a hash-consed DAG of real and boolean
// operations. Rounding is gone, library functions are recognised, bits are read as numbers or kept
// as opaque values. The normal form, the enclosures, the sampler and the SMT encoder all start here.
#pragma once
#include <gmpxx.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "term/arena.h"

namespace ptxequiv::real {

using RealId = uint32_t;   // index into Dag; children have smaller ids
inline constexpr RealId kNoReal = 0xffffffffu;

enum class Kind : uint8_t {
  // Constants and leaves of sort Real.
  kRational,     // Dag::rational(id)
  kInfinity,     // a: 0 for +inf, 1 for -inf
  kUndefined,    // a NaN literal, inf - inf, ...: never defined
  kLog2E,        // the real log2(e) = 1/ln 2
  kLeaf,         // a: TermId of a kInput, kInitial, kScalar, kFresh or kHole term, b: op::Type read as
  kOpaque,       // a: TermId, b: op::Type: some function of the exact term, equal only to itself
  // Operations of sort Real. Partial ones carry a definedness obligation.
  kAdd, kSub, kNeg, kMul,
  kDiv,          // b != 0
  kSqrt,         // a >= 0
  kExp2, kExp,
  kLog2, kLog,   // a > 0
  kSin, kCos, kTanh, kErf,
  kMin, kMax, kAbs,
  kIte,          // a: Bool, b, c: Real; only the selected arm need be defined
  kRint, kFloor, kCeil, kTrunc,   // kRint: ties to even
  // Sort Bool.
  kTrue, kFalse,
  kLt, kLe, kEq,           // over Real
  kAnd, kOr, kNot, kIteBool,
  kOpaqueBool,             // a: TermId of width 1
  kCount
};

struct KindInfo {
  Kind kind;
  std::string_view name;
  uint8_t arity;          // operands that are RealIds
  bool is_bool;
  bool commutative;
};
const KindInfo& info(Kind kind);

struct Node {
  Kind kind;
  uint32_t a = 0, b = 0, c = 0;
  friend bool operator==(const Node&, const Node&) = default;
};

class Dag {
 public:
  Dag();
  ~Dag();
  Dag(const Dag&) = delete;
  Dag& operator=(const Dag&) = delete;

  RealId rational(const mpq_class& value);
  RealId integer(long value);
  RealId infinity(bool negative);
  RealId undefined();
  RealId truth(bool value);
  RealId leaf(term::TermId term, op::Type type);
  RealId opaque(term::TermId term, op::Type type);
  RealId opaque_bool(term::TermId term);
  // Folds what is exact on rationals (not on infinities), and x+0, 1*x, not(not x), and(true, x),
  // ite(true, ..), ite(c, x, x). Never 0*x or x-x: those need definedness.
  RealId make(Kind kind, RealId a, RealId b = kNoReal, RealId c = kNoReal);

  const Node& operator[](RealId id) const { return nodes_[id]; }
  size_t size() const { return nodes_.size(); }
  const mpq_class& rational_value(RealId id) const;   // of a kRational
  std::span<const uint32_t> operands(RealId id) const {
    return {&nodes_[id].a, info(nodes_[id].kind).arity};
  }

 private:
  struct Impl;
  std::vector<Node> nodes_;
  std::unique_ptr<Impl> impl_;
};

// Ids reachable from `roots`, ascending.
std::vector<RealId> cone(const Dag& dag, std::span<const RealId> roots);
std::string to_string(const Dag& dag, std::span<const RealId> roots);

}  // namespace ptxequiv::real
