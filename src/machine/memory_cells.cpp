// Reading and writing cells: splitting, joining, conditions, pointers in memory.
#include <cstring>

#include "base/error.h"
#include "machine/memory.h"

namespace ptxequiv::machine {
namespace {

unsigned log2_of(unsigned power) {
  return static_cast<unsigned>(std::countr_zero(power));
}

}  // namespace

TermId Memory::term(const Lane& lane, unsigned bits) {
  switch (lane.kind) {
    case LaneKind::kBits:
      return arena_.constant(bits, lane.bits);
    case LaneKind::kTerm:
      return lane.term();
    case LaneKind::kUndefined:
      return arena_.poison(bits);
    case LaneKind::kPointer:
      break;
  }
  const Pointer p = pointer_of(lane);
  const auto offset = static_cast<uint64_t>(p.offset);
  address_terms_ = true;
  const TermId address =
      arena_.leaf(op::Kind::kAddress, op::Type::kB64, p.provenance, static_cast<uint32_t>(offset),
                  static_cast<uint32_t>(offset >> 32));
  return bits == 64 ? address : arena_.extract(address, 0, bits);
}

Lane Memory::lane(TermId id) const {
  const term::Node& node = arena_[id];
  if (node.op.kind == op::Kind::kConst) return Lane::of_bits(arena_.const_bits(id));
  const term::Node* address = &node;
  const bool low_half = node.op.kind == op::Kind::kExtract && node.b == 0 && arena_.width(id) == 32;
  if (low_half) address = &arena_[node.a];
  if (address->op.kind == op::Kind::kAddress) {
    const auto offset = static_cast<int64_t>(uint64_t{address->c} << 32 | address->b);
    const bool small = regions_[address->a]->base >> 32 == 0;
    if (Pointer::fits(offset) && (!low_half || small)) return Pointer{address->a, offset}.lane();
  }
  return Lane::of_term(id);
}

CellValue Memory::as_cell(const Lane& value, unsigned size, unsigned part, unsigned parts) {
  const unsigned cell_bits = size * 8 / parts;
  const unsigned position = part * cell_bits;
  switch (value.kind) {
    case LaneKind::kBits:
      return {value.bits >> position & op::mask(cell_bits), CellState::kBits, kNoTerm, kNoSite};
    case LaneKind::kTerm: {
      const TermId id =
          parts == 1 ? value.term() : arena_.extract(value.term(), position, cell_bits);
      if (arena_.is_const(id)) return {arena_.const_bits(id), CellState::kBits, kNoTerm, kNoSite};
      return {id, CellState::kTerm, kNoTerm, kNoSite};
    }
    case LaneKind::kUndefined:
      return {arena_.poison(cell_bits), CellState::kTerm, kNoTerm, kNoSite};
    case LaneKind::kPointer:
      break;
  }
  if (part == 0) stored_pointers_.emplace_back(value, size);
  const uint64_t index = stored_pointers_.size() - 1;
  return {index << 8 | position / 8, CellState::kPart, kNoTerm, kNoSite};
}

CellValue Memory::split(const CellValue& cell, unsigned size, unsigned part, unsigned parts) {
  CellValue piece = cell;
  const unsigned bytes = size / parts;
  switch (cell.state) {
    case CellState::kUnwritten:
      piece.payload = 0;
      break;
    case CellState::kBits:
      piece.payload = cell.payload >> (part * bytes * 8) & op::mask(bytes * 8);
      break;
    case CellState::kTerm: {
      const TermId id =
          arena_.extract(static_cast<TermId>(cell.payload), part * bytes * 8, bytes * 8);
      piece.payload = id;
      if (arena_.is_const(id)) {
        piece.payload = arena_.const_bits(id);
        piece.state = CellState::kBits;
      }
      break;
    }
    case CellState::kPart:
      piece.payload = cell.payload + part * bytes;
      break;
  }
  return piece;
}

void Memory::refine(Region& region, unsigned granule_log2) {
  PTXEQUIV_CHECK(granule_log2 < region.granule_log2, "refining to a coarser granule");
  const unsigned size = region.granule();
  const unsigned parts = 1u << (region.granule_log2 - granule_log2);
  Region fine;
  const uint64_t cells = region.state.size();
  const bool was_allocated = region.allocated();
  if (was_allocated) {
    fine.payload.reset(cells * parts);
    fine.state.reset(cells * parts);
    region.state.for_each([&](uint64_t i, CellState) {
      const CellValue whole = region.cell(i);
      if (whole.state == CellState::kUnwritten) return;
      for (unsigned part = 0; part < parts; ++part) {
        fine.set_cell(i * parts + part, split(whole, size, part, parts));
      }
    });
  }
  if (!region.shadow.empty()) {
    fine.shadow.reset(cells * parts);
    region.shadow.for_each([&](uint64_t i, const Shadow& shadow) {
      for (unsigned part = 0; part < parts; ++part) {
        Shadow& copy = fine.shadow[i * parts + part];
        copy = shadow;
        if (part != 0) order_.separate(copy);
      }
    });
  }
  region.payload = std::move(fine.payload);
  region.state = std::move(fine.state);
  region.partial = std::move(fine.partial);
  region.writer = std::move(fine.writer);
  region.shadow = std::move(fine.shadow);
  region.granule_log2 = granule_log2;
  region.cells_per_copy *= parts;
  refine_log(undo_, region.provenance, size, parts);
}

void Memory::refine_log(std::vector<Undo>& log, uint32_t provenance, unsigned size,
                        unsigned parts) {
  std::vector<Undo> fine;
  fine.reserve(log.size());
  for (const Undo& entry : log) {
    if (entry.provenance != provenance) {
      fine.push_back(entry);
      continue;
    }
    for (unsigned part = 0; part < parts; ++part) {
      fine.push_back(
          {entry.provenance, entry.cell * parts + part, split(entry.before, size, part, parts)});
    }
  }
  log = std::move(fine);
}

void Memory::catch_up(std::vector<Undo>& log, const std::map<uint32_t, unsigned>& granules) {
  for (const auto& [provenance, log2] : granules) {
    const Region& now = region(provenance);
    if (log2 == now.granule_log2) continue;
    refine_log(log, provenance, 1u << log2, 1u << (log2 - now.granule_log2));
  }
}

Lane Memory::initial_contents(Region& region, uint64_t index) {
  const unsigned bits = region.granule() * 8;
  if (region.has_data) {
    const uint64_t offset = index << region.granule_log2;
    if (const auto known = initial_data(region, offset, region.granule())) {
      return Lane::of_bits(*known);
    }
  }
  if (region.payload[index] != 0) return lane(static_cast<TermId>(region.payload[index] - 1));
  TermId id = kNoTerm;
  switch (region.contents) {
    case Contents::kImage:
      region.entry_read = true;
      return Lane::of_bits(image_bits(region, index << region.granule_log2, region.granule()));
    case Contents::kPoison:
      id = arena_.poison(bits);
      break;
    case Contents::kUnknown:
      id = unknown_bytes(region, index << region.granule_log2, region.granule());
      break;
    case Contents::kBuffer:
      id = initial_bytes(region, index << region.granule_log2, region.granule());
      break;
  }
  region.payload[index] = uint64_t{id} + 1;
  return lane(id);
}

std::optional<uint64_t> Memory::initial_data(const Region& region, uint64_t offset,
                                             unsigned size) const {
  for (const uint32_t candidate : region.buffers) {
    const auto& data = context_.buffers[candidate].data;
    if (!data || data->size() < offset + size) continue;
    uint64_t bits = 0;
    std::memcpy(&bits, data->data() + offset, size);  // little endian, as the GPU is
    return bits;
  }
  return std::nullopt;
}

TermId Memory::initial_bytes(const Region& region, uint64_t offset, unsigned size) {
  if (region.has_data) {
    if (const auto known = initial_data(region, offset, size)) {
      return arena_.constant(size * 8, *known);
    }
  }
  const Buffer* owner = nullptr;
  uint32_t index = 0;
  for (const uint32_t candidate : region.buffers) {
    if (context_.buffers[candidate].bytes() <= offset) continue;
    owner = &context_.buffers[candidate];
    index = candidate;
    break;
  }
  if (owner == nullptr || owner->role == Role::kScratch) return arena_.poison(size * 8);
  const unsigned width = op::bits(owner->type) / 8;
  const auto kind = owner->role == Role::kOutput ? op::Kind::kInitial : op::Kind::kInput;
  const TermId element = arena_.element_leaf(kind, owner->type, index, offset / width);
  if (width == size) return element;
  PTXEQUIV_CHECK(width > size, "granule wider than an element");
  return arena_.extract(element, static_cast<unsigned>(offset % width) * 8, size * 8);
}

Lane Memory::cell_contents(Region& region, uint64_t index) {
  const unsigned bits = region.granule() * 8;
  Lane value;
  switch (region.state[index]) {
    case CellState::kUnwritten:
      return initial_contents(region, index);
    case CellState::kBits:
      value = Lane::of_bits(region.payload[index]);
      break;
    case CellState::kTerm:
      value = Lane::of_term(static_cast<TermId>(region.payload[index]));
      break;
    case CellState::kPart: {
      const auto& [pointer, size] = stored_pointers_[region.payload[index] >> 8];
      const unsigned position = region.payload[index] & 0xff;
      if (size == region.granule()) {
        value = pointer;
      } else {
        value = Lane::of_term(arena_.extract(term(pointer, size * 8), position * 8, bits));
      }
      break;
    }
  }
  if (region.partial.empty()) return value;
  const auto it = region.partial.find(index);
  if (it == region.partial.end()) return value;
  // The payload of a written cell no longer caches its initial contents.
  const Contents contents = region.contents;
  TermId before = kNoTerm;
  if (contents == Contents::kBuffer) {
    before = initial_bytes(region, (index % region.cells_per_copy) << region.granule_log2,
                           region.granule());
  } else if (contents == Contents::kImage) {
    region.entry_read = true;
    before =
        arena_.constant(bits, image_bits(region, index << region.granule_log2, region.granule()));
  } else if (contents == Contents::kUnknown) {
    before = unknown_bytes(region, index << region.granule_log2, region.granule());
  } else {
    before = arena_.poison(bits);
  }
  return lane(arena_.select(it->second, term(value, bits), before));
}

Lane Memory::join_parts(Region& region, uint64_t first, unsigned count) {
  // A whole pointer comes back as it was stored.
  if (region.state[first] == CellState::kPart && region.partial.empty()) {
    const uint64_t start = region.payload[first];
    const auto& [pointer, size] = stored_pointers_[start >> 8];
    bool whole = (start & 0xff) == 0 && size == count * region.granule();
    for (unsigned i = 1; whole && i < count; ++i) {
      whole = region.state[first + i] == CellState::kPart &&
              region.payload[first + i] == start + i * region.granule();
    }
    if (whole) return pointer;
  }
  unsigned bits = region.granule() * 8;
  TermId pieces[8];
  bool all_bits = true;
  uint64_t joined = 0;
  for (unsigned i = 0; i < count; ++i) {
    const Lane piece = cell_contents(region, first + i);
    all_bits = all_bits && piece.is_bits();
    if (piece.is_bits()) joined |= piece.bits << (i * bits);
    pieces[i] = piece.is_bits() ? kNoTerm : term(piece, bits);
  }
  if (all_bits) return Lane::of_bits(joined);
  for (unsigned i = 0; i < count; ++i) {
    if (pieces[i] == kNoTerm) pieces[i] = arena_.constant(bits, joined >> (i * bits));
  }
  for (unsigned n = count; n > 1; n /= 2, bits *= 2) {
    for (unsigned i = 0; i < n / 2; ++i)
      pieces[i] = arena_.concat(pieces[2 * i + 1], pieces[2 * i]);
  }
  return lane(pieces[0]);
}

TermId Memory::cell_term(const Region& region, const CellValue& cell) {
  const unsigned bits = region.granule() * 8;
  switch (cell.state) {
    case CellState::kBits:
      return arena_.constant(bits, cell.payload);
    case CellState::kTerm:
      return static_cast<TermId>(cell.payload);
    case CellState::kPart: {
      const auto& [pointer, size] = stored_pointers_[cell.payload >> 8];
      const TermId whole = term(pointer, size * 8);
      return size == region.granule() ? whole
                                      : arena_.extract(whole, (cell.payload & 0xff) * 8, bits);
    }
    case CellState::kUnwritten:
      break;
  }
  return kNoTerm;
}

CellValue Memory::choose(Region& region, const std::vector<std::pair<TermId, CellValue>>& cases) {
  // Where a case leaves the cell unwritten its value does not matter.
  CellValue result;
  TermId written = arena_.truth(false), value = kNoTerm;
  for (const auto& [condition, cell] : cases) {
    if (cell.state == CellState::kUnwritten) continue;
    const TermId here = cell_term(region, cell);
    value = value == kNoTerm ? here : arena_.select(condition, here, value);
    written = arena_.logic_or(
        written, cell.written == kNoTerm ? condition : arena_.logic_and(condition, cell.written));
    if (result.writer == kNoSite) result.writer = cell.writer;
  }
  if (value == kNoTerm) return result;
  bool always = true;
  for (const auto& [condition, cell] : cases) {
    always = always && cell.state != CellState::kUnwritten && cell.written == kNoTerm;
  }
  result.written = always || written == true_ ? kNoTerm : written;
  result.state = arena_.is_const(value) ? CellState::kBits : CellState::kTerm;
  result.payload = arena_.is_const(value) ? arena_.const_bits(value) : value;
  return result;
}

Lane Memory::read(Region& region, uint32_t copy, uint64_t offset, unsigned size) {
  if (size < region.granule()) refine(region, log2_of(size));
  if (!region.allocated()) region.allocate();
  const uint64_t index = copy * region.cells_per_copy + (offset >> region.granule_log2);
  if (size == region.granule()) {
    if (region.state[index] == CellState::kTerm && region.partial.empty()) {
      return Lane::of_term(static_cast<TermId>(region.payload[index]));
    }
    return cell_contents(region, index);
  }
  return join_parts(region, index, size >> region.granule_log2);
}

bool Memory::holds(Region& region, uint32_t copy, uint64_t offset, unsigned size,
                   const Lane& value) {
  return value.kind != LaneKind::kUndefined && read(region, copy, offset, size) == value;
}

bool Memory::only_held(Region& region, uint32_t copy, uint64_t offset, unsigned size,
                       const Lane& value) {
  if (value.kind == LaneKind::kUndefined) return false;
  const TermId wanted = term(value, size * 8);
  TermId now = term(read(region, copy, offset, size), size * 8);
  // Writes under conditions are selects around what was there before.
  constexpr unsigned kMost = 256;
  for (unsigned i = 0; i < kMost && now != wanted && arena_.kind(now) == op::Kind::kSelect; ++i) {
    const term::Node& node = arena_[now];
    if (node.b != wanted && node.c != wanted) return false;
    now = node.b == wanted ? node.c : node.b;
  }
  const op::Kind kind = arena_.kind(now);
  return now == wanted || kind == op::Kind::kInput || kind == op::Kind::kInitial ||
         kind == op::Kind::kPoison;
}

bool Memory::always_defined(Region& region, uint64_t offset, unsigned size) {
  bool from_start = region.contents == Contents::kImage || region.contents == Contents::kUnknown;
  if (region.contents == Contents::kBuffer) {
    for (const uint32_t index : region.buffers) {  // as in initial_bytes
      const Buffer& buffer = context_.buffers[index];
      if (buffer.bytes() <= offset) continue;
      from_start = buffer.role == Role::kInput || buffer.role == Role::kInout;
      break;
    }
  }
  if (!region.allocated()) return from_start;
  const uint64_t first = offset >> region.granule_log2;
  const uint64_t last = (offset + size - 1) >> region.granule_log2;
  for (uint64_t i = first; i <= last; ++i) {
    const CellValue cell = region.cell(i);
    const bool written = cell.state != CellState::kUnwritten && cell.written == kNoTerm;
    if (!written && !from_start) return false;
  }
  return true;
}

void Memory::write(Region& region, uint32_t copy, uint64_t offset, unsigned size, const Lane& value,
                   TermId guard, SiteId site) {
  if (size < region.granule()) refine(region, log2_of(size));
  if (!region.allocated()) region.allocate();
  region.written = true;
  const bool outlives_cta = region.space == ptx::Space::kGlobal;
  const unsigned parts = size >> region.granule_log2;
  const uint64_t first = copy * region.cells_per_copy + (offset >> region.granule_log2);
  for (unsigned part = 0; part < parts; ++part) {
    const uint64_t index = first + part;
    CellValue now = as_cell(value, size, part, parts);
    now.writer = outlives_cta ? site : kNoSite;
    if (outlives_cta || guard != true_) {
      const CellValue old = region.cell(index);
      if (outlives_cta) undo_.push_back({region.provenance, index, old});
      if (guard != true_) {
        if (old.state == CellState::kUnwritten) {
          now.written = guard;
        } else {
          if (now.state != old.state || now.payload != old.payload) {
            // The value given that the cell was written; the condition is kept beside it.
            const TermId merged =
                arena_.select(guard, cell_term(region, now), cell_term(region, old));
            now.payload = merged;
            now.state = CellState::kTerm;
            if (arena_.is_const(merged)) {
              now.payload = arena_.const_bits(merged);
              now.state = CellState::kBits;
            }
          }
          now.written = old.written == kNoTerm ? kNoTerm : arena_.logic_or(old.written, guard);
          if (now.written == true_) now.written = kNoTerm;
        }
        if (old.writer != kNoSite) now.writer = old.writer;
      }
    }
    region.set_cell(index, now);
  }
}

}  // namespace ptxequiv::machine
