#include "inertial/tilt_sensor.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"

namespace mortise::sensors {

void TiltSettings::bind(SettingBinder& b) {
  LinkSettings::bind(b);
  b.add("reference_dir", direction, "Direction to compare with, world frame; of any length.",
        {.aliases = {"referenceDir"}});
  b.add("r_sensor", rotation, "Orientation of the sensor in the link's frame: 9 numbers, row by row.",
        {.aliases = {"Rsensor"}});
  b.add("has_axis", hasAxis, "Which axes are measured: x, y, z.", {.aliases = {"hasAxis"}});
  b.add("has_velocity", hasVelocity, "Whether angular velocities are measured as well.", {.aliases = {"hasVelocity"}});
  b.add("resolution", resolution, "Step to which values are rounded, rad and rad/s; 0: none.",
        {.min = 0, .changeable = true});
  b.add("variance", variance, "Variance of the Gaussian noise, rad^2 and (rad/s)^2.", {.min = 0, .changeable = true});
}

TiltSensor::TiltSensor(const ComponentContext& context) : LinkSensor(context), reference_W_(settings_->direction) {
  const double length = reference_W_.stableNorm();
  if (!(length > 0) || !std::isfinite(length))
    throw Error("'reference_dir' is not a direction", settings_.position("reference_dir"),
                "give a vector that is finite and not zero, world frame: 0 0 1");
  reference_W_ /= length;
}

void TiltSensor::begin(const SensorSetup&) {
  addAxes("a");
  addAxes("w");
}

void TiltSensor::simulate(const SimulationView& view, double, std::span<double> out) {
  const Matrix3d R_WS = linkFrame(view).R * settings_->rotation.R;
  const Vector3d d = (R_WS.transpose() * reference_W_).cwiseMax(-1.0).cwiseMin(1.0);
  const Vector3d tilt(std::asin(d.y()), std::asin(-d.x()), std::asin(d.z()));
  putVector(onAxes(settings_->hasAxis, measured(tilt, settings_->variance, settings_->resolution, host_.random())), out,
            0);
  Vector3d velocity = Vector3d::Zero();
  if (settings_->hasVelocity)
    velocity = onAxes(settings_->hasAxis, measured(R_WS.transpose() * linkTwist(view).w_WL, settings_->variance,
                                                   settings_->resolution, host_.random()));
  putVector(velocity, out, 3);
}

}  // namespace mortise::sensors
