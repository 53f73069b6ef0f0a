#include "klampt/dragged_goals.h"

#include "logs/live_view.h"
#include "mortise/simulation/context/simulation_options.h"
#include "simulation/sim_run.h"

namespace mortise::app {

void declareDragging(CommandLine& line) {
  declareViewOptions(line, "simulate the robot, and drag its goals in the browser while it moves");
  line.flag("paused", "with --view: begin paused; the page plays");
}

int dragGoals(const CommandLine& line, const std::vector<std::string>& files, int robot, const Value& settings,
              const std::vector<std::string>& without) {
  for (const std::string& option : without)
    if (line.has(option))
      throw UsageError("--" + option + " does not go with --view: goals are dragged in the page, and `mortise sim " +
                       "--mcap` records");
  Arguments arguments = files;
  arguments.insert(arguments.end(), {"--view", "--seed", std::to_string(line.seed())});
  for (const char* flag : {"no-browser", "paused", "json", "quiet", "verbose"})
    if (line.has(flag)) arguments.push_back("--" + std::string(flag));
  for (const char* option : {"port", "allow-host", "package", "plugin", "plugin-path"})
    for (const std::string& text : line.texts(option))
      arguments.insert(arguments.end(), {"--" + std::string(option), text});
  CommandLine sim("mortise sim", "simulate a world");
  declareSimOptions(sim);
  if (!sim.parse(arguments)) return 0;
  SimAdditions additions;
  additions.components = [&](const Registry&, const World&, SimulationOptions& options) {
    ComponentOptions controller;
    controller.robot = robot;
    controller.type = "RealTimePlanningController";
    controller.settings = settings;
    options.components.push_back(std::move(controller));
  };
  const std::optional<SimRun> run = runSim(sim, simulationJob(sim), additions);
  return run ? printRun(sim, *run) : 0;
}

}  // namespace mortise::app
