// Z3 behind one wall: nothing outside src/smt includes z3++.h. Queries run in a child process that
// is killed when its time or memory is over.
#pragma once
#include <gmpxx.h>

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/deadline.h"
#include "base/log.h"
#include "real/dag.h"
#include "real/facts.h"
#include "term/arena.h"

namespace ptxequiv::smt {

struct Options {
  double timeout_seconds = 5;
  unsigned memory_megabytes = 2048;
  unsigned seed = 1;
  // Write every query there if not empty: named by its content, with (set-info :status ...) as it
  // was answered, for another solver to check.
  std::string dump_directory;
};

struct Unsat { bool nonlinear = false; };                  // only from nlsat: named in the report
// Values for leaves. Candidates only: the caller confirms them.
struct Model {
  std::map<real::RealId, mpq_class> reals;                 // by kLeaf (and opaque) node
  std::map<term::TermId, uint64_t> bits;                   // by leaf term, for bit-vector queries
};
struct Unknown { std::string reason; };                    // "timeout", "memory", "incomplete", ...
using Answer = std::variant<Unsat, Model, Unknown>;

class Solver {
 public:
  Solver(const Options& options, base::Log& log);
  ~Solver();

  // Is the conjunction of Bool nodes satisfiable, with the facts about the leaves that occur?
  // exp, log and trigonometric nodes become fresh variables with what is cheap and sound to say of
  // them (exp > 0; equal arguments, equal values by hash-consing). So Unsat is a proof, a model a
  // candidate.
  Answer check(const real::Dag& dag, std::span<const real::RealId> conjunction,
               const real::Facts& facts, const base::Deadline& deadline);
  // The same over 1-bit terms, as bit-vectors and IEEE-free: float operations are uninterpreted.
  Answer check_bits(const term::Arena& arena, std::span<const term::TermId> conjunction,
                    const base::Deadline& deadline);
  // The query of `check` as SMT-LIB text, for --dump smt2.
  std::string to_smt2(const real::Dag& dag, std::span<const real::RealId> conjunction,
                      const real::Facts& facts);
  // Writes a query that was decided otherwise (by normal forms) where the others go. What such a
  // proof knows of exp and the like is not all in the query: then its status is unknown.
  void record_unsat(const real::Dag& dag, std::span<const real::RealId> conjunction,
                    const real::Facts& facts);
  bool records() const;   // there is a place to write to
  static std::string version();   // of Z3

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ptxequiv::smt
