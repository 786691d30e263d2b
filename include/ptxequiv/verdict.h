// The closed set of answers (docs/architecture.md, "What a verdict means").
#pragma once
#include <cstdint>
#include <string_view>

namespace ptxequiv {

enum class Verdict : uint8_t { kEquivalent, kNotEquivalent, kUnknown, kUnsupported, kInvalid };

// Strongest first. A proof at one level satisfies a demand of any weaker one.
enum class Level : uint8_t { kBitwise, kReal, kRealIf, kTolerance };

std::string_view name(Verdict verdict);   // "not_equivalent": as in JSON
std::string_view name(Level level);       // "real-if"
int exit_code(Verdict verdict);           // 0..4, in the order above
// Of several checks the worst: invalid, not_equivalent, unsupported, unknown, equivalent.
Verdict worse(Verdict a, Verdict b);

}  // namespace ptxequiv
