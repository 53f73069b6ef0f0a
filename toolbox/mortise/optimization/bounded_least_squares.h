#pragma once

#include <Eigen/Core>
#include <vector>

#include "mortise/optimization/row_space.h"

namespace mortise {

/// Limit that a variable rests on.
enum class AtLimit : signed char { lower = -1, none = 0, upper = 1 };

/// min |M p - c|^2 over the p with lower <= y + V p <= upper: a primal active-set method (Nocedal and Wright, 2006,
/// 16.5) on orthogonal factors that are updated, not computed anew, when a limit joins or leaves. Feasible at every
/// step, so that stopping early costs optimality only. Nothing allocates after `reserve`.
class BoundedLeastSquares {
 public:
  void reserve(int variables);

  struct Outcome {
    int iterations = 0;
    bool converged = true;
  };
  /// M: any x r, at most as many rows as variables were reserved; V: n x r with orthonormal columns. `y` (n) goes from
  /// a feasible point to the solution, by the shortest p where several are as good; `active` (n) holds a guess of the
  /// limits that it rests on, and then those it does.
  Outcome solve(const ConstMatrixRef& M, const ConstVectorRef& c, const ConstMatrixRef& V, const ConstVectorRef& lower,
                const ConstVectorRef& upper, VectorRef y, std::vector<AtLimit>& active, int maxIterations);

 private:
  bool join(int variable);
  void leave(int index);
  /// The step that is best in the free directions, in `step_`.
  void bestStep();
  int blocking(const ConstVectorRef& lower, const ConstVectorRef& upper, const VectorRef& y, double& fraction) const;

  int n_ = 0, r_ = 0, m_ = 0;
  int held_ = 0;               ///< Limits that hold; the last `held_` columns belong to them.
  std::vector<int> variable_;  ///< Variable of each: row variable_[k] of V_ is zero before column r_ - 1 - k.
  std::vector<char> isHeld_;
  Eigen::MatrixXd V_, M_;  ///< Turned.
  Eigen::VectorXd c_, gradient_, force_, step_, w_, move_, length_, work_, none_;
  RowSpace space_;
};

}  // namespace mortise
