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
#include "mortise/json/json_writer.h"
#include "mortise/loading/assemble_world.h"
#include "mortise/loading/format_loader.h"
#include "mortise/remote/drive_loop.h"
#include "mortise/settings/parse_setting.h"
#include "mortise/viewer/read_only_world.h"

namespace mortise::app {

namespace {

remote::DriveOptions driveOptions(const CommandLine& line) {
  remote::DriveOptions options;
  options.address = remote::parseAddress(line.text("connect", "tcp://127.0.0.1:3456"));
  const auto time = [&](const char* name, double fallback) {
    const double seconds = line.quantity(name, "s", fallback);
    if (!(seconds >= 0))
      throw UsageError("--" + std::string(name) + " takes a time of at least 0, not '" + line.text(name) + "'");
    return seconds;
  };
  options.wait = time("wait", 0);
  options.timeout = time("timeout", options.timeout);
  options.duration = time("duration", options.duration);
  options.rate = line.quantity("rate", "Hz", 0);
  if (line.has("rate") && !(options.rate > 0 && std::isfinite(options.rate)))
    throw UsageError("--rate takes a rate above 0, not '" + line.text("rate") + "'");
  options.controller = line.text("controller");
  if (options.controller.empty()) throw UsageError("which controller? Name one with --controller");
  options.estimator = line.text("estimator");
  options.log = line.text("log");
  options.seed = line.seed();
  for (const std::string& text : line.texts("set")) {
    if (text.find('=') == std::string::npos || text.find('=') == 0)
      throw UsageError("--set takes NAME=VALUE, a setting of the controller such as path=wave.path, not '" + text +
                       "'; `mortise plugins info " + options.controller + "` shows what there is");
    AssignedSetting setting = parseSetting(text);
    options.settings.setPath(setting.path, std::move(setting.value));
  }
  for (const std::string& text : line.texts("sensor")) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
      throw UsageError("--sensor takes NAME=TYPE, such as wrist=ForceTorqueSensor, not '" + text + "'");
    options.sensorTypes[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return options;
}

Value resultValue(const remote::DriveResult& result) {
  Value value = Value::map();
  value.set("controller", result.controller);
  value.set("messages", result.messages);
  value.set("skipped", result.skipped);
  value.set("updates", result.updates);
  value.set("refused", result.refused);
  value.set("start_time", result.startTime);
  value.set("time", result.time);
  value.set("ended", result.ended);
  return value;
}

void declareDriveOptions(CommandLine& line) {
  line.positional("ROBOT_FILE", "the robot that is at the other end")
      .option("connect", "ADDRESS", "where it listens (default tcp://127.0.0.1:3456)")
      .option("controller", "NAME", "controller to run; `mortise plugins list` shows what there is")
      .repeatedOption("set", "NAME=VALUE", "a setting of the controller, such as path=wave.path")
      .option("world", "FILE", "the world that the robot stands in, for controllers that plan among what is around it")
      .option("estimator", "NAME", "estimator that tells the controller the robot's state (default: what it asks for)")
      .option("rate", "RATE",
              "updates of the controller a second of the robot's time, at most one a message (default: one a message)")
      .option("duration", "TIME", "how long to drive, in the robot's time (default: until the other end leaves)")
      .option("wait", "TIME", "how long to try to connect while nobody listens (default 0)")
      .option("timeout", "TIME", "how long the robot may say nothing (default 10)")
      .repeatedOption("sensor", "NAME=TYPE",
                      "what kind of sensor sends values under this name (q, dq and torque are known, and so are those "
                      "in the robot's file)")
      .option("log", "FILE", "write sensors and commands to this CSV file, a row an update")
      .option("seed", "N", "seed of the controller's random stream (default 0)")
      .componentValues("controller", Kind::controller)
      .componentValues("estimator", Kind::estimator)
      .outputsOfFiles()
      .withPlugins()
      .epilog(
          "Ctrl-C and SIGTERM stop driving; the robot then holds its configuration. The exit code is 130 or 143 "
          "then.\n\n"
          "Example, in two terminals:\n"
          "  mortise sim arm.xml --realtime --duration 60\n"
          "  mortise drive arm.rob --controller PathFollowingController --set path=wave.path --wait 10\n"
          "See docs/remote.md.\n");
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
  CommandLine line("mortise drive", "run a controller against a robot, simulated or real, in another process");
  declareDriveOptions(line);
  if (!line.parse(arguments)) return 0;
  const bool shows = wantsView(line);
  remote::DriveOptions options = driveOptions(line);

  auto registry = line.makeRegistry();
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
  const remote::DriveResult result = remote::drive(*robot, *registry, &loader, line.log(), options, interrupt.asked());
  if (line.json())
    print(toJson(resultValue(result)) + "\n");
  else if (!line.quiet())
    print(result.controller + " drove " + robot->name() + " from t = " + formatReal(result.startTime, 9) + " to " +
          formatReal(result.time, 9) + " s: " + std::to_string(result.messages) + " messages, " +
          std::to_string(result.skipped) + " skipped, " + std::to_string(result.updates) + " updates, " +
          std::to_string(result.refused) + " refused\n  " + result.ended + "\n");
  view.wait();
  return interrupt.signal() != 0 ? interrupt.exitCode() : 0;
}

}  // namespace mortise::app
