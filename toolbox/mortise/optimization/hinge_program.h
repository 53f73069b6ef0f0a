#pragma once

/// Convex programs with hinges: what sequential convex programming solves again and again.

#include <vector>

#include "mortise/math/transform.h"

namespace mortise {

/// A symmetric matrix whose entries are 0 farther than `band` from the diagonal. The lower half is stored.
class BandedMatrix {
 public:
  BandedMatrix(int size, int band);
  int size() const { return size_; }
  int band() const { return band_; }
  /// `row` is at least `column` and at most `band` more.
  double& at(int row, int column) { return entries_[index(row, column)]; }
  double at(int row, int column) const { return entries_[index(row, column)]; }
  VectorXd times(const VectorXd& x) const;
  /// Row and column of a variable become those of the identity.
  void isolate(int variable);
  /// Cholesky's factor takes the place of the matrix; false where it is not positive definite.
  bool factor();
  /// After `factor`: x becomes the solution for the right side x.
  void solve(VectorXd& x) const;

 private:
  std::size_t index(int row, int column) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(band_ + 1) + static_cast<std::size_t>(row - column);
  }
  int size_, band_;
  std::vector<double> entries_;
};

/// weight * max(0, right - left . x), of variables in a row from `first` on.
struct Hinge {
  int first = 0;
  VectorXd left;
  double right = 0;
  double weight = 1;
};

struct HingeProgramOptions {
  int rounds = 60;          ///< Rounds of multipliers.
  double change = 1e-6;     ///< Change of multipliers, against the largest, below which they are found.
  int newtonSteps = 30;     ///< In a round.
  double tolerance = 1e-9;  ///< Tolerance of the gradient, against the largest weight of a hinge or 1.
};

/// min x.H x / 2 + c.x + hinges with low <= x <= high, H positive definite, hinges within its band. The method of
/// multipliers with multipliers between 0 and the hinge's weight, which makes the hinges exact (Bertsekas, "Constrained
/// Optimization and Lagrange Multiplier Methods", 1982), with a projected Newton method inside. `x`: where to begin,
/// within the bounds, and then the solution. Returns the objective.
double solveHingeProgram(const BandedMatrix& H, const VectorXd& c, const std::vector<Hinge>& hinges,
                         const VectorXd& low, const VectorXd& high, VectorXd& x,
                         const HingeProgramOptions& options = {});

}  // namespace mortise
