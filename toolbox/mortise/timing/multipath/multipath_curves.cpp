#include "mortise/timing/multipath/multipath_curves.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/text/suggest.h"
#include "mortise/timing/multipath/constrained_curve.h"
#include "mortise/timing/ramp_path.h"

namespace mortise {

namespace {

/// Sections may begin so far (rad, m) from where the one before ends: files have only so many digits.
constexpr double kGap = 1e-3;
/// By how much (rad, m) a configuration between two sections may be moved, and how near two are the same.
constexpr double kNearby = 0.05, kSame = 1e-9;
/// Milestones of less than this distance on average are samples of a curve; they need not all be passed.
constexpr double kDense = 0.05;
/// Shortest distance of the samples that are used, so that digits of files do not count as curvature.
constexpr double kSpacing = 0.02;
/// Corners below this angle (rad) make a path smooth.
constexpr double kGentle = 0.35;

void append(PathGroup& group, const MultiPath::Section& section, std::vector<VectorXd>& milestones) {
  group.begins.push_back(group.milestones.empty() ? 0 : group.milestones.size() - 1);
  const std::size_t from = group.milestones.empty() ? 0 : 1;
  if (section.velocities.empty() || section.times.empty()) group.velocities.clear();
  const bool moving = !section.velocities.empty() && !section.times.empty() &&
                      (from == 0 || group.velocities.size() == group.milestones.size());
  for (std::size_t i = from; i < milestones.size(); ++i) {
    group.milestones.push_back(milestones[i]);
    if (moving) group.velocities.push_back(section.velocities[i]);
    if (!section.times.empty()) group.times.push_back(section.times[i]);
  }
}

/// Moves the configuration between two groups to where the goals of both are met, where there is such a place nearby.
void meetBoth(const RobotPtr& robot, PathGroup& before, PathGroup& after) {
  std::vector<IKGoal> goals = before.goals;
  for (const IKGoal& goal : after.goals)
    if (std::find(goals.begin(), goals.end(), goal) == goals.end()) goals.push_back(goal);
  if (goals.empty()) return;
  VectorXd q = before.milestones.back();
  GoalResidual residual(robot, goals);
  residual.limit({before.milestones.back()});
  if (!residual.project(q) || (q - before.milestones.back()).cwiseAbs().maxCoeff() > kNearby) return;
  before.milestones.back() = after.milestones.front() = q;
}

/// The largest angle between neighboring edges.
double sharpestCorner(const std::vector<VectorXd>& points) {
  double sharpest = 0;
  VectorXd before;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const VectorXd chord = points[i] - points[i - 1];
    if (chord.norm() < 1e-9) continue;
    const VectorXd direction = chord.normalized();
    if (before.size() > 0) sharpest = std::max(sharpest, std::acos(std::clamp(before.dot(direction), -1.0, 1.0)));
    before = direction;
  }
  return sharpest;
}

}  // namespace

CurveKind curveKind(std::string_view name) {
  constexpr std::string_view kNames[] = {"automatic", "blend", "smooth", "stop"};
  for (std::size_t i = 0; i < std::size(kNames); ++i)
    if (kNames[i] == name) return static_cast<CurveKind>(i);
  throw Error("there is no curve '" + std::string(name) + "'", {}, listNames({"automatic", "blend", "smooth", "stop"}));
}

bool turnsAround(const Robot& robot, int link) {
  if (robot.link(link).motion != LinkMotion::revolute) return false;
  const int joint = robot.jointOfLink(link);
  if (joint < 0) return false;
  const JointType type = robot.joints()[static_cast<std::size_t>(joint)].type;
  return type != JointType::normal && type != JointType::weld;
}

std::vector<CoordinateLimits> turnsOf(const RobotPtr& robot, Eigen::Index dimension) {
  std::vector<CoordinateLimits> limits(static_cast<std::size_t>(dimension));
  for (int i = 0; robot && i < robot->numLinks(); ++i)
    limits[static_cast<std::size_t>(i)].circular = turnsAround(*robot, i);
  return limits;
}

