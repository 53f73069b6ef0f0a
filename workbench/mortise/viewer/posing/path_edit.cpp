#include "mortise/viewer/posing/path_edit.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/modeling/resource_conversion.h"
#include "mortise/planning/path_report.h"
#include "mortise/planning/paths/retime.h"
#include "mortise/timing/multipath/multipath_tools.h"

namespace mortise::viewer {

namespace {

std::vector<VectorXd>& milestonesOf(Resource& resource) {
  if (auto* list = std::get_if<ConfigurationList>(&resource)) return list->configurations;
  if (auto* path = std::get_if<Trajectory>(&resource)) return path->configurations;
  throw Error(std::string(contentName(contentOf(resource))) + " has no milestones that could be edited", {},
              "convert it to configurations or a trajectory first");
}

std::vector<double>* timesOf(Resource& resource) {
  auto* path = std::get_if<Trajectory>(&resource);
  return path != nullptr ? &path->times : nullptr;
}

void requireMilestone(const std::vector<VectorXd>& milestones, std::size_t at) {
  if (at >= milestones.size())
    throw Error("there is no milestone " + std::to_string(at) + " of " + std::to_string(milestones.size()));
}

void requireFit(const std::vector<VectorXd>& milestones, const VectorXd& q) {
  if (!milestones.empty() && milestones.front().size() != q.size())
    throw Error("the path is for another robot: its milestones have " + std::to_string(milestones.front().size()) +
                " numbers, not " + std::to_string(q.size()));
}

std::ptrdiff_t offset(std::size_t at) { return static_cast<std::ptrdiff_t>(at); }

}  // namespace

bool isEditablePath(const Resource& resource) {
  return std::holds_alternative<ConfigurationList>(resource) || std::holds_alternative<Trajectory>(resource);
}

Trajectory motionOf(const Resource& resource) {
  if (const auto* path = std::get_if<Trajectory>(&resource)) return *path;
  if (const auto* list = std::get_if<ConfigurationList>(&resource)) {
    Trajectory path;
    path.configurations = list->configurations;
    for (std::size_t i = 0; i < list->configurations.size(); ++i) path.times.push_back(static_cast<double>(i));
    return path;
  }
  Diagnostics diagnostics;
  return std::get<Trajectory>(convertResource(resource, FileContent::trajectory, diagnostics));
}

Resource withMilestone(const Resource& path, std::size_t at, const VectorXd& q) {
  Resource out = path;
  std::vector<VectorXd>& milestones = milestonesOf(out);
  requireFit(milestones, q);
  if (at > milestones.size()) requireMilestone(milestones, at);
  if (std::vector<double>* times = timesOf(out)) {
    const double time = times->empty()        ? 0
                        : at == 0             ? times->front()
                        : at == times->size() ? times->back() + 1
                                              : ((*times)[at - 1] + (*times)[at]) / 2;
    if (at == 0)
      for (double& later : *times) later += 1;
    times->insert(times->begin() + offset(at), time);
  }
  milestones.insert(milestones.begin() + offset(at), q);
  return out;
}

Resource withReplaced(const Resource& path, std::size_t at, const VectorXd& q) {
  Resource out = path;
  std::vector<VectorXd>& milestones = milestonesOf(out);
  requireMilestone(milestones, at);
  requireFit(milestones, q);
  milestones[at] = q;
  return out;
}

Resource withoutMilestone(const Resource& path, std::size_t at) {
  Resource out = path;
  std::vector<VectorXd>& milestones = milestonesOf(out);
  requireMilestone(milestones, at);
  if (milestones.size() < 2) throw Error("the last milestone cannot be deleted", {}, "delete the path");
  milestones.erase(milestones.begin() + offset(at));
  if (std::vector<double>* times = timesOf(out)) times->erase(times->begin() + offset(at));
  return out;
}

Resource withMoved(const Resource& path, std::size_t from, std::size_t to) {
  Resource out = path;
  std::vector<VectorXd>& milestones = milestonesOf(out);
  requireMilestone(milestones, from);
  requireMilestone(milestones, to);
  const VectorXd q = milestones[from];
  milestones.erase(milestones.begin() + offset(from));
  milestones.insert(milestones.begin() + offset(to), q);
  return out;
}

std::pair<Resource, Resource> splitAt(const Resource& path, std::size_t at) {
  Resource first = path, second = path;
  std::vector<VectorXd>&a = milestonesOf(first), &b = milestonesOf(second);
  requireMilestone(a, at);
  if (at == 0 || at + 1 == a.size())
    throw Error("a path is split at a milestone between its first and its last", {}, "choose one in between");
  a.resize(at + 1);
  b.erase(b.begin(), b.begin() + offset(at));
  if (std::vector<double>* times = timesOf(first)) times->resize(at + 1);
  if (std::vector<double>* times = timesOf(second)) {
    times->erase(times->begin(), times->begin() + offset(at));
    const double start = times->front();
    for (double& time : *times) time -= start;
  }
  return {std::move(first), std::move(second)};
}

Resource reversed(const Resource& path) {
  Resource out = path;
  std::vector<VectorXd>& milestones = milestonesOf(out);
  std::reverse(milestones.begin(), milestones.end());
  if (std::vector<double>* times = timesOf(out); times != nullptr && !times->empty()) {
    const double sum = times->front() + times->back();
    std::reverse(times->begin(), times->end());
    for (double& time : *times) time = sum - time;
  }
  return out;
}

Resource retimed(const Resource& path, const Robot& robot, std::optional<double> duration) {
  Trajectory motion = motionOf(path);
  for (const VectorXd& q : motion.configurations)
    if (q.size() != robot.numLinks()) throw Error("the path is for another robot than '" + robot.name() + "'");
  if (motion.configurations.empty()) throw Error("the path has no milestones");
  motion.times.assign(1, 0);
  for (std::size_t i = 1; i < motion.configurations.size(); ++i) {
    double time = 0;
    for (int l = 0; l < robot.numLinks(); ++l) {
      const double limit = robot.link(l).velocityMax,
                   distance = std::abs(motion.configurations[i][l] - motion.configurations[i - 1][l]);
      time = std::max(time, distance / (limit > 0 && std::isfinite(limit) ? limit : 1));
    }
    motion.times.push_back(motion.times.back() + time);
  }
  if (duration) {
    if (!(*duration > 0) || !std::isfinite(*duration)) throw Error("a path takes more than 0 s");
    const double end = motion.times.back();
    for (double& time : motion.times) time = end > 0 ? time * *duration / end : time;
  }
  return motion;
}

namespace {

constexpr double kStraight = 1e-3;  ///< rad, m: how far milestones' straight lines are from an optimized motion.

/// Returns a path that is for the robot; milestones have times where the path has them.
MultiPath requireMultiPath(const Resource& path, const Robot& robot) {
  if (!isEditablePath(path) && !std::holds_alternative<MultiPath>(path))
    throw Error(std::string(contentName(contentOf(path))) + " is no path that can be timed", {},
                "convert it to a trajectory or a multipath first");
  MultiPath sections = multiPathOf(path);
  for (const VectorXd& q : mortise::milestonesOf(sections))
    if (q.size() != robot.numLinks()) throw Error("the path is for another robot than '" + robot.name() + "'");
  return sections;
}

}  // namespace

Resource discretized(const Resource& path, const RobotPtr& robot, double resolution) {
  if (!(resolution > 0) || !std::isfinite(resolution)) throw Error("a resolution is above 0 rad or m");
  MultiPath fine = discretizeMultiPath(robot, requireMultiPath(path, *robot), {}, resolution);
  if (std::holds_alternative<MultiPath>(path)) return fine;
  if (std::holds_alternative<ConfigurationList>(path)) return ConfigurationList{mortise::milestonesOf(fine)};
  Diagnostics nothing;
  return convertResource(std::move(fine), FileContent::trajectory, nothing);
}

Resource optimized(const Resource& path, const RobotPtr& robot) {
  MultiPathTiming timing = timeMultiPath(robot, requireMultiPath(path, *robot), {});
  if (std::holds_alternative<MultiPath>(path)) return std::move(timing.path);
  return sampled(timing.motion, kStraight);
}

}  // namespace mortise::viewer
