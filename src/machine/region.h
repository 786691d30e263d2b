// One piece of memory: cells of a granule size that is refined when a narrower access comes.
#pragma once
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "machine/happens_before.h"
#include "machine/lane.h"
#include "machine/paged.h"
#include "ptx/ast.h"

namespace ptxequiv::machine {

enum class CellState : uint8_t {
  kUnwritten,  // payload: TermId + 1 of the initial contents once someone looked, else 0
  kBits,       // payload: bits
  kTerm,       // payload: TermId
  kPart,       // payload: index of a stored pointer << 8 | byte position within it
};

// What a cell holds, with the condition under which it was written.
struct CellValue {
  uint64_t payload = 0;
  CellState state = CellState::kUnwritten;
  TermId written = kNoTerm;  // kNoTerm: always, if not kUnwritten
  SiteId writer = kNoSite;
};

// Where a region's contents come from before anyone writes.
enum class Contents : uint8_t {
  kBuffer,   // the buffer's
  kPoison,   // undefined
  kImage,    // of a module variable: the bytes of `image`, zero beyond
  kUnknown,  // of a module variable: whatever an earlier run left there
};

struct Region {
  std::string name;
  ptx::Space space = ptx::Space::kGlobal;
  uint32_t provenance = 0;
  uint64_t bytes = 0;  // of one copy
  uint32_t align = 1;
  uint64_t base = 0;       // where it is, should an address become plain bits
  TermId where = kNoTerm;  // in units of `align`, should bits of an address count
  uint32_t copies = 1;     // thread-private memory has one per thread
  bool read_only = false;
  bool is_buffer = false;
  bool input_only = false;  // all buffers in it have role input
  bool written = false;     // by the program, at any time
  bool has_data = false;    // one of its buffers has contents
  Contents contents = Contents::kPoison;
  std::vector<uint8_t> image;
  std::unordered_map<uint64_t, TermId> unknown;  // kUnknown: by offset, in units of unit_log2
  unsigned unit_log2 = 2;
  bool given = false;             // the caller says what `image` is
  bool changes = false;           // kUnknown: a run is known to change it
  bool entry_read = false;        // something looked at a module variable's contents at entry
  std::vector<uint32_t> buffers;  // that lie in it, best owner of initial contents first

  unsigned granule_log2 = 2;
  uint64_t cells_per_copy = 0;
  Paged<uint64_t> payload;
  Paged<CellState> state;
  std::unordered_map<uint64_t, TermId> partial;  // cells written under a condition only
  Paged<SiteId> writer;                          // of buffers, once written: SiteId + 1
  Paged<Shadow> shadow;                          // of shared and global memory, once accessed

  unsigned granule() const { return 1u << granule_log2; }
  bool allocated() const { return !state.empty(); }
  void allocate();
  // As if never touched.
  void forget();
  CellValue cell(uint64_t index) const;
  void set_cell(uint64_t index, const CellValue& value);
  size_t memory_bytes() const;
};

}  // namespace ptxequiv::machine
