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

Accelerometer::Accelerometer(const ComponentContext& context)
    : LinkSensor(context), unit_(context.settings, settings_) {}

void Accelerometer::begin(const SensorSetup&) {
  mean_.reset();
  addAxes("accel");
}

void Accelerometer::observe(const SimulationView& view, double dt) {
  const RigidTransform& X_WL = linkFrame(view);
  mean_.observe(unit_.orientation(X_WL), unit_.velocity(X_WL, linkTwist(view)), view.gravity, dt);
}

void Accelerometer::simulate(const SimulationView& view, double, std::span<double> out) {
  const RigidTransform& X_WL = linkFrame(view);
  const Vector3d felt = mean_.take(unit_.orientation(X_WL), view.gravity);
  putVector(onAxes(unit_.hasAxis, measured(felt, unit_.variance, Vector3d::Zero(), host_.random())), out, 0);
  // The same as after the last step, unless somebody has put the robot elsewhere since: that is no acceleration.
  mean_.remember(unit_.orientation(X_WL), unit_.velocity(X_WL, linkTwist(view)));
}

}  // namespace mortise
