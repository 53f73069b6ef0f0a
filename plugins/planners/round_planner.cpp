#include "round_planner.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/math/constants.h"

namespace mortise::planners {

namespace {

/// The rounds for each goal configuration that is known before another one is asked for, as in Klamp't.
constexpr std::int64_t kGoalPeriod = 50;
/// Goals with a fixed number of configurations: at most so many are taken at once.
constexpr std::int64_t kGoalsAtOnce = 64;
/// An edge is checked in parts of this fraction of the space's extent.
constexpr double kCoarseFraction = 0.02;

std::string fault(PlanningSpace& space, const char* what, int violated, const VectorXd& q) {
  return std::string(what) + ": " + space.explain(violated, q) + " (" +
         std::string(space.constraints()[static_cast<std::size_t>(violated)]) + ")";
}

}  // namespace

void RoundPlanner::start(const PlanningProblem& problem, RandomStream& random) {
  const int n = problem.space.dimension();
  for (const VectorXd& q : problem.starts)
    if (q.size() != n)
      throw Error("a start has " + std::to_string(q.size()) + " numbers, but configurations have " + std::to_string(n));
  problem_ = &problem;
  goal_ = problem.goal.copy();
  random_ = RandomStream(random.bits());
  metric_ = FlatMetric::of(problem.space);
  starts_.clear();
  goals_.clear();
  path_.clear();
  why_.clear();
  startFault_.clear();
  goalFault_.clear();
  cost_ = kInfinity;
  allGoals_ = ended_ = exhausted_ = unsuitable_ = optimal_ = false;
  rounds_ = nextGoalAt_ = goalTries_ = 0;
  samples_ = coarseChecked_ = coarseFree_ = edgesChecked_ = edgesFree_ = 0;
  problem.space.bounds(low_, high_);
  const double extent = problem.space.extent();
  coarseSpacing_ = std::isfinite(extent) && extent > 0 ? kCoarseFraction * extent : 0;
  for (const VectorXd& q : problem.starts) {
    int violated = -1;
    if (problem.space.feasible(q, &violated)) {
      starts_.push_back(q);
    } else if (startFault_.empty()) {
      startFault_ = fault(problem.space, "start", violated, q);
    }
  }
  if (starts_.empty()) return;
  begin();
  for (const VectorXd& q : starts_)
    if (inGoal(q)) offer({q});
}

bool RoundPlanner::supplyGoals() {
  if (allGoals_ || rounds_ < nextGoalAt_) return true;
  const std::int64_t count = goal_->count();
  for (std::int64_t k = 0; k < (count >= 0 ? kGoalsAtOnce : 1); ++k) {
    ++goalTries_;
    if (!goal_->sample(random_, sampled_)) {
      if (count >= 0) allGoals_ = true;
      break;
    }
    int violated = -1;
    if (space().feasible(sampled_, &violated)) {
      goals_.push_back(sampled_);
      addGoal(static_cast<int>(goals_.size()) - 1);
    } else if (goalFault_.empty()) {
      goalFault_ = fault(space(), "goal", violated, sampled_);
    }
  }
  // While there is none, each round but with growing distance: a goal that is hard to sample must not take all the time
  // from a planner that may get there by itself.
  nextGoalAt_ = rounds_ + (goals_.empty() ? std::min<std::int64_t>(kGoalPeriod, 1 + goalTries_ / 16)
                                          : kGoalPeriod * static_cast<std::int64_t>(goals_.size()));
  return !(allGoals_ && goals_.empty());
}

PlanningOutcome RoundPlanner::plan(PlanningStop& stop) {
  if (problem_ == nullptr) throw Error("a planner has to be given a problem before it plans");
  while (!starts_.empty() && !stop.reached(cost_)) {
    if (ended_ || optimal_ || !supplyGoals()) break;
    ++rounds_;
    const Round result = round();
    if (result == Round::more) continue;
    ended_ = true;
    exhausted_ = result == Round::exhausted;
    unsuitable_ = result == Round::unsuitable;
  }
  return outcome();
}

PlanningOutcome RoundPlanner::outcome() {
  PlanningOutcome outcome;
  outcome.path = path_;
  outcome.cost = cost_;
  if (!path_.empty()) {
    outcome.status = PlanningStatus::solved;
  } else if (starts_.empty()) {
    outcome.status = PlanningStatus::startInfeasible;
    outcome.message = startFault_.empty() ? "there is no start" : startFault_;
  } else if (goals_.empty() && allGoals_) {
    outcome.status = PlanningStatus::goalInfeasible;
    outcome.message = goalFault_.empty() ? "the goal has no configuration" : goalFault_;
  } else if (unsuitable_) {
    outcome.status = PlanningStatus::unsuitable;
    outcome.message = why_;
  } else if (exhausted_) {
    outcome.status = PlanningStatus::exhausted;
    outcome.message = why_;
  } else if (goals_.empty() && goalTries_ > 0) {
    outcome.status = PlanningStatus::goalUnsampled;
    outcome.message = goal_->explain();
  } else {
    outcome.status = PlanningStatus::stopped;
    outcome.message = "start and goal were not connected within " + std::to_string(rounds_) + " rounds";
  }
  Value& numbers = outcome.statistics;
  numbers.set("rounds", rounds_);
  numbers.set("goals", static_cast<std::int64_t>(goals_.size()));
  numbers.set("samples", samples_);
  numbers.set("edges_prechecked", coarseChecked_);
  numbers.set("edges_prechecked_infeasible", coarseChecked_ - coarseFree_);
  numbers.set("edges_checked", edgesChecked_);
  numbers.set("edges_rejected", edgesChecked_ - edgesFree_);
  if (!starts_.empty()) count(numbers);
  return outcome;
}

double RoundPlanner::edgeCost(const VectorXd& a, const VectorXd& b) const {
  return problem_->objective != nullptr ? problem_->objective->edgeCost(a, b) : distance(a, b);
}

double RoundPlanner::terminalCost(const VectorXd& q) const {
  return problem_->objective != nullptr ? problem_->objective->terminalCost(q) : 0;
}

double RoundPlanner::lowerBound(const VectorXd& a, const VectorXd& b) const {
  return problem_->objective != nullptr ? problem_->objective->lowerBound(a, b) : distance(a, b);
}

double RoundPlanner::lowerBoundFrom(const VectorXd& q) const {
  double minimum = kInfinity;
  for (const VectorXd& start : starts_) minimum = std::min(minimum, lowerBound(start, q));
  return minimum;
}

double RoundPlanner::lowerBoundTo(const VectorXd& q) const {
  if (!allGoals_) return 0;
  double minimum = kInfinity;
  for (const VectorXd& goal : goals_) minimum = std::min(minimum, lowerBound(q, goal) + terminalCost(goal));
  return minimum;
}

double RoundPlanner::scaleOfSpace() const {
  const double extent = space().extent();
  if (std::isfinite(extent) && extent > 0) return extent;
  double farthest = 0;
  for (const VectorXd& start : starts_)
    for (const VectorXd& goal : goals_) farthest = std::max(farthest, distance(start, goal));
  return farthest > 0 ? 2 * farthest : 1;
}

bool RoundPlanner::offer(const std::vector<VectorXd>& path) {
  double cost = terminalCost(path.back());
  for (std::size_t i = 1; i < path.size(); ++i) cost += edgeCost(path[i - 1], path[i]);
  if (!(cost < cost_)) return false;
  path_ = path;
  cost_ = cost;
  if (!allGoals_) return true;
  double minimum = kInfinity;
  for (const VectorXd& start : starts_) minimum = std::min(minimum, lowerBoundTo(start));
  optimal_ = cost <= minimum * (1 + 1e-12);
  return true;
}

bool RoundPlanner::passesCoarseCheck(const VectorXd& a, const VectorXd& b) {
  return passesCoarseCheck(a, b, distance(a, b));
}

bool RoundPlanner::passesCoarseCheck(const VectorXd& a, const VectorXd& b, double length) {
  ++coarseChecked_;
  const double spacing = coarseSpacing_ > 0 ? coarseSpacing_ : length / 16;
  int parts = 1;
  while (parts < 1024 && parts * spacing < length) parts *= 2;
  for (int step = parts; step > 1; step /= 2)
    for (int k = step / 2; k < parts; k += step) {
      space().interpolate(a, b, static_cast<double>(k) / parts, coarse_);
      if (!space().feasible(coarse_)) return false;
    }
  ++coarseFree_;
  return true;
}

bool RoundPlanner::isFree(const VectorXd& a, const VectorXd& b) {
  ++edgesChecked_;
  const bool is = space().visible(a, b);
  edgesFree_ += is;
  return is;
}

bool RoundPlanner::isFeasible(const VectorXd& q) { return space().feasible(q); }

void RoundPlanner::sample(VectorXd& q) {
  ++samples_;
  space().sample(random_, q);
}

bool RoundPlanner::sampleBelow(double cost, VectorXd& q) {
  if (!(cost < kInfinity)) {
    sample(q);
    return true;
  }
  constexpr int kTries = 32;
  const bool ellipsoids = metric_.flat && problem_->objective == nullptr && allGoals_ && metric_.weights.minCoeff() > 0;
  for (int k = 0; k < kTries; ++k) {
    if (ellipsoids && k % 2 == 1) {
      if (sampleEllipsoid(cost, q)) return true;
    } else {
      sample(q);
      if (lowerBoundFrom(q) + lowerBoundTo(q) < cost) return true;
    }
  }
  return false;
}

/// Draws from the ellipsoid of one pair of start and goal. A unit ball, stretched, turned by a reflection that takes
/// the first axis to the line between the two, and moved between them.
bool RoundPlanner::sampleEllipsoid(double cost, VectorXd& q) {
  ++samples_;
  const VectorXd& start = starts_[random_.below(starts_.size())];
  const VectorXd& goal = goals_[random_.below(goals_.size())];
  const VectorXd& w = metric_.weights;
  const Eigen::Index n = w.size();
  q.resize(n);
  double square = 0;
  for (Eigen::Index i = 0; i < n; ++i) {
    q[i] = random_.gaussian();
    square += q[i] * q[i];
  }
  const double minimum = distance(start, goal);
  if (!(minimum < cost) || !(square > 0)) return false;
  q *= std::pow(random_.uniform(), 1.0 / static_cast<double>(n)) / std::sqrt(square);
  q[0] *= 0.5 * cost;
  q.tail(n - 1) *= 0.5 * std::sqrt(cost * cost - minimum * minimum);
  if (minimum > 0) {
    // Householder: v = e1 - u; the reflection takes e1 to u.
    double dot = 0, length = 0;
    for (Eigen::Index i = 0; i < n; ++i) {
      const double v = (i == 0 ? 1.0 : 0.0) - w[i] * (goal[i] - start[i]) / minimum;
      dot += v * q[i];
      length += v * v;
    }
    if (length > 1e-24)
      for (Eigen::Index i = 0; i < n; ++i)
        q[i] -= 2 * dot / length * ((i == 0 ? 1.0 : 0.0) - w[i] * (goal[i] - start[i]) / minimum);
  }
  for (Eigen::Index i = 0; i < n; ++i) {
    q[i] = 0.5 * (start[i] + goal[i]) + q[i] / w[i];
    if (!(q[i] >= low_[i] && q[i] <= high_[i])) return false;
  }
  return true;
}

}  // namespace mortise::planners
