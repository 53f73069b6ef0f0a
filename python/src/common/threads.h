#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <pybind11/pybind11.h>
#include <thread>
#include <vector>

#include "common/environment.h"
#include "mortise/base/interruption.h"

namespace mortise::python {

/// Says whether Ctrl-C was pressed while threads share a batch: only the one that Python called can find out.
class BatchTurn {
 public:
  explicit BatchTurn(std::atomic<bool>& over, bool asks) : over_(over), asks_(asks) {}
  /// Before each row. False: leave the rest.
  bool mayContinue() {
    if (asks_ && signals_.interrupted()) over_.store(true, std::memory_order_relaxed);
    return !over_.load(std::memory_order_relaxed);
  }

 private:
  std::atomic<bool>& over_;
  SignalCheck signals_;
  bool asks_;
};

/// The number of threads that still work, for the one that waits for them and listens for Ctrl-C.
class RunningThreads {
 public:
  explicit RunningThreads(pybind11::ssize_t count) : count_(count) {}
  void end() {
    const std::lock_guard guard(mutex_);
    --count_;
    ended_.notify_one();
  }
  /// Calls `meanwhile` now and then until all have ended.
  template <typename Meanwhile>
  void wait(Meanwhile&& meanwhile) {
    std::unique_lock lock(mutex_);
    while (count_ > 0) {
      ended_.wait_for(lock, std::chrono::milliseconds(20));
      lock.unlock();
      meanwhile();
      lock.lock();
    }
  }

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  pybind11::ssize_t count_;
};

/// Calls `work(begin, end, turn)` for parts of 0 ... count - 1 that threads share; the GIL must be released. Throws the
/// exception of the first part that has one, and KeyboardInterrupt. `threads`: 0 for as many as there are processors.
template <typename Work>
void inParallel(pybind11::ssize_t count, int threads, Work&& work) {
  const pybind11::ssize_t processors = std::max(1U, std::thread::hardware_concurrency());
  pybind11::ssize_t parts = threads > 0 ? threads : processors;
  parts = std::max<pybind11::ssize_t>(1, std::min({parts, count, pybind11::ssize_t{256}}));
  std::atomic<bool> over{false}, interrupted{false};
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(parts));
  BatchTurn listening(over, true), following(over, false);
  const auto guarded = [&](pybind11::ssize_t part, BatchTurn& turn) {
    try {
      work(count * part / parts, count * (part + 1) / parts, turn);
    } catch (const Interrupted&) {
      if (part > 0) return;  // Because another part is.
      failures[0] = std::current_exception();
      interrupted = true;
      over = true;
    } catch (...) {
      failures[static_cast<std::size_t>(part)] = std::current_exception();
    }
  };
  RunningThreads running(parts - 1);
  std::vector<std::thread> others;
  for (pybind11::ssize_t part = 1; part < parts; ++part)
    others.emplace_back([&, part] {
      const InterruptionScope scope([&over] { return over.load(std::memory_order_relaxed); });
      guarded(part, following);
      running.end();
    });
  guarded(0, listening);
  running.wait([&] { listening.mayContinue(); });
  for (std::thread& other : others) other.join();
  if (over && !interrupted) {
    const pybind11::gil_scoped_acquire gil;
    throw pybind11::error_already_set();
  }
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace mortise::python
