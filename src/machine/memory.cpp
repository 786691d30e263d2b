// What pieces of memory there are, where they lie, and what they hold at first and at the end.
#include "machine/memory.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/error.h"

namespace ptxequiv::machine {
namespace {

// Addresses, should one become plain bits. Memory of the launch lies at addresses that fit 32 bits;
// the first shared kilobyte is the system's, as on sm_90, so that no object is at zero.
constexpr uint64_t kSharedBase = 0x400;
constexpr uint64_t kParamBase = 0x200000;
constexpr uint64_t kLocalBase = 0x1000000;
constexpr uint64_t kBufferDistance = uint64_t{1} << 40;

uint64_t align_up(uint64_t address, uint64_t align) {
  return (address + align - 1) / align * align;
}

// "as" for a variable that nvcc calls _ZZ9gemm_tileE2as.
std::string display_name(const std::string& symbol) {
  if (symbol.rfind("_Z", 0) != 0) return symbol;
  int status = 0;
  char* text = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  if (status != 0 || text == nullptr) return symbol;
  std::string name = text;
  std::free(text);
  const size_t scope = name.rfind("::");
  return scope == std::string::npos ? name : name.substr(scope + 2);
}

unsigned granule_log2_of(unsigned bytes) {
  return static_cast<unsigned>(std::countr_zero(std::min(bytes, 8u)));
}

// The largest power of two up to 8 that divides all the numbers.
unsigned common_granule(const std::vector<uint64_t>& numbers) {
  uint64_t all = 8;
  for (const uint64_t n : numbers) all |= n;
  return 1u << std::countr_zero(all);
}

}  // namespace

Memory::Memory(Context& context, HappensBefore& order)
    : context_(context), order_(order), arena_(context.arena), true_(context.arena.truth(true)) {
  make_buffers();
  launch_regions_ = regions_.size();
}

uint32_t Memory::add_region(std::unique_ptr<Region> region) {
  PTXEQUIV_CHECK(regions_.size() < Pointer::kMaxProvenance, "too many pieces of memory");
  region->provenance = static_cast<uint32_t>(regions_.size());
  if (region->base == 0) region->base = (region->provenance + 1) * kBufferDistance;
  regions_.push_back(std::move(region));
  return regions_.back()->provenance;
}

void Memory::make_buffers() {
  std::vector<std::pair<int, uint32_t>> groups;
  for (uint32_t i = 0; i < context_.buffers.size(); ++i) {
    const Buffer& buffer = context_.buffers[i];
    const unsigned element = std::max(1u, op::bits(buffer.type) / 8);
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& g) {
      return buffer.alias_group >= 0 && g.first == buffer.alias_group;
    });
    if (group != groups.end()) {
      Region& shared = *regions_[group->second];
      shared.bytes = std::max(shared.bytes, buffer.bytes());
      shared.align = std::max(shared.align, buffer.align);
      shared.granule_log2 = std::min(shared.granule_log2, granule_log2_of(element));
      shared.buffers.push_back(i);
      buffer_region_.push_back(group->second);
      continue;
    }
    auto region = std::make_unique<Region>();
    region->name = buffer.name;
    region->space = ptx::Space::kGlobal;
    region->bytes = buffer.bytes();
    region->align = buffer.align;
    region->is_buffer = true;
    region->contents = Contents::kBuffer;
    region->granule_log2 = granule_log2_of(element);
    region->buffers.push_back(i);
    buffer_region_.push_back(add_region(std::move(region)));
    if (buffer.alias_group >= 0) groups.emplace_back(buffer.alias_group, buffer_region_.back());
  }
  // Initial contents come from a buffer that has some, if one of the group does.
  const auto rank = [&](uint32_t i) {
    switch (context_.buffers[i].role) {
      case Role::kInput:
      case Role::kInout:
        return 0;
      case Role::kOutput:
        return 1;
      case Role::kScratch:
        return 2;
    }
    return 3;
  };
  for (const auto& region : regions_) {
    std::stable_sort(region->buffers.begin(), region->buffers.end(),
                     [&](uint32_t a, uint32_t b) { return rank(a) < rank(b); });
    region->has_data = std::any_of(region->buffers.begin(), region->buffers.end(), [&](uint32_t i) {
      return context_.buffers[i].data.has_value();
    });
    region->input_only =
        std::all_of(region->buffers.begin(), region->buffers.end(),
                    [&](uint32_t i) { return context_.buffers[i].role == Role::kInput; });
  }
}

