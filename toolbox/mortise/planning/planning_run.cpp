#include "mortise/planning/planning_run.h"

#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"

namespace mortise {

StopClock::StopClock(const StopConditions& conditions, std::function<bool()> stopRequested)
    : conditions_(conditions), stopRequested_(std::move(stopRequested)) {
  if (std::isnan(conditions.seconds) || conditions.seconds < 0)
    throw Error("the time of a plan must be at least 0 s, not " + formatReal(conditions.seconds));
  if (conditions.iterations < 0) throw Error("the number of iterations must be at least 0");
}

double StopClock::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

bool StopClock::reached(double cost) {
  if (!fired_.empty()) return true;
  cost_ = cost;
  const bool found = cost < std::numeric_limits<double>::infinity();
  if (found && conditions_.foundSolution) {
    fired_ = "foundSolution";
  } else if (found && cost <= conditions_.cost) {
    fired_ = "costThreshold";
  } else if (iterations_ >= conditions_.iterations) {
    fired_ = "maxIters";
  } else if (stopRequested_ && stopRequested_()) {
    fired_ = "stopRequested";
  } else if (conditions_.seconds < std::numeric_limits<double>::infinity() && seconds() >= conditions_.seconds) {
    fired_ = "timeLimit";
  } else if (found && conditions_.improvementPeriod > 0) {
    if (!(markedCost_ < std::numeric_limits<double>::infinity())) {
      markedCost_ = cost;
      markedAt_ = iterations_;
    } else if (iterations_ - markedAt_ >= conditions_.improvementPeriod) {
      if (markedCost_ - cost < conditions_.improvement) fired_ = "costImprovementThreshold";
      markedCost_ = cost;
      markedAt_ = iterations_;
    }
  }
  if (!fired_.empty()) return true;
  ++iterations_;
  return false;
}

double pathCost(const PlanningProblem& problem, const std::vector<VectorXd>& path) {
  if (path.empty()) return std::numeric_limits<double>::infinity();
  double cost = 0;
  for (std::size_t i = 1; i < path.size(); ++i)
    cost += problem.objective != nullptr ? problem.objective->edgeCost(path[i - 1], path[i])
                                         : problem.space.distance(path[i - 1], path[i]);
  return cost + (problem.objective != nullptr ? problem.objective->terminalCost(path.back()) : 0.0);
}

namespace {

/// Why no start can be used; empty when one can.
std::string faultOfStarts(const PlanningProblem& problem) {
  std::string first;
  for (const VectorXd& start : problem.starts) {
    int violated = -1;
    if (problem.space.feasible(start, &violated)) return {};
    if (first.empty())
      first = "start: " + problem.space.explain(violated, start) + " (" +
              std::string(problem.space.constraints()[static_cast<std::size_t>(violated)]) + ")";
  }
  return first.empty() ? "there is no start" : first;
}

/// The same of a goal that has so many configurations and no more.
std::string faultOfGoals(const PlanningProblem& problem, RandomStream random) {
  const std::unique_ptr<PlanningGoal> goals = problem.goal.copy();
  std::string first;
  VectorXd goal;
  while (goals->sample(random, goal)) {
    int violated = -1;
    if (problem.space.feasible(goal, &violated)) return {};
    if (first.empty())
      first = "goal: " + problem.space.explain(violated, goal) + " (" +
              std::string(problem.space.constraints()[static_cast<std::size_t>(violated)]) + ")";
  }
  return first;
}

void requirePath(const PlanningProblem& problem, const std::vector<VectorXd>& path) {
  const auto bad = [](const std::string& what) {
    throw Error("the planner gave back a path that does not hold: " + what);
  };
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path[i].size() != problem.space.dimension())
      bad("configuration " + std::to_string(i) + " has " + std::to_string(path[i].size()) + " numbers, and " +
          std::to_string(problem.space.dimension()) + " are needed");
    if (!path[i].allFinite()) bad("configuration " + std::to_string(i) + " has a number that is not finite");
  }
  bool starts = false;
  for (const VectorXd& start : problem.starts) starts = starts || problem.space.distance(start, path.front()) <= 1e-9;
  if (!starts) bad("it does not begin at a start");
  if (!problem.goal.contains(path.back())) bad("it does not end in the goal");
  for (std::size_t i = 0; i < path.size(); ++i) {
    int violated = -1;
    if (!problem.space.feasible(path[i], &violated))
      bad("configuration " + std::to_string(i) + ": " + problem.space.explain(violated, path[i]));
    if (i > 0 && !problem.space.visible(path[i - 1], path[i]))
      bad("the edge from configuration " + std::to_string(i - 1) + " to " + std::to_string(i) + " is not free");
  }
}

}  // namespace

PlanningRun runPlanner(Planner& planner, const PlanningProblem& problem, RandomStream& random, StopClock& stop) {
  const PlanningSpace::Counts before = problem.space.counts();
  PlanningRun run;
  const auto finish = [&] {
    run.stoppedBy = stop.fired();
    run.iterations = stop.iterations();
    run.seconds = stop.seconds();
    run.counts = problem.space.counts();
    run.counts.configurations -= before.configurations;
    run.counts.edges -= before.edges;
    return run;
  };
  for (const VectorXd& start : problem.starts)
    if (start.size() != problem.space.dimension())
      throw Error("a start has " + std::to_string(start.size()) + " numbers, but configurations have " +
                  std::to_string(problem.space.dimension()));
  if (const std::string fault = faultOfStarts(problem); !fault.empty()) {
    run.outcome.status = PlanningStatus::startInfeasible;
    run.outcome.message = fault;
    return finish();
  }
  if (problem.goal.count() >= 0) {
    if (const std::string fault = faultOfGoals(problem, random); !fault.empty()) {
      run.outcome.status = PlanningStatus::goalInfeasible;
      run.outcome.message = fault;
      return finish();
    }
  }
  planner.start(problem, random);
  run.outcome = planner.plan(stop);
  if (!run.outcome.path.empty()) {
    requirePath(problem, run.outcome.path);
    run.outcome.cost = pathCost(problem, run.outcome.path);
  }
  if (run.outcome.status == PlanningStatus::goalUnsampled && run.outcome.message.empty())
    run.outcome.message = problem.goal.explain();
  return finish();
}

}  // namespace mortise
