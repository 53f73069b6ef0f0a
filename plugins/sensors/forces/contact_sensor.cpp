#include "forces/contact_sensor.h"

#include <algorithm>
#include <cmath>

#include "common/state_bytes.h"
#include "mortise/base/error.h"

namespace mortise::sensors {

void ContactSettings::bind(SettingBinder& b) {
  LinkSettings::bind(b);
  b.add("t_sensor", pose,
        "Pose of the patch in the link's frame: 9 numbers of the rotation, row by row, then 3 of the translation (m). "
        "Its "
        "z axis points out of the robot.",
        {.aliases = {"Tsensor"}});
  b.add("patch_min", patchMin, "Corner of the patch with the smallest x and y, sensor's frame.",
        {.unit = "m", .aliases = {"patchMin"}});
  b.add("patch_max", patchMax, "Corner of the patch with the largest x and y, sensor's frame.",
        {.unit = "m", .aliases = {"patchMax"}});
  b.add("patch_tolerance", tolerance, "How far from the plane of the patch a contact still counts.",
        {.min = 0, .unit = "m", .aliases = {"patchTolerance"}});
  b.add("has_force", hasForce, "Which components of the force have a channel: x, y, z.", {.aliases = {"hasForce"}});
  b.add("f_resolution", resolution, "Step to which forces are rounded; 0: none.",
        {.min = 0, .unit = "N", .aliases = {"fResolution"}, .changeable = true});
  b.add("f_variance", variance, "Variance of the Gaussian noise of the forces, N^2.",
        {.min = 0, .aliases = {"fVariance"}, .changeable = true});
  b.add("f_sensitivity", sensitivity, "Force along z above which there is contact.",
        {.min = 0, .unit = "N", .aliases = {"fSensitivity"}, .changeable = true});
  b.add("f_saturation", saturation, "Maximum force that each axis reports, in either direction. Default: unlimited.",
        {.min = 0, .unit = "N", .aliases = {"fSaturation"}, .infinite = true, .changeable = true});
  b.add("falloff_coefficient", falloff, "How fast the patch loses sensitivity towards its corners; 0: not at all.",
        {.min = 0, .aliases = {"falloffCoefficient"}, .changeable = true});
}

void ContactSettings::check() const {
  if (patchMin[0] > patchMax[0] || patchMin[1] > patchMax[1])
    throw Error("'patch_min' is not below 'patch_max'", settingPosition("patch_min"),
                "they are two opposite corners of the patch, x and y in the sensor's frame, in m");
}

void ContactSensor::begin(const SensorSetup& setup) {
  linkId_ = setup.world.linkId(robot_, link_);
  placed_ = false;
  impulse_.setZero();
  time_ = 0;
  channels_.push_back("contact");
  for (int i = 0; i < 3; ++i)
    if (settings_->hasForce[i]) channels_.push_back(std::string("force_") + "xyz"[i]);
}

double ContactSensor::weight(const Vector3d& p_S) const {
  const Eigen::Vector2d p = p_S.head<2>(), low(settings_->patchMin.data()), high(settings_->patchMax.data());
  if (!(p.array() >= low.array()).all() || !(p.array() <= high.array()).all()) return 0;
  if (!(std::abs(p_S.z()) <= settings_->tolerance)) return 0;
  if (settings_->falloff == 0) return 1;
  const Eigen::Vector2d size = high - low;
  if (!(size.minCoeff() > 0)) return 1;  // A line or a point has no edge to fall off to.
  const Eigen::Vector2d fromCenter = (p - 0.5 * (low + high)).cwiseAbs();
  return std::pow(std::max(0.0, 1 - 4 * fromCenter.x() * fromCenter.y() / (size.x() * size.y())), settings_->falloff);
}

void ContactSensor::remember(const SimulationView& view) {
  X_WS_ = linkFrame(view) * settings_->pose.X;
  placed_ = true;
}

void ContactSensor::observe(const SimulationView& view, double dt) {
  if (!placed_) remember(view);
  time_ += dt;
  for (const ContactForce& contact : view.weightedContacts) {
    if (contact.idA != linkId_ && contact.idB != linkId_) continue;
    const double felt = weight(X_WS_.R.transpose() * (contact.point - X_WS_.p));
    if (felt == 0) continue;
    const Vector3d force_S = X_WS_.R.transpose() * contact.force;
    impulse_ += (contact.idA == linkId_ ? felt * dt : -felt * dt) * force_S;
  }
  remember(view);
}

void ContactSensor::simulate(const SimulationView& view, double, std::span<double> out) {
  const Vector3d force = time_ > 0 ? Vector3d(impulse_ / time_) : Vector3d::Zero();
  const std::optional<Vector3d>& limit = settings_->saturation;
  const Vector3d read = measured(force, settings_->variance, settings_->resolution, host_.random());
  out[0] = std::abs(force.z()) > settings_->sensitivity ? 1 : 0;
  std::size_t at = 1;
  for (int i = 0; i < 3; ++i)
    if (settings_->hasForce[i]) out[at++] = limit ? std::clamp(read[i], -(*limit)[i], (*limit)[i]) : read[i];
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

}  // namespace mortise::sensors
