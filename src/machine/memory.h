// All memory of an execution: buffers for its whole length; module variables, parameters, shared
// and thread-private objects for a launch or a CTA.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "machine/context.h"
#include "machine/fault.h"
#include "machine/region.h"

namespace ptxequiv::machine {

// A cell as it was before a store, so that a CTA can be run again (worlds).
struct Undo {
  uint32_t provenance = 0;
  uint64_t cell = 0;
  CellValue before;
};

// A CTA's shared and thread-private memory while other CTAs run.
struct CtaMemory {
  std::vector<Region> regions;
  std::vector<Undo> undo;
};
// The contents of all memory that outlives a CTA.
struct SavedMemory {
  std::vector<Region> regions;
};

class Memory {
 public:
  Memory(Context& context, HappensBefore& order);

  // Lays out the objects of a launch. Regions of module variables live on between launches of one
  // module; parameters, shared and local objects are new.
  void begin_launch(const Launch& launch, unsigned threads);
  // Shared and thread-private memory as at the start of a CTA.
  void begin_cta();

  // memory_saved.cpp. Exchanges what belongs to the CTA that runs; one never run has nothing.
  void swap_cta(CtaMemory& other);
  SavedMemory save() const;
  // The race check starts anew.
  void restore(const SavedMemory& saved);
  // Does `f` hold for a term that memory which outlives a CTA holds, or its condition?
  bool any_global(const std::function<bool(TermId)>& f) const;
  // Memory as it is after one of several runs, of which exactly one condition holds; it must be what
  // the last of them left. False if they differ and `must_agree`.
  bool merge(std::vector<std::pair<TermId, SavedMemory>>& cases, bool must_agree);

  Region& region(uint32_t provenance) { return *regions_[provenance]; }
  const Region& region(uint32_t provenance) const { return *regions_[provenance]; }
  size_t regions() const { return regions_.size(); }
  uint32_t buffer_provenance(uint32_t buffer) const { return buffer_region_[buffer]; }
  // Provenance of an object of the launch's function.
  uint32_t object_provenance(ir::ObjectId object) const { return object_region_[object]; }
  // Where a plain number points, if anywhere.
  std::optional<Pointer> find(uint64_t address) const;

  // Contents of `size` bytes (1, 2, 4, 8) at an offset that is in bounds; `copy` is the thread for
  // thread-private memory. Refines the region if the access is narrower than its cells.
  Lane read(Region& region, uint32_t copy, uint64_t offset, unsigned size);
  // Stores under `guard` (the constant true: always).
  void write(Region& region, uint32_t copy, uint64_t offset, unsigned size, const Lane& value,
             TermId guard, SiteId site);
  // One cell from several exclusive cases that leave nothing out.
  CellValue choose(Region& region, const std::vector<std::pair<TermId, CellValue>>& cases);
  // Would storing `value` leave the bytes as they are?
  bool holds(Region& region, uint32_t copy, uint64_t offset, unsigned size, const Lane& value);
  // Is that all that was ever stored there, whatever the conditions?
  bool only_held(Region& region, uint32_t copy, uint64_t offset, unsigned size, const Lane& value);
  // Do these bytes hold something whatever happened: written under no condition, or contents from
  // the start that are no one's undefined memory?
  bool always_defined(Region& region, uint64_t offset, unsigned size);
  void refine(Region& region, unsigned granule_log2);
  Paged<Shadow>& shadow(Region& region);
  // "x[3]", "red+128 (shared)".
  std::string place(const Region& region, uint64_t offset) const;
  // "x[3]", "red[32]": by the width of an access, where no element type is declared.
  std::string element(const Region& region, uint64_t offset, unsigned size) const;

  // Brings a kept log up to date with regions refined since; `granules` are those it was made with.
  void catch_up(std::vector<Undo>& log, const std::map<uint32_t, unsigned>& granules);
  // Undo log of stores to memory that outlives the CTA.
  std::vector<Undo>& undo() { return undo_; }
  void fill(const Fill& fill, SiteId site);
  void copy(const Copy& copy, SiteId site);
  // What this run carries over to the next: what a run finds there depends on the runs before it.
  // Notes the assumption for variables that it reads and leaves as their initialisers say.
  std::vector<CarriedOver> carried_over();
  // The final contents of the buffers.
  std::vector<Paged<Cell>> results();
  size_t memory_bytes() const;

  TermId term(const Lane& lane, unsigned bits);  // as a term of that width
  // An address as a number: nobody knows where its object lies, but for its alignment.
  TermId address_bits(uint32_t provenance, int64_t offset);
  Lane lane(TermId id) const;  // a term, as cheap as it can be had

 private:
  void refine_log(std::vector<Undo>& log, uint32_t provenance, unsigned size, unsigned parts);
  uint32_t add_region(std::unique_ptr<Region> region);
  void make_buffers();
  void make_object(const Launch& launch, const ir::MemoryObject& object, unsigned threads);
  void write_argument(Region& region, const Argument& argument);
  uint32_t module_variable(const ptx::Module& module, ptx::SymbolId symbol);
  void initialise(Region& region, const ptx::Module& module, const ptx::Initializer& init);
  enum class Changed : uint8_t { kNo, kYes, kMaybe };
  Changed changed(const Region& region);
  bool some_input_makes(const std::vector<TermId>& conditions) const;
  TermId with_address_bits(TermId root);
  TermId unknown_bytes(Region& region, uint64_t offset, unsigned size);
  Lane cell_contents(Region& region, uint64_t index);
  Lane initial_contents(Region& region, uint64_t index);
  std::optional<uint64_t> initial_data(const Region& region, uint64_t offset, unsigned size) const;
  TermId initial_bytes(const Region& region, uint64_t offset, unsigned size);
  static uint64_t image_bits(const Region& region, uint64_t offset, unsigned size);
  TermId cell_term(const Region& region, const CellValue& cell);
  CellValue as_cell(const Lane& value, unsigned size, unsigned part, unsigned parts);
  Lane join_parts(Region& region, uint64_t first, unsigned count);
  CellValue split(const CellValue& cell, unsigned size, unsigned part, unsigned parts);

  Context& context_;
  HappensBefore& order_;
  term::Arena& arena_;
  TermId true_;
  std::vector<std::unique_ptr<Region>> regions_;
  std::vector<uint32_t> buffer_region_;
  std::vector<uint32_t> object_region_;
  // Module variables by (module, symbol).
  std::vector<std::tuple<const ptx::Module*, ptx::SymbolId, uint32_t>> variables_;
  std::vector<uint32_t> cta_regions_;
  bool address_terms_ = false;                              // some term has an address in it
  std::vector<bool> has_address_;                           // by TermId: lies one below?
  std::unordered_map<TermId, TermId> address_bits_;         // terms without addresses, as numbers
  std::vector<std::pair<Lane, unsigned>> stored_pointers_;  // with their size in bytes
  std::vector<Undo> undo_;
  size_t launch_regions_ = 0;    // index of the first region of this launch
  uint32_t dynamic_shared_ = 0;  // provenance of this launch's dynamic shared memory
  uint64_t next_shared_ = 0, next_local_ = 0, next_param_ = 0;  // addresses not yet given out
};

}  // namespace ptxequiv::machine
