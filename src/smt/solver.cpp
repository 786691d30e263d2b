#include "smt/solver.h"

#include <z3++.h>

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <new>
#include <sstream>
#include <string_view>

#include "smt/encode_bits.h"
#include "smt/encode_real.h"
#include "smt/worker.h"

namespace ptxequiv::smt {
namespace {

// What the child sends: "sat\n" + lines "ID VALUE\n", "unsat [nonlinear]\n", "unknown REASON\n".
constexpr std::string_view kSat = "sat\n", kUnsat = "unsat\n", kNonlinear = "unsat nonlinear\n";

// Z3's own count of steps for one second, low enough that on an idle machine it is met before the
// clock is: answers then do not depend on the load.
constexpr double kStepsPerSecond = 8e6;
// Beyond the time that Z3 was given, before it is killed: encoding, and its slow reactions.
constexpr double kGraceSeconds = 0.5;

// One way of solving a formula, and its part of the time.
struct Strategy {
  const char* last_tactic;
  double share;
};
constexpr std::array<Strategy, 1> kGeneral = {{{"smt", 1.0}}};
// The general solver finds identities fast and knows when it is lost; nlsat is complete.
constexpr std::array<Strategy, 2> kNonlinearReals = {{{"smt", 0.4}, {"qfnra-nlsat", 1.0}}};

class Session {
 public:
  Session(const Options& options, double seconds) : options_(options), seconds_(seconds) {
    // Below the child's RLIMIT_AS, so that Z3 mostly ends by itself.
    if (options.memory_megabytes > 0) {
      z3::set_param("memory_max_size", std::to_string(options.memory_megabytes * 7 / 8).c_str());
    }
  }

  z3::context& context() { return context_; }

  z3::solver make(const char* last_tactic) {
    const z3::tactic chain = z3::tactic(context_, "simplify") &
                             z3::tactic(context_, "propagate-values") &
                             z3::tactic(context_, "solve-eqs") & z3::tactic(context_, last_tactic);
    return chain.mk_solver();
  }

  // Checks with each strategy in turn until one knows.
  template <size_t N>
  z3::check_result check(const std::vector<z3::expr>& assertions,
                         const std::array<Strategy, N>& strategies) {
    double left = seconds_;
    for (const Strategy& strategy : strategies) {
      const double seconds = left * strategy.share;
      left -= seconds;
      z3::solver solver = make(strategy.last_tactic);
      z3::params params(context_);
      params.set("timeout", static_cast<unsigned>(std::clamp(seconds * 1e3, 1.0, 4e9)));
      params.set("rlimit",
                 static_cast<unsigned>(std::clamp(seconds * kStepsPerSecond, 1e3, 4e9)));
      params.set("random_seed", options_.seed);
      solver.set(params);
      for (const z3::expr& assertion : assertions) solver.add(assertion);
      const z3::check_result result = solver.check();
      if (result == z3::sat) model_ = solver.get_model();
      if (result != z3::unknown) return result;
      reason_ = solver.reason_unknown();
    }
    return z3::unknown;
  }

  std::string smt2(const std::vector<z3::expr>& assertions) {
    z3::solver solver(context_);
    for (const z3::expr& assertion : assertions) solver.add(assertion);
    return solver.to_smt2();
  }

  z3::expr value(const z3::expr& of) const { return model_->eval(of, true); }
  std::string unknown_line() const {
    const bool limit = reason_.find("canceled") != std::string::npos ||
                       reason_.find("timeout") != std::string::npos ||
                       reason_.find("resource") != std::string::npos;
    const bool memory = reason_.find("memory") != std::string::npos;
    return fmt::format("unknown {}\n", memory ? "memory" : limit ? "timeout" : "incomplete");
  }

