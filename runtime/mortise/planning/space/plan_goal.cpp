#include "mortise/planning/space/plan_goal.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "mortise/base/error.h"
#include "mortise/base/random.h"
#include "mortise/planning/goals/goal_sets.h"
#include "mortise/planning/goals/goals.h"
#include "mortise/planning/goals/ik_goal_region.h"
#include "mortise/planning/goals/objectives.h"
#include "mortise/planning/spaces/motion_space.h"

namespace mortise {

namespace {

constexpr const char* kObjectCoordinates[] = {"x", "y", "z", "rotation x", "rotation y", "rotation z"};

VectorXd reduced(const MotionSpace& space, const World& world, const VectorXd& full) {
  if (full.size() != space.fullSize())
    throw Error("a goal has " + std::to_string(full.size()) + " numbers, but full configurations have " +
                std::to_string(space.fullSize()));
  int difference = -1;
  if (!space.agrees(full, &difference))
    throw Error("the goal moves " + fullCoordinateName(space, world, difference) + ", which is not planned for", {},
                "name it among the links, or give it the value of the start");
  VectorXd q;
  space.reduce(full, q);
  return q;
}

/// A box of full configurations.
struct Box {
  const MotionSpace* space;
  VectorXd low, high;

  bool contains(const VectorXd& q) const {
    VectorXd full;
    space->lift(q, full);
    for (Eigen::Index i = 0; i < full.size(); ++i)
      if (!(full[i] >= low[i] && full[i] <= high[i])) return false;
    return true;
  }
  VectorXd nearest(const VectorXd& q) const {
    VectorXd full, inside;
    space->lift(q, full);
    full = full.cwiseMax(low).cwiseMin(high);
    space->reduce(full, inside);
    return inside;
  }
  /// Scales the space's bounds to the box, so that uniform samples stay uniform.
  bool project(VectorXd& q) const {
    VectorXd spaceLow, spaceHigh, from, to, full, inside;
    space->bounds(spaceLow, spaceHigh);
    // Without bounds on both sides there is nothing to scale.
    for (Eigen::Index c = 0; c < q.size(); ++c) {
      if (!std::isfinite(spaceLow[c])) spaceLow[c] = q[c];
      if (!std::isfinite(spaceHigh[c])) spaceHigh[c] = q[c];
    }
    space->lift(spaceLow, from);
    space->lift(spaceHigh, to);
    space->lift(q, full);
    for (Eigen::Index i = 0; i < full.size(); ++i) {
      const double lowest = std::min(from[i], to[i]), highest = std::max(from[i], to[i]);
      const double a = std::max(low[i], lowest), b = std::min(high[i], highest);
      if (full[i] >= low[i] && full[i] <= high[i] && !std::isfinite(low[i]) && !std::isfinite(high[i])) continue;
      if (highest > lowest && b >= a)
        full[i] = std::clamp(a + (full[i] - lowest) / (highest - lowest) * (b - a), a, b);
      else
        full[i] = std::clamp(full[i], low[i], high[i]);
    }
    space->reduce(full, inside);
    q = inside;
    return true;
  }
};

/// The dependence of full configurations on planning coordinates: each number on at most one coordinate, at a fixed
/// rate.
struct Rates {
  std::vector<int> coordinate;  ///< By number; -1: the number is constant.
  VectorXd rate, offset;
  bool fixed = true;

