#pragma once

/// A request to plan, with all names resolved. The stage `plan`, the command `mortise plan`, benchmarks and problem
/// files are turned into it; a C++ program may fill it in itself.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "mortise/collision/edge_check.h"
#include "mortise/component/planner.h"
#include "mortise/component/planning_problem_description.h"
#include "mortise/contact/hold.h"
#include "mortise/ik/equations/ik_terms.h"
#include "mortise/planning/request/default_planner.h"
#include "mortise/planning/request/path_settings.h"

namespace mortise {

/// The bodies that move, and the constraints that hold along the whole path.
struct PlanSpaceRequest : PlanSpaceDescription {
  bool planar = false;  ///< The object keeps its height and turns about z only.
  double margin = 0;    ///< Minimum clearance (m).
  /// Says whether the padding that a simulation puts around bodies is kept in addition to the margin (`paddedWorld`).
  bool simulationPadding = false;
  EdgeCheckOptions edges;
  /// Weights of distances, an entry for each coordinate of a full configuration; empty: 1.
  VectorXd weights;
  /// Starts and goals that violate the constraints of `keep` by no more than this (m and rad) are moved to where they
  /// are met.
  double keepNearby = 0.02;
  /// Contacts that the only robot stands on; its holds are kept, and it has to stay in balance.
  std::optional<Stance> stance;
  double balanceMargin = 0;  ///< Minimum distance of the center of mass from the edge of the support polygon (m).
};

/// A goal of inverse kinematics, of one robot.
struct RobotTerm {
  int robot = 0;  ///< Index in the world.
  IKTerm term;
};

/// A plan and the steps after it, with the planner and its budget.
struct PlanRequest {
  /// The cost of paths.
  struct Objective {
    enum class Kind { length, weightedLength, time } kind = Kind::length;
    VectorXd weights;  ///< Weights of `weightedLength`, an entry for each coordinate of a full configuration.
  };

  PlanSpaceRequest space;
  std::vector<VectorXd> starts;  ///< Full configurations.
  PlanGoalRequest goal;
  /// Further goals of inverse kinematics: those of priority 0 hold together with `goal.ik`, others shape the
  /// configurations that are looked for.
  std::vector<RobotTerm> goalTerms;
  bool nearStart =
      false;  ///< True: of the configurations that meet pose goals of links, the nearest to the first start alone.
  /// False: a start or goal is that of a motion that does not exist yet, and is not among those above.
  bool complete = true;
  Objective objective;
  std::string planner = kDefaultPlanner;
  Value settings = Value::map();  ///< Parameters of the planner, not yet checked against its schema.
  StopConditions stop;
  std::uint64_t seed = 0;
  std::optional<ShortcutSettings> shortcut;  ///< None: the path is not shortened.
  std::optional<RetimeSettings> retime;      ///< None: the path gets no times.
  std::optional<CheckSettings> check;        ///< None: the path is checked while it is planned only.
  std::string roadmap;                       ///< File for the planner's roadmap, .tgf or .json; empty: none.
  bool keepRoadmap = false;                  ///< In the result.
};

}  // namespace mortise
