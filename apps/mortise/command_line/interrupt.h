#pragma once

#include <functional>

namespace mortise::app {

/// While it lives, a request to end is noted instead of ending the program: Ctrl-C (SIGINT), SIGTERM, the end of the
/// terminal (SIGHUP, unless it is ignored, as with nohup), and standard output whose reader is gone (SIGPIPE). The
/// second signal of a kind ends the program at once. Only one guard may exist at a time.
class InterruptGuard {
 public:
  /// `begun` false: until `begin` there is nothing that could be lost, and the first signal ends the program at once,
  /// with a message that says so.
  explicit InterruptGuard(bool begun = true);
  /// From now on a request to end is noted.
  void begin() const;
  /// From now on the second signal of a kind is noted, too, for somebody who watches `insisted` and ends the program;
  /// the third ends it at once.
  void noteSecond() const;
  /// Makes Ctrl-\\ (SIGQUIT), for commands that drive machines, count as a signal that came for the second time, until
  /// the guard is gone.
  void noteQuit() const;
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  /// The signal's number; 0: none came.
  int signal() const;
  /// "SIGTERM"; empty when none came.
  const char* signalName() const;
  /// The exit code of an interrupted command: 128 and the signal's number.
  int exitCode() const { return 128 + signal(); }
  /// Tells whether one came; for `stopRequested` parameters.
  static std::function<bool()> asked();
  /// Tells whether one came for the second time.
  std::function<bool()> insisted() const;
};

/// For when standard output could not be written: true when a guard exists and the program ends in order because of
/// this (a pipe without reader is noted as SIGPIPE), so that what is printed may be dropped.
bool endsInOrder(int writeError);

}  // namespace mortise::app
