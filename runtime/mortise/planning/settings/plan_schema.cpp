#include "mortise/planning/settings/plan_schema.h"

namespace mortise {

void PlanSpaceSettings::bind(SettingBinder& b) {
  b.add("robot", robot, "Name or id of the robot that moves; may be left out when there is one robot only.");
  b.add("robots", robots, "Several robots that move at once, a list of names or ids.");
  b.add("object", object, "Name or id of a rigid object that moves instead of robots.");
  b.add("planar", planar, "The object keeps its height and turns about z only.");
  b.add("links", links,
        "The links that may move, by name or index; of several robots `robot/link`, or a map by robot. By "
        "default all.");
  b.add("margin", margin, "Minimum clearance; by default 0.", {.min = 0, .unit = "m"});
  b.choice("padding", padding, {{"none", Padding::none}, {"simulation", Padding::simulation}},
           "`simulation`: also keep the padding that a simulation puts around bodies; `none` (default): the bare "
           "surfaces.");
  using Method = EdgeCheckOptions::Method;
  b.choice("edges", edges, {{"proven", Method::proven}, {"resolution", Method::resolution}},
           "How edges are checked for collisions: `proven` (default) certifies them as a whole, `resolution` "
           "checks configurations at a distance of `resolution`.");
  b.add("resolution", resolution, "Distance between the configurations that are checked on an edge; by default 0.01.",
        {.min = 1e-6});
  b.add("weights", weights,
        "Weights of the metric: a number for each coordinate, or a map by link or driver; by default 1.");
  b.add("ignore", ignore, "Pairs that may collide, a list of pairs of names or ids; a robot stands for all its links.");
  b.add("keep", keep,
        "Pose constraints on links along the whole path (closed chains): maps such as {link: hand, rotation: "
        "[0, 0, 0]}, .ikgoal files, or a list of them.");
  b.add("keep_tolerance", keepTolerance, "Tolerance of these constraints (m and rad); by default 1e-4.",
        {.min = 1e-12, .max = 0.1});
  b.add("stance", stance,
        "File of the contacts that the robot stands on: the contacts are kept, and the robot stays in balance.");
  b.add("balance_margin", balanceMargin,
        "Minimum distance of the center of mass from the edge of the support polygon; by default 0.",
        {.min = 0, .unit = "m"});
  b.add("workspace", workspace,
        "Box within which an object, or a floating base, is sampled: [[x, y, z], [x, y, z]], lowest and "
        "highest corner.");
}

void StopSettings::bind(SettingBinder& b) {
  b.add("found_solution", foundSolution, "At the first path.", {.aliases = {"foundSolution"}});
  b.add("iterations", iterations, "After this many iterations.", {.min = 0, .aliases = {"maxIters"}});
  b.add("time_limit", timeLimit, "After this time.", {.min = 0, .unit = "s", .aliases = {"timeLimit"}});
  b.add("cost", cost, "At a path that costs no more.", {.min = 0, .aliases = {"costThreshold"}});
  b.add("improvement_period", improvementPeriod, "Compare the cost every this many iterations.",
        {.min = 0, .aliases = {"costImprovementPeriod"}});
  b.add("improvement", improvement, "Stop when the cost has decreased by less than this since.",
        {.min = 0, .aliases = {"costImprovementThreshold"}});
}

void PlanSettings::bind(SettingBinder& b) {
  PlanSpaceSettings::bind(b);
  b.add("planner", planner, "Planner: its name, or a map {type: NAME, settings...}; by default `any`.");
  b.map("settings", settings, "Parameters of the planner.");
  if (ends) {
    b.add("start", start,
          "Start configuration: a list of numbers, a file, the name of a saved motion (its end), or {motion: "
          "NAME, at: TIME}; a list of these for several. By default the robot's configuration in the world.");
    b.add("goal", goal,
          "Goal: as `start`, or a map of configuration, ik (goals of inverse kinematics: {link, position, ...}, "
          "{com}, {joints}, {look_at, link}, {distance, link}, a file, or a list of these), near: start, region "
          "(bounds by link), motion, tolerance. The path ends in any of them.",
          {.required = true});
  }
  b.add("objective", objective, "Cost of a path: length (default), time, or {type: length, weights: ...}.");
  b.add("time_limit", timeLimit, "Stop after this time; by default 10 s, unless iterations are limited.",
        {.min = 0, .unit = "s"});
  b.add("iterations", iterations, "Stop after this many iterations of the planner.", {.min = 0});
  b.add("optimize", optimize, "Improve the first path until another condition stops the planner.");
  b.add("stop", stop,
        "When to stop: found_solution, iterations, time_limit, cost, improvement_period (iterations), improvement; "
        "or as Klamp't calls them foundSolution, maxIters, timeLimit, costThreshold, costImprovementPeriod, "
        "costImprovementThreshold.");
  b.add("seed", seed, "Seed of this plan; by default that of the run.", {.min = 0});
}

void PlannerEntry::bind(SettingBinder& b) {
  b.add("type", type, "Which planner.", {.aliases = {"name"}});
  b.others(settings);
}

void ObjectiveEntry::bind(SettingBinder& b) {
  b.add("type", type, "length or time.");
  b.add("weights", weights, "Of the length: a number for each coordinate, or a map by link or driver.");
}

void PathObjectiveSettings::bind(SettingBinder& b) {
  b.add("objective", objective, "Cost of a path; by default that of the plan.");
}

void PlanProblemSettings::bind(SettingBinder& b) {
  PlanSpaceSettings::bind(b);
  PathObjectiveSettings::bind(b);
}

const Schema& planSchema() {
  static const Schema schema = schemaOf<PlanSettings>();
  return schema;
}

const Schema& planSchemaWithoutEnds() {
  static const Schema schema = [] {
    PlanSettings settings;
    settings.ends = false;
    return schemaOf(settings);
  }();
  return schema;
}

const Schema& planSpaceSchema() {
  static const Schema schema = schemaOf<PlanSpaceSettings>();
  return schema;
}

}  // namespace mortise
