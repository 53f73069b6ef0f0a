#include "mortise/planning/real_time/moving_ramps.h"

#include <algorithm>
#include <cmath>

namespace mortise {

namespace {

/// Fractions of limits, and differences at seams, that are rounding.
constexpr double kLimitRounding = 1e-7, kSeamRounding = 1e-9;

bool rampKeeps(const ParabolicRamp& ramp, const CoordinateLimits& limits) {
  double lowest = 0, highest = 0;
  ramp.range(lowest, highest);
  const double slack = kLimitRounding;
  const auto slow = [&](double v) {
    return v >= limits.vMin * (1 + slack) - slack && v <= limits.vMax * (1 + slack) + slack;
  };
  const bool first = ramp.t1 > 0, last = ramp.t2 < ramp.T;
  return (limits.circular || (lowest >= limits.xMin - slack && highest <= limits.xMax + slack)) && slow(ramp.v0) &&
         slow(ramp.v1) && (ramp.t2 <= ramp.t1 || slow(ramp.v)) && (!first || slow(ramp.v0 + ramp.t1 * ramp.a0)) &&
         (!first || std::abs(ramp.a0) <= limits.aMax * (1 + slack)) &&
         (!last || std::abs(ramp.a1) <= limits.aMax * (1 + slack));
}

/// Says whether the three parts join on to each other.
bool rampIsContinuous(const ParabolicRamp& ramp) {
  const double last = ramp.T - ramp.t2, v = ramp.v0 + ramp.t1 * ramp.a0, w = ramp.v1 - last * ramp.a1;
  const double middle = ramp.t2 > ramp.t1 ? ramp.v : v;
  const double x = ramp.x0 + ramp.t1 * (ramp.v0 + ramp.t1 * ramp.a0 / 2) + (ramp.t2 - ramp.t1) * middle;
  const double y = ramp.x1 - last * (ramp.v1 - last * ramp.a1 / 2);
  return std::abs(x - y) <= kSeamRounding * std::max(1.0, std::abs(ramp.x0)) &&
         std::abs(v - middle) <= kLimitRounding && std::abs(w - middle) <= kLimitRounding;
}

}  // namespace

bool fastestRamps(const VectorXd& q0, const VectorXd& dq0, const VectorXd& q1, const VectorXd& dq1,
                  std::span<const CoordinateLimits> limits, std::vector<ParabolicRamp>& ramps) {
  const std::size_t n = limits.size();
  std::vector<RampEnds> goals(n);
  for (std::size_t j = 0; j < n; ++j) {
    const auto c = static_cast<Eigen::Index>(j);
    goals[j] = {q0[c], std::clamp(dq0[c], limits[j].vMin, limits[j].vMax), nearestTurn(limits[j], q0[c], q1[c]),
                std::clamp(dq1[c], limits[j].vMin, limits[j].vMax)};
  }
  const double T = minimumTime(goals, limits);
  if (!std::isfinite(T)) return false;
  ramps.resize(n);
  for (std::size_t j = 0; j < n; ++j) {
    const std::optional<ParabolicRamp> ramp = rampOfTime(goals[j], limits[j], T);
    if (!ramp) return false;
    ramps[j] = *ramp;
  }
  return true;
}

bool brakingRamps(const VectorXd& q, const VectorXd& dq, std::span<const CoordinateLimits> limits,
                  std::vector<ParabolicRamp>& ramps) {
  double T = 0;
  for (std::size_t j = 0; j < limits.size(); ++j)
    T = std::max(T, brakingTime(dq[static_cast<Eigen::Index>(j)], limits[j].aMax));
  ramps.resize(limits.size());
  for (std::size_t j = 0; j < limits.size(); ++j) {
    const auto c = static_cast<Eigen::Index>(j);
    ramps[j] = brakingRamp(q[c], dq[c], limits[j].aMax, T);
    if (!rampKeeps(ramps[j], limits[j])) return false;
  }
  return true;
}

void restingRamps(const VectorXd& q, double duration, std::vector<ParabolicRamp>& ramps) {
  ramps.assign(static_cast<std::size_t>(q.size()), {});
  for (Eigen::Index c = 0; c < q.size(); ++c) {
    ParabolicRamp& ramp = ramps[static_cast<std::size_t>(c)];
    ramp.x0 = ramp.x1 = q[c];
    ramp.t2 = ramp.T = duration;
  }
}

RampPath restingPath(const VectorXd& q) {
  std::vector<CoordinateLimits> none(static_cast<std::size_t>(q.size()));
  return RampPath::throughMilestones({q}, none);
}

bool keepsLimits(const RampPath& path, std::span<const CoordinateLimits> limits, int* coordinate) {
  for (std::size_t k = 0; k < path.numSegments(); ++k) {
    const std::span<const ParabolicRamp> ramps = path.segment(k);
    for (std::size_t j = 0; j < ramps.size(); ++j) {
      if (coordinate != nullptr) *coordinate = static_cast<int>(j);
      if (!rampKeeps(ramps[j], limits[j]) || !rampIsContinuous(ramps[j])) return false;
      const bool last = k + 1 == path.numSegments();
      const double x = last ? ramps[j].x1 : path.segment(k + 1)[j].x0, v = last ? 0 : path.segment(k + 1)[j].v0;
      if (!(std::abs(ramps[j].x1 - x) <= kSeamRounding) || !(std::abs(ramps[j].v1 - v) <= kSeamRounding)) return false;
    }
  }
  if (coordinate != nullptr) *coordinate = -1;
  return !path.empty();
}

}  // namespace mortise
