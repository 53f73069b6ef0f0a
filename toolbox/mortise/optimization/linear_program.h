#pragma once

/// Small dense linear programs, many of them.

#include <Eigen/Core>
#include <vector>

#include "mortise/math/transform.h"

namespace mortise {

enum class LinearProgramStatus {
  optimal,
  infeasible,
  unbounded,
  stalled  ///< Rounding kept it from an answer.
};

/// min c.x with A x = b and low <= x <= high, ends infinite where there are none: a revised simplex method for bounded
/// variables (Dantzig, 1963) with a dense inverse of the basis. Infeasible bases are mended by the composite method:
/// the sum of what sticks out of the bounds is made less from wherever the last problem ended, so that programs that
/// differ in c, b or a few more columns take few steps. Bland's rule (1977) takes over where steps stop going anywhere.
///
/// Why not a library: equilibrium tests have 6 rows and some hundred columns and take about ten steps of a microsecond;
/// the calls of GLPK or Clp, made for large sparse programs, cost more than that before they begin, and add columns
/// between two solves only through their own structures.
///
/// Numbers should be about 1: feasibility and optimality are judged to 1e-9.
class LinearProgram {
 public:
  /// Starts anew with so many rows, no columns and b = 0.
  explicit LinearProgram(int rows = 0);

  int rows() const { return rows_; }
  int columns() const { return static_cast<int>(low_.size()) - rows_; }
  /// Returns its index. The present basis stays.
  int addColumn(const VectorXd& column, double low, double high, double cost = 0);
  /// Drops columns; the others move up. Basic ones, and ones that stand elsewhere than at 0, stay whatever is asked.
  /// `kept` gets, by old index, whether it stayed.
  void dropColumns(const std::vector<char>& drop, std::vector<char>& kept);
  void setCost(int column, double cost);
  void setRightSide(const VectorXd& b);
  /// Forgets where the last solution ended: what follows depends on the program alone.
  void restart();

  LinearProgramStatus solve();

  /// Returns a column's value in the last solution.
  double value(int column) const;
  double objective() const;
  int iterations() const { return iterations_; }
  /// One price a row. A column that could enter at 0 with cost c makes the solution better, or the program less
  /// infeasible, when duals . column > c (then 0 for c).
  const VectorXd& duals() const { return duals_; }
  /// To what reduced costs, such as duals . column - c, are known; a column that gains less is not taken.
  double rounding() const { return rounding_; }

 private:
  enum class BasisStatus : signed char { basic, low, high, free };
  double rest(std::size_t j) const;
  bool refactor();
  void placeBasics();
  double infeasibility() const;
  /// One step; false when there is no way to go on: optimal, or as feasible as can be.
  enum class Step { done, moved, unbounded, stuck };
  Step step(bool phaseOne);
  int entering(bool phaseOne, bool cautious, double& direction);
  /// End of a step: a basic variable that reaches a bound, or, with row -1, the entering one its own other bound.
  struct Exit {
    int row = -1;
    double t = 0, bound = 0, pivot = 0;
  };
  Exit leaving(bool phaseOne, bool cautious, std::size_t enter, double direction) const;
  void enter(std::size_t enter, double direction, const Exit& exit);

  int rows_;
  // Columns: first one a row that stands for what is missing of it (an artificial variable, fixed at 0).
  Eigen::MatrixXd a_;  ///< With room for more.
  std::vector<double> low_, high_, cost_;
  std::vector<BasisStatus> status_;
  VectorXd b_;
  std::vector<std::size_t> basis_;
  Eigen::MatrixXd inverse_;
  VectorXd x_;  ///< Values of the basics.
  VectorXd duals_, basicCost_, reduced_, w_;
  std::vector<std::size_t> passedOver_;  ///< In the present step.
  double rounding_ = 0;
  int sinceFactor_ = 0, idle_ = 0, iterations_ = 0;
};

}  // namespace mortise
