#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/setting_options.h"
#include "models/contact_input.h"
#include "models/robot_input.h"
#include "mortise/json/json_writer.h"
#include "mortise/mechanics/mechanics_settings.h"
#include "mortise/model/world.h"

namespace mortise::app {

namespace {

/// The object of --object, in the frame of the contacts.
std::optional<GraspedObject> objectOf(const CommandLine& line, RobotInput& input) {
  if (!line.has("object")) return std::nullopt;
  const RigidObject loaded = input.loader().load<RigidObject>(line.text("object"), {}, input.diagnostics());
  return GraspedObject{loaded.inertia.mass, loaded.X_WO * loaded.inertia.com};
}

}  // namespace

int robotGraspCommand(const Arguments& arguments) {
  CommandLine line("mortise robot grasp", "how well contacts hold an object: force closure and quality");
  declareRobotInput(line);
  declareConfiguration(line, "q", "the file's initial one");
  declareContactSources(line);
  line.option("object", "FILE", "the object that is held, in the frame of the contacts: its mass and center of mass");
  declareSettings(line, GraspSettings());
  line.formerly("edges", "cone-edges")
      .formerly("measure", "budget")
      .formerly("planar", "plane-normal")
      .epilog(
          "The quality is Ferrari and Canny's: the size of the largest disturbance that the contacts resist whatever\n"
          "its direction, 0 without force closure. Normals point into the robot's links, as everywhere; forces on the\n"
          "object are against them. With --json: {force_closure, quality, upper, measure, origin, length, weakest,\n"
          "holds_weight, forces}. Exit code 0 for both answers.\n\n"
          "Examples:\n"
          "  mortise robot grasp hand.rob --stance cup.grasp --object cup.obj\n"
          "  mortise robot grasp hand.rob --q closed.config --contacts fingers.yaml --measure torques\n");
  if (!line.parse(arguments)) return 0;
  const auto settings = settingsOf<GraspSettings>(line);
  if (line.has("com") && !line.has("mass") && !line.has("object"))
    throw UsageError("--com goes with --mass, or --object");

  RobotInput input(line);
  const VectorXd q = input.configuration("q");
  RobotDynamics dynamics(input.pointer());
  dynamics.setPosition(q);
  const ContactFile file = readContacts(line, input, dynamics, q);
  const std::optional<GraspedObject> object = settings.object(objectOf(line, input));
  input.finish();
  const GraspReport report = graspReport(dynamics, file.contacts, settings, object);
  print(line.json() ? toJson(graspValue(report)) + "\n" : graspText(report, file.contacts.size()));
  return 0;
}

}  // namespace mortise::app
