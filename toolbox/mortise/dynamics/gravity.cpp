#include "mortise/dynamics/gravity.h"

#include <Eigen/Geometry>

#include "mortise/base/expect.h"

namespace mortise {

GravityModel::GravityModel(const Robot& robot)
    : robot_(robot), mass_(robot.numLinks()), moment_(robot.numLinks(), Vector3d::Zero()) {}

void GravityModel::compute(const RobotState& state, const Vector3d& gravity, VectorXd& G) {
  MORTISE_REQUIRE_SIZE(state.X_WL, robot_.numLinks(), "one for each link");
  MORTISE_REQUIRE_SIZE(G, robot_.numLinks(), "one for each link");
  MORTISE_EXPECT_FINITE(gravity);
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
  MORTISE_REQUIRE_SIZE(state.X_WL, robot.numLinks(), "one for each link");
  double energy = 0;
  for (int i = 0; i < robot.numLinks(); ++i) {
    const BodyInertia& inertia = robot.link(i).inertia;
    energy -= inertia.mass * gravity.dot(state.X_WL[i] * inertia.com);
  }
  return energy;
}

}  // namespace mortise
