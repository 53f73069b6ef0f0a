#include "klampt/programs.h"
#include "logs/pose.h"

namespace mortise::app {

int robotTestCommand(const Arguments& arguments) {
  CommandLine line("mortise RobotTest", "move a robot's joints in the browser, as Klamp't's RobotTest in its window");
  return servePosing(line, arguments.empty() ? Arguments{"--help"} : arguments, Posed::robots);
}

int robotPoseCommand(const Arguments& arguments) {
  CommandLine line("mortise RobotPose",
                   "configurations, constraints and motions in the browser, as Klamp't's RobotPose in its window");
  return servePosing(line, arguments.empty() ? Arguments{"--help"} : arguments);
}

}  // namespace mortise::app
