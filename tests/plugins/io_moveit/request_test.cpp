#include "mortise/ik/equations/term_text.h"
#include "problem_test.h"

namespace mortise::test {
namespace {

using Request = ProblemTest;

std::string request(const std::string& goal, const std::string& more = {}) {
  return "group_name: arm\nstart_state: {joint_state: {name: [turn, reach], position: [0, 0.6]}}\ngoal_constraints:\n" +
         goal + more;
}

/// The point 5 cm before the hand's middle, in a ball of `radius` around (0, y, 0); the hand turned by 90 degrees.
std::string pose(double radius, const std::string& y = "0.75", const std::string& header = {}) {
  return "  - position_constraints:\n      - link_name: hand\n        target_point_offset: [0.05, 0, 0]\n" + header +
         "        constraint_region:\n          primitives: [{type: 2, dimensions: [" + std::to_string(radius) +
         "]}]\n          primitive_poses: [{position: [0, " + y +
         ", 0], orientation: [0, 0, 0, 1]}]\n"
         "    orientation_constraints:\n      - link_name: hand\n        orientation: [0, 0, 0.7071067811865476, "
         "0.7071067811865476]\n        absolute_x_axis_tolerance: 0.01\n        absolute_y_axis_tolerance: 0.01\n"
         "        absolute_z_axis_tolerance: 0.01\n";
}

TEST_F(Request, JointsThatAreNotAllGivenOrWideAreARegion) {
  const PlanningProblemDescription p =
      problem("", request("  - joint_constraints: [{joint_name: turn, position: 1, tolerance_above: "
                          "0.2, tolerance_below: 0.1}]\n"));
  EXPECT_TRUE(p.goal.configurations.empty());
  const VectorXd &low = p.goal.low, &high = p.goal.high;
  ASSERT_EQ(low.size(), p.starts[0].size());
  EXPECT_NEAR(low[link(p, "arm")], 0.9, 1e-8);
  EXPECT_NEAR(high[link(p, "arm")], 1.2, 1e-8);
  EXPECT_EQ(low[link(p, "hand")], -kInfinity);
}

TEST_F(Request, SeveralGoalsOfJointsAreAlternatives) {
  const PlanningProblemDescription p = problem(
      "", request("  - joint_constraints: [{joint_name: turn, position: 1}, {joint_name: reach, position: 0.6}]\n"
                  "  - joint_constraints: [{joint_name: turn, position: -1}, {joint_name: reach, position: 0.6}]\n"));
  ASSERT_EQ(p.goal.configurations.size(), 2u);
  EXPECT_EQ(p.goal.configurations[1], at(p, -1, 0.6));
}

TEST_F(Request, WhatFollowsOtherJointsFollows) {
  const PlanningProblemDescription p =
      problem("",
              "group_name: gripper\nstart_state: {joint_state: {name: [grip], position: [0.01]}}\n"
              "goal_constraints: [{joint_constraints: [{joint_name: grip, position: 0.03}]}]\n");
  EXPECT_EQ(p.space.links.size(), 1u);
  EXPECT_EQ(p.starts[0][link(p, "right")], 0.01);
  ASSERT_EQ(p.goal.configurations.size(), 1u);
  EXPECT_EQ(p.goal.configurations[0][link(p, "right")], 0.03);
}

TEST_F(Request, APoseIsAGoalOfTheLink) {
  const PlanningProblemDescription p = problem("", request(pose(0.01)));
  ASSERT_EQ(p.goal.ik.size(), 1u) << "position and orientation of one link are one goal";
  const IKGoal& goal = p.goal.ik[0].goal;
  EXPECT_EQ(numEquations(goal), 6);
  EXPECT_LT(termResidual(p.world->robots[0].robot, {goal}, at(p, 1.5707963267948966, 0.7)), 1e-9);
  EXPECT_GT(termResidual(p.world->robots[0].robot, {goal}, at(p, 1, 0.7)), 0.1);
  EXPECT_EQ(diagnostics.all().size(), 0u) << problems();
}

TEST_F(Request, ATurnThatIsFreeLeavesAnAxis) {
  std::string goal = pose(0.2);
  goal.replace(goal.find("absolute_z_axis_tolerance: 0.01"), 31, "absolute_z_axis_tolerance: 3.15");
  const PlanningProblemDescription p = problem("", request(goal));
  ASSERT_EQ(p.goal.ik.size(), 1u);
  EXPECT_EQ(p.goal.ik[0].goal.rotation, IKGoal::Rotation::axis);
  EXPECT_NE(problems().find("only the middle is planned for"), std::string::npos) << problems();
}

TEST_F(Request, FramesMayMoveWithTheRobot) {
  const PlanningProblemDescription p = problem("", request(pose(0.01, "0.02", "        header: {frame_id: arm}\n")));
  ASSERT_EQ(p.goal.ik.size(), 2u);
  EXPECT_EQ(p.goal.ik[0].goal.destination, link(p, "arm"));
  EXPECT_EQ(p.goal.ik[1].goal.destination, -1);
}

TEST_F(Request, PathConstraintsAreKept) {
  const PlanningProblemDescription p = problem(
      "", request("  - joint_constraints: [{joint_name: turn, position: 1}, {joint_name: reach, position: 0.6}]\n",
                  "path_constraints:\n  joint_constraints: [{joint_name: reach, position: 0.6, tolerance_above: 0.1, "
                  "tolerance_below: 0.05}]\n  orientation_constraints:\n    - {link_name: hand, orientation: [0, 0, 0, "
                  "1], absolute_x_axis_tolerance: 0.1, absolute_y_axis_tolerance: 0.2, absolute_z_axis_tolerance: 4}\n"
                  "  position_constraints:\n    - link_name: hand\n      constraint_region:\n        primitives: "
                  "[{type: box, dimensions: [100, 100, 0.04]}]\n        primitive_poses: [{position: [0, 0, 0]}]\n"));
  const Link& hand = p.world->robots[0].robot->link(link(p, "hand"));
  EXPECT_NEAR(hand.qMin, 0.55, 1e-12);
  EXPECT_NEAR(hand.qMax, 0.7, 1e-12);
  ASSERT_EQ(p.space.keep.size(), 1u);
  const IKGoal& goal = p.space.keep[0].goal;
  EXPECT_EQ(goal.position, IKGoal::Position::plane);
  EXPECT_EQ(goal.rotation, IKGoal::Rotation::axis);
  EXPECT_LE(p.space.keepTolerance, 0.02 / std::sqrt(3.0));
  EXPECT_GT(p.space.keepTolerance, 0.005);
}

TEST_F(Request, TimePlannerScalingAndWorkspace) {
  const PlanningProblemDescription p = problem(
      "", request("  - joint_constraints: [{joint_name: turn, position: 1}, {joint_name: reach, position: 0.6}]\n",
                  "planner_id: RRTConnectkConfigDefault\nallowed_planning_time: 2.5\nnum_planning_attempts: 3\n"
                  "max_velocity_scaling_factor: 0.5\nmax_acceleration_scaling_factor: 0\n"
                  "workspace_parameters: {header: {frame_id: ''}, min_corner: [-1, -2, -3], max_corner: [1, 2, 3]}\n"));
  EXPECT_EQ(p.planner.written, "RRTConnectkConfigDefault");
  EXPECT_EQ(p.planner.name, "RRTConnect");
  EXPECT_EQ(p.timeLimit, 2.5);
  EXPECT_EQ(p.velocityScaling, 0.5);
  EXPECT_EQ(p.accelerationScaling, 1);
  EXPECT_FALSE(p.space.workspace) << "the base stands";
  EXPECT_EQ(problems().find("fraction of the limits"), std::string::npos);
  EXPECT_EQ(problem("", std::string(kRequest) + "max_velocity_scaling_factor: 1.5\n").velocityScaling, 1);
  EXPECT_NE(problems().find("max_velocity_scaling_factor is a fraction of the limits, and 1.5 is above 1; 1 is taken"),
            std::string::npos);
  const PlanningProblemDescription flying = problem(
      "",
      "group_name: all\nworkspace_parameters: {min_corner: [-1, -2, -3], max_corner: [1, 2, 3]}\ngoal_constraints: "
      "[{joint_constraints: [{joint_name: base/trans_x, position: 1, tolerance_above: 0.1, tolerance_below: 0.1}]}]\n",
      "<robot name='slider'><group name='all'><joint name='base'/></group><virtual_joint name='base' type='floating' "
      "parent_frame='world' child_link='base'/></robot>");
  ASSERT_TRUE(flying.space.workspace);
  EXPECT_EQ(flying.space.workspace->max(), Vector3d(1, 2, 3));
  EXPECT_EQ(flying.space.links.size(), 6u);
  EXPECT_NEAR(flying.goal.low[0], 0.9, 1e-8);
}

TEST_F(Request, AStartALittleBeyondALimitIsMovedOntoIt) {
  const PlanningProblemDescription p =
      problem("",
              "group_name: arm\nstart_state: {joint_state: {name: [turn, reach, toe], position: "
              "[2.52, 0.6, 1]}}\ngoal_constraints: [{joint_constraints: [{joint_name: turn, "
              "position: 1}, {joint_name: reach, position: 0.7}]}]\n");
  EXPECT_EQ(p.starts[0][link(p, "arm")], 2.5);
  EXPECT_NE(problems().find("beyond its limit"), std::string::npos);
  EXPECT_NE(problems().find("no joint 'toe'"), std::string::npos);
}

TEST_F(Request, WrongOnesAreSaid) {
  EXPECT_NE(refusal("", "group_name: amr\n").find("there is no group 'amr'\n  hint: did you mean 'arm'?"),
            std::string::npos);
  EXPECT_NE(refusal("", kRequest, "").find("no SRDF file"), std::string::npos);
  EXPECT_NE(refusal("", "group_name: arm\n").find("the request has no goal"), std::string::npos);
  EXPECT_NE(refusal("", request("  - joint_constraints: [{joint_name: trun, position: 1}]\n"))
                .find("request.yaml:4:25 (goal_constraints.0.joint_constraints.0): error: the robot has no joint "
                      "'trun'\n  hint: did you mean 'turn'?"),
            std::string::npos);
  EXPECT_NE(refusal("", request("  - joint_constraints: [{joint_name: turn, position: 2.9}]\n"))
                .find("2.9, is beyond its limits -2.5 to 2.5"),
            std::string::npos);
  EXPECT_NE(refusal("", request("  - joint_constraints: [{joint_name: grip, position: 0.04}]\n"))
                .find("joint 'grip', which is not in the group"),
            std::string::npos);
  EXPECT_NE(refusal("", request("  - joint_constraints: [{joint_name: turn}]\n")).find("needs a position"),
            std::string::npos);
  EXPECT_NE(refusal("", request(pose(0.01) + "    joint_constraints: [{joint_name: turn, position: 1}]\n"))
                .find("of links and of joints at once"),
            std::string::npos);
  EXPECT_NE(refusal("", request("  - visibility_constraints: [{target_radius: 1}]\n")).find("visibility"),
            std::string::npos);
  EXPECT_NE(refusal("", request(pose(0.01),
                                "path_constraints:\n  position_constraints:\n    - link_name: hand\n"
                                "      constraint_region:\n        primitives: [{type: box, dimensions: "
                                "[0.2, 1, 0.04]}]\n        primitive_poses: [{}]\n"))
                .find("is not supported"),
            std::string::npos);
  EXPECT_NE(refusal("", "- 1\n").find("expected the fields of a MotionPlanRequest"), std::string::npos);
}

}  // namespace
}  // namespace mortise::test
