#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "report/layout.h"
#include "report/report.h"

namespace ptxequiv::report {
namespace {

constexpr size_t kScreen = 24;  // lines of a report that is not verbose
constexpr size_t kFewPlaces = 3;
constexpr size_t kFewItems = 4;

struct VerdictWords {
  std::string_view name;
  Style style;
};

VerdictWords words(Verdict verdict) {
  switch (verdict) {
    case Verdict::kEquivalent:
      return {"EQUIVALENT", Style::kGood};
    case Verdict::kNotEquivalent:
      return {"NOT EQUIVALENT", Style::kBad};
    case Verdict::kUnknown:
      return {"UNKNOWN", Style::kDoubt};
    case Verdict::kUnsupported:
      return {"UNSUPPORTED", Style::kDoubt};
    case Verdict::kInvalid:
      return {"INVALID", Style::kBad};
  }
  return {"UNKNOWN", Style::kDoubt};
}

const Assumption* find(const Report& report, std::string_view id) {
  for (const Assumption& assumption : report.assumptions)
    if (assumption.id == id) return &assumption;
  return nullptr;
}

std::string seconds(double value) {
  if (value < 0.095) return fmt::format("{:.2f} s", value);
  return value < 9.95 ? fmt::format("{:.1f} s", value) : fmt::format("{:.0f} s", value);
}

std::string plural(uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

// "4 of 128", the launches of one side; the first side says what the numbers count.
std::string threads(const Report& report, std::string_view side, bool nouns) {
  std::vector<std::string> parts;
  for (const LaunchScope& launch : report.launches) {
    if (launch.side != side) continue;
    const uint64_t ctas = uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
    const uint64_t block = uint64_t{launch.block[0]} * launch.block[1] * launch.block[2];
    parts.push_back(nouns && parts.empty()
                        ? fmt::format("{} of {} threads", plural(ctas, "CTA"), block)
                        : fmt::format("{} of {}", ctas, block));
  }
  if (parts.size() > 3) return fmt::format("{} launches", parts.size());
  return fmt::format("{}", fmt::join(parts, " + "));
}

std::string compared_buffers(const Report& report) {
  std::vector<std::string> names;
  for (const BufferScope& buffer : report.buffers)
    if (buffer.role == "output" || buffer.role == "inout") names.push_back(buffer.name);
  if (names.size() > 4) return plural(names.size(), "buffer");
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string suppressed_count(const Report& report) {
  return plural(report.suppressed.size(), "suppressed finding");
}

// What the parentheses after the verdict hold.
std::string qualifier(const Report& report) {
  std::string result;
  switch (report.verdict) {
    case Verdict::kEquivalent:
      result = std::string(name(report.level.value_or(report.demanded)));
      if (report.level == Level::kRealIf)
        result += fmt::format(" {}", fmt::join(report.holds_if, " and "));
      if (report.level == Level::kTolerance && report.tolerance)
        result += fmt::format(" {},{}", report.tolerance->first, report.tolerance->second);
      // Rounding to less than the reference does is how kernels cheat: said in the first line.
      if (find(report, "narrowing")) result += ", narrowing";
      // A proof that leaves a finding aside is no proof of the whole.
      if (!report.suppressed.empty()) result += ", apart from " + suppressed_count(report);
      return result;
    case Verdict::kNotEquivalent:
      return report.category;
    case Verdict::kUnknown:
      return report.reason.size() <= 24 ? report.reason : "";
    case Verdict::kInvalid:
      return report.reason == "input" ? "" : report.reason;
    case Verdict::kUnsupported:
      return "";
  }
  return "";
}

std::string source(const Place& place) {
  if (place.source_file.empty()) return "";
  const size_t slash = place.source_file.find_last_of('/');
  const std::string file =
      slash == std::string::npos ? place.source_file : place.source_file.substr(slash + 1);
  return fmt::format("{}:{}", file, place.source_line);
}

std::string file_line(const Place& place) {
  if (place.file.empty()) return "";
  return place.line ? fmt::format("{}:{}", place.file, place.line) : place.file;
}

void places(Lines& lines, const std::vector<Place>& list, size_t most) {
  std::vector<std::vector<std::string>> rows;
  for (const Place& place : list) {
    if (rows.size() == most) break;
    rows.push_back({place.access.empty() ? place.side : place.access, file_line(place),
                    place.instruction, source(place),
                    place.thread.empty() ? "" : "(" + place.thread + ")"});
  }
  lines.table(rows, 2);
  if (list.size() > most) lines.paragraph(fmt::format("and {} more", list.size() - most), 2);
}

std::string places_inline(const std::vector<Place>& list) {
  std::vector<std::string> parts;
  for (const Place& place : list) {
    if (parts.size() == kFewPlaces) {
      parts.push_back("...");
      break;
    }
    const std::string text = source(place);
    parts.push_back(file_line(place) + (text.empty() ? "" : " (" + text + ")"));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string type_of(const Report& report, const std::string& buffer) {
  for (const BufferScope& scope : report.buffers)
    if (scope.name == buffer) return scope.type;
  return "";
}

std::string ulp_text(double ulp) {
  if (ulp < 1e5) return fmt::format("{:.10g} ulp apart", ulp);
  const int exponent = static_cast<int>(std::floor(std::log10(ulp)));
  return fmt::format("{:.1f}e{} ulp apart", ulp / std::pow(10.0, exponent), exponent);
}

void witness(Lines& lines, const Report& report, bool verbose) {
  const Witness& w = *report.witness;
  std::vector<std::string> inputs;
  const size_t most = verbose ? w.inputs.size() : 8;
  for (const InputValue& input : w.inputs) {
    if (inputs.size() == most) {
      inputs.push_back(fmt::format("... ({} more)", w.inputs.size() - most));
      break;
    }
    inputs.push_back(verbose && !input.bits.empty()
                         ? fmt::format("{} = {} ({})", input.name, input.value, input.bits)
                         : fmt::format("{} = {}", input.name, input.value));
  }
  if (!w.other_inputs.empty()) inputs.push_back(w.other_inputs);
  if (!inputs.empty()) lines.paragraph(fmt::format("with {}", fmt::join(inputs, ", ")), 2);
  for (const ScheduledValue& run : w.runs) {
    const std::string bits = run.value.bits.empty() ? "" : fmt::format(" ({})", run.value.bits);
    lines.paragraph(fmt::format("{}{} where {}", run.value.real, bits, run.schedule), 2);
  }
  places(lines, w.places, verbose ? w.places.size() : kFewItems);
  if (!w.reference.bits.empty() && !w.candidate.bits.empty()) {
    const std::string type = type_of(report, w.buffer);
    std::string text =
        w.reference.bits == w.candidate.bits
            ? fmt::format("both are {} on hardware: the difference is one of reals",
                          w.reference.bits)
            : fmt::format("{}on hardware: {} and {}", type.empty() ? "" : "as " + type + " ",
                          w.reference.bits, w.candidate.bits);
    if (w.ulp && *w.ulp > 0) text += ", " + ulp_text(*w.ulp);
    lines.paragraph(text, 2);
  }
  if (!w.schedule.empty()) lines.paragraph(w.schedule, 2);
  if (!w.confirmed) lines.paragraph("this witness is not confirmed", 2);
}

void findings(Lines& lines, const Report& report, bool verbose) {
  // The primary one is the first line already, and its places are the witness's.
  const auto is_primary = [&](const Finding& finding) {
    return &finding == &report.findings[0] && finding.category == report.category;
  };
  const auto sentence = [](const Finding& finding) {
    return fmt::format("{}{}: {}", finding.category,
                       finding.side.empty() ? "" : " of the " + finding.side, finding.message);
  };
  if (verbose) {
    for (const Finding& finding : report.findings) {
      if (is_primary(finding) && report.witness) continue;
      lines.paragraph(sentence(finding), 2, is_primary(finding) ? "" : "also ");
      places(lines, finding.places, finding.places.size());
      if (!finding.remedy.empty()) lines.paragraph(finding.remedy, 4);
    }
    return;
  }
  // One line for each kind: what one thread does wrong, its neighbours do too.
  std::map<std::pair<std::string, std::string>, size_t> counts;
  for (const Finding& finding : report.findings)
    if (!is_primary(finding)) ++counts[{finding.category, finding.side}];
  size_t shown = 0;
  for (const Finding& finding : report.findings) {
    size_t& count = counts[{finding.category, finding.side}];
    if (is_primary(finding) || count == 0) continue;
    if (shown++ == kFewItems) {
      lines.paragraph("and more findings with -v", 2);
      return;
    }
    const std::string more = count > 1 ? fmt::format(", and {} more like it", count - 1) : "";
    lines.paragraph(sentence(finding) + more, 2, "also ");
    count = 0;
  }
}

void assumptions(Lines& lines, const Report& report, bool verbose) {
  if (report.assumptions.empty()) return;
  if (verbose) {
    lines.add("  assumptions");
    for (const Assumption& assumption : report.assumptions) {
      lines.paragraph(
          fmt::format("{} [{}, {}]", assumption.sentence, assumption.id,
                      assumption.count == 1 ? "once" : fmt::format("{} times", assumption.count)),
          4);
      for (const Place& place : assumption.places)
        lines.paragraph(
            fmt::format("{}  {}  {}", file_line(place), place.instruction, source(place)), 6);
    }
    return;
  }
  std::vector<std::string> sentences;
  for (const Assumption& assumption : report.assumptions) {
    if (assumption.id == "narrowing") continue;
    std::string sentence = assumption.sentence;
    if (!assumption.places.empty() && assumption.count > 1)
      sentence += fmt::format(" ({} places)", assumption.count);
    sentences.push_back(std::move(sentence));
  }
  // The line that a reader must not miss comes first and by itself.
  if (const Assumption* narrowing = find(report, "narrowing"))
    lines.paragraph(narrowing->sentence +
                        (narrowing->places.empty() ? "" : ": " + places_inline(narrowing->places)),
                    2, "narrowing: ");
  if (!sentences.empty())
    lines.paragraph(fmt::format("{}", fmt::join(sentences, "; ")), 2, "assuming: ");
}

void suppressed(Lines& lines, const Report& report, bool verbose) {
  if (report.suppressed.empty()) return;
  const size_t count = report.suppressed.size(), most = verbose ? count : kFewPlaces;
  lines.paragraph(fmt::format("{} suppressed:", plural(count, "finding")), 2);
  for (size_t i = 0; i < std::min(count, most); ++i) {
    const Suppressed& s = report.suppressed[i];
    lines.paragraph(
        fmt::format("{}{} of the {}{}: {}; because: {}", s.certain ? "" : "possible ",
                    s.finding.category, s.finding.side,
                    s.kernel.empty() ? "" : fmt::format(" ({})", s.kernel), s.finding.message,
                    s.reason),
        4);
    places(lines, s.finding.places, verbose ? s.finding.places.size() : 2);
  }
  if (count > most) lines.paragraph(fmt::format("and {} more with -v", count - most), 4);
}

void open_items(Lines& lines, const Report& report, bool verbose) {
  size_t shown = 0;
  for (const OpenItem& item : report.open) {
    if (!verbose && shown == kFewItems) {
      lines.paragraph(fmt::format("{} more with -v", report.open.size() - shown), 2);
      return;
    }
    ++shown;
    std::string text = item.what;
    if (!item.why.empty()) text += ": " + item.why;
    // A single item is the first line already.
    if (verbose || report.open.size() > 1 || report.message.find(item.what) == std::string::npos)
      lines.paragraph(text, 2, "open: ");
    places(lines, item.places, verbose ? item.places.size() : 2);
  }
}

void notes(Lines& lines, const Report& report, bool verbose) {
  size_t shown = 0;
  for (const Note& note : report.notes) {
    if (!verbose && shown++ == kFewPlaces) {
      lines.paragraph(fmt::format("{} more notes with -v", report.notes.size() - kFewPlaces), 2);
      return;
    }
    std::string text = note.message;
    if (note.count > 1) text += fmt::format(" ({} times)", note.count);
    if (!note.places.empty()) text += " at " + places_inline(note.places);
    lines.paragraph(text, 2, "note: ");
  }
}

std::string shape(const std::array<uint32_t, 3>& extents) {
  return fmt::format("[{}]", fmt::join(extents, ", "));
}

void scope(Lines& lines, const Report& report) {
  std::vector<std::vector<std::string>> rows;
  for (const LaunchScope& l : report.launches)
    rows.push_back({l.side, l.kernel, l.ptx, "grid " + shape({l.grid[0], l.grid[1], l.grid[2]}),
                    "block " + shape({l.block[0], l.block[1], l.block[2]}),
                    l.shared_bytes ? plural(l.shared_bytes, "byte") + " shared" : ""});
  if (!rows.empty()) lines.add("  launches");
  lines.table(rows, 4);
  rows.clear();
  for (const BufferScope& b : report.buffers)
    rows.push_back({b.name, fmt::format("{}[{}]", b.type, fmt::join(b.shape, ",")), b.role});
  for (const auto& [name, value] : report.scalars) rows.push_back({name, value, "scalar"});
  if (!rows.empty()) lines.add("  data");
  lines.table(rows, 4);
  rows.clear();
  for (const auto& [name, value] : report.bounds) rows.push_back({name, std::to_string(value)});
  if (!rows.empty()) lines.add("  bounds");
  lines.table(rows, 4);
}

std::string bytes(uint64_t count) {
  if (count < (uint64_t{1} << 20)) return fmt::format("{} KiB", count >> 10);
  return fmt::format("{} MiB", count >> 20);
}

void details(Lines& lines, const Report& report) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& [step, count] : report.proof_steps)
    rows.push_back({step, plural(count, "element")});
  if (!rows.empty()) lines.add("  proved by");
  lines.table(rows, 4);
  rows.clear();
  for (const auto& [stage, time] : report.timings)
    rows.push_back({stage, fmt::format("{:.3f} s", time)});
  if (report.seconds > 0) rows.push_back({"all", fmt::format("{:.3f} s", report.seconds)});
  if (report.peak_memory_bytes > 0) rows.push_back({"memory", bytes(report.peak_memory_bytes)});
  if (!rows.empty()) lines.add("  cost");
  lines.table(rows, 4);
  rows.clear();
  for (const auto& [path, hash] : report.input_hashes)
    rows.push_back({path, hash.empty() ? "not read" : "sha256 " + hash});
  if (!rows.empty()) lines.add("  inputs");
  lines.table(rows, 4);
  if (!report.outside.empty())
    lines.paragraph(fmt::format("{}", fmt::join(report.outside, ", ")), 2, "not covered: ");
  rows.clear();
  for (const auto& [program, version] : report.versions) rows.push_back({program, version});
  lines.table(rows, 2);
}

}  // namespace

std::string headline(const Report& report) {
  if (report.verdict != Verdict::kEquivalent || report.elements_compared == 0)
    return printable(report.message.empty() ? report.reason : report.message);
  std::string result =
      fmt::format("{} of {} of {}", report.elements_proved,
                  plural(report.elements_compared, "element"), compared_buffers(report));
  const std::string reference = threads(report, "reference", true);
  const std::string candidate = threads(report, "candidate", false);
  if (!reference.empty() && !candidate.empty())
    result += ", " + reference + " against " + candidate;
  return printable(result);
}

std::string to_text(const Report& report, const TextOptions& options) {
  Lines lines(options.width, options.colour);
  const VerdictWords verdict = words(report.verdict);
  std::string title(verdict.name);
  if (const std::string inside = qualifier(report); !inside.empty())
    title += " (" + printable(inside) + ")";
  std::string first = options.label.empty() ? "" : printable(options.label) + "  ";
  first += styled(title, verdict.style, options.colour) + "   ";
  const bool is_input_error =
      report.verdict == Verdict::kInvalid || report.verdict == Verdict::kUnsupported;
  std::string head = headline(report), rest;
  if (const size_t end = head.find('\n'); end != std::string::npos) {
    rest = head.substr(end + 1);
    head.resize(end);
  }
  first += head;
  if (report.verdict == Verdict::kEquivalent) first += ", " + seconds(report.seconds);
  lines.add(first);
  if (options.quiet) return lines.text(1);

  if (!rest.empty()) lines.paragraph(rest, 2);
  if (options.verbose && !report.title.empty()) lines.paragraph(report.title, 2);
  if (report.witness) witness(lines, report, options.verbose);
  if (!report.holds_if.empty() && report.level != Level::kRealIf)
    lines.paragraph(
        fmt::format("equivalent if {}", fmt::join(report.holds_if, " and ")), 2);
  findings(lines, report, options.verbose);
  suppressed(lines, report, options.verbose);
  if (report.verdict != Verdict::kEquivalent) open_items(lines, report, options.verbose);
  assumptions(lines, report, options.verbose);
  if (!report.inferred.empty() && !(is_input_error && !options.verbose))
    lines.paragraph(fmt::format("{}", fmt::join(report.inferred, "; ")), 2, "inferred: ");
  notes(lines, report, options.verbose);
  if (!report.hint.empty()) lines.paragraph(report.hint, 2, "hint: ");
  if (options.verbose) {
    scope(lines, report);
    details(lines, report);
  }
  return lines.text(options.verbose ? SIZE_MAX : kScreen);
}

std::string summary(const std::vector<Report>& reports) {
  std::map<Verdict, size_t> counts;
  double time = 0;
  for (const Report& report : reports) {
    ++counts[report.verdict];
    time += report.seconds;
  }
  std::vector<std::string> parts;
  for (const auto& [verdict, count] : counts)
    parts.push_back(fmt::format("{} {}", count, name(verdict)));
  return fmt::format("{}: {}, {}", plural(reports.size(), "check"), fmt::join(parts, ", "),
                     seconds(time));
}

}  // namespace ptxequiv::report
