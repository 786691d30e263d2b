#include "spec/flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "base/error.h"
#include "spec/check_file.h"
#include "spec/document.h"
#include "spec/expression.h"
#include "spec/nearest.h"
#include "spec/reader.h"
#include "spec/validate.h"
#include "spec/vocabulary.h"

namespace ptxequiv::spec {
namespace {

using base::InputError;

const std::string kNoFile;

[[noreturn]] void fail(const std::string& message, const std::string& hint) {
  throw InputError("", {}, message, hint);
}

std::string trim(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

// At commas outside of brackets: "ceil_div(n, 4), 2" has two parts.
std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> result;
  int depth = 0;
  size_t start = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (c != ',' || (depth > 0 && i < text.size())) continue;
    result.push_back(trim(text.substr(start, i - start)));
    start = i + 1;
  }
  return result;
}

// Says which flag a diagnostic is about.
template <typename Function>
auto in_flag(const std::string& flag, const std::string& text, Function function) {
  try {
    return function();
  } catch (const InputError& error) {
    throw InputError("", {}, fmt::format("{} {}: {}", flag, text, error.message()), error.hint());
  }
}

Number number(const std::string& text, op::Type type) {
  Number result{text};
  result.bits(type);
  return result;
}

op::Type type_named(const std::string& name) {
  const std::optional<op::Type> type = data_type_named(name);
  if (!type)
    fail(fmt::format("there is no type \"{}\"", name), nearest_hint(name, data_type_names()));
  return *type;
}

class FlagReader {
 public:
  explicit FlagReader(const Flags& flags) : flags_(flags) {}

  Check read() {
    for (const std::string& text : flags_.scalars) in_flag("--scalar", text, [&] { scalar(text); });
    for (const std::string& text : flags_.buffers) in_flag("--buffer", text, [&] { buffer(text); });
    for (const std::string& text : flags_.ranges) in_flag("--range", text, [&] { range(text); });
    add_assumptions(check_, flags_.assume);
    for (const std::string& text : flags_.alias) {
      in_flag("--alias", text, [&] {
        std::vector<std::string> group = split(text);
        require_alias(check_, group, {});
        check_.alias.push_back(std::move(group));
      });
    }
    if (check_.buffers.empty())
      fail("no buffer is given", "--buffer NAME:TYPE[SHAPE]:ROLE, for example o:f32[1000]:output");
    check_.reference.steps.push_back(launch(flags_.reference_ptx, flags_.reference, "--ref-"));
    check_.candidate.steps.push_back(launch(flags_.candidate_ptx, flags_.candidate, "--cand-"));
    validate(check_);
    require_files(check_);
    return std::move(check_);
  }

 private:
  // NAME:TYPE or NAME:TYPE=VALUE
  void scalar(const std::string& text) {
    const char* form = "write NAME:TYPE=VALUE, or NAME:TYPE for any value";
    const size_t colon = text.find(':');
    if (colon == std::string::npos) fail("the type is missing", form);
    const size_t equals = text.find('=', colon);
    Scalar scalar;
    scalar.name = trim(text.substr(0, colon));
    require_name(scalar.name, "scalar", kNoFile, {});
    scalar.type = type_named(trim(text.substr(
        colon + 1, equals == std::string::npos ? std::string::npos : equals - colon - 1)));
    if (equals != std::string::npos)
      scalar.value = number(trim(text.substr(equals + 1)), scalar.type);
    if (find_scalar(check_, scalar.name))
      fail(fmt::format("the scalar \"{}\" is given twice", scalar.name), "keep one of the two");
    check_.scalars.push_back(std::move(scalar));
  }