  explicit Rates(const MotionSpace& space) : coordinate(static_cast<std::size_t>(space.fullSize()), -1) {
    VectorXd zero = VectorXd::Zero(space.dimension()), q = zero, full, twice;
    space.lift(zero, offset);
    rate = VectorXd::Zero(offset.size());
    for (int c = 0; c < space.dimension(); ++c) {
      q[c] = 0.5;
      space.lift(q, full);
      q[c] = 1;
      space.lift(q, twice);
      q[c] = 0;
      for (Eigen::Index i = 0; i < offset.size(); ++i) {
        const double change = twice[i] - offset[i];
        if (std::abs(2 * (full[i] - offset[i]) - change) > 1e-9) fixed = false;
        if (std::abs(change) <= 1e-12) continue;
        if (coordinate[static_cast<std::size_t>(i)] >= 0) fixed = false;
        coordinate[static_cast<std::size_t>(i)] = c;
        rate[i] = change;
      }
    }
  }
};

std::unique_ptr<PlanningGoal> boxGoal(MotionSpace& space, const World& world, const PlanGoalRequest& goal) {
  const int n = space.fullSize();
  if (goal.low.size() != n || goal.high.size() != n)
    throw Error("a goal region needs two bounds for each of the " + std::to_string(n) +
                " coordinates of a full configuration");
  for (int i = 0; i < n; ++i)
    if (!(goal.low[i] <= goal.high[i]))
      throw Error("the goal region of " + fullCoordinateName(space, world, i) +
                  " has its lower bound above its upper one");
  const Rates rates(space);
  const Value* submanifold = nullptr;
  const Value properties = space.properties();
  submanifold = properties.find("submanifold");
  if (rates.fixed && (submanifold == nullptr || !submanifold->asBool())) {
    VectorXd low = VectorXd::Constant(space.dimension(), -kInfinity), high = -low;
    for (int i = 0; i < n; ++i) {
      const int c = rates.coordinate[static_cast<std::size_t>(i)];
      if (c < 0) {
        if (rates.offset[i] < goal.low[i] || rates.offset[i] > goal.high[i])
          throw Error("the goal region excludes the value of " + fullCoordinateName(space, world, i) +
                          ", which is not planned for",
                      {}, "name it among the links, or leave it out of the region");
        continue;
      }
      const double a = (goal.low[i] - rates.offset[i]) / rates.rate[i];
      const double b = (goal.high[i] - rates.offset[i]) / rates.rate[i];
      low[c] = std::max(low[c], std::min(a, b));
      high[c] = std::min(high[c], std::max(a, b));
    }
    return std::make_unique<BoxGoal>(space, std::move(low), std::move(high));
  }
  Box box{&space, goal.low, goal.high};
  RegionGoal::Region region;
  region.name = "region";
  region.contains = [box](const VectorXd& q) { return box.contains(q); };
  region.distance = [box](const VectorXd& q) { return box.space->distance(q, box.nearest(q)); };
  // Where constraints are kept, their nearest solution; it may lie outside of the box again.
  region.project = [box](VectorXd& q) { return box.project(q) && box.space->project(q); };
  return std::make_unique<RegionGoal>(space, std::move(region));
}

/// By robot, together with the constraints along the path, which solutions of the goal must satisfy as well.
std::vector<RobotIKGoals> byRobot(const PlanRequest& request) {
  const PlanSpaceRequest& space = request.space;
  std::vector<RobotIKGoals> list;
  for (const int robot : space.robots) {
    RobotIKGoals own{robot, {}};
    for (const RobotTerm& term : request.goalTerms)
      if (term.robot == robot) own.terms.push_back(term.term);
    for (const RobotGoal& goal : request.goal.ik)
      if (goal.robot == robot) own.goals.push_back(goal.goal);
    for (const RobotGoal& goal : space.keep)
      if (goal.robot == robot) own.goals.push_back(goal.goal);
    if (space.stance)
      for (const Hold& hold : space.stance->holds) own.goals.push_back(hold.goal);
    if (!own.goals.empty() || !own.terms.empty()) list.push_back(std::move(own));
  }
  return list;
}

/// Finds the sample nearest to the start; the same each time. False: it finds nothing.
bool nearestSample(MotionSpace& space, IKGoalRegion& region, const VectorXd& start, VectorXd& nearest) {
  constexpr int kSamples = 50;
  RandomStream random(0, "goal near the start");
  double minimum = kInfinity;
  VectorXd q;
  for (int i = 0; i < kSamples; ++i) {
    if (!region.sample(random, q)) continue;
    const double distance = space.distance(start, q);
    if (!(distance < minimum)) continue;
    minimum = distance;
    nearest = q;
  }
  return std::isfinite(minimum);
}

}  // namespace

std::string fullCoordinateName(const MotionSpace& space, const World& world, int index) {
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

std::unique_ptr<PlanningGoal> makePlanGoal(MotionSpace& space, std::shared_ptr<const World> world,
                                           const PlanRequest& request, const VectorXd& start) {
  const PlanGoalRequest& goal = request.goal;
  std::vector<std::unique_ptr<PlanningGoal>> goals;
  if (!goal.configurations.empty()) {
    std::vector<VectorXd> configurations;
    for (const VectorXd& full : goal.configurations) configurations.push_back(reduced(space, *world, full));
    goals.push_back(std::make_unique<ConfigurationGoal>(space, std::move(configurations), goal.tolerance));
  }
  if (goal.low.size() > 0 || goal.high.size() > 0) goals.push_back(boxGoal(space, *world, goal));
  if (!goal.ik.empty() || !request.goalTerms.empty()) {
    if (request.space.robots.empty()) throw Error("pose goals of links need a robot, but a rigid object moves");
    const auto requirePlanned = [&](int robot) {
      if (std::find(request.space.robots.begin(), request.space.robots.end(), robot) == request.space.robots.end())
        throw Error("there is a goal of robot " + std::to_string(robot) + ", which is not planned for");
    };
    for (const RobotGoal& one : goal.ik) requirePlanned(one.robot);
    for (const RobotTerm& one : request.goalTerms) requirePlanned(one.robot);
    IKGoalRegionOptions options;
    options.start = start;
    if (request.nearStart) options.seeds = {start};
    auto region = std::make_unique<IKGoalRegion>(space, world, byRobot(request), options);
    VectorXd nearest;
    if (request.nearStart && nearestSample(space, *region, start, nearest))
      goals.push_back(std::make_unique<ConfigurationGoal>(space, std::vector<VectorXd>{nearest}, goal.tolerance));
    else
      goals.push_back(std::move(region));
  }
  if (goals.empty()) throw Error("there is no goal", {}, "name a configuration, pose goals of links or a region");
  if (goals.size() == 1) return std::move(goals.front());
  return std::make_unique<UnionGoal>(std::move(goals));
}

std::unique_ptr<PlanningObjective> makePlanObjective(const MotionSpace& space, const World& world,
                                                     const PlanRequest::Objective& objective) {
  if (objective.kind == PlanRequest::Objective::Kind::length) return nullptr;
  std::vector<CoordinateLimits> limits = planningLimits(space, world);
  if (objective.kind == PlanRequest::Objective::Kind::time)
    return std::make_unique<TimeObjective>(space, std::move(limits));
  if (objective.weights.size() != space.fullSize())
    throw Error("the objective needs " + std::to_string(space.fullSize()) + " weights, not " +
                std::to_string(objective.weights.size()));
  const Rates rates(space);
  VectorXd weights = VectorXd::Zero(space.dimension());
  for (int i = 0; i < space.fullSize(); ++i)
    if (const int c = rates.coordinate[static_cast<std::size_t>(i)]; c >= 0)
      weights[c] = std::hypot(weights[c], objective.weights[i] * rates.rate[i]);
  std::vector<char> circular;
  for (const CoordinateLimits& limit : limits) circular.push_back(limit.circular);
  return std::make_unique<WeightedLengthObjective>(space, std::move(weights), std::move(circular));
}

}  // namespace mortise
