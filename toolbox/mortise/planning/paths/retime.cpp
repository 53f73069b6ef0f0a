#include "mortise/planning/paths/retime.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/math/constants.h"
#include "mortise/planning/paths/ramp_shortcut.h"
#include "mortise/text/suggest.h"
#include "mortise/timing/bound_usage.h"
#include "mortise/timing/carried_limits.h"
#include "mortise/timing/path_timing.h"

namespace mortise {

namespace {

/// Coordinates: edges that leave the straight line by no more than this are lines.
constexpr double kLine = 1e-9;
/// Rad and m: edges between neighbors of a discretized path that leave the line by more jump.
constexpr double kJump = 0.5;

/// The first edge that goes farther than `maximum` from the line in coordinates; the number of milestones when there is
/// none.
std::size_t firstBent(const PlanningSpace& space, const std::vector<VectorXd>& path,
                      std::span<const CoordinateLimits> limits, double maximum) {
  VectorXd q;
  for (std::size_t i = 1; i < path.size(); ++i)
    for (const double u : {0.25, 0.5, 0.75}) {
      space.interpolate(path[i - 1], path[i], u, q);
      for (std::size_t j = 0; j < limits.size(); ++j) {
        const auto c = static_cast<Eigen::Index>(j);
        const double a = path[i - 1][c], b = nearestTurn(limits[j], a, path[i][c]), line = a + u * (b - a);
        double off = q[c] - line;
        if (limits[j].circular) off = std::remainder(off, kTurn);
        if (!(std::abs(off) <= maximum * std::max({1.0, std::abs(a), std::abs(b)}))) return i - 1;
      }
    }
  return path.size();
}

double lengthOf(const PlanningSpace& space, const HermiteTrajectory& trajectory) {
  double length = 0;
  if (trajectory.empty()) return length;
  VectorXd before = trajectory.configurations.front(), here = before, velocity = before;
  for (std::size_t i = 0; i + 1 < trajectory.times.size(); ++i) {
    const double t0 = trajectory.times[i], h = trajectory.times[i + 1] - t0;
    for (int k = 1; k <= 8 && h > 0; ++k) {
      if (k == 8)
        here = trajectory.configurations[i + 1];
      else
        trajectory.evaluate(t0 + h * k / 8, here, velocity);
      length += space.distance(before, here);
      std::swap(before, here);
    }
  }
  return length;
}

/// Fills in what is told of accelerations.
void measureSmoothness(const HermiteTrajectory& trajectory, std::span<const CoordinateLimits> limits,
                       RetimeOutcome& outcome) {
  constexpr double kJump = 1e-3, kRest = 1e-9;  // Fractions of the bounds.
  double squares = 0;
  std::vector<double> before(limits.size(), 0.0);
  for (std::size_t i = 0; i + 1 < trajectory.times.size(); ++i) {
    const double h = trajectory.times[i + 1] - trajectory.times[i];
    if (!(h > 0)) continue;
    bool jumps = false, rests = i > 0;
    for (std::size_t j = 0; j < limits.size(); ++j) {
      const auto c = static_cast<Eigen::Index>(j);
      const double v0 = trajectory.velocities[i][c], v1 = trajectory.velocities[i + 1][c];
      rests = rests && std::abs(v0) <= kRest * std::max(limits[j].vMax, -limits[j].vMin);
      if (!(limits[j].aMax > 0) || std::isinf(limits[j].aMax)) continue;
      const double mean = (trajectory.configurations[i + 1][c] - trajectory.configurations[i][c]) / h;
      const double a0 = (6 * mean - 4 * v0 - 2 * v1) / h / limits[j].aMax;
      const double a1 = (4 * v1 + 2 * v0 - 6 * mean) / h / limits[j].aMax;
      squares += h * (a0 * a0 + a0 * a1 + a1 * a1) / 3;
      jumps = jumps || std::abs(a0 - before[j]) > kJump;
      before[j] = a1;
    }
    outcome.accelerationChanges += jumps;
    outcome.stops += rests;
  }
  const double duration = trajectory.endTime() - trajectory.startTime();
  if (duration > 0 && !limits.empty())
    outcome.meanAcceleration = std::sqrt(squares / duration / static_cast<double>(limits.size()));
}

}  // namespace

std::string_view retimeMethodName(RetimeMethod method) {
  constexpr std::string_view kNames[] = {"parabolic", "blend", "linear"};
  return kNames[static_cast<int>(method)];
}

RetimeMethod retimeMethod(std::string_view name) {
  for (const RetimeMethod method : {RetimeMethod::parabolic, RetimeMethod::blend, RetimeMethod::linear})
    if (retimeMethodName(method) == name) return method;
  if (name == "toppra") return RetimeMethod::blend;
  throw Error("there is no method '" + std::string(name) + "' to give times to a path", {},
              listNames({"blend", "linear", "parabolic", "toppra"}));
}

RetimeOutcome retime(PlanningSpace& space, const MotionLimits& limits, const std::vector<VectorXd>& path,
                     RandomStream& random, PlanningStop& stop, const RetimeOptions& options) {
  if (static_cast<int>(limits.limits.size()) != space.dimension())
    throw Error("there are limits for " + std::to_string(limits.limits.size()) + " coordinates, but the space has " +
                std::to_string(space.dimension()));
  if (path.empty()) throw Error("a path without milestones cannot be given times");
  if (!(options.tolerance > 0)) throw Error("the tolerance must be above 0, not " + formatReal(options.tolerance));
  requireMilestones(path, limits.limits, limits.names);
  RetimeOutcome outcome;
  for (std::size_t i = 1; i < path.size(); ++i) outcome.lengthBefore += space.distance(path[i - 1], path[i]);

  std::vector<VectorXd> fine;
  const std::vector<VectorXd>* milestones = &path;
  BlendOptions blend;
  blend.deviation = options.deviation;
  CurveChecker checker(space, limits.limits, options.tolerance);
  blend.free = [&](const VectorXd& a, const VectorXd& corner, const VectorXd& b) {
    return space.feasible(a) && space.feasible(b) && checker.free(a, corner, b);
  };
  if (firstBent(space, path, limits.limits, kLine) < path.size()) {
    if (options.method == RetimeMethod::parabolic)
      throw Error("method 'parabolic' needs a space whose edges are lines in its coordinates", {},
                  "take method 'blend', which keeps to the path");
    fine = discretize(space, path, options.tolerance, options.remedy);
    if (const std::size_t i = firstBent(space, fine, limits.limits, kJump); i < fine.size())
      throw Error("coordinates jump between configurations " + std::to_string(i) + " and " + std::to_string(i + 1) +
                      " of the discretized path, as those of rotations do after half a turn",
                  {}, "cut the path in two there, or choose other milestones");
    milestones = &fine;
    // Lines between milestones are not edges of the space. Blends are as near to the edges as they are.
    blend.deviation = std::min(options.deviation, options.tolerance);
    blend.free = {};
  }
  const std::vector<CoordinateLimits> bounds = withCarriedLimits(limits.limits, *milestones, limits.names);
  if (options.method == RetimeMethod::linear) {
    outcome.trajectory = timeLinear(*milestones, bounds, limits.names);
    outcome.durationBefore = outcome.trajectory.endTime();
  } else {
    RampPath rests = RampPath::throughMilestones(*milestones, bounds, limits.names);
    outcome.durationBefore = rests.duration();
    if (options.method == RetimeMethod::blend) {
      outcome.trajectory = timeBlended(*milestones, bounds, blend, limits.names).trajectory;
    } else if (options.shortcut) {
      RampShortcutOptions shortcuts;
      shortcuts.tolerance = options.tolerance;
      shortcuts.idle = options.idle;
      RampShortcutter shortcutter(space, bounds, shortcuts);
      shortcutter.start(std::move(rests));
      while (!shortcutter.finished() && !stop.reached(shortcutter.duration())) shortcutter.round(random);
      outcome.trajectory = shortcutter.path().trajectory();
      outcome.rounds = shortcutter.rounds();
      outcome.improvements = shortcutter.improvements();
    } else {
      outcome.trajectory = rests.trajectory();
    }
    keepToBounds(outcome.trajectory, bounds);
  }
  outcome.duration = outcome.trajectory.endTime() - outcome.trajectory.startTime();
  outcome.length = lengthOf(space, outcome.trajectory);
  measureSmoothness(outcome.trajectory, limits.limits, outcome);
  return outcome;
}

std::vector<VectorXd> discretize(PlanningSpace& space, const std::vector<VectorXd>& path, double tolerance,
                                 const std::function<std::string(const VectorXd& q)>& remedy) {
  if (!(tolerance > 0)) throw Error("the tolerance must be above 0, not " + formatReal(tolerance));
  std::vector<VectorXd> fine;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const std::size_t first = fine.size();
    if (i > 0) space.refine(path[i - 1], path[i], tolerance, fine);
    for (std::size_t k = first; k < fine.size(); ++k) {
      int violated = -1;
      if (fine[k].allFinite() && space.feasible(fine[k], &violated)) continue;
      std::string why = violated >= 0 ? space.explain(violated, fine[k]) : std::string("it is not finite");
      const std::string advice = remedy && fine[k].allFinite() ? remedy(fine[k]) : std::string();
      throw Error("a configuration between milestones " + std::to_string(i - 1) + " and " + std::to_string(i) +
                      " does not hold: " + why,
                  {}, "plan with a finer resolution, or with proven edges" + (advice.empty() ? "" : "; " + advice));
    }
    fine.push_back(path[i]);
  }
  return fine;
}

