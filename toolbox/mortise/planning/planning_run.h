#pragma once

/// Running a planner: when it ends, whether its problem makes sense, whether its path is valid.

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "mortise/component/planner.h"

namespace mortise {

/// Ends a run by its conditions. Seconds are of wall time and count from construction; everything else is counted, so
/// that a run with the `iterations` of another, and no limit of time, ends where the other did.
class StopClock final : public PlanningStop {
 public:
  /// `stopRequested`, when not empty: true ends the run at once.
  explicit StopClock(const StopConditions& conditions, std::function<bool()> stopRequested = {});

  bool reached(double cost) override;
  std::int64_t iterations() const override { return iterations_; }
  /// Klamp't's names: foundSolution, maxIters, timeLimit, costThreshold, costImprovementThreshold; or stopRequested.
  /// Empty as long as nothing fired.
  std::string_view fired() const { return fired_; }
  double seconds() const;
  /// Returns the cost of the best path that the planner has reported so far; for showing progress from within
  /// `stopRequested`.
  double cost() const { return cost_; }

 private:
  StopConditions conditions_;
  std::function<bool()> stopRequested_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::int64_t iterations_ = 0;
  double cost_ = std::numeric_limits<double>::infinity();
  std::int64_t markedAt_ = 0;  ///< Iterations when the cost was last written down.
  double markedCost_ = std::numeric_limits<double>::infinity();
  std::string_view fired_;
};

struct PlanningRun {
  PlanningOutcome outcome;
  std::string_view stoppedBy;  ///< Name as of `StopClock::fired`.
  std::int64_t iterations = 0;
  double seconds = 0;
  PlanningSpace::Counts counts;  ///< Checks made during this run.
};

/// Checks starts and goal, starts the planner and plans. A path is checked again before it is returned: its ends,
/// its configurations and its edges; throws `Error`, naming the first fault, for a planner whose path does not hold.
PlanningRun runPlanner(Planner& planner, const PlanningProblem& problem, RandomStream& random, StopClock& stop);

/// Sum of the objective's costs along a path, that of its end included.
double pathCost(const PlanningProblem& problem, const std::vector<VectorXd>& path);

}  // namespace mortise
