#include "inertial/accelerometer.h"

#include <Eigen/Geometry>

namespace mortise::sensors {

void AccelerometerUnit::bind(SettingBinder& b) {
  b.add(
      "t_sensor", pose,
      "Pose of the accelerometer in the link's frame: 9 numbers of the rotation, row by row, then 3 of the translation "
      "(m).",
      {.aliases = {"Tsensor"}});
  b.add("has_axis", hasAxis, "Which axes the accelerometer has: x, y, z.", {.aliases = {"hasAxis"}});
  b.add("accel_variance", variance, "Variance of the accelerometer's Gaussian noise, (m/s^2)^2, each axis.",
        {.min = 0, .aliases = {"accelVariance"}, .changeable = true});
}

Vector3d AccelerometerUnit::velocity(const RigidTransform& X_WL, const LinkTwist& twist) const {
  return twist.v_WL + twist.w_WL.cross(X_WL.R * X_LS().p);
}

void Accelerometer::begin(const SensorSetup&) {
  mean_.reset();
  addAxes("accel");
}

void Accelerometer::observe(const SimulationView& view, double dt) {
  const RigidTransform& X_WL = linkFrame(view);
  const AccelerometerUnit& unit = settings_->unit;
  mean_.observe(unit.orientation(X_WL), unit.velocity(X_WL, linkTwist(view)), view.gravity, dt);
}

void Accelerometer::simulate(const SimulationView& view, double, std::span<double> out) {
  const RigidTransform& X_WL = linkFrame(view);
  const AccelerometerUnit& unit = settings_->unit;
  const Vector3d felt = mean_.take(unit.orientation(X_WL), view.gravity);
  putVector(onAxes(unit.hasAxis, measured(felt, unit.variance, Vector3d::Zero(), host_.random())), out, 0);
  // The same as after the last step, unless somebody has put the robot elsewhere since: that is no acceleration.
  mean_.remember(unit.orientation(X_WL), unit.velocity(X_WL, linkTwist(view)));
}

}  // namespace mortise::sensors
