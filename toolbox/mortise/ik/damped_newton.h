#pragma once

#include <cstdint>
#include <vector>

#include "mortise/ik/equations/constraint_function.h"

namespace mortise {

struct DampedNewtonOptions {
  int maxIterations = 100;
  double tolerance = 1e-10;  ///< Solved when |r| is not above.
  double damping = 0.1;      ///< At first, for each unit of |r|^2.
  double maxStep = 1;        ///< No variable changes by more than this in one iteration.
  /// Ends where an iteration gains less than this fraction of |r|^2, as at a local minimum.
  double stall = 1e-12;
};

struct DampedNewtonResult {
  bool solved = false;
  int iterations = 0;
  double residual = 0;  ///< |r|
};

/// Least |r|^2 within limits by Levenberg's and Marquardt's steps (1944, 1963), with a damping that falls with |r|^2
/// (Sugihara, 2011): cautious from afar, quadratic near a solution, and defined at singular positions. Variables that
/// lie at a limit and would go beyond it are left out of a step. Holds a workspace: one object a thread; nothing
/// allocates once it has the right size.
class DampedNewton {
 public:
  /// `x`: the start, within limits, and where it ended. `low`, `high`: one end a variable.
  DampedNewtonResult solve(ConstraintFunction& equations, double* x, const double* low, const double* high,
                           const DampedNewtonOptions& options);
  /// From a start that may be outside of the limits: it is moved within them first. Throws `Error` for sizes that are
  /// not the equations'.
  DampedNewtonResult solve(ConstraintFunction& equations, VectorXd& x, const VectorXd& low, const VectorXd& high,
                           const DampedNewtonOptions& options);

 private:
  bool step(const double* x, const double* low, const double* high, double damping, double maxStep);
  void normalMatrix();
  bool solveNormal(double damping, double* y);

  int m_ = 0, n_ = 0, k_ = 0;  ///< Equations, variables, the smaller of them.
  bool dual_ = true, haveMatrix_ = false;
  std::vector<double> J_, r_, trial_, trialR_, A_, B_, y_, move_, gradient_, inverseDiagonal_;
  std::vector<std::uint8_t> held_;
};

}  // namespace mortise
