// Helpers of the tests of spec.
#pragma once
#include <catch2/catch.hpp>
#include <string>

#include "base/error.h"

// The InputError that `function` throws; the test fails if it throws none.
template <typename Function>
ptxequiv::base::InputError input_error(Function function) {
  try {
    function();
  } catch (const ptxequiv::base::InputError& error) {
    return error;
  }
  FAIL("no InputError");
  throw;
}
