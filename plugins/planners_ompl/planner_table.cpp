#include "planner_table.h"

#include <array>

namespace mortise::ompl_planners {

namespace {

// clang-format off
const std::array<PlannerEntry, kNumPlanners> kTable = {{
      {.name = "RRT", .aliases = {"ompl:rrt"}, .make = makeRrt,
       .summary = "Grows a tree from the start towards random configurations.",
       .use = "Few parameters and little memory, and it needs no goal configuration, only a test of the goal. With a "
              "goal configuration RRTConnect is nearly always faster.",
       .reference = "S. LaValle: Rapidly-exploring random trees. Iowa State University, TR 98-11, 1998."},
      {.name = "RRTConnect", .aliases = {"ompl:rrtconnect", "ompl:birrt"}, .make = makeRrtConnect,
       .summary = "Grows two trees, from start and goal, greedily towards each other.",
       .use = "The first one to try: usually the fastest to a first path of an arm. Shorten its path afterwards.",
       .reference = "J. Kuffner, S. LaValle: RRT-Connect. ICRA 2000.", .needsGoal = true},
      {.name = "LazyRRT", .aliases = {"ompl:lazyrrt"}, .make = makeLazyRrt,
       .summary = "RRT that checks edges only once they belong to a path.",
       .use = "When edge checking is expensive and most edges are feasible. Among many obstacles it discards much of its work.",
       .reference = "J. Kuffner, S. LaValle: RRT-Connect. ICRA 2000; R. Bohlin, L. Kavraki: Path planning using lazy "
                    "PRM. ICRA 2000.", .lazy = true},
      {.name = "TRRT", .make = makeTrrt,
       .summary = "RRT that avoids edges of high cost, with a temperature that rises when it gets nowhere.",
       .use = "With an objective of your own, for a first path of low cost. It ends with its first path.",
       .reference = "L. Jaillet, J. Cortes, T. Simeon: Sampling-based path planning on configuration-space costmaps. "
                    "IEEE Transactions on Robotics 26(4), 2010."},
      {.name = "BiTRRT", .make = makeBiTrrt,
       .summary = "TRRT with two trees, from start and goal.",
       .use = "As TRRT, where goal configurations are known; faster.",
       .reference = "D. Devaurs, T. Simeon, J. Cortes: Enhancing the transition-based RRT to deal with complex cost "
                    "spaces. ICRA 2013.", .needsGoal = true},
      {.name = "RLRT", .make = makeRlrt,
       .summary = "Grows a tree from random nodes of it, by steps of limited range; keeps no index of neighbors.",
       .use = "Very many joints, where nearest neighbors say little.",
       .reference = "R. Luna, M. Moll, J. Badger, L. Kavraki: A scalable motion planner for high-dimensional kinematic "
                    "systems. International Journal of Robotics Research 39(4), 2020."},
      {.name = "BiRLRT", .make = makeBiRlrt,
       .summary = "RLRT with two trees, from start and goal.",
       .use = "As RLRT, where goal configurations are known; faster.",
       .reference = "R. Luna, M. Moll, J. Badger, L. Kavraki: A scalable motion planner for high-dimensional kinematic "
                    "systems. International Journal of Robotics Research 39(4), 2020.", .needsGoal = true},
      {.name = "EST", .aliases = {"ompl:est"}, .make = makeEst,
       .summary = "Expands a tree where it is sparse.",
       .use = "Where the way out of the start's surroundings is hard to find.",
       .reference = "D. Hsu, J.-C. Latombe, R. Motwani: Path planning in expansive configuration spaces. International "
                    "Journal of Computational Geometry and Applications 9(4-5), 1999."},
      {.name = "BiEST", .make = makeBiEst,
       .summary = "EST with two trees, from start and goal.",
       .use = "As EST, where goal configurations are known; faster.",
       .reference = "D. Hsu, J.-C. Latombe, R. Motwani: Path planning in expansive configuration spaces. International "
                    "Journal of Computational Geometry and Applications 9(4-5), 1999.", .needsGoal = true},
      {.name = "ProjEST", .make = makeProjEst,
       .summary = "EST that measures where it is sparse on a grid of a few directions.",
       .use = "As EST; cheaper where trees get large.",
       .reference = "D. Hsu, J.-C. Latombe, R. Motwani: Path planning in expansive configuration spaces. International "
                    "Journal of Computational Geometry and Applications 9(4-5), 1999."},
      {.name = "KPIECE1", .make = makeKpiece,
       .summary = "Grows a tree from the border of what a grid of a few directions says is covered.",
       .use = "Spaces in which a few directions tell the progress.",
       .reference = "I. Sucan, L. Kavraki: Kinodynamic motion planning by interior-exterior cell exploration. WAFR 2008."},
      {.name = "BKPIECE1", .make = makeBkpiece,
       .summary = "KPIECE1 with two trees, from start and goal.",
       .use = "As KPIECE1, where goal configurations are known; faster.",
       .reference = "I. Sucan, L. Kavraki: Kinodynamic motion planning by interior-exterior cell exploration. WAFR 2008.",
       .needsGoal = true},
      {.name = "LBKPIECE1", .make = makeLbkpiece,
       .summary = "BKPIECE1 that checks edges only once they belong to a path.",
       .use = "As BKPIECE1, when edge checking is expensive.",
       .reference = "I. Sucan, L. Kavraki: Kinodynamic motion planning by interior-exterior cell exploration. WAFR 2008; "
                    "R. Bohlin, L. Kavraki: Path planning using lazy PRM. ICRA 2000.", .needsGoal = true, .lazy = true},
      {.name = "PDST", .make = makePdst,
       .summary = "Divides space where it has gone already, and goes on from the largest cells.",
       .use = "Made for motions with dynamics; here a comparison.",
       .reference = "A. Ladd, L. Kavraki: Motion planning in the presence of drift, underactuation and discrete system "
                    "changes. Robotics: Science and Systems 2005.", .splitsEdges = true},
      {.name = "STRIDE", .aliases = {"ompl:stride"}, .make = makeStride,
       .summary = "Grows a tree from sparse places, which its index of neighbors tells.",
       .use = "Many joints, where a grid of a few directions (KPIECE1) says little.",
       .reference = "B. Gipson, M. Moll, L. Kavraki: Resolution independent density estimation for motion planning in "
                    "high-dimensional spaces. ICRA 2013."},
      {.name = "SBL", .aliases = {"ompl:sbl"}, .make = makeSbl,
       .summary = "Two trees that grow where a grid of a few directions is sparse; checks edges only once they belong to a "
                  "path.",
       .use = "When edge checking is expensive. Klamp't's own SBL differs in its grid.",
       .reference = "G. Sanchez, J.-C. Latombe: A single-query bi-directional probabilistic roadmap planner with lazy "
                    "collision checking. ISRR 2001.", .needsGoal = true, .lazy = true},
      {.name = "SST", .make = makeSst,
       .summary = "Grows a sparse tree and keeps the cheapest node of each neighborhood.",
       .use = "Near-optimal paths with little memory. Radii too large for the space leave it no room: they are parts of "
              "the space's extent unless given.",
       .reference = "Y. Li, Z. Littlefield, K. Bekris: Asymptotically optimal sampling-based kinodynamic planning. "
                    "International Journal of Robotics Research 35(5), 2016.", .optimizing = true},

      {.name = "RRTstar", .aliases = {"ompl:rrt*"}, .make = makeRrtStar,
       .summary = "RRT that rewires its tree, so that paths become the shortest ones in the long run.",
       .use = "Good paths when there are seconds to spend. The informed planners improve faster.",
       .reference = "S. Karaman, E. Frazzoli: Sampling-based algorithms for optimal motion planning. International Journal "
                    "of Robotics Research 30(7), 2011.", .optimizing = true},
      {.name = "InformedRRTstar", .aliases = {"ompl:informedrrt*"}, .make = makeInformedRrtStar,
       .summary = "RRTstar that, once it has a path, samples only where a better one could pass.",
       .use = "As RRTstar; better where the path is not much longer than the straight line.",
       .reference = "J. Gammell, S. Srinivasa, T. Barfoot: Informed RRT*. IROS 2014.", .optimizing = true},
      {.name = "SORRTstar", .make = makeSorrtStar,
       .summary = "InformedRRTstar that takes its samples in order of the cost that they promise.",
       .use = "As InformedRRTstar.",
       .reference = "J. Gammell, T. Barfoot, S. Srinivasa: Batch informed trees (BIT*). International Journal of Robotics "
                    "Research 39(5), 2020.", .optimizing = true},
      {.name = "RRTsharp", .make = makeRrtSharp,
       .summary = "RRTstar that passes each improvement on to all of its tree at once.",
       .use = "As RRTstar; each iteration costs more and gains more.",
       .reference = "O. Arslan, P. Tsiotras: Use of relaxation methods in sampling-based algorithms for optimal motion "
                    "planning. ICRA 2013.", .optimizing = true},
      {.name = "RRTXstatic", .make = makeRrtX,
       .summary = "RRTsharp that passes on only improvements above `epsilon`.",
       .use = "As RRTsharp, cheaper an iteration with `epsilon` above 0. Obstacles that move are not handled.",
       .reference = "M. Otte, E. Frazzoli: RRT-X. WAFR 2014.", .optimizing = true},
      {.name = "LazyLBTRRT", .aliases = {"ompl:lbtrrt", "lbtrrt", "LBT-RRT"}, .make = makeLazyLbtRrt,
       .summary = "RRT whose path costs at most 1 + `epsilon` times what RRTstar's would; checks edges only when that requires it.",
       .use = "Between RRT and RRTstar, when edge checking is expensive. Minimizes length, whatever the objective. One start; plans "
              "to the first goal configuration that is found.",
       .reference = "O. Salzman, D. Halperin: Asymptotically near-optimal RRT for fast, high-quality motion planning. IEEE "
                    "Transactions on Robotics 32(3), 2016.",
       .optimizing = true, .needsGoal = true, .startsOver = true, .oneStart = true, .oneGoal = true},
      {.name = "FMT", .aliases = {"ompl:fmt"}, .make = makeFmt,
       .summary = "Marches a tree of least cost outwards through samples that are drawn first.",
       .use = "Good paths with few checked edges. A path comes when all samples are drawn, not before. Goes on with "
              "twice as many samples until stopped.",
       .reference = "L. Janson, E. Schmerling, A. Clark, M. Pavone: Fast marching tree. International Journal of Robotics "
                    "Research 34(7), 2015.", .optimizing = true, .needsGoal = true, .startsOver = true, .abandons = true},
      {.name = "BFMT", .make = makeBfmt,
       .summary = "FMT from start and goal.",
       .use = "As FMT; usually faster.",
       .reference = "J. Starek, J. Gomez, E. Schmerling, L. Janson, L. Moreno, M. Pavone: An asymptotically-optimal "
                    "sampling-based algorithm for bi-directional motion planning. IROS 2015.",
       .optimizing = true, .needsGoal = true, .startsOver = true, .abandons = true},
      {.name = "BITstar", .make = makeBitStar,
       .summary = "Searches batches of samples in order of the cost that they promise.",
       .use = "Short paths soon, and shorter ones later, when edge checking is expensive. Shows no roadmap: OMPL would keep "
              "it for ever.",
       .reference = "J. Gammell, S. Srinivasa, T. Barfoot: Batch informed trees (BIT*). ICRA 2015.", .optimizing = true,
       .needsGoal = true},
      {.name = "ABITstar", .make = makeAbitStar,
       .summary = "BITstar that takes a good path soon and closes in on the best.",
       .use = "As BITstar; a first path comes earlier.",
       .reference = "M. Strub, J. Gammell: Advanced BIT* (ABIT*). ICRA 2020.", .optimizing = true, .needsGoal = true},
      {.name = "AITstar", .make = makeAitStar,
       .summary = "BITstar that estimates what is left to pay by a search back from the goal, which it keeps true.",
       .use = "As BITstar, when edge checking is very expensive.",
       .reference = "M. Strub, J. Gammell: Adaptively informed trees (AIT*). ICRA 2020.", .optimizing = true,
       .needsGoal = true},

      {.name = "PRM", .aliases = {"ompl:prm"}, .make = makePrm,
       .summary = "A roadmap of random configurations, each connected with its nearest.",
       .use = "Several starts and goals at once; paths get better as it grows.",
       .reference = "L. Kavraki, P. Svestka, J.-C. Latombe, M. Overmars: Probabilistic roadmaps for path planning in "
                    "high-dimensional configuration spaces. IEEE Transactions on Robotics and Automation 12(4), 1996.",
       .optimizing = true, .needsGoal = true},
      {.name = "PRMstar", .aliases = {"ompl:prm*"}, .make = makePrmStar,
       .summary = "PRM with more neighbors as it grows, so that paths become the shortest ones in the long run.",
       .use = "As PRM, for shorter paths.",
       .reference = "S. Karaman, E. Frazzoli: Sampling-based algorithms for optimal motion planning. International Journal "
                    "of Robotics Research 30(7), 2011.", .optimizing = true, .needsGoal = true},
      {.name = "LazyPRM", .aliases = {"ompl:lazyprm"}, .make = makeLazyPrm,
       .summary = "PRM that checks configurations and edges only once they belong to a path.",
       .use = "When edge checking is expensive and most edges are feasible.",
       .reference = "R. Bohlin, L. Kavraki: Path planning using lazy PRM. ICRA 2000.", .optimizing = true, .needsGoal = true,
       .lazy = true},
      {.name = "LazyPRMstar", .aliases = {"ompl:lazyprm*"}, .make = makeLazyPrmStar,
       .summary = "LazyPRM with as many neighbors as PRMstar.",
       .use = "As LazyPRM, for shorter paths.",
       .reference = "R. Bohlin, L. Kavraki: Path planning using lazy PRM. ICRA 2000; S. Karaman, E. Frazzoli: "
                    "Sampling-based algorithms for optimal motion planning. International Journal of Robotics Research "
                    "30(7), 2011.", .optimizing = true, .needsGoal = true, .lazy = true},
      {.name = "SPARS", .aliases = {"ompl:spars"}, .make = makeSpars,
       .summary = "A sparse roadmap whose paths are at most `stretch_factor` times as long as a dense one's.",
       .use = "Roadmaps to be kept: few configurations, paths of bounded length. Slower to a first path. Ends by itself "
              "after `max_failures` samples that add nothing.",
       .reference = "A. Dobson, A. Krontiris, K. Bekris: Sparse roadmap spanners. WAFR 2012.", .optimizing = true,
       .needsGoal = true},
      {.name = "SPARStwo", .make = makeSparsTwo,
       .summary = "SPARS without the dense roadmap beside it.",
       .use = "As SPARS, with less memory.",
       .reference = "A. Dobson, K. Bekris: Improving sparse roadmap spanners. ICRA 2013.", .optimizing = true,
       .needsGoal = true},
}};
// clang-format on

}  // namespace

std::span<const PlannerEntry> plannerTable() { return kTable; }

std::string plannerPage(const PlannerEntry& entry) {
  const std::string name(entry.name);
  std::string page = std::string(entry.use) + "\n\n";
  page += "```yaml\nplanner: ompl." + name + "\n```\n\n";
  page += entry.optimizing ? "Goes on to better paths until a stop condition is met. " : "Ends with its first path. ";
  if (entry.needsGoal)
    page +=
        "Needs a configuration of the goal: of goals that are only tested, one is looked for first, until the plan is "
        "stopped. ";
  else
    page +=
        "Grows from the start alone and meets the goal by chance, or by a few samples of it: with many joints, a goal "
        "in a "
        "narrow place such as a shelf is seldom reached in seconds. Planners that grow from the goal as well, "
        "RRTConnect "
        "first of all, reach it. ";
  if (entry.startsOver) page += "A plan that goes on after it was stopped begins anew, and keeps its best path. ";
  page += "The same seed gives the same path.\n\n";
  page += "Parameters and their defaults are OMPL's, where nothing else is said.\n\n" + std::string(entry.reference) +
          " As implemented in OMPL 1.5 (https://ompl.kavrakilab.org).\n";
  return page;
}

}  // namespace mortise::ompl_planners
