#pragma once

#include <atomic>
#include <functional>
#include <thread>

namespace mortise {

/// A thread that does one piece of work at a time for one other thread, which never waits unless it wants to: no locks.
class PlanningThread {
 public:
  /// `work` runs once for each `begin`, on the thread; it must not throw.
  explicit PlanningThread(std::function<void()> work);
  /// Waits for the work to end.
  ~PlanningThread();
  PlanningThread(const PlanningThread&) = delete;
  PlanningThread& operator=(const PlanningThread&) = delete;

  /// Begins the work, whose inputs belong to the thread until `done`. Only when nothing was begun, or `done`.
  void begin();
  /// Says whether the work that was begun has ended; what it wrote can be read then.
  bool done() const { return state_.load(std::memory_order_acquire) == State::idle; }
  void wait() const;

 private:
  enum class State : int { idle, working, leaving };
  void run();

  std::function<void()> work_;
  std::atomic<State> state_{State::idle};
  std::thread thread_;
};

}  // namespace mortise
