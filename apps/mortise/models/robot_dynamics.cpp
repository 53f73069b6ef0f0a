#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/setting_options.h"
#include "models/contact_input.h"
#include "models/robot_input.h"
#include "mortise/json/json_writer.h"
#include "mortise/mechanics/mechanics_settings.h"
#include "mortise/mechanics/torque_report.h"

namespace mortise::app {

int robotDynamicsCommand(const Arguments& arguments) {
  CommandLine line("mortise robot dynamics", "mass matrix, forces, torques and energies of a robot in one state");
  declareRobotInput(line);
  declareConfiguration(line, "q", "the file's initial one");
  declareRates(line);
  declareSettings(line, GravitySettings());
  line.epilog(
      "The equation of motion is B ddq + C + G = torques; nothing touches the robot (see `mortise robot "
      "torques`).\n"
      "With --json: {q, dq, ddq, B, C, G, torques, kinetic_energy, potential_energy, com, com_velocity}, one "
      "number\n"
      "a link, B row by row. `mortise robot eval` prints many states at once, with frames and Jacobians.\n\n"
      "Example:\n"
      "  mortise robot dynamics arm.urdf --q '{elbow: 90 deg}' --dq '{elbow: 1}' --json\n");
  if (!line.parse(arguments)) return 0;
  const Vector3d gravity = settingsOf<GravitySettings>(line).vector_W();
  RobotInput input(line);
  const VectorXd q = input.configuration("q");
  const VectorXd dq = input.rates("dq", ConfigurationReader::Quantity::velocity);
  const VectorXd ddq = input.rates("ddq", ConfigurationReader::Quantity::acceleration);
  input.finish();
  RobotDynamics dynamics(input.pointer());
  const Value result = dynamicsValue(dynamics, q, dq, ddq, gravity);
  print(line.json() ? toJson(result) + "\n" : dynamicsText(input.robot(), result));
  return 0;
}

}  // namespace mortise::app
