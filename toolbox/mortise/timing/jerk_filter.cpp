#include "mortise/timing/jerk_filter.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/expect.h"
#include "mortise/base/value_text.h"
#include "mortise/math/constants.h"
#include "mortise/timing/bound_usage.h"

namespace mortise {

namespace {

/// Knots nearer to each other (s) are one: over less, accelerations are rounding.
constexpr double kNearKnots = 1e-5;
/// The share of a jerk's limit that is used: knots that count as one bend accelerations by as much as the rest.
constexpr double kUsed = 0.97;
/// Steps of the search for the narrowest window.
constexpr int kWindowSteps = 40;
/// Velocities below this (rad/s, m/s) are a rest.
constexpr double kRest = 1e-12;

/// A motion from rest to rest in parabolas: accelerations are constant between breaks.
struct Parabolas {
  std::vector<double> times;
  std::vector<VectorXd> q, v, a;  ///< At each break; `a` from there on.
  std::vector<VectorXd> area;     ///< Integral of q - q(0) up to each break.

  std::size_t at(double t) const {
    const auto after = std::upper_bound(times.begin(), times.end(), t);
    const auto i = static_cast<std::size_t>(after - times.begin());
    return i == 0 ? 0 : std::min(i - 1, times.size() - 2);
  }
  double end() const { return times.back(); }
  VectorXd position(double t) const {
    if (t <= 0) return q.front();
    if (t >= end()) return q.back();
    const std::size_t i = at(t);
    const double d = t - times[i];
    return q[i] + d * (v[i] + 0.5 * d * a[i]);
  }
  VectorXd velocity(double t) const {
    if (t <= 0 || t >= end()) return VectorXd::Zero(q.front().size());
    const std::size_t i = at(t);
    return v[i] + (t - times[i]) * a[i];
  }
  VectorXd areaTo(double t) const {
    if (t <= 0) return VectorXd::Zero(q.front().size());
    if (t >= end()) return area.back() + (t - end()) * (q.back() - q.front());
    const std::size_t i = at(t);
    const double d = t - times[i];
    return area[i] + d * ((q[i] - q.front()) + d * (0.5 * v[i] + d / 6 * a[i]));
  }
};

/// Each cubic becomes two parabolas of half its time with the same ends: their accelerations, (5 a0 + a1) / 6 and
/// (a0 + 5 a1) / 6, are within its own.
Parabolas parabolasOf(const HermiteTrajectory& motion, std::size_t first, std::size_t last) {
  Parabolas p;
  const auto add = [&](double t, const VectorXd& q, const VectorXd& v, const VectorXd& a) {
    if (!p.times.empty()) {
      const double d = t - p.times.back();
      p.area.push_back(p.area.back() + d * ((p.q.back() - p.q.front()) + d * (0.5 * p.v.back() + d / 6 * p.a.back())));
    } else {
      p.area.push_back(VectorXd::Zero(q.size()));
    }
    p.times.push_back(t);
    p.q.push_back(q);
    p.v.push_back(v);
    p.a.push_back(a);
  };
  const double start = motion.times[first];
  for (std::size_t k = first; k < last; ++k) {
    const double h = motion.times[k + 1] - motion.times[k];
    if (!(h > 0)) continue;
    const VectorXd &q0 = motion.configurations[k], &v0 = motion.velocities[k], &v1 = motion.velocities[k + 1];
    const VectorXd mean = (motion.configurations[k + 1] - q0) / h;
    const VectorXd a0 = (6 * mean - 4 * v0 - 2 * v1) / h, a1 = (4 * v1 + 2 * v0 - 6 * mean) / h;
    const VectorXd before = (5 * a0 + a1) / 6, after = (a0 + 5 * a1) / 6;
    add(motion.times[k] - start, q0, v0, before);
    add(motion.times[k] - start + 0.5 * h, q0 + 0.5 * h * (v0 + 0.25 * h * before), v0 + 0.5 * h * before, after);
  }
  const VectorXd zero = VectorXd::Zero(motion.configurations[last].size());
  add(motion.times[last] - start, motion.configurations[last], zero, zero);
  return p;
}

/// Breaks of the mean over a window: those of the motion, and the same a window later.
std::vector<double> breaksOf(const Parabolas& p, double window, const std::vector<double>& more) {
  std::vector<double> breaks;
  for (const double t : p.times) breaks.push_back(t), breaks.push_back(t + window);
  for (const double t : more) breaks.push_back(t);
  std::sort(breaks.begin(), breaks.end());
  const double end = p.end() + window;
  std::vector<double> kept = {0};
  for (const double t : breaks)
    if (t - kept.back() > kNearKnots && end - t > kNearKnots) kept.push_back(t);
  kept.push_back(end);
  return kept;
}

VectorXd accelerationOver(const Parabolas& p, double t, double window) {
  return (p.velocity(t) - p.velocity(t - window)) / window;
}

/// The largest share of a limit of jerk: accelerations are linear between breaks.
double jerkOver(const Parabolas& p, double window, std::span<const double> jerks) {
  const std::vector<double> breaks = breaksOf(p, window, {});
  double maximum = 0;
  VectorXd before = accelerationOver(p, 0, window);
  for (std::size_t k = 1; k < breaks.size(); ++k) {
    const VectorXd here = accelerationOver(p, breaks[k], window);
    const double h = breaks[k] - breaks[k - 1];
    for (std::size_t j = 0; j < jerks.size(); ++j) {
      const auto c = static_cast<Eigen::Index>(j);
      maximum = std::max(maximum, std::abs(here[c] - before[c]) / h / jerks[j]);
    }
    before = here;
  }
  return maximum;
}

/// The narrowest window for which the jerk is within its limits.
double windowFor(const Parabolas& p, std::span<const double> jerks) {
  double wide = 0;  // Two accelerations differ by no more than the range of all.
  for (std::size_t j = 0; j < jerks.size(); ++j) {
    const auto c = static_cast<Eigen::Index>(j);
    double minimum = 0, maximum = 0;
    for (const VectorXd& a : p.a) minimum = std::min(minimum, a[c]), maximum = std::max(maximum, a[c]);
    wide = std::max(wide, (maximum - minimum) / (kUsed * jerks[j]));
  }
  if (!(wide > 0)) return 0;
  wide = std::max(wide, 4 * kNearKnots);
  double narrow = 0.25 * wide;
  if (jerkOver(p, narrow, jerks) <= kUsed) return narrow;
  for (int i = 0; i < kWindowSteps && wide - narrow > 1e-6 * wide; ++i) {
    const double middle = 0.5 * (narrow + wide);
    (jerkOver(p, middle, jerks) <= kUsed ? wide : narrow) = middle;
  }
  return wide;
}

void requireJerks(std::span<const double> jerks) {
  for (const double jerk : jerks)
    if (!(jerk > 0)) throw Error("a limit of jerk must be above 0, not " + formatReal(jerk));
}

}  // namespace

JerkLimitedMotion limitJerk(const HermiteTrajectory& motion, std::span<const CoordinateLimits> limits,
                            std::span<const double> jerks, const std::vector<double>& milestoneTimes) {
  requireJerks(jerks);
  JerkLimitedMotion result;
  result.milestoneTimes = milestoneTimes;
  result.trajectory = motion;
  if (motion.times.size() < 2) return result;
  MORTISE_REQUIRE_SIZE(motion.configurations.front(), jerks.size(), "one limit a coordinate");
  const auto rests = [&](std::size_t k) { return motion.velocities[k].cwiseAbs().maxCoeff() <= kRest; };
  if (!rests(0) || !rests(motion.times.size() - 1))
    throw Error("jerk can be limited only for motions that begin and end at rest");
  HermiteTrajectory& out = result.trajectory;
  out = {{motion.times.front()}, {motion.configurations.front()}, {VectorXd::Zero(motion.velocities.front().size())}};
  std::size_t next = 0;
  double delay = 0;  // Of the stretch, against the motion.
  for (std::size_t first = 0, last = 1; last < motion.times.size(); ++last) {
    if (!rests(last)) continue;
    const Parabolas p = parabolasOf(motion, first, last);
    const double window = windowFor(p, jerks), start = motion.times[first];
    const auto delayed = [&](double t) {
      return t - start + (t <= start ? 0 : t < motion.times[last] ? 0.5 : 1) * window;
    };
    std::vector<double> passed;
    for (; next < milestoneTimes.size() && milestoneTimes[next] <= motion.times[last]; ++next) {
      passed.push_back(delayed(milestoneTimes[next]));
      result.milestoneTimes[next] = start + delay + passed.back();
    }
    if (!(window > 0)) {  // Nothing limits its jerk.
      for (std::size_t k = first + 1; k <= last; ++k) {
        out.times.push_back(motion.times[k] + delay);
        out.configurations.push_back(motion.configurations[k]);
        out.velocities.push_back(motion.velocities[k]);
      }
      first = last;
      continue;
    }
    const std::vector<double> breaks = breaksOf(p, window, passed);
    for (std::size_t k = 1; k < breaks.size(); ++k) {
      const double t = breaks[k];
      out.times.push_back(start + delay + t);
      out.configurations.push_back(
          k + 1 == breaks.size() ? p.q.back() : VectorXd(p.q.front() + (p.areaTo(t) - p.areaTo(t - window)) / window));
      out.velocities.push_back(k + 1 == breaks.size() ? VectorXd(VectorXd::Zero(p.q.front().size()))
                                                      : VectorXd((p.position(t) - p.position(t - window)) / window));
      result.deviation =
          std::max(result.deviation, (out.configurations.back() - p.position(t - 0.5 * window)).cwiseAbs().maxCoeff());
    }
    delay += window;
    first = last;
  }
  const double stretch = keepToBounds(out, limits);
  const double begin = out.startTime();
  for (double& t : result.milestoneTimes) t = begin + (t - begin) * stretch;
  result.peakJerk = jerkUsage(out, jerks);
  result.duration = out.endTime() - begin;
  return result;
}

double jerkUsage(const HermiteTrajectory& motion, std::span<const double> jerks, double interval) {
  requireJerks(jerks);
  const auto accelerationAt = [&](double t) {
    const auto n = static_cast<Eigen::Index>(jerks.size());
    const auto after = std::upper_bound(motion.times.begin(), motion.times.end(), t);
    const auto k = static_cast<std::size_t>(after - motion.times.begin());
    if (k == 0 || k == motion.times.size()) return VectorXd(VectorXd::Zero(n));
    const double h = motion.times[k] - motion.times[k - 1], u = (t - motion.times[k - 1]) / h;
    const VectorXd mean = (motion.configurations[k] - motion.configurations[k - 1]) / h;
    return VectorXd(
        ((6 * u - 4) * motion.velocities[k - 1] + (6 * u - 2) * motion.velocities[k] + (6 - 12 * u) * mean) / h);
  };
  double maximum = 0;
  // Accelerations are linear between knots: the largest change begins or ends at one.
  for (const double knot : motion.times)
    for (const double from : {knot, knot - interval, knot - 1e-9 * interval}) {
      const VectorXd change = accelerationAt(from + interval) - accelerationAt(from);
      for (std::size_t j = 0; j < jerks.size(); ++j)
        maximum = std::max(maximum, std::abs(change[static_cast<Eigen::Index>(j)]) / interval / jerks[j]);
    }
  return maximum;
}

}  // namespace mortise
