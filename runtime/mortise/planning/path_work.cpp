#include "mortise/planning/path_work.h"

#include <cmath>

#include "mortise/base/error.h"
#include "mortise/planning/plan_report.h"
#include "mortise/planning/planning_run.h"
#include "mortise/planning/space/full_path.h"
#include "mortise/planning/space/ignore_advice.h"
#include "mortise/planning/space/plan_goal.h"
#include "mortise/planning/space/plan_padding.h"
#include "mortise/planning/space/plan_space.h"

namespace mortise {

struct PathWork::Parts {
  std::shared_ptr<const World> world;
  std::shared_ptr<const WorldCollider> collider;  ///< Collider of the problem: without what is ignored.
  std::unique_ptr<MotionSpace> space;
  double margin = 0;
  bool padded = false;  ///< Shapes have the simulation's padding already.
  std::vector<VectorXd> full, reduced;

  PathChecker checker() {
    PathChecker result(*space, collider);
    if (padded) return result;
    try {
      result.watchPadding(simulationPadding(*world), simulatedPairs(*world));
    } catch (const Error&) {
      // What no engine could simulate has no padding.
    }
    return result;
  }
};

namespace {

bool straight(const PlanningSpace& space) {
  const Value properties = space.properties();
  const Value* value = properties.find("straight");
  return value != nullptr && value->isBool() && value->asBool();
}

double lengthOf(const PlanningSpace& space, const std::vector<VectorXd>& path) {
  double length = 0;
  for (std::size_t i = 1; i < path.size(); ++i) length += space.distance(path[i - 1], path[i]);
  return length;
}

}  // namespace

PathWork::PathWork(std::shared_ptr<const World> world, std::shared_ptr<const WorldCollider> collider,
                   PlanSpaceRequest request, std::vector<VectorXd> path)
    : parts_(std::make_unique<Parts>()) {
  Parts& p = *parts_;
  p.world = planWorld(world, request);
  p.padded = request.simulationPadding;
  p.margin = request.margin;
  if (p.world != world) collider = nullptr;
  if (path.empty()) throw Error("the path has no configurations");
  if (collider == nullptr) collider = makePlanCollider(p.world);
  p.space = makePlanSpace(collider, request, path.front());
  p.collider = problemCollider(collider, request);
  for (std::size_t i = 0; i < path.size(); ++i) {
    const VectorXd& full = path[i];
    if (full.size() != p.space->fullSize())
      throw Error("configuration " + std::to_string(i) + " of the path has " + std::to_string(full.size()) +
                      " numbers, but " + std::to_string(p.space->fullSize()) + " are needed",
                  {}, "name the robots that the path was planned for");
    int difference = -1;
    if (!p.space->agrees(full, &difference))
      throw Error("the path moves " + fullCoordinateName(*p.space, *p.world, difference) +
                      ", which is not among what is planned for",
                  {}, "name its link in 'links', or leave 'links' out");
    p.reduced.emplace_back();
    p.space->reduce(full, p.reduced.back());
  }
  p.full = std::move(path);
}

PathWork::~PathWork() = default;

MotionSpace& PathWork::space() { return *parts_->space; }
const std::vector<VectorXd>& PathWork::path() const { return parts_->full; }
double PathWork::length() const { return lengthOf(*parts_->space, parts_->reduced); }

PathWork::Report PathWork::shortcut(const ShortcutSettings& settings, const PlanRequest::Objective& objective,
                                    std::uint64_t seed, std::function<bool()> stopRequested) {
  Parts& p = *parts_;
  Report report;
  report.stop = settings.stop.conditions();
  RandomStream random(seed, "shortcut");
  StopClock stop(report.stop, std::move(stopRequested));
  const std::unique_ptr<PlanningObjective> cost = makePlanObjective(*p.space, *p.world, objective);
  const double before = length();
  const std::size_t milestones = p.reduced.size();
  ShortcutOutcome outcome = shortcutPath(*p.space, cost.get(), p.reduced, random, stop, settings.options);
  report.iterations = stop.iterations();
  p.reduced = std::move(outcome.path);
  p.full = fullPath(*p.space, *p.world, p.reduced);
  Value& value = report.value = Value::map();
  value.set("cost_before", outcome.costBefore);
  value.set("cost", outcome.cost);
  value.set("length_before", before);
  value.set("length", length());
  value.set("milestones_before", static_cast<std::int64_t>(milestones));
  value.set("milestones", static_cast<std::int64_t>(p.full.size()));
  value.set("rounds", outcome.rounds);
  value.set("improvements", outcome.improvements);
  value.set("stopped_by", stop.fired());
  value.set("iterations", report.iterations);
  value.set("seconds", stop.seconds());
  value.set("seed", static_cast<std::int64_t>(seed));
  value.set("path_hash", pathHash(p.full));
  return report;
}

Value PathWork::optimize(const OptimizeSettings& settings, const std::function<bool()>& stopRequested) {
  Parts& p = *parts_;
  PathOptimizationOptions options = settings.options;
  options.clearance = std::max(options.clearance, p.margin);
  const std::size_t milestones = p.reduced.size();
  PathOptimizationResult result = optimizePath(*p.space, p.collider, p.reduced, options, stopRequested);
  p.reduced = std::move(result.path);
  p.full = fullPath(*p.space, *p.world, p.reduced);
  Value value = Value::map();
  value.set("cost_before", result.costBefore);
  value.set("cost", result.cost);
  value.set("length_before", result.lengthBefore);
  value.set("length", result.length);
  value.set("clearance_before", result.clearanceBefore);
  value.set("clearance", result.clearance);
  if (options.clearance != settings.options.clearance) value.set("clearance_kept", options.clearance);
  value.set("milestones_before", static_cast<std::int64_t>(milestones));
  value.set("milestones", static_cast<std::int64_t>(p.full.size()));
  value.set("iterations", result.iterations);
  value.set("penalty", result.penalty);
  value.set("feasible", result.feasible);
  value.set("path_hash", pathHash(p.full));
  return value;
}

PathWork::Report PathWork::retime(const RetimeSettings& settings, std::uint64_t seed, HermiteTrajectory& motion,
                                  std::function<bool()> stopRequested) {
  Parts& p = *parts_;
  Report report;
  report.stop = settings.stop.conditions();
  RetimeOptions options = settings.options;
  options.method = settings.method      ? retimeMethod(*settings.method)
                   : straight(*p.space) ? RetimeMethod::parabolic
                                        : RetimeMethod::blend;
  const MotionLimits limits = motionLimits(*p.space, *p.world, settings.limits);
  RandomStream random(seed, "retime");
  StopClock stop(report.stop, std::move(stopRequested));
  options.remedy = [&](const VectorXd& q) { return ignoreAdvice(*p.space, p.collider, p.margin, q); };
  const RetimeOutcome outcome = mortise::retime(*p.space, limits, p.reduced, random, stop, options);
  report.iterations = stop.iterations();
  motion = liftTrajectory(*p.space, outcome.trajectory);
  const BoundUsage usage = boundUsage(outcome.trajectory, limits.limits);
  Value& value = report.value = Value::map();
  value.set("method", retimeMethodName(options.method));
  value.set("duration_before", outcome.durationBefore);
  value.set("duration", outcome.duration);
  value.set("length_before", outcome.lengthBefore);
  value.set("length", outcome.length);
  value.set("stops", outcome.stops);
  value.set("velocity_usage", usage.velocity);
  value.set("acceleration_usage", usage.acceleration);
  value.set("mean_acceleration", outcome.meanAcceleration);
  value.set("acceleration_changes", outcome.accelerationChanges);
  value.set("knots", static_cast<std::int64_t>(motion.times.size()));
  const auto namesOf = [&](const std::vector<int>& coordinates) {
    Value names = Value::list();
    for (const int c : coordinates) names.push_back(limits.names.at(static_cast<std::size_t>(c)));
    return names;
  };
  value.set("assumed_accelerations", namesOf(limits.assumed));
  value.set("unlimited", namesOf(limits.unbounded));
  value.set("rounds", outcome.rounds);
  value.set("improvements", outcome.improvements);
  value.set("stopped_by", stop.fired());
  value.set("iterations", report.iterations);
  value.set("seconds", stop.seconds());
  value.set("seed", static_cast<std::int64_t>(seed));
  std::vector<VectorXd> all = motion.configurations;
  all.insert(all.end(), motion.velocities.begin(), motion.velocities.end());
  all.push_back(Eigen::Map<const VectorXd>(motion.times.data(), static_cast<Eigen::Index>(motion.times.size())));
  value.set("path_hash", pathHash(all));
  return report;
}

namespace {

Value touchesValue(const PathCheckResult& result, const World& world, bool timed) {
  Value touches = Value::list();
  for (const PaddedTouch& touch : result.touches) {
    Value entry = Value::map(), who = Value::list();
    who.push_back(world.nameOf(touch.ids.a));
    who.push_back(world.nameOf(touch.ids.b));
    entry.set("who", std::move(who));
    entry.set("distance", touch.distance);
    entry.set("padding", touch.padding);
    entry.set("segment", static_cast<std::int64_t>(touch.segment));
    entry.set("u", touch.u);
    if (timed) entry.set("time", touch.time);
    touches.push_back(std::move(entry));
  }
  return touches;
}

Value checkValue(const PathCheckResult& result, const World& world, bool clearance, bool timed, bool padded) {
  Value value = Value::map();
  value.set("valid", result.valid);
  value.set("configurations", result.configurations);
  const auto name = [&](int id) { return Value(id < 0 ? std::string() : world.nameOf(id)); };
  if (clearance) {
    value.set("clearance", result.clearance);
    Value nearest = Value::list();
    nearest.push_back(name(result.nearest.a));
    nearest.push_back(name(result.nearest.b));
    value.set("nearest", std::move(nearest));
    value.set("clearance_with_padding", padded ? result.clearance : result.paddedClearance);
  }
  value.set("padding_touches", touchesValue(result, world, timed));
  Value faults = Value::list();
  for (const PathFault& fault : result.faults) {
    Value entry = Value::map();
    entry.set("kind", pathFaultName(fault.kind));
    entry.set("segment", static_cast<std::int64_t>(fault.segment));
    entry.set("u", fault.u);
    if (timed) entry.set("time", fault.time);
    if (fault.lastSegment != fault.segment || fault.lastU != fault.u) {
      entry.set("to_segment", static_cast<std::int64_t>(fault.lastSegment));
      entry.set("to_u", fault.lastU);
      if (timed) entry.set("to_time", fault.lastTime);
    }
    if (fault.kind == PathFault::Kind::collision) {
      Value who = Value::list();
      who.push_back(name(fault.ids.a));
      who.push_back(name(fault.ids.b));
      entry.set("who", std::move(who));
      entry.set("distance", fault.distance);
    }
    entry.set("text", fault.text);
    faults.push_back(std::move(entry));
  }
  value.set("faults", std::move(faults));
  return value;
}

}  // namespace

Value PathWork::check(const CheckSettings& settings) {
  PathChecker checker = parts_->checker();
  return checkValue(checker.check(parts_->reduced, settings.options), *parts_->world, settings.options.clearance, false,
                    parts_->padded);
}

Value PathWork::check(const HermiteTrajectory& motion, const CheckSettings& settings) {
  Parts& p = *parts_;
  // Rates of coordinates follow from those of whole configurations as differences do: both are linear.
  HermiteTrajectory own;
  own.times = motion.times;
  VectorXd q, ahead;
  for (std::size_t i = 0; i < motion.configurations.size(); ++i) {
    if (motion.configurations[i].size() != p.space->fullSize())
      throw Error("configuration " + std::to_string(i) + " of the motion has " +
                  std::to_string(motion.configurations[i].size()) + " numbers, but " +
                  std::to_string(p.space->fullSize()) + " are needed");
    p.space->reduce(motion.configurations[i], q);
    own.configurations.push_back(q);
  }
  VectorXd zero;
  p.space->reduce(VectorXd::Zero(p.space->fullSize()), zero);
  for (const VectorXd& velocity : motion.velocities) {
    p.space->reduce(velocity, ahead);
    own.velocities.push_back(ahead - zero);
  }
  MotionLimits limits;
  if (settings.bounds)
    limits = motionLimits(*p.space, *p.world, settings.limits);
  else
    limits.limits.resize(static_cast<std::size_t>(p.space->dimension()));  // Nothing is bounded.
  PathChecker checker = p.checker();
  return checkValue(checker.check(own, limits.limits, settings.options), *p.world, settings.options.clearance, true,
                    p.padded);
}

}  // namespace mortise
