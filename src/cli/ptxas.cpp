#include "cli/ptxas.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "report/layout.h"

extern char** environ;

namespace ptxequiv::cli {
namespace {

constexpr std::chrono::seconds kMostTime{120};

struct Ended {
  bool is_good;
  std::string output;
};

class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_, O_CLOEXEC) != 0) throw base::InputError("", {}, "no pipe can be made");
  }
  ~Pipe() {
    close(ends_[0]);
    close_writer();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  int reader() const { return ends_[0]; }
  int writer() const { return ends_[1]; }
  void close_writer() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  int ends_[2];
};

// Everything that the other end writes. False if it did not close in time.
bool read_all(int descriptor, std::string& text) {
  const auto deadline = std::chrono::steady_clock::now() + kMostTime;
  char buffer[4096];
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    pollfd wanted{descriptor, POLLIN, 0};
    const int ready = poll(&wanted, 1, static_cast<int>(left.count()));
    if (ready < 0 && errno != EINTR) return false;
    if (ready <= 0) continue;
    const ssize_t size = read(descriptor, buffer, sizeof buffer);
    if (size == 0) return true;
    if (size > 0) text.append(buffer, static_cast<size_t>(size));
    if (size < 0 && errno != EINTR && errno != EAGAIN) return false;
  }
}

// Runs a program, without a shell, and gathers both of its streams.
Ended run_program(const std::string& program, std::vector<std::string> arguments) {
  Pipe pipe;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, pipe.writer(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, pipe.writer(), STDERR_FILENO);
  arguments.insert(arguments.begin(), program);
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  pid_t child = 0;
  const int error =
      posix_spawn(&child, program.c_str(), &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0)
    throw base::InputError(program, {}, fmt::format("cannot be run: {}", std::strerror(error)));
  pipe.close_writer();
  Ended result{false, {}};
  const bool in_time = read_all(pipe.reader(), result.output);
  if (!in_time) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!in_time)
    throw base::LimitReached("timeout",
                             fmt::format("{} ran for more than {} s", program, kMostTime.count()));
  result.is_good = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (WIFSIGNALED(status))
    result.output += fmt::format("\nptxas fatal : ended by signal {}\n", WTERMSIG(status));
  return result;
}

// Found in the text, since a file that our parser refuses is to be asked about as well.
std::string target_of(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw base::InputError(file, {}, "the file cannot be opened", "Check the path.");
  std::string line;
  while (std::getline(stream, line)) {
    const size_t first = line.find_first_not_of(" \t\r");
    if (first == line.npos || line.compare(first, 7, ".target") != 0) continue;
    const size_t begin = line.find("sm_", first);
    if (begin == line.npos) continue;
    size_t end = begin;
    while (end < line.size() &&
           (std::isalnum(static_cast<unsigned char>(line[end])) != 0 || line[end] == '_'))
      ++end;
    return line.substr(begin, end - begin);
  }
  return {};
}

// The number that stands before `unit`, 0 if there is none.
uint64_t number_before(std::string_view line, std::string_view unit) {
  const size_t at = line.find(unit);
  if (at == line.npos) return 0;
  size_t begin = at;
  while (begin > 0 && std::isdigit(static_cast<unsigned char>(line[begin - 1])) != 0) --begin;
  uint64_t value = 0;
  std::from_chars(line.data() + begin, line.data() + at, value);
  return value;
}

// ptxas FILE, line 12; error   : words
// ptxas fatal   : words
std::optional<PtxasMessage> message_in(std::string_view line) {
  const size_t colon = line.find(" : ");  // what follows are words
  for (const std::string_view severity : {"error", "fatal", "warning"}) {
    std::string_view head = line.substr(0, std::min(colon, line.size()));
    while (head.ends_with(' ')) head.remove_suffix(1);
    if (colon == line.npos || !head.ends_with(severity)) continue;
    head.remove_suffix(severity.size());
    PtxasMessage result{std::string(severity), 0, std::string(line.substr(colon + 3))};
    const std::string_view mark = ", line ";
    if (const size_t place = head.rfind(mark); place != head.npos)
      std::from_chars(head.data() + place + mark.size(), head.data() + head.size(), result.line);
    return result;
  }
  return std::nullopt;
}

std::string version_of(const std::string& program) {
  const std::string output = run_program(program, {"--version"}).output;
  const size_t begin = output.find(", V");
  if (begin == output.npos) return {};
  const size_t end = output.find_first_not_of("0123456789.", begin + 3);
  return output.substr(begin + 3, end == output.npos ? end : end - begin - 3);
}

