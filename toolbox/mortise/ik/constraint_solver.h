#pragma once

#include <Eigen/Cholesky>

#include "mortise/ik/equations/constraint_function.h"

namespace mortise {

struct ConstraintSolverOptions {
  int maxIterations = 100;
  double tolerance = 1e-3;  ///< Solved when no entry of r is larger.
  /// Ends of q, one entry a coordinate; empty: none. The start is moved within them.
  VectorXd low = {}, high = {};
  double maxStep = 1;  ///< No coordinate changes by more than this in one iteration.
};

struct ConstraintSolution {
  bool solved = false;
  int iterations = 0;
  double residual = 0;  ///< Largest entry of r.
};

/// Least |r|^2 within bounds, by damped steps (Levenberg 1944, Marquardt 1963) from which coordinates that lie at a
/// bound and would go beyond it are left out. Holds a workspace; once it has the right size nothing allocates.
class ConstraintSolver {
 public:
  /// `q`: the start, and where it ended. Ends when solved, or when no step makes |r| less.
  ConstraintSolution solve(ConstraintFunction& function, VectorXd& q, const ConstraintSolverOptions& options);

 private:
  bool step(const VectorXd& q, double damping, const ConstraintSolverOptions& options, VectorXd& next);

  Eigen::MatrixXd J_, JNext_, free_, A_;
  VectorXd r_, rNext_, next_, y_;
  std::vector<char> fixed_;
  Eigen::LLT<Eigen::MatrixXd> factor_;
};

}  // namespace mortise
