#pragma once

/// Goals in order of priority: those of later levels as near as those of earlier ones let them be.

#include <functional>
#include <memory>
#include <vector>

#include "mortise/ik/damped_newton.h"
#include "mortise/ik/equations/ik_equations.h"
#include "mortise/optimization/task_hierarchy.h"

namespace mortise {

/// A cost of the configuration (numLinks) and, where `gradient` is not null, its gradient.
using IKCost = std::function<double(const VectorXd& q, VectorXd* gradient)>;

struct RefinementOptions {
  int maxIterations = 200;
  double tolerance = 1e-10;  ///< Tolerance of the equations that hold exactly.
  double still = 1e-9;       ///< Ends when no variable moves by more than this.
};

/// Sequential quadratic programs: each step solves the linearized goals of all levels in strict order of priority
/// within limits and a trust region (`TaskHierarchy`), goes back to where the exact ones hold, and is taken where it
/// makes the first level that changes better. Of what the goals leave open, the posture nearest to a bias is chosen, or
/// a cost is made least along its projected gradient.
class IKRefinement {
 public:
  /// `terms` by level, the exact ones first; a level may be empty.
  IKRefinement(RobotPtr robot, const std::vector<std::vector<IKTerm>>& levels,
               const std::vector<IKVariable>& variables);

  void setFixed(const VectorXd& q);
  void setTerms(const std::vector<std::vector<IKTerm>>& levels);
  /// Moves from x, where the exact goals hold, to where the others cannot be made better. `bias`: one number a
  /// variable, or null. `cost` may be empty. Returns |r| of each level.
  std::vector<double> refine(DampedNewton& newton, double* x, const double* low, const double* high, const double* bias,
                             const IKCost& cost, const RefinementOptions& options);

 private:
  struct Level {
    IKEquations equations;
    VectorXd r, trial;
    Eigen::MatrixXd J;
  };
  void linearize(const double* x, const double* low, const double* high, double radius, const double* bias,
                 double length);
  void evaluate(const double* x, const double* bias, const IKCost& cost, std::vector<double>& costs,
                VectorXd* gradient);
  bool better(const std::vector<double>& a, const std::vector<double>& b) const;

  std::vector<IKVariable> variables_;
  std::vector<Level> levels_;
  TaskHierarchy hierarchy_;
  VectorXd q_, gradient_, reduced_;
};

}  // namespace mortise
