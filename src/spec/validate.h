// What must hold in a check whatever it was written in: flags and check files share it.
#pragma once
#include <string>
#include <vector>

#include "spec/spec.h"

namespace ptxequiv::spec {

// A name that args, expressions and flags can refer to. Throws base::InputError.
void require_name(const std::string& name, const std::string& what, const std::string& path,
                  base::SourceLoc loc);
// The group's names are buffers, each in one group only. Throws base::InputError.
void require_alias(const Check& check, const std::vector<std::string>& group, base::SourceLoc loc);
// Sizes, roles, references between the parts, assumptions' syntax. Throws base::InputError.
void validate(const Check& check);
// Every PTX file can be opened, so that the diagnostic has the place that names it.
void require_files(const Check& check);

const Buffer* find_buffer(const Check& check, const std::string& name);
const Scalar* find_scalar(const Check& check, const std::string& name);
std::vector<std::string> buffer_names(const Check& check);
std::vector<std::string> value_names(const Check& check);  // buffers, scalars, "null"

}  // namespace ptxequiv::spec
