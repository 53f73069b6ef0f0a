#include <cmath>
#include <filesystem>

#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/configuration_options.h"
#include "command_line/failure.h"
#include "command_line/interrupt.h"
#include "command_line/resource_options.h"
#include "command_line/setting_options.h"
#include "command_line/terminal_progress.h"
#include "logs/live_view.h"
#include "mortise/appearance/visual_files.h"
#include "mortise/base/error.h"
#include "mortise/base/position.h"
#include "mortise/base/units.h"
#include "mortise/base/value_text.h"
#include "mortise/component/role.h"
#include "mortise/inspect/robot_notices.h"
#include "mortise/json/json_writer.h"
#include "mortise/loading/assemble_world.h"
#include "mortise/loading/format_loader.h"
#include "mortise/loading/world_configuration.h"
#include "mortise/model/on_unstable.h"
#include "mortise/pipeline/context/milestones.h"
#include "mortise/pipeline/simulate/command_check.h"
#include "mortise/pipeline/simulate/run_origin.h"
#include "mortise/pipeline/simulate/simulation_job.h"
#include "mortise/settings/parse_setting.h"
#include "mortise/settings/permissions.h"
#include "mortise/simulation/components/component_slots.h"
#include "mortise/simulation/components/lockstep.h"
#include "mortise/simulation/context/simulation_request.h"
#include "mortise/simulation/scene/substitution.h"
#include "mortise/simulation/simulation.h"
#include "mortise/simulation/summary.h"
#include "simulation/controller_option.h"
#include "simulation/sim_commands.h"
#include "simulation/sim_output.h"
#include "simulation/sim_run.h"

