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

function(ptxequiv_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(ptxequiv_${name} STATIC ${ARG_SOURCES})
  target_link_libraries(ptxequiv_${name} PUBLIC ptxequiv_flags ${ARG_DEPENDS})
endfunction()

function(ptxequiv_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(test_${name} ${ARG_SOURCES})
  target_link_libraries(test_${name} PRIVATE ${ARG_DEPENDS} ptxequiv_catch_main)
  target_compile_definitions(test_${name} PRIVATE
    PTXEQUIV_TEST_DIR="${PROJECT_SOURCE_DIR}/tests")
  catch_discover_tests(test_${name} TEST_PREFIX "${name}: " DISCOVERY_MODE PRE_TEST)
endfunction()
