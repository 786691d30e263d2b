#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "spec/check_file.h"
#include "spec/nearest.h"
#include "spec/validate.h"
#include "spec/vocabulary.h"

namespace ptxequiv::spec {
namespace {

constexpr int64_t kMaxExtent = int64_t{1} << 32;
constexpr const char* kForms =
    "a buffer, a scalar, {\"s32\": 5}, \"null\", {\"buffer\": \"x\", \"offset_bytes\": 64}, "
    "{\"struct\": [...]} or {\"tensormap\": {...}}";

const std::string& buffer_name(const Reader& reader, const Node& node, const Check& check,
                               const std::string& what) {
  const std::string& name = reader.string(node, what);
  if (!find_buffer(check, name))
    reader.fail(
        node.loc, fmt::format("there is no buffer \"{}\"", name),
        find_scalar(check, name) ? "it is a scalar" : nearest_hint(name, buffer_names(check)));
  return name;
}

Argument::TensorMap tensor_map(const Reader& reader, const Node& node, const Check& check) {
  const std::string what = "the tensor map";
  reader.object(node, what);
  reader.keys(node, what, {"buffer", "shape", "box", "strides", "swizzle", "out_of_bounds"});
  Argument::TensorMap map;
  map.buffer = buffer_name(reader, reader.member(node, "buffer", what, "name the buffer it views"),
                           check, "the tensor map's buffer");
  const auto sizes = [&](const Node& list, const std::string& name, int64_t low, int64_t high) {
    return reader.extents(list, name, check.scalars, low, high, 1, 5);
  };
  if (const Node* shape = node.find("shape")) {
    map.shape = sizes(*shape, "the tensor map's shape", 1, kMaxExtent);
  } else {
    map.shape = find_buffer(check, map.buffer)->shape;
  }
  // A box has at most 256 elements along a dimension (cuTensorMapEncodeTiled).
  map.box = sizes(reader.member(node, "box", what, "say which part one copy moves"),
                  "the tensor map's box", 1, 256);
  if (const Node* strides = node.find("strides"))
    map.strides = sizes(*strides, "the tensor map's strides", 0, int64_t{1} << 40);
  const auto word = [&](const char* key, const std::vector<std::string>& known) {
    const Node* value = node.find(key);
    if (!value) return known[0];
    const std::string& text = reader.string(*value, fmt::format("\"{}\"", key));
    if (std::find(known.begin(), known.end(), text) == known.end())
      reader.fail(value->loc, fmt::format("\"{}\" cannot be \"{}\"", key, text),
                  nearest_hint(text, known));
    return text;
  };
  map.swizzle = word("swizzle", {"none", "32B", "64B", "128B"});
  map.out_of_bounds = word("out_of_bounds", {"zero", "nan"});
  return map;
}

Argument named(const Reader& reader, const Node& node, const Check& check) {
  Argument result;
  result.loc = node.loc;
  if (node.text == "null") {
    result.value = Argument::Null{};
  } else if (find_buffer(check, node.text)) {
    result.value = Argument::BufferRef{node.text, 0};
  } else if (find_scalar(check, node.text)) {
    result.value = Argument::ScalarRef{node.text};
  } else {
    reader.fail(node.loc, fmt::format("\"{}\" is neither a buffer nor a scalar", node.text),
                nearest_hint(node.text, value_names(check)));
  }
  return result;
}

Argument plain(const Reader& reader, const Node& node, const Check& check) {
  if (node.kind == Node::Kind::kString) return named(reader, node, check);
  if (node.kind == Node::Kind::kNumber)
    reader.fail(node.loc, fmt::format("the argument {} has no type", node.text),
                fmt::format("write {{\"s32\": {}}}", node.text));
  if (node.kind == Node::Kind::kNull)
    reader.fail(node.loc, "an argument is null", "write \"null\" for the null pointer");
  reader.object(node, "an argument", kForms);
  Argument result;
  result.loc = node.loc;
  if (node.find("buffer") || node.find("offset_bytes")) {
    reader.keys(node, "the argument", {"buffer", "offset_bytes"});
    Argument::BufferRef ref;
    ref.buffer = buffer_name(reader, reader.member(node, "buffer", "the argument", kForms), check,
                             "the argument's buffer");
    if (const Node* offset = node.find("offset_bytes"))
      ref.offset_bytes = reader.extent(*offset, "\"offset_bytes\"", check.scalars);
    result.value = std::move(ref);
    return result;
  }
  if (node.members.size() != 1)
    reader.fail(node.loc, fmt::format("the argument has {} keys", node.members.size()), kForms);
  const Member& member = node.members[0];
  if (member.key == "tensormap") {
    result.value = tensor_map(reader, member.value, check);
  } else if (const std::optional<op::Type> type = data_type_named(member.key)) {
    result.value = Argument::Literal{*type, reader.number(member.value, "the argument", *type)};
  } else {
    std::vector<std::string> known = {"buffer", "struct", "tensormap"};
    for (const std::string& name : data_type_names()) known.push_back(name);
    reader.fail(member.loc, fmt::format("an argument cannot be {{\"{}\": ...}}", member.key),
                nearest_hint(member.key, known));
  }
  return result;
}

std::array<uint32_t, 3> dimensions(const Reader& reader, const Node& node, const std::string& what,
                                   const Check& check) {
  const std::vector<uint64_t> list =
      reader.extents(node, what, check.scalars, 1, std::numeric_limits<uint32_t>::max(), 1, 3);
  std::array<uint32_t, 3> result = {1, 1, 1};
  std::transform(list.begin(), list.end(), result.begin(),
                 [](uint64_t extent) { return static_cast<uint32_t>(extent); });
  return result;
}

std::string resolve(const std::string& folder, const std::string& path) {
  if (folder.empty() || path.starts_with("/")) return path;
  return folder.ends_with("/") ? folder + path : folder + "/" + path;
}

Launch launch(const Reader& reader, const Node& node, const Check& check,
              const std::string& folder) {
  const std::string what = "the launch";
  reader.keys(
      node, what,
      {"ptx", "kernel", "grid", "block", "shared_bytes", "args", "cluster", "cooperative", "pdl"});
  Launch result;
  const Node& ptx = reader.member(node, "ptx", what, "name the PTX file, relative to this file");
  result.loc = ptx.loc;
  if (reader.string(ptx, "\"ptx\"").empty()) reader.fail(ptx.loc, "\"ptx\" is empty");
  result.ptx = resolve(folder, ptx.text);
  if (const Node* kernel = node.find("kernel"))
    result.kernel = reader.string(*kernel, "\"kernel\"");
  result.grid = dimensions(
      reader, reader.member(node, "grid", what, "a grid is never inferred: \"grid\": [4, 1, 1]"),
      "the grid", check);
  if (const Node* block = node.find("block"))
    result.block = dimensions(reader, *block, "the block", check);
  if (const Node* cluster = node.find("cluster"))
    result.cluster = dimensions(reader, *cluster, "the cluster", check);
  if (const Node* shared = node.find("shared_bytes")) {
    const int64_t bytes = reader.extent(*shared, "\"shared_bytes\"", check.scalars);
    if (bytes < 0 || bytes > std::numeric_limits<int32_t>::max())
      reader.fail(shared->loc, fmt::format("\"shared_bytes\" is {}", bytes),
                  "it is the third launch parameter: the bytes of dynamic shared memory");
    result.shared_bytes = static_cast<uint32_t>(bytes);
  }
  if (const Node* flag = node.find("cooperative"))
    result.cooperative = reader.boolean(*flag, "\"cooperative\"");
  if (const Node* flag = node.find("pdl")) result.pdl = reader.boolean(*flag, "\"pdl\"");
  if (const Node* args = node.find("args")) result.args = read_arguments(reader, *args, check);
  return result;
}

}  // namespace

Argument read_argument(const Reader& reader, const Node& node, const Check& check) {
  const Node* inner = node.kind == Node::Kind::kObject ? node.find("struct") : nullptr;
  if (!inner) return plain(reader, node, check);
  reader.keys(node, "the argument", {"struct"});
  Argument result;
  result.loc = node.loc;
  Argument::Struct members;
  reader.array(*inner, "\"struct\"", "list its members in order");
  if (inner->items.empty()) reader.fail(inner->loc, "\"struct\" has no members");
  // The document's bound on nesting bounds this recursion.
  for (const Node& item : inner->items)
    members.members.push_back(read_argument(reader, item, check));
  result.value = std::move(members);
  return result;
}

std::vector<Argument> read_arguments(const Reader& reader, const Node& node, const Check& check) {
  reader.array(node, "\"args\"", "list the arguments in the order of the parameters");
  // Parameters have at most 32764 bytes together (PTX manual, 5.1.6).
  if (node.items.size() > 32764)
    reader.fail(node.loc, fmt::format("\"args\" has {} entries", node.items.size()));
  std::vector<Argument> result;
  for (const Node& item : node.items) result.push_back(read_argument(reader, item, check));
  return result;
}

Step read_step(const Reader& reader, const Node& node, const Check& check,
               const std::string& folder) {
  reader.object(node, "a launch", "{\"ptx\": \"k.ptx\", \"grid\": [4], \"block\": [128], ...}");
  if (const Node* fill = node.find("fill")) {
    reader.keys(node, "the fill", {"fill", "value"});
    Fill step;
    step.buffer = buffer_name(reader, *fill, check, "\"fill\"");
    step.loc = fill->loc;
    step.value = reader.number(reader.member(node, "value", "the fill", "say what to fill with"),
                               "the fill's value", find_buffer(check, step.buffer)->type);
    return step;
  }
  if (const Node* copy = node.find("copy")) {
    reader.keys(node, "the copy", {"copy"});
    reader.array(*copy, "\"copy\"", "write [\"from\", \"to\"]");
    if (copy->items.size() != 2)
      reader.fail(copy->loc, fmt::format("\"copy\" has {} entries", copy->items.size()),
                  "write [\"from\", \"to\"]");
    return Copy{buffer_name(reader, copy->items[0], check, "the source"),
                buffer_name(reader, copy->items[1], check, "the destination"), copy->loc};
  }
  return launch(reader, node, check, folder);
}

}  // namespace ptxequiv::spec