namespace mortise::app {

namespace {

/// The n-th of these belongs to the n-th robot.
std::vector<std::string> forRobots(const CommandLine& line, const char* option, const World& world) {
  std::vector<std::string> files = line.texts(option);
  if (files.size() > world.robots.size())
    throw Error(std::to_string(files.size()) + " files are given with --" + option + ", but the world has " +
                    std::to_string(world.robots.size()) + " robots",
                {}, "the first file is for the first robot, the second for the second, ...");
  return files;
}

/// Source that the player of commands replays: a file, or its settings, of which `file` is the log.
Value replaySettings(const std::string& text) {
  Value settings = Value::map();
  if (text.starts_with("{")) {
    settings = parseYaml(text, "--replay");
    const Value* file = settings.find("file");
    if (file == nullptr) throw UsageError("--replay takes a command log, or {file: LOG, remove_delays: 200 ms}");
    settings.set("replay", *file);
    settings.erase("file");
  } else {
    settings.set("replay", text);
  }
  settings.set("save", false);
  return settings;
}

void follow(const CommandLine& line, const Registry& registry, FormatLoader& loader, const World& world,
            Diagnostics& diagnostics, SimulationOptions& options) {
  if (line.has("path") + line.has("milestones") + line.has("replay") + line.has("controller") > 1)
    throw UsageError("--path, --milestones, --replay and --controller exclude each other");
  const std::vector<std::string> files = forRobots(line, line.has("path") ? "path" : "milestones", world);
  for (std::size_t i = 0; i < files.size(); ++i) {
    ComponentOptions controller = optionsInRole(registry, role::kMotionFollower);
    controller.robot = static_cast<int>(i);
    if (line.has("path"))
      controller.settings.set("path", files[i]);
    else
      controller.settings.set("milestones", milestonesFrom(loader, files[i], {}, diagnostics));
    options.components.push_back(std::move(controller));
  }
  const std::vector<std::string> controllers = forRobots(line, "controller", world);
  for (std::size_t i = 0; i < controllers.size(); ++i) {
    options.components.push_back(controllerFromOption(controllers[i]));
    options.components.back().robot = static_cast<int>(i);
  }
  const std::vector<std::string> logs = forRobots(line, "replay", world);
  for (std::size_t i = 0; i < logs.size(); ++i) {
    ComponentOptions controller = optionsInRole(registry, role::kCommandPlayer);
    controller.robot = static_cast<int>(i);
    controller.settings = replaySettings(logs[i]);
    options.components.push_back(std::move(controller));
  }
}

/// Settings of a simulation that options say in another way: --realtime [FACTOR], --set NAME=VALUE.
std::vector<std::string> declaredElsewhere() { return {"realtime", "settings"}; }

SimulationOptions simulationOptions(const CommandLine& line, const Registry& registry, FormatLoader& loader,
                                    const World& world) {
  SimulationOptions options;
  Diagnostics diagnostics;
  applyRequest(settingsOf<SimulationRequest>(line, {}, declaredElsewhere()), world, options, diagnostics);
  options.strict = line.has("strict");
  options.seed = line.seed();
  for (const std::string& text : line.texts("set")) {
    AssignedSetting setting = parseSetting(text);
    if (setting.path == "simulation.backend")
      throw UsageError("--set sets parameters of the backend; write --backend " + setting.value.text() +
                       " to choose another one");
    if (setting.path.starts_with("simulation."))
      throw UsageError("--set takes parameters of the backend by their names, such as iterations=100, not '" +
                       setting.path + "', which is a key of pipelines");
    options.backendSettings.setPath(setting.path, std::move(setting.value));
  }
  follow(line, registry, loader, world, diagnostics, options);
  printWarnings(line, diagnostics);
  diagnostics.throwIfErrors();
  return options;
}

/// Adds the substitutions of the start and of the simulation to the summary.
void addSubstitutions(const SubstitutionRecord& start, const Simulation& simulation, Value& summary) {
  Value all = start.value();
  const Value settings = simulation.effectiveSettings();
  if (const Value* own = settings.find("substitutions")) {
    if (all.isNull()) all = Value::map();
    for (const Value::Entry& entry : own->entries()) {
      if (!all.contains(entry.key)) all.set(entry.key, Value::list());
      for (const Value& text : entry.value.items()) all.find(entry.key)->push_back(text);
    }
  }
  if (!all.isNull()) summary.set("substitutions", std::move(all));
}

/// Throws what controllers and sensors would refuse, before the first step.
void tryAllCommands(const std::vector<TimedCommand>& commands, const World& world, Registry& registry,
                    FormatLoader& loader, const SimulationOptions& options) {
  Diagnostics found;
  tryCommands(commands, world, registry, &loader, options, found);
  tryEntryCommands(world, registry, &loader, options, found);
  if (found.all().size() == 1 && found.hasErrors()) {
    const Diagnostic& only = found.all().front();
    throw Error(only.message, only.where, only.hint);
  }
  // Controllers warn again of what they warned of here, when the command is due.
  found.throwIfErrors();
}

/// With --view: pages that look at the run and take part in it.
std::unique_ptr<LiveView> liveView(const CommandLine& line, Registry& registry, Simulation& simulation,
                                   const InterruptGuard& interrupt, SimulationJob& job) {
  if (!line.has("view")) {
    for (const char* option : {"port", "no-browser", "allow-host", "paused"})
      if (line.has(option)) throw UsageError("--" + std::string(option) + " goes with --view");
    return nullptr;
  }
  viewer::LiveRunOptions options;
  options.speed = line.has("realtime") ? job.realtime : 1;
  options.stopRequested = interrupt.asked();
  options.paused = line.has("paused");
  for (const char* option : {"log", "mcap", "contact-log", "wrench-log", "images"})
    if (line.has(option)) options.canGoBack = false;
  job.realtime = 0;                 // The view keeps the pace, which pages may change.
  constexpr double kForever = 1e9;  // s
  if (!line.has("duration") && !line.has("end") && !line.has("settle")) job.duration = kForever;
  auto live = std::make_unique<LiveView>(line, registry, simulation, std::move(options),
                                         std::filesystem::path(line.positionals()[0]).stem().string());
  job.advance = [run = &live->run()](Simulation& running, CommandSchedule& commands, double seconds,
                                     const std::function<bool()>& keepGoing) {
    return run->advance(running, commands, seconds, keepGoing);
  };
  return live;
}

}  // namespace

Arguments withSimOptions(Arguments arguments) {
  static const std::pair<const char*, const char*> kNames[] = {
      {"config", "config"},      {"path", "path"},         {"milestones", "milestones"},
      {"m", "milestones"},       {"state", "state"},       {"init", "state"},
      {"settle", "settle"},      {"end", "end"},           {"log", "log"},
      {"prefix", "prefix"},      {"duration", "duration"}, {"step", "step"},
      {"format", "state-format"}};
  for (std::string& argument : arguments)
    for (const auto& [theirs, ours] : kNames)
      if (argument == std::string("-") + theirs) argument = std::string("--") + ours;
  // The only option whose value may be left out.
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i] == "--realtime" && (i + 1 == arguments.size() || !Value::fromText(arguments[i + 1]).isNumber()))
      arguments[i] += "=1";
  return arguments;
}

