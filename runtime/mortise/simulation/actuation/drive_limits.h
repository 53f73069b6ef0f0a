#pragma once

/// Limits of a drive beyond its torque: speed, power, and what a motor can do.

#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include "mortise/base/value.h"

namespace mortise {

/// Which of a robot's limits its motors keep in simulation. Klamp't keeps the torque only.
struct ActuatorLimits {
  bool torque = true;     ///< torqueMin to torqueMax of the driver.
  bool velocity = false;  ///< No torque that speeds the driver up beyond velocityMin or velocityMax.
  bool power = false;     ///< |torque * rate| of each driven link at most its powerMax.
  bool operator==(const ActuatorLimits&) const = default;
};

/// `torque`, `velocity`, `power`, `all` or `none`, or several of the first three as a list or with blanks or commas
/// between them. Exactly what is named is kept. Throws `Error` with position and the nearest word.
ActuatorLimits actuatorLimitsFrom(const Value& setting);
/// In words: "torque, velocity", "none".
std::string actuatorLimitsText(const ActuatorLimits& limits);

/// Limits of a drive, in its own coordinate. Infinite: no limit.
struct DriveLimits {
  double minEffort = -std::numeric_limits<double>::infinity();
  double maxEffort = std::numeric_limits<double>::infinity();
  double minVelocity = -std::numeric_limits<double>::infinity();
  double maxVelocity = std::numeric_limits<double>::infinity();
  double power = std::numeric_limits<double>::infinity();
  /// A motor's efforts, and by how much they fall with each unit of rate; see `MotorAnswer`.
  double motorMin = -std::numeric_limits<double>::infinity();
  double motorMax = std::numeric_limits<double>::infinity();
  double motorMinSlope = 0, motorMaxSlope = 0;

  /// Something other than the efforts is limited.
  bool any() const {
    return minVelocity > -std::numeric_limits<double>::infinity() ||
           maxVelocity < std::numeric_limits<double>::infinity() || power < std::numeric_limits<double>::infinity() ||
           motorMin > -std::numeric_limits<double>::infinity() || motorMax < std::numeric_limits<double>::infinity();
  }
};

/// A law that keeps the limits for a step: the effort is clamp(effort - slope (v - rate), minEffort, maxEffort), with v
/// at the end of the step.
struct LimitedDrive {
  bool limited = false;  ///< False: the command keeps the limits between minEffort and maxEffort.
  double effort = 0;     ///< At the rate now.
  double slope = 0;
  double minEffort = 0, maxEffort = 0;
};

/// Limits a drive that asks for `asked` at its rate now and for `slope` less with each unit of rate that the step adds.
///
/// Whether an implicit drive breaks a limit shows only at the end of the step, when the engine knows the inertia. What
/// is asked for is kept where it keeps every limit whatever the step does. Else the law becomes the line from the
/// effort now to zero at the nearest speed where the drive must not push any more (the velocity limit, the motor's
/// speed without load, where the command itself asks for nothing), which lies below all these limits; for the power P,
/// the tangent from the effort now to the hyperbola effort = P / v. (Where nothing but the velocity limit is ahead, the
/// effort lasts for half of the distance and falls to zero in the other.) A gap g to such a speed shrinks to g^2 / (g +
/// d) in a step that would gain d freely: it is met within some steps, without overshoot or chatter.
LimitedDrive limitDrive(double asked, double slope, double rate, const DriveLimits& limits);

}  // namespace mortise
