// Library functions that compilers inline (expf and the like), recognised by matching the exact
// term DAG against templates (design.md, section 5). Templates are made by src/library from PTX.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "real/dag.h"
#include "term/arena.h"

namespace ptxequiv::real {

struct Template {
  std::string function;          // "exp", "log", "tanh", ...
  std::string flavour;           // "nvcc-nvvm7", "libdevice-sm90", ...
  Kind kind;                     // unary real operation it means, e.g. Kind::kExp
  bool negate_argument = false;  // exp(-x) with the sign folded into the constants
  double max_ulp = 0;            // documented error bound
  std::shared_ptr<const term::Arena> arena;
  term::TermId root = term::kNoTerm;  // over one kHole leaf (number 0)
};

struct Match {
  const Template* which = nullptr;
  term::TermId argument = term::kNoTerm;
};

class Library {
 public:
  void add(Template t);
  const std::vector<Template>& templates() const { return templates_; }

  // Is `root` exactly a template's DAG applied to one term? Up to .ftz, commutation, polarity of
  // selects; every constant, condition and arm must be the template's, and all holes one term.
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
