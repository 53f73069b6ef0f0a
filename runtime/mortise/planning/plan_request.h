#pragma once

/// What to plan, with all names resolved: what the stage `plan`, the command `mortise plan`, benchmarks and problem
/// files are turned into, and what a C++ program may fill in itself.

#include <Eigen/Geometry>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "mortise/collision/edge_check.h"
#include "mortise/collision/world_collider.h"
#include "mortise/component/planner.h"
#include "mortise/contact/hold.h"
#include "mortise/contact/ik_goal.h"

namespace mortise {

/// A goal of a robot's links.
struct RobotGoal {
  int robot = 0;  ///< Index in the world.
  IKGoal goal;
};

struct PlanSpaceRequest {
  std::vector<int> robots;  ///< Indices in the world, in the order of whole configurations; empty when an object moves.
  int object = -1;          ///< Index of a rigid object that moves instead of robots.
  bool planar = false;      ///< The object keeps its height and turns about z only.
  std::vector<int> links;   ///< World ids of the links that may move; empty: all of these robots.
  double margin = 0;        ///< Metres to keep from everything.
  /// Whether the padding that a simulation puts around bodies is kept besides the margin (`paddedWorld`).
  bool simulationPadding = false;
  EdgeCheckOptions edges;
  /// Of distances, by number of a whole configuration; empty: 1.
  VectorXd weights;
  std::vector<IdPair> ignored;  ///< World ids that may collide, beyond what the world's rules leave out.
  std::vector<RobotGoal> keep;  ///< Held along the whole way: closed chains.
  double keepTolerance = 1e-4;  ///< Of those, in metres and rad.
  /// Starts and goals that are off what is kept by no more than this, in metres and rad, are moved to where it is met.
  double keepNearby = 0.02;
  /// Contacts that the one robot stands on; its holds are kept, and it has to stay in balance.
  std::optional<Stance> stance;
  double balanceMargin = 0;  ///< Metres, of the centre of mass from the edge of what the contacts support.
  /// Within which an object's position, or a floating base, is sampled, metres: where limits are infinite.
  std::optional<Eigen::AlignedBox3d> workspace;
};

/// A path may end in any of these.
struct PlanGoalRequest {
  std::vector<VectorXd> configurations;  ///< Whole ones.
  double tolerance = 1e-9;               ///< Of those, in the space's metric.
  std::vector<RobotGoal> ik;             ///< All of them at once.
  /// Ends of coordinates that must lie within, by number of a whole configuration; infinite: free. Both or none.
  VectorXd low, high;
};

struct PlanObjectiveRequest {
  enum class Kind { length, weightedLength, time } kind = Kind::length;
  VectorXd weights;  ///< Of `weightedLength`, by number of a whole configuration.
};

struct PlanRequest {
  PlanSpaceRequest space;
  std::vector<VectorXd> starts;  ///< Whole ones.
  PlanGoalRequest goal;
  PlanObjectiveRequest objective;
  std::string planner = "any";
  Value settings = Value::map();  ///< Of the planner, not yet checked against its schema.
  StopConditions stop;
  std::uint64_t seed = 0;
};

}  // namespace mortise
