#include "mortise/planning/goals/goal_sets.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"

namespace mortise {

BoxGoal::BoxGoal(PlanningSpace& space, VectorXd low, VectorXd high, double tolerance, int tries)
    : space_(space), low_(std::move(low)), high_(std::move(high)), tolerance_(tolerance), tries_(tries) {
  const int n = space_.dimension();
  if (low_.size() != n || high_.size() != n)
    throw Error("a goal by ranges needs " + std::to_string(n) + " numbers for each end");
  if (!(tolerance_ >= 0)) throw Error("the tolerance of a goal by ranges must be at least 0");
  if (tries_ < 1) throw Error("a goal by ranges must be sampled at least once a call");
  space_.bounds(from_, to_);
  for (int i = 0; i < n; ++i) {
    const std::string which = "the goal's range of '" + space_.coordinateName(i) + "', " + formatReal(low_[i]) +
                              " to " + formatReal(high_[i]) + ",";
    if (!(low_[i] <= high_[i])) throw Error(which + " has no inside", {}, "give the lower end first");
    if (low_[i] > to_[i] + tolerance_ || high_[i] < from_[i] - tolerance_)
      throw Error(which + " is beyond the bounds " + formatReal(from_[i]) + " to " + formatReal(to_[i]));
    const double minimum = from_[i], maximum = to_[i];
    from_[i] = std::min(std::max(minimum, low_[i]), maximum);
    to_[i] = std::max(std::min(maximum, high_[i]), minimum);
  }
  violated_.assign(space_.constraints().size(), 0);
}

bool BoxGoal::contains(const VectorXd& q) {
  return q.size() == low_.size() && ((q - low_).array() >= -tolerance_).all() &&
         ((high_ - q).array() >= -tolerance_).all();
}

double BoxGoal::distance(const VectorXd& q) {
  if (contains(q)) return 0;
  nearest_ = q.cwiseMax(low_).cwiseMin(high_);
  return space_.distance(q, nearest_);
}

bool BoxGoal::sample(RandomStream& random, VectorXd& q) {
  for (int k = 0; k < tries_; ++k) {
    ++tried_;
    space_.sample(random, q);
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      if (std::isfinite(from_[i]) && std::isfinite(to_[i]))
        q[i] = from_[i] < to_[i] ? random.uniform(from_[i], to_[i]) : from_[i];
      else
        q[i] = std::min(std::max(q[i], from_[i]), to_[i]);
    }
    int violated = -1;
    if (space_.feasible(q, &violated)) return true;
    ++violated_[static_cast<std::size_t>(violated)];
  }
  return false;
}

std::string BoxGoal::explain() {
  std::string text = "of " + std::to_string(tried_) + " configurations tried in the goal's ranges";
  bool first = true;
  for (std::size_t i = 0; i < violated_.size(); ++i) {
    if (violated_[i] == 0) continue;
    text += (first ? " " : ", ") + std::to_string(violated_[i]) + " failed '" + space_.constraints()[i] + "'";
    first = false;
  }
  return first ? text + " all were feasible" : text;
}

std::unique_ptr<PlanningGoal> BoxGoal::copy() const {
  std::unique_ptr<PlanningSpace> space = space_.copy();
  auto goal = std::make_unique<BoxGoal>(*space, low_, high_, tolerance_, tries_);
  goal->own_ = std::move(space);
  return goal;
}

UnionGoal::UnionGoal(std::vector<std::unique_ptr<PlanningGoal>> goals) : goals_(std::move(goals)) {
  if (goals_.empty()) throw Error("a goal needs at least one to choose from");
  for (const auto& goal : goals_)
    if (goal == nullptr) throw Error("a goal to choose from is missing");
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
    const std::string why = goal->explain();
    if (!why.empty()) text += (text.empty() ? "" : "; ") + why;
  }
  return text;
}

std::unique_ptr<PlanningGoal> UnionGoal::copy() const {
  std::vector<std::unique_ptr<PlanningGoal>> goals;
  for (const auto& goal : goals_) goals.push_back(goal->copy());
  return std::make_unique<UnionGoal>(std::move(goals));
}

}  // namespace mortise
