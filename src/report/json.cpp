#include <cmath>
#include <nlohmann/json.hpp>

#include "report/report.h"

namespace ptxequiv::report {
namespace {

using Json = nlohmann::ordered_json;

Json text_or_null(const std::string& text) {
  return text.empty() ? Json() : Json(text);
}

// Microseconds are all that a clock is worth; a number that is not finite has no JSON form.
Json rounded(double value) {
  if (!std::isfinite(value)) return {};
  return std::round(value * 1e6) / 1e6;
}

template <typename List, typename Function>
Json array(const List& list, Function convert) {
  Json result = Json::array();
  for (const auto& item : list) result.push_back(convert(item));
  return result;
}

template <typename List, typename Function>
Json object(const List& pairs, Function convert) {
  Json result = Json::object();
  for (const auto& [key, value] : pairs) result[key] = convert(value);
  return result;
}

const auto kSame = [](const auto& value) { return Json(value); };

Json place(const Place& p) {
  Json result = {
      {"side", p.side}, {"file", p.file}, {"line", p.line}, {"instruction", p.instruction}};
  if (!p.source_file.empty()) {
    result["source_file"] = p.source_file;
    result["source_line"] = p.source_line;
  }
  result["launch"] = p.launch;
  result["kernel"] = p.kernel;
  if (!p.access.empty()) result["access"] = p.access;
  if (!p.thread.empty()) result["thread"] = p.thread;
  return result;
}

Json places(const std::vector<Place>& list) {
  return array(list, place);
}

Json launch(const LaunchScope& l) {
  return {{"side", l.side},
          {"kernel", l.kernel},
          {"ptx", l.ptx},
          {"grid", {l.grid[0], l.grid[1], l.grid[2]}},
          {"block", {l.block[0], l.block[1], l.block[2]}},
          {"shared_bytes", l.shared_bytes}};
}

Json buffer(const BufferScope& b) {
  return {{"name", b.name}, {"type", b.type}, {"role", b.role}, {"shape", b.shape}};
}

Json assumption(const Assumption& a) {
  return {{"id", a.id}, {"sentence", a.sentence}, {"count", a.count}, {"places", places(a.places)}};
}

Json element_value(const ElementValue& v) {
  return {{"real", text_or_null(v.real)},
          {"bits", text_or_null(v.bits)},
          {"hardware", text_or_null(v.hardware)}};
}

Json witness(const Witness& w) {
  Json result;
  result["element"] = w.element;
  result["buffer"] = text_or_null(w.buffer);
  result["index"] = w.index;
  result["inputs"] = array(w.inputs, [](const InputValue& i) {
    return Json{{"name", i.name}, {"value", i.value}, {"bits", i.bits}};
  });
  result["other_inputs"] = text_or_null(w.other_inputs);
  result["reference"] = element_value(w.reference);
  result["candidate"] = element_value(w.candidate);
  if (!w.runs.empty()) {
    result["runs"] = array(w.runs, [](const ScheduledValue& run) {
      return Json{{"schedule", run.schedule}, {"value", element_value(run.value)}};
    });
  }
  result["visible_in_bits"] = w.visible_in_bits ? Json(*w.visible_in_bits) : Json();
  result["ulp"] = w.ulp && std::isfinite(*w.ulp) ? Json(*w.ulp) : Json();
  result["places"] = places(w.places);
  result["schedule"] = text_or_null(w.schedule);
  result["confirmed"] = w.confirmed;
  return result;
}

Json finding(const Finding& f) {
  return {{"category", f.category},
          {"side", f.side},
          {"message", f.message},
          {"location", text_or_null(f.location)},
          {"remedy", text_or_null(f.remedy)},
          {"places", places(f.places)}};
}

Json suppressed(const Suppressed& s) {
  Json result = finding(s.finding);
  result["kernel"] = text_or_null(s.kernel);
  result["certain"] = s.certain;
  result["suppressed_because"] = s.reason;
  return result;
}

Json open_item(const OpenItem& o) {
  return {{"what", o.what}, {"why", o.why}, {"places", places(o.places)}};
}

Json note(const Note& n) {
  return {{"id", n.id}, {"message", n.message}, {"count", n.count}, {"places", places(n.places)}};
}

}  // namespace

nlohmann::ordered_json to_json(const Report& r) {
  Json result;
  result["schema"] = kSchema;
  result["verdict"] = name(r.verdict);
  result["category"] = text_or_null(r.category);
  result["level"] = r.level ? Json(name(*r.level)) : Json();
  result["demanded"] = name(r.demanded);
  if (!r.holds_if.empty()) result["holds_if"] = r.holds_if;
  if (r.tolerance) {
    result["tolerance"] = {{"atol", r.tolerance->first}, {"rtol", r.tolerance->second}};
  }
  result["reason"] = text_or_null(r.reason);
  result["message"] = headline(r);
  result["hint"] = text_or_null(r.hint);
  result["title"] = text_or_null(r.title);
  result["check_file"] = text_or_null(r.check_file);
  result["elements_compared"] = r.elements_compared;
  result["elements_proved"] = r.elements_proved;
  result["elements_refuted"] = r.elements_refuted;
  result["witness"] = r.witness ? witness(*r.witness) : Json();
  result["findings"] = array(r.findings, finding);
  if (!r.suppressed.empty()) result["suppressed"] = array(r.suppressed, suppressed);
  result["open"] = array(r.open, open_item);
  result["assumptions"] = array(r.assumptions, assumption);
  result["inferred"] = r.inferred;
  result["notes"] = array(r.notes, note);
  result["scope"] = {{"launches", array(r.launches, launch)},
                     {"buffers", array(r.buffers, buffer)},
                     {"scalars", object(r.scalars, kSame)},
                     {"bounds", object(r.bounds, kSame)},
                     {"outside", r.outside}};
  result["proof_steps"] = object(r.proof_steps, kSame);
  result["seconds"] = rounded(r.seconds);
  result["timings"] = object(r.timings, rounded);
  result["peak_memory_bytes"] = r.peak_memory_bytes;
  result["inputs"] = array(r.input_hashes, [](const auto& input) {
    return Json{{"path", input.first}, {"sha256", text_or_null(input.second)}};
  });
  result["versions"] = object(r.versions, kSame);
  return result;
}

nlohmann::ordered_json to_json(const std::vector<Report>& reports) {
  if (reports.size() == 1) return to_json(reports[0]);
  Verdict worst = Verdict::kEquivalent;
  for (const Report& report : reports) worst = worse(worst, report.verdict);
  // Nothing checked is nothing proved.
  if (reports.empty()) worst = Verdict::kInvalid;
  Json result;
  result["schema"] = kSchema;
  result["verdict"] = name(worst);
  result["checks"] = array(reports, [](const Report& report) { return to_json(report); });
  return result;
}

std::string dump(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace ptxequiv::report
