#include "mortise/plugin/plugin.h"

#include "components.h"
#include "documentation.h"

namespace {

using mortise::ComponentBuilder;
using mortise::ParameterType;
using mortise::planners::Algorithm;
using mortise::planners::Component;

void addRadius(ComponentBuilder planner, const char* summary) {
  planner.parameter("perturbationRadius", ParameterType::real, summary, {.min = 1e-9});
}

void addThreshold(ComponentBuilder planner) {
  planner.parameter("connectionThreshold", ParameterType::real,
                    "No way between two nodes is tried that is longer than this, in the space's metric; absent: any.",
                    {.min = 1e-9});
}

void addLocation(ComponentBuilder planner) {
  planner.parameter(
      "pointLocation", "",
      "How neighbours are found: kdtree or balltree (exact; the metric decides which of the two), linear, "
      "random, \"randombest K\" (the nearest of K random ones); empty: exact.");
}

void addRestarts(ComponentBuilder planner) {
  planner.parameter("shortcut", false, "After the first path: makes it shorter until stopped.")
      .parameter("restart", false,
                 "After each path, or when restartTermCond is met: plans anew, and keeps the best path.")
      .parameter("restartTermCond", ParameterType::any,
                 "When a run between restarts ends: a map, or Klamp't's text {foundSolution:1;maxIters:1000}, which is "
                 "the default. With shortcut, what is left of maxIters goes to shortcuts.");
}

void addBidirectional(ComponentBuilder planner, const char* summary) {
  planner.parameter("bidirectional", true, summary);
}

void addSuboptimality(ComponentBuilder planner) {
  planner.parameter("suboptimalityFactor", 0.0,
                    "Only paths are looked for that are better than the best one by more than this factor: cost * (1 + "
                    "factor) < best. 0: all better ones.",
                    {.min = 0});
}

void addNeighbors(ComponentBuilder planner) {
  planner.parameter("knn", 10,
                    "A new configuration is connected with so many nearest ones; 0: with all within "
                    "connectionThreshold.",
                    {.min = 0, .max = 1e6});
}

void addStoredEdges(ComponentBuilder planner) {
  planner.parameter("storeEdges", false, "Accepted from Klamp't's settings; of ways, only their ends are ever kept.");
}

void addTries(ComponentBuilder planner) {
  planner.parameter("perturbationIters", 5, "Tries for a child of a node, the i-th within perturbationRadius / i.",
                    {.min = 1, .max = 1e6});
}

void addGrid(ComponentBuilder planner) {
  planner
      .parameter("useGrid", true,
                 "Nodes are picked by cells of a grid, evenly over where a tree is; false: evenly over its nodes.",
                 {.aliases = {"grid"}})
      .parameter("gridResolution", ParameterType::real,
                 "Size of those cells in each coordinate; absent: a tenth of the coordinate's range.", {.min = 1e-9})
      .parameter("randomizeFrequency", 50,
                 "After so many rounds the grid is laid over other coordinates, three at random.",
                 {.min = 1, .max = 1e9});
}

constexpr const char* kRadius =
    "Children of a node are within this distance of it, in the space's metric; absent: a tenth of the space's extent.";

}  // namespace