  // NAME:TYPE[SHAPE] or NAME:TYPE[SHAPE]:ROLE
  void buffer(const std::string& text) {
    const char* form = "write NAME:TYPE[SHAPE] or NAME:TYPE[SHAPE]:ROLE, as in o:f32[64,48]:output";
    const size_t colon = text.find(':');
    const size_t open = text.find('[');
    const size_t close = text.rfind(']');
    if (colon == std::string::npos || open == std::string::npos || close == std::string::npos ||
        colon > open || open > close)
      fail("is no buffer", form);
    Buffer buffer;
    buffer.name = trim(text.substr(0, colon));
    require_name(buffer.name, "buffer", kNoFile, {});
    buffer.type = type_named(trim(text.substr(colon + 1, open - colon - 1)));
    const std::string inside = trim(text.substr(open + 1, close - open - 1));
    if (!inside.empty()) {
      for (const std::string& extent : split(inside)) {
        const int64_t value = evaluate_extent(extent, check_.scalars, kNoFile, {});
        if (value < 1) fail(fmt::format("an extent is {}", value), "extents are at least 1");
        buffer.shape.push_back(static_cast<uint64_t>(value));
      }
    }
    const std::string rest = trim(text.substr(close + 1));
    if (!rest.empty()) {
      if (rest[0] != ':') fail(fmt::format("\"{}\" follows the shape", rest), form);
      const std::string role = trim(rest.substr(1));
      const std::optional<Role> named = role_named(role);
      if (!named)
        fail(fmt::format("there is no role \"{}\"", role), nearest_hint(role, role_names()));
      buffer.role = *named;
    }
    if (find_buffer(check_, buffer.name))
      fail(fmt::format("the buffer \"{}\" is given twice", buffer.name), "keep one of the two");
    check_.buffers.push_back(std::move(buffer));
  }

  // NAME=LOW,HIGH
  void range(const std::string& text) {
    const size_t equals = text.find('=');
    const std::vector<std::string> bounds =
        equals == std::string::npos ? std::vector<std::string>{} : split(text.substr(equals + 1));
    if (bounds.size() != 2) fail("is no range", "write NAME=LOW,HIGH; leave out a bound for none");
    const std::string name = trim(text.substr(0, equals));
    Scalar* scalar = nullptr;
    Buffer* buffer = nullptr;
    for (Scalar& other : check_.scalars) scalar = other.name == name ? &other : scalar;
    for (Buffer& other : check_.buffers) buffer = other.name == name ? &other : buffer;
    if (!scalar && !buffer)
      fail(fmt::format("\"{}\" is neither a buffer nor a scalar", name),
           nearest_hint(name, value_names(check_)));
    std::optional<Range>& target = scalar ? scalar->range : buffer->range;
    if (target) fail(fmt::format("\"{}\" has a range already", name), "keep one of the two");
    // The same checks as in a file: a list of two numbers.
    Node list;
    list.kind = Node::Kind::kArray;
    for (const std::string& bound : bounds) {
      Node node;
      node.kind = bound.empty() ? Node::Kind::kNull : Node::Kind::kString;
      node.text = bound;
      list.items.push_back(std::move(node));
    }
    target = Reader(kNoFile).range(list, "the range", scalar ? scalar->type : buffer->type);
  }

  std::array<uint32_t, 3> dimensions(const std::string& text) const {
    std::vector<std::string> parts = split(text);
    if (parts.size() == 1 && text.find_first_not_of("0123456789x") == std::string::npos &&
        !text.starts_with("0x")) {
      std::replace(parts[0].begin(), parts[0].end(), 'x', ',');  // 4x2x1
      parts = split(parts[0]);
    }
    if (parts.size() > 3) fail(fmt::format("has {} entries", parts.size()), "at most three");
    std::array<uint32_t, 3> result = {1, 1, 1};
    for (size_t i = 0; i < parts.size(); ++i) {
      const int64_t value = evaluate_extent(parts[i], check_.scalars, kNoFile, {});
      if (value < 1 || value > std::numeric_limits<uint32_t>::max())
        fail(fmt::format("an entry is {}", value), "each is at least 1: X, X,Y or X,Y,Z");
      result[i] = static_cast<uint32_t>(value);
    }
    return result;
  }

  std::vector<Argument> arguments(const std::string& text) const {
    if (!text.empty() && text[0] == '[')  // as in a check file
      return read_arguments(Reader(kNoFile), parse_document(text, kNoFile), check_);
    std::vector<Argument> result;
    if (trim(text).empty()) return result;
    for (const std::string& part : split(text)) result.push_back(argument(part));
    return result;
  }

