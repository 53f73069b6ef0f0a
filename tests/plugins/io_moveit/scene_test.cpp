#include "problem_test.h"

namespace mortise::test {
namespace {

using Scene = ProblemTest;

TEST_F(Scene, ARequestInASceneIsAProblem) {
  const PlanningProblemDescription p = problem(boxScene());
  EXPECT_EQ(p.name, "request");
  EXPECT_EQ(p.notes.string("group", ""), "arm");
  ASSERT_EQ(p.world->terrains.size(), 1u);
  EXPECT_EQ(p.world->terrains[0].name, "box");
  ASSERT_EQ(p.space.links.size(), 2u);
  EXPECT_EQ(p.world->nameOf(p.space.links[1]), "r[hand]");
  ASSERT_EQ(p.goal.configurations.size(), 1u);
  EXPECT_EQ(p.goal.configurations[0], at(p, 1, 0.7));
  EXPECT_FALSE(isFree(p, p.starts[0])) << "the hand is in the box";
  EXPECT_TRUE(isFree(p, p.goal.configurations[0]));
  EXPECT_EQ(diagnostics.all().size(), 0u) << problems();
}

TEST_F(Scene, SoftLimitsCount) {
  const PlanningProblemDescription p = problem("");
  EXPECT_EQ(p.world->robots[0].robot->link(link(p, "arm")).qMax, 2.5);
}

TEST_F(Scene, PosesMayBeMapsAndFramesLinksObjectsAndFixedOnes) {
  const std::string rest =
      "    - id: lid\n      header: {frame_id: box}\n      pose: {position: {x: 0, y: 1, z: 0}, orientation: {w: 1}}\n"
      "      primitives: [{type: 2, dimensions: [0.1]}]\n"
      "    - id: knob\n      header: {frame_id: /shelf}\n      primitives: [{type: 3, dimensions: [0.2, 0.05]}]\n"
      "      primitive_poses: [{position: [0, 0, 1]}]\n"
      "    - id: cap\n      header: {frame_id: hand}\n      primitives: [{type: 4, dimensions: [0.2, 0.05]}]\n"
      "      primitive_poses: [{position: [0, 0, 0.5]}]\n"
      "fixed_frame_transforms:\n"
      "  - {header: {frame_id: shelf}, child_frame_id: world, transform: {translation: [5, 0, 0], rotation: [0, 0, 1, "
      "0]}}"
      "\n";
  const PlanningProblemDescription p = problem(
      "world:\n  collision_objects:\n    - id: box\n      pose: {position: [0.7, 0, 0], orientation: [0, 0, 0.7071068, "
      "0.7071068]}\n      primitives: [{type: box, dimensions: [0.4, 0.2, 0.2]}]\n" +
      rest);
  const auto bounds = [&](int i) { return p.world->terrains[static_cast<std::size_t>(i)].geometry->bounds(); };
  EXPECT_TRUE(bounds(0).min.isApprox(Vector3d(0.6, -0.2, -0.1), 1e-6)) << bounds(0).min.transpose();
  // The box is turned by 90 degrees: its y is the world's -x.
  EXPECT_TRUE(bounds(1).max.isApprox(Vector3d(-0.2, 0.1, 0.1), 1e-6)) << bounds(1).max.transpose();
  EXPECT_TRUE(bounds(2).min.isApprox(Vector3d(4.95, -0.05, 0.9), 1e-6)) << bounds(2).min.transpose();
  EXPECT_NEAR(bounds(3).min.z(), 0.4, 1e-9);
  EXPECT_NEAR(bounds(3).max.z(), 0.6, 1e-9);
  EXPECT_NEAR(bounds(3).max.x(), 0.65, 2e-4) << "the hand is at 0.6, the cone around a circle of 5 cm";
  EXPECT_GE(bounds(3).max.x(), 0.65);
}

TEST_F(Scene, MeshesOfFilesAndLists) {
  write("cube.off", kCubeOff);
  const PlanningProblemDescription p = problem(
      "world:\n  collision_objects:\n    - id: a\n      meshes: [{resource: cube.off, dimensions: [1, 2, 3]}]\n"
      "      mesh_poses: [{position: [1, 0, 0]}]\n"
      "    - id: b\n      meshes:\n        - vertices: [[0, 0, 0], {x: 1, y: 0, z: 0}, [0, 1, 0]]\n"
      "          triangles: [{vertex_indices: [0, 1, 2]}, [0, 2, 1]]\n      mesh_poses: [{position: [0, 0, 2]}]\n"
      "    - id: c\n      planes: [{coef: [0, 0, 2, 1]}]\n      plane_poses: [{}]\n");
  EXPECT_TRUE(p.world->terrains[0].geometry->bounds().max.isApprox(Vector3d(2, 2, 3)));
  EXPECT_EQ(p.world->terrains[1].geometry->numTriangles(), 2);
  EXPECT_EQ(p.world->terrains[1].geometry->bounds().min.z(), 2);
  EXPECT_NEAR(p.world->terrains[2].geometry->bounds().max.z(), -0.5, 1e-12);
}

TEST_F(Scene, OperationsHappenInOrder) {
  const PlanningProblemDescription p =
      problem(boxScene("world",
                       "    - {id: gone, primitives: [{type: sphere, dimensions: [9]}], primitive_poses: [{}]}\n"
                       "    - {id: gone, operation: 1}\n"
                       "    - {id: box, operation: append, primitives: [{type: sphere, dimensions: [0.1]}], "
                       "primitive_poses: [{position: [0, 3, 0]}]}\n"
                       "    - {id: box, operation: move, pose: {position: [0, 0, 1]}}\n"));
  ASSERT_EQ(p.world->terrains.size(), 1u);
  const AxisAlignedBounds bounds = p.world->terrains[0].geometry->bounds();
  EXPECT_NEAR(bounds.max.y(), 3.1, 1e-12);
  EXPECT_NEAR(bounds.min.z(), 0.9, 1e-12);
}

TEST_F(Scene, HeldObjectsAreLinksThatMayTouchWhatIsNamed) {
  const std::string held =
      "robot_state:\n  joint_state: {name: [turn, reach], position: [0, 0.5]}\n  attached_collision_objects:\n"
      "    - link_name: hand\n      touch_links: [left, right]\n      object:\n        id: stick\n"
      "        header: {frame_id: hand}\n        primitives: [{type: box, dimensions: [0.6, 0.04, 0.04]}]\n"
      "        primitive_poses: [{position: [0.3, 0, 0]}]\n";
  const PlanningProblemDescription p = problem(held + boxScene());
  const int stick = link(p, "stick");
  ASSERT_GE(stick, 0);
  EXPECT_EQ(p.world->robots[0].robot->link(stick).parent, link(p, "hand"));
  EXPECT_EQ(p.starts[0].size(), p.world->robots[0].robot->numLinks());
  EXPECT_TRUE(isFree(p, at(p, 2, 0.5)));
  EXPECT_FALSE(isFree(p, at(p, 0.05, 0.5))) << "the stick is in the box, 0.5 to 1.1 m from the origin";
  const auto& pairs = p.world->robots[0].robot->description().selfCollisionPairs;
  const auto checked = [&](int a, int b) {
    return std::find(pairs.begin(), pairs.end(), std::pair(std::min(a, b), std::max(a, b))) != pairs.end();
  };
  EXPECT_TRUE(checked(stick, link(p, "arm")));
  EXPECT_FALSE(checked(stick, link(p, "hand")));
  EXPECT_FALSE(checked(stick, link(p, "left")));
}

TEST_F(Scene, AnObjectOfTheWorldCanBeTakenUp) {
  const PlanningProblemDescription p =
      problem(boxScene(),
              "group_name: arm\nstart_state:\n  joint_state: {name: [turn, reach], "
              "position: [0, 0.6]}\n  attached_collision_objects:\n    - {link_name: "
              "hand, object: {id: box}}\n"
              "goal_constraints: [{joint_constraints: [{joint_name: turn, position: 1}, "
              "{joint_name: reach, position: 0.7}]}]\n");
  EXPECT_TRUE(p.world->terrains.empty());
  const Robot& robot = *p.world->robots[0].robot;
  EXPECT_NEAR(robot.link(link(p, "box")).X_PL0.p.x() + robot.link(link(p, "box")).geometry->bounds().max.x(), 0.2, 1e-9)
      << "10 cm beyond the hand's middle, where it stood";
}

TEST_F(Scene, TheMatrixOfAllowedCollisionsTakesThePlaceOfTheSrdfRules) {
  const std::string matrix =
      "allowed_collision_matrix:\n  entry_names: [hand, box, arm]\n  entry_values:\n    - [false, true, true]\n"
      "    - {enabled: [True, False, False]}\n    - ['true', 'false', 'false']\n"
      "  default_entry_names: [left]\n  default_entry_values: [true]\n";
  const PlanningProblemDescription p = problem(boxScene() + matrix);
  std::vector<IdPair> touching;
  for (const char* name : {"hand", "left"}) touching.push_back({0, p.world->linkId(0, link(p, name))});
  EXPECT_EQ(p.space.ignored, touching);
  const auto& pairs = p.world->robots[0].robot->description().selfCollisionPairs;
  // arm-right and hand-right are left: arm-hand is allowed, and left is by default.
  ASSERT_EQ(pairs.size(), 2u);
  for (const auto& [a, b] : pairs) EXPECT_EQ(std::max(a, b), link(p, "right"));
}

TEST_F(Scene, PaddingCountsAgainstTheWorldAlone) {
  const auto padded = [&](double padding) {
    std::string text = "link_padding:\n";
    for (const char* name : {"arm", "hand", "left", "right"})
      text += std::string("  - {link_name: ") + name + ", padding: " + std::to_string(padding) + "}\n";
    return problem(boxScene() + text);
  };
  // The fingers reach 11 cm beyond the hand's middle, 0.5; the box begins at 0.6.
  const PlanningProblemDescription none = padded(0);
  EXPECT_TRUE(isFree(none, at(none, 0.35, 0.5)));
  const PlanningProblemDescription thick = padded(0.08);
  EXPECT_FALSE(isFree(thick, at(thick, 0.35, 0.5)));
  EXPECT_EQ(thick.world->robots[0].robot->link(link(thick, "hand")).geometry->margin(), 0);
  EXPECT_FALSE(diagnostics.hasErrors()) << problems();
}

TEST_F(Scene, TheBaseStandsWhereTheVirtualJointHasIt) {
  const std::string state =
      "robot_state:\n  multi_dof_joint_state:\n    joint_names: [floor]\n    transforms: [{translation: [0, 0, 0], "
      "rotation: [0, 0, 0.7071067811865476, 0.7071067811865476]}]\n";
  const PlanningProblemDescription p = problem(state + boxScene());
  EXPECT_TRUE(isFree(p, at(p, 0, 0.7))) << "along the world's y";
  EXPECT_FALSE(isFree(p, at(p, -1.5707963, 0.7)));
  const PlanningProblemDescription inBase = problem(state + boxScene("base"));
  EXPECT_FALSE(isFree(inBase, at(inBase, 0, 0.7)));
}

TEST_F(Scene, AGroupMayMoveThePlanarBase) {
  const PlanningProblemDescription p = problem(
      boxScene(),
      "group_name: mobile\nworkspace_parameters: {min_corner: [-2, -2, 0], max_corner: [2, 2, 0]}\ngoal_constraints:\n"
      "  - joint_constraints:\n      - {joint_name: floor/x, position: 1}\n      - {joint_name: floor/y, position: "
      "-1}\n"
      "      - {joint_name: floor/theta, position: 0.5}\n      - {joint_name: turn, position: 0}\n",
      "<robot name='slider'><group name='mobile'><joint name='floor'/><joint name='turn'/></group>"
      "<virtual_joint name='floor' type='planar' parent_frame='world' child_link='base'/>"
      "<disable_collisions link1='left' link2='right'/></robot>");
  EXPECT_EQ(p.space.links.size(), 4u);
  ASSERT_EQ(p.goal.configurations.size(), 1u) << problems();
  const VectorXd& goal = p.goal.configurations[0];
  EXPECT_EQ(goal[0], 1);
  EXPECT_EQ(goal[1], -1);
  EXPECT_EQ(goal[3], 0.5);
  const auto made = space(p);
  EXPECT_EQ(made->dimension(), 4);
  EXPECT_TRUE(isFree(p, goal));
}

TEST_F(Scene, WrongOnesAreSaidAtTheirPlace) {
  EXPECT_NE(
      refusal("world:\n  collision_objects:\n    - id: a\n      primitives: [{type: bix, dimensions: [1, 1, 1]}]\n"
              "      primitive_poses: [{}]\n")
          .find("scene.yaml:4:27 (world.collision_objects.0.primitives.0.type): error: type of SolidPrimitive: 'bix' "
                "is no shape\n  hint: did you mean 'box'?"),
      std::string::npos)
      << problems();
  EXPECT_NE(refusal(boxScene("wrld")).find("there is no frame 'wrld'\n  hint: did you mean 'world'?"),
            std::string::npos);
  EXPECT_NE(
      refusal(boxScene("world", "    - {id: b, primitives: [{type: 3, dimensions: [1]}], primitive_poses: [{}]}\n"))
          .find("a cylinder has 2, none of them negative\n  hint: the order is height, radius"),
      std::string::npos);
  EXPECT_NE(refusal(boxScene("world", "    - {id: b, pose: {position: [0, .nan, 0]}}\n")).find("is not finite"),
            std::string::npos);
  EXPECT_NE(refusal("allowed_collision_matrix: {entry_names: [a, b], entry_values: [[true]]}\n").find("1 rows, but 2"),
            std::string::npos);
  EXPECT_NE(refusal("robot_state: {joint_state: {name: [turn], position: [0, 1]}}\n").find("2 numbers, but 1 names"),
            std::string::npos);
  EXPECT_NE(refusal(boxScene() + "robot_state: {attached_collision_objects: [{link_name: hnad, object: {id: x}}]}\n")
                .find("no link 'hnad'"),
            std::string::npos);
  EXPECT_NE(refusal("world: {collision_objects: [{id: a, meshes: [{resource: 'package://none/a.stl'}], mesh_poses: "
                    "[{}]}]}\n")
                .find("package://none/a.stl"),
            std::string::npos);
  EXPECT_NE(refusal("world: {octomap: {octomap: {data: [1, 2]}}}\n").find("octomap"), std::string::npos);
}

TEST_F(Scene, WhatIsUnknownIsPassedOverWithOneWarning) {
  problem("color: red\n" +
          boxScene("world",
                   "    - {id: b, primtives: 1, primitives: [{type: 2, dimensions: [0.1]}], primitive_poses: "
                   "[{position: [3, 0, 0], orientation: [0, 0, 0, 2]}]}\n"
                   "    - {id: c, primtives: 1, primitives: [{type: 2, dimensions: [0.1]}], primitive_poses: "
                   "[{position: [4, 0, 0], orientation: [0, 0, 0, 0]}]}\n"));
  const std::string text = problems();
  EXPECT_NE(text.find("PlanningScene has no field 'color'; it is ignored"), std::string::npos) << text;
  EXPECT_NE(text.find("did you mean 'primitives'?"), std::string::npos) << text;
  EXPECT_NE(text.find("a quaternion of length 2 is normalized"), std::string::npos) << text;
  EXPECT_NE(text.find("a quaternion of zeros"), std::string::npos) << text;
  EXPECT_EQ(diagnostics.warningCount(), 4) << text;
}

}  // namespace
}  // namespace mortise::test
