#include "accelerometer.h"

#include <Eigen/Geometry>

#include "setting_values.h"

namespace mortise {

AccelerometerUnit::AccelerometerUnit(const Value& settings, ChangeableSettings& changeable)
    : X_LS(transformFromSetting(settings.at("Tsensor"), "Tsensor")),
      hasAxis(axesFromSetting(settings.at("hasAxis"), "hasAxis")) {
  changeable.vector("accelVariance", variance);
}

Vector3d AccelerometerUnit::velocity(const RigidTransform& X_WL, const LinkTwist& twist) const {
  return twist.v_WL + twist.w_WL.cross(X_WL.R * X_LS.p);
}

void AccelerometerUnit::remember(const RigidTransform& X_WL, const LinkTwist& twist) {
  mean.remember(orientation(X_WL), velocity(X_WL, twist));
}

void AccelerometerUnit::observe(const RigidTransform& X_WL, const LinkTwist& twist, const Vector3d& gravity,
                                double dt) {
  mean.observe(orientation(X_WL), velocity(X_WL, twist), gravity, dt);
}

Vector3d AccelerometerUnit::read(const RigidTransform& X_WL, const LinkTwist& twist, const Vector3d& gravity,
                                 RandomStream& random) {
  const Vector3d reading = measured(mean.take(orientation(X_WL), gravity), variance, Vector3d::Zero(), random);
  // The same as after the last step, unless somebody has put the robot elsewhere since: that is no acceleration.
  remember(X_WL, twist);
  return reading;
}

Accelerometer::Accelerometer(const ComponentContext& context)
    : LinkSensor(context), unit_(context.settings, settings_) {}

void Accelerometer::begin(const SensorSetup&) {
  unit_.mean.reset();
  addAxes("accel");
}

void Accelerometer::observe(const SimulationView& view, double dt) {
  unit_.observe(linkFrame(view), linkTwist(view), view.gravity, dt);
}

void Accelerometer::simulate(const SimulationView& view, double, std::span<double> out) {
  const Vector3d reading = unit_.read(linkFrame(view), linkTwist(view), view.gravity, host_.random());
  putVector(onAxes(unit_.hasAxis, reading), out, 0);
}

}  // namespace mortise
