// Instructions that are known and have no meaning here yet: an error only where one is executed.
#include "isa/context.h"

namespace ptxequiv::isa {

void lower_unsupported(Context& context) {
  context.unsupported();
}

namespace {

constexpr Row kRows[] = {
    // Not in the manual, taken by ptxas; hardware rounds in its own way (shared/vectors).
    {"fma", ".(rz|rm|rp){.oob}<81,90>{.relu}.(bf16|bf16x2) d, a, b, c", 70, 80, lower_unsupported,
     "9.7.4.4"},
    {"rcp", ".(rn|rz|rm|rp).ftz.f64 d, a", 21, 20, lower_unsupported, "9.7.3.13"},
    {"mapa", "{.shared::cluster}.(u32|u64) d, a, b:u32", 78, 90, lower_unsupported, "9.7.9.23"},
    {"getctarank", "{.shared::cluster}.(u32|u64) d:u32, a", 78, 90, lower_unsupported, "9.7.9.24"},
};

}  // namespace

std::span<const Row> unsupported_rows() {
  return kRows;
}

}  // namespace ptxequiv::isa
