#pragma once

#include <functional>

namespace mortise::app {

/// While it lives, Ctrl-C and a request to end (SIGTERM) are noted instead of ending the program; a second one does,
/// for whoever cannot wait. One at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  /// The signal's number; 0: none came.
  int signal() const;
  /// Whether one came; for `stopRequested` parameters.
  std::function<bool()> asked() const;
};

}  // namespace mortise::app
