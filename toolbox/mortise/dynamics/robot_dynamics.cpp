#include "mortise/dynamics/robot_dynamics.h"

#include "mortise/dynamics/robot_dynamics_data.h"

namespace mortise {

using detail::cross;
using detail::dot;
using detail::eigen;
using detail::M3;
using detail::S3;
using detail::V3;

RobotDynamics::Data::Data(RobotPtr robotPtr) : robot(std::move(robotPtr)), n(robot->numLinks()) {
  link.resize(n);
  state.resize(n);
  dq = VectorXd::Zero(n);
  zero = VectorXd::Zero(n);
  scratch = VectorXd::Zero(n);
  sine.resize(n);
  cosine.resize(n);
  alpha.resize(n);
  accel.resize(n);
  force.resize(n);
  torque.resize(n);
  composite.resize(n);
  subtreeMoment.resize(n);
  subtreeMass.resize(n);
  body.resize(n);
  sweep.resize(n);
  bool found = false;
  for (int i = 0; i < n; ++i) {
    const Link& from = robot->link(i);
    LinkConstants& to = link[i];
    to.parent = from.parent;
    to.revolute = from.motion == LinkMotion::revolute;
    to.turned = from.X_PL0.R != Matrix3d::Identity();
    to.R0 = detail::m3(from.X_PL0.R);
    to.p0 = detail::v3(from.X_PL0.p);
    to.axisLength = from.axis.norm();
    const Vector3d unit = to.axisLength > 0 ? Vector3d(from.axis / to.axisLength) : Vector3d::Zero();
    to.axis = detail::v3(unit);
    to.axisKind = 3;
    to.axisSign = 1;
    for (int k = 0; k < 3; ++k) {
      if (std::abs(unit[k]) != 1) continue;
      to.axisKind = k;
      to.axisSign = unit[k];
    }
    to.mass = from.inertia.mass;
    to.com = detail::v3(from.inertia.com);
    to.inertia = detail::s3(from.inertia.inertia);
    to.hasMass = from.inertia.mass != 0 || from.inertia.inertia != Matrix3d::Zero();
    totalMass += to.mass;
    if (to.hasMass && !found) {
      found = true;
      referenceLink = i;
    }
  }
}

namespace {

/// R turned by an angle about its own axis k: two columns mix, the third stays.
inline M3 turned(const M3& R, int k, double s, double c) {
  switch (k) {
    case 0:
      return {R.c0, c * R.c1 + s * R.c2, c * R.c2 - s * R.c1};
    case 1:
      return {c * R.c0 - s * R.c2, R.c1, c * R.c2 + s * R.c0};
    default:
      return {c * R.c0 + s * R.c1, c * R.c1 - s * R.c0, R.c2};
  }
}

inline M3 axisRotation(const V3& a, double s, double c) {
  const double t = 1 - c;
  return {{c + t * a.x * a.x, t * a.x * a.y + s * a.z, t * a.x * a.z - s * a.y},
          {t * a.x * a.y - s * a.z, c + t * a.y * a.y, t * a.y * a.z + s * a.x},
          {t * a.x * a.z + s * a.y, t * a.y * a.z - s * a.x, c + t * a.z * a.z}};
}

}  // namespace

void RobotDynamics::Data::placeLinks(const VectorXd& q) {
  for (int i = 0; i < n; ++i) {
    if (!link[i].revolute) continue;
    const double angle = link[i].axisLength * q[i];
    sine[i] = std::sin(angle);
    cosine[i] = std::cos(angle);
  }
  for (int i = 0; i < n; ++i) {
    const LinkConstants& l = link[i];
    LinkState& x = state[i];
    M3 R;
    if (l.parent >= 0) {
      const LinkState& parent = state[l.parent];
      R = l.turned ? parent.R * l.R0 : parent.R;
      x.p = parent.p + parent.R * l.p0;
    } else {
      R = l.R0;
      x.p = l.p0;
    }
    if (l.revolute) {
      x.R = l.axisKind < 3 ? turned(R, l.axisKind, l.axisSign * sine[i], cosine[i])
                           : R * axisRotation(l.axis, sine[i], cosine[i]);
      x.s = l.axisLength * (x.R * l.axis);
    } else {
      x.R = R;
      x.s = l.axisLength * (R * l.axis);
      x.p += q[i] * x.s;
    }
    x.com = x.p + x.R * l.com;
  }
}

RobotDynamics::RobotDynamics(RobotPtr robot) : data_(std::make_unique<Data>(std::move(robot))) {
  setPosition(data_->robot->initialConfiguration());
}
RobotDynamics::~RobotDynamics() = default;
RobotDynamics::RobotDynamics(RobotDynamics&&) noexcept = default;
RobotDynamics& RobotDynamics::operator=(RobotDynamics&&) noexcept = default;

const Robot& RobotDynamics::robot() const { return *data_->robot; }

void RobotDynamics::setPosition(const VectorXd& q) {
  Data& d = *data_;
  d.placeLinks(q);
  d.dq.setZero();
  d.moving = false;
  for (Data::LinkState& x : d.state) x.w = x.v = V3();
}

void RobotDynamics::setState(const VectorXd& q, const VectorXd& dq) {
  Data& d = *data_;
  d.placeLinks(q);
  d.dq = dq;
  d.moving = true;
  for (int i = 0; i < d.n; ++i) {
    const Data::LinkConstants& l = d.link[i];
    Data::LinkState& x = d.state[i];
    x.w = x.v = V3();
    if (l.parent >= 0) {
      const Data::LinkState& parent = d.state[l.parent];
      x.w = parent.w;
      x.v = parent.v + cross(parent.w, x.p - parent.p);
    }
    (l.revolute ? x.w : x.v) += dq[i] * x.s;
  }
}

RigidTransform RobotDynamics::X_WL(int link) const {
  const Data::LinkState& x = data_->state[link];
  return {eigen(x.R), eigen(x.p)};
}

Vector3d RobotDynamics::angularVelocity(int link) const { return eigen(data_->state[link].w); }

Vector3d RobotDynamics::pointVelocity(int link, const Vector3d& p_LP) const {
  const Data::LinkState& x = data_->state[link];
  return eigen(x.v + cross(x.w, x.R * detail::v3(p_LP)));
}

Eigen::Matrix<double, 6, 1> RobotDynamics::pointAcceleration(int link, const Vector3d& p_LP, const VectorXd& ddq) {
  Data& d = *data_;
  // Only the links between the root and this one count; walk down along the array, which has parents first.
  for (int i = 0; i <= link; ++i) {
    const Data::LinkConstants& l = d.link[i];
    const Data::LinkState& x = d.state[i];
    V3 alpha, accel, w, arm;
    if (l.parent >= 0) {
      const Data::LinkState& parent = d.state[l.parent];
      arm = x.p - parent.p;
      w = parent.w;
      alpha = d.alpha[l.parent];
      accel = d.accel[l.parent] + cross(alpha, arm) + cross(w, cross(w, arm));
    }
    if (l.revolute)
      alpha += ddq[i] * x.s + d.dq[i] * cross(w, x.s);
    else
      accel += ddq[i] * x.s + (2 * d.dq[i]) * cross(w, x.s);
    d.alpha[i] = alpha;
    d.accel[i] = accel;
  }
  const Data::LinkState& x = d.state[link];
  const V3 arm = x.R * detail::v3(p_LP);
  Eigen::Matrix<double, 6, 1> result;
  result << eigen(d.alpha[link]), eigen(d.accel[link] + cross(d.alpha[link], arm) + cross(x.w, cross(x.w, arm)));
  return result;
}

double RobotDynamics::kineticEnergy() const {
  const Data& d = *data_;
  double energy = 0;
  for (int i = 0; i < d.n; ++i) {
    const Data::LinkConstants& l = d.link[i];
    if (!l.hasMass) continue;
    const Data::LinkState& x = d.state[i];
    const V3 v = x.v + cross(x.w, x.com - x.p);
    const V3 w = detail::transposeTimes(x.R, x.w);
    energy += 0.5 * (l.mass * dot(v, v) + dot(w, l.inertia * w));
  }
  return energy;
}

double RobotDynamics::potentialEnergy(const Vector3d& gravity) const {
  const Data& d = *data_;
  double energy = 0;
  for (int i = 0; i < d.n; ++i) energy -= d.link[i].mass * dot(detail::v3(gravity), d.state[i].com);
  return energy;
}

}  // namespace mortise