MultiPath unwrapped(const RobotPtr& robot, MultiPath path) {
  const std::vector<CoordinateLimits> limits = turnsOf(robot, path.dimension());
  const VectorXd* before = nullptr;
  for (MultiPath::Section& section : path.sections)
    for (VectorXd& q : section.milestones) {
      for (std::size_t j = 0; before != nullptr && j < limits.size(); ++j) {
        const auto c = static_cast<Eigen::Index>(j);
        q[c] = nearestTurn(limits[j], (*before)[c], q[c]);
      }
      before = &q;
    }
  return path;
}

PathCurve beginningAt(const VectorXd& end, PathCurve curve) {
  const HermiteTrajectory& first = curve.stretches.front();
  if (end.size() == 0 || (first.configurations.front() - end).norm() <= kSame) return curve;
  PathCurve line = blendedCurve({end, first.configurations.front()}, 0);
  curve.stretches.insert(curve.stretches.begin(), std::move(line.stretches.front()));
  for (PathCurve::Place& place : curve.milestones) ++place.stretch;
  curve.milestones.front() = {0, 0};
  return curve;
}

std::vector<PathGroup> groupsOf(const MultiPath& path, std::span<const CoordinateLimits> limits,
                                const RobotPtr& robot) {
  std::vector<PathGroup> groups;
  VectorXd end;
  for (std::size_t s = 0; s < path.sections.size(); ++s) {
    std::vector<VectorXd> milestones = path.sections[s].milestones;
    if (s > 0) {
      milestones.insert(milestones.begin(), end);
      unwrap(milestones, limits);
      const double gap = (milestones[1] - end).cwiseAbs().maxCoeff();
      if (gap > kGap)
        throw Error("section " + std::to_string(s) + " begins " + formatReal(gap) +
                        " (rad or m) from where the section before it ends",
                    {}, "`mortise path check FILE` lists such gaps");
      milestones.erase(milestones.begin());
      milestones.front() = end;
    } else {
      unwrap(milestones, limits);
    }
    end = milestones.back();
    const std::vector<IKGoal> goals = path.goalsOf(s);
    const std::vector<Hold> holds = path.holdsOf(s);
    const bool joins = !groups.empty() && groups.back().goals == goals && groups.back().holds == holds;
    if (!joins) {
      groups.emplace_back();
      groups.back().first = s;
      groups.back().goals = goals;
      groups.back().holds = holds;
    }
    groups.back().last = s;
    append(groups.back(), path.sections[s], milestones);
  }
  for (PathGroup& group : groups) group.begins.push_back(group.milestones.size() - 1);
  for (std::size_t g = 1; g < groups.size() && robot; ++g) meetBoth(robot, groups[g - 1], groups[g]);
  return groups;
}

PathCurve curveThrough(const RobotPtr& robot, const PathGroup& group, const PathCurveOptions& options) {
  double length = 0;
  for (std::size_t i = 1; i < group.milestones.size(); ++i)
    length += (group.milestones[i] - group.milestones[i - 1]).norm();
  SmoothCurveOptions smoothing;
  smoothing.kept.assign(group.milestones.size(), 1);
  if (group.milestones.size() > 20 && length < kDense * static_cast<double>(group.milestones.size() - 1)) {
    smoothing.kept.assign(group.milestones.size(), 0);
    for (const std::size_t begin : group.begins) smoothing.kept[begin] = 1;
    smoothing.spacing = std::min(kSpacing, length / 20);
  }
  if (!group.goals.empty()) {
    if (options.kind == CurveKind::blend || options.kind == CurveKind::stop)
      throw Error("straight lines leave the goals of section " + std::to_string(group.first), {},
                  "take --curve smooth, or automatic");
    ConstrainedCurveOptions constrained;
    constrained.tolerance = options.tolerance;
    constrained.smoothing = smoothing;
    return constrainedCurve(robot, group.goals, group.milestones, constrained);
  }
  const bool moving = group.velocities.size() == group.milestones.size() && !group.times.empty();
  CurveKind kind = options.kind;
  if (kind == CurveKind::automatic)
    kind = moving || (group.milestones.size() > 2 && sharpestCorner(group.milestones) < kGentle) ? CurveKind::smooth
                                                                                                 : CurveKind::blend;
  if (kind != CurveKind::smooth) return blendedCurve(group.milestones, kind == CurveKind::stop ? 0 : options.deviation);
  if (moving) return curveOf({group.times, group.milestones, group.velocities}, smoothing);
  return smoothCurve(group.milestones, smoothing);
}

}  // namespace mortise
