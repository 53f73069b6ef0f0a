#include "mortise/planning/settings/plan_schema.h"

namespace mortise {

namespace {

/// `Target`: a `Schema`, or a stage's declaration.
template <typename Target>
void addSpace(Target& target) {
  target
      .parameter("robot", ParameterType::any,
                 "Name or id of the robot that moves; may be left out when there is one robot only.")
      .parameter("robots", ParameterType::any, "Several robots that move at once, a list of names or ids.")
      .parameter("object", ParameterType::any, "Name or id of a rigid object that moves instead of robots.")
      .parameter("planar", ParameterType::boolean, "The object keeps its height and turns about z only.")
      .parameter("links", ParameterType::any,
                 "The links that may move, by name or index; of several robots `robot/link`, or a map by robot. By "
                 "default all.")
      .parameter("margin", ParameterType::real, "Minimum clearance; by default 0.", {.min = 0, .unit = "m"})
      .parameter("padding", ParameterType::string,
                 "`simulation`: also keep the padding that a simulation puts around bodies; `none` (default): the bare "
                 "surfaces.",
                 {.choices = {"none", "simulation"}})
      .parameter("edges", ParameterType::string,
                 "How edges are checked for collisions: `proven` (default) certifies them as a whole, `resolution` "
                 "checks configurations at a distance of `resolution`.",
                 {.choices = {"proven", "resolution"}})
      .parameter("resolution", ParameterType::real,
                 "Distance between the configurations that are checked on an edge; by default 0.01.", {.min = 1e-6})
      .parameter("weights", ParameterType::any,
                 "Weights of the metric: a number for each coordinate, or a map by link or driver; by default 1.")
      .parameter("ignore", ParameterType::any,
                 "Pairs that may collide, a list of pairs of names or ids; a robot stands for all its links.")
      .parameter("keep", ParameterType::any,
                 "Pose constraints on links along the whole path (closed chains): maps such as {link: hand, rotation: "
                 "[0, 0, 0]}, .ikgoal files, or a list of them.")
      .parameter("keep_tolerance", ParameterType::real, "Tolerance of these constraints (m and rad); by default 1e-4.",
                 {.min = 1e-12, .max = 0.1})
      .parameter(
          "stance", ParameterType::string,
          "File of the contacts that the robot stands on: the contacts are kept, and the robot stays in balance.")
      .parameter("balance_margin", ParameterType::real,
                 "Minimum distance of the center of mass from the edge of the support polygon; by default 0.",
                 {.min = 0, .unit = "m"})
      .parameter("workspace", ParameterType::any,
                 "Box within which an object, or a floating base, is sampled: [[x, y, z], [x, y, z]], lowest and "
                 "highest corner.");
}

template <typename Target>
void addEnds(Target& target) {
  target
      .parameter("start", ParameterType::any,
                 "Start configuration: a list of numbers, a file, the name of a saved motion (its end), or {motion: "
                 "NAME, at: TIME}; a list of these for several. By default the robot's configuration in the world.")
      .parameter("goal", ParameterType::any,
                 "Goal: as `start`, or a map of configuration, ik (pose goals of links), region (bounds by link), "
                 "motion, tolerance. The path ends in any of them.",
                 {.required = true});
}

/// `ends`: whether start and goal are among them.
template <typename Target>
void addPlan(Target& target, bool ends) {
  addSpace(target);
  target
      .parameter("planner", ParameterType::any,
                 "Planner: its name, or a map {type: NAME, settings...}; by default `any`.")
      .parameter("settings", ParameterType::map, "Parameters of the planner.");
  if (ends) addEnds(target);
  target
      .parameter("objective", ParameterType::any,
                 "Cost of a path: length (default), time, or {type: length, weights: ...}.")
      .parameter("time_limit", ParameterType::real,
                 "Stop after this time; by default 10 s, unless iterations are limited.", {.min = 0, .unit = "s"})
      .parameter("iterations", ParameterType::integer, "Stop after this many iterations of the planner.", {.min = 0})
      .parameter("optimize", ParameterType::boolean,
                 "Improve the first path until another condition stops the planner.")
      .parameter(
          "stop", ParameterType::map,
          "When to stop: found_solution, iterations, time_limit, cost, improvement_period (iterations), improvement; "
          "or as Klamp't calls them foundSolution, maxIters, timeLimit, costThreshold, costImprovementPeriod, "
          "costImprovementThreshold.")
      .parameter("seed", ParameterType::integer, "Seed of this plan; by default that of the run.", {.min = 0});
}

}  // namespace

const Schema& planSchema() {
  static const Schema schema = [] {
    Schema s;
    addPlan(s, true);
    return s;
  }();
  return schema;
}

const Schema& planSchemaWithoutEnds() {
  static const Schema schema = [] {
    Schema s;
    addPlan(s, false);
    return s;
  }();
  return schema;
}

const Schema& planSpaceSchema() {
  static const Schema schema = [] {
    Schema s;
    addSpace(s);
    return s;
  }();
  return schema;
}

void declarePlanSettings(ComponentBuilder& stage) { addPlan(stage, true); }
void declarePlanSpaceSettings(ComponentBuilder& stage) { addSpace(stage); }

}  // namespace mortise
