#include "mortise/modeling/robot_merge.h"

#include <gtest/gtest.h>

#include "mortise/math/rotation.h"
#include "mortise/model/robot_state.h"
#include "tests/support/error_text.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

World twoArmsAndABox() {
  World world;
  for (const char* name : {"left", "right"}) {
    world.robots.push_back(test::placedRobot(test::armDescription(2)));
    world.robots.back().name = name;
    world.robots.back().q = VectorXd::Constant(2, name[0] == 'l' ? 0.3 : -0.4);
  }
  RigidObject box = test::boxObject("box", Vector3d(1, 2, 3));
  box.X_WO.R = rotationFromEulerZyx(Vector3d(0.5, -0.3, 0.2));
  world.objects.push_back(box);
  return world;
}

TEST(RobotMerge, EverythingStandsWhereItStood) {
  const World world = twoArmsAndABox();
  const RobotPtr merged = Robot::compile(mergedRobot(world, "all"));
  ASSERT_EQ(merged->numLinks(), 2 + 2 + 6);
  EXPECT_EQ(merged->numDrivers(), 4);
  EXPECT_NEAR(merged->totalMass(), 5, 1e-12);
  RobotState state(*merged);
  state.q = merged->initialConfiguration();
  updateFrames(*merged, state);
  for (int r = 0; r < 2; ++r) {
    const Robot& robot = *world.robots[static_cast<std::size_t>(r)].robot;
    RobotState own(robot);
    own.q = world.robots[static_cast<std::size_t>(r)].q;
    updateFrames(robot, own);
    for (int i = 0; i < 2; ++i) EXPECT_TRUE(state.X_WL[2 * r + i].p.isApprox(own.X_WL[i].p, 1e-12));
  }
  EXPECT_TRUE(state.X_WL[9].p.isApprox(world.objects[0].X_WO.p, 1e-12));
  EXPECT_TRUE(state.X_WL[9].R.isApprox(world.objects[0].X_WO.R, 1e-12));
  EXPECT_EQ(merged->link(3).name, "right:rod1");
  EXPECT_EQ(merged->driver(3).name, "right:rod1");
  EXPECT_EQ(merged->link(9).name, "box:rx");
}

TEST(RobotMerge, KlamptsNamesAreInBrackets) {
  const RobotDescription merged = mergedRobot(twoArmsAndABox(), "all", MergedNames::bracketed);
  EXPECT_EQ(merged.links[3].name, "right[rod1]");
  EXPECT_EQ(merged.drivers[3].name, "right[rod1]");
  EXPECT_EQ(merged.links[4].name, "box[x]");
  EXPECT_NE(test::errorText([] { (void)mergedRobot(World(), "none"); }).find("no robot"), std::string::npos);
}

}  // namespace
}  // namespace mortise
