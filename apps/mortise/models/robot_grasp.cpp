#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "models/contact_input.h"
#include "models/robot_input.h"
#include "mortise/json/json_writer.h"
#include "mortise/mechanics/grasp_report.h"
#include "mortise/model/world.h"

namespace mortise::app {

namespace {

/// The object that options describe, in the frame of the contacts.
std::optional<GraspedObject> graspedObject(const CommandLine& line, RobotInput& input) {
  std::optional<GraspedObject> object;
  if (line.has("object")) {
    const RigidObject loaded = input.loader().load<RigidObject>(line.text("object"), {}, input.diagnostics());
    object = {loaded.inertia.mass, loaded.X_WO * loaded.inertia.com};
  }
  if (const auto mass = positiveOption(line, "mass", "kg")) {
    if (!object) object.emplace();
    object->mass = *mass;
  }
  if (line.has("com")) {
    if (!object) throw UsageError("--com goes with --mass, or --object");
    object->com_W = vectorOption(line, "com");
  }
  return object;
}

WrenchSpaceOptions spaceOptions(const CommandLine& line, const std::optional<GraspedObject>& object) {
  WrenchSpaceOptions options;
  options.coneEdges = coneEdgesOption(line);
  options.budget = line.text("measure", "total") == "each" ? WrenchBudget::each : WrenchBudget::total;
  if (object) options.origin_W = object->com_W;
  if (line.has("origin")) options.origin_W = vectorOption(line, "origin");
  options.length = positiveOption(line, "length", "m").value_or(0);
  if (line.has("planar")) options.planeNormal_W = vectorOption(line, "planar");
  return options;
}

}  // namespace

int robotGraspCommand(const Arguments& arguments) {
  CommandLine line("mortise robot grasp", "how well contacts hold an object: force closure and quality");
  declareRobotInput(line);
  declareConfiguration(line, "q", "the file's initial one");
  declareContacts(line);
  line.option("object", "FILE", "the object that is held, in the frame of the contacts: its mass and center of mass")
      .option("mass", "M", "mass of the object, such as 2 kg, in place of the file's")
      .option("com", "X,Y,Z", "its center of mass (m), in place of the file's; by default 0,0,0")
      .option("measure", "WHAT",
              "what forces are limited by: 'total' of normal forces at most 1 (default), 'each' at most 1, or the "
              "'torques' of the robot's joints; then the quality is in newton, and contacts need links")
      .values("measure", {"total", "each", "torques"})
      .option("origin", "X,Y,Z",
              "what torques are about (default: the object's center of mass, or the contacts' middle)")
      .option("length", "L", "what torques are divided by (default: the largest distance of a contact from the origin)")
      .option("planar", "X,Y,Z", "normal of a plane: only forces in it and torques about it count")
      .option("force-limit", "N", "what each contact bears along its normal at most, for the weight and for torques")
      .epilog(
          "The quality is Ferrari and Canny's: the size of the largest disturbance that the contacts resist whatever\n"
          "its direction, 0 without force closure. Normals point into the robot's links, as everywhere; forces on the\n"
          "object are against them. With --json: {force_closure, quality, upper, measure, origin, length, weakest,\n"
          "holds_weight, forces}. Exit code 0 for both answers.\n\n"
          "Examples:\n"
          "  mortise robot grasp hand.rob --stance cup.grasp --object cup.obj\n"
          "  mortise robot grasp hand.rob --q closed.config --contacts fingers.yaml --measure torques\n");
  if (!line.parse(arguments)) return 0;
  const std::string measure = line.text("measure", "total");
  if (measure != "total" && measure != "each" && measure != "torques")
    throw UsageError("--measure takes total, each or torques, not '" + measure + "'");
  const Vector3d gravity = gravityOption(line);
  const std::optional<double> forceLimit = positiveOption(line, "force-limit", "N");

  RobotInput input(line);
  const VectorXd q = input.configuration("q");
  RobotDynamics dynamics(input.pointer());
  dynamics.setPosition(q);
  const ContactFile file = readContacts(line, input, dynamics, q);
  const std::optional<GraspedObject> object = graspedObject(line, input);
  input.finish();
  const WrenchSpaceOptions options = spaceOptions(line, object);
  const std::vector<ContactPoint> points = file.points();

  GraspReport report;
  report.measure = measure;
  if (measure == "torques") {
    ContactForceLimits limits;
    if (forceLimit) limits.bounds = normalForceBounds(points, *forceLimit);
    VectorXd bias(q.size());
    dynamics.gravityForces(gravity, bias);
    report.quality = graspQualityOfTorques(dynamics, file.contacts, bias, torqueLimits(input.robot()), limits, options);
  } else {
    report.quality = graspQuality(points, options);
  }
  if (object)
    report.holdsWeight = holdsObject(points, *object, gravity, options.coneEdges, forceLimit, report.forces_W);
  print(line.json() ? toJson(graspValue(report)) + "\n" : graspText(report, points.size()));
  return 0;
}

}  // namespace mortise::app
