#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "mortise/base/log.h"

namespace mortise {

/// Keeps a simulation from running ahead of the clock, for people who watch it and programs that drive it. Nothing that
/// is simulated depends on it.
class RealtimePacer {
 public:
  /// `factor`: simulated seconds in a second of the clock; 0: as many as there can be.
  RealtimePacer(double factor, LogSink& log) : factor_(factor), log_(log) {}

  /// Waits until the clock reaches `simulatedTime` (s), or `stopRequested`, which is called about 20 times a second,
  /// returns true. A simulation that is late continues from its current time: it does not run faster to catch up.
  void keep(double simulatedTime, const std::function<bool()>& stopRequested);

 private:
  using Clock = std::chrono::steady_clock;

  double factor_;
  LogSink& log_;
  std::optional<Clock::time_point> start_;
  double startTime_ = 0;
  bool said_ = false;
};

}  // namespace mortise
