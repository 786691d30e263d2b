#include <catch2/catch.hpp>

#include <sys/mman.h>

#include <chrono>
#include <cstdlib>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "smt/worker.h"

using namespace ptxequiv::smt;
using State = WorkerResult::State;

TEST_CASE("a child's text arrives whole, however long") {
  const std::string text(3 << 20, 'x');
  const WorkerResult result = run_in_child([&] { return text; }, {});
  REQUIRE(result.state == State::kDone);
  CHECK(result.text == text);
  CHECK(run_in_child([] { return std::string(); }, {}).state == State::kDone);
}

TEST_CASE("a child that crashes, throws or exits is a crash, not an answer") {
  CHECK(run_in_child([]() -> std::string { std::abort(); }, {}).state == State::kCrash);
  CHECK(run_in_child([]() -> std::string { throw 7; }, {}).state == State::kCrash);
  CHECK(run_in_child([]() -> std::string { std::_Exit(0); }, {}).state == State::kCrash);
}

TEST_CASE("a child that does not end is killed") {
  const auto start = std::chrono::steady_clock::now();
  const WorkerResult result = run_in_child(
      []() -> std::string {
        while (true) std::this_thread::sleep_for(std::chrono::hours(1));
      },
      {0.2, 0});
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  CHECK(result.state == State::kTimeout);
  CHECK(taken.count() < 3);
}

TEST_CASE("a child that wants too much memory ends as such") {
  const auto greedy = []() -> std::string {
    // Not operator new: a sanitizer's allocator does not throw.
    void* block = mmap(nullptr, size_t{1} << 30, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) throw std::bad_alloc();
    return "had it";
  };
  CHECK(run_in_child(greedy, {5, 256}).state == State::kMemory);
  CHECK(run_in_child(greedy, {5, 0}).state == State::kDone);
}

TEST_CASE("children of several threads do not hold each other up") {
  std::vector<std::thread> threads;
  std::vector<WorkerResult> results(6);
  for (size_t i = 0; i < results.size(); ++i) {
    threads.emplace_back([&results, i] {
      for (int round = 0; round < 10; ++round) {
        results[i] = run_in_child([i] { return std::to_string(i); }, {10, 0});
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (size_t i = 0; i < results.size(); ++i) CHECK(results[i].text == std::to_string(i));
}
