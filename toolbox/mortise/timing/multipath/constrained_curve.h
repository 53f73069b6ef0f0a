#pragma once

/// Curves on which links stay at their goals.

#include <memory>
#include <span>
#include <vector>

#include "mortise/contact/ik_goal.h"
#include "mortise/model/robot.h"
#include "mortise/timing/path_curve.h"

namespace mortise {

struct ConstrainedCurveOptions {
  /// No equation of the curve is off by more (m or rad).
  double tolerance = 1e-4;
  /// Neighboring configurations are no farther from each other (rad, m).
  double step = 0.25;
  /// Milestones may be off by so much (m or rad); they are moved to where the goals are met.
  double milestoneTolerance = 0.05;
  SmoothCurveOptions smoothing = {};
};

/// The smooth curve through milestones (`smoothCurve`), bent so that all links stay at their goals: pieces whose middle
/// is off by more than the tolerance get a configuration there, moved to where the goals are met, until none is left
/// (after Hauser's interpolation of contact constraints, "Fast interpolation and time-optimization with contact", IJRR
/// 2014). `milestones`: unwrapped. `points`, when given, gets the configurations of the curve's knots. Throws `Error`
/// that names the milestones where goals are not met or between which there is no such curve.
PathCurve constrainedCurve(const RobotPtr& robot, const std::vector<IKGoal>& goals,
                           const std::vector<VectorXd>& milestones, const ConstrainedCurveOptions& options = {},
                           std::vector<VectorXd>* points = nullptr);

/// Largest equation of the goals that is off at q (m or rad).
class GoalResidual {
 public:
  GoalResidual(const RobotPtr& robot, const std::vector<IKGoal>& goals);
  ~GoalResidual();
  double at(const VectorXd& q);
  /// Keeps `project` within the robot's joint limits, or as far out of them as these configurations are.
  void limit(const std::vector<VectorXd>& configurations);
  /// Moves q to where the goals are met to 1e-9; false where it cannot.
  bool project(VectorXd& q);
  /// Takes out of dq what would move links from their goals at q.
  void keep(const VectorXd& q, VectorXd& dq);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mortise
