#pragma once

/// Servo gains and friction of motors from recorded motions: the task of Klamp't's MotorCalibrate.

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "mortise/calibration/recorded_motion.h"

namespace mortise {

struct MotorCalibrationOptions {
  std::vector<int> drivers;  ///< Indices; empty: all that are normal or affine.
  DriverTrackOptions tracks;
  double timeStep = 1e-3;  ///< s, of the model's integration.
  double velocityWeight =
      2.5e-5;  ///< Velocity weight of squared errors of rates beside those of positions (Klamp't's 0.005^2), s^2.
  bool fitInertia = false;  ///< Also the inertia that comes on top of the robot's links.
  int restarts = 10;        ///< Searches from random parameters, besides the two that are always made.
  int maxIterations = 100;  ///< Largest number of iterations of each search.
  std::uint64_t seed = 0;
  std::function<bool()> stopRequested;  ///< Asked between searches; may be empty.
  /// Above 0: the robot's own parameters count as known before, give or take this share of each, so that what the
  /// motions say nothing about stays near to them (maximum a posteriori). 0: nothing is known before.
  double prior = 0;
};

struct CalibratedMotor {
  int driver = 0;
  ServoParameters before, after;
  /// Standard errors of `after` from the errors that remain, which may go on for a while (Newey and West, 1987);
  /// infinite for what the motions say nothing about. Motions whose commands have no velocity say nothing about servoD
  /// and viscous friction but their sum.
  ServoParameters deviation;
  double errorBefore = 0, errorAfter = 0;  ///< Root mean square of position (and weighted rate) over all samples.
  bool converged = false;
};

struct MotorCalibration {
  std::vector<CalibratedMotor> motors;
  /// By motion and sample: the commanded configuration with the calibrated drivers where the model takes them.
  std::vector<std::vector<VectorXd>> simulatedBefore, simulatedAfter;
};

/// Fits each driver for itself, the others moving as sensed (`driverTracks`), so that the model (`simulateServo`), let
/// go at the first sample of each motion, comes out where the robot was: nonlinear least squares within bounds by
/// Levenberg and Marquardt (Marquardt, 1963), each step one of `BoundedLeastSquares`. It starts from the robot's own
/// parameters, from those that fit the equation of motion best sample by sample, which is linear in them, and from
/// random ones; the best counts. The same seed gives the same result. Throws `Error` for motions that do not fit the
/// robot and for drivers of other types.
MotorCalibration calibrateMotors(const RobotPtr& robot, const std::vector<RecordedMotion>& motions,
                                 const MotorCalibrationOptions& options);

/// The robot's parameters replaced by those found.
void applyCalibration(const MotorCalibration& calibration, RobotDescription& robot);

}  // namespace mortise
