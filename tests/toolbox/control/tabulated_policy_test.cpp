#include "mortise/control/tabulated_policy.h"

#include <cmath>
#include <gtest/gtest.h>

#include "tests/support/error_text.h"

namespace mortise {
namespace {

using test::errorText;

/// A pole of 1 kg and 1 m that turns freely, or a mass of 1 kg that slides from -1 to 1; the motor gives `torque`.
RobotPtr oneLink(bool pole, double torque) {
  RobotDescription robot;
  robot.name = pole ? "pole" : "slider";
  Link link;
  link.name = "link";
  link.motion = pole ? LinkMotion::revolute : LinkMotion::prismatic;
  link.axis = pole ? Vector3d(0, -1, 0) : Vector3d::UnitX();
  link.inertia = {.mass = 1, .com = Vector3d(pole ? 1 : 0, 0, 0), .inertia = Matrix3d::Identity() * 1e-3};
  link.qMin = pole ? 0 : -1;
  link.qMax = pole ? kTurn : 1;
  link.velocityMin = pole ? -8 : -2;
  link.velocityMax = -link.velocityMin;
  link.torqueMax = torque;
  robot.links = {link};
  robot.joints = {{pole ? JointType::spin : JointType::normal, 0, -1}};
  Driver driver;
  driver.name = "motor";
  driver.links = {0};
  driver.torqueMin = -torque;
  driver.torqueMax = torque;
  robot.drivers = {driver};
  return Robot::compile(robot);
}

PolicyProblem problemFor(const RobotPtr& robot, double goal, double position, double velocity) {
  PolicyProblem problem;
  problem.robot = robot;
  problem.goal = VectorXd::Constant(1, goal);
  problem.weights = VectorXd::Ones(1);
  problem.cell = (VectorXd(2) << position, velocity).finished();
  return problem;
}

VectorXd one(double x) { return VectorXd::Constant(1, x); }

TEST(TabulatedPolicy, ASliderGoesStraightToItsGoal) {
  const RobotPtr robot = oneLink(false, 1);
  PolicyProblem problem = problemFor(robot, 0, 0.05, 0.1);
  problem.levels = 1;
  const PolicySearch found = findPolicy(problem);
  EXPECT_TRUE(found.converged);
  EXPECT_EQ(found.policy.numCells(), 40u * 40u);
  // As the time-optimal switching curve v |v| = -2 x says, far from it.
  for (const auto& [x, v] : {std::pair(0.5, 0.2), std::pair(0.5, 0.0), std::pair(-0.2, 1.2)})
    EXPECT_EQ(found.policy.at(*robot, one(x), one(v))[0], -1) << x << " " << v;
  for (const auto& [x, v] : {std::pair(-0.5, -0.2), std::pair(-0.5, 0.0), std::pair(0.2, -1.2)})
    EXPECT_EQ(found.policy.at(*robot, one(x), one(v))[0], 1) << x << " " << v;
  const PolicyRun run = runPolicy(robot, found.policy, one(0.9), one(0), 6, 100, problem.gravity);
  EXPECT_NEAR(run.q.back()[0], 0, 0.1);
  // At least the 2 sqrt(0.9) s of the fastest motion.
  EXPECT_GT(std::abs(run.q[150][0]), 0.05);
}

TEST(TabulatedPolicy, APoleIsSwungUpByAMotorThatCannotLiftIt) {
  const RobotPtr robot = oneLink(true, 3);
  const PolicyProblem problem = problemFor(robot, kPi / 2, 0.1, 0.2);
  const PolicySearch found = findPolicy(problem);
  EXPECT_TRUE(found.converged);
  const PolicyRun run = runPolicy(robot, found.policy, one(-kPi / 2), one(0), 15, 100, problem.gravity);
  for (std::size_t i = run.q.size() - 300; i < run.q.size(); ++i)
    ASSERT_LT(std::abs(turnedDifference(*robot, run.q[i], problem.goal)[0]), 0.5) << i;
  // The same bits again.
  EXPECT_EQ(findPolicy(problem).costs, found.costs);
  // Angles count up to full turns.
  EXPECT_EQ(found.policy.at(*robot, one(1 + 3 * kTurn), one(0)), found.policy.at(*robot, one(1), one(0)));
}

TEST(TabulatedPolicy, TextReadsBack) {
  const RobotPtr robot = oneLink(false, 1);
  TabulatedPolicy policy;
  policy.cell = (VectorXd(2) << 0.5, 1.5).finished();
  policy.low = {-2, -1};
  policy.high = {1, 0};
  for (int i = 0; i < 8; ++i) policy.torques.push_back(one(0.1 * i));
  const TabulatedPolicy back = readPolicy(policyText(policy), "a.policy", *robot);
  EXPECT_EQ(back.cell, policy.cell);
  EXPECT_EQ(back.low, policy.low);
  EXPECT_EQ(back.high, policy.high);
  EXPECT_EQ(back.torques, policy.torques);
  EXPECT_EQ(back.at(*robot, one(0.6), one(-0.1))[0], policy.torques[6][0]);
  EXPECT_EQ(back.at(*robot, one(9), one(9))[0], policy.torques[7][0]);
  EXPECT_EQ(back.at(*robot, one(-9), one(-9))[0], policy.torques[0][0]);
}

TEST(TabulatedPolicy, SaysWhatIsWrong) {
  const RobotPtr robot = oneLink(false, 1);
  const auto reading = [&](const std::string& text) {
    return errorText([&] { (void)readPolicy(text, "a.policy", *robot); });
  };
  EXPECT_NE(reading("4\t1 1 1 1\n").find("4 axes"), std::string::npos);
  EXPECT_NE(reading("2\t1 -1\n").find("length above 0"), std::string::npos);
  EXPECT_NE(reading("2\t1 1\n0 0\n1 1\n1\t5\n").find("ends too early"), std::string::npos);
  EXPECT_NE(reading("2\t1 1\n0 0\n9999999 9999999\n").find("ten million"), std::string::npos);
  EXPECT_NE(reading("2\t1 1\n0 0\n0 0\n2\t1 1\n").find("2 torques"), std::string::npos);
  EXPECT_NE(reading("2\t1 1\n0 0\n0 0\n1\tx\n").find("expected a number"), std::string::npos);
  PolicyProblem problem = problemFor(robot, 0, 1e-5, 1e-5);
  EXPECT_NE(errorText([&] { (void)findPolicy(problem); }).find("ten million"), std::string::npos);
  problem = problemFor(oneLink(false, kInfinity), 0, 0.1, 0.1);
  EXPECT_NE(errorText([&] { (void)findPolicy(problem); }).find("torque limits"), std::string::npos);
}

}  // namespace
}  // namespace mortise
