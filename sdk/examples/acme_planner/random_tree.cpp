#include <limits>
#include <vector>

#include "mortise/plugin/plugin.h"
#include "mortise/settings/settings.h"

namespace {

using mortise::VectorXd;

struct TreeSettings {
  double range = 0.5, bias = 0.1;

  void bind(mortise::SettingBinder& b) {
    b.add("range", range, "Length of an edge, in the space's metric.", {.min = 1e-6});
    b.add("bias", bias, "Fraction of edges that grow towards the goal.", {.min = 0, .max = 1});
  }
};

/// Rapidly-exploring random tree (LaValle, 1998): grows from the start towards random configurations, and now and then
/// towards the goal, until it is there. Knows nothing about robots, only the space that it is given.
class RandomTree final : public mortise::Planner {
 public:
  explicit RandomTree(const mortise::ComponentContext& context) : settings_(context.settings) {}

  // All randomness comes from `random`: the same seed gives the same path.
  void start(const mortise::PlanningProblem& problem, mortise::RandomStream& random) override {
    problem_ = &problem;
    random_ = &random;
    nodes_ = problem.starts;
    parents_.assign(nodes_.size(), -1);
    goals_.clear();
    path_.clear();
  }

  mortise::PlanningOutcome plan(mortise::PlanningStop& stop) override {
    constexpr double kNone = std::numeric_limits<double>::infinity();
    while (!stop.reached(path_.empty() ? kNone : 0)) round();  // A path's cost is worked out by who runs the planner.
    mortise::PlanningOutcome outcome;
    outcome.path = path_;
    outcome.status = path_.empty() ? mortise::PlanningStatus::stopped : mortise::PlanningStatus::solved;
    outcome.statistics.set("nodes", static_cast<std::int64_t>(nodes_.size()));
    return outcome;
  }

 private:
  void round() {
    if (!path_.empty()) return;  // It makes no path better, so there is nothing left to do.
    mortise::PlanningSpace& space = problem_->space;
    VectorXd q;
    if (problem_->goal.sample(*random_, q) && space.feasible(q)) goals_.push_back(q);
    const bool toGoal = !goals_.empty() && random_->uniform() < settings_->bias;
    if (toGoal)
      q = goals_[random_->below(goals_.size())];
    else
      space.sample(*random_, q);

    std::size_t nearest = 0;
    for (std::size_t i = 1; i < nodes_.size(); ++i)
      if (space.distance(nodes_[i], q) < space.distance(nodes_[nearest], q)) nearest = i;
    const double distance = space.distance(nodes_[nearest], q);
    const bool arrives = distance <= settings_->range;
    if (!arrives) space.interpolate(nodes_[nearest], q, settings_->range / distance, q);
    if (!space.feasible(q) || !space.visible(nodes_[nearest], q)) return;
    nodes_.push_back(q);
    parents_.push_back(static_cast<int>(nearest));
    if (!toGoal || !arrives) return;
    for (int i = static_cast<int>(nodes_.size()) - 1; i >= 0; i = parents_[static_cast<std::size_t>(i)])
      path_.insert(path_.begin(), nodes_[static_cast<std::size_t>(i)]);
  }

  mortise::Settings<TreeSettings> settings_;
  const mortise::PlanningProblem* problem_ = nullptr;
  mortise::RandomStream* random_ = nullptr;
  std::vector<VectorXd> nodes_, goals_, path_;
  std::vector<int> parents_;
};

}  // namespace

MORTISE_PLUGIN("acme_planner", "1.0.0") {
  plugin.planner<RandomTree>("acme.RandomTree").summary("A random tree from the start.").settings<TreeSettings>();
}
