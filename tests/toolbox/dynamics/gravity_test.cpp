#include "mortise/dynamics/gravity.h"

#include <gtest/gtest.h>

#include "mortise/base/random.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

TEST(Gravity, HoldsADoublePendulumAsTheTextbookSays) {
  const RobotPtr robot = Robot::compile(test::armDescription(2));
  RobotState state(*robot);
  state.q << 0.4, -0.9;
  updateFrames(*robot, state);
  GravityModel model(*robot);
  VectorXd G(2);
  model.compute(state, Vector3d(0, 0, -9.8), G);
  // Rotation about +y by q turns x towards -z, so gravity pulls q up: the holding torque is negative where cos > 0.
  const double second = -9.8 * 0.25 * std::cos(0.4 - 0.9);
  const double first = -9.8 * (0.25 + 0.5) * std::cos(0.4) + second;
  EXPECT_NEAR(G[1], second, 1e-12);
  EXPECT_NEAR(G[0], first, 1e-12);
}

TEST(Gravity, IsTheGradientOfThePotential) {
  RobotDescription description = test::armDescription(5);
  description.links[1].motion = LinkMotion::prismatic;
  description.links[2].axis = Vector3d(0.3, -0.5, 0.8);
  description.links[4].parent = 1;
  const RobotPtr robot = Robot::compile(description);
  RobotState state(*robot);
  RandomStream random(3, "gravity");
  const Vector3d gravity(1.5, -2, -9.8);
  for (int trial = 0; trial < 20; ++trial) {
    for (int i = 0; i < 5; ++i) state.q[i] = random.uniform(-2, 2);
    updateFrames(*robot, state);
    GravityModel model(*robot);
    VectorXd G(5);
    model.compute(state, gravity, G);
    for (int i = 0; i < 5; ++i) {
      constexpr double h = 1e-6;
      RobotState moved = state;
      moved.q[i] = state.q[i] + h;
      updateFrames(*robot, moved);
      const double above = potentialEnergy(*robot, moved, gravity);
      moved.q[i] = state.q[i] - h;
      updateFrames(*robot, moved);
      const double below = potentialEnergy(*robot, moved, gravity);
      EXPECT_NEAR(G[i], (above - below) / (2 * h), 1e-7) << "link " << i;
    }
  }
}

}  // namespace
}  // namespace mortise