HermiteTrajectory ofMover(const HermiteTrajectory& full, const Mover& mover) {
  HermiteTrajectory part;
  part.times = full.times;
  for (std::size_t i = 0; i < full.times.size(); ++i) {
    part.configurations.push_back(full.configurations[i].segment(mover.first, mover.size));
    part.velocities.push_back(full.velocities[i].segment(mover.first, mover.size));
  }
  return part;
}

Trajectory sampled(const HermiteTrajectory& trajectory, double tolerance) {
  if (!(tolerance > 0)) throw Error("the tolerance must be above 0, not " + formatReal(tolerance));
  constexpr double kMaximum = 1e6;
  Trajectory result;
  const auto add = [&](double t, const VectorXd& q) {
    if (!result.times.empty() && result.times.back() == t && result.configurations.back() == q) return;
    if (static_cast<double>(result.times.size()) >= kMaximum)
      throw Error("more than a million configurations are needed to keep to the motion", {},
                  "take a coarser tolerance");
    result.times.push_back(t);
    result.configurations.push_back(q);
  };
  for (std::size_t i = 0; i < trajectory.times.size(); ++i) {
    add(trajectory.times[i], trajectory.configurations[i]);
    if (i + 1 == trajectory.times.size()) break;
    const double t = trajectory.times[i], h = trajectory.times[i + 1] - t;
    if (!(h > 0)) continue;
    // A cubic leaves its chord by at most the largest acceleration times h^2 / 8.
    const VectorXd mean = (trajectory.configurations[i + 1] - trajectory.configurations[i]) / h;
    const VectorXd &v0 = trajectory.velocities[i], &v1 = trajectory.velocities[i + 1];
    const double largest = std::max((6 * mean - 4 * v0 - 2 * v1).cwiseAbs().maxCoeff(),
                                    (4 * v1 + 2 * v0 - 6 * mean).cwiseAbs().maxCoeff()) /
                           h;
    // Rounding in straight pieces is not worth a configuration.
    const double parts = std::max(std::ceil(h * std::sqrt(largest / (8 * tolerance)) - 1e-9), 1.0);
    VectorXd q(mean.size()), dq(mean.size());
    for (double k = 1; k < parts; ++k) {
      trajectory.evaluate(t + h * k / parts, q, dq);
      add(t + h * k / parts, q);
    }
  }
  return result;
}

MultiPath multiPathOf(const HermiteTrajectory& trajectory) {
  MultiPath path;
  MultiPath::Section section;
  section.milestones = trajectory.configurations;
  section.times = trajectory.times;
  section.velocities = trajectory.velocities;
  if (section.milestones.size() == 1) {
    // A section has at least two.
    section.milestones.push_back(section.milestones.front());
    section.times.push_back(section.times.front());
    section.velocities.push_back(section.velocities.front());
  }
  if (!section.milestones.empty()) path.sections.push_back(std::move(section));
  return path;
}

}  // namespace mortise
