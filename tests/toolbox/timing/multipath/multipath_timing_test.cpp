#include "mortise/timing/multipath/multipath_timing.h"

#include <cmath>
#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/timing/bound_usage.h"
#include "mortise/timing/contact_bounds.h"
#include "mortise/timing/multipath/constrained_curve.h"
#include "mortise/timing/multipath/multipath_check.h"
#include "mortise/timing/multipath/multipath_tools.h"
#include "mortise/timing/torque_bounds.h"
#include "tests/support/vector.h"

namespace mortise {
namespace {

/// A pendulum about y, one meter long, with a mass of 1 kg at its end, that hangs along -z at q = 0.
RobotPtr timedPendulum(double torque) {
  RobotDescription description;
  description.name = "pendulum";
  Link link;
  link.name = "arm";
  link.axis = Vector3d::UnitY();
  link.inertia.mass = 1;
  link.inertia.com = Vector3d(0, 0, -1);
  link.velocityMin = -100;
  link.velocityMax = 100;
  link.accelerationMax = 1000;
  link.torqueMax = torque;
  description.links = {link};
  description.joints = {{JointType::normal, 0, -1}};
  Driver driver;
  driver.name = "arm";
  driver.links = {0};
  description.drivers = {driver};
  return Robot::compile(description);
}

MultiPath unnamedPath(std::vector<VectorXd> milestones) {
  MultiPath path;
  path.sections.emplace_back();
  path.sections[0].milestones = std::move(milestones);
  return path;
}

TEST(TorqueTiming, APendulumUsesItsTorqueAndNotMore) {
  const RobotPtr robot = timedPendulum(20);
  MultiPathTimingOptions options;
  options.torque = true;
  options.timing.gridPoints = 400;
  const MultiPathTiming timing = timeMultiPath(robot, unnamedPath({vector({0}), vector({1})}), options);
  // From below with full torque, then braking by -20: energy first. Torque and gravity do work on the arm:
  // v^2 / 2 = 20 q - 9.8 (1 - cos q) going up to the switch, and from there it loses 20 + gravity.
  TorqueBounds bound(robot);
  EXPECT_LE(largestUtilization(timing.motion, bound, 400) - 1, 1e-6);
  EXPECT_GT(largestUtilization(timing.motion, bound, 4), 0.99);
  // The switch is where 20 s - 9.8 (1 - cos 1) = 20 (1 - s), whatever the heights in between.
  const double s = 0.5 * (1 + 9.8 * (1 - std::cos(1.0)) / 20);
  double expected = 0;
  const int steps = 200000;
  for (int i = 0; i < steps; ++i) {
    const double q = (i + 0.5) / steps;
    const double energy = 20 * std::min(q, 2 * s - q) - 9.8 * (1 - std::cos(q));
    expected += 1.0 / steps / std::sqrt(2 * energy);
  }
  EXPECT_NEAR(timing.duration, expected, 3e-3 * expected);
  EXPECT_GE(timing.duration, expected * (1 - 1e-4));
}

TEST(TorqueTiming, WhatCannotBeHeldAtRestSaysWhichMotor) {
  MultiPathTimingOptions options;
  options.torque = true;
  try {
    timeMultiPath(timedPendulum(5), unnamedPath({vector({0}), vector({1.5})}), options);
    FAIL() << "5 N m do not hold 9.8 N at a meter";
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("'arm'"), std::string::npos) << error.message();
  }
}

/// A box of 1 kg on four corners of 0.2 m x 0.2 m, its center 0.1 m above them, that slides along x by a floating base:
/// friction is what accelerates it.
TEST(ContactTiming, FrictionBoundsTheAccelerationOfWhatStandsOnIt) {
  RobotDescription description;
  description.name = "box";
  for (int i = 0; i < 6; ++i) {
    Link link;
    link.name = "base" + std::to_string(i);
    link.parent = i - 1;
    link.motion = i < 3 ? LinkMotion::prismatic : LinkMotion::revolute;
    link.axis = i < 3 ? Vector3d(Vector3d::Unit(i)) : Vector3d(Vector3d::Unit(5 - i));
    link.torqueMax = 0;
    if (i == 5) {
      link.inertia.mass = 1;
      link.inertia.inertia = Matrix3d::Identity() * 0.01;
    }
    description.links.push_back(link);
  }
  // A weight of 1 kg on a slide along x: what moves.
  Link slide;
  slide.name = "slide";
  slide.parent = 5;
  slide.motion = LinkMotion::prismatic;
  slide.axis = Vector3d::UnitX();
  slide.inertia.mass = 1;
  slide.velocityMin = -100;
  slide.velocityMax = 100;
  slide.accelerationMax = 1000;
  description.links.push_back(slide);
  description.joints = {{JointType::floating, 5, -1}, {JointType::normal, 6, 5}};
  Driver driver;
  driver.name = "slide";
  driver.links = {6};
  description.drivers = {driver};
  const RobotPtr robot = Robot::compile(description);
  MultiPath path = unnamedPath({VectorXd::Zero(7), VectorXd::Unit(7, 6) * 0.5});
  Hold hold;
  hold.link = 5;
  hold.goal.link = 5;
  hold.goal.position = IKGoal::Position::point;
  hold.goal.rotation = IKGoal::Rotation::fixed;
  // Far apart, so that the box slips before it tips.
  for (const double x : {-5.0, 5.0})
    for (const double y : {-5.0, 5.0}) hold.contacts.push_back({Vector3d(x, y, -0.1), Vector3d::UnitZ(), 0.5});
  path.sections[0].holds = {hold};
  MultiPathTimingOptions options;
  options.contacts = true;
  const MultiPathTiming timing = timeMultiPath(robot, path, options);
  // Two kilograms on friction 0.5: the slide's kilogram may have 2 * 0.5 * 9.8 m/s^2. The pyramid's edges lie along x.
  const double a = 9.8;
  EXPECT_NEAR(timing.duration, 2 * std::sqrt(0.5 / a), 2e-3);
  options.contacts = false;
  EXPECT_LT(timeMultiPath(robot, path, options).duration, 0.1);
}

TEST(MultiPathTools, JoinsSplitsAndScales) {
  MultiPath one = unnamedPath({vector({0}), vector({1})}), two = unnamedPath({vector({1}), vector({3})});
  one.sections[0].times = {0, 2};
  one.sections[0].velocities = {vector({0.5}), vector({0.5})};
  two.sections[0].times = {5, 6};
  two.sections[0].velocities = {vector({2}), vector({2})};
  MultiPath both = joinPaths({one, two});
  EXPECT_EQ(both.duration(), 3);
  EXPECT_EQ(both.sections[1].times, (std::vector<double>{2, 3}));
  scaleTimes(both, -2);
  EXPECT_EQ(both.problem(), "");
  EXPECT_EQ(both.duration(), 6);
  EXPECT_EQ(both.sections[0].milestones[0], vector({3}));
  EXPECT_EQ(both.sections[0].velocities[0], vector({-1}));
  scaleTimes(both, -0.5);
  const std::vector<MultiPath> parts = splitAt(both, {1, 2.5});
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[1].sections.size(), 2u);
  EXPECT_EQ(parts[1].startTime(), 0);
  EXPECT_NEAR(parts[1].duration(), 1.5, 1e-15);
  EXPECT_NEAR(parts[1].sections[0].milestones[0][0], 0.5, 1e-15);
  EXPECT_EQ(splitSections(both).size(), 2u);
  EXPECT_THROW(splitAt(both, {3}), Error);
  EXPECT_THROW(joinPaths({one, unnamedPath({vector({0, 0}), vector({0, 0})})}), Error);
}

