#include "models/contact_input.h"

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"

namespace mortise::app {

void declareContactSources(CommandLine& line) {
  line.option("stance", "FILE", "contacts: Klamp't's .stance, .hold or .grasp file")
      .synonym("grasp")
      .option("contacts", "FILE",
              "contacts: YAML or JSON with a list of {point: [x, y, z], normal: [x, y, z], friction: 0.5, link: NAME}, "
              "or any of the files above")
      .option("world", "FILE", "contacts: where the robot, at --q, touches this world and itself")
      .option("touch", "D", "with --world: surfaces that are no farther apart touch; default 5 mm")
      .option("friction", "MU", "coefficient of all contacts, in place of the file's or the world's");
}

namespace {

std::optional<double> frictionOption(const CommandLine& line) {
  if (!line.has("friction")) return std::nullopt;
  const double friction = line.quantity("friction", "", 0);
  if (!(friction >= 0)) throw UsageError("--friction takes a number that is at least 0");
  return friction;
}

}  // namespace

std::unique_ptr<RobotInWorld> worldOption(const CommandLine& line, RobotInput& input) {
  if (!line.has("world")) return nullptr;
  WorldContactOptions options;
  options.touch = line.quantity("touch", "m", options.touch);
  options.friction = frictionOption(line);
  return std::make_unique<RobotInWorld>(input.loader(), line.text("world"), input.pointer(), options,
                                        input.diagnostics());
}

void declareRates(CommandLine& line) {
  line.option("dq", "RATES", "velocities, written like --q: numbers, a file, or {elbow: 90 deg/s} (default: 0)")
      .option("ddq", "RATES", "accelerations, written alike: {elbow: 90 deg/s^2} (default: 0)");
}

ContactFile readContacts(const CommandLine& line, RobotInput& input, const RobotDynamics& dynamics, const VectorXd& q,
                         bool required) {
  const int sources = line.has("stance") + line.has("contacts") + line.has("world");
  if (sources > 1) throw UsageError("--stance, --contacts and --world exclude each other");
  if (line.has("touch") && !line.has("world")) throw UsageError("--touch goes with --world");
  if (sources == 0 && required) throw UsageError("missing --stance FILE, --contacts FILE or --world FILE");
  ContactFile contacts;
  if (sources == 0) return contacts;
  if (const auto world = worldOption(line, input)) {
    contacts.contacts = world->contacts(q);
    return contacts;
  }
  const std::string file = line.text(line.has("stance") ? "stance" : "contacts");
  contacts = readContactFile(input.loader(), file, dynamics, frictionOption(line), input.diagnostics());
  constexpr double kAway = 0.01;
  checkGoals(input.pointer(), contacts.goals, q, kAway, input.diagnostics());
  return contacts;
}

}  // namespace mortise::app
