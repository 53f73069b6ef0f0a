// What links look like: kept with the robot through everything that happens to it.

#include "mortise/modeling/link_visuals.h"

#include <gtest/gtest.h>

#include "mortise/modeling/robot_edit.h"
#include "mortise/modeling/robot_reduce.h"
#include "mortise/modeling/robot_scale.h"
#include "tests/support/error_text.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

LinkVisual meshVisual(const std::string& file) {
  LinkVisual visual;
  visual.mesh = file;
  visual.map = AffineMap(RigidTransform::translation({0.1, 0.2, 0.3})) * AffineMap::scaling({1, 2, 3});
  visual.color = {0.25, 0.5, 0.75, 0.5};
  visual.texture = "wood #1.png";
  visual.file = "/robots/arm.urdf";
  visual.line = 12;
  return visual;
}

RobotDescription chain() {
  RobotDescription robot;
  for (int i = 0; i < 3; ++i) {
    Link link;
    link.name = "rod" + std::to_string(i);
    link.parent = i - 1;
    link.X_PL0.p = Vector3d(0, 0, i == 0 ? 0 : 1);
    link.inertia.mass = 1;
    link.inertia.inertia.setIdentity();
    robot.links.push_back(link);
    robot.joints.push_back({JointType::normal, i, -1});
  }
  return robot;
}

TEST(LinkVisuals, TextsReadBackEqual) {
  LinkVisual ball;
  ball.kind = LinkVisual::Kind::sphere;
  ball.size = Vector3d(0.5, 0, 0);
  const std::vector<LinkVisual> visuals = {meshVisual("package://arm/a \"b\".dae"), ball};
  const std::string text = linkVisualText(visuals);
  EXPECT_EQ(text.find('#'), std::string::npos) << "which begins comments in .rob files";
  EXPECT_EQ(linkVisualsFromText(text), visuals);
}

TEST(LinkVisuals, HostileTextsAreErrors) {
  for (const char* text : {"", "{}", "[1]", "[{}]", "[{\"mesh\":3}]", "[{\"box\":[1,2]}]",
                           "[{\"sphere\":[1,0,0],\"map\":[1]}]", "[{\"mesh\":\"a\",\"color\":[1,1,1]}]",
                           "[{\"mesh\":\"a\"", "[{\"mesh\":\"a\"}] more", "[{\"sphere\":[1e999,0,0]}]"})
    EXPECT_NE(test::errorText([&] { linkVisualsFromText(text); }), "") << text;
}

TEST(LinkVisuals, FollowTheirLinks) {
  RobotDescription robot = chain();
  const std::vector<LinkVisual> visuals = {meshVisual("rod.obj")};
  setLinkVisuals(robot, "rod1", visuals);
  EXPECT_TRUE(hasLinkVisuals(robot));
  EXPECT_EQ(linkVisuals(robot, 1), visuals);
  EXPECT_TRUE(linkVisuals(robot, 0).empty());
  renameLink(robot, 1, "forearm");
  EXPECT_EQ(linkVisuals(robot, 1), visuals);

  RobotDescription carrier = chain();
  mountRobot(carrier, 2, {}, "arm", robot);
  EXPECT_EQ(carrier.links[4].name, "arm:forearm");
  EXPECT_EQ(linkVisuals(carrier, 4), visuals);

  removeLinks(robot, {1});
  EXPECT_FALSE(hasLinkVisuals(robot));
}

TEST(LinkVisuals, PartsWithoutAnyAreSeenAsTheyCollide) {
  RobotDescription arm = chain(), hand = chain();
  for (RobotDescription* each : {&arm, &hand})
    each->links[1].geometry = std::make_shared<const Geometry>(SphereShape{Vector3d::Zero(), 1});
  const auto isCollision = [](const RobotDescription& robot, int link) {
    const std::vector<LinkVisual> visuals = linkVisuals(robot, link);
    return visuals.size() == 1 && visuals.front().kind == LinkVisual::Kind::collision;
  };
  RobotDescription plain = arm;
  mountRobot(plain, 2, {}, "hand", hand);
  EXPECT_FALSE(hasLinkVisuals(plain)) << "of neither nothing needs to be said";
  RobotDescription seen = arm;
  setLinkVisuals(seen, "rod0", {meshVisual("base.obj")});
  mountRobot(seen, 2, {}, "hand", hand);
  EXPECT_TRUE(isCollision(seen, 4));
  EXPECT_TRUE(linkVisuals(seen, 1).empty()) << "its file shows nothing of it";
  setLinkVisuals(hand, "rod0", {meshVisual("palm.obj")});
  RobotDescription other = arm;
  mountRobot(other, 2, {}, "hand", hand);
  EXPECT_TRUE(isCollision(other, 1));
  EXPECT_TRUE(linkVisuals(other, 4).empty());
  mountGeometry(other, 0, {}, arm.links[1].geometry);
  EXPECT_TRUE(isCollision(other, 0));
}

TEST(LinkVisuals, ScaleWithTheRobot) {
  RobotDescription robot = chain();
  setLinkVisuals(robot, "rod1", {meshVisual("rod.obj")});
  scaleRobot(robot, 2);
  const LinkVisual scaled = linkVisuals(robot, 1).front();
  const Vector3d p(1, 1, 1);
  EXPECT_LT((scaled.map * p - 2 * (meshVisual("rod.obj").map * p)).norm(), 1e-12);
}

TEST(LinkVisuals, OfFrozenLinksGoToTheirCarrier) {
  RobotDescription robot = chain();
  setLinkVisuals(robot, "rod0", {meshVisual("base.obj")});
  setLinkVisuals(robot, "rod1", {meshVisual("rod.obj")});
  const ReducedRobot reduced = reduceRobot(robot, {1}, VectorXd::Zero(3));
  const std::vector<LinkVisual> carried = linkVisuals(reduced.robot, 0);
  ASSERT_EQ(carried.size(), 2U);
  EXPECT_EQ(carried[0].mesh, "base.obj");
  EXPECT_EQ(carried[1].mesh, "rod.obj");
  EXPECT_LT((carried[1].map * Vector3d::Zero() - Vector3d(0.1, 0.2, 1.3)).norm(), 1e-12);
}

}  // namespace
}  // namespace mortise
