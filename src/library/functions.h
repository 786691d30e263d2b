// What the library functions mean over the reals: one row a function, whatever its precision.
#pragma once
#include <optional>
#include <string_view>

#include "real/library.h"

namespace ptxequiv::library {

struct FunctionRow {
  std::string_view name;
  std::string_view function;  // as reports name it
  unsigned arity;
  real::Meaning meaning;
  // The second argument is a number that the compiler knew: made with this one, it stands for all
  // of its class (sign, and whether it is an odd or even whole number).
  std::optional<double> constant;
  // Documented error of the single-precision form: CUDA C++ Programming Guide, 13.1.
  double max_ulp;
};

// The row that a template's name ("<function>", "f64-<function>", "f16-<function>") speaks of.
struct Named {
  const FunctionRow* row = nullptr;
  op::Type type = op::Type::kF32;
};
Named function_named(std::string_view name);

// A template of that function, but for its terms.
real::Template describe(std::string_view name, std::string_view flavour);

}  // namespace ptxequiv::library
