#pragma once

#include <algorithm>
#include <atomic>
#include <vector>

#include "mortise/hardware/drive_clock.h"

namespace mortise::test {

/// Time goes on where the test says so, and where somebody waits.
class FakeClock final : public DriveClock {
 public:
  double now() override { return time; }
  void waitUntil(double until, const std::function<bool()>&) override {
    waits.push_back(until);
    time = std::max(time.load(), until);
  }
  std::atomic<double> time = 100;  ///< s; clocks do not begin at 0.
  std::vector<double> waits;
};

}  // namespace mortise::test
