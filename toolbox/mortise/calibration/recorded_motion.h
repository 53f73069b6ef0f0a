#pragma once

#include <vector>

#include "mortise/calibration/servo_model.h"
#include "mortise/math/constants.h"
#include "mortise/model/robot.h"

namespace mortise {

/// A motion of a real or simulated robot: what was asked and what came of it, one entry a sample, one number a link.
struct RecordedMotion {
  std::vector<double> times;                ///< s, increasing.
  std::vector<VectorXd> sensed, commanded;  ///< Configurations.
  std::vector<VectorXd> sensedRates;        ///< Velocities; empty: to be estimated.
  std::vector<VectorXd> commandedRates;     ///< Empty: what commanded configurations change by (0 where they hold).
  bool held = true;                         ///< A command holds until the next; otherwise it moves there evenly.
};

/// Throws `Error` that says what is wrong with the numbers of a motion for this robot: lengths, times that do not
/// increase, fewer than 8 samples, numbers that are not finite.
void checkMotion(const Robot& robot, const RecordedMotion& motion);

struct DriverTrackOptions {
  Vector3d gravity = Vector3d(0, 0, -9.8);  ///< m/s^2
  /// Links that stood still on the ground, for robots with a floating base: the robot turns about them.
  std::vector<int> fixedLinks;
  /// The controller adds what holds the robot against gravity.
  bool gravityCompensated = false;
  int smoothing = 3;  ///< Samples on each side that rates and accelerations are taken from, 1 at least.
};

/// Computes the drivers' tracks, one for each of `drivers` (normal or affine ones). The inertia of a driver is
/// that of the robot while all other drivers stand; its bias are gravity, velocities and the recorded accelerations of
/// all others (Newton-Euler, along the sensed motion). Rates and accelerations are those of parabolas through
/// neighboring samples (Savitzky and Golay, 1964).
std::vector<ServoTrack> driverTracks(const RobotPtr& robot, const RecordedMotion& motion,
                                     const std::vector<int>& drivers, const DriverTrackOptions& options);

}  // namespace mortise