void Memory::begin_launch(const Launch& launch, unsigned threads) {
  // What belonged to the last launch is gone; its provenances stay taken.
  for (size_t i = launch_regions_; i < regions_.size(); ++i) {
    regions_[i]->shadow.for_each([&](uint64_t, Shadow& shadow) { order_.clear(shadow); });
    regions_[i]->forget();
  }
  const ir::Function& function = *launch.function;
  PTXEQUIV_CHECK(launch.arguments.size() == function.params.size(),
                 "as many arguments as the entry has parameters");
  object_region_.clear();
  cta_regions_.clear();
  next_shared_ = kSharedBase;
  next_local_ = kLocalBase;
  next_param_ = kParamBase;
  dynamic_shared_ = 0xffffffffu;
  // Module variables first: they outlive the launch.
  for (const ir::MemoryObject& object : function.objects) {
    const bool variable = object.space == ptx::Space::kGlobal || object.space == ptx::Space::kConst;
    object_region_.push_back(variable ? module_variable(*function.module, object.symbol) : 0);
  }
  launch_regions_ = regions_.size();
  // Dynamic shared memory lies after all that is static.
  for (const bool dynamic : {false, true}) {
    for (size_t i = 0; i < function.objects.size(); ++i) {
      const ir::MemoryObject& object = function.objects[i];
      if (object.space == ptx::Space::kGlobal || object.space == ptx::Space::kConst) continue;
      if (object.dynamic_shared != dynamic) continue;
      make_object(launch, object, threads);
      object_region_[i] =
          object.dynamic_shared ? dynamic_shared_ : static_cast<uint32_t>(regions_.size() - 1);
    }
  }
}

void Memory::make_object(const Launch& launch, const ir::MemoryObject& object, unsigned threads) {
  if (object.dynamic_shared && dynamic_shared_ != 0xffffffffu) {
    Region& all = *regions_[dynamic_shared_];
    all.align = std::max(all.align, object.align);
    return;
  }
  auto region = std::make_unique<Region>();
  region->name = display_name(object.name);
  region->space = object.space;
  region->bytes = object.dynamic_shared ? launch.shared_bytes : object.bytes;
  region->align = std::max(1u, object.align);
  region->granule_log2 = 2;
  const bool is_private = object.space == ptx::Space::kLocal || object.call_scoped;
  uint64_t& next = object.space == ptx::Space::kShared ? next_shared_
                   : is_private                        ? next_local_
                                                       : next_param_;
  // Dynamic shared memory starts at a multiple of 16 at least (CUDA guide, dynamic shared memory).
  region->base = align_up(next, std::max(16u, region->align));
  next = region->base + region->bytes;
  if (is_private) region->copies = threads;
  if (object.is_entry_param) {
    region->read_only = true;
    std::vector<uint64_t> cuts;
    for (const Argument::Part& part : launch.arguments[object.param_index].parts) {
      cuts.push_back(part.offset);
      unsigned bits = 64;
      if (const auto* scalar = std::get_if<Argument::Part::ScalarValue>(&part.value)) {
        bits = op::bits(context_.scalars[scalar->scalar].type);
      } else if (const auto* literal = std::get_if<Argument::Part::Literal>(&part.value)) {
        bits = op::bits(literal->type);
      }
      cuts.push_back(bits / 8);
    }
    region->granule_log2 = granule_log2_of(common_granule(cuts));
  }
  Region& added = *region;
  const uint32_t provenance = add_region(std::move(region));
  if (object.is_entry_param) {
    write_argument(added, launch.arguments[object.param_index]);
  } else {
    cta_regions_.push_back(provenance);
  }
  if (object.dynamic_shared) dynamic_shared_ = provenance;
}

void Memory::write_argument(Region& region, const Argument& argument) {
  for (const Argument::Part& part : argument.parts) {
    Lane value;
    unsigned bits = 64;
    if (const auto* buffer = std::get_if<Argument::Part::BufferAddress>(&part.value)) {
      value = Pointer{buffer_region_[buffer->buffer], buffer->offset_bytes}.lane();
    } else if (const auto* scalar = std::get_if<Argument::Part::ScalarValue>(&part.value)) {
      const Scalar& s = context_.scalars[scalar->scalar];
      bits = op::bits(s.type);
      value = s.value ? Lane::of_bits(*s.value & op::mask(bits))
                      : Lane::of_term(arena_.leaf(op::Kind::kScalar, s.type, scalar->scalar));
    } else {
      const auto& literal = std::get<Argument::Part::Literal>(part.value);
      bits = op::bits(literal.type);
      value = Lane::of_bits(literal.bits & op::mask(bits));
    }
    PTXEQUIV_CHECK(part.offset + bits / 8 <= region.bytes, "an argument fits its parameter");
    write(region, 0, part.offset, bits / 8, value, true_, kNoSite);
  }
}

