#include "klampt/programs.h"

#include <algorithm>

namespace mortise::app {

const std::vector<Subcommand>& klamptPrograms() {
  static const std::vector<Subcommand> kPrograms = {
      {"PlanDemo", planDemoCommand, "", "plan between consecutive configurations, as Klamp't's PlanDemo"},
      {"ContactPlan", contactPlanCommand, "", "the same standing on contacts, as Klamp't's ContactPlan"},
      {"DynamicPlanDemo", dynamicPlanDemoCommand, "", "the same with times, as Klamp't's DynamicPlanDemo"},
      {"RealTimePlanning", realTimePlanningCommand, "", "plan while a robot moves, as Klamp't's RealTimePlanning"},
      {"UserTrials", userTrialsCommand, "", "a robot follows what a user drags, as Klamp't's UserTrials"},
      {"RobotTest", robotTestCommand, "", "move a robot's joints in the browser, as Klamp't's RobotTest"},
      {"RobotPose", robotPoseCommand, "", "configurations, constraints and motions in the browser, as RobotPose"},
      {"SimTest", simTestCommand, "", "simulate a world, as Klamp't's SimTest without its window"},
      {"SimUtil", simUtilCommand, "", "simulate a world from several states and with several commands, as SimUtil"},
      {"URDFtoRob", urdfToRobCommand, "", "convert a URDF robot to a .rob file with meshes, as Klamp't's URDFtoRob"},
      {"Merge", mergeCommand, "", "make one robot of several robots and rigid objects, as Klamp't's Merge"},
      {"Pack", packCommand, "", "put resources together, as Klamp't's Pack"},
      {"Unpack", unpackCommand, "", "take resources apart, as Klamp't's Unpack"},
      {"MotorCalibrate", motorCalibrateCommand, "",
       "fit servo gains and friction to recorded motions, as MotorCalibrate"},
      {"TrajOpt", trajOptCommand, "", "time a MultiPath within torques and contact forces, as Klamp't's TrajOpt"},
      {"PosMeasure", posMeasureCommand, "", "where links are along a trajectory, as Klamp't's PosMeasure"},
      {"Cartpole", cartpoleCommand, "", "find a table of torques for a pole, as Klamp't's Cartpole"},
  };
  return kPrograms;
}

bool isKlamptProgram(const std::string& name) {
  const std::vector<Subcommand>& programs = klamptPrograms();
  return std::any_of(programs.begin(), programs.end(), [&](const Subcommand& program) { return program.name == name; });
}

}  // namespace mortise::app
