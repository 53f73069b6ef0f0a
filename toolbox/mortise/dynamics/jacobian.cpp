#include "mortise/base/expect.h"
#include "mortise/dynamics/robot_dynamics.h"
#include "mortise/dynamics/robot_dynamics_data.h"

namespace mortise {

using detail::cross;
using detail::eigen;
using detail::V3;

void RobotDynamics::jacobian(int link, const Vector3d& p_LP, Eigen::Ref<Matrix6X> J) const {
  MORTISE_REQUIRE_INDEX(link, data_->n, "links");
  MORTISE_REQUIRE_SHAPE(J, 6, data_->n);
  const Data& d = *data_;
  J.setZero();
  const V3 point = d.pointAt(link, p_LP);
  for (int i = link; i >= 0; i = d.parent[i]) {
    const V3 s = d.axis(i);
    if (d.link[i].revolute) {
      J.col(i).head<3>() = eigen(s);
      J.col(i).tail<3>() = eigen(cross(s, point - d.origin(i)));
    } else {
      J.col(i).tail<3>() = eigen(s);
    }
  }
}

void RobotDynamics::positionJacobian(int link, const Vector3d& p_LP, Eigen::Ref<Matrix3X> J) const {
  MORTISE_REQUIRE_INDEX(link, data_->n, "links");
  MORTISE_REQUIRE_SHAPE(J, 3, data_->n);
  const Data& d = *data_;
  J.setZero();
  const V3 point = d.pointAt(link, p_LP);
  for (int i = link; i >= 0; i = d.parent[i])
    J.col(i) = eigen(d.link[i].revolute ? cross(d.axis(i), point - d.origin(i)) : d.axis(i));
}

void RobotDynamics::orientationJacobian(int link, Eigen::Ref<Matrix3X> J) const {
  MORTISE_REQUIRE_INDEX(link, data_->n, "links");
  MORTISE_REQUIRE_SHAPE(J, 3, data_->n);
  const Data& d = *data_;
  J.setZero();
  for (int i = link; i >= 0; i = d.parent[i])
    if (d.link[i].revolute) J.col(i) = eigen(d.axis(i));
}

void RobotDynamics::jacobianRate(int link, const Vector3d& p_LP, Eigen::Ref<Matrix6X> Jdot) const {
  MORTISE_REQUIRE_INDEX(link, data_->n, "links");
  MORTISE_REQUIRE_SHAPE(Jdot, 6, data_->n);
  const Data& d = *data_;
  Jdot.setZero();
  const V3 point = d.pointAt(link, p_LP);
  const V3 velocity = d.velocityAt(link, point);
  for (int i = link; i >= 0; i = d.parent[i]) {
    const V3 s = d.axis(i), p = d.origin(i);
    const V3 axisRate = cross(d.angularVelocity(i), s);  // The axis is fixed in the link.
    if (d.link[i].revolute) {
      Jdot.col(i).head<3>() = eigen(axisRate);
      Jdot.col(i).tail<3>() = eigen(cross(axisRate, point - p) + cross(s, velocity - d.velocityAt(i, p)));
    } else {
      Jdot.col(i).tail<3>() = eigen(axisRate);
    }
  }
}

void RobotDynamics::allJacobians(Eigen::Ref<Matrix6X> J) const {
  MORTISE_REQUIRE_SHAPE(J, 6, data_->n);
  const Data& d = *data_;
  for (int i = 0; i < d.n; ++i) {
    const V3 s = d.axis(i);
    const bool revolute = d.link[i].revolute;
    const V3 w = revolute ? s : V3(), v = revolute ? cross(d.origin(i), s) : s;
    double* column = J.data() + i * J.outerStride();
    column[0] = w.x, column[1] = w.y, column[2] = w.z;
    column[3] = v.x, column[4] = v.y, column[5] = v.z;
  }
}

Vector3d RobotDynamics::centerOfMass() const {
  const Data& d = *data_;
  V3 moment;
  for (int i = 0; i < d.n; ++i) moment += d.link[i].mass * d.center(i);
  return d.totalMass > 0 ? Vector3d(eigen(moment) / d.totalMass) : Vector3d::Zero();
}

Vector3d RobotDynamics::centerOfMassVelocity() const {
  const Data& d = *data_;
  V3 momentum;
  for (int i = 0; i < d.n; ++i) momentum += d.link[i].mass * d.velocityAt(i, d.center(i));
  return d.totalMass > 0 ? Vector3d(eigen(momentum) / d.totalMass) : Vector3d::Zero();
}

void RobotDynamics::centerOfMassJacobian(Eigen::Ref<Matrix3X> J) {
  MORTISE_REQUIRE_SHAPE(J, 3, data_->n);
  Data& d = *data_;
  for (int i = 0; i < d.n; ++i) {
    d.massBelow[i] = d.link[i].mass;
    d.momentBelow[i] = d.link[i].mass * d.center(i);
  }
  const double fraction = d.totalMass > 0 ? 1 / d.totalMass : 0;
  for (int i = d.n - 1; i >= 0; --i) {
    const V3 s = d.axis(i);
    J.col(i) = eigen(d.link[i].revolute ? fraction * cross(s, d.momentBelow[i] - d.massBelow[i] * d.origin(i))
                                        : (fraction * d.massBelow[i]) * s);
    const int parent = d.parent[i];
    if (parent < 0) continue;
    d.massBelow[parent] += d.massBelow[i];
    d.momentBelow[parent] += d.momentBelow[i];
  }
}

}  // namespace mortise
