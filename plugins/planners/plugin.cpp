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
  addRadius(rrt, "No way of the trees is longer, in the space's metric; absent: half of the space's extent.");
  rrt.parameter("bidirectional", true, "Trees from both ends; false: from the starts only.");
  addThreshold(rrt);
  addLocation(rrt);
  addRestarts(rrt);
}
