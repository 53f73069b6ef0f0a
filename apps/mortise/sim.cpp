#include <atomic>
#include <csignal>
#include <iomanip>
#include <sstream>

#include "command_line.h"
#include "commands.h"
#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/plugin/format_loader.h"
#include "mortise/simulation/assemble_world.h"
#include "mortise/simulation/simulation.h"
#include "mortise/simulation/summary.h"
#include "resource_options.h"

namespace mortise::app {

namespace {

std::atomic<bool> interrupted = false;

void onInterrupt(int) { interrupted = true; }

/// Klamp't's SimTest spells its options with one dash.
Arguments withLongOptions(Arguments arguments) {
  for (std::string& argument : arguments)
    for (const char* name : {"config", "path", "milestones", "log", "duration", "step"})
      if (argument == std::string("-") + name) argument = std::string("--") + name;
  return arguments;
}

void readConfigurations(const CommandLine& line, FormatLoader& loader, World& world, Diagnostics& diagnostics) {
  const std::vector<std::string> files = line.texts("config");
  if (files.size() > world.robots.size())
    throw Error(std::to_string(files.size()) + " configurations are given, but the world has " +
                std::to_string(world.robots.size()) + " robots");
  for (std::size_t i = 0; i < files.size(); ++i) {
    const VectorXd q = loader.configuration(files[i], {}, diagnostics);
    if (q.size() != world.robots[i].q.size())
      throw Error("the configuration has " + std::to_string(q.size()) + " values, but robot '" + world.robots[i].name +
                      "' has " + std::to_string(world.robots[i].q.size()) + " links",
                  {files[i], 0, 0, {}});
    world.robots[i].q = q;
  }
}

void follow(const CommandLine& line, const World& world, SimulationOptions& options) {
  const std::string path = line.text("path", line.text("milestones"));
  if (path.empty()) return;
  if (line.has("path") && line.has("milestones")) throw UsageError("--path and --milestones exclude each other");
  if (world.robots.empty()) throw Error("there is no robot that could follow '" + path + "'");
  ComponentOptions controller;
  controller.type = "PathFollowingController";
  controller.settings.set("path", path);
  options.components.push_back(std::move(controller));
}

void record(const CommandLine& line, Registry& registry, ComponentHost& host, Simulation& simulation) {
  if (!line.has("log") && !line.has("contact-log")) return;
  const auto named = [](const std::string& file) { return file.find('/') == std::string::npos ? "./" + file : file; };
  const ComponentInfo& info = registry.require(Kind::recorder, "csv");
  Value settings = Value::map();
  RecorderSetup setup{simulation.world(), "", "", {}};
  if (line.has("log")) {
    settings.set("file", named(line.text("log")));
    setup.what = {"robots", "objects", "sensors"};
  }
  if (line.has("contact-log")) {
    settings.set("contactFile", named(line.text("contact-log")));
    setup.what.push_back("contacts");
  }
  Diagnostics diagnostics;
  settings = registry.completeSettings(info, settings, diagnostics);
  diagnostics.throwIfErrors();
  ComponentPtr<Recorder> recorder = registry.create<Recorder>(info, settings, host);
  recorder->open(setup);
  simulation.addRecorder(std::move(recorder));
}

std::string table(const Value& summary) {
  std::ostringstream out;
  out << std::setprecision(6);
  out << summary.string("backend", "") << ": " << summary.real("time", 0) << " s in " << summary.integer("steps", 0)
      << " steps, " << std::setprecision(3) << summary.real("realtime_factor", 0) << " times real time, status "
      << summary.string("worst_status", "") << ", at most " << summary.integer("max_contacts", 0) << " contacts\n";
  for (const Value& object : summary.at("objects").items()) {
    const std::vector<double> T = object.at("T").asReals();
    out << "  object " << std::setw(3) << object.integer("id", 0) << "  " << std::left << std::setw(20)
        << object.string("name", "") << std::right << std::fixed << std::setprecision(4);
    for (int i = 9; i < 12; ++i) out << std::setw(10) << T[i];
    out << std::defaultfloat << "\n";
  }
  for (const Value& robot : summary.at("robots").items())
    out << "  robot  " << std::setw(3) << robot.integer("id", 0) << "  " << robot.string("name", "") << ", "
        << robot.at("q").size() << " links\n";
  out << "  state hash " << summary.string("state_hash", "") << "\n";
  return out.str();
}

}  // namespace

int simCommand(const Arguments& arguments) {
  CommandLine line("mortise sim", "simulate a world; robots hold their configuration unless a path is given");
  line.positional("FILE", "a world, or robots, rigid objects and terrains to put together", 1, -1)
      .option("backend", "NAME", "physics backend (default: what the world names, else ode)")
      .option("duration", "TIME", "simulated time, such as 2 or 500ms (default 10)")
      .option("step", "TIME", "physics time step (default: the world's, else 1ms)")
      .option("seed", "N", "seed of all random streams (default 0)")
      .repeatedOption("config", "FILE", "start configuration of the first, second, ... robot")
      .option("path", "FILE", "path that the first robot follows")
      .option("milestones", "FILE", "milestones that the first robot follows")
      .option("log", "FILE", "write robots, objects and sensors to this CSV file, a row a step")
      .option("contact-log", "FILE", "write contacts to this CSV file")
      .flag("strict", "treat warnings about files as errors")
      .repeatedOption("set", "NAME=VALUE", "set a parameter of the backend, such as iterations=100")
      .withPlugins()
      .epilog("Example:\n  mortise sim data/worlds/blocks.xml --backend bullet --duration 2 --json\n");
  addResourceOptions(line);
  if (!line.parse(withLongOptions(arguments))) return 0;

  CpuTimer loading;
  auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  Diagnostics diagnostics;
  diagnostics.setStrict(line.has("strict"));
  World world = assembleWorld(loader, line.positionals(), diagnostics);
  readConfigurations(line, loader, world, diagnostics);
  printWarnings(line, diagnostics);
  diagnostics.throwIfErrors();

  SimulationOptions options;
  options.backend = line.text("backend");
  options.backendPosition.file = "--backend";
  if (line.has("step")) options.timeStep = line.quantity("step", "s", 0.001);
  options.seed = static_cast<std::uint64_t>(line.integer("seed", 0));
  for (const std::string& text : line.texts("set")) {
    Setting setting = parseSetting(text);
    options.backendSettings.setPath(setting.path, std::move(setting.value));
  }
  follow(line, world, options);
  const double duration = line.quantity("duration", "s", 10);
  if (!(duration >= 0)) throw UsageError("--duration must not be negative");

  Simulation simulation(world, *registry, &loader, line.log(), options);
  ChannelTable channels;
  ComponentHost host("recorder", options.seed, line.log(), &loader, channels, {}, {});
  record(line, *registry, host, simulation);
  const double loadSeconds = loading.seconds();

  std::signal(SIGINT, onInterrupt);
  CpuTimer running;
  simulation.advance(duration, [] { return !interrupted.load(); });
  const double runSeconds = running.seconds();
  simulation.closeRecorders();

  Value summary = summarize(simulation);
  summary.set("wall_s", runSeconds);
  summary.set("load_s", loadSeconds);
  summary.set("realtime_factor", runSeconds > 0 ? simulation.time() / runSeconds : 0.0);
  print(line.json() ? toJson(summary) + "\n" : table(summary));
  if (!simulation.fault().empty()) line.log().write(LogLevel::error, "mortise", simulation.fault());
  if (interrupted) return 130;
  return simulation.status() == StepStatus::error ? 1 : 0;
}

}  // namespace mortise::app
