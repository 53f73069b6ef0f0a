#pragma once

/// One cycle of planning while the robot moves: from the state that the robot will have at a given time to a motion
/// that ends at rest.
///
/// After K. Hauser, "On responsiveness, safety, and completeness in real-time motion planning", Autonomous Robots 32
/// (2012): whatever a cycle finds, the motion that is executed is safe for ever, since only motions that are proven up
/// to their end at rest take the place of another.

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "mortise/planning/paths/ramp_shortcut.h"
#include "mortise/planning/real_time/moving_obstacles.h"
#include "mortise/planning/real_time/planning_effort.h"
#include "mortise/planning/real_time/real_time_target.h"

namespace mortise {

enum class RealTimeMethod {
  ik,     ///< Numeric search for the target and motions straight towards it, part of the way where they are blocked.
  tree,   ///< Trees of motions from the robot's state and from the target; all the way or nothing.
  hybrid  ///< First the one, then the other.
};

struct RealTimePlannerOptions {
  RealTimeMethod method = RealTimeMethod::hybrid;
  /// One step of a tree, as a fraction of the space's extent.
  double step = 0.15;
  double tolerance = 1e-3;  ///< Tolerance as of `CurveChecker`.
  /// Shortcuts in a row that may fail before a motion counts as short enough.
  std::int64_t idle = 30;
  /// Seconds that a new motion to the same target has to save to be worth a splice.
  double saving = 0.005;
  /// By how much a motion that does not arrive has to reduce the distance to the target, as a fraction of it.
  double progress = 0.05;
};

/// Inputs of a cycle.
struct RealTimeCycle {
  double start = 0;  ///< Seconds on the clock of the motion: when the new motion begins.
  RampPath current;  ///< Motion of the robot from then on if nothing comes of the cycle; ends at rest.
  std::uint64_t seed = 0;
};

struct RealTimePlan {
  bool found = false;    ///< True if there is something better than to go on as before.
  RampPath path;         ///< Begins with the state in which `current` begins.
  bool reaches = false;  ///< The target: `path`, or without one what `current` does.
  double distance = 0;   ///< To the target, at the end of it.
  bool settled = false;  ///< It reaches, and more shortcuts are not worth the effort.
  std::int64_t iterations = 0;
};

/// Plans for one robot; one thread at a time. The same cycle, target and effort (without a deadline) give the same
/// plan.
class RealTimePlanner {
 public:
  /// `space` without what moves, `obstacles` (may be null) with it; `limits`: finite accelerations and velocities for
  /// each coordinate. All outlive this. Throws `Error` for limits that are not, and for spaces whose edges are not
  /// lines in coordinates.
  RealTimePlanner(PlanningSpace& space, std::vector<CoordinateLimits> limits, MovingObstacles* obstacles,
                  const RealTimePlannerOptions& options = {});

  RealTimePlan plan(const RealTimeCycle& cycle, RealTimeTarget& target, PlanningEffort& effort);

  const std::vector<CoordinateLimits>& limits() const { return limits_; }
  PlanningSpace& space() { return space_; }

 private:
  friend class RampTree;
  bool moves() const { return obstacles_ != nullptr && !obstacles_->empty(); }
  /// A motion from the state in which the cycle begins, to rest at `q`.
  bool direct(const RealTimeCycle& cycle, const VectorXd& q, RampPath& path);
  bool staticallyFree(std::span<const ParabolicRamp> ramps) { return checker_.free(ramps); }
  bool improves(const RealTimeCycle& cycle, const RampPath& path) const;
  void search(const RealTimeCycle& cycle, RealTimeTarget& target, PlanningEffort& effort, RandomStream& random,
              RealTimePlan& plan, std::int64_t maximum);
  bool shorten(const RealTimeCycle& cycle, RampPath& path, PlanningEffort& effort, RandomStream& random);
  bool shortenAmongMoving(const RealTimeCycle& cycle, RampPath& path, PlanningEffort& effort, RandomStream& random);

  PlanningSpace& space_;
  std::vector<CoordinateLimits> limits_;
  MovingObstacles* obstacles_;
  RealTimePlannerOptions options_;
  CurveChecker checker_;
  std::vector<ParabolicRamp> ramps_;
  VectorXd q_, dq_, ddq_, end_;
};

std::string_view realTimeMethodName(RealTimeMethod method);

}  // namespace mortise
