#include "smt/worker.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <utility>

namespace ptxequiv::smt {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kExitMemory = 41;
constexpr int kExitThrew = 42;

// Bytes of address space that this process has mapped.
uint64_t mapped_bytes() {
  unsigned long pages = 0;
  if (FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%lu", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return uint64_t{pages} * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

// The child starts with the parent's mappings, so the limit counts from there.
void limit_memory(unsigned megabytes) {
  if (megabytes == 0) return;
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0) return;
  const rlim_t wanted = mapped_bytes() + (uint64_t{megabytes} << 20);
  limit.rlim_cur = limit.rlim_max == RLIM_INFINITY ? wanted : std::min(wanted, limit.rlim_max);
  setrlimit(RLIMIT_AS, &limit);
}

bool write_all(int fd, const std::string& text) {
  size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = write(fd, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += static_cast<size_t>(n);
  }
  return true;
}

// The length goes first: end of file alone would not do, since a child that another thread forks
// meanwhile holds the writing end too.
bool send(int fd, const std::string& text) {
  const uint64_t size = text.size();
  std::string header(sizeof size, '\0');
  std::memcpy(header.data(), &size, sizeof size);
  return write_all(fd, header) && write_all(fd, text);
}

[[noreturn]] void child_main(const std::function<std::string()>& work, const WorkerLimits& limits,
                             int fd) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);   // no orphans when the checker is killed
  signal(SIGPIPE, SIG_IGN);
  // Handlers belong to the parent (a test framework's, say): here a crash is just an end.
  for (int fatal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTERM, SIGINT}) {
    signal(fatal, SIG_DFL);
  }
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  limit_memory(limits.memory_megabytes);
  int status = kExitThrew;
  try {
    if (send(fd, work())) status = 0;
  } catch (const std::bad_alloc&) {
    status = kExitMemory;
  } catch (...) {
    status = kExitThrew;
  }
  _exit(status);   // not exit: the parent's buffers and destructors are not ours
}

// The parent's end: collects the message until it is complete, the child is gone, or time is over.
class Receiver {
 public:
  explicit Receiver(int fd) : fd_(fd) {}

  // True if something may still come.
  bool read_some() {
    char buffer[1 << 14];
    const ssize_t n = read(fd_, buffer, sizeof buffer);
    if (n < 0) return errno == EINTR || errno == EAGAIN;
    text_.append(buffer, static_cast<size_t>(n));
    return n > 0 && !complete();
  }
  bool ready(int milliseconds) const {
    pollfd waiting{fd_, POLLIN, 0};
    return poll(&waiting, 1, milliseconds) > 0;
  }
  bool complete() const {
    uint64_t size = 0;
    if (text_.size() < sizeof size) return false;
    std::memcpy(&size, text_.data(), sizeof size);
    return text_.size() - sizeof size >= size;
  }
  std::string message() const { return text_.substr(sizeof(uint64_t)); }

 private:
  int fd_;
  std::string text_;
};

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

// The message is whole; the child may still be taking Z3 down, which is not worth waiting for.
WorkerResult done(pid_t child, const std::optional<int>& status, std::string text) {
  if (!status) {
    kill(child, SIGKILL);
    wait_for(child);
  }
  return {WorkerResult::State::kDone, std::move(text)};
}

}  // namespace

WorkerResult run_in_child(const std::function<std::string()>& work, const WorkerLimits& limits) {
  using State = WorkerResult::State;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {State::kNoProcess, {}};
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(std::min(limits.seconds, 1e8)));
  const pid_t child = fork();
  if (child < 0) {
    close(ends[0]);
    close(ends[1]);
    return {State::kNoProcess, {}};
  }
  if (child == 0) {
    close(ends[0]);
    child_main(work, limits, ends[1]);
  }
  close(ends[1]);
  Receiver receiver(ends[0]);
  std::optional<int> status;
  bool more = true;
  while (more && Clock::now() < end) {
    if (receiver.ready(20)) {
      more = receiver.read_some();
      continue;
    }
    int code = 0;
    if (waitpid(child, &code, WNOHANG) == child) {
      status = code;
      while (receiver.ready(0) && receiver.read_some()) {
      }
      more = false;
    }
  }
  close(ends[0]);
  if (receiver.complete()) return done(child, status, receiver.message());
  if (more) {
    kill(child, SIGKILL);
    wait_for(child);
    return {State::kTimeout, {}};
  }
  if (!status) status = wait_for(child);
  const bool out_of_memory = WIFEXITED(*status) && WEXITSTATUS(*status) == kExitMemory;
  return {out_of_memory ? State::kMemory : State::kCrash, {}};
}

}  // namespace ptxequiv::smt
