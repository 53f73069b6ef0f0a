#pragma once

/// A controller as a table: torques by the cell of a grid in which positions and velocities lie (Klamp't's
/// TabulatedController).

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "mortise/math/constants.h"
#include "mortise/model/robot.h"

namespace mortise {

struct TabulatedPolicy {
  VectorXd cell;  ///< Edge lengths of a cell: of each link's position, then of each link's velocity.
  std::vector<int> low,
      high;  ///< The first and the last cell: cell k of an axis reaches from k * cell to (k+1) * cell.
  std::vector<VectorXd> torques;  ///< One number a driver for each cell; the last axis counts fastest.

  /// Number of cells that the axes make.
  std::size_t numCells() const;
  /// The torques of the cell of this state; outside of the table those of the nearest cell. Links with spin joints and
  /// those that turn by a full turn are taken around to the table. Allocates nothing.
  const VectorXd& at(const Robot& robot, const VectorXd& q, const VectorXd& dq) const;
  /// The first axis along which this state lies outside of the table (positions, then velocities); -1: none.
  int outsideOf(const Robot& robot, const VectorXd& q, const VectorXd& dq) const;

 private:
  /// Returns where a state lies along an axis, in cells from the first one on.
  double placeOf(const Robot& robot, int axis, const VectorXd& q, const VectorXd& dq) const;
};

/// Klamp't's .policy files: the lengths of cells, first and last cells, and a vector for each cell, vectors with their
/// length first. Reading throws `Error` with the position of what is wrong, and for a table that is not of this robot.
std::string policyText(const TabulatedPolicy& policy);
TabulatedPolicy readPolicy(const std::string& text, const std::string& file, const Robot& robot);

struct PolicyProblem {
  RobotPtr robot;           ///< Each link with a joint of its own; positions and velocities within finite limits.
  VectorXd goal;            ///< Configuration to come to and stay at.
  VectorXd weights;         ///< Weights of squared distances from it, one a link.
  VectorXd cell;            ///< Cell as in the table; rounded down so that a turn is a whole number of cells.
  double discount = 0.905;  ///< Weight of a cost a second later: Klamp't's 0.999 for each 10 ms.
  int levels = 2;           ///< Torques tried: none, and so many between none and the limit, either way.
  int maxSweeps = 400;
  Vector3d gravity = Vector3d(0, 0, -9.8);
  std::function<bool()> stopRequested;  ///< Asked between sweeps; may be empty.
};

struct PolicySearch {
  TabulatedPolicy policy;
  std::vector<double> costs;  ///< Discounted cost from each cell: the integral of the root of the weighted distance.
  int sweeps = 0;
  bool converged = false;
};

/// The table that is best by value iteration: the dynamics are integrated from the center of each cell until about a
/// cell further, and what comes then is interpolated between the centers around it (Munos and Moore, 2002, on a regular
/// grid), sweep by sweep in alternating order (Gauss-Seidel). Throws `Error` for robots that it cannot be done for and
/// tables of more than ten million cells.
PolicySearch findPolicy(const PolicyProblem& problem);

/// The robot under a table that is looked up `rate` times a second, from a state: configurations and velocities at each
/// of these times. Positions stop at their limits.
struct PolicyRun {
  std::vector<VectorXd> q, dq;
};
PolicyRun runPolicy(const RobotPtr& robot, const TabulatedPolicy& policy, const VectorXd& q, const VectorXd& dq,
                    double duration, double rate, const Vector3d& gravity);

/// Distance of configurations, the shorter way around where a link turns by a full turn; rad or m.
VectorXd turnedDifference(const Robot& robot, const VectorXd& a, const VectorXd& b);

}  // namespace mortise
