#include "base_estimate.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/configuration/link_setting.h"
#include "mortise/math/rotation.h"
#include "sensor_channels.h"
#include "state_bytes.h"

namespace mortise::estimators {

namespace {

constexpr std::array<std::string_view, 9> kRotation = {"R_xx", "R_xy", "R_xz", "R_yx", "R_yy",
                                                       "R_yz", "R_zx", "R_zy", "R_zz"};
constexpr std::array<std::string_view, 3> kAngularVelocity = {"angVel_x", "angVel_y", "angVel_z"};
constexpr std::array<std::string_view, 3> kTilt = {"a_x", "a_y", "a_z"};
constexpr std::array<std::string_view, 3> kTiltVelocity = {"w_x", "w_y", "w_z"};
constexpr std::array<std::string_view, 3> kVelocity = {"vel_x", "vel_y", "vel_z"};
constexpr std::array<std::string_view, 3> kTranslation = {"trans_x", "trans_y", "trans_z"};

}  // namespace

template <int N>
BaseEstimate::Channels<N> BaseEstimate::find(std::span<const SensorReading> sensors, const std::string& name,
                                             std::initializer_list<std::string_view> types,
                                             const std::array<std::string_view, N>& channels) const {
  const int only = name.empty() ? -1 : requireSensor(sensors, name);
  for (int s = 0; s < static_cast<int>(sensors.size()); ++s) {
    const SensorReading& sensor = sensors[s];
    const auto isType = [&](std::string_view type) { return isOfType(sensor, type); };
    if (only >= 0 ? s != only : std::none_of(types.begin(), types.end(), isType)) continue;
    Channels<N> found{s, {}};
    int present = 0;
    for (int k = 0; k < N; ++k) {
      found.at[k] = findChannel(sensor, channels[k]);
      if (found.at[k] >= 0) ++present;
    }
    // A tilt sensor may have two of its three axes.
    if (present == N || (N == 3 && present > 0)) return found;
  }
  return {};
}

template <int N>
bool BaseEstimate::read(std::span<const SensorReading> sensors, const Channels<N>& channels,
                        Eigen::Matrix<double, N, 1>& values) {
  values.setZero();
  if (channels.sensor < 0 || channels.sensor >= static_cast<int>(sensors.size())) return false;
  const std::span<const double> all = sensors[channels.sensor].values;
  for (int k = 0; k < N; ++k) {
    if (channels.at[k] < 0) continue;
    if (channels.at[k] >= static_cast<int>(all.size()) || !std::isfinite(all[channels.at[k]])) return false;
    values[k] = all[channels.at[k]];
  }
  return true;
}

void BaseEstimate::start(const EstimatorSetup& setup, bool wanted) {
  robot_ = &setup.robot;
  base_ = robot_->floatingBaseLink();
  active_ = false;
  if (base_ < 0 || !wanted) return;
  link_ = settings_.link.isNull() ? base_ : linkFromSetting(*robot_, settings_.link);
  if (!robot_->isAncestor(base_, link_))
    throw Error("link '" + robot_->link(link_).name + "' does not hang on the floating base of robot '" +
                    robot_->name() + "', so its inertial sensors say nothing about it",
                settings_.link.position(), "name the floating base, '" + robot_->link(base_).name + "'");

  const auto& s = settings_;
  const std::string& orientation = s.gyroSensor.empty() ? s.imuSensor : s.gyroSensor;
  rotation_ = find<9>(setup.sensors, orientation, {"GyroSensor", "IMUSensor"}, kRotation);
  angularVelocity_ = find<3>(setup.sensors, orientation, {"GyroSensor", "IMUSensor"}, kAngularVelocity);
  tilt_ = find<3>(setup.sensors, s.tiltSensor, {"TiltSensor"}, kTilt);
  tiltVelocity_ = find<3>(setup.sensors, s.tiltSensor, {"TiltSensor"}, kTiltVelocity);
  velocity_ = translation_ = {};
  if (s.imuTranslation && link_ == base_) {
    velocity_ = find<3>(setup.sensors, s.imuSensor, {"IMUSensor"}, kVelocity);
    translation_ = find<3>(setup.sensors, s.imuSensor, {"IMUSensor"}, kTranslation);
  }
  active_ = rotation_.present() || angularVelocity_.present() || tilt_.present() || translation_.present();

  limbs_.emplace(*robot_);
  limbs_->q = setup.q;
  updateFrames(*robot_, *limbs_);
  v_.assign(robot_->numLinks(), Vector3d::Zero());
  w_ = v_;
  const RigidTransform& X_WB = limbs_->X_WL[base_];
  R_WB_ = Eigen::Quaterniond(X_WB.R).normalized();
  p_WB_ = pStart_ = X_WB.p;
  v_WB_.setZero();
  w_WB_.setZero();
  hasVelocity_ = false;
}

void BaseEstimate::updateLink(const VectorXd& q, const VectorXd& dq) {
  if (link_ == base_) {
    X_BL_ = {};
    w_BL_.setZero();
    return;
  }
  limbs_->q = q;
  limbs_->dq = dq;
  limbs_->dq.head<6>().setZero();
  updateFrames(*robot_, *limbs_);
  linkVelocities(*robot_, *limbs_, v_, w_);
  const RigidTransform& X_WB = limbs_->X_WL[base_];
  X_BL_ = X_WB.inverse() * limbs_->X_WL[link_];
  w_BL_ = X_WB.R.transpose() * w_[link_];
}

void BaseEstimate::correctTilt(const Vector3d& angles, double fraction) {
  const Vector3d reference = settings_.reference.normalized();
  const Matrix3d R_WS = R_WB_ * X_BL_.R * settings_.rotation.R;
  // The sensor says asin(y), asin(-x) and asin(z) of the reference direction, sensor axes; what it does not say is
  // taken from the estimate.
  const Vector3d expected = R_WS.transpose() * reference;
  Vector3d measured(-std::sin(angles.y()), std::sin(angles.x()), std::sin(angles.z()));
  const bool hasX = tilt_.at[1] >= 0, hasY = tilt_.at[0] >= 0, hasZ = tilt_.at[2] >= 0 && angles.z() != 0;
  if (!hasX) measured.x() = expected.x();
  if (!hasY) measured.y() = expected.y();
  if (!hasZ) {
    const double rest = 1 - measured.head<2>().squaredNorm();
    measured.z() = std::copysign(std::sqrt(std::max(rest, 0.0)), expected.z());
  }
  const double length = measured.norm();
  if (!(length > 1e-6)) return;
  // Turns the measured direction, in the world, onto the reference by the shortest way.
  const Vector3d from = R_WS * (measured / length);
  const Vector3d axis = from.cross(reference);
  const double sine = axis.norm(), cosine = from.dot(reference);
  if (sine < 1e-15) return;
  const double angle = fraction * std::atan2(sine, cosine);
  R_WB_ = (Eigen::Quaterniond(Eigen::AngleAxisd(angle, axis / sine)) * R_WB_).normalized();
}

void BaseEstimate::readSensors(std::span<const SensorReading> sensors, double dt, VectorXd& q, VectorXd& dq) {
  if (!active_) return;
  updateLink(q, dq);
  const Eigen::Quaterniond before = R_WB_;

  // An orientation that is exactly the identity, and a velocity that is exactly zero, are what a sensor reports that
  // does not measure them.
  Eigen::Matrix<double, 9, 1> rows;
  Matrix3d R_WL;
  bool hasRotation = read<9>(sensors, rotation_, rows);
  if (hasRotation) {
    for (int i = 0; i < 9; ++i) R_WL(i / 3, i % 3) = rows[i];
    hasRotation = R_WL != Matrix3d::Identity() && R_WL.determinant() > 0.1;
  }
  Vector3d w;
  bool hasVelocity = read<3>(sensors, angularVelocity_, w) && !w.isZero(0);
  if (hasVelocity && settings_.velocityInLink) w = R_WB_ * (X_BL_.R * w);
  if (!hasVelocity) {
    hasVelocity = read<3>(sensors, tiltVelocity_, w) && !w.isZero(0);
    if (hasVelocity) w = R_WB_ * (X_BL_.R * (settings_.rotation.R * w));
  }
  const bool gyro = hasVelocity || (hasVelocity_ && !hasRotation);
  if (gyro) {
    const Vector3d w_WB = hasVelocity ? Vector3d(w - R_WB_ * w_BL_) : Vector3d::Zero();
    // Trapezoidal rule; the first reading has none before it.
    const Vector3d moment = 0.5 * ((hasVelocity_ ? w_WB_ : w_WB) + w_WB) * dt;
    R_WB_ = (Eigen::Quaterniond(rotationFromMoment(moment)) * R_WB_).normalized();
    w_WB_ = w_WB;
    hasVelocity_ = true;
  }
  if (hasRotation) R_WB_ = Eigen::Quaterniond(Matrix3d(orthonormalized(R_WL) * X_BL_.R.transpose())).normalized();
  Vector3d angles;
  if (!hasRotation && tilt_.present() && read<3>(sensors, tilt_, angles))
    correctTilt(angles, gyro && settings_.tiltTime > 0 ? -std::expm1(-dt / settings_.tiltTime) : 1);
  if (!gyro && dt > 0) w_WB_ = momentFromRotation((R_WB_ * before.conjugate()).toRotationMatrix()) / dt;

  Vector3d translation, velocity;
  if (read<3>(sensors, translation_, translation) && read<3>(sensors, velocity_, velocity)) {
    p_WB_ = pStart_ + translation;
    v_WB_ = velocity;
  }
  setFloatingBasePose(*robot_, {R_WB_.toRotationMatrix(), p_WB_}, q);
  setFloatingBaseVelocity(*robot_, v_WB_, w_WB_, q, dq);
}

void BaseEstimate::save(ByteWriter& out) const {
  for (const Vector3d* v : {&p_WB_, &v_WB_, &w_WB_, &pStart_})
    for (int i = 0; i < 3; ++i) out.put((*v)[i]);
  for (int i = 0; i < 4; ++i) out.put(R_WB_.coeffs()[i]);
  out.put<std::uint8_t>(hasVelocity_ ? 1 : 0);
}

void BaseEstimate::restore(ByteReader& in) {
  for (Vector3d* v : {&p_WB_, &v_WB_, &w_WB_, &pStart_})
    for (int i = 0; i < 3; ++i) (*v)[i] = getFinite(in);
  for (int i = 0; i < 4; ++i) R_WB_.coeffs()[i] = getFinite(in);
  if (std::abs(R_WB_.norm() - 1) > 1e-6) throw Error("snapshot of an estimator holds an orientation that is none");
  hasVelocity_ = getFlag(in);
}

}  // namespace mortise::estimators
