#include "spec/check_file.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/error.h"
#include "spec/nearest.h"
#include "spec/validate.h"
#include "spec/vocabulary.h"

namespace ptxequiv::spec {
namespace {

constexpr const char* kSchema = "ptxequiv/check/v1";
constexpr size_t kMaxNames = 2000;
constexpr size_t kMaxSteps = 10000;

class CheckReader {
 public:
  CheckReader(const std::string& path, const Node& root) : reader_(path), root_(root) {
    check_.path = path;
    folder_ = std::filesystem::path(path).parent_path().string();
  }

  Check read() {
    reader_.object(root_, "the check file");
    reader_.keys(
        root_, "a check file",
        {"schema", "title", "buffers", "scalars", "assume", "alias", "reference", "candidate",
         "level", "tolerance", "expect", "tolerance_expect", "symbols", "note", "why", "needs"});
    schema();
    people();
    if (const Node* scalars = root_.find("scalars")) this->scalars(*scalars);
    buffers(reader_.member(root_, "buffers", "the check file",
                           "\"buffers\": {\"x\": {\"type\": \"f32\", \"shape\": [64], \"role\": "
                           "\"input\"}, ...}"));
    if (const Node* symbols = root_.find("symbols")) this->symbols(*symbols);
    if (const Node* assume = root_.find("assume")) this->assume(*assume);
    if (const Node* alias = root_.find("alias")) this->alias(*alias);
    check_.reference = side("reference");
    check_.candidate = side("candidate");
    level();
    expect();
    validate(check_);
    return std::move(check_);
  }

 private:
  // Work that grows with the product of two of these counts stays small.
  void at_most(size_t count, size_t most, const std::string& what, const Node& node) const {
    if (count > most)
      reader_.fail(node.loc, fmt::format("{} has {} entries", what, count),
                   fmt::format("{} are the most that are read", most));
  }

  void schema() {
    const Node& schema = reader_.member(
        root_, "schema", "the check file",
        fmt::format("begin with \"schema\": \"{}\"; is this a check file?", kSchema));
    if (reader_.string(schema, "\"schema\"") != kSchema)
      reader_.fail(schema.loc, fmt::format("the schema \"{}\" is unknown", schema.text),
                   fmt::format("this program reads \"{}\"", kSchema));
  }

  void people() {
    if (const Node* title = root_.find("title")) check_.title = reader_.string(*title, "\"title\"");
    for (const char* key : {"note", "why"})
      if (const Node* text = root_.find(key)) reader_.string(*text, fmt::format("\"{}\"", key));
    if (const Node* needs = root_.find("needs")) {
      reader_.array(*needs, "\"needs\"");
      for (const Node& item : needs->items) reader_.string(item, "an entry of \"needs\"");
    }
  }

  void scalars(const Node& node) {
    reader_.object(node, "\"scalars\"", "\"scalars\": {\"n\": {\"type\": \"s32\", \"value\": 64}}");
    at_most(node.members.size(), kMaxNames, "\"scalars\"", node);
    for (const Member& member : node.members) {
      require_name(member.key, "scalar", check_.path, member.loc);
      const std::string what = fmt::format("the scalar \"{}\"", member.key);
      reader_.object(member.value, what, "{\"type\": \"s32\", \"value\": 64}");
      reader_.keys(member.value, what, {"type", "value", "range"});
      Scalar scalar;
      scalar.name = member.key;
      scalar.loc = member.loc;
      scalar.type = reader_.type(
          reader_.member(member.value, "type", what, "\"type\": \"s32\", for example"), what);
      if (const Node* value = member.value.find("value"))
        scalar.value = reader_.number(*value, "the value of " + what, scalar.type);
      if (const Node* range = member.value.find("range"))
        scalar.range = reader_.range(*range, "the range of " + what, scalar.type);
      check_.scalars.push_back(std::move(scalar));
    }
  }

  void buffers(const Node& node) {
    reader_.object(node, "\"buffers\"", "it maps each buffer's name to its type, shape and role");
    at_most(node.members.size(), kMaxNames, "\"buffers\"", node);
    for (const Member& member : node.members) {
      require_name(member.key, "buffer", check_.path, member.loc);
      const std::string what = fmt::format("the buffer \"{}\"", member.key);
      reader_.object(member.value, what,
                     "{\"type\": \"f32\", \"shape\": [64], \"role\": \"input\"}");
      reader_.keys(member.value, what, {"type", "shape", "role", "range", "align"});
      Buffer buffer;
      buffer.name = member.key;
      buffer.loc = member.loc;
      buffer.type = reader_.type(
          reader_.member(member.value, "type", what, "\"type\": \"f32\", for example"), what);
      buffer.shape = reader_.extents(
          reader_.member(member.value, "shape", what, "sizes are never inferred: \"shape\": [64]"),
          "the shape of \"" + member.key + "\"", check_.scalars, 1, int64_t{1} << 40, 0, 16);
      const Node& role = reader_.member(member.value, "role", what,
                                        "\"input\", \"output\", \"inout\" or \"scratch\"");
      const std::optional<Role> named = role_named(reader_.string(role, "the role of " + what));
      if (!named)
        reader_.fail(role.loc, fmt::format("there is no role \"{}\"", role.text),
                     nearest_hint(role.text, role_names()));
      buffer.role = *named;
      if (const Node* range = member.value.find("range"))
        buffer.range = reader_.range(*range, "the range of " + what, buffer.type);
      if (const Node* align = member.value.find("align"))
        buffer.align = static_cast<uint32_t>(
            reader_.extents(*align, "the alignment of " + what, {}, 1, 1 << 30, 1, 1)[0]);
      check_.buffers.push_back(std::move(buffer));
    }
  }

