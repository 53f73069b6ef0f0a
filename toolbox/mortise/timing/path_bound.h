#pragma once

#include <string>
#include <vector>

#include "mortise/math/transform.h"

namespace mortise {

/// alpha u + beta x <= gamma, where u is the acceleration along a path and x the square of the velocity along it.
struct PathRow {
  double alpha = 0, beta = 0, gamma = 0;
};

/// u|Range that velocity and acceleration limits leave at a place: |u|u| <= u and x <= x; infinite without such bounds.
struct PathBox {
  double u = 0, x = 0;
};

/// A bound on motions along a path beyond those of velocities and accelerations of coordinates, such as torques: where
/// the path's parameter moves with s' and s'', q moves with dq = slope s' and ddq = slope s'' + bend s'^2, and what is
/// bounded is linear in s'' and s'^2. Holds a workspace: one object a thread.
class PathBound {
 public:
  virtual ~PathBound() = default;
  /// The rows that hold at q, where the path has the first derivative `slope` and the second one `bend`. Added to
  /// `rows`; they need to be right within the box alone.
  virtual void addRows(const VectorXd& q, const VectorXd& slope, const VectorXd& bend, const PathBox& box,
                       std::vector<PathRow>& rows) = 0;
  /// By what accelerations, and squares of velocities, have to be divided so that the bound holds; no more than 1 where
  /// it holds as it is, infinite where it does not hold at rest.
  virtual double excess(const VectorXd& q, const VectorXd& dq, const VectorXd& ddq) = 0;
  /// The share of the bound that is used: above 1 where it does not hold.
  virtual double utilization(const VectorXd& q, const VectorXd& dq, const VectorXd& ddq) = 0;
  /// Why the bound does not hold for the robot at rest at q; for errors.
  virtual std::string explain(const VectorXd& q) = 0;
};

}  // namespace mortise
