// Reports to print, one of each kind.
#pragma once
#include <fstream>
#include <sstream>
#include <string>

#include "ptxequiv/report.h"

inline ptxequiv::Place place(const std::string& side, uint32_t line, const std::string& source,
                             uint32_t source_line) {
  ptxequiv::Place p;
  p.side = side;
  p.file = side == "reference" ? "ref.ptx" : "cand.ptx";
  p.line = line;
  p.instruction = "st.global.b32";
  p.source_file = source;
  p.source_line = source_line;
  p.kernel = "softmax";
  return p;
}

// What all of them have in common.
inline ptxequiv::Report base_report() {
  ptxequiv::Report r;
  r.title = "softmax, one row a CTA";
  r.check_file = "softmax/check.json";
  for (const char* side : {"reference", "candidate"}) {
    ptxequiv::LaunchScope launch;
    launch.side = side;
    launch.kernel = "softmax";
    launch.ptx = std::string(side) == "reference" ? "ref.ptx" : "cand.ptx";
    launch.grid[0] = 4;
    launch.block[0] = 128;
    launch.shared_bytes = std::string(side) == "reference" ? 0 : 512;
    r.launches.push_back(launch);
  }
  r.buffers = {{"x", "f32", "input", {4, 200}}, {"o", "f32", "output", {4, 200}}};
  r.scalars = {{"n", "200"}, {"eps", "any"}};
  r.bounds = {{"loop iterations", 25}};
  r.outside = {"host code", "streams and other launches", "timing"};
  r.elements_compared = 800;
  r.seconds = 0.2134567891;
  r.timings = {{"load", 0.01}, {"execute", 0.2}};
  r.peak_memory_bytes = uint64_t{57} << 20;
  r.input_hashes = {{"ref.ptx", "ba7816bf"}, {"cand.ptx", ""}};
  r.versions = {{"ptxequiv", "0.1.0"}, {"z3", "4.13.0"}};
  return r;
}

inline ptxequiv::Report equivalent_report() {
  ptxequiv::Report r = base_report();
  r.verdict = ptxequiv::Verdict::kEquivalent;
  r.level = ptxequiv::Level::kReal;
  r.elements_proved = 800;
  r.assumptions = {{"constant",
                    "reading 0f3FB8AA3B as log2 e",
                    12,
                    {place("candidate", 77, "/src/softmax.py", 9)}},
                   {"reals", "floats as reals", 800, {}},
                   {"disjoint-buffers", "x and o disjoint", 1, {}}};
  r.inferred = {"block of the candidate = [128, 1, 1] (from .reqntid)"};
  r.proof_steps = {{"normal-form", 1}, {"same-kind", 799}};
  r.notes = {{"base-alignment",
              "a vector access relies on 16-byte alignment",
              {place("candidate", 80, "", 0)},
              3}};
  return r;
}

inline ptxequiv::Report refuted_report() {
  ptxequiv::Report r = base_report();
  r.verdict = ptxequiv::Verdict::kNotEquivalent;
  r.category = "value";
  r.message = "o[2,17] is 0.3148 in the reference and 0.2790 in the candidate";
  r.elements_refuted = 1;
  ptxequiv::Witness w;
  w.element = "o[2,17]";
  w.buffer = "o";
  w.index = 417;
  w.inputs = {{"x[2,0]", "1", "0x3f800000"}, {"x[2,64]", "2", "0x40000000"}};
  w.other_inputs = "all other elements 0";
  w.reference = {"0.3148", "0x3ea12e2a", "0.31480533"};
  w.candidate = {"0.2790", "0x3e8ed917", "0.27899429"};
  w.visible_in_bits = true;
  w.ulp = 1201427;
  w.places = {place("reference", 98, "/home/u/softmax.py", 20),
              place("candidate", 142, "/home/u/softmax.py", 31)};
  w.confirmed = true;
  r.witness = w;
  return r;
}

inline ptxequiv::Report race_report() {
  ptxequiv::Report r = base_report();
  r.verdict = ptxequiv::Verdict::kNotEquivalent;
  r.category = "race-shared";
  r.message = "red[32]: written by thread 64, read by thread 0, nothing between them";
  ptxequiv::Finding f;
  f.category = r.category;
  f.side = "candidate";
  f.message = r.message;
  f.location = "red[32]";
  f.remedy = "a bar.sync between lines 57 and 63 would order them";
  ptxequiv::Place write = place("candidate", 57, "sum.cu", 14),
                  read = place("candidate", 63, "sum.cu", 16);
  write.access = "write";
  write.thread = "thread 64";
  write.instruction = "st.shared.f32";
  read.access = "read";
  read.thread = "thread 0";
  read.instruction = "ld.shared.f32";
  f.places = {write, read};
  ptxequiv::Witness w;
  w.element = f.location;
  w.other_inputs = "any input";
  w.places = f.places;
  w.schedule = f.remedy;
  w.confirmed = true;
  r.witness = w;
  r.findings.push_back(f);
  f.category = "out-of-bounds";
  f.message = "x[800] is read by thread 127 of CTA 3";
  r.findings.push_back(f);
  return r;
}

inline ptxequiv::Report unknown_report() {
  ptxequiv::Report r = base_report();
  r.verdict = ptxequiv::Verdict::kUnknown;
  r.reason = "timeout";
  r.elements_proved = 784;
  r.message = "784 of 800 elements proved; o[0,3] and 15 more: the time for this check was over";
  r.open = {{"o[0,3] and 15 more",
             "the time for this check was over",
             {place("reference", 98, "", 0), place("candidate", 142, "", 0)}}};
  r.hint = "a longer --timeout may settle it";
  return r;
}

inline ptxequiv::Report invalid_report() {
  ptxequiv::Report r;
  r.check_file = "c.json";
  r.verdict = ptxequiv::Verdict::kInvalid;
  r.reason = "input";
  r.message = "c.json:7:40: the shape of \"o\" has the entry 0";
  r.hint = "1 is the least that makes sense here";
  return r;
}

inline std::string golden(const std::string& name) {
  std::ifstream stream(std::string(PTXEQUIV_TEST_DIR "/report/golden/") + name);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}
