#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <pybind11/pybind11.h>
#include <thread>
#include <vector>

#include "common/environment.h"

namespace mortise::python {

/// Whether Ctrl-C was pressed while threads share a batch: only the one that Python called can find out.
class BatchTurn {
 public:
  explicit BatchTurn(std::atomic<bool>& over, bool asks) : over_(over), asks_(asks) {}
  /// Before each row. False: leave the rest.
  bool goOn() {
    if (asks_ && signals_.interrupted()) over_.store(true, std::memory_order_relaxed);
    return !over_.load(std::memory_order_relaxed);
  }

 private:
  std::atomic<bool>& over_;
  SignalCheck signals_;
  bool asks_;
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
  const auto guarded = [&](pybind11::ssize_t part) {
    try {
      BatchTurn turn(over, part == 0);
      work(count * part / parts, count * (part + 1) / parts, turn);
    } catch (const Interrupted&) {  // In the thread that Python called.
      failures[static_cast<std::size_t>(part)] = std::current_exception();
      interrupted = true;
      over = true;
    } catch (...) {
      failures[static_cast<std::size_t>(part)] = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  for (pybind11::ssize_t part = 1; part < parts; ++part) others.emplace_back(guarded, part);
  guarded(0);
  for (std::thread& other : others) other.join();
  if (over && !interrupted) {
    const pybind11::gil_scoped_acquire gil;
    throw pybind11::error_already_set();
  }
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace mortise::python
