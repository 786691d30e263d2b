// Templates from PTX, by executing it: done when the program is built, and in tests.
#pragma once
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "real/library.h"

namespace ptxequiv::library {

// One PTX text and what it computes. `name` is "<function>.<flavour>".
struct Source {
  std::string_view name;
  std::string_view text;
};
// What is embedded, in name order.
std::span<const Source> sources();

// The template of one source: its kernel stores f(x[i]) for 32 elements, and is executed for them.
real::Template make_template(const Source& source, base::Log& log);

// The same with selects settled by those around them (term/resolve.h), as a check does where
// something unwritten would else reach an output. Nothing if that changes nothing.
std::optional<real::Template> settled(const real::Template& made);

// All templates, each distinct one once.
std::vector<real::Template> make_all(base::Log& log);

}  // namespace ptxequiv::library