uint32_t Memory::module_variable(const ptx::Module& module, ptx::SymbolId symbol) {
  for (const auto& [m, s, provenance] : variables_) {
    if (m == &module && s == symbol) return provenance;
  }
  const ptx::Symbol& declared = module.symbol(symbol);
  auto region = std::make_unique<Region>();
  region->name = display_name(declared.name);
  region->space = declared.space;
  region->bytes = declared.bytes();
  const unsigned element = std::max(1u, (op::bits(declared.type) + 7) / 8);
  region->align = declared.align != 0 ? declared.align : element * declared.vector;
  region->read_only = declared.space == ptx::Space::kConst;
  // Arrays of all types are declared as bytes by nvcc; they are seldom used as such.
  const bool words = element == 1 && region->align >= 4 && region->bytes % 4 == 0;
  region->granule_log2 = region->unit_log2 = words ? 2 : granule_log2_of(element);
  region->contents = Contents::kImage;
  // Without an initialiser it is zero (5.4.3, 5.4.4).
  if (declared.init) region->image = declared.init->bytes;
  bool given = false;
  if (context_.given != nullptr) {
    for (const Variable& variable : *context_.given) {
      if (variable.module != &module || variable.symbol != symbol) continue;
      region->image = variable.data;
      given = true;
    }
  }
  region->given = given;
  if (!given && context_.arbitrary != nullptr) {
    for (const CarriedOver& variable : *context_.arbitrary) {
      if (variable.module != &module || variable.symbol != symbol) continue;
      region->contents = Contents::kUnknown;
      region->changes = variable.certain;
    }
  }
  Region& added = *region;
  const uint32_t provenance = add_region(std::move(region));
  variables_.emplace_back(&module, symbol, provenance);
  if (declared.init && !given && added.contents == Contents::kImage) {
    initialise(added, module, *declared.init);
  }
  added.written = false;
  undo_.clear();
  return provenance;
}

// Addresses in an initialiser.
void Memory::initialise(Region& region, const ptx::Module& module, const ptx::Initializer& init) {
  const unsigned size = region.granule();
  for (const auto& address : init.addresses) {
    const ptx::Symbol& target = module.symbol(address.symbol);
    Lane value = Lane::undefined();  // masked bytes: nothing here can use them
    if (address.mask == ~uint64_t{0} && size >= 4) {
      if (target.kind == ptx::SymbolKind::kVariable) {
        value = Pointer{module_variable(module, address.symbol), address.addend}.lane();
      } else if (const ptx::Function* code = module.find_function(target.name)) {
        value = Pointer{module_variable(module, code->symbol), address.addend}.lane();
      }
    }
    write(region, 0, address.byte_offset, size, value, true_, kNoSite);
  }
}

void Memory::begin_cta() {
  undo_.clear();
  for (const uint32_t provenance : cta_regions_) {
    Region& region = *regions_[provenance];
    if (region.allocated()) {
      region.payload.fill_default();
      region.state.fill_default();
      region.partial.clear();
    }
    region.shadow.for_each([&](uint64_t, Shadow& shadow) { order_.clear(shadow); });
  }
}

Paged<Shadow>& Memory::shadow(Region& region) {
  if (region.shadow.empty()) {
    if (!region.allocated()) region.allocate();
    region.shadow.reset(region.state.size());
  }
  return region.shadow;
}

std::optional<Pointer> Memory::find(uint64_t address) const {
  for (const auto& region : regions_) {
    if (address >= region->base && address - region->base < std::max<uint64_t>(region->bytes, 1)) {
      return Pointer{region->provenance, static_cast<int64_t>(address - region->base)};
    }
  }
  return std::nullopt;
}

std::string Memory::place(const Region& region, uint64_t offset) const {
  if (region.is_buffer) {
    const Buffer& buffer = context_.buffers[region.buffers.front()];
    const unsigned width = std::max(1u, op::bits(buffer.type) / 8);
    const auto byte = offset % width;
    return byte == 0 ? fmt::format("{}[{}]", buffer.name, offset / width)
                     : fmt::format("{}[{}]+{}", buffer.name, offset / width, byte);
  }
  const char* space = region.space == ptx::Space::kShared  ? "shared"
                      : region.space == ptx::Space::kLocal ? "local"
                      : region.space == ptx::Space::kConst ? "const"
                      : region.space == ptx::Space::kParam ? "param"
                                                           : "global";
  return fmt::format("{}+{} ({})", region.name, offset, space);
}