MORTISE_PLUGIN("mortise_planners", "0.1.0") {
  namespace pages = mortise::planners;
  plugin.planner<Component<Algorithm::any>>("mortise.Any")
      .alias("any")
      .summary("A fast first path; asked to go on, shortcuts and restarts. The default.")
      .documentation(pages::kAnyPage);

  ComponentBuilder rrt = plugin.planner<Component<Algorithm::rrt>>("mortise.RRT")
                             .alias("rrt")
                             .summary("Rapidly-exploring random trees from start and goal (RRT-Connect).")
                             .documentation(pages::kRrtPage);
  addRadius(rrt, "No way of the trees is longer, in the space's metric; absent: a quarter of the space's extent.");
  addBidirectional(rrt, "Trees from both ends; false: from the starts only.");
  addThreshold(rrt);
  addLocation(rrt);
  addRestarts(rrt);

  ComponentBuilder rrtStar = plugin.planner<Component<Algorithm::rrtStar>>("mortise.RRTStar")
                                 .alias("rrt*")
                                 .summary("RRT*: a tree that goes on improving, with nearest ways and rewiring.")
                                 .documentation(pages::kRrtStarPage);
  addRadius(rrtStar, "No way of the tree is longer, in the space's metric; absent: a quarter of the space's extent.");
  addBidirectional(rrtStar, "The first path comes from two trees, as that of rrt; false: from the one tree.");
  addThreshold(rrtStar);
  addSuboptimality(rrtStar);
  addLocation(rrtStar);

  ComponentBuilder prm = plugin.planner<Component<Algorithm::prm>>("mortise.PRM")
                             .alias("prm")
                             .summary("Probabilistic roadmap: random configurations, connected with their nearest.")
                             .documentation(pages::kPrmPage);
  addNeighbors(prm);
  addThreshold(prm);
  prm.parameter(
      "ignoreConnectedComponents", false,
      "Also connects what is connected already, and goes on improving; false: only what is not, and it ends at "
      "its first path.");
  addLocation(prm);
  addStoredEdges(prm);
  addRestarts(prm);

  ComponentBuilder prmStar = plugin.planner<Component<Algorithm::prmStar>>("mortise.PRMStar")
                                 .alias("prm*")
                                 .summary("PRM*: a roadmap that goes on improving.")
                                 .documentation(pages::kPrmStarPage);
  addThreshold(prmStar);
  addLocation(prmStar);

  ComponentBuilder lazyPrm = plugin.planner<Component<Algorithm::lazyPrm>>("mortise.LazyPRM")
                                 .alias("lazyprm")
                                 .summary("Lazy PRM: ways are checked when a path goes over them.")
                                 .documentation(pages::kLazyPrmPage);
  addNeighbors(lazyPrm);
  addThreshold(lazyPrm);
  addLocation(lazyPrm);
  addRestarts(lazyPrm);

  ComponentBuilder lazyPrmStar =
      plugin.planner<Component<Algorithm::lazyPrmStar>>("mortise.LazyPRMStar")
          .alias("lazyprm*")
          .summary("Lazy-PRM*: a roadmap that goes on improving and checks only ways of paths.")
          .documentation(pages::kLazyPrmStarPage);
  addThreshold(lazyPrmStar);
  addSuboptimality(lazyPrmStar);
  addLocation(lazyPrmStar);

  ComponentBuilder lazyRrgStar = plugin.planner<Component<Algorithm::lazyRrgStar>>("mortise.LazyRRGStar")
                                     .alias("lazyrrg*")
                                     .summary("Lazy-RRG*: as Lazy-PRM*, on a graph that grows out from its ends.")
                                     .documentation(pages::kLazyRrgStarPage);
  addBidirectional(lazyRrgStar, "The graph also grows from the goals; false: from the starts only.");
  addThreshold(lazyRrgStar);
  addSuboptimality(lazyRrgStar);
  addLocation(lazyRrgStar);

  ComponentBuilder sbl = plugin.planner<Component<Algorithm::sbl>>("mortise.SBL")
                             .alias("sbl")
                             .summary("SBL: two trees of small steps, checked only where a path goes.")
                             .documentation(pages::kSblPage);
  addRadius(sbl, kRadius);
  addTries(sbl);
  addThreshold(sbl);
  addGrid(sbl);
  addRestarts(sbl);

  ComponentBuilder sblPrt =
      plugin.planner<Component<Algorithm::sblPrt>>("mortise.SBLPRT")
          .alias("sblprt")
          .summary("A roadmap of trees: from starts, goals and random places, connected as by SBL.")
          .documentation(pages::kSblPrtPage);
  addRadius(sblPrt, kRadius);
  addTries(sblPrt);
  addThreshold(sblPrt);
  addGrid(sblPrt);
  addRestarts(sblPrt);

  ComponentBuilder est = plugin.planner<Component<Algorithm::est>>("mortise.EST")
                             .alias("est")
                             .summary("Expansive space trees: grows where it has few nodes, and checks at once.")
                             .documentation(pages::kEstPage);
  addRadius(est, kRadius);
  addTries(est);
  addThreshold(est);
  addGrid(est);
  addRestarts(est);

  ComponentBuilder perturbation = plugin.planner<Component<Algorithm::perturbation>>("mortise.PerturbationTree")
                                      .alias("perturbation")
                                      .summary("Trees that grow from any of their nodes alike.")
                                      .documentation(pages::kPerturbationPage);
  addRadius(perturbation, kRadius);
  addTries(perturbation);
  addThreshold(perturbation);
  addRestarts(perturbation);

  plugin.planner<Component<Algorithm::fmm>>("mortise.FMM")
      .alias("fmm")
      .summary("Fast marching: the shortest path on a grid, for up to five dimensions.")
      .documentation(pages::kFmmPage)
      .parameter(
          "gridResolution", ParameterType::real,
          "Length of a step of the grid in each coordinate; absent: about 20,000 nodes, 8 to 128 steps along each.",
          {.min = 1e-9})
      .parameter("shortcut", false, "After the path: makes it shorter until stopped.");
  plugin.planner<Component<Algorithm::fmmStar>>("mortise.FMMStar")
      .alias("fmm*")
      .summary("Fast marching on ever finer grids.")
      .documentation(pages::kFmmStarPage)
      .parameter("gridResolution", ParameterType::real,
                 "Length of a step of the first grid in each coordinate; absent: 8 steps along each.", {.min = 1e-9});
}
