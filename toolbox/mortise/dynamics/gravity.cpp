#include "mortise/dynamics/gravity.h"

#include <Eigen/Geometry>

namespace mortise {

GravityModel::GravityModel(const Robot& robot)
    : robot_(robot), mass_(robot.numLinks()), moment_(robot.numLinks(), Vector3d::Zero()) {}

void GravityModel::compute(const RobotState& state, const Vector3d& gravity, VectorXd& G) {
  const int n = robot_.numLinks();
  for (int i = 0; i < n; ++i) {
    const BodyInertia& inertia = robot_.link(i).inertia;
    mass_[i] = inertia.mass;
    moment_[i] = inertia.mass * (state.X_WL[i] * inertia.com);
  }
  for (int i = n - 1; i >= 0; --i) {
    const Link& link = robot_.link(i);
    const Vector3d axis_W = state.X_WL[i].R * link.axis;
    if (link.motion == LinkMotion::revolute) {
      const Vector3d arm = moment_[i] - mass_[i] * state.X_WL[i].p;
      G[i] = -axis_W.dot(arm.cross(gravity));
    } else {
      G[i] = -mass_[i] * axis_W.dot(gravity);
    }
    if (link.parent >= 0) {
      mass_[link.parent] += mass_[i];
      moment_[link.parent] += moment_[i];
    }
  }
}

double potentialEnergy(const Robot& robot, const RobotState& state, const Vector3d& gravity) {
  double energy = 0;
  for (int i = 0; i < robot.numLinks(); ++i) {
    const BodyInertia& inertia = robot.link(i).inertia;
    energy -= inertia.mass * gravity.dot(state.X_WL[i] * inertia.com);
  }
  return energy;
}

}  // namespace mortise
