#include "mortise/plan/union_goal.h"

#include <algorithm>

#include "mortise/base/error.h"

namespace mortise {

UnionGoal::UnionGoal(std::vector<std::unique_ptr<PlanningGoal>> goals) : goals_(std::move(goals)) {
  if (goals_.empty()) throw Error("a union of goals needs at least one of them");
}

bool UnionGoal::contains(const VectorXd& q) {
  return std::any_of(goals_.begin(), goals_.end(), [&](const auto& goal) { return goal->contains(q); });
}

double UnionGoal::distance(const VectorXd& q) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const auto& goal : goals_) nearest = std::min(nearest, goal->distance(q));
  return nearest;
}

bool UnionGoal::sample(RandomStream& random, VectorXd& q) {
  for (std::size_t k = 0; k < goals_.size(); ++k) {
    PlanningGoal& goal = *goals_[next_];
    next_ = (next_ + 1) % goals_.size();
    if (goal.sample(random, q)) return true;
  }
  return false;
}

std::int64_t UnionGoal::count() const {
  std::int64_t sum = 0;
  for (const auto& goal : goals_) {
    if (goal->count() < 0) return -1;
    sum += goal->count();
  }
  return sum;
}

std::string UnionGoal::explain() {
  std::string text;
  for (const auto& goal : goals_) {
    const std::string own = goal->explain();
    if (!own.empty()) text += (text.empty() ? "" : "; ") + own;
  }
  return text;
}

std::unique_ptr<PlanningGoal> UnionGoal::copy() const {
  std::vector<std::unique_ptr<PlanningGoal>> copies;
  for (const auto& goal : goals_) copies.push_back(goal->copy());
  return std::make_unique<UnionGoal>(std::move(copies));
}

}  // namespace mortise
