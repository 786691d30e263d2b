#include "spec/vocabulary.h"

#include <fmt/format.h>

#include <array>

#include "spec/nearest.h"

namespace ptxequiv {

namespace {
constexpr std::array<std::string_view, 5> kVerdicts = {"equivalent", "not_equivalent", "unknown",
                                                       "unsupported", "invalid"};
constexpr std::array<std::string_view, 4> kLevels = {"bitwise", "real", "real-if", "tolerance"};
}  // namespace

std::string_view name(Verdict verdict) {
  return kVerdicts[static_cast<size_t>(verdict)];
}
std::string_view name(Level level) {
  return kLevels[static_cast<size_t>(level)];
}
int exit_code(Verdict verdict) {
  return static_cast<int>(verdict);
}

Verdict worse(Verdict a, Verdict b) {
  // By badness: equivalent, unknown, unsupported, not_equivalent, invalid.
  constexpr std::array<int, 5> kBadness = {0, 3, 1, 2, 4};
  return kBadness[static_cast<size_t>(a)] >= kBadness[static_cast<size_t>(b)] ? a : b;
}

namespace spec {
namespace {

constexpr std::array<std::string_view, 4> kRoles = {"input", "output", "inout", "scratch"};

template <typename Enum, size_t N>
std::optional<Enum> find(const std::array<std::string_view, N>& names, std::string_view name) {
  for (size_t i = 0; i < N; ++i)
    if (names[i] == name) return static_cast<Enum>(i);
  return std::nullopt;
}

template <size_t N>
std::vector<std::string> strings(const std::array<std::string_view, N>& names) {
  return {names.begin(), names.end()};
}

}  // namespace

const std::vector<Word>& categories() {
  static const std::vector<Word> kWords = {
      {"value", "an output element has another value"},
      {"coverage", "an output element is written by one side only"},
      {"input-modified", "an input buffer is changed"},
      {"uninit-read", "an output depends on memory that nothing wrote"},
      {"out-of-bounds", "an access outside its buffer"},
      {"misaligned", "an access that is not a multiple of its width"},
      {"race-shared", "two unordered accesses to shared memory"},
      {"race-global", "two unordered accesses to global memory"},
      {"barrier-divergence", "a barrier that not all its threads reach"},
      {"deadlock", "threads that wait for ever"},
      {"shuffle-mask", "a warp operation whose mask does not fit its lanes"},
      {"async-order", "an asynchronous operation that is not waited for"},
      {"trap", "a trap or failed assertion"},
      {"state", "module-level state left different"},
      {"launch-limit", "a launch that hardware refuses"},
      {"nondeterministic", "a result that depends on the schedule"},
      {"int-overflow", "a difference that only an integer wrap-around causes"},
      {"fp-special", "a difference on NaN or infinities"},
  };
  return kWords;
}

const std::vector<Word>& assumptions() {
  static const std::vector<Word> kWords = {
      {"reals", "floats are read as real numbers"},
      {"no-overflow", "no value leaves the range of a narrower float format"},
      {"discontinuity", "comparisons and steps of rounded values are taken over the reals"},
      {"int-to-float", "integers convert to floats without rounding"},
      {"constant", "a literal is read as a multiple of log2 e or ln 2"},
      {"libm", "an inlined library function is read as the function"},
      {"narrowing", "the candidate rounds to a narrower format than the reference"},
      {"commutative-atomics", "floating-point atomic additions commute"},
      {"elect", "elect.sync chooses the lowest lane of its mask"},
      {"warp-order", "shuffles and votes order memory among their lanes"},
      {"base-alignment", "buffers start at multiples of their alignment"},
      {"disjoint-buffers", "buffers do not overlap"},
      {"no-contraction", "multiplications and additions are not fused"},
      {"ref-domain", "inputs on which the reference is undefined are left out"},
      {"printf", "printed text is not compared"},
      {"inferred", "a size or role was inferred"},
      {"range", "inputs lie in their declared ranges"},
      {"assume", "the relations declared under `assume` hold"},
      {"suppressed", "findings that the suppressions file names do no harm"},
      {"nlsat", "a nonlinear solver's answer was used without a second opinion"},
  };
  return kWords;
}

std::vector<std::string> ids(const std::vector<Word>& words) {
  std::vector<std::string> result;
  for (const Word& word : words) result.emplace_back(word.id);
  return result;
}

std::optional<Level> level_named(std::string_view name) {
  return find<Level>(kLevels, name);
}
std::optional<Verdict> verdict_named(std::string_view name) {
  return find<Verdict>(kVerdicts, name);
}
std::optional<Role> role_named(std::string_view name) {
  return find<Role>(kRoles, name);
}
std::string_view name(Role role) {
  return kRoles[static_cast<size_t>(role)];
}
std::vector<std::string> level_names() {
  return strings(kLevels);
}
std::vector<std::string> verdict_names() {
  return strings(kVerdicts);
}
std::vector<std::string> role_names() {
  return strings(kRoles);
}

const std::vector<op::Type>& data_types() {
  using op::Type;
  static const std::vector<Type> kTypes = {
      Type::kS8,   Type::kS16, Type::kS32,  Type::kS64, Type::kU8,  Type::kU16,  Type::kU32,
      Type::kU64,  Type::kF16, Type::kBF16, Type::kF32, Type::kF64, Type::kTF32, Type::kE4M3,
      Type::kE5M2, Type::kB8,  Type::kB16,  Type::kB32, Type::kB64};
  return kTypes;
}

std::optional<op::Type> data_type_named(std::string_view name) {
  for (const op::Type type : data_types())
    if (op::name(type) == name) return type;
  return std::nullopt;
}

std::vector<std::string> data_type_names() {
  std::vector<std::string> result;
  for (const op::Type type : data_types()) result.emplace_back(op::name(type));
  return result;
}

bool meets(const std::string& expect, Verdict verdict, std::string_view category,
           std::string_view reason) {
  const size_t colon = expect.find(':');
  if (expect.substr(0, colon) != ptxequiv::name(verdict)) return false;
  if (colon == std::string::npos) return true;
  const std::string_view rest = std::string_view(expect).substr(colon + 1);
  return (verdict == Verdict::kNotEquivalent ? category : reason).substr(0, rest.size()) == rest;
}

std::optional<ExpectFault> fault_of_expect(const std::string& expect) {
  const size_t colon = expect.find(':');
  const std::string verdict = expect.substr(0, colon);
  if (!verdict_named(verdict))
    return ExpectFault{fmt::format("\"{}\" is no verdict", verdict),
                       nearest_hint(verdict, verdict_names())};
  if (colon == std::string::npos) return std::nullopt;
  const std::string rest = expect.substr(colon + 1);
  if (rest.empty())
    return ExpectFault{"nothing follows the colon", "leave the colon out, or name a category"};
  if (verdict != name(Verdict::kNotEquivalent)) return std::nullopt;
  for (const Word& word : categories())
    if (word.id.substr(0, rest.size()) == rest) return std::nullopt;
  return ExpectFault{fmt::format("no category begins with \"{}\"", rest),
                     nearest_hint(rest, ids(categories()))};
}

}  // namespace spec
}  // namespace ptxequiv
