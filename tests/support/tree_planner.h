#pragma once

#include <vector>

#include "mortise/component/planner.h"
#include "mortise/plugin/registry.h"

namespace mortise::test {

/// A planner for tests: a tree from the start, grown by `range` towards random places and, now and then, the goals
/// (LaValle 1998). Once it has a path it goes on until it is stopped, without making it better.
class TreePlanner final : public Planner {
 public:
  explicit TreePlanner(const ComponentContext& context)
      : range_(context.settings.at("range").asReal()), bias_(context.settings.at("bias").asReal()) {}

  void start(const PlanningProblem& problem, RandomStream& random) override {
    problem_ = &problem;
    random_ = &random;
    nodes_.clear();
    parents_.clear();
    goals_.clear();
    path_.clear();
    for (const VectorXd& q : problem.starts) add(q, -1);
  }

  PlanningOutcome plan(PlanningStop& stop) override {
    PlanningOutcome outcome;
    PlanningSpace& space = problem_->space;
    double cost = std::numeric_limits<double>::infinity();
    VectorXd target, q;
    while (!stop.reached(cost)) {
      if (!path_.empty()) {
        cost = 1;
        continue;
      }
      if (problem_->goal.sample(*random_, q) && space.feasible(q)) goals_.push_back(q);
      const bool toGoal = !goals_.empty() && random_->uniform() < bias_;
      if (toGoal)
        target = goals_[random_->below(goals_.size())];
      else
        space.sample(*random_, target);
      std::size_t nearest = 0;
      for (std::size_t i = 1; i < nodes_.size(); ++i)
        if (space.distance(nodes_[i], target) < space.distance(nodes_[nearest], target)) nearest = i;
      const double distance = space.distance(nodes_[nearest], target);
      const bool full = distance <= range_;
      q = target;
      if (!full) space.interpolate(nodes_[nearest], target, range_ / distance, q);
      if (!space.feasible(q) || !space.visible(nodes_[nearest], q)) continue;
      add(q, static_cast<int>(nearest));
      if (!toGoal || !full) continue;
      for (int i = static_cast<int>(nodes_.size()) - 1; i >= 0; i = parents_[i]) path_.insert(path_.begin(), nodes_[i]);
      cost = 1;
    }
    outcome.status = path_.empty() ? PlanningStatus::stopped : PlanningStatus::solved;
    outcome.path = path_;
    outcome.statistics.set("nodes", static_cast<std::int64_t>(nodes_.size()));
    return outcome;
  }

  bool roadmap(Roadmap& roadmap) const override {
    roadmap.configurations = nodes_;
    roadmap.starts = {0};
    for (std::size_t i = 0; i < parents_.size(); ++i)
      if (parents_[i] >= 0) roadmap.edges.push_back({parents_[i], static_cast<int>(i), 1, true});
    return true;
  }

 private:
  void add(const VectorXd& q, int parent) {
    nodes_.push_back(q);
    parents_.push_back(parent);
  }

  double range_, bias_;
  const PlanningProblem* problem_ = nullptr;
  RandomStream* random_ = nullptr;
  std::vector<VectorXd> nodes_, goals_, path_;
  std::vector<int> parents_;
};

/// As test.Tree, known after the next `discover`.
void addTreePlanner(Registry& registry);

}  // namespace mortise::test
