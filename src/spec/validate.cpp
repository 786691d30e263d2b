#include "spec/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "spec/expression.h"
#include "spec/nearest.h"
#include "spec/vocabulary.h"

namespace ptxequiv::spec {
namespace {

using base::InputError;
using base::SourceLoc;

// Bases of buffers are this far apart (design: the machine), so nothing can be larger.
constexpr uint64_t kMaxBufferBytes = uint64_t{1} << 40;

class Validator {
 public:
  explicit Validator(const Check& check) : check_(check) {}

  void run() {
    names();
    for (const Buffer& buffer : check_.buffers) this->buffer(buffer);
    side(check_.reference, "reference");
    side(check_.candidate, "candidate");
    if (std::none_of(check_.buffers.begin(), check_.buffers.end(), [](const Buffer& b) {
          return b.role == Role::kOutput || b.role == Role::kInout;
        }))
      fail({}, "no buffer is compared",
           "give at least one buffer the role \"output\" or \"inout\"");
    for (const Assume& assume : check_.assume) parse_assume(assume, check_);
    if (check_.level == Level::kTolerance && !check_.tolerance)
      fail({}, "level \"tolerance\" needs a tolerance",
           "add \"tolerance\": {\"atol\": 1e-6, \"rtol\": 0}");
  }

 private:
  [[noreturn]] void fail(SourceLoc loc, const std::string& message, const std::string& hint) const {
    throw InputError(check_.path, loc, message, hint);
  }

  void names() const {
    for (size_t i = 0; i < check_.buffers.size(); ++i)
      for (size_t j = 0; j < i; ++j)
        if (check_.buffers[i].name == check_.buffers[j].name)
          twice("buffer", check_.buffers[i].name, check_.buffers[i].loc);
    for (size_t i = 0; i < check_.scalars.size(); ++i) {
      const Scalar& scalar = check_.scalars[i];
      for (size_t j = 0; j < i; ++j)
        if (scalar.name == check_.scalars[j].name) twice("scalar", scalar.name, scalar.loc);
      if (find_buffer(check_, scalar.name))
        fail(scalar.loc, fmt::format("\"{}\" is a buffer and a scalar", scalar.name),
             "args name both, so their names must differ");
      if (scalar.value && scalar.range)
        fail(scalar.loc, fmt::format("the scalar \"{}\" has both a value and a range", scalar.name),
             "keep the one that is meant");
    }
  }

  [[noreturn]] void twice(const std::string& what, const std::string& name, SourceLoc loc) const {
    fail(loc, fmt::format("the {} \"{}\" is given twice", what, name), "keep one of the two");
  }

  void buffer(const Buffer& buffer) const {
    uint64_t bytes = (op::bits(buffer.type) + 7) / 8;
    if (buffer.type == op::Type::kTF32) bytes = 4;
    for (const uint64_t extent : buffer.shape) {
      if (extent != 0 && bytes > kMaxBufferBytes / extent)
        fail(buffer.loc, fmt::format("the buffer \"{}\" is larger than 2^40 bytes", buffer.name),
             "is a factor too many in its shape?");
      bytes *= extent;
    }
    if (bytes == 0)
      fail(buffer.loc, fmt::format("the buffer \"{}\" has no elements", buffer.name),
           "every extent of a shape is at least 1");
    if (buffer.align == 0 || (buffer.align & (buffer.align - 1)) != 0)
      fail(buffer.loc,
           fmt::format("the alignment {} of \"{}\" is no power of two", buffer.align, buffer.name),
           "cudaMalloc gives 256");
    if (buffer.range && (buffer.role == Role::kOutput || buffer.role == Role::kScratch))
      fail(buffer.loc,
           fmt::format("\"{}\" is {} {}, so nothing is in it that a range could bound", buffer.name,
                       buffer.role == Role::kOutput ? "an" : "a", name(buffer.role)),
           "ranges belong to inputs; a buffer that is read and then overwritten is \"inout\"");
  }

