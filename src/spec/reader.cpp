#include "spec/reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "spec/expression.h"
#include "spec/nearest.h"
#include "spec/number.h"
#include "spec/vocabulary.h"

namespace ptxequiv::spec {

using base::InputError;
using base::SourceLoc;

void Reader::fail(SourceLoc loc, const std::string& message, const std::string& hint) const {
  throw InputError(path_, loc, message, hint);
}

const Node& Reader::object(const Node& node, const std::string& what,
                           const std::string& hint) const {
  if (node.kind != Node::Kind::kObject)
    fail(node.loc, fmt::format("{} is {}, and should be an object {{...}}", what, node.describe()),
         hint);
  return node;
}

const Node& Reader::array(const Node& node, const std::string& what,
                          const std::string& hint) const {
  if (node.kind != Node::Kind::kArray)
    fail(node.loc, fmt::format("{} is {}, and should be a list [...]", what, node.describe()),
         hint);
  return node;
}

const std::string& Reader::string(const Node& node, const std::string& what) const {
  if (node.kind != Node::Kind::kString)
    fail(node.loc, fmt::format("{} is {}, and should be a text \"...\"", what, node.describe()));
  return node.text;
}

bool Reader::boolean(const Node& node, const std::string& what) const {
  if (node.kind != Node::Kind::kBool)
    fail(node.loc, fmt::format("{} is {}, and should be true or false", what, node.describe()));
  return node.boolean;
}

void Reader::keys(const Node& object, const std::string& what,
                  const std::vector<std::string>& known) const {
  for (const Member& member : object.members)
    if (std::find(known.begin(), known.end(), member.key) == known.end())
      fail(member.loc, fmt::format("{} has no key \"{}\"", what, member.key),
           nearest_hint(member.key, known));
}

const Node& Reader::member(const Node& object, std::string_view key, const std::string& what,
                           const std::string& hint) const {
  const Node* node = object.find(key);
  if (!node) fail(object.loc, fmt::format("{} has no \"{}\"", what, key), hint);
  return *node;
}

Number Reader::number(const Node& node, const std::string& what, op::Type type) const {
  if (node.kind != Node::Kind::kNumber && node.kind != Node::Kind::kString)
    fail(node.loc, fmt::format("{} is {}, and should be a number", what, node.describe()),
         "texts such as \"0x10\", \"0f7F800000\" and \"inf\" are numbers too");
  Number result{node.text};
  try {
    if (type == op::Type::kNone) {
      exact(result);
    } else {
      result.bits(type);
    }
  } catch (const InputError& error) {
    fail(node.loc, fmt::format("{}: {}", what, error.message()), error.hint());
  }
  return result;
}

op::Type Reader::type(const Node& node, const std::string& what) const {
  const std::string& name = string(node, what);
  const std::optional<op::Type> type = data_type_named(name);
  if (!type)
    fail(node.loc, fmt::format("{}: there is no type \"{}\"", what, name),
         nearest_hint(name, data_type_names()));
  return *type;
}

Range Reader::range(const Node& node, const std::string& what, op::Type type) const {
  array(node, what, "write [low, high]");
  if (node.items.size() != 2)
    fail(node.loc, fmt::format("{} has {} entries, and should have 2", what, node.items.size()),
         "write [low, high]; null for no bound");
  Range result;
  const auto bound = [&](const Node& item) -> std::optional<Number> {
    if (item.kind == Node::Kind::kNull) return std::nullopt;
    Number value = number(item, what, type);
    if (exact(value).kind == ExactNumber::Kind::kNan)
      fail(item.loc, fmt::format("{}: NaN bounds nothing", what));
    return value;
  };
  result.low = bound(node.items[0]);
  result.high = bound(node.items[1]);
  if (result.low && result.high && compare(*result.low, *result.high) > 0)
    fail(node.loc,
         fmt::format("{} is empty: {} is more than {}", what, result.low->text, result.high->text),
         "the lower bound comes first");
  return result;
}

int64_t Reader::extent(const Node& node, const std::string& what,
                       const std::vector<Scalar>& scalars) const {
  if (node.kind != Node::Kind::kNumber && node.kind != Node::Kind::kString)
    fail(node.loc,
         fmt::format("{} is {}, and should be a number or an expression", what, node.describe()),
         "for example 64 or \"(n + 255) / 256\"");
  SourceLoc loc = node.loc;
  if (node.kind == Node::Kind::kString && node.plain) ++loc.column;  // past the quote
  return evaluate_extent(node.text, scalars, path_, loc);
}

std::vector<uint64_t> Reader::extents(const Node& node, const std::string& what,
                                      const std::vector<Scalar>& scalars, int64_t low, int64_t high,
                                      size_t least, size_t most) const {
  std::vector<const Node*> entries;
  if (node.kind == Node::Kind::kArray) {
    for (const Node& item : node.items) entries.push_back(&item);
  } else {
    entries.push_back(&node);
  }
  if (entries.size() < least || entries.size() > most)
    fail(node.loc, fmt::format("{} has {} entries", what, entries.size()),
         least == most ? fmt::format("it should have {}", least)
                       : fmt::format("it should have {} to {}", least, most));
  std::vector<uint64_t> result;
  for (const Node* entry : entries) {
    const int64_t value = extent(*entry, what, scalars);
    if (value < low || value > high)
      fail(entry->loc,
           entry->kind == Node::Kind::kNumber
               ? fmt::format("{} has the entry {}", what, value)
               : fmt::format("{} has the entry \"{}\", which is {}", what, entry->text, value),
           value < low ? fmt::format("{} is the least that makes sense here", low)
                       : fmt::format("{} is the most that fits", high));
    result.push_back(static_cast<uint64_t>(value));
  }
  return result;
}

}  // namespace ptxequiv::spec