 private:
  const Options& options_;
  double seconds_;
  z3::context context_;
  std::optional<z3::model> model_;
  std::string reason_;
};

// A number as "p/q". Roots of polynomials become a rational near them.
std::string rational_text(const z3::context& context, const z3::expr& value) {
  if (value.is_bool()) return value.is_true() ? "1" : "0";
  if (value.is_numeral()) return Z3_get_numeral_string(value.ctx(), value);
  if (value.is_algebraic()) {
    constexpr unsigned kDigits = 24;
    const z3::expr low(value.ctx(), Z3_get_algebraic_number_lower(value.ctx(), value, kDigits));
    return Z3_get_numeral_string(context, low);
  }
  return "0";
}

// Named by its content: equal queries share a file, and two runs make the same ones.
void dump(const std::string& directory, const std::string& kind, std::string text,
          std::string_view status) {
  uint64_t hash = 0xcbf29ce484222325u;   // FNV-1a
  for (unsigned char c : text) hash = (hash ^ c) * 0x100000001b3u;
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  const auto path = std::filesystem::path(directory) / fmt::format("{}-{:016x}.smt2", kind, hash);
  const auto part = path.string() + fmt::format(".{}", getpid());
  // Z3 writes a status of its own, which is unknown, and no logic.
  constexpr std::string_view kStatus = "(set-info :status unknown)\n";
  if (const size_t at = text.find(kStatus); at != std::string::npos) text.erase(at, kStatus.size());
  std::ofstream(part) << fmt::format("(set-logic ALL)\n(set-info :status {})\n", status) << text;
  std::filesystem::rename(part, path, error);
}

// Functions of which a query says something, but not all.
bool says_all(const real::Dag& dag, std::span<const real::RealId> conjunction) {
  for (const real::RealId id : real::cone(dag, conjunction)) {
    switch (dag[id].kind) {
      case real::Kind::kLog2E:
      case real::Kind::kExp2:
      case real::Kind::kExp:
      case real::Kind::kLog2:
      case real::Kind::kLog:
      case real::Kind::kSin:
      case real::Kind::kCos:
      case real::Kind::kTanh:
      case real::Kind::kErf:
        return false;
      default:
        break;
    }
  }
  return true;
}

std::string_view status_of(z3::check_result result) {
  return result == z3::unsat ? "unsat" : result == z3::sat ? "sat" : "unknown";
}

std::string solve_real(const Options& options, double seconds, const real::Dag& dag,
                       std::span<const real::RealId> conjunction, const real::Facts& facts) {
  Session session(options, seconds);
  const RealQuery query = encode_real(session.context(), dag, conjunction, facts);
  if (!query.obstacle.empty()) return fmt::format("unknown {}\n", query.obstacle);
  std::vector<z3::expr> all = query.assertions;
  all.insert(all.end(), query.wide_ranges.begin(), query.wide_ranges.end());
  const auto record = [&](z3::check_result result) {
    if (options.dump_directory.empty()) return;
    dump(options.dump_directory, "real", session.smt2(all), status_of(result));
  };
  record(z3::unknown);   // in case this process does not come back

  const auto check = [&](const std::vector<z3::expr>& assertions) {
    return query.nonlinear && !query.integers ? session.check(assertions, kNonlinearReals)
                                              : session.check(assertions, kGeneral);
  };
  z3::check_result result = check(query.assertions);
  if (result == z3::sat) {
    const bool within = std::all_of(query.wide_ranges.begin(), query.wide_ranges.end(),
                                    [&](const z3::expr& e) { return session.value(e).is_true(); });
    if (!within) result = check(all);
  }
  record(result);
  if (result == z3::unknown) return session.unknown_line();
  if (result == z3::unsat) return std::string(query.nonlinear ? kNonlinear : kUnsat);
  std::string answer(kSat);
  for (const auto& [id, unknown] : query.leaves) {
    answer += fmt::format("{} {}\n", id, rational_text(session.context(), session.value(unknown)));
  }
  return answer;
}

std::string solve_bits(const Options& options, double seconds, const term::Arena& arena,
                       std::span<const term::TermId> conjunction) {
  Session session(options, seconds);
  const BitsQuery query = encode_bits(session.context(), arena, conjunction);
  const auto record = [&](z3::check_result result) {
    if (options.dump_directory.empty()) return;
    dump(options.dump_directory, "bits", session.smt2(query.assertions), status_of(result));
  };
  record(z3::unknown);
  const z3::check_result result = session.check(query.assertions, kGeneral);
  record(result);
  if (result == z3::unknown) return session.unknown_line();
  if (result == z3::unsat) return std::string(kUnsat);
  std::string answer(kSat);
  for (const auto& [id, unknown] : query.leaves) {
    if (unknown.get_sort().bv_size() > 64) continue;
    answer += fmt::format("{} {}\n", id, session.value(unknown).get_numeral_uint64());
  }
  return answer;
}

// Z3 reports its own memory limit as an exception; the worker knows std::bad_alloc.
std::string guarded(const std::function<std::string()>& work) {
  try {
    return work();
  } catch (const z3::exception& error) {
    if (std::string_view(error.msg()).find("memory") != std::string_view::npos) {
      throw std::bad_alloc();
    }
    return "unknown incomplete\n";
  }
}

Unknown unknown_of(WorkerResult::State state) {
  switch (state) {
    case WorkerResult::State::kTimeout: return {"timeout"};
    case WorkerResult::State::kMemory: return {"memory"};
    case WorkerResult::State::kNoProcess: return {"no-process"};
    default: return {"crash"};
  }
}

void store(Model& model, uint32_t id, const std::string& value, bool bits) {
  if (bits) {
    model.bits[id] = std::stoull(value);
  } else {
    mpq_class number(value);
    number.canonicalize();
    model.reals[id] = number;
  }
}

Answer parse(const std::string& text, bool bits) {
  if (text == kUnsat) return Unsat{false};
  if (text == kNonlinear) return Unsat{true};
  if (text.starts_with("unknown ")) return Unknown{text.substr(8, text.size() - 9)};
  if (!text.starts_with(kSat)) return Unknown{"crash"};
  Model model;
  std::istringstream lines(text.substr(kSat.size()));
  uint32_t id = 0;
  for (std::string value; lines >> id >> value;) store(model, id, value, bits);
  return model;
}

}  // namespace

struct Solver::Impl {
  Options options;
  base::Log& log;

