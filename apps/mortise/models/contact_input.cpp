#include "models/contact_input.h"

#include "command_line/setting_options.h"
#include "mortise/base/error.h"
#include "mortise/mechanics/contact_source.h"

namespace mortise::app {

namespace {

/// Contacts of a robot that a command loads by itself, and with it the world that it touches.
struct RobotContactSettings : ContactSourceSettings {
  std::optional<std::string> world;
  void bind(SettingBinder& b) {
    ContactSourceSettings::bind(b);
    b.add("world", world, "World file: contacts are where the robot, at --q, touches this world and itself.");
  }
};

}  // namespace

void declareContactSources(CommandLine& line) {
  declareSettings(line, schemaOf<RobotContactSettings>(), {},
                  {{"stance", "FILE"}, {"contacts", "FILE"}, {"world", "FILE"}});
}

std::unique_ptr<RobotInWorld> worldOption(const CommandLine& line, RobotInput& input) {
  const auto settings = settingsOf<RobotContactSettings>(line);
  if (!settings.world) return nullptr;
  return std::make_unique<RobotInWorld>(input.loader(), *settings.world, input.pointer(), settings.inWorld(),
                                        input.diagnostics());
}

void declareRates(CommandLine& line) {
  line.option("dq", "RATES", "velocities, written like --q: numbers, a file, or {elbow: 90 deg/s} (default: 0)")
      .option("ddq", "RATES", "accelerations, written alike: {elbow: 90 deg/s^2} (default: 0)");
}

ContactFile readContacts(const CommandLine& line, RobotInput& input, const RobotDynamics& dynamics, const VectorXd& q,
                         bool required) {
  const auto settings = settingsOf<RobotContactSettings>(line);
  const int sources = settings.stance.has_value() + settings.contacts.has_value() + settings.world.has_value();
  if (sources > 1) throw UsageError("--stance, --contacts and --world exclude each other");
  if (line.has("touch") && !settings.world) throw UsageError("--touch goes with --world");
  if (sources == 0 && required) throw UsageError("missing --stance FILE, --contacts FILE or --world FILE");
  ContactFile contacts;
  if (sources == 0) return contacts;
  if (const auto world = worldOption(line, input)) {
    contacts.contacts = world->contacts(q);
    return contacts;
  }
  contacts = settings.read(input.loader(), dynamics, input.diagnostics());
  constexpr double kAway = 0.01;
  checkGoals(input.pointer(), contacts.goals, q, kAway, input.diagnostics());
  return contacts;
}

}  // namespace mortise::app
