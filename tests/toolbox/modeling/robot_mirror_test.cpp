#include "mortise/modeling/robot_mirror.h"

#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/math/rotation.h"
#include "mortise/model/robot_state.h"
#include "tests/kernel/model/robots.h"
#include "tests/support/error_text.h"

namespace mortise {
namespace {

using test::errorText;

Link linkOf(const std::string& name, int parent, const Vector3d& p, const Vector3d& axis) {
  Link link;
  link.name = name;
  link.parent = parent;
  link.X_PL0.p = p;
  link.axis = axis;
  return link;
}

/// A trunk that turns about z, with a shoulder about x and an elbow about y on either side of the plane y = 0.5. The
/// right shoulder turns about -x, and its zero is 0.3 rad elsewhere.
RobotDescription twoArms() {
  RobotDescription d;
  d.name = "two arms";
  d.links = {linkOf("trunk", -1, {0, 0.5, 0}, Vector3d::UnitZ()),
             linkOf("L_shoulder", 0, {0.1, 0.2, 0.5}, Vector3d::UnitX()),
             linkOf("L_elbow", 1, {0, 0, -0.3}, Vector3d::UnitY()),
             linkOf("R_shoulder", 0, {0.1, -0.2, 0.5}, -Vector3d::UnitX()),
             linkOf("R_elbow", 3, {0, 0, -0.3}, Vector3d::UnitY())};
  return d;
}

TEST(RobotMirror, LimbsChangePlacesAndTheMiddleTurnsBack) {
  const RobotPtr robot = Robot::compile(twoArms());
  const RobotMirror mirror = findMirror(*robot);
  EXPECT_EQ(mirror.counterpart, (std::vector<int>{0, 3, 4, 1, 2}));
  EXPECT_LT((mirror.normal - Vector3d::UnitY()).norm(), 1e-12);
  EXPECT_NEAR(mirror.distance, 0.5, 1e-12);
  VectorXd q(5);
  q << 0.2, 0.3, 0.4, -0.5, 0.6;
  VectorXd expected(5);
  expected << -0.2, -0.5, 0.6, 0.3, 0.4;
  EXPECT_LT((mirror(q) - expected).norm(), 1e-12);
  EXPECT_LT((mirror(mirror(q)) - q).norm(), 1e-12) << "the image of the image";
  // Where the hands are.
  RobotState there(*robot), image(*robot);
  there.q = q;
  image.q = mirror(q);
  updateFrames(*robot, there);
  updateFrames(*robot, image);
  const Vector3d left = there.X_WL[2].p, right = image.X_WL[4].p;
  EXPECT_LT((Vector3d(left.x(), 1 - left.y(), left.z()) - right).norm(), 1e-12);
  EXPECT_THROW(mirror(VectorXd::Zero(4)), Error);
}

TEST(RobotMirror, ZerosThatAreElsewhereAreFoundByTheMiddleOfLimits) {
  RobotDescription d = twoArms();
  for (Link& link : d.links) link.qMin = -1, link.qMax = 1;
  // The right elbow counts from where it is bent by 0.4.
  d.links[4].X_PL0.R = rotationY(0.4);
  d.links[4].qMin = -1.4, d.links[4].qMax = 0.6;
  Link hand = linkOf("L_hand", 2, {0.2, 0, 0}, Vector3d::UnitY());
  hand.qMin = -1, hand.qMax = 1;
  d.links.push_back(hand);
  hand.name = "R_hand", hand.parent = 4;
  d.links.push_back(hand);
  const RobotMirror mirror = findMirror(*Robot::compile(d));
  EXPECT_NEAR(mirror.offset[2], -0.4, 1e-12);
  EXPECT_NEAR(mirror.offset[4], 0.4, 1e-12);
}

TEST(RobotMirror, ABaseStaysWhereItIsAndKeepsItsHeading) {
  RobotDescription d = test::floatingArm();
  d.links[7].X_PL0.p = Vector3d(0.5, 0, 0);
  d.links[6].name = "neck", d.links[7].name = "head";
  const RobotMirror mirror = findMirror(*Robot::compile(d));
  VectorXd q(8);
  q << 1, 2, 3, 0.4, 0.5, 0.6, 0.7, 0.8;
  VectorXd expected(8);
  // Roll and the turn of the neck change sides.
  expected << 1, 2, 3, 0.4, 0.5, -0.6, -0.7, 0.8;
  EXPECT_LT((mirror(q) - expected).norm(), 1e-12);
}

TEST(RobotMirror, WhatHasNoImageSaysWhy) {
  RobotDescription d = twoArms();
  d.links[4].X_PL0.p.z() = -0.35;
  EXPECT_NE(errorText([&] { findMirror(*Robot::compile(d)); }).find("is not where the image of"), std::string::npos);
  d = twoArms();
  d.links[3].axis = Vector3d::UnitZ();
  EXPECT_NE(errorText([&] { findMirror(*Robot::compile(d)); }).find("move differently"), std::string::npos);
  d = twoArms();
  d.links.resize(3);
  EXPECT_NE(errorText([&] { findMirror(*Robot::compile(d)); }).find("no mirror image"), std::string::npos);
  // A sphere that only turns has no two sides.
  d.links.resize(1);
  d.links[0].qMin = d.links[0].qMax = 0;
  EXPECT_NE(errorText([&] { findMirror(*Robot::compile(d)); }).find("nothing of it has two sides"), std::string::npos);
}

TEST(RobotMirror, CounterpartsAreFoundByName) {
  RobotDescription d;
  d.name = "names";
  for (const char* name :
       {"left_elbow", "right_elbow", "LSP", "RSP", "fl_caster_l", "fr_caster_r", "ArmLeft", "ArmRight", "pole"})
    d.links.push_back(linkOf(name, -1, {0, 0, 0}, Vector3d::UnitZ()));
  const RobotPtr robot = Robot::compile(d);
  for (int l = 0; l < 8; ++l) EXPECT_EQ(findCounterpart(*robot, l), l ^ 1) << l;
  EXPECT_EQ(findCounterpart(*robot, 8), -1);
}

}  // namespace
}  // namespace mortise
