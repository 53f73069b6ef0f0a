#include <chrono>
#include <sstream>

#include "command_line/command_line.h"
#include "command_line/configuration_options.h"
#include "commands.h"
#include "models/robot_input.h"
#include "mortise/base/value_text.h"
#include "mortise/ik/goal_setting.h"
#include "mortise/ik/ik_problem.h"
#include "mortise/inspect/values.h"
#include "mortise/json/json_writer.h"

namespace mortise::app {

int robotIkCommand(const Arguments& arguments) {
  CommandLine line("mortise robot ik", "a configuration in which links are where they shall be");
  declareRobotInput(line);
  line.option("link", "NAME", "the link to place, by name or index")
      .option("pose", "WHERE",
              "where: 12 numbers, the rotation row by row and then the position, in the world; 3 numbers, the position "
              "alone; YAML such as {position: [0.5, 0, 0.4], rpy: [0, 180 deg, 0]}; or a file of one of these")
      .option("seed", "N", "of the random restarts; default 0");
  declareConfiguration(line, "start", "the file's initial one")
      .synonym("q")
      .option("restarts", "N", "tries from random configurations; by default as many as take some 10 ms");
  if (!line.parse(arguments)) return 0;
  if (!line.has("link") || !line.has("pose")) throw UsageError("missing --link NAME and --pose WHERE");
  RobotInput input(line);
  IKProblem problem;
  problem.robot = input.pointer();
  const int link = input.link("link", line.text("link"));
  IKTerm term;
  term.goal = poseGoalFromSetting(configurationOption("pose", line.text("pose")), input.robot(), link, input.loader(),
                                  input.diagnostics());
  problem.terms.push_back(term);
  IKOptions options;
  options.start = input.configuration("start");
  options.seed = static_cast<std::uint64_t>(line.integer("seed", 0));
  options.restarts = static_cast<int>(line.integer("restarts", -1));
  input.finish();

  const auto begin = std::chrono::steady_clock::now();
  IKSolver solver(std::move(problem));
  const IKSolution solution = solver.solve(options);
  if (solver.variables().empty())
    line.log().write(LogLevel::warning, "ik", "no joint that may move changes what the goals ask for");
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (line.json()) {
    Value result = Value::map();
    result.set("solved", solution.solved);
    result.set("q", inspect::list(solution.q));
    result.set("residual", solution.residual);
    result.set("time_s", seconds);
    result.set("restarts", std::int64_t{solution.restarts});
    print(toJson(result) + "\n");
  } else {
    std::ostringstream text;
    text << (solution.solved ? "solved" : "not solved; the nearest that was found") << ", residual "
         << formatReal(solution.residual, 3) << "\n";
    for (int i = 0; i < input.robot().numLinks(); ++i)
      text << "  " << input.robot().link(i).name << " " << formatReal(solution.q[i], 8) << "\n";
    print(text.str());
  }
  return solution.solved ? 0 : 1;
}

}  // namespace mortise::app
