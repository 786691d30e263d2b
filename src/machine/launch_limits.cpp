#include "machine/launch_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>

namespace ptxequiv::machine {
namespace {

// Of every target.
constexpr uint64_t kMaxThreads = 1024;
constexpr std::array<uint64_t, 3> kMaxBlock{1024, 1024, 64};
constexpr std::array<uint64_t, 3> kMaxGrid{0x7fffffff, 65535, 65535};
constexpr uint64_t kMaxStaticShared = 48 << 10;
constexpr uint64_t kMaxCluster = 16;  // beyond 8 only where the host asks for it
constexpr unsigned kClustersFrom = 90;
// Registers: a warp gets them in units of 256, and an SM's four parts share the warps of a CTA.
constexpr uint64_t kRegisterFile = 64 << 10, kRegisterUnit = 256, kParts = 4;

struct Target {
  unsigned number;
  uint64_t shared;  // bytes of a CTA at most, static and dynamic
};
constexpr Target kTargets[] = {
    {50, 48 << 10},   {52, 48 << 10},   {53, 48 << 10},   {60, 48 << 10},  {61, 48 << 10},
    {62, 48 << 10},   {70, 96 << 10},   {72, 96 << 10},   {75, 64 << 10},  {80, 163 << 10},
    {86, 99 << 10},   {87, 163 << 10},  {89, 99 << 10},   {90, 227 << 10}, {100, 227 << 10},
    {101, 227 << 10}, {103, 227 << 10}, {110, 227 << 10}, {120, 99 << 10}, {121, 99 << 10},
};
constexpr uint64_t kMaxShared = 227 << 10;  // of a target that the table does not have

constexpr char kAxes[] = "xyz";

// "sm_90a": 90; 0 where none is named.
unsigned number_of(const Launch& launch) {
  unsigned number = 0;
  if (launch.function->module == nullptr) return number;
  const std::string& name = launch.function->module->target;
  const size_t digits = name.find_first_of("0123456789");
  if (digits == name.npos) return number;
  std::from_chars(name.data() + digits, name.data() + name.size(), number);
  return number;
}

uint64_t max_shared(unsigned target) {
  const auto* row = std::find_if(std::begin(kTargets), std::end(kTargets),
                                 [&](const Target& t) { return t.number == target; });
  return row == std::end(kTargets) ? kMaxShared : row->shared;
}

uint64_t product(const std::array<uint32_t, 3>& extents) {
  return uint64_t{extents[0]} * extents[1] * extents[2];
}

// The extents that a directive of the kernel gives, those left out being 1; nothing without it.
std::optional<std::array<uint64_t, 3>> directive(const Launch& launch, std::string_view wanted) {
  const ptx::Function* kernel = launch.function->source;
  if (kernel == nullptr) return std::nullopt;
  for (const auto& [name, extents] : kernel->directives) {
    if (name != wanted) continue;
    std::array<uint64_t, 3> result{1, 1, 1};
    std::copy_n(extents.begin(), std::min<size_t>(extents.size(), 3), result.begin());
    return result;
  }
  return std::nullopt;
}

std::string shape(const auto& extents) {
  return fmt::format("{} x {} x {}", extents[0], extents[1], extents[2]);
}

std::string beyond_extents(const Launch& launch) {
  const uint64_t threads = product(launch.block);
  if (threads == 0) return "a block of no threads";
  if (product(launch.grid) == 0) return "a grid of no CTAs";
  if (threads > kMaxThreads) {
    return fmt::format("a block of {} threads, more than {}", threads, kMaxThreads);
  }
  for (unsigned i = 0; i < 3; ++i) {
    if (launch.block[i] > kMaxBlock[i]) {
      return fmt::format("a block of {} threads in {}, more than {}", launch.block[i], kAxes[i],
                         kMaxBlock[i]);
    }
    if (launch.grid[i] > kMaxGrid[i]) {
      return fmt::format("a grid of {} CTAs in {}, more than {}", launch.grid[i], kAxes[i],
                         kMaxGrid[i]);
    }
  }
  return "";
}

// PTX 11.4.2, 11.4.3. That a kernel was compiled for so many registers or CTAs is no limit.
std::string beyond_directives(const Launch& launch) {
  const uint64_t threads = product(launch.block);
  if (const auto most = directive(launch, "maxntid")) {
    const uint64_t allowed = (*most)[0] * (*most)[1] * (*most)[2];
    if (threads > allowed) {
      return fmt::format("a block of {} threads, and the kernel says .maxntid {}", threads,
                         allowed);
    }
  }
  if (const auto exact = directive(launch, "reqntid")) {
    if (!std::equal(exact->begin(), exact->end(), launch.block.begin())) {
      return fmt::format("a block of {} threads, and the kernel says .reqntid {}",
                         shape(launch.block), shape(*exact));
    }
  }
  return "";
}

std::string beyond_clusters(const Launch& launch) {
  const uint64_t given = product(launch.cluster);
  const uint64_t size = cluster_size(launch);
  const unsigned target = number_of(launch);
  if (size == 0) return "a cluster of no CTAs";
  if (size == 1) return "";
  if (target != 0 && target < kClustersFrom) {
    return fmt::format("a cluster of {} CTAs, which sm_{} does not have", size, target);
  }
  if (size > kMaxCluster) {
    return fmt::format("a cluster of {} CTAs, more than {}", size, kMaxCluster);
  }
  const auto required = directive(launch, "reqnctapercluster");
  if (required && given != 1 &&
      !std::equal(required->begin(), required->end(), launch.cluster.begin())) {
    return fmt::format("a cluster of {} CTAs, and the kernel says .reqnctapercluster {}",
                       shape(launch.cluster), shape(*required));
  }
  if (const auto most = directive(launch, "maxclusterrank"); most && size > (*most)[0]) {
    return fmt::format("a cluster of {} CTAs, and the kernel says .maxclusterrank {}", size,
                       (*most)[0]);
  }
  for (unsigned i = 0; i < 3; ++i) {
    const uint64_t extent = given != 1 ? launch.cluster[i] : (*required)[i];
    if (launch.grid[i] % extent != 0) {
      return fmt::format("a grid of {} CTAs in {}, which is no multiple of the cluster's {}",
                         launch.grid[i], kAxes[i], extent);
    }
  }
  return "";
}

std::string beyond_shared(const Launch& launch) {
  uint64_t fixed = 0;
  for (const ir::MemoryObject& object : launch.function->objects) {
    if (object.space != ptx::Space::kShared || object.dynamic_shared) continue;
    fixed = (fixed + object.align - 1) / object.align * object.align + object.bytes;
  }
  if (fixed > kMaxStaticShared) {
    return fmt::format("{} bytes of static shared memory, more than {}", fixed, kMaxStaticShared);
  }
  const unsigned target = number_of(launch);
  const uint64_t all = fixed + launch.shared_bytes, most = max_shared(target);
  if (all <= most) return "";
  if (target == 0) return fmt::format("{} bytes of shared memory, more than {}", all, most);
  return fmt::format("{} bytes of shared memory, more than the {} of sm_{}", all, most, target);
}

std::string beyond_registers(const Launch& launch) {
  if (launch.registers == 0) return "";
  const uint64_t of_warp =
      (uint64_t{launch.registers} * 32 + kRegisterUnit - 1) / kRegisterUnit * kRegisterUnit;
  const uint64_t warps = (product(launch.block) + 31) / 32;
  const uint64_t fit = kRegisterFile / of_warp / kParts * kParts;
  if (warps <= fit) return "";
  return fmt::format("{} threads of {} registers (by ptxas), more than the {} of an SM hold",
                     warps * 32, launch.registers, kRegisterFile);
}

}  // namespace

uint64_t cluster_size(const Launch& launch) {
  const uint64_t given = product(launch.cluster);
  if (given != 1) return given;
  const auto required = directive(launch, "reqnctapercluster");
  return required ? (*required)[0] * (*required)[1] * (*required)[2] : 1;
}

std::string beyond_limits(const Launch& launch) {
  for (const auto check :
       {beyond_extents, beyond_directives, beyond_clusters, beyond_shared, beyond_registers}) {
    if (std::string wrong = check(launch); !wrong.empty()) return wrong;
  }
  return "";
}

}  // namespace ptxequiv::machine
