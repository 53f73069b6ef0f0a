#pragma once

/// A time limit for calls into Python: a thread that raises an exception in calls that take too long.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <pybind11/pybind11.h>

namespace mortise::python {

/// The watch over calls of one component. All functions need the interpreter's lock, except the destructor's removal of
/// the watch.
class CallWatch {
 public:
  CallWatch();
  ~CallWatch();
  CallWatch(const CallWatch&) = delete;
  CallWatch& operator=(const CallWatch&) = delete;

  /// Seconds of wall time; infinite: none.
  void setLimit(double seconds);
  double limit() const { return limit_; }

  void begin() {
    if (depth_++ == 0 && nanoseconds_ > 0) start();
  }
  /// Says whether the call took too long and was interrupted.
  bool end() {
    if (--depth_ > 0 || nanoseconds_ <= 0) return false;
    return stop();
  }

 private:
  friend struct WatchThread;
  void start();
  bool stop();

  double limit_ = 0;
  std::int64_t nanoseconds_ = 0;
  int depth_ = 0;
  std::atomic<std::int64_t> deadline_ = 0;  ///< Time of the steady clock; 0: no call is running.
  unsigned long thread_ = 0;                ///< That of the running call.
  bool fired_ = false, reported_ = false;   ///< With the lock held.
};

/// Makes the exception `TimeLimitExceeded` and the signal's handler; once, when the module is imported.
void bindCallWatch(pybind11::module_& m);

}  // namespace mortise::python
