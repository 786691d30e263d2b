#include "check/describe.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "check/values.h"
#include "op/evaluate.h"

namespace ptxequiv::check {
namespace {

struct AssumptionRow {
  std::string_view id, sentence;
};

// docs/architecture.md, "Assumptions": ids are stable.
constexpr AssumptionRow kAssumptions[] = {
    {"reals", "floating-point arithmetic is read over the reals: no rounding, no overflow"},
    {"no-overflow", "rounding to a narrower float format is the identity, also beyond its range"},
    {"discontinuity", "comparisons and steps of rounded values are those of the exact values"},
    {"int-to-float", "integers converted to float are exact, also beyond the significand"},
    {"constant", "literals within one ulp of a multiple of log2 e or ln 2 are that real"},
    {"libm", "an inlined library function is the function it approximates"},
    {"narrowing", "the candidate rounds to a narrower format than the reference does"},
    {"commutative-atomics", "floating-point atomic adds commute"},
    {"elect", "elect.sync chooses the lowest lane of its mask, as hardware does"},
    {"warp-order", "shuffles and votes order memory among their lanes, as hardware does"},
    {"base-alignment", "buffers are aligned as declared"},
    {"disjoint-buffers", "buffers do not overlap, unless declared as aliases"},
    {"no-contraction", "ptxas does not fuse un-suffixed mul and add"},
    {"ref-domain", "inputs where the reference itself is undefined are left out"},
    {"printf", "printed output is not compared"},
    {"initial-state", "module variables hold their initialisers at first; nothing else changes them"},
    {"inferred", "sizes or roles that were not stated were inferred"},
    {"range", "inputs lie in their declared ranges"},
    {"assume", "the relations declared under `assume` hold"},
    {"suppressed", "the findings that were suppressed do no harm: the proof holds apart from them"},
    {"nlsat", "a nonlinear solver's answer was used without a second opinion"},
};


std::string leaf_name(const Prepared& prepared, const term::Node& leaf) {
  switch (leaf.op.kind) {
    case op::Kind::kInput:
    case op::Kind::kInitial: return element_name(prepared.spec.buffers[leaf.a], element_index(leaf));
    case op::Kind::kScalar: return prepared.spec.scalars[leaf.a].name;
    default: return fmt::format("value {}", leaf.a);
  }
}

// Decimal digits of an enclosure that are certain.
std::string certain_digits(const real::Enclosure& e) {
  switch (e.state) {
    case real::Enclosure::State::kFinite: return fmt::format("{:.9g}", e.midpoint);
    case real::Enclosure::State::kPlusInfinity: return "inf";
    case real::Enclosure::State::kMinusInfinity: return "-inf";
    case real::Enclosure::State::kUndefined: return "undefined";
    case real::Enclosure::State::kUnknown: return "unknown";
  }
  return "unknown";
}

// Distance in units in the last place of the format: codes in order, sign-magnitude folded.
double ulp_distance(op::Type type, uint64_t a, uint64_t b) {
  const unsigned width = op::bits(type);
  const auto ordered = [&](uint64_t x) {
    const uint64_t magnitude = x & op::mask(width - 1);
    return (x >> (width - 1) & 1) ? -static_cast<double>(magnitude) : static_cast<double>(magnitude);
  };
  return std::fabs(ordered(a) - ordered(b));
}

std::string range_text(const std::optional<spec::Range>& range) {
  if (!range) return "any";
  return fmt::format("[{}, {}]", range->low ? range->low->text : "-inf",
                     range->high ? range->high->text : "inf");
}

std::string_view role_name(spec::Role role) {
  constexpr std::array<std::string_view, 4> kNames = {"input", "output", "inout", "scratch"};
  return kNames[static_cast<size_t>(role)];
}

void describe_side(const machine::Program& program, const std::string& side, Report& report) {
  for (const machine::Step& step : program.steps) {
    const auto* launch = std::get_if<machine::Launch>(&step);
    if (!launch) continue;
    LaunchScope scope;
    scope.side = side;
    scope.kernel = launch->function->name;
    scope.ptx = launch->function->module->path;
    for (size_t d = 0; d < 3; ++d) {
      scope.grid[d] = launch->grid[d];
      scope.block[d] = launch->block[d];
    }
    scope.shared_bytes = launch->shared_bytes;
    report.launches.push_back(scope);
  }
}

}  // namespace

Place place_of(const machine::Site& site, const std::string& side) {
  Place place;
  place.side = side;
  place.launch = site.step;
  if (site.function) {
    place.kernel = site.function->name;
    place.file = site.function->module->path;
  }
  if (site.inst) {
    place.line = site.inst->loc.line;
    place.instruction = site.inst->full_name();
    place.source_line = site.inst->debug.line;
    if (site.function && site.inst->debug.line) {
      for (const ptx::SourceFile& file : site.function->module->files) {
        if (file.index == site.inst->debug.file) place.source_file = file.path;
      }
    }
  }
  return place;
}

void describe_spec(const spec::Check& check, Report& report) {
  report.title = check.title;
  report.check_file = check.path;
  report.demanded = check.level;
  report.buffers.clear();
  report.scalars.clear();
  for (const spec::Buffer& buffer : check.buffers) {
    report.buffers.push_back({buffer.name, std::string(op::name(buffer.type)),
                              std::string(role_name(buffer.role)), buffer.shape});
  }
  for (const spec::Scalar& scalar : check.scalars) {
    report.scalars.emplace_back(scalar.name,
                                scalar.value ? scalar.value->text : range_text(scalar.range));
  }
  report.outside = {"host code", "streams and other launches", "timing"};
}

void describe_scope(const Prepared& prepared, Report& report) {
  describe_spec(prepared.spec, report);
  report.inferred = prepared.spec.inferred;
  describe_side(prepared.reference, "reference", report);
  describe_side(prepared.candidate, "candidate", report);
}

std::string assumption_sentence(const std::string& id) {
  for (const AssumptionRow& row : kAssumptions) {
    if (row.id == id) return std::string(row.sentence);
  }
  return id;
}

Assumption make_assumption(const std::string& id, uint64_t count) {
  Assumption out;
  out.id = id;
  out.sentence = assumption_sentence(id);
  out.count = count;
  return out;
}

void describe_inputs(const Prepared& prepared, const term::Arena& arena, const Point& point,
                     const std::vector<term::TermId>& leaves, Witness& witness) {
  constexpr size_t kMaxListed = 64;
  size_t skipped = 0, zeros = 0;
  for (term::TermId leaf : leaves) {
    const term::Node& node = arena[leaf];
    const uint64_t bits = point.bits(leaf);
    const bool is_scalar = node.op.kind == op::Kind::kScalar;
    if (bits == 0 && !is_scalar) {
      ++zeros;
      continue;
    }
    if (witness.inputs.size() >= kMaxListed) {
      ++skipped;
      continue;
    }
    witness.inputs.push_back({leaf_name(prepared, node), to_decimal(node.op.type, bits),
                              to_hex(node.op.type, bits)});
  }
  witness.other_inputs = skipped ? fmt::format("{} more inputs are not shown", skipped)
                         : zeros ? "all other elements 0"
                                 : "all other inputs do not matter";
}

Witness describe_witness(const Prepared& prepared, const term::Arena& arena, const Refuter& refuter,
                         const Element& element, const Refutation& refutation) {
  Witness w;
  const spec::Buffer& buffer = prepared.spec.buffers[element.buffer];
  w.buffer = buffer.name;
  w.index = element.index;
  w.element = element_name(buffer, element.index);
  w.confirmed = true;
  describe_inputs(prepared, arena, refutation.point,
                  refuter.leaves({element.reference, element.candidate}), w);
  const auto fill = [&](ElementValue& out, bool written, const real::Enclosure& e, uint64_t bits) {
    out.real = written ? (refutation.by_bits ? to_decimal(element.type, bits) : certain_digits(e))
                       : "not written";
    if (!written) return;
    out.bits = to_hex(element.type, bits);
    out.hardware = to_decimal(element.type, bits);
  };
  fill(w.reference, element.reference_written, refutation.comparison.reference,
       refutation.reference_bits);
  fill(w.candidate, element.candidate_written, refutation.comparison.candidate,
       refutation.candidate_bits);
  if (element.reference_written && element.candidate_written) {
    w.visible_in_bits = refutation.reference_bits != refutation.candidate_bits;
    if (op::is_float(element.type)) {
      w.ulp = ulp_distance(element.type, refutation.reference_bits, refutation.candidate_bits);
    }
  }
  if (element.reference_written) w.places.push_back(place_of(element.reference_store, "reference"));
  if (element.candidate_written) w.places.push_back(place_of(element.candidate_store, "candidate"));
  return w;
}

}  // namespace ptxequiv::check
