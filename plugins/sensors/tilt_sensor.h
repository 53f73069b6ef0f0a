#pragma once

#include "link_sensor.h"

namespace mortise {

/// How far the sensor's axes are tilted against a direction of the world, and how fast the sensor turns.
class TiltSensor final : public LinkSensor {
 public:
  explicit TiltSensor(const ComponentContext& context);
  void simulate(const SimulationView& view, double period, std::span<double> out) override;

 private:
  void begin(const SensorSetup& setup) override;

  Vector3d reference_W_;  ///< Unit length.
  Matrix3d R_LS_;
  std::array<bool, 3> hasAxis_{};
  bool hasVelocity_ = false;
  Vector3d resolution_ = Vector3d::Zero(), variance_ = Vector3d::Zero();
};

}  // namespace mortise