std::string Memory::element(const Region& region, uint64_t offset, unsigned size) const {
  if (region.is_buffer || size == 0 || offset % size != 0) return place(region, offset);
  return fmt::format("{}[{}]", region.name, offset / size);
}

void Memory::fill(const Fill& fill, SiteId site) {
  const Buffer& buffer = context_.buffers[fill.buffer];
  Region& region = *regions_[buffer_region_[fill.buffer]];
  const unsigned size = op::bits(buffer.type) / 8;
  for (uint64_t i = 0; i < buffer.elements; ++i) {
    write(region, 0, i * size, size, Lane::of_bits(fill.value_bits & op::mask(size * 8)), true_,
          site);
  }
  undo_.clear();
}

void Memory::copy(const Copy& copy, SiteId site) {
  const Buffer& from = context_.buffers[copy.from];
  const Buffer& to = context_.buffers[copy.to];
  Region& source = *regions_[buffer_region_[copy.from]];
  Region& target = *regions_[buffer_region_[copy.to]];
  const unsigned size = std::min(op::bits(from.type), op::bits(to.type)) / 8;
  const uint64_t bytes = std::min(from.bytes(), to.bytes());
  for (uint64_t offset = 0; offset + size <= bytes; offset += size) {
    write(target, 0, offset, size, read(source, 0, offset, size), true_, site);
  }
  undo_.clear();
}

std::vector<Paged<Cell>> Memory::results() {
  std::vector<Paged<Cell>> all(context_.buffers.size());
  for (size_t b = 0; b < context_.buffers.size(); ++b) {
    const Buffer& buffer = context_.buffers[b];
    Region& region = *regions_[buffer_region_[b]];
    if (buffer.role == Role::kScratch) continue;
    if (buffer.role == Role::kInput && !(region.written && region.input_only)) continue;
    Paged<Cell>& cells = all[b];
    cells.reset(buffer.elements);
    if (!region.written) continue;
    const unsigned size = op::bits(buffer.type) / 8;
    const unsigned parts = std::max(1u, size >> region.granule_log2);
    for (uint64_t i = 0; i < buffer.elements; ++i) {
      const uint64_t first = i * size >> region.granule_log2;
      if (const uint64_t next = region.state.next(first); next >= first + parts) {
        i = (next << region.granule_log2) / size - 1;  // nothing was touched before
        continue;
      }
      CellValue value = region.cell(first);
      bool any = value.state != CellState::kUnwritten;
      bool alike = true;  // all parts written under the same condition
      TermId written = any && value.written == kNoTerm ? true_ : value.written;
      for (unsigned part = 1; part < parts; ++part) {
        const CellValue next = region.cell(first + part);
        const bool next_any = next.state != CellState::kUnwritten;
        const TermId next_written = next_any && next.written == kNoTerm ? true_ : next.written;
        alike = alike && next_written == written && next_any == any;
        any = any || next_any;
        if (next_written != written && next_any) {
          written = written == kNoTerm ? next_written : arena_.logic_or(written, next_written);
        }
        if (value.writer == kNoSite) value.writer = next.writer;
      }
      if (!any) continue;
      Cell& cell = cells[i];
      cell.written = written;
      if (alike && written != true_) {  // the value where it was written, without what was before
        for (unsigned part = 0; part < parts; ++part) region.partial.erase(first + part);
      }
      cell.value = term(read(region, 0, i * size, size), size * 8);
      if (alike && written != true_) {
        for (unsigned part = 0; part < parts; ++part) region.partial[first + part] = written;
      }
      if (context_.reporter.is_site(value.writer))
        cell.writer = context_.reporter.site(value.writer);
      if (address_terms_ && !context_.limits.evaluate) {
        cell.value = with_address_bits(cell.value);
        cell.written = with_address_bits(cell.written);
      }
    }
  }
  return all;
}

size_t Memory::memory_bytes() const {
  size_t sum = undo_.capacity() * sizeof(Undo);
  for (const auto& region : regions_) sum += region->memory_bytes();
  return sum;
}

}  // namespace ptxequiv::machine
