#pragma once

/// The goal of a robot that plans while it moves.

#include <memory>
#include <string>
#include <vector>

#include "mortise/ik/damped_newton.h"
#include "mortise/planning/goals/ik_goal_region.h"
#include "mortise/planning/spaces/motion_space.h"

namespace mortise {

/// An object belongs to one thread at a time.
class RealTimeTarget {
 public:
  virtual ~RealTimeTarget();
  virtual bool contains(const VectorXd& q) = 0;
  /// 0 inside; what planners that go part of the way make less.
  virtual double distance(const VectorXd& q) = 0;
  /// Moves `q` to where `distance` is as little as a numeric search from there gets it, within the space's bounds,
  /// collisions or not.
  virtual void approach(VectorXd& q) = 0;
  /// A feasible configuration of the target that was not given before; false when none was found this time.
  virtual bool sample(RandomStream& random, VectorXd& q) = 0;
  /// To begin with the first sample again, and forget what was learned: the same calls then get the same answers.
  /// `from`: where the robot goes on from; what the target does not ask about stays as there.
  virtual void restart(const VectorXd& from) = 0;
};

/// One configuration.
class ConfigurationTarget final : public RealTimeTarget {
 public:
  /// `space` outlives the target. Throws `Error` for a configuration of the wrong size, or not finite.
  ConfigurationTarget(PlanningSpace& space, VectorXd q, double tolerance = 1e-6);

  bool contains(const VectorXd& q) override { return distance(q) <= tolerance_; }
  double distance(const VectorXd& q) override { return space_.distance(q, q_); }
  void approach(VectorXd& q) override { q = q_; }
  bool sample(RandomStream& random, VectorXd& q) override;
  void restart(const VectorXd&) override { given_ = false; }

 private:
  PlanningSpace& space_;
  VectorXd q_;
  double tolerance_;
  bool given_ = false;
};

/// Goals of links of one robot: a pose of the hand, a point to be at.
class PoseTarget final : public RealTimeTarget {
 public:
  /// `space` outlives the target. `tolerance`: no equation is off by more, in m and rad. Throws what
  /// `PlannedGoalFunction` throws.
  PoseTarget(MotionSpace& space, std::shared_ptr<const World> world, RobotIKGoals goals, double tolerance = 1e-3);

  bool contains(const VectorXd& q) override { return region_->contains(q); }
  double distance(const VectorXd& q) override { return region_->distance(q); }
  void approach(VectorXd& q) override;
  bool sample(RandomStream& random, VectorXd& q) override { return region_->sample(random, q); }
  void restart(const VectorXd& from) override;

 private:
  MotionSpace& space_;
  std::shared_ptr<const World> world_;
  RobotIKGoals goals_;
  double tolerance_;
  std::unique_ptr<IKGoalRegion> region_;
  PlannedGoalFunction function_;
  DampedNewton solver_;
  DampedNewtonOptions solving_;
  VectorXd low_, high_;
};

}  // namespace mortise
