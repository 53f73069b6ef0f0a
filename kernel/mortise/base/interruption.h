#pragma once

/// Early end of long work: who starts it says, for its thread, how to find out whether somebody wants that (Ctrl-C in
/// Python), and loops that may go on for long ask now and then.

#include <exception>
#include <functional>

namespace mortise {

/// Thrown by `interruptionPoint`. No `Error`: nothing is wrong.
class Interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

/// While it lives, `interruptionPoint` asks `wanted` in the thread that made it. Of several the innermost is asked.
class InterruptionScope {
 public:
  explicit InterruptionScope(std::function<bool()> wanted);
  ~InterruptionScope();
  InterruptionScope(const InterruptionScope&) = delete;
  InterruptionScope& operator=(const InterruptionScope&) = delete;

 private:
  friend void interruptionPoint();
  std::function<bool()> wanted_;
  InterruptionScope* outer_;
};

/// Throws `Interrupted` where the thread's work is wanted to end. For loops that leave things as they were when they
/// throw; takes a few nanoseconds, and what `wanted` takes where there is a scope.
void interruptionPoint();

/// The same for short rounds of a loop: asks in one of 64.
class InterruptionPoints {
 public:
  void pass() {
    if ((++rounds_ & 63) == 0) interruptionPoint();
  }

 private:
  unsigned rounds_ = 0;
};

}  // namespace mortise
