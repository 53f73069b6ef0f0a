#include "contact_sensor.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "setting_values.h"
#include "state_bytes.h"

namespace mortise {

ContactSensor::ContactSensor(const ComponentContext& context)
    : LinkSensor(context),
      X_LS_(transformFromSetting(context.settings.at("Tsensor"), "Tsensor")),
      tolerance_(context.settings.at("patchTolerance").asReal()),
      hasForce_(axesFromSetting(context.settings.at("hasForce"), "hasForce")) {
  const Value &low = context.settings.at("patchMin"), &high = context.settings.at("patchMax");
  patchMin_ = Eigen::Vector2d(low.asReals().data());
  patchMax_ = Eigen::Vector2d(high.asReals().data());
  if (!(patchMin_.array() <= patchMax_.array()).all())
    throw Error("'patchMin' is not below 'patchMax'", low.position(),
                "they are two opposite corners of the patch, x and y in the sensor's frame, in m");
  settings_.vector("fResolution", resolution_);
  settings_.vector("fVariance", variance_);
  settings_.number("fSensitivity", sensitivity_);
  settings_.vector("fSaturation", saturation_, {.infinite = true});
  settings_.number("falloffCoefficient", falloff_);
}

void ContactSensor::begin(const SensorSetup& setup) {
  linkId_ = setup.world.linkId(robot_, link_);
  placed_ = false;
  impulse_.setZero();
  time_ = 0;
  channels_.push_back("contact");
  for (int i = 0; i < 3; ++i)
    if (hasForce_[i]) channels_.push_back(std::string("force_") + "xyz"[i]);
}

double ContactSensor::weight(const Vector3d& p_S) const {
  const Eigen::Vector2d p = p_S.head<2>();
  if (!(p.array() >= patchMin_.array()).all() || !(p.array() <= patchMax_.array()).all()) return 0;
  if (!(std::abs(p_S.z()) <= tolerance_)) return 0;
  if (falloff_ == 0) return 1;
  const Eigen::Vector2d size = patchMax_ - patchMin_;
  if (!(size.minCoeff() > 0)) return 1;  // A line or a point has no edge to fall off to.
  const Eigen::Vector2d fromCentre = (p - 0.5 * (patchMin_ + patchMax_)).cwiseAbs();
  return std::pow(std::max(0.0, 1 - 4 * fromCentre.x() * fromCentre.y() / (size.x() * size.y())), falloff_);
}

void ContactSensor::remember(const SimulationView& view) {
  X_WS_ = linkFrame(view) * X_LS_;
  placed_ = true;
}

void ContactSensor::observe(const SimulationView& view, double dt) {
  if (!placed_) remember(view);
  time_ += dt;
  for (const ContactForce& contact : view.contactShares) {
    if (contact.idA != linkId_ && contact.idB != linkId_) continue;
    const double share = weight(X_WS_.R.transpose() * (contact.point - X_WS_.p));
    if (share == 0) continue;
    const Vector3d force_S = X_WS_.R.transpose() * contact.force;
    impulse_ += (contact.idA == linkId_ ? share * dt : -share * dt) * force_S;
  }
  remember(view);
}

void ContactSensor::simulate(const SimulationView& view, double, std::span<double> out) {
  const Vector3d force = time_ > 0 ? Vector3d(impulse_ / time_) : Vector3d::Zero();
  const Vector3d read = measured(force, variance_, resolution_, host_.random());
  out[0] = std::abs(force.z()) > sensitivity_ ? 1 : 0;
  std::size_t at = 1;
  for (int i = 0; i < 3; ++i)
    if (hasForce_[i]) out[at++] = std::clamp(read[i], -saturation_[i], saturation_[i]);
  impulse_.setZero();
  time_ = 0;
  remember(view);
}

void ContactSensor::saveState(ByteWriter& out) const {
  putFlag(out, placed_);
  putPose(out, X_WS_);
  putNumbers(out, impulse_);
  out.put(time_);
}

void ContactSensor::restoreState(ByteReader& in) {
  placed_ = getFlag(in);
  getPose(in, X_WS_);
  getNumbers(in, impulse_);
  time_ = getFinite(in);
}

}  // namespace mortise
