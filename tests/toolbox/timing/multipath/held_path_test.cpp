#include "mortise/timing/multipath/held_path.h"

#include <gtest/gtest.h>

#include "mortise/base/error.h"

namespace mortise {
namespace {

/// A palm that slides along x and turns about z, with a finger and a thumb that turn about y.
RobotPtr hand() {
  RobotDescription robot;
  robot.name = "hand";
  const auto add = [&](const char* name, int parent, LinkMotion motion, const Vector3d& axis, const Vector3d& at) {
    Link link;
    link.name = name;
    link.parent = parent;
    link.motion = motion;
    link.axis = axis;
    link.X_PL0.p = at;
    link.inertia.mass = 1;
    robot.joints.push_back({JointType::normal, static_cast<int>(robot.links.size()), parent});
    robot.links.push_back(link);
  };
  add("slide", -1, LinkMotion::prismatic, Vector3d::UnitX(), Vector3d::Zero());
  add("palm", 0, LinkMotion::revolute, Vector3d::UnitZ(), Vector3d(0, 0, 0.1));
  add("finger", 1, LinkMotion::revolute, Vector3d::UnitY(), Vector3d(0.1, 0, 0));
  add("thumb", 1, LinkMotion::revolute, Vector3d::UnitY(), Vector3d(0, 0.1, 0));
  add("tip", 3, LinkMotion::revolute, Vector3d::UnitY(), Vector3d(0, 0.1, 0.1));
  return Robot::compile(robot);
}

LinkContact touching(int link) { return {link, {Vector3d(0.1, 0, 0.1), Vector3d::UnitZ(), 0.5}, -1}; }

/// Everything touches; from the second milestone on the thumb bends.
MultiPath closing() {
  MultiPath path;
  path.sections.resize(1);
  for (const double thumb : {0.0, 0.5, 0.5}) {
    VectorXd q = VectorXd::Zero(5);
    q[3] = thumb;
    path.sections[0].milestones.push_back(q);
  }
  return path;
}

std::vector<LinkContact> allTouch(const VectorXd&) {
  return {touching(1), touching(2), touching(2), touching(3), touching(4)};
}

TEST(HeldPath, WhatIsCarriedBearsForcesToo) {
  MultiPath path = closing();
  IKGoal palm;
  palm.link = 1;
  palm.position = IKGoal::Position::point;
  palm.p_DP = Vector3d(0.002, 0, 0.1);  // 2 mm from where the milestones have it.
  palm.rotation = IKGoal::Rotation::fixed;
  path.sections[0].goals = {palm};
  const HeldPath held = withHolds(hand(), path, allTouch);
  EXPECT_EQ(held.sections[0].links, (std::vector<int>{1, 2}));
  EXPECT_EQ(held.sections[0].contacts, 3);
  EXPECT_TRUE(held.sections[0].bare.empty());
  const std::vector<Hold>& holds = held.path.sections[0].holds;
  ASSERT_EQ(holds.size(), 2u);
  EXPECT_EQ(holds[0].goal, palm);
  // The finger, where it is with the palm at its goal; the thumb and its tip do not stay.
  EXPECT_EQ(holds[1].link, 2);
  EXPECT_EQ(holds[1].contacts.size(), 2u);
  EXPECT_EQ(holds[1].goal.position, IKGoal::Position::point);
  EXPECT_EQ(holds[1].goal.rotation, IKGoal::Rotation::free);
  EXPECT_LT((holds[1].goal.p_DP - Vector3d(0.102, 0, 0.1)).norm(), 1e-12);
}

TEST(HeldPath, WithoutGoalsTheLinkNearestToTheBaseKeepsItsPose) {
  const HeldPath held = withHolds(hand(), closing(), allTouch);
  const std::vector<Hold>& holds = held.path.sections[0].holds;
  ASSERT_EQ(holds.size(), 2u);
  EXPECT_EQ(holds[0].link, 1);
  EXPECT_EQ(holds[0].goal.rotation, IKGoal::Rotation::fixed);
  EXPECT_EQ(holds[1].link, 2);
  EXPECT_LT((holds[1].goal.p_DP - Vector3d(0.1, 0, 0.1)).norm(), 1e-12);
}

TEST(HeldPath, NothingThatTouchesIsAnError) {
  EXPECT_THROW(withHolds(hand(), closing(), [](const VectorXd&) { return std::vector<LinkContact>(); }), Error);
  // A fingertip alone is no reason to hold the palm at its goal by nothing.
  MultiPath path = closing();
  IKGoal palm;
  palm.link = 1;
  palm.position = IKGoal::Position::point;
  path.sections[0].goals = {palm};
  const HeldPath held = withHolds(hand(), path, [](const VectorXd&) { return std::vector<LinkContact>{touching(4)}; });
  EXPECT_EQ(held.sections[0].bare, std::vector<int>{1});
}

}  // namespace
}  // namespace mortise
