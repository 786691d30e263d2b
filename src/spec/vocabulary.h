// The closed sets of words that people write: in check files, after --forbid, in `expect`.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "op/type.h"
#include "ptxequiv/verdict.h"
#include "spec/spec.h"

namespace ptxequiv::spec {

struct Word {
  std::string_view id;
  std::string_view meaning;  // a phrase for --help and docs
};

const std::vector<Word>& categories();   // of a refutation
const std::vector<Word>& assumptions();  // what --forbid takes
std::vector<std::string> ids(const std::vector<Word>& words);

std::optional<Level> level_named(std::string_view name);
std::optional<Verdict> verdict_named(std::string_view name);
std::optional<Role> role_named(std::string_view name);
std::string_view name(Role role);
std::vector<std::string> level_names();
std::vector<std::string> verdict_names();
std::vector<std::string> role_names();

// Element types of buffers and types of scalars and literals.
const std::vector<op::Type>& data_types();
std::optional<op::Type> data_type_named(std::string_view name);
std::vector<std::string> data_type_names();

// Whether a report's verdict and category are what `expect` ("not_equivalent:race") asks for. A
// category is met by any that begins with it. For verdicts without a category the part after the
// colon is held against the reason.
bool meets(const std::string& expect, Verdict verdict, std::string_view category,
           std::string_view reason);
// What is wrong with an `expect`, or an empty string.
struct ExpectFault {
  std::string message, hint;
};
std::optional<ExpectFault> fault_of_expect(const std::string& expect);

}  // namespace ptxequiv::spec
