#include "ptx/target_version.h"

namespace ptxequiv::ptx {
namespace {

struct Row {
  std::string_view target;
  uint16_t version;
};

// As ptxas 13.0 has them.
constexpr Row kRows[] = {
    {"10", 10},   {"11", 10},   {"12", 12},  {"13", 12},   {"20", 20},   {"21", 20},
    {"30", 30},   {"32", 40},   {"35", 31},  {"37", 41},   {"50", 40},   {"52", 41},
    {"53", 42},   {"60", 50},   {"61", 50},  {"62", 50},   {"70", 60},   {"72", 61},
    {"75", 63},   {"80", 70},   {"86", 71},  {"87", 74},   {"88", 73},   {"89", 78},
    {"90", 78},   {"90a", 80},  {"100", 86}, {"100a", 86}, {"100f", 88}, {"101", 86},
    {"101a", 86}, {"101f", 88}, {"103", 88}, {"103a", 88}, {"103f", 88}, {"110", 90},
    {"110a", 90}, {"110f", 90}, {"120", 87}, {"120a", 87}, {"120f", 88}, {"121", 88},
    {"121a", 88}, {"121f", 88},
};

}  // namespace

uint16_t first_version(std::string_view target) {
  constexpr std::string_view kPrefix = "sm_";
  if (!target.starts_with(kPrefix)) return 0;
  for (const Row& row : kRows)
    if (target.substr(kPrefix.size()) == row.target) return row.version;
  return 0;
}

}  // namespace ptxequiv::ptx
