#include "tilt_sensor.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "setting_values.h"

namespace mortise {

TiltSensor::TiltSensor(const ComponentContext& context)
    : LinkSensor(context),
      reference_W_(context.settings.at("referenceDir").asReals().data()),
      R_LS_(rotationFromSetting(context.settings.at("Rsensor"), "Rsensor")),
      hasAxis_(axesFromSetting(context.settings.at("hasAxis"), "hasAxis")),
      hasVelocity_(context.settings.at("hasVelocity").asBool()) {
  const double length = reference_W_.stableNorm();
  if (!(length > 0) || !std::isfinite(length))
    throw Error("'referenceDir' is no direction", context.settings.at("referenceDir").position(),
                "give a vector that is finite and not zero, world frame: 0 0 1");
  reference_W_ /= length;
  settings_.vector("resolution", resolution_);
  settings_.vector("variance", variance_);
}

void TiltSensor::begin(const SensorSetup&) {
  addAxes("a");
  addAxes("w");
}

void TiltSensor::simulate(const SimulationView& view, double, std::span<double> out) {
  const Matrix3d R_WS = linkFrame(view).R * R_LS_;
  const Vector3d d = (R_WS.transpose() * reference_W_).cwiseMax(-1.0).cwiseMin(1.0);
  const Vector3d tilt(std::asin(d.y()), std::asin(-d.x()), std::asin(d.z()));
  putVector(onAxes(hasAxis_, measured(tilt, variance_, resolution_, host_.random())), out, 0);
  Vector3d velocity = Vector3d::Zero();
  if (hasVelocity_)
    velocity =
        onAxes(hasAxis_, measured(R_WS.transpose() * linkTwist(view).w_WL, variance_, resolution_, host_.random()));
  putVector(velocity, out, 3);
}

}  // namespace mortise
