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

void declareContacts(CommandLine& line) {
  declareContactSources(line);
  line.option("edges", "N", "edges of the pyramids that stand for friction cones; 0: the cones themselves (default)")
      .option("gravity", "G", "acceleration of gravity; default 9.8 m/s^2")
      .option("up", "X,Y,Z", "direction against gravity; default 0,0,1");
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

Vector3d vectorOption(const CommandLine& line, const std::string& option) {
  std::string text = line.text(option);
  for (char& c : text)
    if (c == ',' || c == '[' || c == ']') c = ' ';
  Vector3d v = Vector3d::Zero();
  std::size_t begin = 0;
  for (double& x : v) {
    begin = text.find_first_not_of(' ', begin);
    const std::size_t end = text.find(' ', begin);
    const Value number = begin == std::string::npos ? Value() : Value::fromText(text.substr(begin, end - begin));
    if (!number.isNumber()) throw UsageError("--" + option + " takes three numbers, not '" + line.text(option) + "'");
    x = number.asReal();
    begin = end;
  }
  if (begin != std::string::npos && text.find_first_not_of(' ', begin) != std::string::npos)
    throw UsageError("--" + option + " takes three numbers, not '" + line.text(option) + "'");
  if (!v.allFinite()) throw UsageError("--" + option + " takes finite numbers");
  return v;
}

std::optional<double> positiveOption(const CommandLine& line, const std::string& option, const std::string& unit) {
  if (!line.has(option)) return std::nullopt;
  const double value = line.quantity(option, unit, 0);
  if (!(value > 0)) throw UsageError("--" + option + " takes a number above 0");
  return value;
}

double robustnessOption(const CommandLine& line) {
  const double value = line.quantity("robustness", "N", 0);
  if (!(value >= 0)) throw UsageError("--robustness takes a force of at least 0 N");
  return value;
}

Vector3d gravityOption(const CommandLine& line) {
  const double size = positiveOption(line, "gravity", "m/s^2").value_or(9.8);
  if (!line.has("up")) return {0, 0, -size};
  const Vector3d up = vectorOption(line, "up");
  if (!(up.norm() > 0)) throw UsageError("--up takes a direction, not three zeros");
  return -size * up.normalized();
}

int coneEdgesOption(const CommandLine& line) {
  const std::int64_t edges = line.integer("edges", 0);
  constexpr std::int64_t kMost = 1000;
  if (edges != 0 && (edges < 3 || edges > kMost)) throw UsageError("--edges takes 0, or 3 to 1000");
  return static_cast<int>(edges);
}

}  // namespace mortise::app
