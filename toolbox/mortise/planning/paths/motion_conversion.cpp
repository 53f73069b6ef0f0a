#include "mortise/planning/paths/motion_conversion.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/modeling/resource_conversion.h"
#include "mortise/planning/paths/retime.h"
#include "mortise/text/article.h"
#include "mortise/text/suggest.h"
#include "mortise/timing/multipath/multipath_curves.h"
#include "mortise/timing/multipath/multipath_tools.h"
#include "mortise/timing/multipath/path_interpolation.h"

namespace mortise {

namespace {

/// A motion in equal steps has no more configurations than this.
constexpr double kMaxSteps = 1e6;

bool isMotion(FileContent kind) {
  return kind == FileContent::configurations || kind == FileContent::trajectory ||
         kind == FileContent::hermiteTrajectory || kind == FileContent::multipath;
}

bool hasAllVelocities(const MultiPath& path) {
  return std::all_of(path.sections.begin(), path.sections.end(),
                     [](const MultiPath::Section& section) { return !section.velocities.empty(); });
}

MultiPath anyMotion(const Resource& motion) {
  if (const auto* path = std::get_if<MultiPath>(&motion)) return *path;
  Diagnostics nothing;
  return std::get<MultiPath>(convertResource(motion, FileContent::multipath, nothing));
}

void setTimes(MultiPath& path, const MotionConversionOptions& options) {
  if (options.duration) {
    if (!(*options.duration > 0) || std::isinf(*options.duration))
      throw Error("a motion cannot take " + formatReal(*options.duration) + " s", {}, "take a time above 0");
    if (!path.timed())
      giveTimes(path, *options.duration);
    else if (path.duration() > 0)
      scaleTimes(path, *options.duration / path.duration());
    else
      throw Error("the motion takes no time, and cannot be made to take " + formatReal(*options.duration) + " s");
  }
  if (!options.start || !path.timed()) return;
  const double shift = *options.start - path.startTime();
  for (MultiPath::Section& section : path.sections)
    for (double& t : section.times) t += shift;
}

/// One configuration a step, and the last one.
MultiPath inSteps(const MultiPath& path, double step) {
  if (!path.timed())
    throw Error("a path without times has no steps in time", {}, "give it times with --duration, or `path retime`");
  if (!(step > 0) || !(path.duration() / step < kMaxSteps))
    throw Error("the motion cannot be written in steps of " + formatReal(step) + " s", {},
                "take a step above 0 that gives no more than a million configurations");
  MultiPath result;
  result.settings = path.settings;
  result.sections.emplace_back();
  MultiPath::Section& section = result.sections.front();
  const bool moving = hasAllVelocities(path);
  const double start = path.startTime(), end = path.endTime();
  const auto add = [&](double t) {
    VectorXd q(path.dimension()), dq(path.dimension());
    evaluatePath(path, t, PathInterpolation::given, q, dq);
    section.times.push_back(t);
    section.milestones.push_back(std::move(q));
    if (moving) section.velocities.push_back(std::move(dq));
  };
  const auto count = static_cast<long>(std::floor((end - start) / step * (1 + 1e-12)));
  for (long i = 0; i <= count; ++i) add(std::min(start + step * static_cast<double>(i), end));
  if (section.times.back() < end || section.times.size() < 2) add(end);
  if (!moving) return result;
  // Outside of its times, the end among them, a motion stands still.
  section.velocities.back() = path.sections.back().velocities.back();
  return result;
}

/// Klamp't's times of a path that has none.
void timesFromNothing(MultiPath& path) {
  const auto sections = static_cast<double>(path.sections.size());
  for (std::size_t s = 0; s < path.sections.size(); ++s) {
    MultiPath::Section& section = path.sections[s];
    const auto last = static_cast<double>(section.milestones.size() - 1);
    for (std::size_t i = 0; i < section.milestones.size(); ++i)
      section.times.push_back((static_cast<double>(s) + static_cast<double>(i) / last) / sections);
    // Velocities are displacements between milestones there.
    for (VectorXd& v : section.velocities) v *= sections * last;
  }
}

/// Velocities for all sections, as one curve through all of them.
void addVelocities(MultiPath& path, KnotVelocities how) {
  Trajectory all;
  std::vector<std::size_t> begins;
  for (const MultiPath::Section& section : path.sections) {
    const bool joins = !all.times.empty() && all.times.back() == section.times.front() &&
                       all.configurations.back() == section.milestones.front();
    begins.push_back(all.times.size() - (joins ? 1 : 0));
    all.times.insert(all.times.end(), section.times.begin() + (joins ? 1 : 0), section.times.end());
    all.configurations.insert(all.configurations.end(), section.milestones.begin() + (joins ? 1 : 0),
                              section.milestones.end());
  }
  const HermiteTrajectory curve = withVelocities(all, how);
  for (std::size_t s = 0; s < path.sections.size(); ++s) {
    MultiPath::Section& section = path.sections[s];
    const auto from = curve.velocities.begin() + static_cast<std::ptrdiff_t>(begins[s]);
    section.velocities.assign(from, from + static_cast<std::ptrdiff_t>(section.milestones.size()));
  }
}

double limitedSlope(double v, double before, double after) {
  if (!(before * after > 0)) return 0;
  const double maximum = 3 * std::min(std::abs(before), std::abs(after));
  return std::copysign(std::min(std::abs(v), maximum), before);
}

}  // namespace

KnotVelocities knotVelocities(std::string_view name) {
  if (name == "smooth") return KnotVelocities::smooth;
  if (name == "rest") return KnotVelocities::rest;
  throw Error("there are no velocities '" + std::string(name) + "'", {}, listNames({"smooth", "rest"}));
}

HermiteTrajectory withVelocities(const Trajectory& path, KnotVelocities how) {
  HermiteTrajectory result{path.times, path.configurations, {}};
  const std::size_t count = path.configurations.size();
  if (count == 0) return result;
  const Eigen::Index n = path.configurations.front().size();
  result.velocities.assign(count, VectorXd::Zero(n));
  if (how == KnotVelocities::rest || count < 2) return result;
  std::vector<VectorXd> slopes(count - 1, VectorXd::Zero(n));
  for (std::size_t i = 0; i + 1 < count; ++i)
    if (const double h = path.times[i + 1] - path.times[i]; h > 0)
      slopes[i] = (path.configurations[i + 1] - path.configurations[i]) / h;
  for (Eigen::Index j = 0; j < n; ++j) {
    for (std::size_t i = 1; i + 1 < count; ++i) {
      const double h = path.times[i + 1] - path.times[i - 1];
      const double v = h > 0 ? (path.configurations[i + 1][j] - path.configurations[i - 1][j]) / h : 0;
      result.velocities[i][j] = limitedSlope(v, slopes[i - 1][j], slopes[i][j]);
    }
    const auto end = [&](double slope, double other) { return limitedSlope(2 * slope - other, slope, slope); };
    result.velocities.front()[j] = count == 2 ? slopes[0][j] : end(slopes.front()[j], result.velocities[1][j]);
    result.velocities.back()[j] = count == 2 ? slopes[0][j] : end(slopes.back()[j], result.velocities[count - 2][j]);
  }
  return result;
}

Resource convertMotion(const Resource& motion, FileContent kind, const MotionConversionOptions& options,
                       Diagnostics& diagnostics) {
  const FileContent from = contentOf(motion);
  if (!isMotion(from) || !isMotion(kind))
    throw Error(withArticle(contentName(isMotion(from) ? kind : from)) + " is no motion", {},
                "motions are configurations, trajectories, hermite_trajectories and multipaths");
  if (!(options.resolution >= 0)) throw Error("the resolution must be at least 0");
  MultiPath path = anyMotion(motion);
  if (options.robot) path = unwrapped(options.robot, std::move(path));
  setTimes(path, options);
  if (options.every) {
    path = inSteps(path, *options.every);
    if (kind == FileContent::trajectory) path.sections.front().velocities.clear();
  }
  const bool moving = hasAllVelocities(path);
  if (kind == FileContent::multipath) return path;
  if (kind == FileContent::hermiteTrajectory && !moving) {
    if (!path.timed()) {
      diagnostics.note("the path has no times; as in Klamp't it takes 1 s, and all its sections are equally long", {},
                       "--duration gives it another, `mortise path retime` one within the robot's limits");
      timesFromNothing(path);
    }
    for (MultiPath::Section& section : path.sections) section.velocities.clear();
    addVelocities(path, options.velocities);
    diagnostics.note(options.velocities == KnotVelocities::smooth
                         ? "the motion has no velocities: those of a smooth curve through its milestones are written"
                         : "the motion has no velocities: it rests in every milestone");
  }
  if (kind == FileContent::hermiteTrajectory) return convertResource(path, kind, diagnostics);
  const bool lines = moving && path.timed() && options.resolution > 0 && !options.every;
  if (kind == FileContent::trajectory && lines) {
    Diagnostics losses;  // Velocities are not lost: the lines keep to the curve.
    const auto curve = std::get<HermiteTrajectory>(convertResource(path, FileContent::hermiteTrajectory, losses));
    for (Diagnostic loss : losses.all()) diagnostics.add(std::move(loss));
    return sampled(curve, options.resolution);
  }
  return convertResource(path, kind, diagnostics);
}

}  // namespace mortise
