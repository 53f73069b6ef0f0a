#pragma once

/// A motion planning problem as a file describes it: a world, what moves in it, from where, and to where. Plain data;
/// a planner, its settings and its objective are chosen by the program that plans (`PlanRequest` in the runtime).

#include <Eigen/Geometry>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mortise/base/error.h"
#include "mortise/base/value.h"
#include "mortise/contact/ik_goal.h"
#include "mortise/math/transform.h"
#include "mortise/model/id_pair.h"

namespace mortise {

struct World;

/// A full or partial pose constraint on a link of one of a world's robots.
struct RobotGoal {
  int robot = 0;  ///< Index in the world.
  IKGoal goal;
};

/// Movers of a world, and the constraints hold along the whole path.
struct PlanSpaceDescription {
  std::vector<int> robots;  ///< Indices in the world, in the order of full configurations; empty when an object moves.
  int object = -1;          ///< Index of a rigid object that moves instead of robots.
  std::vector<int> links;   ///< World ids of the links that may move; empty: all links of these robots.
  std::vector<IdPair> ignored;  ///< World ids that may collide, in addition to those that the world's rules exclude.
  std::vector<RobotGoal> keep;  ///< Constraints along the whole path, such as closed chains.
  double keepTolerance = 1e-4;  ///< Tolerance of these constraints (m and rad).
  /// The box within which an object's position, or a floating base, is sampled where its limits are infinite (m).
  std::optional<Eigen::AlignedBox3d> workspace;
};

/// The goals of a path. A path may end in any of them.
struct PlanGoalRequest {
  std::vector<VectorXd> configurations;  ///< Full configurations.
  double tolerance = 1e-9;               ///< Tolerance of the configurations, in the space's metric.
  std::vector<RobotGoal> ik;             ///< Constraints that hold together.
  /// A box of configurations, an entry for each coordinate of a full configuration; infinite: unconstrained. Both are
  /// empty where there is no such goal.
  VectorXd low, high;
};

struct PlanningProblemDescription {
  std::string name;                    ///< Unique among the problems of a set.
  std::shared_ptr<const World> world;  ///< The shapes' margins include the padding that the problem asks for.
  PlanSpaceDescription space;
  std::vector<VectorXd> starts;  ///< Full configurations, at least one.
  PlanGoalRequest goal;
  double timeLimit = std::numeric_limits<double>::infinity();  ///< Seconds; infinite: not given.
  /// Scaling factors of the robot's velocity and acceleration limits, for timing the path.
  double velocityScaling = 1, accelerationScaling = 1;

  /// The planner that the file names.
  struct Planner {
    std::string name;     ///< Without what the file's format adds to names of planners; empty: none.
    std::string written;  ///< Text in the file.
    SourcePosition position;
  };
  Planner planner;
  std::vector<std::string> files;  ///< All files that the problem was read from.
  Value notes = Value::map();      ///< Further entries of reports, by name, such as its group.
};

/// The problems of a file or folder.
using PlanningProblems = std::vector<PlanningProblemDescription>;

}  // namespace mortise
