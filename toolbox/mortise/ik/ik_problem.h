#pragma once

/// A problem of inverse kinematics, and its solution from anywhere.

#include <cstdint>
#include <functional>
#include <vector>

#include "mortise/ik/analytic/analytic_ik.h"
#include "mortise/ik/damped_newton.h"
#include "mortise/ik/ik_refinement.h"

namespace mortise {

struct IKProblem {
  RobotPtr robot;
  std::vector<IKTerm> terms;
  /// The links that may move; empty: all that the terms depend on.
  std::vector<int> active = {};
  bool limits = true;
  /// Cost that is minimized among the solutions, after the terms of all priorities; may be empty.
  IKCost cost = {};
  /// A closed form for the whole pose of one link, in the order of the variables; null: one that is found from the
  /// robot's geometry, where there is one.
  std::shared_ptr<const AnalyticIK> analytic = nullptr;
};

enum class IKMethod {
  automatic,  ///< The closed form where there is one, and numbers where that finds nothing.
  numeric,
  /// The closed form alone, polished; an error where there is none. Where it finds nothing, one numeric try from the
  /// start gives the nearest configuration.
  analytic
};

struct IKOptions {
  /// Start of the first try, and values of links that do not matter; empty: as in the robot's file.
  VectorXd start = {};
  std::uint64_t seed = 0;
  double tolerance = 1e-9;  ///< |r| of the terms of priority 0, in m and rad.
  int maxIterations = 100;  ///< Largest number of iterations of a try.
  /// Tries from random configurations after the first one; below 0: as many as take some 10 ms.
  int restarts = -1;
  IKMethod method = IKMethod::automatic;
  int threads = 1;  ///< The answer does not depend on it.
  /// Prefers, of all solutions that the tries find, the one whose variables are nearest to the start (root of the sum
  /// of squares), instead of the first one; then moved nearer as far as goals leave joints free.
  bool nearest = false;
  /// A posture to be near to where goals leave joints free: one number a link; empty: none.
  VectorXd bias = {};
  /// Asked before each try, by the calling thread: true ends the search with the best so far. Null: never.
  std::function<bool()> stop = {};
};

struct IKSolution {
  bool solved = false;
  VectorXd q;           ///< One number a link; unsolved: the nearest that was found.
  double residual = 0;  ///< |r|, m and rad.
  int restarts = 0;     ///< Which try it is from: 0 from the start.
  int iterations = 0;   ///< Iterations of all tries up to that one.
  /// The method whose answer it is: `analytic`, of the closed form, or `numeric`.
  IKMethod method = IKMethod::numeric;
  /// |r| of the terms of each priority, in order; where there are none but 0, empty.
  std::vector<double> levels = {};
};

}  // namespace mortise