  // x, n, null, s32:5, x+64
  Argument argument(const std::string& text) const {
    Argument result;
    if (const size_t colon = text.find(':'); colon != std::string::npos) {
      const op::Type type = type_named(trim(text.substr(0, colon)));
      result.value = Argument::Literal{type, number(trim(text.substr(colon + 1)), type)};
      return result;
    }
    if (const size_t plus = text.find('+'); plus != std::string::npos && plus > 0) {
      Argument::BufferRef ref;
      ref.buffer = trim(text.substr(0, plus));
      ref.offset_bytes = evaluate_extent(text.substr(plus + 1), check_.scalars, kNoFile, {});
      result.value = std::move(ref);
      return result;
    }
    if (text == "null") {
      result.value = Argument::Null{};
    } else if (find_buffer(check_, text)) {
      result.value = Argument::BufferRef{text, 0};
    } else if (find_scalar(check_, text)) {
      result.value = Argument::ScalarRef{text};
    } else if (!text.empty() &&
               text.find_first_not_of("+-.0123456789eExXabcdefABCDEF") == std::string::npos) {
      fail(fmt::format("the argument {} has no type", text), fmt::format("write s32:{}", text));
    } else {
      fail(fmt::format("\"{}\" is neither a buffer nor a scalar", text),
           nearest_hint(text, value_names(check_)));
    }
    return result;
  }

  Launch launch(const std::string& ptx, const LaunchFlags& own, const std::string& prefix) const {
    // A side's flag, or that of both, handed to `use` with the flag's name.
    const auto with = [&](const std::optional<std::string> LaunchFlags::*member, const char* name,
                          const std::function<void(const std::string&)>& use) {
      const bool mine = (own.*member).has_value();
      const std::optional<std::string>& text = mine ? own.*member : flags_.both.*member;
      if (text) in_flag((mine ? prefix : "--") + name, *text, [&] { use(*text); });
    };
    Launch result;
    result.ptx = ptx;
    with(&LaunchFlags::entry, "entry", [&](const std::string& text) { result.kernel = text; });
    with(&LaunchFlags::grid, "grid",
         [&](const std::string& text) { result.grid = dimensions(text); });
    with(&LaunchFlags::block, "block",
         [&](const std::string& text) { result.block = dimensions(text); });
    with(&LaunchFlags::shared, "shared", [&](const std::string& text) {
      const int64_t bytes = evaluate_extent(text, check_.scalars, kNoFile, {});
      if (bytes < 0 || bytes > std::numeric_limits<int32_t>::max())
        fail(fmt::format("{} bytes of shared memory", bytes), "it is a number of bytes");
      result.shared_bytes = static_cast<uint32_t>(bytes);
    });
    with(&LaunchFlags::args, "args",
         [&](const std::string& text) { result.args = arguments(text); });
    if (!result.grid)
      fail(fmt::format("the grid of {} is not given", ptx),
           "a grid is never inferred: --grid 4, or " + prefix + "grid 4 for one side");
    return result;
  }

  const Flags& flags_;
  Check check_;
};

}  // namespace

Check parse_flags(const Flags& flags) {
  return FlagReader(flags).read();
}

void add_assumptions(Check& check, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    check.assume.push_back({text, {}});
    in_flag("--assume", "", [&] { return parse_assume(check.assume.back(), check); });
  }
}

Tolerance parse_tolerance(const std::string& text) {
  return in_flag("--tolerance", text, [&] {
    const std::vector<std::string> parts = split(text);
    const char* form = "write ATOL,RTOL, as in 1e-6,0";
    if (parts.size() != 2) fail("is no tolerance", form);
    for (const std::string& part : parts) {
      const Number bound = number(part, op::Type::kF64);
      if (!(bound.as_double() >= 0 && bound.as_double() <= 1e300))
        fail(fmt::format("\"{}\" is no bound", part), form);
    }
    return Tolerance{{parts[0]}, {parts[1]}};
  });
}

std::string to_flag(const Buffer& buffer) {
  return fmt::format("{}:{}[{}]:{}", buffer.name, op::name(buffer.type),
                     fmt::join(buffer.shape, ","), name(buffer.role));
}

}  // namespace ptxequiv::spec
