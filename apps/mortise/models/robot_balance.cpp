#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/setting_options.h"
#include "models/contact_input.h"
#include "models/robot_input.h"
#include "mortise/json/json_writer.h"
#include "mortise/mechanics/mechanics_settings.h"
#include "mortise/mechanics/motion_balance.h"

namespace mortise::app {

namespace {

int balanceOfPath(const CommandLine& line, RobotInput& input, const RobotDynamics& dynamics, const VectorXd& q,
                  const BalanceOptions& options) {
  if (line.has("q")) throw UsageError("--q and --path exclude each other");
  const MultiPath motion = input.loader().load<MultiPath>(line.text("path"), {}, input.diagnostics());
  const auto world = worldOption(line, input);
  std::vector<LinkContact> fixed;
  if (world == nullptr) fixed = readContacts(line, input, dynamics, q, false).contacts;
  input.finish();
  const MotionBalance balance = testBalance(input.pointer(), motion, fixed, world.get(), options);
  print(line.json() ? toJson(motionBalanceValue(balance)) + "\n" : motionBalanceText(balance));
  return 0;
}

}  // namespace

int robotBalanceCommand(const Arguments& arguments) {
  CommandLine line("mortise robot balance", "whether a robot balances on its contacts, and by how much");
  declareRobotInput(line);
  declareConfiguration(line, "q", "the file's initial one");
  declareContactSources(line);
  declareSettings(line, BalanceSettings());
  line.formerly("edges", "cone-edges")
      .option("path", "FILE",
              "the milestones of this motion in place of --q; without --stance and --contacts each section is held by "
              "its own holds, or by the contacts of links with a goal with the --world")
      .epilog(
          "The robot is taken as one body at rest, its joints locked, its base free. Prints the margin (m): the\n"
          "distance of the center of mass from the edge of the support polygon, negative outside. With --json:\n"
          "{balanced, margin, polygon, ...}, the polygon counterclockwise and empty where nothing balances (the "
          "margin\n"
          "is null then). One that never ends (contacts that can pull, as in a grasp) has 'bounded' false, 'rays' "
          "along\n"
          "which it goes on, and 'half_planes' that bound it.\n"
          "With --path: {balanced, balanced_fraction, margin, milestones}: how many milestones balance, and the\n"
          "smallest margin. Exit code 0 for both answers.\n\n"
          "Examples:\n"
          "  mortise robot balance hubo.rob --q start.config --stance start.stance\n"
          "  mortise robot balance hubo.rob --q start.config --contacts feet.yaml --friction 0.4 --torques --json\n"
          "  mortise robot balance hubo.rob --path climb.xml --world stairs.xml\n");
  if (!line.parse(arguments)) return 0;
  const BalanceOptions options = settingsOf<BalanceSettings>(line).options();

  RobotInput input(line);
  const VectorXd q = input.configuration("q");
  RobotDynamics dynamics(input.pointer());
  dynamics.setPosition(q);
  if (input.robot().floatingBaseLink() < 0)
    input.diagnostics().note("the base of robot '" + input.robot().name() +
                             "' is fixed to the world; it is taken as free, held by the contacts alone");
  if (line.has("path")) return balanceOfPath(line, input, dynamics, q, options);
  const ContactFile file = readContacts(line, input, dynamics, q);
  input.finish();
  const Balance balance = testBalance(dynamics, file.contacts, options);
  print(line.json() ? toJson(balanceValue(balance)) + "\n" : balanceText(balance, file.contacts.size()));
  return 0;
}

}  // namespace mortise::app
