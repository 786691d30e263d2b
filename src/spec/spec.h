// A check: what is compared, on what buffers, under what launch (design: check file, section 6).
// Comes from a JSON file or from command-line flags; both give the same structure.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/source.h"
#include "op/type.h"
#include "ptxequiv/verdict.h"

namespace ptxequiv::spec {

enum class Role : uint8_t { kInput, kOutput, kInout, kScratch };

// A number as the check file gives it: JSON number, or a string ("0f7F800000", "0x10", "inf").
struct Number {
  std::string text;  // as written
  // Bits of the value in `type`, rounded to nearest. Throws base::InputError if it does not fit.
  uint64_t bits(op::Type type) const;
  double as_double() const;
};

struct Range {
  std::optional<Number> low, high;
};

struct Buffer {
  std::string name;
  op::Type type = op::Type::kNone;
  std::vector<uint64_t> shape;  // expressions in scalars already evaluated
  Role role = Role::kInput;
  std::optional<Range> range;
  uint32_t align = 256;
  base::SourceLoc loc;
  uint64_t elements() const;
};

struct Scalar {
  std::string name;
  op::Type type = op::Type::kNone;
  std::optional<Number> value;
  std::optional<Range> range;
  base::SourceLoc loc;
};

struct Argument {
  struct BufferRef {
    std::string buffer;
    int64_t offset_bytes = 0;
  };
  struct ScalarRef {
    std::string scalar;
  };
  struct Literal {
    op::Type type;
    Number value;
  };
  struct Null {};
  struct Struct {
    std::vector<Argument> members;
  };
  struct TensorMap {
    std::string buffer;
    std::vector<uint64_t> shape, box, strides;
    std::string swizzle, out_of_bounds;
  };
  std::variant<Null, BufferRef, ScalarRef, Literal, Struct, TensorMap> value;
  base::SourceLoc loc;
};

struct Launch {
  std::string ptx;     // path, resolved against the check file's folder
  std::string kernel;  // empty: the only entry
  std::optional<std::array<uint32_t, 3>> grid, block;  // block may come from .reqntid
  uint32_t shared_bytes = 0;
  std::optional<std::array<uint32_t, 3>> cluster;
  bool cooperative = false, pdl = false;
  std::optional<std::vector<Argument>> args;  // absent: to be inferred
  base::SourceLoc loc;
};
struct Fill {
  std::string buffer;
  Number value;
  base::SourceLoc loc;
};
struct Copy {
  std::string from, to;
  base::SourceLoc loc;
};
using Step = std::variant<Launch, Fill, Copy>;

struct Side {
  std::vector<Step> steps;
};

// Comparison of two expressions over scalars and x[*]; parsed, not yet given terms.
struct Expression;
struct Assume {
  std::string text;
  base::SourceLoc loc;
};

// |reference - candidate| <= atol + rtol * |reference|, for level "tolerance".
struct Tolerance {
  Number atol, rtol;
};

struct Check {
  std::string path;  // of the check file, empty from flags
  std::string title;
  std::vector<Buffer> buffers;
  std::vector<Scalar> scalars;
  std::vector<Assume> assume;
  std::vector<std::vector<std::string>> alias;
  Side reference, candidate;
  Level level = Level::kReal;
  std::string expect;  // "not_equivalent:race", or empty
  std::vector<std::pair<std::string, std::vector<Number>>> symbols;
  std::vector<std::string> inferred;  // sentences on what was not said
  std::optional<Tolerance> tolerance;
};

// Throws base::InputError with the place in the file and a hint: unreadable, not JSON, unknown key
// (with the nearest known name), wrong type, a name that is not declared, a scalar given twice.
Check parse_check_file(const std::string& path);
Check parse_check_text(const std::string& text, const std::string& path);

}  // namespace ptxequiv::spec
