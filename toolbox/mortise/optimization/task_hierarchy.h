#pragma once

#include <Eigen/Core>
#include <memory>
#include <span>
#include <vector>

#include "mortise/optimization/bounded_least_squares.h"
#include "mortise/optimization/row_space.h"

namespace mortise {

/// Tasks of one priority: A x = b, each row with a weight.
struct TaskLevel {
  int rows = 0;       ///< In use: the first of those below.
  Eigen::MatrixXd A;  ///< Rows reserved x variables.
  Eigen::VectorXd b;
  Eigen::VectorXd weight;  ///< Weight of the squared error; 0 switches a row off.
  /// Length of a row, in units of the variables' scales, where it is far from singular: what `singularity` is a
  /// fraction of. 0: as long as it is now, so that it counts as singular only where others are in its way.
  Eigen::VectorXd length;

  bool damped = true;  ///< True if singular directions are; else a level asks for whatever its rows need.

  // What came out.
  int rank = 0;             ///< Directions that the level could still decide on.
  double smallestSine = 1;  ///< Nearness to singular: 1 not at all. See `RowSpace::factor`.
  double error = 0;         ///< |A x - b|, weighted.
  int iterations = 0;       ///< Iterations of the active set; 0: no limit was in the way.
};

/// Least squares in strict order of priority, within limits:
///
///   for k = 0, 1, ...: among the x with lower <= x <= upper that leave the errors of the levels before k as small as
///   they can be, keep those that make |A_k x - b_k|^2 as small as it can be; of what is left in the end, take the x
///   that is nearest to `reference`, distances measured in units of `scale`.
///
/// The limits come before all levels, so that they cost the last level first (Escande, Mansard and Wieber, 2014; de
/// Lasa and Hertzmann, 2009; without limits it is Siciliano and Slotine's, 1991). Each level is decided in an
/// orthonormal basis of what the ones before leave open. The solution is unique and a continuous function of A and b,
/// also where a level becomes singular: directions in which a level has hardly any effect (`singularity`) are damped
/// towards the reference and are not handed on to lower levels.
class TaskHierarchy {
 public:
  /// The sine below which a level's direction is damped; its response is then sine / singularity^2 instead of 1 / sine.
  double singularity = 0.1;
  /// The sine below which it counts as no direction at all.
  double rankTolerance = 1e-7;
  int maxIterations = 200;  ///< Largest number of iterations of the active set in each level. At the bound the answer
                            ///< is feasible but not optimal.

  /// Room for one level for each entry of `rows`. The only function that allocates.
  void reserve(int variables, std::span<const int> rows);
  int numVariables() const { return n_; }
  int numLevels() const { return static_cast<int>(levels_.size()); }
  TaskLevel& level(int k);
  const TaskLevel& level(int k) const;
  // Per variable. Limits may be infinite; lower <= upper. Scales are positive.
  Eigen::VectorXd& lower() { return lower_; }
  Eigen::VectorXd& upper() { return upper_; }
  Eigen::VectorXd& reference() { return reference_; }
  Eigen::VectorXd& scale() { return scale_; }

  /// True when every level reached its optimum.
  bool solve();
  const Eigen::VectorXd& solution() const { return x_; }

  /// The last solution and the limits it rests on: where `solve` starts from. The solution does not depend on it but
  /// for rounding; callers that want the same bits again keep both.
  Eigen::VectorXd& start() { return x_; }
  std::vector<AtLimit>& startLimits() { return active_; }
  const std::vector<AtLimit>& startLimits() const { return active_; }
  /// Starts next from the reference.
  void forget();

 private:
  void requireSizes() const;
  bool solveLevel(TaskLevel& level);
  bool approachReference();
  bool resting() const;
  bool insideLimits(const Eigen::VectorXd& y) const;

  int n_ = 0, open_ = 0;  ///< Variables; directions not decided on yet.
  std::vector<TaskLevel> levels_;
  Eigen::VectorXd lower_, upper_, reference_, scale_, x_;
  std::vector<AtLimit> active_;

  // In units of `scale`, from the reference.
  Eigen::VectorXd y_, tryY_, low_, high_;
  Eigen::MatrixXd basis_;  ///< n x open: what is left.
  Eigen::MatrixXd next_, scaled_, objective_;
  Eigen::VectorXd length_, rhs_, bias_, w_;
  RowSpace space_;
  BoundedLeastSquares bounded_;
};

}  // namespace mortise
