#include "mortise/plan/plan_goal.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/plan/union_goal.h"
#include "mortise/planning/goals.h"

namespace mortise {

namespace {

constexpr const char* kObjectCoordinates[] = {"x", "y", "z", "rotation x", "rotation y", "rotation z"};

VectorXd reduced(const MotionSpace& space, const World& world, const VectorXd& whole) {
  if (whole.size() != space.wholeSize())
    throw Error("a goal has " + std::to_string(whole.size()) + " numbers, but whole configurations have " +
                std::to_string(space.wholeSize()));
  int difference = -1;
  if (!space.agrees(whole, &difference))
    throw Error("the goal moves " + wholeCoordinateName(space, world, difference) + ", which is not planned for", {},
                "name it among the links, or leave it where the start has it");
  VectorXd q;
  space.reduce(whole, q);
  return q;
}

/// Numbers of whole configurations within ends.
struct Box {
  const MotionSpace* space;
  VectorXd low, high;

  bool contains(const VectorXd& q) const {
    VectorXd whole;
    space->lift(q, whole);
    for (Eigen::Index i = 0; i < whole.size(); ++i)
      if (!(whole[i] >= low[i] && whole[i] <= high[i])) return false;
    return true;
  }
  VectorXd nearest(const VectorXd& q) const {
    VectorXd whole, inside;
    space->lift(q, whole);
    whole = whole.cwiseMax(low).cwiseMin(high);
    space->reduce(whole, inside);
    return inside;
  }
  /// From anywhere within the space's bounds to the same place within the box: what is sampled evenly stays so.
  bool project(VectorXd& q) const {
    VectorXd spaceLow, spaceHigh, from, to, whole, inside;
    space->bounds(spaceLow, spaceHigh);
    // Without ends on both sides there is nothing to scale.
    for (Eigen::Index c = 0; c < q.size(); ++c) {
      if (!std::isfinite(spaceLow[c])) spaceLow[c] = q[c];
      if (!std::isfinite(spaceHigh[c])) spaceHigh[c] = q[c];
    }
    space->lift(spaceLow, from);
    space->lift(spaceHigh, to);
    space->lift(q, whole);
    for (Eigen::Index i = 0; i < whole.size(); ++i) {
      const double lowest = std::min(from[i], to[i]), highest = std::max(from[i], to[i]);
      const double a = std::max(low[i], lowest), b = std::min(high[i], highest);
      if (whole[i] >= low[i] && whole[i] <= high[i] && !std::isfinite(low[i]) && !std::isfinite(high[i])) continue;
      if (highest > lowest && b >= a)
        whole[i] = std::clamp(a + (whole[i] - lowest) / (highest - lowest) * (b - a), a, b);
      else
        whole[i] = std::clamp(whole[i], low[i], high[i]);
    }
    space->reduce(whole, inside);
    q = inside;
    return true;
  }
};

std::unique_ptr<PlanningGoal> boxGoal(MotionSpace& space, const World& world, const PlanGoalRequest& goal) {
  const int n = space.wholeSize();
  if (goal.low.size() != n || goal.high.size() != n)
    throw Error("a goal region needs two ends for each of the " + std::to_string(n) +
                " numbers of a whole configuration");
  for (int i = 0; i < n; ++i)
    if (!(goal.low[i] <= goal.high[i]))
      throw Error("the goal region of " + wholeCoordinateName(space, world, i) + " has its lower end above its upper");
  Box box{&space, goal.low, goal.high};
  RegionGoal::Region region;
  region.name = "region";
  region.contains = [box](const VectorXd& q) { return box.contains(q); };
  region.distance = [box](const VectorXd& q) { return box.space->distance(q, box.nearest(q)); };
  region.project = [box](VectorXd& q) { return box.project(q); };
  return std::make_unique<RegionGoal>(space, std::move(region));
}

}  // namespace

std::string wholeCoordinateName(const MotionSpace& space, const World& world, int index) {
  for (const Mover& mover : space.movers()) {
    if (index < mover.first || index >= mover.first + mover.size) continue;
    const int own = index - mover.first;
    if (mover.kind == Mover::Kind::object)
      return std::string(kObjectCoordinates[own]) + " of object '" + world.objects[mover.index].name + "'";
    const WorldRobot& robot = world.robots[mover.index];
    std::string name = "link '" + robot.robot->link(own).name + "'";
    if (space.movers().size() > 1) name += " of robot '" + robot.name + "'";
    return name;
  }
  return "number " + std::to_string(index);
}

std::unique_ptr<PlanningGoal> makePlanGoal(MotionSpace& space, const World& world, const PlanSpaceRequest&,
                                           const PlanGoalRequest& goal) {
  std::vector<std::unique_ptr<PlanningGoal>> goals;
  if (!goal.configurations.empty()) {
    std::vector<VectorXd> configurations;
    for (const VectorXd& whole : goal.configurations) configurations.push_back(reduced(space, world, whole));
    goals.push_back(std::make_unique<ConfigurationGoal>(space, std::move(configurations), goal.tolerance));
  }
  if (goal.low.size() > 0 || goal.high.size() > 0) goals.push_back(boxGoal(space, world, goal));
  if (goals.empty()) throw Error("there is no goal", {}, "name a configuration, goals of links or a region");
  if (goals.size() == 1) return std::move(goals.front());
  return std::make_unique<UnionGoal>(std::move(goals));
}

std::unique_ptr<PlanningObjective> makePlanObjective(MotionSpace&, const World&, const PlanSpaceRequest&,
                                                     const PlanObjectiveRequest&) {
  return nullptr;
}

}  // namespace mortise