  const Buffer& needed(const std::string& name, SourceLoc loc) const {
    const Buffer* buffer = find_buffer(check_, name);
    if (buffer) return *buffer;
    fail(loc, fmt::format("there is no buffer \"{}\"", name),
         find_scalar(check_, name) ? "it is a scalar" : nearest_hint(name, buffer_names(check_)));
  }

  static uint64_t bytes_of(const Buffer& buffer) {
    const unsigned bits = buffer.type == op::Type::kTF32 ? 32 : op::bits(buffer.type);
    return buffer.elements() * (bits / 8);
  }

  void side(const Side& side, const std::string& name) const {
    size_t launches = 0;
    for (const Step& step : side.steps) {
      if (const auto* launch = std::get_if<Launch>(&step)) {
        ++launches;
        this->launch(*launch);
      } else if (const auto* fill = std::get_if<Fill>(&step)) {
        written_by_host(needed(fill->buffer, fill->loc), fill->loc);
      } else if (const auto* copy = std::get_if<Copy>(&step)) {
        const Buffer& from = needed(copy->from, copy->loc);
        const Buffer& to = needed(copy->to, copy->loc);
        written_by_host(to, copy->loc);
        if (bytes_of(from) != bytes_of(to))
          fail(copy->loc,
               fmt::format("\"{}\" has {} bytes and \"{}\" has {}", from.name, bytes_of(from),
                           to.name, bytes_of(to)),
               "a copy is of whole buffers of one size");
      }
    }
    if (launches == 0)
      fail({}, fmt::format("the {} launches nothing", name), "it needs at least one launch");
  }

  void written_by_host(const Buffer& buffer, SourceLoc loc) const {
    if (buffer.role == Role::kInput)
      fail(loc, fmt::format("\"{}\" is an input and is overwritten here", buffer.name),
           "make its role \"inout\" if that is meant");
  }

  void launch(const Launch& launch) const {
    const auto dimensions = [&](const std::optional<std::array<uint32_t, 3>>& size,
                                const char* what) {
      if (size && std::find(size->begin(), size->end(), 0u) != size->end())
        fail(launch.loc, fmt::format("a {} of zero runs nothing", what), "");
    };
    dimensions(launch.grid, "grid");
    dimensions(launch.block, "block");
    dimensions(launch.cluster, "cluster");
    if (!launch.args) return;
    std::vector<const Argument*> work;
    for (const Argument& argument : *launch.args) work.push_back(&argument);
    while (!work.empty()) {
      const Argument& argument = *work.back();
      work.pop_back();
      if (const auto* ref = std::get_if<Argument::BufferRef>(&argument.value)) {
        const Buffer& buffer = needed(ref->buffer, argument.loc);
        if (ref->offset_bytes < 0 || static_cast<uint64_t>(ref->offset_bytes) > bytes_of(buffer))
          fail(argument.loc,
               fmt::format("the offset of {} bytes leaves \"{}\", which has {}", ref->offset_bytes,
                           buffer.name, bytes_of(buffer)),
               "offsets are in bytes from the buffer's start");
      } else if (const auto* map = std::get_if<Argument::TensorMap>(&argument.value)) {
        tensor_map(*map, argument.loc);
      } else if (const auto* members = std::get_if<Argument::Struct>(&argument.value)) {
        for (const Argument& member : members->members) work.push_back(&member);
      }
    }
  }

