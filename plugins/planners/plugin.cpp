#include "mortise/plugin/plugin.h"

#include <initializer_list>

#include "components.h"
#include "documentation.h"
#include "real_time_tree.h"

namespace mortise::planners {

namespace {

/// `aliases`: Klamp't's names, those of its settings first, then those of its manual.
template <Algorithm kAlgorithm>
void declare(PluginBuilder& plugin, const std::string& name, std::initializer_list<const char*> aliases,
             const char* summary, const char* documentation) {
  using Planner = Component<kAlgorithm>;
  auto&& component = plugin.planner<Planner>("mortise." + name);
  for (const char* alias : aliases) component.alias(alias);
  component.summary(summary).documentation(documentation).settings(Planner::defaults());
}

}  // namespace

}  // namespace mortise::planners

MORTISE_PLUGIN("mortise_planners", "0.1.0") {
  using namespace mortise::planners;
  declare<Algorithm::any>(plugin, "Any", {"any"},
                          "A fast first path; asked to go on, shortcuts and restarts. The default.",
                          documentation::any);
  declare<Algorithm::rrt>(plugin, "RRT", {"rrt"}, "Rapidly-exploring random trees from start and goal (RRT-Connect).",
                          documentation::rrt);
  declare<Algorithm::rrtStar>(plugin, "RRTStar", {"rrt*", "RRT*"},
                              "RRT*: a tree that goes on improving, with shortest edges and rewiring.",
                              documentation::rrt_star);
  declare<Algorithm::prm>(plugin, "PRM", {"prm"},
                          "Probabilistic roadmap: random configurations, connected with their nearest.",
                          documentation::prm);
  declare<Algorithm::prmStar>(plugin, "PRMStar", {"prm*", "PRM*"}, "PRM*: a roadmap that goes on improving.",
                              documentation::prm_star);
  declare<Algorithm::lazyPrm>(plugin, "LazyPRM", {"lazyprm", "Lazy-PRM"},
                              "Lazy PRM: edges are checked when a path goes over them.", documentation::lazy_prm);
  declare<Algorithm::lazyPrmStar>(plugin, "LazyPRMStar", {"lazyprm*", "Lazy-PRM*"},
                                  "Lazy-PRM*: a roadmap that goes on improving and checks only edges of paths.",
                                  documentation::lazy_prm_star);
  declare<Algorithm::lazyRrgStar>(plugin, "LazyRRGStar", {"lazyrrg*", "Lazy-RRG*", "lazyrrt*", "Lazy-RRT*"},
                                  "Lazy-RRG*: as Lazy-PRM*, on a graph that grows out from its ends.",
                                  documentation::lazy_rrg_star);
  declare<Algorithm::sbl>(plugin, "SBL", {"sbl"}, "SBL: two trees of small steps, checked only where a path goes.",
                          documentation::sbl);
  declare<Algorithm::sblPrt>(plugin, "SBLPRT", {"sblprt", "SBL-PRT", "prt", "PRT"},
                             "A roadmap of trees: from starts, goals and random places, connected as by SBL.",
                             documentation::sbl_prt);
  declare<Algorithm::est>(plugin, "EST", {"est"},
                          "Expansive space trees: grows where it has few nodes, and checks at once.",
                          documentation::est);
  declare<Algorithm::perturbation>(plugin, "PerturbationTree", {"perturbation"},
                                   "Trees that grow from any of their nodes alike.", documentation::perturbation_tree);
  plugin.planner<RealTimeTree>("mortise.RealTimeTree")
      .alias("RealTimeTree")
      .summary("The trees of planning while moving, from a start at rest.")
      .documentation(documentation::real_time_tree)
      .settings<RealTimeTreeSettings>();
  declare<Algorithm::fmm>(plugin, "FMM", {"fmm"},
                          "Fast marching: the shortest path on a grid, for up to five dimensions.", documentation::fmm);
  declare<Algorithm::fmmStar>(plugin, "FMMStar", {"fmm*", "FMM*"}, "Fast marching on ever finer grids.",
                              documentation::fmm_star);
}
