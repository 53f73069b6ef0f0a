#pragma once

#include <BulletDynamics/Featherstone/btMultiBodyConstraint.h>
#include <Eigen/Cholesky>
#include <vector>

namespace mortise::bullet {

/// Impulses that the solver's rows along the joints of a robot (drives, frictions, stops) start from: those that solve
/// them together as if nothing else acted. They need not be exact, because sweeps follow; as a rule they are.
class JointStart {
 public:
  /// Whether a row acts along one joint: those of motors and limits.
  static bool isJointRow(const btMultiBodySolverConstraint& row);

  /// Gives each robot's rows their impulses, and the solver's changes of velocity what these do.
  void apply(btMultiBodyConstraintArray& rows, btMultiBodyJacobianData& data);

 private:
  enum class Bound : signed char { lower = -1, none = 0, upper = 1 };
  struct Row {
    btMultiBodySolverConstraint* row;
    int dof;          ///< Entry of the robot's velocities.
    double sign;      ///< Of the row's direction along it.
    double velocity;  ///< b in (A + softness) impulse = b.
  };

  void applyTo(btMultiBodyConstraintArray& rows, btMultiBodyJacobianData& data, int first);
  void collect(btMultiBodyConstraintArray& rows, btMultiBodyJacobianData& data, int first);
  void fillMatrix(const btMultiBodyJacobianData& data);
  void solve();
  void solveFree();
  bool move(bool oneOnly);

  std::vector<char> done_;
  std::vector<Row> rows_;
  std::vector<Bound> bounds_;
  std::vector<int> free_;
  Eigen::MatrixXd matrix_, freeMatrix_;
  Eigen::VectorXd impulses_, freePart_;
  Eigen::LLT<Eigen::MatrixXd> factor_;
};

}  // namespace mortise::bullet
