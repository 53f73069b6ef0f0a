#pragma once

#include "mortise/loading/planning_problem_files.h"
#include "mortise/planning/problem_request.h"
#include "mortise/planning/space/plan_space.h"
#include "tests/plugins/io/io_test.h"

namespace mortise::test {

/// An arm of two joints among boxes: a revolute shoulder at the origin that turns about z, and a slide along the arm's
/// x with a hand of 10 cm at its end, 0.5 to 1 m from the origin.
inline constexpr const char* kUrdf = R"(<robot name="slider">
  <link name="base"/>
  <link name="arm"><collision><origin xyz="0.2 0 0"/><geometry><box size="0.4 0.06 0.06"/></geometry></collision></link>
  <link name="hand"><collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
  <link name="left"><collision><origin xyz="0.1 0 0"/><geometry><box size="0.02 0.02 0.02"/></geometry></collision></link>
  <link name="right"><collision><origin xyz="0.1 0 0"/><geometry><box size="0.02 0.02 0.02"/></geometry></collision></link>
  <joint name="turn" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
    <limit lower="-3" upper="3" effort="10" velocity="2"/>
    <safety_controller soft_lower_limit="-2.5" soft_upper_limit="2.5" k_velocity="1"/></joint>
  <joint name="reach" type="prismatic"><parent link="arm"/><child link="hand"/><axis xyz="1 0 0"/>
    <limit lower="0.5" upper="1" effort="10" velocity="1"/></joint>
  <joint name="grip" type="prismatic"><parent link="hand"/><child link="left"/><axis xyz="0 1 0"/>
    <limit lower="0" upper="0.04" effort="10" velocity="1"/></joint>
  <joint name="follow" type="prismatic"><parent link="hand"/><child link="right"/><axis xyz="0 -1 0"/>
    <limit lower="0" upper="0.04" effort="10" velocity="1"/><mimic joint="grip"/></joint>
</robot>)";

inline constexpr const char* kSrdf = R"(<robot name="slider">
  <group name="arm"><joint name="turn"/><joint name="reach"/></group>
  <group name="gripper"><link name="left"/><link name="right"/></group>
  <group name="all"><chain base_link="base" tip_link="hand"/><group name="gripper"/></group>
  <virtual_joint name="floor" type="planar" parent_frame="world" child_link="base"/>
  <disable_collisions link1="arm" link2="hand" reason="Adjacent"/>
  <disable_collisions link1="hand" link2="left" reason="Adjacent"/>
  <disable_collisions link1="hand" link2="right" reason="Adjacent"/>
  <disable_collisions link1="left" link2="right" reason="Default"/>
</robot>)";

inline constexpr const char* kRequest = R"(group_name: arm
start_state: {joint_state: {name: [turn, reach], position: [0, 0.6]}}
goal_constraints:
  - joint_constraints:
      - {joint_name: turn, position: 1}
      - {joint_name: reach, position: 0.7}
)";

class ProblemTest : public IoTest {
 protected:
  /// Settings of the format that name files with these texts.
  Value files(const std::string& scene, const std::string& request, const std::string& srdf = kSrdf,
              const std::string& urdf = kUrdf) {
    Value settings = Value::map();
    settings.set("urdf", write("r.urdf", urdf));
    if (!srdf.empty()) settings.set("srdf", write("r.srdf", srdf));
    if (!scene.empty()) settings.set("scenes", write("scene.yaml", scene));
    settings.set("requests", write("request.yaml", request));
    return settings;
  }
  PlanningProblems problemsOf(const Value& settings, const std::string& folder = {}) {
    return loadPlanningProblems({"moveit", folder, {}, settings}, *registry, loader, diagnostics);
  }
  PlanningProblemDescription problem(const std::string& scene, const std::string& request = kRequest,
                                     const std::string& srdf = kSrdf, const std::string& urdf = kUrdf) {
    auto problems = problemsOf(files(scene, request, srdf, urdf));
    EXPECT_EQ(problems.size(), 1u);
    return problems.at(0);
  }
  /// The error of loading, files without their folder.
  std::string refusal(const std::string& scene, const std::string& request = kRequest,
                      const std::string& srdf = kSrdf) {
    std::string text = errorText([&] { problemsOf(files(scene, request, srdf)); });
    for (std::size_t at; (at = text.find(path(""))) != std::string::npos;) text.erase(at, path("").size());
    return text;
  }

  static std::unique_ptr<MotionSpace> space(const PlanningProblemDescription& problem) {
    return makePlanSpace(makePlanCollider(problem.world), problemRequest(problem).space, problem.starts.at(0));
  }
  /// Whether a whole configuration is free.
  static bool isFree(const PlanningProblemDescription& problem, const VectorXd& full) {
    const auto space = ProblemTest::space(problem);
    VectorXd q;
    space->reduce(full, q);
    return space->feasible(q);
  }
  /// The start with the arm elsewhere.
  static VectorXd at(const PlanningProblemDescription& problem, double turn, double reach) {
    const Robot& robot = *problem.world->robots.at(0).robot;
    VectorXd q = problem.starts.at(0);
    q[robot.description().findLink("arm")] = turn;
    q[robot.description().findLink("hand")] = reach;
    return q;
  }
  static int link(const PlanningProblemDescription& problem, const std::string& name) {
    return problem.world->robots.at(0).robot->description().findLink(name);
  }
};

/// A scene with one box of 20 cm whose middle is at (0.7, 0, 0) in `frame`.
inline std::string boxScene(const std::string& frame = "world", const std::string& more = {}) {
  return "world:\n  collision_objects:\n    - id: box\n      header: {frame_id: " + frame +
         "}\n      primitives: [{type: box, dimensions: [0.2, 0.2, 0.2]}]\n"
         "      primitive_poses: [{position: [0.7, 0, 0], orientation: [0, 0, 0, 1]}]\n" +
         more;
}

}  // namespace mortise::test
