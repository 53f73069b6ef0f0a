#pragma once

#include <algorithm>
#include <exception>
#include <pybind11/pybind11.h>
#include <thread>
#include <vector>

namespace mortise::python {

/// Calls `work(begin, end)` for parts of 0 ... count - 1 that threads share; the GIL must be released. Throws the
/// exception of the first part that has one. `threads`: 0 for as many as there are processors.
template <typename Work>
void inParallel(pybind11::ssize_t count, int threads, Work&& work) {
  const pybind11::ssize_t processors = std::max(1U, std::thread::hardware_concurrency());
  pybind11::ssize_t parts = threads > 0 ? threads : processors;
  parts = std::max<pybind11::ssize_t>(1, std::min({parts, count, pybind11::ssize_t{256}}));
  if (parts == 1) {
    work(pybind11::ssize_t{0}, count);
    return;
  }
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(parts));
  const auto guarded = [&](pybind11::ssize_t part) {
    try {
      work(count * part / parts, count * (part + 1) / parts);
    } catch (...) {
      failures[static_cast<std::size_t>(part)] = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  for (pybind11::ssize_t part = 1; part < parts; ++part) others.emplace_back(guarded, part);
  guarded(0);
  for (std::thread& other : others) other.join();
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace mortise::python
