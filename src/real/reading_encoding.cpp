// Floats whose bits integer operations put together: fixed exponents with integers for a fraction,
// powers of two by their exponent, and narrower formats in the high bits of wider ones. Exact; what
// is none of these is opaque.
#include <algorithm>

#include "real/reader.h"

namespace ptxequiv::real {
namespace {

mpq_class power_of_two(long exponent) {
  const mpz_class power = mpz_class(1) << static_cast<unsigned long>(std::abs(exponent));
  return exponent < 0 ? mpq_class(1, power) : mpq_class(power);
}

struct Format {
  explicit Format(op::Type type)
      : info(op::info(type)),
        width(op::bits(type)),
        fraction_bits(info.precision - 1u),
        exponent_bits(width - 1 - fraction_bits),
        bias(1 - info.min_exponent) {}
  const op::TypeInfo& info;
  unsigned width, fraction_bits, exponent_bits;
  long bias;
  // Codes with this exponent field are no numbers.
  uint64_t special() const { return op::mask(exponent_bits); }
};

// A format whose codes, followed by zeros, are those of `wide`.
std::optional<op::Type> prefix_of(op::Type wide, unsigned width) {
  if (wide == op::Type::kF32 && width == 16) return op::Type::kBF16;
  if (wide == op::Type::kF16 && width == 8) return op::Type::kE5M2;
  return {};
}

// The bits of [from, end) where all of them are constant.
std::optional<uint64_t> constant_bits(const std::vector<Slice>& slices, unsigned from,
                                      unsigned end) {
  uint64_t bits = 0;
  for (const Slice& s : slices) {
    const unsigned low = std::max(s.at, from), high = std::min(s.at + s.width, end);
    if (low >= high) continue;
    if (s.source != term::kNoTerm) return {};
    bits |= (s.bits >> (low - s.at) & op::mask(high - low)) << (low - from);
  }
  return bits;
}

// Low bits that are certainly zero, of sums and choices of terms that show them.
unsigned trailing_zeros(Reader& reader, term::TermId root) {
  constexpr size_t kMaxTerms = 64;
  std::vector<term::TermId> open{root};
  unsigned zeros = 64;
  for (size_t seen = 0; !open.empty(); ++seen) {
    if (seen == kMaxTerms) return 0;
    const term::TermId id = open.back();
    open.pop_back();
    const term::Node& node = reader.arena[id];
    const bool sum = node.op.kind == op::Kind::kAdd || node.op.kind == op::Kind::kSub;
    if (sum || node.op.kind == op::Kind::kSelect) {
      if (sum) open.push_back(node.a);
      open.push_back(node.b);
      if (!sum) open.push_back(node.c);
      continue;
    }
    unsigned own = 0;
    for (const Slice& s : reader.slices().of(id)) {
      if (s.source != term::kNoTerm) break;
      if (s.bits != 0) {
        while ((s.bits >> (own - s.at) & 1) == 0) ++own;
        break;
      }
      own = s.at + s.width;
    }
    zeros = std::min(zeros, own);
  }
  return zeros;
}

// 2^(n - bias) where the code is n shifted over the fraction.
RealId power(Reader& reader, Ref ref, const Format& format) {
  const op::Type bits = unsigned_type(format.width);
  const RealId code = reader.get(ref.term, bits);
  if (reader.pending()) return kNoReal;
  const Bounds range = reader.bounds(ref.term, bits);
  const Wide unit = Wide{1} << format.fraction_bits;
  const Wide last = static_cast<Wide>(format.special()) * unit - unit;
  if (reader.is_opaque(code) || range.low < unit || range.high > last) return reader.opaque(ref);
  Dag& dag = reader.dag;
  const RealId n = dag.make(Kind::kMul, code,
                            dag.rational(power_of_two(-static_cast<long>(format.fraction_bits))));
  return dag.make(Kind::kExp2, dag.make(Kind::kSub, n, dag.integer(format.bias)));
}

}  // namespace

RealId float_encoding(Reader& reader, const term::Node& node, Ref ref) {
  static_cast<void>(node);
  const op::Type type = ref.view.type() == op::Type::kTF32 ? op::Type::kF32 : ref.view.type();
  if (type == op::Type::kE4M3) return reader.opaque(ref);
  const Format format(type);
  Dag& dag = reader.dag;
  const std::vector<Slice> slices = reader.slices().of(ref.term);
  if (slices.size() == 2 && slices[0].source == term::kNoTerm && slices[0].bits == 0 &&
      slices[1].from == 0 && !slices[1].negated && slices[1].source != term::kNoTerm &&
      reader.arena.width(slices[1].source) == slices[1].width) {
    if (const auto narrow = prefix_of(type, slices[1].width)) {
      return reader.get(slices[1].source, *narrow);
    }
  }
  const auto top = constant_bits(slices, format.fraction_bits, format.width);
  if (!top || slices.size() == 1) {
    if (trailing_zeros(reader, ref.term) < format.fraction_bits) return reader.opaque(ref);
    return power(reader, ref, format);
  }
  const uint64_t exponent = *top & format.special();
  const bool negative = (*top >> format.exponent_bits) != 0;
  if (exponent == format.special()) return reader.opaque(ref);
  // The code without its sign and exponent is the fraction.
  const op::Type bits = unsigned_type(format.width);
  const RealId code = reader.get(ref.term, bits);
  if (reader.pending()) return kNoReal;
  if (reader.is_opaque(code)) return reader.opaque(ref);
  const mpq_class above =
      mpq_class(mpz_class(static_cast<unsigned long>(*top))) * power_of_two(format.fraction_bits);
  const mpq_class hidden = exponent == 0 ? mpq_class(0) : power_of_two(format.fraction_bits);
  const long scale = std::max<long>(static_cast<long>(exponent), 1) - format.bias -
                     static_cast<long>(format.fraction_bits);
  const RealId significand = dag.make(Kind::kAdd, code, dag.rational(hidden - above));
  const mpq_class factor = negative ? mpq_class(-power_of_two(scale)) : power_of_two(scale);
  return dag.make(Kind::kMul, significand, dag.rational(factor));
}

}  // namespace ptxequiv::real
