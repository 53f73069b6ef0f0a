#pragma once

/// Solves inverse kinematics: closed forms where a robot has one, else damped Newton steps with restarts.

#include <memory>
#include <string_view>
#include <vector>

#include "mortise/ik/ik_problem.h"

namespace mortise {

/// Solves problems of one structure again and again: goals may change between solutions. Holds a workspace for each
/// thread.
class IKSolver {
 public:
  /// Throws `Error` for goals that cannot be.
  explicit IKSolver(IKProblem problem);
  ~IKSolver();
  IKSolver(IKSolver&&) noexcept;
  IKSolver& operator=(IKSolver&&) noexcept;

  const IKProblem& problem() const;
  /// Returns the variables of the problem; none where no joint that may move changes what the terms ask for.
  const std::vector<IKVariable>& variables() const;
  /// The same problem with other targets: as many terms, of the same links and kinds.
  void setTerms(const std::vector<IKTerm>& terms);

  /// Solves from the given start only.
  void solveLocal(const IKOptions& options, IKSolution& solution);
  IKSolution solveLocal(const IKOptions& options);
  /// Closed forms give the solution that is nearest to the start. The first of each pair does not allocate once it has
  /// solved before. From the start, and then from random configurations until a try succeeds. The answer is that of the
  /// first try that does, whatever the number of threads.
  void solve(const IKOptions& options, IKSolution& solution);
  IKSolution solve(const IKOptions& options);

  /// The name of the closed form; empty where there is none.
  std::string_view closedForm() const;
  /// Error: where there is none, with what has one. The method `analytic` begins with this.
  void requireClosedForm() const;
  /// All different solutions of the closed form within limits, the nearest to the start first; or, without one, those
  /// that the tries find.
  std::vector<IKSolution> solveAll(const IKOptions& options);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mortise
