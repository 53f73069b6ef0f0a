#include "real_time_tree.h"

#include <utility>

#include "mortise/planning/planning_run.h"
#include "mortise/planning/real_time/moving_ramps.h"
#include "mortise/settings/settings.h"

namespace mortise::planners {

namespace {

/// Iterations of the trees in a round of the planner.
constexpr std::int64_t kIterationsPerRound = 8;

}  // namespace

void RealTimeTreeSettings::bind(SettingBinder& b) {
  b.add("step", step, "One step of a tree, as a fraction of the space's extent.", {.min = 1e-4, .max = 1});
}

/// The problem's goal as a target.
class RealTimeTree::Target final : public RealTimeTarget {
 public:
  explicit Target(const PlanningProblem& problem) : space_(problem.space), goal_(problem.goal.copy()) {}
  bool contains(const VectorXd& q) override { return goal_->contains(q); }
  double distance(const VectorXd& q) override { return goal_->distance(q); }
  void approach(VectorXd&) override {}
  bool sample(RandomStream& random, VectorXd& q) override {
    if (!goal_->sample(random, q)) return false;
    ++given_;
    return space_.feasible(q);
  }
  void restart(const VectorXd&) override {}
  /// All that there are have been given.
  bool empty() const { return goal_->count() >= 0 && given_ >= goal_->count(); }
  std::string explain() { return goal_->explain(); }

 private:
  PlanningSpace& space_;
  std::unique_ptr<PlanningGoal> goal_;
  std::int64_t given_ = 0;
};

RealTimeTree::RealTimeTree(const ComponentContext& context)
    : step_(Settings<RealTimeTreeSettings>(context.settings)->step) {}

RealTimeTree::~RealTimeTree() = default;

void RealTimeTree::start(const PlanningProblem& problem, RandomStream& random) {
  problem_ = &problem;
  tree_.reset();
  outcome_ = {};
  random_ = RandomStream(random.bits(), "real-time tree");
  const VectorXd* first = nullptr;
  for (const VectorXd& q : problem.starts)
    if (first == nullptr && problem.space.feasible(q)) first = &q;
  if (first == nullptr) return;
  // Milestones do not depend on limits.
  std::vector<CoordinateLimits> limits(static_cast<std::size_t>(problem.space.dimension()),
                                       CoordinateLimits{.vMin = -1, .vMax = 1, .aMax = 1});
  RealTimePlannerOptions options;
  options.step = step_;
  cycle_ = RealTimeCycle();
  cycle_.current = restingPath(*first);
  target_ = std::make_unique<Target>(problem);
  planner_ = std::make_unique<RealTimePlanner>(problem.space, std::move(limits), nullptr, options);
  tree_.emplace(*planner_, cycle_, *target_, random_);
}

PlanningOutcome RealTimeTree::failure(PlanningStatus status, std::string message) const {
  PlanningOutcome outcome;
  outcome.status = status;
  outcome.message = std::move(message);
  return outcome;
}

PlanningOutcome RealTimeTree::solution(const RampPath& path) const {
  PlanningOutcome outcome;
  outcome.status = PlanningStatus::solved;
  VectorXd q(path.size());
  for (Eigen::Index c = 0; c < q.size(); ++c) q[c] = path.segment(0)[static_cast<std::size_t>(c)].x0;
  outcome.path.push_back(q);
  for (std::size_t k = 0; k < path.numSegments(); ++k) {
    for (Eigen::Index c = 0; c < q.size(); ++c) q[c] = path.segment(k)[static_cast<std::size_t>(c)].x1;
    if (q != outcome.path.back()) outcome.path.push_back(q);
  }
  outcome.cost = pathCost(*problem_, outcome.path);
  return outcome;
}

PlanningOutcome RealTimeTree::plan(PlanningStop& stop) {
  if (!tree_) return failure(PlanningStatus::startInfeasible, "no start is feasible");
  while (outcome_.path.empty()) {
    if (stop.reached(kInfinity)) return failure(PlanningStatus::stopped, "the trees have not met");
    PlanningEffort effort(kIterationsPerRound);
    RampPath path;
    if (tree_->search(effort, path))
      outcome_ = solution(path);
    else if (target_->empty() && !tree_->hasGoals())
      return failure(PlanningStatus::goalInfeasible, "no goal is feasible");
  }
  stop.reached(outcome_.cost);
  return outcome_;
}

}  // namespace mortise::planners
