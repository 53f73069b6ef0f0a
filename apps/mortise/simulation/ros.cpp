#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/failure.h"
#include "mortise/base/error.h"
#include "mortise/component/recorder.h"
#include "mortise/logs/log_sensors.h"
#include "mortise/pipeline/simulate/simulation_job.h"
#include "mortise/settings/permissions.h"
#include "simulation/sim_run.h"

namespace mortise::app {

namespace {

/// One of the two kinds of ROS: the components that speak it, and what they need.
struct Carrier {
  const char* number;
  const char* relay;
  const char* recorder;
  const char* package;
};
constexpr std::array<Carrier, 2> kCarriers = {
    {{"1", "ros1_relay", "ros1", "libroscpp-dev"}, {"2", "ros2_relay", "ros2", "cyclonedds-dev"}}};

bool isThere(const Registry& registry, const Carrier& carrier) {
  return registry.find(Kind::controller, carrier.relay) != nullptr &&
         registry.find(Kind::recorder, carrier.recorder) != nullptr;
}

/// The kind that --ros names; else ROS 1 where a master is named, and what there is.
const Carrier& chooseCarrier(const CommandLine& line, const Registry& registry) {
  const auto& [one, two] = kCarriers;
  const Carrier* chosen = nullptr;
  if (line.has("ros")) {
    for (const Carrier& carrier : kCarriers)
      if (line.text("ros") == carrier.number) chosen = &carrier;
    if (chosen == nullptr) throw UsageError("--ros takes 1 or 2, not '" + line.text("ros") + "'");
  } else {
    const bool master = line.has("master") || std::getenv("ROS_MASTER_URI") != nullptr;
    chosen = master && !line.has("domain") ? &one : &two;
    if (!isThere(registry, *chosen) && !line.has("master") && !line.has("domain"))
      chosen = chosen == &one ? &two : &one;
  }
  if (!isThere(registry, *chosen))
    throw Error(
        std::string("this build has no ROS ") + chosen->number, {},
        std::string("install ") + chosen->package + " and build again; `mortise plugins list` shows what there is");
  if (line.has("master") && chosen == &two) throw UsageError("--master goes with --ros 1");
  if (line.has("domain") && chosen == &one) throw UsageError("--domain goes with --ros 2");
  return *chosen;
}

void setFromLine(const CommandLine& line, const char* option, const char* setting, Value& settings) {
  if (!line.has(option)) return;
  Value value = Value::fromText(line.text(option));
  value.setPosition(onCommandLine("--" + std::string(option)));
  settings.set(setting, std::move(value));
}

/// Messages a simulated second of each topic.
double rateOf(const CommandLine& line) {
  const double rate = line.quantity("rate", "Hz", 50);
  if (!(rate > 0) || !std::isfinite(rate))
    throw UsageError("--rate takes a rate above 0, not '" + line.text("rate") + "'");
  return rate;
}

/// The settings that relays and recorders share, from the options.
Value commonSettings(const CommandLine& line) {
  Value settings = Value::map();
  setFromLine(line, "master", "master", settings);
  setFromLine(line, "domain", "domain", settings);
  setFromLine(line, "naming", "naming", settings);
  return settings;
}

/// The log of a robot's messages: with several robots each has one, which has the robot's name in its own. A device is
/// the same for all.
std::string messagesFile(const std::string& given, const std::string& robot, bool several) {
  namespace fs = std::filesystem;
  std::error_code code;
  if (!several || fs::is_other(given, code)) return given;
  const fs::path path = given;
  std::string name = robot;
  for (char& c : name)
    if (c == '/' || c == ' ') c = '_';
  return (path.parent_path() / (path.stem().string() + "-" + name + path.extension().string())).string();
}

void addRelays(const CommandLine& line, const Carrier& carrier, const World& world, SimulationOptions& options) {
  const auto hasController = [&](int robot) {
    for (const ComponentOptions& given : options.components)
      if (given.kind == Kind::controller && given.robot == robot) return true;
    return false;
  };
  bool first = true;
  int relays = 0;
  for (std::size_t i = 0; i < world.robots.size(); ++i) relays += !hasController(static_cast<int>(i));
  for (std::size_t i = 0; i < world.robots.size(); ++i) {
    if (hasController(static_cast<int>(i))) continue;
    ComponentOptions relay;
    relay.kind = Kind::controller;
    relay.type = carrier.relay;
    relay.robot = static_cast<int>(i);
    relay.settings = commonSettings(line);
    if (line.has("rate")) relay.settings.set("state_rate", rateOf(line));
    relay.settings.set("clock", first);
    if (line.has("messages")) {
      Value file(messagesFile(line.text("messages"), world.robots[i].name, relays > 1));
      file.setPosition(onCommandLine("--messages"));
      relay.settings.set("log", std::move(file));
    }
    relay.settings.set("ignore_stamps", line.has("ignore-stamps"));
    options.components.push_back(std::move(relay));
    first = false;
  }
}

void addRecorder(const CommandLine& line, const Carrier& carrier, Registry& registry, ComponentHost& host,
                 Simulation& simulation, bool clock) {
  const ComponentInfo& info = registry.require(Kind::recorder, carrier.recorder);
  Value settings = commonSettings(line);
  std::vector<std::string> kinds = {"state", "commands", "sensors", "tf", "robot_description"};
  if (clock) kinds.emplace_back("clock");
  settings.set("broadcast", kinds);
  setFromLine(line, "robot-description", "robot_description", settings);
  setFromLine(line, "prefix-topics", "prefix", settings);
  settings.set("run", logs::runDescription(simulation, {}));
  Diagnostics diagnostics;
  settings = registry.completeSettings(info, settings, diagnostics);
  diagnostics.throwIfErrors();
  ComponentPtr<Recorder> recorder = registry.create<Recorder>(info, settings, host);
  recorder->open({simulation.world(), "", "", {"robots", "objects", "sensors"}});
  simulation.addRecorder(std::move(recorder),
                         recordingInterval(rateOf(line), simulation.timeStep(), simulation.componentLog()));
}

void declareRosOptions(CommandLine& line) {
  line.option("ros", "1|2",
              "ROS 1 (a master must run) or ROS 2 (by DDS); default: 1 where --master or ROS_MASTER_URI names a "
              "master, else 2, and what this build has")
      .option("master", "URI", "the master of ROS 1 (default: ROS_MASTER_URI, else http://localhost:11311)")
      .option("domain", "N", "the domain of ROS 2 (default: ROS_DOMAIN_ID, else 0)")
      .option("naming", "NAMES",
              "names of topics, frames and joints: klampt (default), or ros_control for those of ros_control and "
              "robot_state_publisher")
      .option("rate", "RATE", "messages a simulated second of each topic (default 50; relays: one an update)")
      .option("prefix-topics", "PREFIX", "put this before the topics of the broadcast")
      .option("robot-description", "FILE.urdf", "what robot_description says")
      .option("messages", "FILE",
              "write all messages that come to this log, which the relay's setting replay repeats; with several robots "
              "to one each, with the robot's name behind FILE's")
      .flag("ignore-stamps", "trajectories start when they come, whatever their stamps say")
      .values("ros", {"1", "2"})
      .values("naming", {"klampt", "ros_control"})
      .epilog(
          "Ctrl-C and SIGTERM end the run after the current step; topics are closed in order. All options of `mortise "
          "sim`\n"
          "count, too; a robot with --controller, --path, --milestones or --replay is broadcast and gets no relay.\n\n"
          "Examples:\n"
          "  roscore & mortise ros arm.xml --ros 1\n"
          "  mortise ros arm.xml --ros 2 --rate 100 --naming ros_control\n"
          "See docs/ros.md.\n");
}

}  // namespace

int rosCommand(const Arguments& arguments) {
  CommandLine line("mortise ros",
                   "simulate a world at the pace of the clock as a node of ROS, until Ctrl-C: each robot follows "
                   "/ROBOT/joint_trajectory and publishes /ROBOT/joint_states; states, sensors, frames and /clock are "
                   "broadcast");
  declareSimOptions(line);
  declareRosOptions(line);
  if (!line.parse(withSimOptions(arguments))) return 0;
  SimulationJob job = simulationJob(line);
  constexpr double kForever = 1e9;  // s
  if (!line.has("duration") && !line.has("end")) job.duration = kForever;
  if (!line.has("realtime")) job.realtime = 1;

  const Carrier* carrier = nullptr;
  bool clock = false;  // The recorder has to publish it: there is no relay.
  SimAdditions additions;
  additions.components = [&](const Registry& registry, const World& world, SimulationOptions& options) {
    carrier = &chooseCarrier(line, registry);
    const std::size_t before = options.components.size();
    addRelays(line, *carrier, world, options);
    clock = options.components.size() == before;
  };
  additions.recorders = [&](Registry& registry, ComponentHost& host, Simulation& simulation) {
    addRecorder(line, *carrier, registry, host, simulation, clock);
  };
  const std::optional<SimRun> run = runSim(line, std::move(job), additions);
  return run ? printRun(line, *run) : 0;
}

}  // namespace mortise::app
