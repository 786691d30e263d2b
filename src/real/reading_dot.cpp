// A tensor core's pass over the reals: its accumulator plus the sum of its products. Factors are
// read in their own format; tf32 ones as the f32 numbers that they are stored as (design.md: that
// they are cut is a rounding like any other).
#include "real/reader.h"

namespace ptxequiv::real {

RealId float_dot_open(Reader& reader, const term::Node& node, Ref ref) {
  if (!same_format(node.op.type, ref.view.type())) return reader.opaque(ref);
  const RealId accumulator = reader.get(node.a, node.op.type);
  return reader.pending() ? kNoReal : accumulator;
}

RealId float_dot_term(Reader& reader, const term::Node& node, Ref ref) {
  if (!same_format(node.op.type, ref.view.type())) return reader.opaque(ref);
  const RealId chain = reader.get(node.a, node.op.type);
  const RealId a = reader.get(node.b, node.op.src), b = reader.get(node.c, node.op.src);
  if (reader.pending()) return kNoReal;
  return reader.dag.make(Kind::kAdd, chain, reader.dag.make(Kind::kMul, a, b));
}

RealId float_dot_close(Reader& reader, const term::Node& node, Ref ref) {
  const op::Type type = node.op.type;
  if (!same_format(type, ref.view.type())) return reader.opaque(ref);
  const RealId sum = reader.get(node.a, node.op.src);
  if (reader.pending()) return kNoReal;
  note_rounding(reader, type);
  return sum;
}

}  // namespace ptxequiv::real
