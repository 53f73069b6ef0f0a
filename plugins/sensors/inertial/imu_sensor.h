#pragma once

#include "inertial/accelerometer.h"
#include "inertial/gyro_sensor.h"
#include "inertial/strapdown.h"

namespace mortise::sensors {

struct ImuSettings : LinkSettings {
  AccelerometerUnit accelerometer;
  GyroSettings gyro;
  void bind(SettingBinder& b) {
    LinkSettings::bind(b);
    accelerometer.bind(b);
    gyro.bind(b);
  }
};

/// An accelerometer and a gyroscope in one box, with a navigator that integrates or differentiates what they leave out.
class ImuSensor final : public LinkSensor<ImuSettings> {
 public:
  using LinkSensor::LinkSensor;

  void simulate(const SimulationView& view, double period, std::span<double> out) override;
  bool observesSteps() const override { return true; }
  void observe(const SimulationView& view, double dt) override;

 private:
  void begin(const SensorSetup& setup) override;
  void saveState(ByteWriter& out) const override;
  void restoreState(ByteReader& in) override;
  void align(const RigidTransform& X_WL, const GyroUnit::Reading& reading);
  void move(const Vector3d& gravity, const Vector3d& noise_S);
  void turn(const RigidTransform& X_WL, const LinkTwist& twist, const GyroUnit::Reading& reading);

  GyroUnit gyro_;
  Strapdown sums_;  ///< Since the last reading.

  // What the navigator believes. World axes.
  bool aligned_ = false;
  Vector3d acceleration_ = Vector3d::Zero(), velocity_ = Vector3d::Zero(), translation_ = Vector3d::Zero();
  Vector3d angularAcceleration_ = Vector3d::Zero(), angularVelocity_ = Vector3d::Zero();
  Matrix3d R_WL_ = Matrix3d::Identity();
};

}  // namespace mortise::sensors
