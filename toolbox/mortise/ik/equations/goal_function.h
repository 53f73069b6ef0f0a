#pragma once

#include <vector>

#include "mortise/contact/ik_goal.h"
#include "mortise/dynamics/robot_dynamics.h"
#include "mortise/ik/equations/constraint_function.h"

namespace mortise {

/// Goals of links as equations over the robot's configuration (numLinks). Positions count in meters along the axes of
/// the destination's frame, rotations in radians: the rotation vector from where the link should be to where it is.
class GoalFunction final : public ConstraintFunction {
 public:
  /// Throws `Error` for links that do not exist, and for directions and axes without length.
  GoalFunction(RobotPtr robot, std::vector<IKGoal> goals);

  const std::vector<IKGoal>& goals() const { return goals_; }
  int dimension() const override { return dynamics_.robot().numLinks(); }
  int size() const override { return size_; }
  void evaluate(const VectorXd& q, VectorXd& r, Eigen::MatrixXd* J) override;
  /// Of goal `i` alone: its rows of r.
  int firstRow(int i) const { return rows_.at(i); }

 private:
  void position(const IKGoal& goal, int row, VectorXd& r, Eigen::MatrixXd* J);
  void rotation(const IKGoal& goal, int row, VectorXd& r, Eigen::MatrixXd* J);

  RobotDynamics dynamics_;
  std::vector<IKGoal> goals_;
  std::vector<int> rows_;
  int size_ = 0;
  Matrix6X linkJacobian_, destinationJacobian_;
  Matrix3X relative_;
};

/// Equations that a goal stands for.
int numEquations(const IKGoal& goal);

}  // namespace mortise