  void symbols(const Node& node) {
    reader_.object(node, "\"symbols\"", "it maps names of module variables to their contents");
    for (const Member& member : node.members) {
      const std::string what = fmt::format("the symbol \"{}\"", member.key);
      std::vector<Number> values;
      if (member.value.kind == Node::Kind::kArray) {
        for (const Node& item : member.value.items) values.push_back(reader_.number(item, what));
      } else {
        values.push_back(reader_.number(member.value, what));
      }
      if (values.empty()) reader_.fail(member.value.loc, what + " has no contents");
      check_.symbols.emplace_back(member.key, std::move(values));
    }
  }

  void assume(const Node& node) {
    reader_.array(node, "\"assume\"", "\"assume\": [\"lo <= hi\"]");
    at_most(node.items.size(), kMaxNames, "\"assume\"", node);
    for (const Node& item : node.items) {
      base::SourceLoc loc = item.loc;
      const std::string& text = reader_.string(item, "an assumption");
      if (item.plain) ++loc.column;  // of the text itself: the quote is not part of it
      check_.assume.push_back({text, loc});
    }
  }

  void alias(const Node& node) {
    reader_.array(node, "\"alias\"", "\"alias\": [[\"x\", \"o\"]]");
    for (const Node& group : node.items) {
      reader_.array(group, "a group of \"alias\"", "\"alias\": [[\"x\", \"o\"]]");
      std::vector<std::string> names;
      for (const Node& item : group.items)
        names.push_back(reader_.string(item, "an entry of \"alias\""));
      require_alias(check_, names, group.loc);
      check_.alias.push_back(std::move(names));
    }
  }

  Side side(const char* name) {
    const std::string what = fmt::format("\"{}\"", name);
    const char* hint = "{\"launches\": [{\"ptx\": \"k.ptx\", \"grid\": [4], ...}]}";
    const Node& node =
        reader_.member(root_, name, "the check file", fmt::format("\"{}\": {}", name, hint));
    reader_.object(node, what, hint);
    reader_.keys(node, what, {"launches"});
    const Node& launches = reader_.member(node, "launches", what, hint);
    reader_.array(launches, fmt::format("the launches of {}", what), hint);
    at_most(launches.items.size(), kMaxSteps, fmt::format("the launches of {}", what), launches);
    if (launches.items.empty())
      reader_.fail(launches.loc, fmt::format("the launches of {} are an empty list", what), hint);
    Side result;
    for (const Node& item : launches.items)
      result.steps.push_back(read_step(reader_, item, check_, folder_));
    return result;
  }

  void level() {
    if (const Node* level = root_.find("level")) {
      const std::optional<Level> named = level_named(reader_.string(*level, "\"level\""));
      if (!named)
        reader_.fail(level->loc, fmt::format("there is no level \"{}\"", level->text),
                     nearest_hint(level->text, level_names()));
      check_.level = *named;
    }
    const Node* tolerance = root_.find("tolerance");
    if (!tolerance) return;
    const char* hint = "\"tolerance\": {\"atol\": 1e-6, \"rtol\": 0}";
    reader_.object(*tolerance, "\"tolerance\"", hint);
    reader_.keys(*tolerance, "\"tolerance\"", {"atol", "rtol"});
    const auto bound = [&](const char* key) {
      const Node& node = reader_.member(*tolerance, key, "\"tolerance\"", hint);
      Number value = reader_.number(node, fmt::format("\"{}\"", key), op::Type::kF64);
      if (!(value.as_double() >= 0 && value.as_double() <= 1e300))
        reader_.fail(node.loc, fmt::format("\"{}\" is {}", key, value.text),
                     "a tolerance is a number that is not negative");
      return value;
    };
    check_.tolerance = Tolerance{bound("atol"), bound("rtol")};
  }

  void expect() {
    if (const Node* expect = root_.find("expect")) {
      check_.expect = reader_.string(*expect, "\"expect\"");
      if (const std::optional<ExpectFault> fault = fault_of_expect(check_.expect))
        reader_.fail(expect->loc, "\"expect\": " + fault->message, fault->hint);
    }
    // Of the tests: what the pair is expected to be under a tolerance. Only its form is checked.
    if (const Node* other = root_.find("tolerance_expect")) {
      reader_.object(*other, "\"tolerance_expect\"");
      reader_.keys(*other, "\"tolerance_expect\"", {"atol", "rtol", "verdict"});
    }
  }

  Reader reader_;
  const Node& root_;
  std::string folder_;
  Check check_;
};

}  // namespace

Check parse_check_text(const std::string& text, const std::string& path) {
  const Node root = parse_document(text, path);
  return CheckReader(path, root).read();
}

Check parse_check_file(const std::string& path) {
  Check check = parse_check_text(read_text(path), path);
  require_files(check);
  return check;
}

std::string peek_expect(const std::string& path) {
  try {
    const Node root = parse_document(read_text(path), path);
    const Node* expect = root.find("expect");
    return expect && expect->kind == Node::Kind::kString ? expect->text : "";
  } catch (const base::InputError&) {
    return "";  // whoever reads the file next says what is wrong with it
  }
}

}  // namespace ptxequiv::spec
