#include "mortise/planning/goals/goals.h"

#include <algorithm>

#include "mortise/base/error.h"

namespace mortise {

ConfigurationGoal::ConfigurationGoal(const PlanningSpace& space, std::vector<VectorXd> configurations, double tolerance)
    : space_(space), configurations_(std::move(configurations)), tolerance_(tolerance) {
  if (configurations_.empty()) throw Error("a goal needs at least one configuration");
  for (const VectorXd& q : configurations_)
    if (q.size() != space.dimension())
      throw Error("a goal has " + std::to_string(q.size()) + " numbers, but configurations have " +
                  std::to_string(space.dimension()));
}

bool ConfigurationGoal::contains(const VectorXd& q) { return distance(q) == 0; }

double ConfigurationGoal::distance(const VectorXd& q) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const VectorXd& goal : configurations_) nearest = std::min(nearest, space_.distance(q, goal));
  return std::max(0.0, nearest - tolerance_);
}

bool ConfigurationGoal::sample(RandomStream&, VectorXd& q) {
  if (next_ == configurations_.size()) return false;
  q = configurations_[next_++];
  return true;
}

std::unique_ptr<PlanningGoal> ConfigurationGoal::copy() const {
  std::unique_ptr<PlanningSpace> space = space_.copy();
  auto goal = std::make_unique<ConfigurationGoal>(*space, configurations_, tolerance_);
  goal->own_ = std::move(space);
  return goal;
}

RegionGoal::RegionGoal(PlanningSpace& space, Region region, int tries)
    : space_(space), region_(std::move(region)), tries_(tries), violated_(space.constraints().size(), 0) {
  if (!region_.contains) throw Error("goal region '" + region_.name + "' has no test of what belongs to it");
  if (tries < 1) throw Error("a goal region must be sampled at least once a call");
}

bool RegionGoal::contains(const VectorXd& q) { return region_.contains(q); }

double RegionGoal::distance(const VectorXd& q) {
  if (region_.contains(q)) return 0;
  return region_.distance ? region_.distance(q) : 1;
}

bool RegionGoal::sample(RandomStream& random, VectorXd& q) {
  for (int k = 0; k < tries_; ++k) {
    ++tried_;
    space_.sample(random, q);
    if ((region_.project && !region_.project(q)) || !region_.contains(q)) {
      ++outside_;
      continue;
    }
    int violated = -1;
    if (space_.feasible(q, &violated)) return true;
    ++violated_[static_cast<std::size_t>(violated)];
  }
  return false;
}

std::string RegionGoal::explain() {
  std::string text = "of " + std::to_string(tried_) + " configurations tried for goal '" + region_.name + "', " +
                     std::to_string(outside_) + " were outside";
  for (std::size_t i = 0; i < violated_.size(); ++i)
    if (violated_[i] > 0)
      text += ", " + std::to_string(violated_[i]) + " failed '" + std::string(space_.constraints()[i]) + "'";
  return text;
}

std::unique_ptr<PlanningGoal> RegionGoal::copy() const {
  std::unique_ptr<PlanningSpace> space = space_.copy();
  auto goal = std::make_unique<RegionGoal>(*space, region_, tries_);
  goal->own_ = std::move(space);
  return goal;
}

}  // namespace mortise
