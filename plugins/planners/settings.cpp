#include "settings.h"

#include <cmath>
#include <sstream>
#include <string>

#include "mortise/base/error.h"
#include "mortise/settings/klampt_text.h"

namespace mortise::planners {

namespace {

PointLocation readPointLocation(const Value& value) {
  PointLocation location;
  std::istringstream words(value.asString());
  std::string kind, rest;
  words >> kind;
  const auto wrong = [&](const std::string& what) {
    return Error("point_location '" + value.asString() + "': " + what, value.position(),
                 "write kdtree, balltree, linear, random or \"randombest 10\"");
  };
  if (kind.empty() || kind == "kdtree" || kind == "balltree") {
    // The space decides which of the two; weights are the metric's.
  } else if (kind == "linear") {
    location.kind = PointLocation::Kind::linear;
  } else if (kind == "random") {
    location.kind = PointLocation::Kind::random;
  } else if (kind == "randombest") {
    location.kind = PointLocation::Kind::randomBest;
    if (!(words >> location.tries) || location.tries < 1) throw wrong("how many random ones is missing");
  } else {
    throw wrong("there is no such method");
  }
  if (kind != "kdtree" && words >> rest) throw wrong("'" + rest + "' is too much");
  return location;
}

}  // namespace

StopConditions readRunConditions(const Value& value) {
  const auto wrong = [&](const std::string& what, const std::string& hint) {
    return Error("restart_term_cond: " + what, value.position(), hint);
  };
  constexpr const char* kExample = "write {foundSolution: true, maxIters: 1000}";
  Value map = value;
  if (value.isString()) try {
      map = parseKlamptText(value);
    } catch (const Error& error) {
      throw wrong(error.message(), kExample);
    }
  if (!map.isMap()) throw wrong("a map is needed", kExample);
  StopConditions conditions;
  for (const Value::Entry& entry : map.entries()) {
    if (entry.value.isNull()) throw wrong("'" + entry.key + "' has no value", kExample);
    const auto number = [&] {
      const double x = entry.value.asReal();
      if (std::isnan(x) || x < 0)
        throw wrong(entry.key + " must be at least 0, not " + entry.value.text(), "give a number of at least 0");
      return x;
    };
    const auto count = [&] {
      const double x = number();
      constexpr double kMaximum = 9e15;
      return x < kMaximum ? static_cast<std::int64_t>(x) : std::numeric_limits<std::int64_t>::max();
    };
    if (entry.key == "foundSolution") {
      conditions.foundSolution = entry.value.isBool() ? entry.value.asBool() : number() != 0;
    } else if (entry.key == "maxIters") {
      conditions.iterations = count();
      if (conditions.iterations < 1) throw wrong("maxIters must be at least 1", "leave it out for no limit");
    } else if (entry.key == "costThreshold") {
      conditions.cost = number();
    } else if (entry.key == "costImprovementThreshold") {
      conditions.improvement = number();
    } else if (entry.key == "costImprovementPeriod") {
      conditions.improvementPeriod = count();
      if (conditions.improvementPeriod == std::numeric_limits<std::int64_t>::max()) conditions.improvementPeriod = 0;
    } else if (entry.key == "timeLimit") {
      // Runs that end by the clock could not be repeated.
      if (std::isfinite(number()))
        throw wrong("timeLimit cannot limit the runs between restarts: they could not be repeated",
                    "limit them by maxIters, and the whole plan by time");
    } else {
      throw wrong("there is no '" + entry.key + "'",
                  "there are foundSolution, maxIters, costThreshold, costImprovementPeriod (in rounds), "
                  "costImprovementThreshold");
    }
  }
  const bool ends = conditions.foundSolution || conditions.cost > 0 || conditions.improvementPeriod > 0 ||
                    conditions.iterations < std::numeric_limits<std::int64_t>::max();
  if (!ends) throw wrong("no run would ever end", "give maxIters");
  return conditions;
}

bool PlannerSettings::isTree() const {
  return algorithm == Algorithm::sbl || algorithm == Algorithm::sblPrt || algorithm == Algorithm::est ||
         algorithm == Algorithm::perturbation;
}

void PlannerSettings::bindRadius(SettingBinder& b) {
  const char* meaning =
      "Maximum length of an edge of the trees, in the space's metric; absent: a quarter of the space's "
      "extent.";
  if (isTree())
    meaning =
        "Children of a node are within this distance of it, in the space's metric; absent: a tenth of the space's "
        "extent.";
  b.add("perturbation_radius", perturbationRadius, meaning, {.min = 1e-9, .aliases = {"perturbationRadius"}});
}

void PlannerSettings::bindTrees(SettingBinder& b) {
  bindRadius(b);
  b.add("perturbation_iters", perturbationIters,
        "Tries for a child of a node, the i-th within perturbation_radius / i.",
        {.min = 1, .max = 1e6, .aliases = {"perturbationIters"}});
  b.add("connection_threshold", connectionThreshold,
        "Maximum length of an edge between two nodes that is tried, in the space's metric; absent: unlimited.",
        {.min = 1e-9, .aliases = {"connectionThreshold"}, .infinite = true});
  if (algorithm != Algorithm::perturbation) {
    b.add("use_grid", useGrid,
          "Nodes are picked by cells of a grid, evenly over where a tree is; false: evenly over its nodes.",
          {.aliases = {"useGrid", "grid"}});
    b.add("grid_resolution", gridResolution,
          "Size of those cells in each coordinate; absent: a tenth of the coordinate's range.",
          {.min = 1e-9, .aliases = {"gridResolution"}});
    b.add("randomize_frequency", randomizeFrequency,
          "After so many rounds the grid is laid over other coordinates, three at random.",
          {.min = 1, .max = 1e9, .aliases = {"randomizeFrequency"}});
  }
}

/// `bidirectional` of those that have it: what it means.
const char* bidirectionalMeaning(Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::rrt:
      return "Trees from both ends; false: from the starts only.";
    case Algorithm::rrtStar:
      return "The first path comes from two trees, as that of rrt; false: from the one tree.";
    case Algorithm::lazyRrgStar:
      return "The graph also grows from the goals; false: from the starts only.";
    default:
      return nullptr;
  }
}