  void tensor_map(const Argument::TensorMap& map, SourceLoc loc) const {
    const Buffer& buffer = needed(map.buffer, loc);
    if (map.box.size() != map.shape.size())
      fail(loc,
           fmt::format("the box has {} dimensions and the shape {}", map.box.size(),
                       map.shape.size()),
           "both are listed outermost first");
    if (!map.strides.empty() && map.strides.size() != map.shape.size())
      fail(loc,
           fmt::format("there are {} strides for {} dimensions", map.strides.size(),
                       map.shape.size()),
           "one stride for each dimension, in elements, outermost first");
    // Index of the last element that the view reaches.
    const uint64_t elements = buffer.elements();
    uint64_t last = 0, contiguous = 1;
    for (size_t i = map.shape.size(); i-- > 0;) {
      const uint64_t stride = map.strides.empty() ? contiguous : map.strides[i];
      uint64_t reach = 0;
      const bool outside = __builtin_mul_overflow(map.shape[i] - 1, stride, &reach) ||
                           __builtin_add_overflow(last, reach, &last) || last >= elements;
      if (outside)
        fail(loc,
             fmt::format("the tensor map is larger than \"{}\", which has {} elements", buffer.name,
                         elements),
             "its shape and strides are in elements of the buffer's type");
      // Bounded by `elements` where it is used; elsewhere its value does not matter.
      contiguous *= map.shape[i];
    }
  }

  const Check& check_;
};

}  // namespace

const Buffer* find_buffer(const Check& check, const std::string& name) {
  for (const Buffer& buffer : check.buffers)
    if (buffer.name == name) return &buffer;
  return nullptr;
}

const Scalar* find_scalar(const Check& check, const std::string& name) {
  for (const Scalar& scalar : check.scalars)
    if (scalar.name == name) return &scalar;
  return nullptr;
}

std::vector<std::string> buffer_names(const Check& check) {
  std::vector<std::string> result;
  for (const Buffer& buffer : check.buffers) result.push_back(buffer.name);
  return result;
}

std::vector<std::string> value_names(const Check& check) {
  std::vector<std::string> result = buffer_names(check);
  for (const Scalar& scalar : check.scalars) result.push_back(scalar.name);
  result.emplace_back("null");
  return result;
}

void require_name(const std::string& name, const std::string& what, const std::string& path,
                  SourceLoc loc) {
  bool good = !name.empty() && name.size() <= 200 &&
              !std::isdigit(static_cast<unsigned char>(name[0])) && name[0] != '.';
  for (const char c : name)
    good = good && (std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.');
  if (!good)
    throw InputError(path, loc, fmt::format("\"{}\" cannot name a {}", name.substr(0, 60), what),
                     "names are letters, digits and underscores, and begin with no digit");
  if (name == "null")
    throw InputError(path, loc, fmt::format("a {} cannot be called \"null\"", what),
                     "in args, \"null\" is the null pointer");
}

void require_alias(const Check& check, const std::vector<std::string>& group, SourceLoc loc) {
  const auto fail = [&](const std::string& message, const std::string& hint) {
    throw InputError(check.path, loc, message, hint);
  };
  if (group.size() < 2) fail("a group of \"alias\" has fewer than two buffers", "");
  for (size_t i = 0; i < group.size(); ++i) {
    const std::string& name = group[i];
    if (!find_buffer(check, name))
      fail(fmt::format("there is no buffer \"{}\"", name), nearest_hint(name, buffer_names(check)));
    bool again = std::count(group.begin(), group.end(), name) > 1;
    for (const std::vector<std::string>& other : check.alias)
      again = again || std::find(other.begin(), other.end(), name) != other.end();
    if (again)
      fail(fmt::format("\"{}\" is in \"alias\" twice", name),
           "buffers that share memory stand together in one group");
  }
}

void validate(const Check& check) {
  Validator(check).run();
}

void require_files(const Check& check) {
  for (const Side* side : {&check.reference, &check.candidate}) {
    for (const Step& step : side->steps) {
      const auto* launch = std::get_if<Launch>(&step);
      if (!launch) continue;
      std::error_code ignored;
      if (std::filesystem::is_directory(launch->ptx, ignored))
        throw InputError(check.path, launch->loc, fmt::format("{} is a folder", launch->ptx),
                         "name the PTX file in it");
      errno = 0;
      if (std::ifstream(launch->ptx).good()) continue;
      throw InputError(
          check.path, launch->loc,
          fmt::format("{} cannot be read: {}", launch->ptx, std::strerror(errno ? errno : EIO)),
          check.path.empty() ? "is the path right?"
                             : "paths are relative to the check file's folder");
    }
  }
}

}  // namespace ptxequiv::spec