  // Seconds for one query; nothing if the deadline has passed.
  double budget(const base::Deadline& deadline) const {
    return std::min(options.timeout_seconds, deadline.left());
  }

  Answer ask(double seconds, bool bits, const std::function<std::string()>& work) {
    if (seconds <= 0) return Unknown{"timeout"};
    const WorkerLimits limits{seconds * 1.1 + kGraceSeconds, options.memory_megabytes};
    const WorkerResult result = run_in_child([&work] { return guarded(work); }, limits);
    if (result.state != WorkerResult::State::kDone) {
      const Unknown why = unknown_of(result.state);
      log.info("z3: no answer ({})", why.reason);
      return why;
    }
    log.debug("z3: {}", std::string_view(result.text).substr(0, result.text.find('\n')));
    return parse(result.text, bits);
  }
};

Solver::Solver(const Options& options, base::Log& log) : impl_(new Impl{options, log}) {}
Solver::~Solver() = default;

Answer Solver::check(const real::Dag& dag, std::span<const real::RealId> conjunction,
                     const real::Facts& facts, const base::Deadline& deadline) {
  const double seconds = impl_->budget(deadline);
  return impl_->ask(seconds, false, [&] {
    return solve_real(impl_->options, seconds, dag, conjunction, facts);
  });
}

Answer Solver::check_bits(const term::Arena& arena, std::span<const term::TermId> conjunction,
                          const base::Deadline& deadline) {
  const double seconds = impl_->budget(deadline);
  return impl_->ask(seconds, true,
                    [&] { return solve_bits(impl_->options, seconds, arena, conjunction); });
}

// In a child as well: Z3 never runs in the parent, whose threads may fork at any time.
std::string Solver::to_smt2(const real::Dag& dag, std::span<const real::RealId> conjunction,
                            const real::Facts& facts) {
  const WorkerLimits limits{impl_->options.timeout_seconds + kGraceSeconds,
                            impl_->options.memory_megabytes};
  const WorkerResult result = run_in_child(
      [&]() -> std::string {
        Session session(impl_->options, impl_->options.timeout_seconds);
        const RealQuery query = encode_real(session.context(), dag, conjunction, facts);
        if (!query.obstacle.empty()) return fmt::format("; not expressible: {}\n", query.obstacle);
        std::vector<z3::expr> all = query.assertions;
        all.insert(all.end(), query.wide_ranges.begin(), query.wide_ranges.end());
        return session.smt2(all);
      },
      limits);
  if (result.state == WorkerResult::State::kDone) return result.text;
  return fmt::format("; not written: {}\n", unknown_of(result.state).reason);
}

void Solver::record_unsat(const real::Dag& dag, std::span<const real::RealId> conjunction,
                          const real::Facts& facts) {
  if (!records()) return;
  const std::string text = to_smt2(dag, conjunction, facts);
  if (text.starts_with("; not")) return;
  dump(impl_->options.dump_directory, "real", text,
       says_all(dag, conjunction) ? "unsat" : "unknown");
}

bool Solver::records() const {
  return !impl_->options.dump_directory.empty();
}

std::string Solver::version() {
  unsigned major = 0, minor = 0, build = 0, revision = 0;
  Z3_get_version(&major, &minor, &build, &revision);
  return fmt::format("{}.{}.{}.{}", major, minor, build, revision);
}

}  // namespace ptxequiv::smt
