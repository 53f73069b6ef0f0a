#include "mortise/configuration/configuration_space.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "mortise/base/error.h"
#include "mortise/math/constants.h"
#include "mortise/math/rotation.h"
#include "mortise/model/robot_state.h"
#include "mortise/modeling/robot_edit.h"
#include "tests/support/allocation_counter.h"

namespace mortise {
namespace {

/// One link after the other: a floating base, then a weld, a normal, a spin joint, a planar chain, a ball and socket.
RobotPtr everyJoint() {
  RobotDescription robot = rigidObjectRobot("everything", {}, nullptr);
  const auto add = [&robot](LinkMotion motion, const Vector3d& axis) {
    Link link;
    link.name = "l" + std::to_string(robot.links.size());
    link.parent = static_cast<int>(robot.links.size()) - 1;
    link.motion = motion;
    link.axis = axis;
    link.inertia.mass = 1;
    robot.links.push_back(link);
  };
  for (int i = 6; i < 9; ++i) add(LinkMotion::revolute, Vector3d::UnitY());
  robot.links[6].q = 0.4;
  robot.links[7].qMin = -1;
  robot.links[7].qMax = 2;
  add(LinkMotion::prismatic, Vector3d::UnitX());
  add(LinkMotion::prismatic, Vector3d::UnitY());
  add(LinkMotion::revolute, Vector3d::UnitZ());
  for (int k = 0; k < 3; ++k) add(LinkMotion::revolute, Vector3d::Unit(2 - k));
  robot.joints.insert(robot.joints.end(), {{JointType::weld, 6, -1},
                                           {JointType::normal, 7, -1},
                                           {JointType::spin, 8, -1},
                                           {JointType::floatingPlanar, 11, 8},
                                           {JointType::ballAndSocket, 14, 11}});
  return Robot::compile(robot);
}

/// Angles (z, y, x) that start at `first`.
Matrix3d rotationAt(const VectorXd& q, int first) { return rotationFromEulerZyx(q.segment<3>(first)); }

VectorXd drawn(RandomStream& random, int n, double scale = 2) {
  VectorXd q(n);
  for (double& x : q) x = random.uniform(-scale, scale);
  return q;
}

TEST(ConfigurationSpace, EndsAreTheEnds) {
  const ConfigurationSpace space(everyJoint());
  RandomStream random(1);
  for (int k = 0; k < 20; ++k) {
    VectorXd a = drawn(random, 15), b = drawn(random, 15), q;
    b[6] = a[6];
    space.interpolate(a, b, 0, q);
    EXPECT_NEAR(space.distance(a, q), 0, 1e-9);
    space.interpolate(a, b, 1, q);
    EXPECT_NEAR(space.distance(b, q), 0, 1e-9);
    // Wrapped, and the same place.
    for (const int i : {3, 5, 8, 11, 12, 14}) EXPECT_TRUE(q[i] >= 0 && q[i] < 2 * kPi) << i;
    for (const int i : {0, 1, 2, 6, 7, 9, 10}) EXPECT_DOUBLE_EQ(q[i], b[i]) << i;
    EXPECT_LT((rotationAt(q, 3) - rotationAt(b, 3)).norm(), 1e-12);
    EXPECT_LT((rotationAt(q, 12) - rotationAt(b, 12)).norm(), 1e-12);
  }
}

TEST(ConfigurationSpace, DistanceGrowsEvenlyAlongTheWay) {
  const ConfigurationSpace space(everyJoint());
  RandomStream random(2);
  for (int k = 0; k < 20; ++k) {
    const VectorXd a = drawn(random, 15), b = drawn(random, 15);
    VectorXd q;
    for (const double norm : {1.0, 2.0, 3.0, kInfinity}) {
      const ConfigurationDistanceOptions options = {.norm = norm, .rotationWeight = 0.3};
      const double full = space.distance(a, b, options);
      space.interpolate(a, b, 0.25, q);
      EXPECT_NEAR(space.distance(a, q, options), 0.25 * full, 1e-9) << norm;
      EXPECT_NEAR(space.distance(q, b, options), 0.75 * full, 1e-9) << norm;
      EXPECT_NEAR(space.distance(b, a, options), full, 1e-12);
    }
  }
}

TEST(ConfigurationSpace, VelocityIsTheDerivative) {
  const ConfigurationSpace space(everyJoint());
  RandomStream random(3);
  for (int k = 0; k < 20; ++k) {
    const VectorXd a = drawn(random, 15);
    VectorXd b = drawn(random, 15);
    b[6] = a[6];  // A weld.
    VectorXd low, high, dq;
    const double h = 1e-6;
    for (const double u : {0.2, 0.7}) {
      space.interpolate(a, b, u - h, low);
      space.interpolate(a, b, u + h, high);
      space.velocity(a, b, u, dq);
      for (int i = 0; i < 15; ++i)
        EXPECT_NEAR(std::remainder(high[i] - low[i], 2 * kPi) / (2 * h), dq[i], 1e-4 * std::max(1.0, std::abs(dq[i])))
            << i;
    }
  }
}

TEST(ConfigurationSpace, IntegratingTheVelocityArrives) {
  const ConfigurationSpace space(everyJoint());
  RandomStream random(4);
  for (int k = 0; k < 20; ++k) {
    const VectorXd a = drawn(random, 15, 1.2);
    VectorXd b = drawn(random, 15, 1.2), dq;
    b[6] = a[6];
    space.velocity(a, b, 0, dq);
    EXPECT_EQ(dq[6], 0);
    space.integrate(a, dq, dq);
    EXPECT_NEAR(space.distance(b, dq), 0, 1e-9);
  }
}

TEST(ConfigurationSpace, SpinsGoTheShortWayRound) {
  const ConfigurationSpace space(everyJoint());
  VectorXd a = VectorXd::Zero(15), b = VectorXd::Zero(15), q;
  a[8] = 0.1;
  b[8] = 2 * kPi - 0.1;
  EXPECT_NEAR(space.distance(a, b), 0.2, 1e-12);
  space.interpolate(a, b, 0.75, q);
  EXPECT_NEAR(q[8], 2 * kPi - 0.05, 1e-12);
  b[8] += 20 * kPi;
  EXPECT_NEAR(space.distance(a, b), 0.2, 1e-12);
  // A normal joint goes all the way.
  a[7] = 0.1;
  b[7] = 2 * kPi - 0.1;
  EXPECT_NEAR(space.distance(a, b), std::hypot(0.2, 2 * kPi - 0.2), 1e-12);
}

TEST(ConfigurationSpace, RotationsAreOneAngle) {
  const ConfigurationSpace space(everyJoint());
  VectorXd a = VectorXd::Zero(15), b = VectorXd::Zero(15), dq;
  b[12] = 0.3;
  b[13] = 0.4;
  const double angle = momentFromRotation(rotationAt(b, 12)).norm();
  EXPECT_NEAR(space.distance(a, b), angle, 1e-12);
  EXPECT_NEAR(space.distance(a, b, {.rotationWeight = 0.5}), angle / 2, 1e-12);
  VectorXd weights = VectorXd::Ones(15);
  weights[14] = 10;
  EXPECT_NEAR(space.distance(a, b, {.weights = weights}), 10 * angle, 1e-12);
  // In the singular position something finite comes out.
  a[13] = kPi / 2;
  space.velocity(a, b, 0, dq);
  EXPECT_TRUE(dq.allFinite());
}

TEST(ConfigurationSpace, NormalizingMovesNothing) {
  const RobotPtr robot = everyJoint();
  const ConfigurationSpace space(robot);
  RandomStream random(5);
  RobotState a(*robot), b(*robot);
  a.q = drawn(random, 15, 20);
  b.q = a.q;
  space.normalize(b.q);
  updateFrames(*robot, a);
  updateFrames(*robot, b);
  for (int i : {2, 5, 6, 7, 8, 11, 14}) EXPECT_LT((a.X_WL[i].R - b.X_WL[i].R).norm(), 1e-12) << i;
  EXPECT_LE(std::abs(b.q[13]), kPi / 2);
  VectorXd tiny = VectorXd::Zero(15);
  tiny[8] = -1e-300;
  space.normalize(tiny);
  EXPECT_EQ(tiny[8], 0);
}

TEST(ConfigurationSpace, LimitsOfSpinsCountByTheirTurn) {
  RobotDescription description = everyJoint()->description();
  description.links[8].qMin = -0.5;
  description.links[8].qMax = 0.5;
  const ConfigurationSpace space(Robot::compile(description));
  VectorXd q = VectorXd::Zero(15);
  EXPECT_TRUE(space.withinLimits(q));
  q[8] = 2 * kPi - 0.4;
  EXPECT_TRUE(space.withinLimits(q));
  q[8] = 1;
  EXPECT_FALSE(space.withinLimits(q));
  q[8] = 0;
  q[7] = 2.1;
  EXPECT_FALSE(space.withinLimits(q));
  EXPECT_TRUE(space.withinLimits(q, 0.2));
  q[7] = std::nan("");
  EXPECT_FALSE(space.withinLimits(q));
}

TEST(ConfigurationSpace, SamplesFillTheSpace) {
  RobotDescription description = everyJoint()->description();
  description.links[9].qMin = 3;
  const ConfigurationSpace space(Robot::compile(description));
  RandomStream random(6);
  VectorXd q;
  Vector3d pointSum = Vector3d::Zero();
  double minimum = kInfinity, greatest = -kInfinity, beyond = 0, away = 0;
  const int count = 4000;
  for (int k = 0; k < count; ++k) {
    space.sample(random, q, {.unboundedScale = 2});
    ASSERT_TRUE(space.withinLimits(q));
    EXPECT_EQ(q[6], 0.4);
    minimum = std::min(minimum, q[7]);
    greatest = std::max(greatest, q[7]);
    pointSum += rotationAt(q, 3) * Vector3d::UnitX();
    beyond += q[9] - 3;
    away += std::abs(q[0]);
  }
  EXPECT_NEAR(minimum, -1, 0.01);
  EXPECT_NEAR(greatest, 2, 0.01);
  // Uniform on the sphere: the mean of points vanishes. Laplace and exponential: mean distance is the scale.
  EXPECT_LT((pointSum / count).norm(), 0.05);
  EXPECT_NEAR(beyond / count, 2, 0.15);
  EXPECT_NEAR(away / count, 2, 0.15);
  RandomStream same(6), again(6);
  VectorXd first, second;
  space.sample(same, first);
  space.sample(again, second);
  EXPECT_EQ(first, second);
}

TEST(ConfigurationSpace, SamplesKeepWhatADriverHoldsTogether) {
  RobotDescription description = everyJoint()->description();
  Driver driver;
  driver.name = "both";
  driver.type = DriverType::affine;
  driver.links = {7, 9};
  driver.scale = {2, -1};
  driver.offset = {0, 0.5};
  description.drivers = {driver};
  description.links[9].qMin = -0.5;
  description.links[9].qMax = 10;
  const RobotPtr robot = Robot::compile(description);
  const ConfigurationSpace space(robot);
  RandomStream random(8);
  VectorXd q;
  for (int k = 0; k < 100; ++k) {
    space.sample(random, q);
    EXPECT_NEAR((q[7] - 0) / 2, (q[9] - 0.5) / -1, 1e-12);
    EXPECT_TRUE(space.withinLimits(q));
  }
}

TEST(ConfigurationSpace, NothingAllocatesOnceWarm) {
  const ConfigurationSpace space(everyJoint());
  RandomStream random(9);
  const VectorXd a = drawn(random, 15), b = drawn(random, 15);
  VectorXd q(15);
  double sum = 0;
  const auto work = [&] {
    space.interpolate(a, b, 0.4, q);
    space.velocity(a, b, 0.4, q);
    space.integrate(a, b, q);
    space.normalize(q);
    sum += space.distance(a, b);
    space.sample(random, q);
    sum += space.withinLimits(q);
  };
  work();
  const std::size_t before = test::allocationCount;
  work();
  EXPECT_EQ(test::allocationCount, before);
  EXPECT_GT(sum, 0);
}

TEST(ConfigurationSpace, RefusesWhatDoesNotFit) {
  const ConfigurationSpace space(everyJoint());
  const VectorXd good = VectorXd::Zero(15), bad = VectorXd::Zero(14);
  VectorXd q;
  EXPECT_THROW(space.interpolate(good, bad, 0.5, q), Error);
  EXPECT_THROW(space.distance(bad, good), Error);
  EXPECT_THROW(space.distance(good, good, {.norm = 0.5}), Error);
  EXPECT_THROW(space.distance(good, good, {.weights = bad}), Error);
}

}  // namespace
}  // namespace mortise
