#pragma once

#include <BulletDynamics/Featherstone/btMultiBodyConstraint.h>
#include <Eigen/Cholesky>
#include <vector>

namespace mortise::bullet {

/// Impulses of the solver's rows along the joints of a robot (drives, frictions, stops) that solve them together, with
/// what contacts and other robots do as it is: what the solver starts from and ends with: its sweeps over single rows
/// converge slowly where stiff drives of a chain carry a load.
class JointStart {
 public:
  /// Says whether a row acts along one joint: those of motors and limits.
  static bool isJointRow(const btMultiBodySolverConstraint& row);

  /// Gives each robot's rows their impulses, and the solver's changes of velocity what these do.
  void apply(btMultiBodyConstraintArray& rows, btMultiBodyJacobianData& data);

 private:
  enum class Bound : signed char { lower = -1, none = 0, upper = 1 };
  struct Row {
    btMultiBodySolverConstraint* row;
    int dof;          ///< Entry of the robot's velocities.
    double sign;      ///< Sign of the row's direction along it.
    double velocity;  ///< b in (A + softness) impulse = b.
  };

  void applyTo(btMultiBodyConstraintArray& rows, btMultiBodyJacobianData& data, int first);
  void collect(btMultiBodyConstraintArray& rows, btMultiBodyJacobianData& data, int first);
  void fillMatrix(const btMultiBodyJacobianData& data);
  /// False where no choice of rows at their bounds was found.
  bool solve(bool again);
  bool solveFree();
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
