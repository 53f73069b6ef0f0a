#include <algorithm>
#include <cmath>
#include <optional>

#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/interrupt.h"
#include "command_line/resource_options.h"
#include "logs/live_view.h"
#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/component/role.h"
#include "mortise/hardware/drive_loop.h"
#include "mortise/json/json_writer.h"
#include "mortise/loading/assemble_world.h"
#include "mortise/loading/format_loader.h"
#include "mortise/loading/script_host.h"
#include "mortise/settings/parse_setting.h"
#include "mortise/settings/permissions.h"
#include "mortise/viewer/read_only_world.h"

namespace mortise::app {

namespace {

/// Puts what an option that can be given several times says, NAME=VALUE, into `settings`. `example` follows "such as".
void readSettings(const CommandLine& line, const char* option, const std::string& owner, const char* example,
                  const std::string& component, Value& settings) {
  for (const std::string& text : line.texts(option)) {
    if (text.find('=') == std::string::npos || text.find('=') == 0)
      throw UsageError("--" + std::string(option) + " takes NAME=VALUE, a setting of the " + owner + " such as " +
                       example + ", not '" + text + "'; `mortise plugins info " + component + "` shows what there is");
    AssignedSetting setting = parseSetting(text);
    settings.setPath(setting.path, std::move(setting.value));
  }
}

/// A time of at least 0 s that an option gives, else `fallback`.
double timeOption(const CommandLine& line, const char* name, double fallback) {
  const double seconds = line.quantity(name, "s", fallback);
  if (!(seconds >= 0))
    throw UsageError("--" + std::string(name) + " takes a time of at least 0, not '" + line.text(name) + "'");
  return seconds;
}

/// Which hardware, and its settings: some of the serial one have options of their own.
void readHardware(const CommandLine& line, DriveOptions& options) {
  options.hardware = line.text("hardware");
  Value& settings = options.hardwareSettings;
  if (line.has("connect")) settings.set("address", line.text("connect"));
  if (line.has("wait")) settings.set("wait", timeOption(line, "wait", 0));
  options.timeout = timeOption(line, "timeout", options.timeout);
  readSettings(line, "hardware-set", "hardware", "address=tcp://10.0.0.7:3456",
               options.hardware.empty() ? "NAME" : options.hardware, settings);
}

DriveOptions driveOptions(const CommandLine& line) {
  DriveOptions options;
  readHardware(line, options);
  options.duration = timeOption(line, "duration", options.duration);
  options.rate = line.quantity("rate", "Hz", 0);
  if (line.has("rate") && !(options.rate > 0 && std::isfinite(options.rate)))
    throw UsageError("--rate takes a rate above 0, not '" + line.text("rate") + "'");
  options.controller = line.text("controller");
  if (options.controller.empty()) throw UsageError("which controller? Name one with --controller");
  options.estimator = line.text("estimator");
  options.log = line.text("log");
  options.seed = line.seed();
  readSettings(line, "set", "controller", "path=wave.path", options.controller, options.settings);
  for (const std::string& text : line.texts("sensor")) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
      throw UsageError("--sensor takes NAME=TYPE, such as wrist=ForceTorqueSensor, not '" + text + "'");
    options.sensorTypes[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return options;
}

/// Components that are named by their files of Python become plugins.
void findScripts(Registry& registry, DriveOptions& options) {
  options.hardware = scriptComponent(registry, Kind::hardware, options.hardware, {}, onCommandLine("--hardware"));
  options.controller =
      scriptComponent(registry, Kind::controller, options.controller, {}, onCommandLine("--controller"));
  options.estimator = scriptComponent(registry, Kind::estimator, options.estimator, {}, onCommandLine("--estimator"));
}

/// States that came, and those that were dropped.
std::int64_t messagesOf(const DriveResult& result) { return result.states + result.skipped; }

Value resultValue(const DriveResult& result) {
  Value value = Value::map();
  value.set("hardware", result.hardware);
  value.set("controller", result.controller);
  value.set("messages", messagesOf(result));
  value.set("skipped", result.skipped);
  value.set("updates", result.updates);
  value.set("refused", result.refused);
  value.set("limited", result.limited);
  value.set("overruns", result.overruns);
  value.set("skipped_cycles", result.skippedCycles);
  value.set("start_time", result.startTime);
  value.set("time", result.time);
  value.set("ended", result.ended);
  value.set("emergency_stop", result.emergencyStop);
  return value;
}

std::string resultText(const DriveResult& result, const std::string& robot) {
  std::string text = result.controller + " drove " + robot + " from t = " + formatReal(result.startTime, 9) + " to " +
                     formatReal(result.time, 9) + " s: " + std::to_string(messagesOf(result)) + " messages, " +
                     std::to_string(result.skipped) + " skipped, " + std::to_string(result.updates) + " updates, " +
                     std::to_string(result.refused) + " refused";
  if (result.limited > 0) text += ", " + std::to_string(result.limited) + " limited";
  if (result.overruns > 0)
    text += ", " + std::to_string(result.overruns) + " overruns (" + std::to_string(result.skippedCycles) +
            " cycles left out)";
  return text + "\n  " + result.ended + "\n";
}

void declareDriveOptions(CommandLine& line) {
  line.positional("ROBOT_FILE", "the robot that is at the other end")
      .option("hardware", "NAME",
              "the robot's hardware; `mortise plugins list --kind hardware` shows what there is (default: a robot in "
              "another process, behind the protocol of docs/remote.md)")
      .repeatedOption("hardware-set", "NAME=VALUE", "a setting of the hardware, such as rate=200")
      .option("connect", "ADDRESS", "where it listens (default tcp://127.0.0.1:3456)")
      .option("controller", "NAME", "controller to run; `mortise plugins list` shows what there is")
      .repeatedOption("set", "NAME=VALUE", "a setting of the controller, such as path=wave.path")
      .option("world", "FILE", "the world that the robot stands in, for controllers that plan among what is around it")
      .option("estimator", "NAME", "estimator that tells the controller the robot's state (default: what it asks for)")
      .option(
          "rate", "RATE",
          "updates of the controller a second of the robot's time, at most one a message (default: one a message); for "
          "hardware that does not set the pace, how often it is read and written")
      .option("duration", "TIME", "how long to drive, in the robot's time (default: until the other end leaves)")
      .option("wait", "TIME", "how long to try to connect while nobody listens (default 0)")
      .option("timeout", "TIME",
              "how long the robot may say nothing, and the controller take for a command (default 10)")
      .repeatedOption("sensor", "NAME=TYPE",
                      "what kind of sensor sends values under this name (q, dq and torque are known, and so are those "
                      "in the robot's file)")
      .option("log", "FILE", "write sensors and commands to this CSV file, a row an update")
      .option("seed", "N", "seed of the controller's random stream (default 0)")
      .componentValues("hardware", Kind::hardware)
      .componentValues("controller", Kind::controller)
      .componentValues("estimator", Kind::estimator)
      .outputsOfFiles()
      .withPlugins()
      .epilog(
          "Ctrl-C and SIGTERM stop driving; the robot then comes to rest and holds its configuration. The exit code is "
          "130 or 143 then. Ctrl-C again, or Ctrl-\\ (SIGQUIT, exit code 131) at any time, is the emergency stop: the "
          "hardware does at once whatever is safest, which is to switch its motors off, as a rule.\n\n"
          "Example, in two terminals:\n"
          "  mortise sim arm.xml --realtime --duration 60\n"
          "  mortise drive arm.rob --controller PathFollowingController --set path=wave.path --wait 10\n"
          "Without another process, against a simulated robot behind the interface of hardware:\n"
          "  mortise drive arm.rob --hardware simulated --controller PathFollowingController --set path=wave.path "
          "--duration 5\n"
          "See docs/hardware.md and docs/remote.md.\n");
  addResourceOptions(line);
  declareViewOptions(line, "look at the robot in the browser, where its sensors say that it is");
}

/// Which of the world's robots it is: the one of this name, or the only one.
int robotIn(const World& world, const Robot& robot, const std::string& file) {
  int found = world.robots.size() == 1 ? 0 : -1;
  for (std::size_t i = 0; i < world.robots.size(); ++i)
    if (world.robots[i].name == robot.name()) found = static_cast<int>(i);
  if (found < 0)
    throw Error("no robot in '" + file + "' is called '" + robot.name() + "'", {}, "give a world that has this robot");
  const Robot& there = *world.robots[static_cast<std::size_t>(found)].robot;
  if (there.numLinks() != robot.numLinks())
    throw Error("the robot in '" + file + "' has " + std::to_string(there.numLinks()) + " links, the one to drive " +
                std::to_string(robot.numLinks()));
  return found;
}

}  // namespace

int driveCommand(const Arguments& arguments) {
  CommandLine line("mortise drive", "run a controller against a robot, simulated or real");
  declareDriveOptions(line);
  if (!line.parse(arguments)) return 0;
  const bool shows = wantsView(line);
  DriveOptions options = driveOptions(line);

  auto registry = line.makeRegistry();
  findScripts(*registry, options);
  const ComponentInfo* hardware = options.hardware.empty() ? registry->findRole(role::kDefaultHardware)
                                                           : registry->find(Kind::hardware, options.hardware);
  // Hardware that sets the pace knows by itself when it has waited too long.
  if (line.has("timeout") && hardware != nullptr && hardware->schema.find("timeout") != nullptr)
    options.hardwareSettings.set("timeout", options.timeout);
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  Diagnostics diagnostics;
  RobotDescription description = loader.load<RobotDescription>(line.positionals()[0], {}, diagnostics);
  printWarnings(line, diagnostics);
  diagnostics.throwIfErrors();
  const RobotPtr robot = Robot::compile(std::move(description));

  std::optional<World> world;
  if (line.has("world")) {
    world.emplace(loader.world(line.text("world"), {}, diagnostics));
    printWarnings(line, diagnostics);
    diagnostics.throwIfErrors();
    options.world = &*world;
    options.robotIndex = robotIn(*world, *robot, line.text("world"));
  }

  const InterruptGuard interrupt;
  interrupt.noteSecond();
  interrupt.noteQuit();
  options.emergencyRequested = interrupt.insisted();
  std::optional<viewer::ReadOnlyWorld> watched;
  std::optional<viewer::SnapshotLog> still;
  SequenceView view(line, *registry, interrupt.asked());  // Ends before what it shows.
  if (shows) {
    World shown = world ? *world : assembleWorld(loader, {line.positionals()[0]}, diagnostics);
    still.emplace(shown, *registry, line.log());
    watched.emplace(std::move(shown));
    view.show({{robot->name(), still->path()}}, &*watched);
    options.observe = [&, index = std::max(options.robotIndex, 0)](double time, const VectorXd& q) {
      watched->move(index, time, q);
    };
  }
  const DriveResult result = drive(*robot, *registry, &loader, line.log(), options, interrupt.asked());
  if (line.json())
    print(toJson(resultValue(result)) + "\n");
  else if (!line.quiet())
    print(resultText(result, robot->name()));
  view.wait();
  return interrupt.signal() != 0 ? interrupt.exitCode() : 0;
}

}  // namespace mortise::app
