#include "mortise/calibration/servo_model.h"

#include <algorithm>
#include <cmath>

namespace mortise {

namespace {

/// The rate after a step of `h` seconds in which friction takes what it can: it stops the driver or slows it.
double slowed(double impulse, double mass, double dryImpulse) {
  if (std::abs(impulse) <= dryImpulse) return 0;
  return (impulse - std::copysign(dryImpulse, impulse)) / mass;
}

struct ServoState {
  double x = 0, v = 0, integral = 0;
};

struct ServoLoad {
  double inertia, bias, target, targetRate;
};

void step(ServoState& state, const ServoLoad& load, const ServoParameters& p, const ServoTrack& track, double h) {
  const double error = load.target - state.x;
  double constant = 0;
  if (p.servoI > 0) {
    state.integral += error * h;
    // As in simulations, the integral alone never asks for more than the motor can.
    if (const double maximum = std::max(std::abs(track.torqueMin), std::abs(track.torqueMax)) / p.servoI;
        std::isfinite(maximum))
      state.integral = std::clamp(state.integral, -maximum, maximum);
    constant = p.servoI * state.integral;
  }
  const double dry = h * p.dryFriction, slope = p.servoD + h * p.servoP;
  const double held = load.inertia * state.v - h * load.bias;
  const double asked = constant + p.servoP * error + p.servoD * load.targetRate;
  double v = slowed(held + h * asked, load.inertia + h * (p.viscousFriction + slope), dry);
  const double torque = asked - slope * v, kept = std::clamp(torque, track.torqueMin, track.torqueMax);
  if (kept != torque) v = slowed(held + h * kept, load.inertia + h * p.viscousFriction, dry);
  state.x += h * v;
  state.v = v;
}

}  // namespace

void simulateServo(const ServoTrack& track, const ServoParameters& parameters, double timeStep,
                   std::vector<double>& position, std::vector<double>& rate) {
  const std::size_t samples = track.times.size();
  position.resize(samples);
  rate.resize(samples);
  if (samples == 0) return;
  ServoState state{track.position[0], track.rate[0], 0};
  position[0] = state.x;
  rate[0] = state.v;
  for (std::size_t i = 0; i + 1 < samples; ++i) {
    const double span = track.times[i + 1] - track.times[i];
    const int steps = std::max(1, static_cast<int>(std::ceil(span / timeStep - 1e-9)));
    const double h = span / steps;
    for (int k = 1; k <= steps; ++k) {
      const double u = static_cast<double>(k) / steps;
      const auto between = [&](const std::vector<double>& values) {
        return values[i] + u * (values[i + 1] - values[i]);
      };
      ServoLoad load{between(track.inertia) + parameters.addedInertia, between(track.bias), track.target[i],
                     track.targetRate[i]};
      if (!track.held) load.target = between(track.target);
      step(state, load, parameters, track, h);
    }
    position[i + 1] = state.x;
    rate[i + 1] = state.v;
  }
}

}  // namespace mortise
