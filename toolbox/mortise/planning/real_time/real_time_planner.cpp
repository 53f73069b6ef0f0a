#include "mortise/planning/real_time/real_time_planner.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "mortise/base/error.h"
#include "mortise/planning/real_time/moving_ramps.h"
#include "mortise/planning/real_time/ramp_tree.h"

namespace mortise {

namespace {

/// The share of the numeric search in the effort of a hybrid cycle, in iterations, at most.
constexpr std::int64_t kNumericIterations = 20;
/// Halvings of a way that is blocked.
constexpr int kEdgeHalvings = 5;
/// The largest random step of the numeric search, as a fraction of the space's extent.
constexpr double kLargestPerturbation = 0.25;

/// While it lives, proofs take from the effort.
class Charging {
 public:
  Charging(MovingObstacles* obstacles, PlanningEffort& effort) : obstacles_(obstacles) {
    if (obstacles_ != nullptr) obstacles_->chargeTo(&effort);
  }
  ~Charging() {
    if (obstacles_ != nullptr) obstacles_->chargeTo(nullptr);
  }
  Charging(const Charging&) = delete;
  Charging& operator=(const Charging&) = delete;

 private:
  MovingObstacles* obstacles_;
};

}  // namespace

std::string_view realTimeMethodName(RealTimeMethod method) {
  constexpr std::string_view kNames[] = {"ik", "tree", "hybrid"};
  return kNames[static_cast<int>(method)];
}

RealTimePlanner::RealTimePlanner(PlanningSpace& space, std::vector<CoordinateLimits> limits, MovingObstacles* obstacles,
                                 const RealTimePlannerOptions& options)
    : space_(space),
      limits_(std::move(limits)),
      obstacles_(obstacles),
      options_(options),
      checker_(space, limits_, options.tolerance) {
  if (static_cast<int>(limits_.size()) != space.dimension())
    throw Error("a space of " + std::to_string(space.dimension()) + " coordinates, but limits for " +
                std::to_string(limits_.size()));
  for (std::size_t j = 0; j < limits_.size(); ++j)
    if (!std::isfinite(limits_[j].aMax) || !std::isfinite(limits_[j].vMin) || !std::isfinite(limits_[j].vMax))
      throw Error("planning while moving needs limits of velocity and acceleration, and '" +
                      space.coordinateName(static_cast<int>(j)) + "' lacks one",
                  {}, "give limits for all, or leave the coordinate out of the plan");
  const Value properties = space.properties();
  if (const Value* straight = properties.find("straight"); straight != nullptr && !straight->asBool())
    throw Error("planning while moving needs a space whose edges are lines in coordinates, and this one's are not", {},
                "leave the robot's ball joints and floating base out of the plan");
  for (VectorXd* v : {&q_, &dq_, &ddq_, &end_}) v->setZero(space.dimension());
}

bool RealTimePlanner::direct(const RealTimeCycle& cycle, const VectorXd& q, RampPath& path) {
  cycle.current.evaluate(0, q_, dq_, ddq_);
  if (!space_.feasible(q) || !fastestRamps(q_, dq_, q, VectorXd::Zero(q.size()), limits_, ramps_)) return false;
  if (!(ramps_[0].T > 0) || !staticallyFree(ramps_)) return false;
  RampPath candidate(static_cast<int>(q.size()));
  candidate.append(ramps_);
  if (moves() && !obstacles_->freeForever(candidate, cycle.start)) return false;
  path = std::move(candidate);
  return true;
}

/// Says whether the new one of two motions to the target is earlier there by enough.
bool RealTimePlanner::improves(const RealTimeCycle& cycle, const RampPath& path) const {
  return path.duration() < cycle.current.duration() - options_.saving;
}

/// Numeric: to where the target is, or as far on the way there as nothing is in the way, and then from place to place
/// that is nearer to it.
void RealTimePlanner::search(const RealTimeCycle& cycle, RealTimeTarget& target, PlanningEffort& effort,
                             RandomStream& random, RealTimePlan& plan, std::int64_t maximum) {
  const std::int64_t last = effort.used() + maximum;
  const auto goesOn = [&] { return effort.used() < last && effort.spend(); };
  const auto attempt = [&](const VectorXd& q) {
    const double distance = target.distance(q);
    if (!(distance < plan.distance * (1 - options_.progress)) || !direct(cycle, q, plan.path)) return false;
    plan.found = true;
    plan.distance = distance;
    plan.reaches = target.contains(q);
    end_ = q;
    return true;
  };
  VectorXd from = end_, goal = end_, q = end_;
  cycle.current.evaluate(0, from, dq_, ddq_);
  goal = from;
  target.approach(goal);
  if (!goesOn() || (attempt(goal) && plan.reaches)) return;
  double low = 0, high = 1;
  for (int k = 0; k < kEdgeHalvings && !plan.found && goesOn(); ++k) {
    const double u = 0.5 * (low + high);
    space_.interpolate(from, goal, u, q);
    (attempt(q) ? low : high) = u;
  }
  const double extent = std::isfinite(space_.extent()) ? space_.extent() : 1;
  for (int k = 0; !plan.reaches && goesOn(); ++k) {
    const double radius = kLargestPerturbation * extent * std::exp2(-static_cast<double>(k % 5));
    space_.sampleNear(random, end_, radius, q);
    if (k % 2 == 0) target.approach(q);
    attempt(q);
  }
}

/// True: further shortcuts are not worth the effort.
bool RealTimePlanner::shorten(const RealTimeCycle& cycle, RampPath& path, PlanningEffort& effort,
                              RandomStream& random) {
  if (moves()) return shortenAmongMoving(cycle, path, effort, random);
  RampShortcutOptions options;
  options.tolerance = options_.tolerance;
  options.idle = options_.idle;
  RampShortcutter shortcutter(space_, limits_, options);
  shortcutter.start(path);
  while (!shortcutter.finished() && effort.spend()) shortcutter.round(random);
  path = shortcutter.path();
  return shortcutter.finished();
}

/// Shortens the motion. What comes later moves ahead in time, so all of it is proven again.
bool RealTimePlanner::shortenAmongMoving(const RealTimeCycle& cycle, RampPath& path, PlanningEffort& effort,
                                         RandomStream& random) {
  const Eigen::Index n = space_.dimension();
  VectorXd q0(n), q1(n), dq0(n), dq1(n), ddq(n);
  std::int64_t idle = 0;
  while (idle < options_.idle && path.duration() > 0) {
    if (!effort.spend()) return false;
    ++idle;
    const double duration = path.duration();
    double from = random.uniform(0, duration), to = random.uniform(0, duration);
    if (from > to) std::swap(from, to);
    path.evaluate(from, q0, dq0, ddq);
    path.evaluate(to, q1, dq1, ddq);
    if (!fastestRamps(q0, dq0, q1, dq1, limits_, ramps_)) continue;
    if (!(to - from - ramps_[0].T > 1e-4 * duration) || !staticallyFree(ramps_)) continue;
    RampPath candidate = path;
    candidate.replace(from, to, ramps_);
    if (!obstacles_->freeForever(candidate, cycle.start, candidate.segmentAt(from))) continue;
    path = std::move(candidate);
    idle = 0;
  }
  return true;
}

RealTimePlan RealTimePlanner::plan(const RealTimeCycle& cycle, RealTimeTarget& target, PlanningEffort& effort) {
  RealTimePlan plan;
  const Charging charging(obstacles_, effort);
  RandomStream random(cycle.seed, "real-time planning");
  cycle.current.evaluate(cycle.current.duration(), end_, dq_, ddq_);
  target.restart(end_);
  plan.distance = target.distance(end_);
  plan.reaches = target.contains(end_);
  if (plan.reaches) {
    plan.path = cycle.current;
    plan.settled = shorten(cycle, plan.path, effort, random);
    plan.found = improves(cycle, plan.path);
    if (plan.found) plan.settled = false;
  } else {
    if (options_.method != RealTimeMethod::tree)
      search(cycle, target, effort, random, plan,
             options_.method == RealTimeMethod::ik ? std::numeric_limits<std::int64_t>::max() / 2 : kNumericIterations);
    if (options_.method != RealTimeMethod::ik && !plan.reaches) {
      RampPath path;
      RampTree tree(*this, cycle, target, random);
      if (tree.search(effort, path) && path.duration() > 0) {
        plan.path = std::move(path);
        plan.found = plan.reaches = true;
        cycle.current.evaluate(0, q_, dq_, ddq_);
        plan.path.evaluate(plan.path.duration(), end_, dq_, ddq_);
        plan.distance = target.distance(end_);
      }
    }
    if (plan.found && plan.reaches) shorten(cycle, plan.path, effort, random);
  }
  plan.iterations = effort.used();
  if (effort.cancelled()) plan.found = false;
  return plan;
}

}  // namespace mortise
