#pragma once

#include <vector>

#include "mortise/math/constants.h"

namespace mortise {

/// Parameters of a motor and its servo; all at least 0. Units of a driver that turns; N and m where it slides.
struct ServoParameters {
  double servoP = 0;           ///< N*m/rad
  double servoI = 0;           ///< N*m/(rad*s)
  double servoD = 0;           ///< N*m*s/rad
  double dryFriction = 0;      ///< N*m
  double viscousFriction = 0;  ///< N*m*s/rad
  double addedInertia = 0;     ///< kg*m^2, such as the rotor's behind the gear; no robot file has it.

  bool operator==(const ServoParameters&) const = default;
};

/// Track of one driver in a recorded motion, one entry a sample, with the rest of the robot moving as
/// recorded: its equation of motion is (inertia + added inertia) a + bias = torque + friction.
struct ServoTrack {
  std::vector<double> times;               ///< s, increasing.
  std::vector<double> position, rate;      ///< Values as sensed: rad, rad/s.
  std::vector<double> acceleration;        ///< Estimated from them.
  std::vector<double> inertia, bias;       ///< kg*m^2, N*m
  std::vector<double> target, targetRate;  ///< Values as commanded.
  bool held = true;                        ///< A target holds until the next; otherwise it moves there evenly.
  double torqueMin = -kInfinity, torqueMax = kInfinity;
};

/// The driver on its own, from the first sample on: a PID servo with limited torque, stick-slip dry friction and
/// viscous friction. Semi-implicit Euler steps of at most `timeStep` seconds with an implicit servo, as physics engines
/// take them, so that no gain makes it explode. Positions and rates at the samples.
void simulateServo(const ServoTrack& track, const ServoParameters& parameters, double timeStep,
                   std::vector<double>& position, std::vector<double>& rate);

}  // namespace mortise