SimulationJob simulationJob(const CommandLine& line) {
  SimulationJob job;
  const auto time = [&](const char* name, double fallback) {
    const double seconds = line.quantity(name, "s", fallback);
    if (!(seconds >= 0) || !std::isfinite(seconds))
      throw UsageError("--" + std::string(name) + " takes a time of at least 0, not '" + line.text(name) + "'");
    return seconds;
  };
  job.realtime = line.quantity("realtime", "", 0);
  if (line.has("realtime") && !(job.realtime > 0 && std::isfinite(job.realtime)))
    throw UsageError("--realtime takes a factor above 0, not '" + line.text("realtime") + "'");
  job.settle = time("settle", 0);
  // Settling alone is a run of its own.
  job.duration = time("duration", job.settle > 0 ? 0 : 10);
  if (line.has("end")) job.end = time("end", 0);
  if (line.has("end") && !line.has("duration")) job.duration = 1e9;
  job.state = line.text("state");
  job.statePosition.file = job.state;
  job.useWorldState = !line.has("no-state");
  if (line.has("step")) job.request.timeStep = line.quantity("step", "s", 0.001);
  if (line.has("seed")) job.request.seed = line.seed();
  job.startGiven = line.has("config");
  if (line.has("state") && line.has("no-state")) throw UsageError("--state and --no-state exclude each other");
  const std::string format = line.text("state-format", line.has("prefix") ? "base64" : "raw");
  if (format != "raw" && format != "base64" && format != "none" && format != "three.js")
    throw UsageError("--state-format is raw, base64, none or three.js, not '" + format + "'");
  job.stateFormat = format == "base64" ? StateFormat::base64 : StateFormat::raw;
  job.saveState = line.text("save-state");
  job.saveScene = line.text("save-scene");
  if (format == "three.js") {
    if (line.has("save-state")) throw UsageError("--state-format three.js is no state: use --save-scene FILE.json");
    if (job.saveScene.empty() && line.has("prefix")) job.saveScene = line.text("prefix") + ".json";
  } else if (job.saveState.empty() && line.has("prefix") && format != "none") {
    job.saveState = line.text("prefix") + ".state";
  }
  job.saveWorld = line.text("save-world");
  job.worldFiles = line.positionals();
  return job;
}

/// Declares what a run writes.
void declareSimOutputs(CommandLine& line) {
  line.option("save-state", "FILE", "write the state at the end, for --state")
      .option("state-format", "FORMAT", "of --save-state: raw (default) or base64")
      .option("save-world", "FILE", "write the world as it is at the end, its state included, as a world file")
      .option("save-scene", "FILE.json", "write the world as it is at the end as a scene of three.js")
      .option("log", "FILE",
              "write robots, objects and sensors (all but cameras) to this file, a row a step: .csv, .jsonl for JSON "
              "lines, .mcap, or .path for the motion of the only robot")
      .option(
          "mcap", "FILE.mcap",
          "write the whole run to this file, for `mortise log` and viewers: world, motion, contacts, sensors, images, "
          "states; 100 states a simulated second if --log-rate does not say otherwise")
      .repeatedOption("log-sensor", "NAME", "write this sensor to --log too: a camera, with every pixel")
      .option("contact-log", "FILE", "write contacts to this .csv or .jsonl file")
      .option("wrench-log", "FILE", "write the wrench between each two bodies in contact to this .csv or .jsonl file")
      .option("log-rate", "RATE", "rows of logs a simulated second, such as 100 or 50Hz (default: every step)")
      .option("images", "DIR", "write what cameras see to this folder: colors and depths as .png")
      .option("image-outputs", "LIST", "what --images writes: color, depth, points (.pcd); default color,depth")
      .option("image-rate", "RATE", "images of a camera a simulated second at most (default: all it makes)")
      .option("prefix", "NAME",
              "the same as --save-state NAME.state --state-format base64; with --state-format three.js as --save-scene "
              "NAME.json");
}

