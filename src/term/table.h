// The hash-consing table: finds the id of a node equal to a given one. Between the files of `term`
// only.
#pragma once
#include <cstdint>
#include <memory>
#include <span>

#include "term/arena.h"

namespace ptxequiv::term {

// A group is one cache line: twelve ids and a byte of each one's hash. Groups fill from the front
// and spill into the next one. Ids are removed in the reverse order of insertion only, which undoes
// each insertion exactly, so no tombstones are needed.
class Table {
 public:
  Table();

  static uint64_t hash(const Node& node);
  // The id of a node equal to `node`, or kNoTerm.
  TermId find(uint64_t hash, const Node& node, std::span<const Node> nodes) const;
  // An id that find may compare with, or kNoTerm: to have its node fetched.
  TermId likely(uint64_t hash) const;
  void prefetch(uint64_t hash) const { __builtin_prefetch(&groups_[home(hash)]); }
  // Adds `id`, whose node is nodes[id] and not yet present; grows by need.
  void insert(uint64_t hash, TermId id, std::span<const Node> nodes);
  // Drops all ids >= mark.
  void truncate(size_t mark, std::span<const Node> nodes);

  size_t memory_bytes() const { return group_count_ * sizeof(Group); }

 private:
  static constexpr unsigned kSlots = 12;
  struct alignas(64) Group {
    uint8_t tags[16] = {};  // 0: empty; the last four are unused
    uint32_t ids[kSlots] = {};
  };
  static_assert(sizeof(Group) == 64);

  size_t home(uint64_t hash) const {
    return static_cast<size_t>((hash & 0xffffffffu) * group_count_ >> 32);
  }
  size_t next(size_t group) const { return group + 1 == group_count_ ? 0 : group + 1; }
  void allocate(size_t groups);
  void place(uint64_t hash, TermId id);
  void rebuild(size_t groups, std::span<const Node> nodes);

  struct Free {
    size_t bytes;  // that were mapped
    void operator()(Group* groups) const;
  };
  std::unique_ptr<Group[], Free> groups_{nullptr, Free{0}};
  size_t group_count_ = 0;
  size_t count_ = 0;
};

}  // namespace ptxequiv::term
