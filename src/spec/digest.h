// Fingerprints of what a check read, so that a report says which files it is about.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/spec.h"

namespace ptxequiv::spec {

std::string sha256(std::string_view bytes);  // 64 hex digits

// The check file (if there is one) and every PTX file, each once, with its SHA-256; an empty hash
// for a file that cannot be read.
std::vector<std::pair<std::string, std::string>> input_hashes(const Check& check);

}  // namespace ptxequiv::spec
