// Typed access to a check file's tree, with a diagnostic that has a place for all that is not as
// it should be.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "spec/document.h"
#include "spec/spec.h"

namespace ptxequiv::spec {

class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path) {}
  const std::string& path() const { return path_; }

  [[noreturn]] void fail(base::SourceLoc loc, const std::string& message,
                         const std::string& hint = {}) const;

  // `what` names the value in a sentence: "\"buffers\"", "the shape of \"x\"".
  const Node& object(const Node& node, const std::string& what, const std::string& hint = {}) const;
  const Node& array(const Node& node, const std::string& what, const std::string& hint = {}) const;
  const std::string& string(const Node& node, const std::string& what) const;
  bool boolean(const Node& node, const std::string& what) const;
  // Every key is among `known`, else a diagnostic with the nearest of them.
  void keys(const Node& object, const std::string& what,
            const std::vector<std::string>& known) const;
  const Node& member(const Node& object, std::string_view key, const std::string& what,
                     const std::string& hint) const;

  // A JSON number or text that is a number, representable in `type` unless that is kNone.
  Number number(const Node& node, const std::string& what, op::Type type = op::Type::kNone) const;
  op::Type type(const Node& node, const std::string& what) const;
  // [low, high], either of them null for "no bound".
  Range range(const Node& node, const std::string& what, op::Type type) const;
  // A number or an expression in scalars.
  int64_t extent(const Node& node, const std::string& what,
                 const std::vector<Scalar>& scalars) const;
  // A list of extents, or one without brackets; each in low..high, between `least` and `most` many.
  std::vector<uint64_t> extents(const Node& node, const std::string& what,
                                const std::vector<Scalar>& scalars, int64_t low, int64_t high,
                                size_t least, size_t most) const;

 private:
  const std::string& path_;
};

}  // namespace ptxequiv::spec
