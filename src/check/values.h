// Numbers as bits of a type, and bits as exact rationals and text.
#pragma once
#include <gmpxx.h>

#include <cstdint>
#include <optional>
#include <string>

#include "op/type.h"

namespace ptxequiv::check {

// Exact value of `bits` read as `type`; nullopt for NaN and infinities.
std::optional<mpq_class> value_of(op::Type type, uint64_t bits);
// The nearest representable value, as bits; saturates at the type's largest finite value.
uint64_t nearest_bits(op::Type type, const mpq_class& value);
// Least and greatest finite value of the type.
mpq_class least(op::Type type);
mpq_class greatest(op::Type type);
// Shortest decimal that reads back exactly; "inf", "nan" for those.
std::string to_decimal(op::Type type, uint64_t bits);
// "0x3f800000", as wide as the type.
std::string to_hex(op::Type type, uint64_t bits);

}  // namespace ptxequiv::check