/// Two links of a meter about z whose end stays on the line y = 1.
RobotPtr twoLinkArm() {
  RobotDescription description;
  description.name = "planar";
  for (int i = 0; i < 3; ++i) {
    Link link;
    link.name = "link" + std::to_string(i);
    link.parent = i - 1;
    link.X_PL0.p = Vector3d(i == 0 ? 0 : 1, 0, 0);
    link.velocityMin = -2;
    link.velocityMax = 2;
    link.accelerationMax = 4;
    link.inertia.mass = 1;
    description.links.push_back(link);
    description.joints.push_back({JointType::normal, i, i - 1});
    Driver driver;
    driver.links = {i};
    driver.name = link.name;
    description.drivers.push_back(driver);
  }
  return Robot::compile(description);
}

TEST(ConstrainedCurve, KeepsLinksAtTheirGoals) {
  const RobotPtr robot = twoLinkArm();
  IKGoal goal;
  goal.link = 2;
  goal.position = IKGoal::Position::line;
  goal.p_DP = Vector3d(0, 1, 0);
  goal.direction_D = Vector3d::UnitX();
  // The end at x = 1, 0.2 and -0.8 on the line.
  const auto elbow = [](double x, double turn) {
    const double r = std::hypot(x, 1), bend = 2 * std::acos(r / 2), q1 = std::atan2(1, x) - bend / 2;
    return vector({q1, bend, turn});
  };
  MultiPath path = unnamedPath({elbow(1, 0), elbow(0.2, 1), elbow(-0.8, 2)});
  path.sections[0].goals = {goal};
  MultiPathTimingOptions options;
  const MultiPathTiming timing = timeMultiPath(robot, path, options);
  GoalResidual residual(robot, {goal});
  VectorXd q(3), dq(3);
  for (int i = 0; i <= 1000; ++i) {
    timing.motion.evaluate(timing.duration * i / 1000, q, dq);
    EXPECT_LE(residual.at(q), 3e-4);
  }
  const BoundUsage usage = boundUsage(timing.motion, fullLimits(*robot, {}).limits);
  EXPECT_LE(usage.velocity, 1 + 1e-9);
  EXPECT_LE(usage.acceleration, 1 + 1e-9);
  EXPECT_LT(timing.duration, timing.durationBefore);
  MultiPathCheckOptions checking;
  EXPECT_TRUE(checkMultiPath(robot, timing.path, checking).faults.empty());
  // Straight lines between the milestones leave the line.
  EXPECT_FALSE(checkMultiPath(robot, path, checking).faults.empty());
  const MultiPath fine = discretizeMultiPath(robot, path, {}, 1e-3);
  EXPECT_TRUE(checkMultiPath(robot, fine, checking).faults.empty());
  EXPECT_FALSE(fine.timed());
  const MultiPath smooth = smoothMultiPath(robot, path, {});
  EXPECT_EQ(smooth.problem(), "");
  EXPECT_EQ(smooth.duration(), 1);
  checking.limits.velocity = checking.limits.acceleration = 1e6;
  EXPECT_TRUE(checkMultiPath(robot, smooth, checking).faults.empty());
  EXPECT_THROW(smoothMultiPath(nullptr, path, {}), Error);
}

TEST(MultiPathTiming, SectionsThatDoNotMeetAreRefused) {
  MultiPath path = unnamedPath({vector({0}), vector({1})});
  path.sections.push_back(path.sections[0]);
  EXPECT_THROW(timeMultiPath(timedPendulum(20), path, {}), Error);
  EXPECT_EQ(checkMultiPath(nullptr, path, {}).faults.at(0).kind, "gap");
}

}  // namespace
}  // namespace mortise
