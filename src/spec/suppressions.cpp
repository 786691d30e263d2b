#include "spec/suppressions.h"

#include <fmt/format.h>

#include <algorithm>

#include "spec/document.h"
#include "spec/nearest.h"
#include "spec/reader.h"
#include "spec/vocabulary.h"

namespace ptxequiv::spec {
namespace {

constexpr const char* kSchema = "ptxequiv/suppressions/v1";

// What a check compares, and is there to find: no finding to be waved through.
constexpr std::string_view kNotSuppressible[] = {"value", "coverage", "fp-special"};

std::vector<std::string> suppressible() {
  std::vector<std::string> out;
  for (const std::string& id : ids(categories())) {
    if (std::find(std::begin(kNotSuppressible), std::end(kNotSuppressible), id) ==
        std::end(kNotSuppressible)) {
      out.push_back(id);
    }
  }
  return out;
}

Suppression entry(const Reader& reader, const Node& node) {
  const std::string what = "a suppression";
  reader.object(node, what);
  reader.keys(node, what, {"kernel", "category", "reason"});
  Suppression out;
  out.loc = node.loc;
  const auto text = [&](const char* key, const char* hint) -> const Node& {
    const Node& member = reader.member(node, key, what, hint);
    if (reader.string(member, fmt::format("\"{}\"", key)).empty()) {
      reader.fail(member.loc, fmt::format("\"{}\" is empty", key), hint);
    }
    return member;
  };
  out.kernel =
      text("kernel", "\"kernel\": the name of an entry; * and ? stand for any letters").text;
  const Node& category = text("category", "\"category\": such as \"race-shared\"");
  out.category = category.text;
  out.reason =
      text("reason", "\"reason\": why the finding does no harm; it is in every report").text;
  const std::vector<std::string> known = suppressible();
  if (std::find(known.begin(), known.end(), out.category) == known.end()) {
    const std::vector<std::string> all = ids(categories());
    const bool exists = std::find(all.begin(), all.end(), out.category) != all.end();
    reader.fail(category.loc,
                exists ? fmt::format("\"{}\" cannot be suppressed: it is what a check is about",
                                     out.category)
                       : fmt::format("\"{}\" is no category", out.category),
                exists ? "" : nearest_hint(out.category, known));
  }
  return out;
}

}  // namespace

bool matches_glob(std::string_view pattern, std::string_view text) {
  // Greedy, with the last * as the one place to come back to.
  size_t p = 0, t = 0, star = std::string_view::npos, resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool Suppression::matches(std::string_view kernel_name, std::string_view category_id) const {
  return category == category_id && matches_glob(kernel, kernel_name);
}

std::vector<Suppression> parse_suppressions(const std::string& text, const std::string& path) {
  const Node root = parse_document(text, path);
  const Reader reader(path);
  reader.object(root, "the suppressions file");
  reader.keys(root, "a suppressions file", {"schema", "suppressions"});
  const Node& schema = reader.member(root, "schema", "the suppressions file",
                                     fmt::format("begin with \"schema\": \"{}\"", kSchema));
  if (reader.string(schema, "\"schema\"") != kSchema) {
    reader.fail(schema.loc, fmt::format("the schema \"{}\" is unknown", schema.text),
                fmt::format("this program reads \"{}\"", kSchema));
  }
  const Node& list = reader.member(root, "suppressions", "the suppressions file",
                                   "\"suppressions\": [{\"kernel\": \"sum*\", \"category\": "
                                   "\"race-shared\", \"reason\": \"...\"}]");
  reader.array(list, "\"suppressions\"");
  std::vector<Suppression> out;
  for (const Node& item : list.items) out.push_back(entry(reader, item));
  return out;
}

std::vector<Suppression> parse_suppressions_file(const std::string& path) {
  return parse_suppressions(read_text(path), path);
}

}  // namespace ptxequiv::spec
