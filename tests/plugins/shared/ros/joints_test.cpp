// Joints, poses and motions as messages and back.

#include "ros/conversion/joints.h"

#include <gtest/gtest.h>

#include "mortise/base/random.h"
#include "mortise/math/rotation.h"
#include "mortise/modeling/joint_names.h"
#include "ros/conversion/spatial.h"
#include "tests/support/error_text.h"
#include "tests/support/worlds.h"

namespace mortise::ros {
namespace {

using test::armDescription;
using test::errorText;

VectorXd vector(std::initializer_list<double> values) {
  VectorXd v(static_cast<Eigen::Index>(values.size()));
  std::copy(values.begin(), values.end(), v.begin());
  return v;
}

TEST(RosJoints, NamesAreThoseOfLinksOrOfJoints) {
  RobotDescription description = armDescription(3);
  description.joints[1].type = JointType::weld;
  description.drivers.erase(description.drivers.begin() + 1);
  setJointName(description, "rod2", "wrist");
  const RobotPtr robot = Robot::compile(description);
  EXPECT_EQ(namesOfJoints(*robot, Naming::klampt).names, (std::vector<std::string>{"rod0", "rod1", "rod2"}));
  const JointNames controlled = namesOfJoints(*robot, Naming::rosControl);
  EXPECT_EQ(controlled.names, (std::vector<std::string>{"rod0", "wrist"}));
  EXPECT_EQ(controlled.links, (std::vector<int>{0, 2}));
}

TEST(RosJoints, StatesComeBackInAnyOrderAndForeignNamesAreLeftOut) {
  const JointNames joints{{"a", "b", "c"}, {0, 1, 2}};
  JointState message;
  fillJointState(joints, {3, 4}, vector({1, 2, 3}), vector({4, 5, 6}), {}, message);
  EXPECT_EQ(message.position, (std::vector<double>{1, 2, 3}));
  EXPECT_TRUE(message.effort.empty());
  EXPECT_EQ(message.header.stamp, (Time{3, 4}));

  message.name = {"c", "gripper", "a"};
  message.velocity.clear();
  VectorXd q = vector({9, 9, 9}), dq = vector({7, 7, 7});
  EXPECT_EQ(applyJointState(message, joints, q, dq), (std::vector<std::string>{"gripper"}));
  EXPECT_EQ(q, vector({3, 9, 1}));
  EXPECT_EQ(dq, vector({7, 7, 7}));
  message.position.pop_back();
  EXPECT_NE(errorText([&] { applyJointState(message, joints, q, dq); }).find("expected 3 positions"),
            std::string::npos);
  message.position = {1, 2, kInfinity};
  EXPECT_NE(errorText([&] { applyJointState(message, joints, q, dq); }).find("not finite"), std::string::npos);
}

TEST(RosJoints, MotionsRoundTrip) {
  const JointNames joints{{"a", "b"}, {2, 0}};
  HermiteTrajectory motion;
  motion.times = {1, 1.25, 3};
  motion.configurations = {vector({1, 0, 2}), vector({3, 0, 4}), vector({5, 0, 6})};
  motion.velocities = {vector({0, 0, 1}), vector({-1, 0, 2}), vector({0, 0, 0})};
  const JointTrajectory message = trajectoryMessage(joints, motion);
  EXPECT_EQ(message.points[0].positions, (std::vector<double>{2, 1}));
  std::vector<std::string> unknown;
  const HermiteTrajectory back = hermiteTrajectoryFrom(message, joints, VectorXd::Zero(3), unknown);
  EXPECT_TRUE(unknown.empty());
  EXPECT_EQ(back.times, (std::vector<double>{0, 0.25, 2}));
  EXPECT_EQ(back.configurations, motion.configurations);
  EXPECT_EQ(back.velocities, motion.velocities);
}

TEST(RosJoints, PartialTrajectoriesLeaveTheOthersWhereTheyAre) {
  JointTrajectory message;
  message.joint_names = {"b", "elsewhere"};
  message.points.resize(1);
  message.points[0].positions = {0.5, 8};
  std::vector<std::string> unknown;
  const Trajectory motion = trajectoryFrom(message, {{"a", "b"}, {0, 1}}, vector({3, 4}), unknown);
  EXPECT_EQ(unknown, (std::vector<std::string>{"elsewhere"}));
  EXPECT_EQ(motion.configurations.at(0), vector({3, 0.5}));
}

TEST(RosJoints, WrongTrajectoriesSayWhichPoint) {
  JointTrajectory good;
  good.joint_names = {"a", "b"};
  good.points.resize(2);
  for (JointTrajectoryPoint& point : good.points) point.positions = {1, 2};
  good.points[1].time_from_start = {1, 0};
  EXPECT_EQ(errorText([&] { checkTrajectory(good); }), "");
  const auto refusal = [&good](auto change) {
    JointTrajectory message = good;
    change(message);
    return errorText([&message] { checkTrajectory(message); });
  };
  const auto says = [](const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  says(refusal([](auto& m) { m.points[1].positions.push_back(3); }),
       "point 1: expected 2 positions, one a joint, found 3");
  says(refusal([](auto& m) { m.points[1].time_from_start = {}; }), "point 1: expected times that increase");
  says(refusal([](auto& m) { m.points[0].time_from_start = {-1, 0}; }), "point 0: expected times that increase");
  says(refusal([](auto& m) { m.points[1].velocities = {0, 0}; }), "point 1: expected the same kinds");
  says(refusal([](auto& m) { m.points[0].positions[1] = std::nan(""); }), "point 0: number 1 of the positions");
  says(refusal([](auto& m) { m.joint_names[1] = "a"; }), "'a' is named twice");
  says(refusal([](auto& m) { m.points[0].positions.clear(); }), "point 0: expected positions, velocities or efforts");
}

TEST(RosJoints, PosesRoundTrip) {
  RandomStream random(3, "poses");
  for (int k = 0; k < 100; ++k) {
    const Vector3d moment(random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-1, 1));
    const RigidTransform X = {rotationFromMoment(moment), Vector3d(random.gaussian(), random.gaussian(), 0.1)};
    EXPECT_LT((transformFrom(poseMessage(X)).R - X.R).norm(), 1e-14);
    EXPECT_LT((transformFrom(transformMessage(X)).R - X.R).norm(), 1e-14);
    EXPECT_EQ(transformFrom(transformMessage(X)).p, X.p);
  }
  // A quarter turn about z.
  EXPECT_LT((rotationFrom({0, 0, std::sqrt(0.5), std::sqrt(0.5)}) * Vector3d::UnitX() - Vector3d::UnitY()).norm(),
            1e-15);
  EXPECT_NE(errorText([] { rotationFrom({0, 0, 0, 0}); }).find("length 1"), std::string::npos);
  EXPECT_NE(errorText([] { rotationFrom({0, 0, std::nan(""), 1}); }).find("length 1"), std::string::npos);
}

TEST(RosJoints, TimesKeepNanoseconds) {
  EXPECT_EQ(timeFrom(0.1), (Time{0, 100'000'000}));
  EXPECT_EQ(timeFrom(2.9999999999), (Time{3, 0}));
  EXPECT_EQ(durationFrom(-0.25), (Duration{-1, 750'000'000}));
  EXPECT_DOUBLE_EQ(secondsOf(durationFrom(-0.25)), -0.25);
  EXPECT_EQ(timeFromNanoseconds(nanosecondsOf(Time{1'700'000'000, 5})), (Time{1'700'000'000, 5}));
}

TEST(RosJoints, TopicNamesBecomeAllowed) {
  EXPECT_EQ(topicName("/left arm//joint-state/"), "left_arm/joint_state");
  EXPECT_EQ(topicName("2nd/3"), "_2nd/_3");
  EXPECT_EQ(joinNames("klampt/", "/arm"), "klampt/arm");
  EXPECT_EQ(joinNames("", "/clock"), "/clock");
}

}  // namespace
}  // namespace mortise::ros
