// One reading of the terms with all that stands on it: facts, normal forms, prover, refuter.
#pragma once
#include "check/facts.h"
#include "check/prepare.h"
#include "check/prover.h"
#include "check/refuter.h"
#include "real/library.h"
#include "real/normal.h"
#include "real/reading.h"
#include "smt/solver.h"

namespace ptxequiv::check {

struct World {
  World(term::Arena& arena, const real::Library* library, bool snap, const Prepared& prepared,
        smt::Solver& solver, const base::Deadline& deadline, uint64_t seed,
        const ScheduleInputs* schedule)
      : reading(arena, library, real::ReadingOptions{snap}),
        facts(prepared, arena, reading),
        normalizer(reading.dag(), facts, real::NormalOptions{}, deadline),
        prover(arena, reading, facts, normalizer, solver, deadline),
        refuter(arena, reading, facts, deadline, seed) {
    facts.set_schedule(schedule);
  }

  real::Reading reading;
  SpecFacts facts;
  real::Normalizer normalizer;
  Prover prover;
  Refuter refuter;
};

}  // namespace ptxequiv::check
