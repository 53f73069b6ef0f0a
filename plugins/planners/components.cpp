#include "components.h"

#include "fmm.h"
#include "mortise/math/constants.h"
#include "roadmap_planner.h"
#include "rrt.h"
#include "rrt_star.h"
#include "tree_roadmap.h"

namespace mortise::planners {

namespace {

/// Returns what all roadmaps take from the settings.
RoadmapOptions roadmapOptions(const PlannerSettings& settings) {
  RoadmapOptions options;
  options.sameComponent = settings.ignoreConnectedComponents;
  options.bidirectional = settings.bidirectional;
  options.knn = settings.knn;
  options.connectionThreshold = settings.connectionThreshold.value_or(kInfinity);
  options.suboptimalityFactor = settings.suboptimalityFactor;
  options.location = settings.location;
  return options;
}

TreeRoadmapOptions treeOptions(const PlannerSettings& settings) {
  TreeRoadmapOptions options;
  options.useGrid = settings.useGrid;
  options.radius = settings.perturbationRadius.value_or(0);
  options.tries = settings.perturbationIters;
  options.connectionThreshold = settings.connectionThreshold.value_or(kInfinity);
  options.gridResolution = settings.gridResolution.value_or(0);
  options.randomizeFrequency = settings.randomizeFrequency;
  return options;
}

}  // namespace

std::unique_ptr<RoundPlanner> makePlanner(Algorithm algorithm, const PlannerSettings& settings) {
  RoadmapOptions roadmap = roadmapOptions(settings);
  TreeRoadmapOptions trees = treeOptions(settings);
  switch (algorithm) {
    case Algorithm::any:
      return std::make_unique<Rrt>(RrtOptions{});
    case Algorithm::rrt:
      return std::make_unique<Rrt>(RrtOptions{.step = settings.perturbationRadius.value_or(0),
                                              .connectionThreshold = settings.connectionThreshold.value_or(kInfinity),
                                              .bidirectional = settings.bidirectional,
                                              .location = settings.location});
    case Algorithm::rrtStar:
      return std::make_unique<RrtStar>(
          RrtStarOptions{.step = settings.perturbationRadius.value_or(0),
                         .connectionThreshold = settings.connectionThreshold.value_or(kInfinity),
                         .suboptimalityFactor = settings.suboptimalityFactor,
                         .bidirectional = settings.bidirectional,
                         .location = settings.location});
    case Algorithm::prm:
      return std::make_unique<RoadmapPlanner>(roadmap);
    case Algorithm::lazyPrm:
      roadmap.lazy = true;
      return std::make_unique<RoadmapPlanner>(roadmap);
    case Algorithm::prmStar:
      roadmap.optimize = true;
      return std::make_unique<RoadmapPlanner>(roadmap);
    case Algorithm::lazyPrmStar:
      roadmap.optimize = roadmap.lazy = true;
      return std::make_unique<RoadmapPlanner>(roadmap);
    case Algorithm::lazyRrgStar:
      roadmap.optimize = roadmap.lazy = roadmap.grow = true;
      return std::make_unique<RoadmapPlanner>(roadmap);
    case Algorithm::sbl:
      return std::make_unique<TreeRoadmap>(trees);
    case Algorithm::sblPrt:
      trees.seeds = true;
      return std::make_unique<TreeRoadmap>(trees);
    case Algorithm::est:
      trees.lazy = false;
      return std::make_unique<TreeRoadmap>(trees);
    case Algorithm::perturbation:
      trees.lazy = trees.useGrid = false;
      return std::make_unique<TreeRoadmap>(trees);
    case Algorithm::fmm:
      return std::make_unique<Fmm>(FmmOptions{.gridResolution = settings.gridResolution.value_or(0), .refine = false});
    case Algorithm::fmmStar:
      return std::make_unique<Fmm>(FmmOptions{.gridResolution = settings.gridResolution.value_or(0), .refine = true});
  }
  return nullptr;
}

RestartOptions restartOptions(Algorithm algorithm, const PlannerSettings& settings) {
  RestartOptions options;
  options.shortcut = settings.shortcut;
  options.restart = settings.restart;
  options.run.iterations = 1000;
  if (settings.restartTermCond) options.run = *settings.restartTermCond;
  if (algorithm == Algorithm::any) {
    options.shortcut = options.restart = options.moreEachTime = true;
    options.run = {};
    options.run.iterations = 2000;
    options.shortcuts = 300;
  }
  return options;
}

}  // namespace mortise::planners
