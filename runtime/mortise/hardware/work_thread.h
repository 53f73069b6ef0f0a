#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace mortise {

/// A thread that does one piece of work again and again, for somebody who wants to do something else when it takes too
/// long.
class WorkThread {
 public:
  explicit WorkThread(std::function<void()> work);
  /// Waits until the work that has begun is done.
  ~WorkThread();
  WorkThread(const WorkThread&) = delete;
  WorkThread& operator=(const WorkThread&) = delete;

  /// Begins the work, which is not being done.
  void begin();
  /// Waits for the end of the work for that many seconds. Returns whether it is done; throws what the work threw.
  bool wait(double seconds);

 private:
  void run();

  std::function<void()> work_;
  std::mutex mutex_;
  std::condition_variable begun_, done_;
  bool working_ = false, ending_ = false;  ///< With the mutex, as `failure_`.
  std::exception_ptr failure_;
  std::thread thread_;  ///< Begins after everything that it uses.
};

}  // namespace mortise
