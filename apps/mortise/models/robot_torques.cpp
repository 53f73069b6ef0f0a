#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/setting_options.h"
#include "models/contact_input.h"
#include "models/robot_input.h"
#include "mortise/json/json_writer.h"
#include "mortise/mechanics/mechanics_settings.h"
#include "mortise/mechanics/torque_report.h"

namespace mortise::app {

namespace {

/// Values of --minimize, which --objective took the place of.
std::string objectiveOf(const std::string& minimized) {
  return minimized == "largest"  ? "largest_utilization"
         : minimized == "sum"    ? "sum_of_utilizations"
         : minimized == "forces" ? "normal_forces"
                                 : minimized;
}

}  // namespace

int robotTorquesCommand(const Arguments& arguments) {
  CommandLine line("mortise robot torques", "joint torques of a robot on its contacts, with the best contact forces");
  declareRobotInput(line);
  declareConfiguration(line, "q", "the file's initial one");
  declareRates(line);
  declareContactSources(line);
  declareSettings(line, ContactTorqueSettings());
  line.formerly("edges", "cone-edges")
      .formerly("minimize", "objective", objectiveOf)
      .epilog(
          "Torques are those of B ddq + C + G = torques + sum J^T f with contact forces f inside friction cones; a\n"
          "floating base has none. Without --stance and --contacts nothing touches the robot. With --json:\n"
          "{balanced, within_limits, largest_utilization, largest_link, torques, limits, utilization, forces}, one "
          "number a "
          "link.\n"
          "Exit code 0 whether or not the limits suffice.\n\n"
          "Examples:\n"
          "  mortise robot torques hubo.rob --q start.config --stance start.stance\n"
          "  mortise robot torques arm.urdf --q '{elbow: 90 deg}' --ddq '{elbow: 2}'\n");
  if (!line.parse(arguments)) return 0;
  const auto settings = settingsOf<ContactTorqueSettings>(line);

  RobotInput input(line);
  const VectorXd q = input.configuration("q");
  const VectorXd dq = input.rates("dq", ConfigurationReader::Quantity::velocity);
  const VectorXd ddq = input.rates("ddq", ConfigurationReader::Quantity::acceleration);
  RobotDynamics dynamics(input.pointer());
  dynamics.setState(q, dq);
  const ContactFile file = readContacts(line, input, dynamics, q, false);
  input.finish();
  const std::vector<ContactPoint> points = file.points();
  const ContactTorqueOptions options = settings.options(input.robot(), points);
  VectorXd bias(q.size());
  dynamics.inverseDynamics(ddq, settings.gravity.vector_W(), bias);
  const ContactTorques torques = solveContactTorques(dynamics, file.contacts, bias, options);
  print(line.json() ? toJson(torqueValue(input.robot(), torques, options.limits)) + "\n"
                    : torqueText(input.robot(), torques, options.limits, file.contacts.size()));
  return 0;
}

}  // namespace mortise::app
