# ptxequiv_library(NAME SOURCES ... DEPENDS ...): the library target of one stage.
# ptxequiv_test(NAME SOURCES ... DEPENDS ...): a Catch2 program whose cases become ctest tests.

add_library(ptxequiv_flags INTERFACE)
# -Wno-restrict: GCC 12 reports std::string operator+ (GCC bug 105651).
target_compile_options(ptxequiv_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow
  -Wno-missing-field-initializers -Wno-restrict -ffp-contract=off -frounding-math)
if(PTXEQUIV_WERROR)
  target_compile_options(ptxequiv_flags INTERFACE -Werror)
endif()
if(PTXEQUIV_SANITIZE)
  target_compile_options(ptxequiv_flags INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_link_options(ptxequiv_flags INTERFACE -fsanitize=address,undefined)
endif()
target_include_directories(ptxequiv_flags INTERFACE
  ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)

# What most files include, parsed once per target: a third off a build from nothing. Off by default,
# since ccache does not keep what uses it.
set(PTXEQUIV_COMMON_HEADERS <algorithm> <array> <cstdint> <functional> <map> <memory> <optional>
  <span> <string> <unordered_map> <variant> <vector> <fmt/format.h> <gmpxx.h>)

function(ptxequiv_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(ptxequiv_${name} STATIC ${ARG_SOURCES})
  target_link_libraries(ptxequiv_${name} PUBLIC ptxequiv_flags ${ARG_DEPENDS})
  list(LENGTH ARG_SOURCES count)
  if(PTXEQUIV_PCH AND count GREATER 4)
    target_precompile_headers(ptxequiv_${name} PRIVATE ${PTXEQUIV_COMMON_HEADERS})
  endif()
endfunction()

function(ptxequiv_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(test_${name} ${ARG_SOURCES})
  target_link_libraries(test_${name} PRIVATE ${ARG_DEPENDS} ptxequiv_catch_main)
  target_compile_definitions(test_${name} PRIVATE
    PTXEQUIV_TEST_DIR="${PROJECT_SOURCE_DIR}/tests")
  if(PTXEQUIV_PCH)
    target_precompile_headers(test_${name} PRIVATE ${PTXEQUIV_COMMON_HEADERS} <catch2/catch.hpp>)
  endif()
  catch_discover_tests(test_${name} TEST_PREFIX "${name}: " DISCOVERY_MODE PRE_TEST)
endfunction()