void declareSimOptions(CommandLine& line) {
  line.positional("FILE", "a world, or robots, rigid objects and terrains to put together", 1, -1);
  declareSettings(line, SimulationRequest(), declaredElsewhere());
  line.option("duration", "TIME", "simulated time, such as 2 or 500ms (default 10; with --settle 0)")
      .option("end", "TIME", "stop at this simulated time; counts on where a state is continued")
      .option("realtime", "[FACTOR]",
              "keep pace with the clock: so many simulated seconds a second, 1 if left out; results stay the same")
      .option("seed", "N", "seed of all random streams (default 0)")
      .repeatedOption("config", "WHERE",
                      "where the first, second, ... robot starts: numbers 0,90deg,0, a .config file, YAML such as "
                      "{elbow: 90 deg}, or, of several robots, {left: ..., right: ...}")
      .repeatedOption("path", "FILE", "path that the first, second, ... robot follows")
      .repeatedOption("milestones", "FILE",
                      "milestones that the first, second, ... robot moves through, as fast as its limits allow")
      .repeatedOption(
          "controller", "NAME",
          "controller of the first, second, ... robot: a name of `mortise plugins list`, a file of Python such "
          "as damper.py, or with settings {type: damper.py, gain: 2, rate: 500 Hz}")
      .repeatedOption("replay", "FILE",
                      "log of motor commands (LoggingController) that the first, second, ... robot repeats, or {file: "
                      "FILE, remove_delays: 200 ms, only_joint_commands: true}")
      .option("settle", "TIME", "before the run, let everything come to rest, for at most this long")
      .option("state", "FILE",
              "continue from a saved state (default: the one in the world's file, if it has one that fits)")
      .flag("no-state", "start from the world's poses even if its file holds a state");
  declareSimOutputs(line);
  line.flag("view",
            "look at the run in the browser while it goes on, at the pace of the clock, and take part in it: see "
            "docs/viewer.md. Without --duration and --end it goes on until Ctrl-C; with them the summary is printed "
            "then, and the page stays until Ctrl-C")
      .flag("paused", "with --view: begin paused; the page plays")
      .flag("strict", "treat warnings about files as errors")
      .repeatedOption("set", "NAME=VALUE", "set a parameter of the backend, such as iterations=100")
      .componentValues("backend", Kind::physics)
      .values("state-format", {"raw", "base64"})
      .outputsOfFiles()
      .withPlugins()
      .epilog(
          "Ctrl-C, SIGTERM and SIGHUP end the run after the current step: logs are whole, states and worlds are "
          "saved,\n"
          "and the exit code is 128 and the signal's number (130 for Ctrl-C). The options of Klamp't's SimTest and\n"
          "SimUtil work with one dash, too: -config -path -milestones -m -state -init -settle -end -duration -step\n"
          "-log -prefix -format.\n\n"
          "Examples:\n"
          "  mortise sim data/worlds/blocks.xml --backend bullet --duration 2 --json\n"
          "  mortise sim data/worlds/blocks.xml --log run.csv --contact-log contacts.jsonl --log-rate 100\n"
          "  mortise sim data/worlds/blocks.xml --settle 5 --save-world rest.xml\n"
          "  mortise sim data/worlds/watched_blocks.xml --images seen --image-outputs color,points\n"
          "See docs/simulation.md and docs/sensors.md.\n");
  declareServerOptions(line);
  declareCommandOptions(line);
  addResourceOptions(line);
}

/// Finds out from the summary how the run ended, and says what was not meant to be.
void sayHowItEnded(const CommandLine& line, const Simulation& simulation, const InterruptGuard& interrupt,
                   SimRun& run) {
  run.interrupted = run.summary.contains("interrupted");
  run.exitCode = run.interrupted ? interrupt.exitCode() : run.summary.at("status").asString() == "error" ? 1 : 0;
  if (run.summary.contains("fault")) line.log().write(LogLevel::error, "mortise", run.summary.string("fault", ""));
  if (run.interrupted)
    line.log().write(LogLevel::warning, "mortise", "interrupted at t = " + formatReal(simulation.time(), 9) + " s");
}

