#include "spec/digest.h"

#include <openssl/evp.h>

#include <algorithm>

#include "base/error.h"
#include "spec/document.h"

namespace ptxequiv::spec {

std::string sha256(std::string_view bytes) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int length = 0;
  PTXEQUIV_CHECK(
      EVP_Digest(bytes.data(), bytes.size(), digest, &length, EVP_sha256(), nullptr) == 1,
      "SHA-256 failed");
  constexpr char kHex[] = "0123456789abcdef";
  std::string result;
  for (unsigned int i = 0; i < length; ++i) {
    result += kHex[digest[i] >> 4];
    result += kHex[digest[i] & 15];
  }
  return result;
}

std::vector<std::pair<std::string, std::string>> input_hashes(const Check& check) {
  std::vector<std::string> paths;
  const auto add = [&](const std::string& path) {
    if (!path.empty() && std::find(paths.begin(), paths.end(), path) == paths.end())
      paths.push_back(path);
  };
  add(check.path);
  for (const Side* side : {&check.reference, &check.candidate})
    for (const Step& step : side->steps)
      if (const auto* launch = std::get_if<Launch>(&step)) add(launch->ptx);
  std::vector<std::pair<std::string, std::string>> result;
  for (const std::string& path : paths) {
    std::string hash;
    try {
      hash = sha256(read_text(path));
    } catch (const base::InputError&) {
      // Whoever needs the file's contents reports it.
    }
    result.emplace_back(path, hash);
  }
  return result;
}

}  // namespace ptxequiv::spec
