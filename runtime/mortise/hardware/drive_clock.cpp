#include "mortise/hardware/drive_clock.h"

#include <algorithm>
#include <cmath>
#include <thread>

namespace mortise {

double SteadyDriveClock::now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void SteadyDriveClock::waitUntil(double time, const std::function<bool()>& stopRequested) {
  constexpr double kSlice = 0.05;  // s, between questions whether to stop.
  for (double left = time - now(); left > 0; left = time - now()) {
    if (stopRequested && stopRequested()) return;
    std::this_thread::sleep_for(std::chrono::duration<double>(std::min(left, kSlice)));
  }
}

double DrivePace::next(const std::function<bool()>& stopRequested) {
  constexpr double kRounding = 1e-9;  // Periods
  const double passed = (clock_.now() - start_) / period_;
  double excess = 0;
  ++cycle_;
  if (passed > static_cast<double>(cycle_) + kRounding) {
    excess = (passed - static_cast<double>(cycle_)) * period_;
    const auto following = static_cast<std::int64_t>(std::ceil(passed - kRounding));
    ++overruns_;
    skippedCycles_ += following - cycle_;
    cycle_ = following;
  }
  clock_.waitUntil(start_ + static_cast<double>(cycle_) * period_, stopRequested);
  return excess;
}

}  // namespace mortise
