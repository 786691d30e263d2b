// Parts of the report: places, scopes, assumptions, witnesses in words.
#pragma once
#include <string>

#include "check/elements.h"
#include "check/prepare.h"
#include "check/refuter.h"
#include "ptxequiv/report.h"
#include "real/reading.h"

namespace ptxequiv::check {

Place place_of(const machine::Site& site, const std::string& side);
// Launches, buffers and scalars of the check.
void describe_scope(const Prepared& prepared, Report& report);
// Scope as far as the specification alone tells it, for checks that fail before they are prepared.
void describe_spec(const spec::Check& check, Report& report);
// The sentence that explains an assumption id; the table is in describe.cpp.
std::string assumption_sentence(const std::string& id);
Assumption make_assumption(const std::string& id, uint64_t count);
// The witness of a confirmed difference of one element.
Witness describe_witness(const Prepared& prepared, const term::Arena& arena, const Refuter& refuter,
                         const Element& element, const Refutation& refutation);
// Inputs of a point that a condition or fault rests on.
void describe_inputs(const Prepared& prepared, const term::Arena& arena, const Point& point,
                     const std::vector<term::TermId>& leaves, Witness& witness);

}  // namespace ptxequiv::check
