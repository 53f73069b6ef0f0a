#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

namespace mortise {

/// The clock by which hardware is read that does not set the pace itself. Tests have one of their own.
class DriveClock {
 public:
  virtual ~DriveClock() = default;
  virtual double now() = 0;  ///< s since any moment; never goes back.
  /// Returns at that time, or soon after `stopRequested` (may be empty) says so.
  virtual void waitUntil(double time, const std::function<bool()>& stopRequested) = 0;
};

/// The computer's clock.
class SteadyDriveClock final : public DriveClock {
 public:
  double now() override;
  void waitUntil(double time, const std::function<bool()>& stopRequested) override;

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Cycles of a period. One that takes longer is an overrun: the cycles that should have begun meanwhile are left out,
/// so that those that follow begin at their times and the robot is not driven faster to catch up.
class DrivePace {
 public:
  DrivePace(DriveClock& clock, double period) : clock_(clock), period_(period), start_(clock.now()) {}

  /// Waits until the next cycle begins. Returns by how much the last one was too long, s; 0: it was not.
  double next(const std::function<bool()>& stopRequested);
  std::int64_t overruns() const { return overruns_; }
  std::int64_t skippedCycles() const { return skippedCycles_; }

 private:
  DriveClock& clock_;
  double period_, start_;  // s
  std::int64_t cycle_ = 0, overruns_ = 0, skippedCycles_ = 0;
};

}  // namespace mortise
