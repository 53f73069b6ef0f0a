#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "models/contact_input.h"
#include "models/robot_input.h"
#include "mortise/inspect/torque_report.h"
#include "mortise/json/json_writer.h"
#include "mortise/mechanics/contact_torques.h"

namespace mortise::app {

namespace {

TorqueObjective objectiveOption(const CommandLine& line) {
  const std::string name = line.text("minimize", "largest");
  if (name == "largest") return TorqueObjective::largestShare;
  if (name == "sum") return TorqueObjective::sumOfShares;
  if (name == "forces") return TorqueObjective::normalForces;
  throw UsageError("--minimize takes largest, sum or forces, not '" + name + "'");
}

}  // namespace

int robotTorquesCommand(const Arguments& arguments) {
  CommandLine line("mortise robot torques", "joint torques of a robot on its contacts, with the best contact forces");
  declareRobotInput(line);
  declareConfiguration(line, "q", "the file's initial one");
  declareRates(line);
  declareContacts(line);
  line.option(
          "minimize", "WHAT",
          "what contact forces are chosen for: 'largest' share of a limit of torque (default), 'sum' of all shares, "
          "or sum of normal 'forces'")
      .values("minimize", {"largest", "sum", "forces"})
      .option("force-limit", "N", "what each contact bears along its normal at most, such as 500 N (default: anything)")
      .option("robustness", "N", "how far each force stays inside its friction cone (default: 0 N)")
      .option("torque-scale", "S", "factor of all limits of torque; default 1")
      .epilog(
          "Torques are those of B ddq + C + G = torques + sum J^T f with contact forces f inside friction cones; a\n"
          "floating base has none. Without --stance and --contacts nothing touches the robot. With --json:\n"
          "{balanced, within_limits, largest_share, largest_link, torques, limits, shares, forces}, one number a "
          "link.\n"
          "Exit code 0 whether or not the limits suffice.\n\n"
          "Examples:\n"
          "  mortise robot torques hubo.rob --q start.config --stance start.stance\n"
          "  mortise robot torques arm.urdf --q '{elbow: 90 deg}' --ddq '{elbow: 2}'\n");
  if (!line.parse(arguments)) return 0;
  const Vector3d gravity = gravityOption(line);
  ContactTorqueOptions options;
  options.objective = objectiveOption(line);
  options.coneEdges = coneEdgesOption(line);
  options.forceLimits.robustness = robustnessOption(line);

  RobotInput input(line);
  const VectorXd q = input.configuration("q");
  const VectorXd dq = input.rates("dq", ConfigurationReader::Quantity::velocity);
  const VectorXd ddq = input.rates("ddq", ConfigurationReader::Quantity::acceleration);
  RobotDynamics dynamics(input.pointer());
  dynamics.setState(q, dq);
  const ContactFile file = readContacts(line, input, dynamics, q, false);
  input.finish();
  if (const auto limit = positiveOption(line, "force-limit", "N"))
    options.forceLimits.bounds = normalForceBounds(file.points(), *limit);
  options.limits = torqueLimits(input.robot(), positiveOption(line, "torque-scale", "").value_or(1));
  VectorXd bias(q.size());
  dynamics.inverseDynamics(ddq, gravity, bias);
  const ContactTorques torques = solveContactTorques(dynamics, file.contacts, bias, options);
  print(line.json() ? toJson(torqueValue(input.robot(), torques, options.limits)) + "\n"
                    : torqueText(input.robot(), torques, options.limits, file.contacts.size()));
  return 0;
}

}  // namespace mortise::app