/// The world with its robots where they start.
World worldOfRun(const CommandLine& line, const SimulationJob& job, FormatLoader& loader) {
  Diagnostics diagnostics;
  diagnostics.setStrict(line.has("strict"));
  World world = assembleWorld(loader, line.positionals(), diagnostics);
  if (!diagnostics.hasErrors()) readConfigurations(line, loader, world, diagnostics);
  const bool ownState = job.useWorldState && !line.has("config") && !world.simulation.stateData.empty();
  if (job.state.empty() && !ownState) warnOfStarts(world, diagnostics);
  printWarnings(line, diagnostics);
  diagnostics.throwIfErrors();
  for (const std::string& notice : inspect::worldNotices(world)) line.log().write(LogLevel::info, "mortise", notice);
  return world;
}

std::optional<SimRun> runSim(const CommandLine& line, SimulationJob job, const SimAdditions& additions) {
  CpuTimer loading;
  auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  const VisualFilesScope looks(&loader, line.log());
  checkOutputs(line, job, loader);
  World world = worldOfRun(line, job, loader);
  if (line.has("lockstep") && setLockstep(world, *registry) == 0)
    throw Error("no robot of this world has a controller that waits for another program", {},
                "name a SerialController in the world; see docs/remote.md");

  SimulationOptions options = simulationOptions(line, *registry, loader, world);
  if (additions.components) additions.components(*registry, world, options);
  job.commands = commandsFrom(line, world);
  options.stopRequested = InterruptGuard::asked();
  SubstitutionRecord said(line.log(), line.has("strict"));
  const std::unique_ptr<Simulation> made = startJob(world, job, said, [&](const World& start) {
    return std::make_unique<Simulation>(start, *registry, &loader, line.log(), options);
  });
  // Until here nothing could be lost, and building a large world may take long.
  const InterruptGuard interrupt;
  Simulation& simulation = *made;
  tryAllCommands(job.commands, world, *registry, loader, options);
  if (line.has("list-commands")) {
    const Value list = listCommands(simulation);
    print(line.json() ? toJson(list) + "\n" : commandListText(list));
    return std::nullopt;
  }
  ChannelTable channels;
  ComponentHost host("recorder", options.seed, simulation.componentLog(), &loader, channels, {}, {});
  // What is counted from the end of settling is known only then.
  const bool settles = job.settle > 0 && !job.commands.empty();
  addLogs(line, *registry, host, simulation,
          settles ? Value() : runOriginValue({line.positionals(), options, job.commands, simulation.time()}, world));
  if (additions.recorders) additions.recorders(*registry, host, simulation);
  const std::unique_ptr<LiveView> live = liveView(line, *registry, simulation, interrupt, job);
  const double loadSeconds = loading.seconds();

  TerminalProgress progress(!line.quiet() && !live);
  SimRun run;
  run.summary = runJob(simulation, job, loader, line.log(), progress,
                       std::filesystem::path(line.positionals()[0]).filename(), interrupt.asked());
  run.summary.set("load_s", loadSeconds);
  if (const Value files = logFiles(line); files.size() > 0) run.summary.set("log_files", files);
  sayHowItEnded(line, simulation, interrupt, run);
  addSubstitutions(said, simulation, run.summary);
  if (const Value warnings = line.warnings(); warnings.size() > 0) run.summary.set("warnings", warnings);
  if (live && !run.interrupted) {
    printRun(line, run);
    run.printed = true;
    live->run().serveAfterEnd(simulation);
  }
  return run;
}

int printRun(const CommandLine& line, const SimRun& run) {
  if (run.printed) return run.exitCode;
  if (line.json())
    print(toJson(run.exitCode == 0
                     ? run.summary
                     : failedResult(run.summary, run.exitCode, run.summary.string("fault", "interrupted"))) +
          "\n");
  else if (!line.quiet())
    print(summaryText(run.summary));
  return run.exitCode;
}

int simCommand(const Arguments& arguments) {
  CommandLine line("mortise sim", "simulate a world; robots hold their configuration unless a path is given");
  declareSimOptions(line);
  if (!line.parse(withSimOptions(arguments))) return 0;
  const std::optional<SimRun> run = runSim(line, simulationJob(line));
  return run ? printRun(line, *run) : 0;
}

}  // namespace mortise::app