void PlannerSettings::bindRoadmap(SettingBinder& b) {
  const bool fewNearest = algorithm == Algorithm::prm || algorithm == Algorithm::lazyPrm;
  const bool improves =
      algorithm == Algorithm::rrtStar || algorithm == Algorithm::lazyPrmStar || algorithm == Algorithm::lazyRrgStar;
  if (algorithm == Algorithm::rrt || algorithm == Algorithm::rrtStar) bindRadius(b);
  if (const char* meaning = bidirectionalMeaning(algorithm)) b.add("bidirectional", bidirectional, meaning);
  if (fewNearest)
    b.add("knn", knn,
          "A new configuration is connected with so many nearest ones; 0: with all within connection_threshold.",
          {.min = 0, .max = 1e6});
  b.add("connection_threshold", connectionThreshold,
        "Maximum length of an edge between two nodes that is tried, in the space's metric; absent: unlimited.",
        {.min = 1e-9, .aliases = {"connectionThreshold"}, .infinite = true});
  if (improves)
    b.add(
        "suboptimality_factor", suboptimalityFactor,
        "Only paths that are better than the best one by more than this factor are searched for: cost * (1 + factor) < "
        "best. 0: all better ones.",
        {.min = 0, .aliases = {"suboptimalityFactor"}});
  if (algorithm == Algorithm::prm)
    b.add("ignore_connected_components", ignoreConnectedComponents,
          "Also connects what is connected already, and goes on improving; false: only what is not, and it ends at its "
          "first path.",
          {.aliases = {"ignoreConnectedComponents"}});
  b.add("point_location", location,
        "How neighbors are found: kdtree or balltree (exact; the metric decides which of the two), linear, random, "
        "\"randombest K\" (the nearest of K random ones); empty: exact.",
        {.aliases = {"pointLocation"}});
  if (algorithm == Algorithm::prm)
    b.add("store_edges", storeEdges, "Accepted from Klamp't's settings; of edges, only their ends are ever kept.",
          {.aliases = {"storeEdges"}});
}

void PlannerSettings::bindRestarts(SettingBinder& b) {
  b.add("shortcut", shortcut, "After the first path: makes it shorter until stopped.");
  b.add("restart", restart, "After each path, or when restart_term_cond is met: plans anew, and keeps the best path.");
  b.add("restart_term_cond", restartTermCond,
        "When a run between restarts ends: a map, or Klamp't's text {foundSolution:1;maxIters:1000}, which is the "
        "default. With shortcut, what is left of maxIters goes to shortcuts.",
        {.aliases = {"restartTermCond"}});
}

void PlannerSettings::bind(SettingBinder& b) {
  switch (algorithm) {
    case Algorithm::any:
      return;
    case Algorithm::fmm:
      b.add("grid_resolution", gridResolution,
            "Length of a step of the grid in each coordinate; absent: about 20,000 nodes, 8 to 128 steps along each.",
            {.min = 1e-9, .aliases = {"gridResolution"}});
      b.add("shortcut", shortcut, "After the path: makes it shorter until stopped.");
      return;
    case Algorithm::fmmStar:
      b.add("grid_resolution", gridResolution,
            "Length of a step of the first grid in each coordinate; absent: 8 steps along each.",
            {.min = 1e-9, .aliases = {"gridResolution"}});
      return;
    case Algorithm::rrt:
    case Algorithm::prm:
    case Algorithm::lazyPrm:
      bindRoadmap(b);
      return bindRestarts(b);
    case Algorithm::rrtStar:
    case Algorithm::prmStar:
    case Algorithm::lazyPrmStar:
    case Algorithm::lazyRrgStar:
      return bindRoadmap(b);
    case Algorithm::sbl:
    case Algorithm::sblPrt:
    case Algorithm::est:
    case Algorithm::perturbation:
      bindTrees(b);
      return bindRestarts(b);
  }
}

void PlannerSettings::check() const {
  if (restartTermCond && !restart)
    throw Error("restart_term_cond says when a run is restarted, but restart is off",
                settingPosition("restart_term_cond"), "set restart: true, or leave restart_term_cond out");
  if (!useGrid && gridResolution)
    throw Error("grid_resolution is given, but use_grid is off", settingPosition("grid_resolution"),
                "leave one of the two out");
}

}  // namespace mortise::planners

namespace mortise {

using planners::PointLocation;

Value SettingType<PointLocation>::value(const PointLocation& location) {
  switch (location.kind) {
    case PointLocation::Kind::linear:
      return "linear";
    case PointLocation::Kind::random:
      return "random";
    case PointLocation::Kind::randomBest:
      return "randombest " + std::to_string(location.tries);
    default:
      return "";
  }
}

PointLocation SettingType<PointLocation>::from(const Value& value, std::string_view) {
  return planners::readPointLocation(value);
}

}  // namespace mortise
