#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mortise/component/planner.h"
#include "structures/flat_metric.h"

namespace mortise::planners {

/// The common part of all planners here: they work in short rounds, one check of an edge or less in each; they ask for
/// goal configurations little by little; they keep the best path.
class RoundPlanner : public Planner {
 public:
  void start(const PlanningProblem& problem, RandomStream& random) final;
  PlanningOutcome plan(PlanningStop& stop) final;
  /// The path cannot be bettered: it costs no more than the edge from start to goal would without obstacles.
  bool optimal() const { return optimal_; }

 protected:
  enum class Round {
    more,
    finished,   ///< Nothing could be better than the path that there is, or this planner never betters one.
    exhausted,  ///< Nothing is left to try. `why_` may say more.
    unsuitable  ///< Not for problems like this one; `why_` says why not.
  };

  /// A new problem: `starts()` has the feasible ones.
  virtual void begin() = 0;
  /// Another goal configuration, feasible, has been found; index in `goals()`.
  virtual void addGoal(int goal) = 0;
  virtual Round round() = 0;
  /// Adds the planner's own numbers.
  virtual void count(Value& statistics) const = 0;

  PlanningSpace& space() const { return problem_->space; }
  const PlanningProblem& problem() const { return *problem_; }
  RandomStream& random() { return random_; }
  const FlatMetric& metric() const { return metric_; }
  const std::vector<VectorXd>& starts() const { return starts_; }
  const std::vector<VectorXd>& goals() const { return goals_; }
  /// No goal configuration has been found yet, but one may be.
  bool goalsUnknown() const { return goals_.empty() && !allGoals_; }
  /// There will be no more than those in `goals()`.
  bool goalsComplete() const { return allGoals_; }
  bool inGoal(const VectorXd& q) { return goal_->contains(q); }

  // The objective, or length.
  double distance(const VectorXd& a, const VectorXd& b) const { return problem_->space.distance(a, b); }
  double edgeCost(const VectorXd& a, const VectorXd& b) const;
  double terminalCost(const VectorXd& q) const;
  double lowerBound(const VectorXd& a, const VectorXd& b) const;
  /// From the starts to q, and from q to the end of a path; the latter 0 where more goals may come.
  double lowerBoundFrom(const VectorXd& q) const;
  double lowerBoundTo(const VectorXd& q) const;

  /// A distance: `fraction` of the space's extent, or where nothing bounds that, of what lies between starts and goals.
  double scaleOfSpace() const;

  bool solved() const { return !path_.empty(); }
  double bestCost() const { return cost_; }
  const std::vector<VectorXd>& bestPath() const { return path_; }
  /// Keeps the path if it is better. Ways are known to be free.
  bool offer(const std::vector<VectorXd>& path);

  /// Checks a few configurations of an edge, far apart ones first, which finds most infeasible edges at little cost;
  /// not a proof. The ends are known to be feasible.
  bool passesCoarseCheck(const VectorXd& a, const VectorXd& b);
  bool passesCoarseCheck(const VectorXd& a, const VectorXd& b, double length);
  /// The space's own word.
  bool isFree(const VectorXd& a, const VectorXd& b);
  bool isFeasible(const VectorXd& q);
  /// Somewhere, not known to be feasible.
  void sample(VectorXd& q);
  /// Somewhere on a path that might cost less than `cost`, as far as is known; false: none was found this time. Where
  /// distances are Euclidean and cost is length, also straight from the ellipsoids that hold all such places (Gammell,
  /// Srinivasa and Barfoot, "Informed RRT*", 2014).
  bool sampleBelow(double cost, VectorXd& q);

  std::string why_;

 private:
  bool supplyGoals();
  bool sampleEllipsoid(double cost, VectorXd& q);
  PlanningOutcome outcome();

  const PlanningProblem* problem_ = nullptr;
  std::unique_ptr<PlanningGoal> goal_;
  RandomStream random_;
  FlatMetric metric_;
  std::vector<VectorXd> starts_, goals_, path_;
  double cost_ = 0;
  double coarseSpacing_ = 0;
  std::string startFault_, goalFault_;
  bool allGoals_ = false, ended_ = false, exhausted_ = false, unsuitable_ = false, optimal_ = false;
  std::int64_t rounds_ = 0, nextGoalAt_ = 0, goalTries_ = 0;
  std::int64_t samples_ = 0, coarseChecked_ = 0, coarseFree_ = 0, edgesChecked_ = 0, edgesFree_ = 0;
  VectorXd coarse_, sampled_, low_, high_;
};

}  // namespace mortise::planners
