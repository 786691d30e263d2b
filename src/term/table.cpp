#include "term/table.h"

#include <sys/mman.h>

#include <bit>
#include <cstring>
#include <new>

namespace ptxequiv::term {
namespace {

__extension__ typedef unsigned __int128 U128;

constexpr uint64_t kBytes = 0x0101010101010101u;
constexpr uint64_t kTops = 0x8080808080808080u;

uint8_t tag_of(uint64_t hash) {
  const auto tag = static_cast<uint8_t>(hash >> 56);
  return tag == 0 ? 1 : tag;
}

uint64_t load(const uint8_t* bytes) {
  uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

// The top bit of each byte that equals `tag`; a byte above an equal one may be marked wrongly,
// which the comparison of nodes sorts out.
uint64_t matches(uint64_t word, uint8_t tag) {
  const uint64_t difference = word ^ kBytes * tag;
  return (difference - kBytes) & ~difference & kTops;
}

// Four fifths: most lookups then end in the first cache line.
constexpr bool too_full(size_t count, size_t slots) {
  return count * 5 > slots * 4;
}

}  // namespace

Table::Table() {
  allocate(64);
}

void Table::Free::operator()(Group* groups) const {
  munmap(groups, bytes);
}

void Table::allocate(size_t groups) {
  groups_.reset();  // first give back, so that both are never held at once
  const size_t bytes = groups * sizeof(Group);
  // The system gives zeros: empty groups.
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  // Look-ups are random: with small pages most would miss the TLB too. Only a hint.
  constexpr size_t kLarge = size_t{4} << 20;
  if (bytes >= kLarge) madvise(memory, bytes, MADV_HUGEPAGE);
  groups_ = std::unique_ptr<Group[], Free>(static_cast<Group*>(memory), Free{bytes});
  group_count_ = groups;
}

uint64_t Table::hash(const Node& node) {
  uint64_t words[2];
  static_assert(sizeof words == sizeof node);
  std::memcpy(words, &node, sizeof words);
  const U128 product = U128{words[0] ^ 0xa0761d6478bd642fu} * (words[1] ^ 0xe7037ed1a0b428dbu);
  const uint64_t folded = static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
  return (folded ^ folded >> 29 ^ words[0] << 17) * 0x9e3779b97f4a7c15u;
}

TermId Table::find(uint64_t hash, const Node& node, std::span<const Node> nodes) const {
  const uint8_t tag = tag_of(hash);
  for (size_t g = home(hash);; g = next(g)) {
    const Group& group = groups_[g];
    for (unsigned half = 0; half < 2; ++half) {
      const uint64_t word = load(group.tags + 8 * half);
      for (uint64_t found = matches(word, tag); found != 0; found &= found - 1) {
        const unsigned slot = 8 * half + static_cast<unsigned>(std::countr_zero(found)) / 8;
        if (slot < kSlots && group.tags[slot] != 0 && nodes[group.ids[slot]] == node) {
          return group.ids[slot];
        }
      }
    }
    if (group.tags[kSlots - 1] == 0) return kNoTerm;
  }
}

TermId Table::likely(uint64_t hash) const {
  const uint8_t tag = tag_of(hash);
  const Group& group = groups_[home(hash)];
  for (unsigned half = 0; half < 2; ++half) {
    const uint64_t found = matches(load(group.tags + 8 * half), tag);
    if (found == 0) continue;
    const unsigned slot = 8 * half + static_cast<unsigned>(std::countr_zero(found)) / 8;
    return slot < kSlots ? group.ids[slot] : kNoTerm;
  }
  return kNoTerm;
}

void Table::place(uint64_t hash, TermId id) {
  for (size_t g = home(hash);; g = next(g)) {
    Group& group = groups_[g];
    if (group.tags[kSlots - 1] != 0) continue;
    unsigned slot = 0;
    while (group.tags[slot] != 0) ++slot;
    group.tags[slot] = tag_of(hash);
    group.ids[slot] = id;
    return;
  }
}

void Table::insert(uint64_t hash, TermId id, std::span<const Node> nodes) {
  if (too_full(count_ + 1, group_count_ * kSlots)) {
    const size_t size = group_count_;
    rebuild(size < (size_t{1} << 22) ? 2 * size : size + size / 2, nodes.first(id));
  }
  place(hash, id);
  ++count_;
}

void Table::rebuild(size_t groups, std::span<const Node> nodes) {
  allocate(groups);
  constexpr size_t kAhead = 16;
  uint64_t hashes[kAhead];
  for (size_t i = 0; i < nodes.size() + kAhead; ++i) {
    if (i >= kAhead) place(hashes[i % kAhead], static_cast<TermId>(i - kAhead));
    if (i < nodes.size()) {
      hashes[i % kAhead] = hash(nodes[i]);
      __builtin_prefetch(&groups_[home(hashes[i % kAhead])], 1);
    }
  }
  count_ = nodes.size();
}

void Table::truncate(size_t mark, std::span<const Node> nodes) {
  if (mark >= count_) return;
  if (mark < count_ / 4) {
    rebuild(group_count_, nodes.first(mark));
    return;
  }
  for (size_t id = count_; id-- > mark;) {
    constexpr size_t kAhead = 16;
    if (id >= mark + kAhead) __builtin_prefetch(&groups_[home(hash(nodes[id - kAhead]))], 1);
    const uint64_t h = hash(nodes[id]);
    for (size_t g = home(h);; g = next(g)) {
      Group& group = groups_[g];
      unsigned slot = 0;
      while (slot < kSlots && (group.tags[slot] == 0 || group.ids[slot] != id)) ++slot;
      if (slot == kSlots) continue;
      group.tags[slot] = 0;
      break;
    }
  }
  count_ = mark;
}

}  // namespace ptxequiv::term
