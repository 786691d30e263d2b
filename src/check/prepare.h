// From a specification to two programs that the machine can execute: modules loaded, entries
// lowered, arguments laid out and held against the kernels' parameters.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ir/ir.h"
#include "machine/machine.h"
#include "ptx/ast.h"
#include "spec/spec.h"

namespace ptxequiv::check {

// Modules and functions by path and entry; programs point into them, so they outlive everything.
class Sources {
 public:
  const ptx::Module& module(const std::string& path);
  // Lowers an entry once. Throws base::InputError if the module has no such entry.
  const ir::Function& function(const std::string& path, const std::string& entry,
                               base::SourceLoc asked_at, const std::string& check_file);
  std::vector<std::string> paths() const;

 private:
  std::map<std::string, std::unique_ptr<ptx::Module>> modules_;
  std::map<std::pair<std::string, std::string>, std::unique_ptr<ir::Function>> functions_;
};

struct Prepared {
  spec::Check spec;                       // with what was inferred filled in
  std::vector<machine::Buffer> buffers;   // same order as spec.buffers
  std::vector<machine::Scalar> scalars;
  machine::Program reference, candidate;
};

// Throws base::InputError for a parameter list that does not fit, an unknown entry, a bad launch.
Prepared prepare(spec::Check check, Sources& sources);

}  // namespace ptxequiv::check
