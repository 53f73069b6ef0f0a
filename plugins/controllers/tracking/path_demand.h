#pragma once

#include <span>
#include <string>
#include <vector>

#include "mortise/model/robot.h"
#include "mortise/timing/parabolic_ramp.h"

namespace mortise::controllers {

/// What a motion of straight pieces asks for, beside the limits of a robot. Accelerations are those that any smooth
/// motion through the same places needs at least: differences of mean velocities over windows, so that digits that are
/// missing in files do not count.
class PathDemand {
 public:
  PathDemand(const Robot& robot, std::span<const CoordinateLimits> limits) : robot_(robot), limits_(limits) {}

  /// Adds a piece from `from` to `to`, both as configurations that are near each other, which begins at `time` (s).
  void add(const VectorXd& from, const VectorXd& to, double time, double duration);
  /// Counts a velocity of a link, as a fraction of its limit.
  void countVelocity(int link, double fraction, double time);

  /// Says what is beyond the limits: "'elbow' has to move at 2 times its velocity limit at t = 0.5 s"; empty: nothing.
  std::string text() const;

 private:
  struct Worst {
    double fraction = 0, time = 0;
    int link = -1;
    void count(int which, double ratio, double when);
  };
  std::string nameOf(int link) const;
  void closeWindow();

  const Robot& robot_;
  std::span<const CoordinateLimits> limits_;
  Worst velocity_, acceleration_;
  VectorXd moved_, before_;                           ///< Of this window; mean velocity of the one before.
  double start_ = 0, length_ = 0, lengthBefore_ = 0;  ///< s
};

}  // namespace mortise::controllers
