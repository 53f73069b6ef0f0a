#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "mortise/calibration/servo_model.h"

namespace mortise {

struct ServoFitOptions {
  double timeStep = 1e-3;
  double velocityWeight = 2.5e-5;
  bool fitInertia = false;
  int restarts = 10;
  int maxIterations = 100;
  std::uint64_t seed = 0;
  std::function<bool()> stopRequested;
  double prior = 0;
};

struct ServoFit {
  ServoParameters parameters, deviation;
  double error = 0;  ///< Root mean square.
  bool converged = false;
};

/// One driver's parameters from its tracks; see `calibrateMotors`.
ServoFit fitServo(const std::vector<ServoTrack>& tracks, const ServoParameters& start, const ServoFitOptions& options);

/// Root mean square of position errors and weighted rate errors over all samples.
double servoError(const std::vector<ServoTrack>& tracks, const ServoParameters& parameters,
                  const ServoFitOptions& options);

}  // namespace mortise
