#pragma once

/// One robot of a world with all that it takes to plan while it moves.

#include <memory>
#include <vector>

#include "mortise/planning/paths/space_limits.h"
#include "mortise/planning/real_time/real_time_session.h"
#include "mortise/planning/spaces/robot_space.h"

namespace mortise {

struct RealTimeRobotOptions {
  std::vector<int> links = {};  ///< To move; empty: all that are not welded.
  double margin = 0;            ///< Meters that the robot keeps from everything.
  MotionLimitOptions limits = {};
  std::vector<KnownMotion> motions = {};  ///< Motions of terrains and rigid objects.
  RealTimePlannerOptions planner = {};
  RealTimeSessionOptions session = {};
};

class RealTimeRobot {
 public:
  /// `base`: the whole robot's configuration, for links that do not move. Everything else stands where the world has
  /// it, or moves as its motion says. Throws `Error` for robots without limits, and what its parts throw.
  RealTimeRobot(std::shared_ptr<const World> world, int robot, const VectorXd& base, RealTimeRobotOptions options);

  const World& world() const { return *world_; }
  /// For the caller; the thread that plans has its own.
  RobotSpace& space() { return space_; }
  const MotionLimits& limits() const { return limits_; }
  const std::vector<KnownMotion>& motions() const { return options_.motions; }
  RealTimeSession& session() { return *session_; }
  const RealTimeSession& session() const { return *session_; }

  /// Rest at the whole configuration `q` from `now` on. Throws `Error` where the robot collides there, or will.
  void start(const VectorXd& q, double now);
  /// Says whether the robot can be at `q` (coordinates of the space) for ever from some time on. `reason`: why not.
  bool canStay(const VectorXd& q, double from, std::string* reason = nullptr);
  /// A configuration of the space.
  std::shared_ptr<RealTimeTarget> configurationTarget(const VectorXd& q);
  std::shared_ptr<RealTimeTarget> poseTarget(std::vector<IKGoal> goals, double tolerance = 1e-3);

 private:
  std::shared_ptr<const World> world_;
  int robot_;
  RealTimeRobotOptions options_;
  std::shared_ptr<const WorldCollider> resting_;  ///< Without what moves.
  RobotSpace space_, planningSpace_;
  MovingObstacles obstacles_, planningObstacles_;
  MotionLimits limits_;
  std::unique_ptr<RealTimePlanner> planner_;
  std::unique_ptr<RealTimeSession> session_;
};

/// Shapes and pairs for planning: links that do not move are not checked against the terrains on which they stand.
std::shared_ptr<const WorldCollider> realTimeCollider(std::shared_ptr<const World> world);

}  // namespace mortise