std::string counted(uint64_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace

std::optional<std::string> find_ptxas() {
  const char* path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "" : path;
  while (!rest.empty()) {
    const size_t colon = std::min(rest.find(':'), rest.size());
    const std::string folder(rest.substr(0, colon));
    rest.remove_prefix(std::min(colon + 1, rest.size()));
    const std::string program = (folder.empty() ? "." : folder) + "/ptxas";
    std::error_code error;
    if (std::filesystem::is_regular_file(program, error) && access(program.c_str(), X_OK) == 0)
      return program;
  }
  return std::nullopt;
}

void read_ptxas_output(std::string_view output, PtxasOpinion& opinion) {
  const auto function = [&](std::string_view name) -> PtxasFunction& {
    for (PtxasFunction& each : opinion.functions)
      if (each.name == name) return each;
    opinion.functions.emplace_back().name = name;
    return opinion.functions.back();
  };
  std::string entry, current;
  while (!output.empty()) {
    const size_t end = std::min(output.find('\n'), output.size());
    const std::string_view line = output.substr(0, end);
    output.remove_prefix(std::min(end + 1, output.size()));
    constexpr std::string_view kEntry = "Compiling entry function '";
    constexpr std::string_view kProperties = "Function properties for ";
    if (const size_t at = line.find(kEntry); at != line.npos) {
      const std::string_view name = line.substr(at + kEntry.size());
      entry = name.substr(0, name.find('\''));
      function(entry).is_entry = true;
    } else if (const size_t place = line.find(kProperties); place != line.npos) {
      current = line.substr(place + kProperties.size());
    } else if (line.find(" bytes stack frame") != line.npos && !current.empty()) {
      PtxasFunction& found = function(current);
      found.stack_bytes = number_before(line, " bytes stack frame");
      found.spill_stores = number_before(line, " bytes spill stores");
      found.spill_loads = number_before(line, " bytes spill loads");
    } else if (line.find(": Used ") != line.npos && !entry.empty()) {
      PtxasFunction& found = function(entry);
      found.registers = number_before(line, " registers");
      found.barriers = number_before(line, " barriers");
      found.shared_bytes = number_before(line, " bytes smem");
    } else if (auto message = message_in(line)) {
      opinion.messages.push_back(std::move(*message));
    }
  }
}

PtxasOpinion ask_ptxas(const std::string& program, const std::string& file) {
  PtxasOpinion opinion;
  opinion.target = target_of(file);
  opinion.version = version_of(program);
  std::vector<std::string> arguments = {"-v", "-o", "/dev/null"};
  if (!opinion.target.empty()) arguments.push_back("-arch=" + opinion.target);
  arguments.push_back(file.starts_with('-') ? "./" + file : file);
  Ended ended = run_program(program, arguments);
  if (!ended.is_good && ended.output.find("Unresolved extern") != std::string::npos) {
    // A part of a program: to be linked, and legal as that.
    arguments.insert(arguments.begin(), "-c");
    ended = run_program(program, arguments);
  }
  opinion.accepts = ended.is_good;
  read_ptxas_output(ended.output, opinion);
  return opinion;
}

std::string describe_opinion(const PtxasOpinion& opinion, const std::string& file) {
  report::Lines lines(100, false);
  lines.paragraph(
      fmt::format("{}: ptxas{}{} for {} {} it", file, opinion.version.empty() ? "" : " ",
                  opinion.version, opinion.target.empty() ? "its default target" : opinion.target,
                  opinion.accepts ? "accepts" : "refuses"),
      0);
  constexpr size_t kMostMessages = 20;
  for (size_t i = 0; i < std::min(opinion.messages.size(), kMostMessages); ++i) {
    const PtxasMessage& message = opinion.messages[i];
    lines.paragraph(report::printable(message.text), 2,
                    message.line == 0
                        ? fmt::format("{}: ", message.severity)
                        : fmt::format("{}:{}: {}: ", file, message.line, message.severity));
  }
  if (opinion.messages.size() > kMostMessages)
    lines.paragraph(fmt::format("and {} more", opinion.messages.size() - kMostMessages), 2);
  std::vector<std::vector<std::string>> rows;
  for (const PtxasFunction& function : opinion.functions) {
    std::vector<std::string> facts;
    if (function.is_entry) {
      facts.push_back(counted(function.registers, "register"));
      facts.push_back(fmt::format("{} bytes of static shared memory", function.shared_bytes));
      if (function.barriers > 0) facts.push_back(counted(function.barriers, "barrier"));
    }
    if (function.stack_bytes > 0)
      facts.push_back(fmt::format("{} bytes of stack", function.stack_bytes));
    if (function.spill_stores + function.spill_loads > 0)
      facts.push_back(
          fmt::format("spills {} bytes, reloads {}", function.spill_stores, function.spill_loads));
    if (!facts.empty())
      rows.push_back({report::printable(function.name), fmt::format("{}", fmt::join(facts, "; "))});
  }
  lines.table(rows, 2);
  return lines.text(SIZE_MAX);
}

}  // namespace ptxequiv::cli
