#include "mortise/timing/multipath/multipath_tools.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/timing/multipath/constrained_curve.h"
#include "mortise/timing/multipath/path_interpolation.h"

namespace mortise {

namespace {

constexpr double kMaxSamples = 1e6;
/// Rounds of halving for links that leave their goals between milestones.
constexpr int kGoalHalvings = 16;

void requirePath(const RobotPtr& robot, const MultiPath& path) {
  if (const std::string problem = path.problem(); !problem.empty()) throw Error(problem);
  if (robot && path.dimension() != robot->numLinks())
    throw Error("the configurations have " + std::to_string(path.dimension()) + " numbers, but robot '" +
                    robot->name() + "' has " + std::to_string(robot->numLinks()) + " links",
                {}, "name the robot that the path was made for");
  for (std::size_t s = 0; s < path.sections.size() && !robot; ++s)
    if (!path.goalsOf(s).empty())
      throw Error("section " + std::to_string(s) + " has goals for links, which need a robot", {},
                  "name the robot with --robot");
}

/// A knot of a group's curve.
struct Knot {
  double s = 0;  ///< Along the whole group.
  VectorXd q, slope;
};

/// All knots of a curve in a row; rests have two.
std::vector<Knot> knotsOf(const PathCurve& curve) {
  std::vector<Knot> knots;
  double start = 0;
  for (const HermiteTrajectory& stretch : curve.stretches) {
    for (std::size_t k = 0; k < stretch.times.size(); ++k)
      knots.push_back(
          {start + stretch.times[k] - stretch.times.front(), stretch.configurations[k], stretch.velocities[k]});
    start += stretch.times.back() - stretch.times.front();
  }
  return knots;
}

double placeOf(const PathCurve& curve, PathCurve::Place place) {
  double start = 0;
  for (std::size_t i = 0; i < place.stretch; ++i)
    start += curve.stretches[i].times.back() - curve.stretches[i].times.front();
  return start + curve.stretches[place.stretch].times[place.knot] - curve.stretches[place.stretch].times.front();
}

/// Knots of a section, ends included; times are s.
void cutKnots(const std::vector<Knot>& knots, double from, double to, MultiPath::Section& section) {
  section.milestones.clear();
  section.velocities.clear();
  section.times.clear();
  const double slack = 1e-12 * std::max(1.0, to);
  for (std::size_t k = 0; k < knots.size(); ++k) {
    const bool within = knots[k].s >= from - slack && knots[k].s <= to + slack;
    // Of the two knots of a rest at either end: the one inside.
    const bool beforeStart = k + 1 < knots.size() && knots[k].s <= from + slack && knots[k + 1].s <= from + slack;
    const bool afterEnd = k > 0 && knots[k].s >= to - slack && knots[k - 1].s >= to - slack && to > from;
    if (!within || beforeStart || afterEnd) continue;
    section.milestones.push_back(knots[k].q);
    section.velocities.push_back(knots[k].slope);
    section.times.push_back(knots[k].s);
  }
  if (section.milestones.empty()) throw Error("a section of the path has no milestones");
  while (section.milestones.size() < 2) {  // A section that goes nowhere.
    section.milestones.push_back(section.milestones.back());
    section.velocities.push_back(section.velocities.back());
    section.times.push_back(section.times.back());
  }
}

/// Times of places by those of milestones.
double timeAt(const std::vector<double>& places, const std::vector<double>& times, double s) {
  const auto after = std::upper_bound(places.begin(), places.end(), s);
  if (after == places.begin()) return times.front();
  const std::size_t i = std::min(static_cast<std::size_t>(after - places.begin()), places.size() - 1);
  const double span = places[i] - places[i - 1];
  return span > 0 ? times[i - 1] + (s - places[i - 1]) / span * (times[i] - times[i - 1]) : times[i];
}

/// Points of a cubic piece such that chords leave it, and links their goals, by no more than `resolution`.
void samplePiece(const Knot& a, const Knot& b, double resolution, GoalResidual* goals, std::vector<Knot>& points) {
  const double h = b.s - a.s;
  if (!(h > 0)) return;
  const VectorXd mean = (b.q - a.q) / h;
  const double bend =
      std::max((6 * mean - 4 * a.slope - 2 * b.slope).norm(), (4 * b.slope + 2 * a.slope - 6 * mean).norm()) / h;
  HermiteTrajectory piece{{0, h}, {a.q, b.q}, {a.slope, b.slope}};
  int parts = std::max(1, static_cast<int>(std::min(std::ceil(h * std::sqrt(bend / (8 * resolution)) - 1e-9), 1e5)));
  VectorXd q = a.q, dq = q, before = a.q;
  for (int halving = 0; goals != nullptr && halving < kGoalHalvings; ++halving) {
    double off = 0;
    before = a.q;
    for (int k = 1; k <= parts; ++k) {
      piece.evaluate(h * k / parts, q, dq);
      off = std::max(off, goals->at(0.5 * (before + q)));
      before = q;
    }
    if (off <= resolution) break;
    parts *= 2;
  }
  for (int k = 1; k < parts; ++k) {
    piece.evaluate(h * k / parts, q, dq);
    points.push_back({a.s + h * k / parts, q, dq});
  }
}

/// A path from 0 to its duration.
MultiPath fromZero(MultiPath path) {
  const double start = path.startTime();
  for (MultiPath::Section& section : path.sections)
    for (double& t : section.times) t -= start;
  return path;
}

}  // namespace

MultiPath smoothMultiPath(const RobotPtr& robot, const MultiPath& path, const PathCurveOptions& options) {
  requirePath(robot, path);
  MultiPath result = path;
  double full = 0;
  VectorXd end;
  for (const PathGroup& group : groupsOf(path, turnsOf(robot, path.dimension()), robot)) {
    const PathCurve curve = beginningAt(end, curveThrough(robot, group, options));
    end = curve.stretches.back().configurations.back();
    const std::vector<Knot> knots = knotsOf(curve);
    for (std::size_t s = group.first; s <= group.last; ++s) {
      const std::size_t k = s - group.first;
      cutKnots(knots, placeOf(curve, curve.milestones[group.begins[k]]),
               placeOf(curve, curve.milestones[group.begins[k + 1]]), result.sections[s]);
      for (double& t : result.sections[s].times) t += full;
    }
    full += knots.back().s;
  }
  const double start = path.startTime(), rate = full > 0 ? path.duration() / full : 1;
  for (MultiPath::Section& section : result.sections) {
    for (double& t : section.times) t = start + t * rate;
    for (VectorXd& v : section.velocities) v *= rate > 0 ? 1 / rate : 0;
  }
  return result;
}

MultiPath discretizeMultiPath(const RobotPtr& robot, const MultiPath& path, const PathCurveOptions& options,
                              double resolution) {
  requirePath(robot, path);
  if (!(resolution > 0)) throw Error("the resolution must be above 0, not " + formatReal(resolution));
  PathCurveOptions own = options;
  own.tolerance = std::min(own.tolerance, 0.5 * resolution);
  MultiPath result = path;
  VectorXd end;
  for (const PathGroup& group : groupsOf(path, turnsOf(robot, path.dimension()), robot)) {
    const PathCurve curve = beginningAt(end, curveThrough(robot, group, own));
    end = curve.stretches.back().configurations.back();
    const std::vector<Knot> knots = knotsOf(curve);
    std::unique_ptr<GoalResidual> goals;
    if (!group.goals.empty()) goals = std::make_unique<GoalResidual>(robot, group.goals);
    std::vector<Knot> points;
    for (std::size_t k = 0; k < knots.size(); ++k) {
      if (k > 0) samplePiece(knots[k - 1], knots[k], 0.5 * resolution, goals.get(), points);
      points.push_back(knots[k]);
      if (static_cast<double>(points.size()) > kMaxSamples)
        throw Error("more than a million milestones are needed", {}, "take a coarser resolution");
    }
    std::vector<double> places;
    for (const PathCurve::Place& place : curve.milestones) places.push_back(placeOf(curve, place));
    for (std::size_t s = group.first; s <= group.last; ++s) {
      const std::size_t k = s - group.first;
      MultiPath::Section& section = result.sections[s];
      cutKnots(points, places[group.begins[k]], places[group.begins[k + 1]], section);
      section.velocities.clear();
      if (!path.timed()) section.times.clear();
      for (double& t : section.times) t = timeAt(places, group.times, t);
    }
  }
  result.settings.erase(std::remove_if(result.settings.begin(), result.settings.end(),
                                       [](const auto& setting) { return setting.first == "resolution"; }),
                        result.settings.end());
  result.settings.emplace_back("resolution", formatReal(resolution));
  return result;
}

void giveTimes(MultiPath& path, double duration) {
  double count = 0, at = 0;
  for (const MultiPath::Section& section : path.sections) count += static_cast<double>(section.milestones.size() - 1);
  for (MultiPath::Section& section : path.sections) {
    section.times.clear();
    // Without times, velocities are displacements from one milestone to the next.
    for (VectorXd& v : section.velocities) v *= count / duration;
    for (std::size_t i = 0; i < section.milestones.size(); ++i)
      section.times.push_back(duration * (at + static_cast<double>(i)) / count);
    at += static_cast<double>(section.milestones.size() - 1);
  }
}

void scaleTimes(MultiPath& path, double factor) {
  if (factor == 0 || !std::isfinite(factor)) throw Error("times cannot be scaled by " + formatReal(factor));
  if (!path.timed()) throw Error("a path without times cannot be made slower or faster", {}, "`mortise path retime`");
  const double start = path.startTime(), end = path.endTime();
  for (MultiPath::Section& section : path.sections) {
    for (double& t : section.times) t = start + (factor > 0 ? t - start : t - end) * factor;
    for (VectorXd& v : section.velocities) v /= factor;
    if (factor > 0) continue;
    std::reverse(section.times.begin(), section.times.end());
    std::reverse(section.milestones.begin(), section.milestones.end());
    std::reverse(section.velocities.begin(), section.velocities.end());
  }
  if (factor < 0) std::reverse(path.sections.begin(), path.sections.end());
}

MultiPath joinPaths(std::vector<MultiPath> paths) {
  if (paths.empty()) throw Error("there are no paths to join");
  const bool timed = std::any_of(paths.begin(), paths.end(), [](const MultiPath& path) { return path.timed(); });
  MultiPath result;
  result.settings = paths.front().settings;
  const Eigen::Index dimension = paths.front().dimension();
  for (std::size_t p = 0; p < paths.size(); ++p) {
    MultiPath& path = paths[p];
    if (const std::string problem = path.problem(); !problem.empty())
      throw Error("path " + std::to_string(p) + ": " + problem);
    if (path.dimension() != dimension)
      throw Error("path " + std::to_string(p) + " has configurations of " + std::to_string(path.dimension()) +
                  " numbers, the first one of " + std::to_string(dimension));
    if (timed && !path.timed()) giveTimes(path, 1);
    const double offset = result.empty() ? 0 : result.endTime() - path.startTime();
    const int holds = static_cast<int>(result.holds.size());
    for (MultiPath::Section& section : path.sections) {
      if (timed)
        for (double& t : section.times) t += offset;
      for (int& index : section.holdIndices) index += holds;
    }
    for (MultiPath::NamedHold& hold : path.holds) {
      // The first hold of a name is the one that sections mean.
      const bool taken = !hold.name.empty() &&
                         std::any_of(result.holds.begin(), result.holds.end(),
                                     [&](const auto& h) { return h.name == hold.name && !(h.hold == hold.hold); });
      if (taken)
        throw Error("path " + std::to_string(p) + " has another hold of the name '" + hold.name + "'", {},
                    "rename one of the two");
      result.holds.push_back(std::move(hold));
    }
    for (MultiPath::Section& section : path.sections) result.sections.push_back(std::move(section));
  }
  return result;
}

std::vector<MultiPath> splitSections(const MultiPath& path) {
  if (const std::string problem = path.problem(); !problem.empty()) throw Error(problem);
  std::vector<MultiPath> parts;
  for (const MultiPath::Section& section : path.sections) {
    MultiPath part;
    part.settings = path.settings;
    part.holds = path.holds;
    part.sections = {section};
    parts.push_back(fromZero(std::move(part)));
  }
  return parts;
}

std::vector<MultiPath> splitAt(const MultiPath& path, const std::vector<double>& times) {
  if (const std::string problem = path.problem(); !problem.empty()) throw Error(problem);
  if (!path.timed()) throw Error("a path without times cannot be cut at times", {}, "`mortise path retime` first");
  double before = path.startTime();
  for (const double t : times) {
    if (!(t > before) || !(t < path.endTime()))
      throw Error("the path cannot be cut at " + formatReal(t) + " s: times have to grow, between " +
                  formatReal(path.startTime()) + " and " + formatReal(path.endTime()) + " s");
    before = t;
  }
  std::vector<MultiPath> parts;
  double from = path.startTime();
  for (std::size_t p = 0; p <= times.size(); ++p) {
    const double to = p < times.size() ? times[p] : path.endTime();
    MultiPath part;
    part.settings = path.settings;
    part.holds = path.holds;
    for (const MultiPath::Section& section : path.sections) {
      const double first = std::max(from, section.times.front()), last = std::min(to, section.times.back());
      if (!(last > first)) continue;
      MultiPath one;
      one.sections = {section};
      MultiPath::Section cut = section;
      cut.milestones.clear();
      cut.times.clear();
      cut.velocities.clear();
      VectorXd q(path.dimension()), dq(path.dimension());
      const bool moving = !section.velocities.empty();
      const auto add = [&](double t) {
        evaluatePath(one, t, PathInterpolation::given, q, dq);
        if (t >= section.times.back()) {
          q = section.milestones.back();
          if (moving) dq = section.velocities.back();
        }
        cut.times.push_back(t);
        cut.milestones.push_back(q);
        if (moving) cut.velocities.push_back(dq);
      };
      add(first);
      for (std::size_t i = 0; i < section.times.size(); ++i) {
        if (!(section.times[i] > first && section.times[i] < last)) continue;
        cut.times.push_back(section.times[i]);
        cut.milestones.push_back(section.milestones[i]);
        if (moving) cut.velocities.push_back(section.velocities[i]);
      }
      add(last);
      part.sections.push_back(std::move(cut));
    }
    parts.push_back(fromZero(std::move(part)));
    from = to;
  }
  return parts;
}

}  // namespace mortise
