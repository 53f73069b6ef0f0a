#include "mortise/planning/plan_report.h"

#include <cmath>
#include <iomanip>
#include <limits>
#include <sstream>

#include "mortise/base/random.h"
#include "mortise/planning/space/plan_space.h"
#include "mortise/simulation/simulation.h"

namespace mortise {

namespace {

double lengthOf(const PlanningSpace& space, const MotionSpace& motion, const std::vector<VectorXd>& path) {
  if (path.empty()) return std::numeric_limits<double>::infinity();
  double length = 0;
  VectorXd a, b;
  for (std::size_t i = 1; i < path.size(); ++i) {
    motion.reduce(path[i - 1], a);
    motion.reduce(path[i], b);
    length += space.distance(a, b);
  }
  return length;
}

}  // namespace

std::string pathHash(const std::vector<VectorXd>& path) {
  std::uint64_t hash = hashBytes(nullptr, 0, path.size());
  for (const VectorXd& q : path) hash = hashBytes(q.data(), static_cast<std::size_t>(q.size()) * sizeof(double), hash);
  return formatHash(hash);
}

Trajectory milestoneTrajectory(const std::vector<VectorXd>& path) {
  Trajectory trajectory;
  for (std::size_t i = 0; i < path.size(); ++i) trajectory.times.push_back(static_cast<double>(i));
  trajectory.configurations = path;
  return trajectory;
}

std::vector<MotionPart> motionParts(const World& world, const PlanSpaceRequest& request) {
  std::vector<MotionPart> parts;
  for (const Mover& mover : planMovers(world, request))
    parts.push_back({mover.kind == Mover::Kind::robot ? world.robotId(mover.index) : world.objectId(mover.index),
                     mover.first, mover.size});
  return parts;
}

Value moversValue(const World& world, const PlanSpaceRequest& request) {
  Value list = Value::list();
  for (const Mover& mover : planMovers(world, request)) {
    Value entry = Value::map();
    const auto index = static_cast<std::size_t>(mover.index);
    if (mover.kind == Mover::Kind::robot)
      entry.set("robot", world.robots[index].name);
    else
      entry.set("object", world.objects[index].name);
    entry.set("id", mover.kind == Mover::Kind::robot ? world.robotId(mover.index) : world.objectId(mover.index));
    entry.set("first", mover.first);
    entry.set("size", mover.size);
    list.push_back(std::move(entry));
  }
  return list;
}

Value planReport(const PlanResult& result, double length, std::uint64_t seed, Value movers) {
  const PlanningOutcome& outcome = result.run.outcome;
  Value report = Value::map();
  report.set("status", planningStatusName(outcome.status));
  report.set("solved", !result.path.empty());
  if (!outcome.message.empty()) report.set("message", outcome.message);
  report.set("planner", result.planner);
  report.set("stopped_by", result.run.stoppedBy);
  report.set("cost", outcome.cost);
  report.set("length", length);
  report.set("iterations", result.run.iterations);
  report.set("seconds", result.run.seconds);
  report.set("configurations", result.run.counts.configurations);
  report.set("edges", result.run.counts.edges);
  report.set("milestones", static_cast<std::int64_t>(result.path.size()));
  report.set("statistics", outcome.statistics);
  report.set("seed", static_cast<std::int64_t>(seed));
  if (!movers.isNull()) report.set("movers", std::move(movers));
  if (!result.path.empty()) report.set("path_hash", pathHash(result.path));
  return report;
}

Value planReport(PlanSetup& setup, const PlanResult& result) {
  return planReport(result, lengthOf(setup.space(), setup.space(), result.path), setup.request().seed,
                    moversValue(setup.world(), setup.request().space));
}

std::string planReportText(const Value& report) {
  std::ostringstream out;
  const bool solved = report.boolean("solved", false);
  out << std::setprecision(4) << report.string("planner", "") << ": " << report.string("status", "");
  if (const std::string by = report.string("stopped_by", ""); !solved && !by.empty()) out << " (" << by << ")";
  out << " after " << report.real("seconds", 0) << " s, " << report.integer("iterations", 0) << " iterations\n";
  if (report.contains("message"))
    out << "  " << (solved ? "note" : "reason") << "       " << report.string("message", "") << "\n";
  out << "  checked      " << report.integer("configurations", 0) << " configurations, " << report.integer("edges", 0)
      << " edges\n";
  if (solved) {
    out << "  path         " << report.integer("milestones", 0) << " milestones, length " << report.real("length", 0);
    // Where the cost is the length, the two differ by rounding alone.
    if (std::abs(report.real("cost", 0) - report.real("length", 0)) > 1e-6 * report.real("length", 0))
      out << ", cost " << report.real("cost", 0);
    out << "\n";
  }
  return out.str();
}

Value replaySettings(const Value& settings, const StopConditions& stop, std::int64_t iterations) {
  if (!std::isfinite(stop.seconds)) return {};
  Value replay = Value::map();
  Value inner;
  if (const Value* given = settings.find("stop"); given != nullptr && given->isMap()) {
    inner = *given;
    for (const char* key : {"time_limit", "timeLimit", "iterations", "maxIters"}) inner.erase(key);
  }
  replay.set("time_limit", Value());
  replay.set("iterations", iterations);
  if (!inner.isNull()) replay.set("stop", std::move(inner));
  return replay;
}

}  // namespace mortise
