// Library functions that compilers inline (expf and the like), recognised by matching the exact
// term DAG against templates (design.md, section 5). Templates are made by src/library from PTX.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "real/dag.h"
#include "term/arena.h"

namespace ptxequiv::real {

// What a function is of its arguments.
using Meaning = RealId (*)(Dag& dag, std::span<const RealId> arguments);
inline constexpr unsigned kMostArguments = 2;

struct Template {
  std::string name;      // of its kind of template, where it was made
  std::string function;  // "exp", "log", "tanh", ...
  std::string flavour;   // "nvcc-nvvm7", "libdevice-sm90", ...
  Meaning meaning = nullptr;
  op::Type type = op::Type::kF32;  // of the result and of all arguments
  unsigned arity = 1;              // holes 0 .. arity-1
  // A last argument that was a number when the function was compiled: the constants with these bits
  // stand for any number of the same sign and kind (odd, even, not whole).
  std::optional<uint64_t> constant;
  double max_ulp = 0;  // documented error bound
  std::shared_ptr<const term::Arena> arena;
  term::TermId root = term::kNoTerm;
};

struct Match {
  const Template* which = nullptr;
  std::array<term::TermId, kMostArguments> arguments = {term::kNoTerm, term::kNoTerm};
  uint64_t constant = 0;  // where the template has one
  // The function's last select has a constant arm, and compilers move what comes after it into both
  // arms: these operations with constants, innermost first, apply to the function's value (which
  // has no node), each to the one before or to `inner`.
  static constexpr unsigned kMostOuter = 3;
  std::array<term::TermId, kMostOuter> outer{};
  unsigned outer_count = 0;
  term::TermId inner = term::kNoTerm;
};

class Library {
 public:
  void add(Template t);
  const std::vector<Template>& templates() const { return templates_; }

  // Is `root` exactly a template's DAG applied to some terms? Up to .ftz, commutation, polarity of
  // selects; every constant, condition and arm must be the template's, and each hole one term.
  std::optional<Match> match(const term::Arena& arena, term::TermId root) const;
  // The same for a product a*b that was contracted into an fma: some template's root is a
  // multiplication whose factors are a and b, in either order.
  std::optional<Match> match_product(const term::Arena& arena, term::TermId a,
                                     term::TermId b) const;

 private:
  std::vector<Template> templates_;
  // Templates by the kind of their root.
  std::array<std::vector<uint32_t>, static_cast<size_t>(op::Kind::kCount)> by_root_;
};

}  // namespace ptxequiv::real
