#include "mortise/plugin/plugin.h"

#include "moveit_format.h"

MORTISE_PLUGIN("mortise_io_moveit", "0.1.0") {
  using mortise::ParameterType;
  using namespace mortise::io_moveit;

  plugin.format<MoveItFormat>("mortise.MoveIt")
      .alias("moveit")
      .summary("Planning problems of MoveIt: folders of a URDF and an SRDF file, scenes and requests (.yaml).")
      .parameter("urdf", ParameterType::string, "The robot, in place of the folder's *.urdf.")
      .parameter("srdf", ParameterType::string, "Its groups and the pairs of links that may touch.")
      .parameter("joint_limits", ParameterType::string, "Limits that replace those of the robot (joint_limits.yaml).")
      .parameter("scenes", ParameterType::any,
                 "Scenes (moveit_msgs/PlanningScene), a name with * and ? in its last part, or a list of such.")
      .parameter("requests", ParameterType::any, "Requests (moveit_msgs/MotionPlanRequest), named in the same way.")
      .parameter("config", ParameterType::string,
                 "MotionBenchMaker's config.yaml, or robowflex's file of a robot, which names the robot's files.")
      .extensions({"/"})
      .reads({mortise::FileContent::planningProblem});
}
