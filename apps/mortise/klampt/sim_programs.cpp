#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>

#include "command_line/command_line.h"
#include "command_line/failure.h"
#include "command_line/resource_options.h"
#include "klampt/programs.h"
#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/inspect/motion_info.h"
#include "mortise/json/json_writer.h"
#include "mortise/loading/format_loader.h"
#include "simulation/sim_run.h"

namespace mortise::app {

namespace {

/// SimTest runs until its window is closed. Without one: until a second after the longest motion.
double simTestDuration(const CommandLine& line) {
  constexpr double kRest = 1, kWithoutMotion = 10;
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  double longest = 0;
  for (const std::string& file : line.texts("path")) {
    Diagnostics unread;  // The run itself reads the file again, and tells.
    const auto path = loader.load<Trajectory>(file, {}, unread);
    unread.throwIfErrors();
    if (!path.times.empty()) longest = std::max(longest, path.times.back());
  }
  return line.has("path") ? longest + kRest : kWithoutMotion;
}

/// SimUtil's options have one dash; -m and -l keep their order.
Arguments withSimUtilOptions(Arguments arguments) {
  static const std::pair<const char*, const char*> kNames[] = {
      {"-init", "--init"}, {"-settle", "--settle"}, {"-end", "--end"},       {"-duration", "--duration"},
      {"-m", "--motion"},  {"-l", "--motion"},      {"-prefix", "--prefix"}, {"-log", "--log"},
      {"-step", "--step"}, {"-format", "--format"}};
  for (std::string& argument : arguments)
    for (const auto& [theirs, ours] : kNames)
      if (argument == theirs) {
        argument = ours;
        break;
      }
  return arguments;
}

void declareSimUtilOptions(CommandLine& line) {
  line.positional("FILE", "a world, or robots, rigid objects and terrains to put together", 1, -1)
      .repeatedOption("init", "FILE", "(-init) start from this state; given several times, once from each")
      .repeatedOption("motion", "FILE",
                      "(-m, -l) milestones that the robot moves through, or a .log of motor commands that it repeats; "
                      "given several times, once with each, from each state")
      .option("settle", "TIME", "(-settle) let everything come to rest first, for at most this long (default 0)")
      .option("end", "TIME", "(-end) stop at this simulated time (default: never)")
      .option("duration", "TIME", "(-duration) simulated time of each run (default 10)")
      .option("step", "TIME", "(-step) physics time step (default: the world's, else 1ms)")
      .option("prefix", "NAME",
              "(-prefix) states go to NAME.state, or NAME0000.state, NAME_0000_0000.state (default trial)")
      .option("format", "FORMAT",
              "(-format) of the states: base64 (default), raw or none; or three.js: scenes NAME.json instead")
      .option("log", "FILE",
              "(-log) write robots, objects and sensors to this file, a row a step; numbered as states are")
      .option("backend", "NAME", "physics backend (default: what the world names, else mortise)")
      .option("seed", "N", "seed of all random streams (default 0)")
      .flag("strict", "treat warnings about files as errors")
      .repeatedOption("set", "NAME=VALUE", "set a parameter of the backend, such as iterations=100")
      .componentValues("backend", Kind::physics)
      .values("format", {"raw", "base64", "none", "three.js"})
      .withPlugins()
      .epilog(
          "Takes Klamp't's options, in its spelling in brackets. A run for each state and each motion; the state at "
          "the\n"
          "end of each is written. In replayed logs, delays are cut to 200 ms and only positions, velocities and "
          "torques "
          "count,\nas in Klamp't. `mortise sim` has more options, for one run.\n");
  addResourceOptions(line);
}

/// One run: which state it starts from and which motion it follows; -1: none was given.
struct Trial {
  int state = -1;
  int motion = -1;
};

std::string numbered(int number) {
  char text[16];
  std::snprintf(text, sizeof text, "%04d", number);
  return text;
}

/// Returns what Klamp't puts behind the prefix.
std::string trialSuffix(const Trial& trial, std::size_t states, std::size_t motions) {
  if (motions <= 1) return states <= 1 ? "" : numbered(trial.state);
  if (states <= 1) return numbered(trial.motion);
  return "_" + numbered(trial.state) + "_" + numbered(trial.motion);
}

std::string withSuffix(const std::string& file, const std::string& suffix) {
  const std::filesystem::path path(file);
  return (path.parent_path() / (path.stem().string() + suffix + path.extension().string())).string();
}

/// Returns what Klamp't makes of a command log.
std::string klamptReplay(const std::string& file) {
  Value replay = Value::map();
  replay.set("file", file);
  replay.set("remove_delays", 0.2);
  replay.set("only_joint_commands", true);
  return toJson(replay, -1);
}

/// Klamp't scales velocities down, so its programs do, too, unless they are told otherwise.
Arguments withScaling(Arguments arguments) {
  const bool given = std::any_of(arguments.begin(), arguments.end(),
                                 [](const std::string& argument) { return argument.starts_with("--on-unstable"); });
  if (!given) arguments.insert(arguments.begin(), "--on-unstable=scale");
  return arguments;
}

/// The run as `mortise sim` is asked for it.
Arguments simArguments(const CommandLine& line, const Trial& trial, const std::string& suffix) {
  Arguments sim = line.positionals();
  const auto add = [&](const std::string& option, const std::string& value) {
    sim.push_back("--" + option);
    sim.push_back(value);
  };
  for (const char* option : {"settle", "step", "backend", "seed"})
    if (line.has(option)) add(option, line.text(option));
  for (const char* option : {"set", "plugin", "plugin-path", "package"})
    for (const std::string& value : line.texts(option)) add(option, value);
  for (const char* flag : {"strict", "quiet", "verbose", "json"})
    if (line.has(flag)) sim.push_back(std::string("--") + flag);
  add("on-unstable", "scale");  // As Klamp't does.
  add("duration", line.text("duration", "10"));
  if (line.has("end") && std::isfinite(line.quantity("end", "s", 0))) add("end", line.text("end"));
  if (trial.state >= 0) add("state", line.texts("init")[static_cast<std::size_t>(trial.state)]);
  if (trial.motion >= 0) {
    const std::string file = line.texts("motion")[static_cast<std::size_t>(trial.motion)];
    if (file.ends_with(".log"))
      add("replay", klamptReplay(file));
    else
      add("milestones", file);
  }
  if (line.has("log")) add("log", withSuffix(line.text("log"), suffix));
  const std::string format = line.text("format", "base64");
  if (format == "three.js") {
    add("save-scene", line.text("prefix", "trial") + suffix + ".json");
  } else if (format != "none") {
    add("save-state", line.text("prefix", "trial") + suffix + ".state");
    add("state-format", format);
  }
  return sim;
}

}  // namespace

int simTestCommand(const Arguments& arguments) {
  CommandLine line("mortise SimTest", "simulate a world as Klamp't's SimTest, without its window");
  declareSimOptions(line);
  if (!line.parse(arguments.empty() ? Arguments{"--help"} : withScaling(withSimOptions(arguments)))) return 0;
  SimulationJob job = simulationJob(line);
  if (!line.has("duration") && !line.has("end") && !line.has("settle")) job.duration = simTestDuration(line);
  line.log().write(LogLevel::info, "SimTest",
                   "there is no window here: simulating " + formatReal(job.duration, 6) +
                       " s at most; --duration asks for another time, --log and --images show what happens");
  const std::optional<SimRun> run = runSim(line, std::move(job));
  return run ? printRun(line, *run) : 0;
}

int simUtilCommand(const Arguments& arguments) {
  CommandLine line("mortise SimUtil", "simulate a world from several states and with several motions");
  declareSimUtilOptions(line);
  if (!line.parse(arguments.empty() ? Arguments{"--help"} : withSimUtilOptions(arguments))) return 0;
  const std::string format = line.text("format", "base64");
  if (format != "raw" && format != "base64" && format != "none" && format != "three.js")
    throw UsageError("-format is raw, base64, none or three.js, not '" + format + "'");
  const int states = static_cast<int>(line.texts("init").size()),
            motions = static_cast<int>(line.texts("motion").size());
  Value summaries = Value::list();
  int exitCode = 0;
  bool interrupted = false;
  for (int s = 0; s < std::max(states, 1) && !interrupted; ++s)
    for (int m = 0; m < std::max(motions, 1) && !interrupted; ++m) {
      const Trial trial = {states > 0 ? s : -1, motions > 0 ? m : -1};
      CommandLine sim("mortise SimUtil", "");
      declareSimOptions(sim);
      sim.parse(simArguments(line, trial, trialSuffix(trial, line.texts("init").size(), line.texts("motion").size())));
      std::optional<SimRun> run = runSim(sim, simulationJob(sim));
      interrupted = run->interrupted;
      if (exitCode == 0 || interrupted) exitCode = run->exitCode;
      if (!line.json()) printRun(sim, *run);
      if (states > 0) run->summary.set("init", line.texts("init")[static_cast<std::size_t>(s)]);
      if (motions > 0) run->summary.set("motion", line.texts("motion")[static_cast<std::size_t>(m)]);
      summaries.push_back(std::move(run->summary));
    }
  if (line.json()) {
    Value result = Value::map();
    result.set("runs", std::move(summaries));
    print(toJson(exitCode == 0 ? result : failedResult(result, exitCode, "a run failed")) + "\n");
  }
  return exitCode;
}

}  // namespace mortise::app
