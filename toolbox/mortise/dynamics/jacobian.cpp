#include "mortise/dynamics/robot_dynamics.h"
#include "mortise/dynamics/robot_dynamics_data.h"

namespace mortise {

using detail::cross;
using detail::eigen;
using detail::V3;

void RobotDynamics::jacobian(int link, const Vector3d& p_LP, Eigen::Ref<Matrix6X> J) const {
  const Data& d = *data_;
  J.setZero();
  const V3 point = d.state[link].p + d.state[link].R * detail::v3(p_LP);
  for (int i = link; i >= 0; i = d.link[i].parent) {
    const Data::LinkState& x = d.state[i];
    if (d.link[i].revolute) {
      J.col(i).head<3>() = eigen(x.s);
      J.col(i).tail<3>() = eigen(cross(x.s, point - x.p));
    } else {
      J.col(i).tail<3>() = eigen(x.s);
    }
  }
}

void RobotDynamics::positionJacobian(int link, const Vector3d& p_LP, Eigen::Ref<Matrix3X> J) const {
  const Data& d = *data_;
  J.setZero();
  const V3 point = d.state[link].p + d.state[link].R * detail::v3(p_LP);
  for (int i = link; i >= 0; i = d.link[i].parent) {
    const Data::LinkState& x = d.state[i];
    J.col(i) = eigen(d.link[i].revolute ? cross(x.s, point - x.p) : x.s);
  }
}

void RobotDynamics::orientationJacobian(int link, Eigen::Ref<Matrix3X> J) const {
  const Data& d = *data_;
  J.setZero();
  for (int i = link; i >= 0; i = d.link[i].parent)
    if (d.link[i].revolute) J.col(i) = eigen(d.state[i].s);
}

void RobotDynamics::jacobianRate(int link, const Vector3d& p_LP, Eigen::Ref<Matrix6X> Jdot) const {
  const Data& d = *data_;
  Jdot.setZero();
  const Data::LinkState& end = d.state[link];
  const V3 arm = end.R * detail::v3(p_LP);
  const V3 point = end.p + arm;
  const V3 velocity = end.v + cross(end.w, arm);
  for (int i = link; i >= 0; i = d.link[i].parent) {
    const Data::LinkState& x = d.state[i];
    const V3 axisRate = cross(x.w, x.s);  // The axis is fixed in the link.
    if (d.link[i].revolute) {
      Jdot.col(i).head<3>() = eigen(axisRate);
      Jdot.col(i).tail<3>() = eigen(cross(axisRate, point - x.p) + cross(x.s, velocity - x.v));
    } else {
      Jdot.col(i).tail<3>() = eigen(axisRate);
    }
  }
}

Vector3d RobotDynamics::centerOfMass() const {
  const Data& d = *data_;
  V3 moment;
  for (int i = 0; i < d.n; ++i) moment += d.link[i].mass * d.state[i].com;
  return d.totalMass > 0 ? Vector3d(eigen(moment) / d.totalMass) : Vector3d::Zero();
}

Vector3d RobotDynamics::centerOfMassVelocity() const {
  const Data& d = *data_;
  V3 momentum;
  for (int i = 0; i < d.n; ++i) {
    const Data::LinkState& x = d.state[i];
    momentum += d.link[i].mass * (x.v + cross(x.w, x.com - x.p));
  }
  return d.totalMass > 0 ? Vector3d(eigen(momentum) / d.totalMass) : Vector3d::Zero();
}

void RobotDynamics::centerOfMassJacobian(Eigen::Ref<Matrix3X> J) {
  Data& d = *data_;
  for (int i = 0; i < d.n; ++i) {
    d.subtreeMass[i] = d.link[i].mass;
    d.subtreeMoment[i] = d.link[i].mass * d.state[i].com;
  }
  for (int i = d.n - 1; i >= 0; --i) {
    const Data::LinkState& x = d.state[i];
    const double share = d.totalMass > 0 ? 1 / d.totalMass : 0;
    J.col(i) = eigen(d.link[i].revolute ? share * cross(x.s, d.subtreeMoment[i] - d.subtreeMass[i] * x.p)
                                        : (share * d.subtreeMass[i]) * x.s);
    const int parent = d.link[i].parent;
    if (parent < 0) continue;
    d.subtreeMass[parent] += d.subtreeMass[i];
    d.subtreeMoment[parent] += d.subtreeMoment[i];
  }
}

}  // namespace mortise
