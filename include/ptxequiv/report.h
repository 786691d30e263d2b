// Everything the program says about one check. `check` fills it, `report` prints it. Its JSON form
// is schema ptxequiv/report/v1; names there are fixed: later versions add and never rename.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ptxequiv/verdict.h"

namespace ptxequiv {

// A line of a kernel's PTX and, where the compiler left one, of its source.
struct Place {
  std::string side;          // "reference" or "candidate"
  std::string file;          // PTX path
  uint32_t line = 0;
  std::string instruction;   // "st.global.f32"
  std::string source_file;   // from .loc, or empty
  uint32_t source_line = 0;
  uint32_t launch = 0;       // step of the program, from 0
  std::string kernel;
  std::string access;        // "write" or "read" for the accesses of a fault, else empty
  std::string thread;        // "thread 64", or empty
};

struct Assumption {
  std::string id;            // "constant", "disjoint-buffers", ...
  std::string sentence;
  uint64_t count = 1;
  std::vector<Place> places; // a few of them
};

struct InputValue {
  std::string name;          // "x[2,17]" or a scalar's name
  std::string value;         // decimal, shortest that reads back exactly
  std::string bits;          // "0x3f800000"
};

// One side's value of an element in both readings.
struct ElementValue {
  std::string real;          // decimal digits that are certain, "undefined", "not written"
  std::string bits;          // as hardware would leave it (uncontracted), or empty
  std::string hardware;      // those bits as a number
};

// What one schedule leaves in an element.
struct ScheduledValue {
  std::string schedule;      // "CTAs, warps and lanes from first to last"
  ElementValue value;
};

struct Witness {
  std::string element;       // "o[2,17]"
  std::string buffer;
  uint64_t index = 0;        // flat
  std::vector<InputValue> inputs;      // those that matter
  std::string other_inputs;            // "all other elements 0"
  ElementValue reference, candidate;
  std::vector<ScheduledValue> runs;    // of `nondeterministic`: two, with the same inputs
  std::optional<bool> visible_in_bits;
  std::optional<double> ulp;
  std::vector<Place> places;           // the two stores, or the two accesses of a race
  std::string schedule;                // for schedule faults: why nothing orders them
  bool confirmed = false;
};

struct LaunchScope {
  std::string side, kernel, ptx;
  uint32_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  uint32_t shared_bytes = 0;
};

struct BufferScope {
  std::string name, type, role;
  std::vector<uint64_t> shape;
};

struct Note {
  std::string id, message;
  std::vector<Place> places;
  uint64_t count = 1;
};

struct Finding {             // a fault, primary or not
  std::string category;
  std::string side;
  std::string message;
  std::string location;
  std::string remedy;
  std::vector<Place> places;
};

struct Suppressed {          // a finding that the user's file takes for harmless
  Finding finding;
  std::string kernel;
  std::string reason;
  bool certain = true;       // false: it could not be excluded
};

struct OpenItem {            // what is left open, and why
  std::string what;          // "o[0,3] and 15 more"
  std::string why;
  std::vector<Place> places;
};

struct Report {
  std::string title, check_file;
  Verdict verdict = Verdict::kUnknown;
  std::string category;      // of a refutation: "value", "race-shared", ...
  std::optional<Level> level;          // of a proof
  Level demanded = Level::kReal;
  std::string reason;        // one id or sentence: "timeout", "input", "reference-fault", ...
  std::string message;       // the first line without the verdict's name
  std::string hint;
  // Of level real-if: conditions under which the two sides are equal (all of them together). Beside
  // a refutation, or where a stronger level was demanded, they are what would be enough.
  std::vector<std::string> holds_if;
  // |reference - candidate| <= atol + rtol * |reference| was asked for: both as written.
  std::optional<std::pair<std::string, std::string>> tolerance;

  std::vector<LaunchScope> launches;
  std::vector<BufferScope> buffers;
  std::vector<std::pair<std::string, std::string>> scalars;   // name, value or range
  std::vector<std::pair<std::string, uint64_t>> bounds;       // loop iterations, worlds, ...
  std::vector<std::string> outside;    // what no verdict covers: host code, streams, timing

  std::vector<Assumption> assumptions;
  std::vector<std::string> inferred;   // "block of reference = 128 (from .reqntid)"
  std::optional<Witness> witness;
  std::vector<Finding> findings;
  std::vector<Suppressed> suppressed;
  std::vector<OpenItem> open;
  std::vector<Note> notes;

  uint64_t elements_compared = 0, elements_proved = 0, elements_refuted = 0;
  // How many elements each rung of the ladder decided: "identical", "normal-form", "same-kind",
  // "case-split", "z3".
  std::vector<std::pair<std::string, uint64_t>> proof_steps;
  std::vector<std::pair<std::string, double>> timings;        // stage, seconds
  double seconds = 0;
  uint64_t peak_memory_bytes = 0;
  std::vector<std::pair<std::string, std::string>> input_hashes;  // path, sha256
  std::vector<std::pair<std::string, std::string>> versions;      // "ptxequiv", "z3"
};

}  // namespace ptxequiv
