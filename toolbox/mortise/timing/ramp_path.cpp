#include "mortise/timing/ramp_path.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/expect.h"
#include "mortise/base/value_text.h"
#include "mortise/timing/coordinate_name.h"

namespace mortise {

namespace {

/// Seconds: knots closer together are one.
constexpr double kSameKnot = 1e-9;

}  // namespace

ParabolicRamp rampBefore(const ParabolicRamp& ramp, double t) {
  ParabolicRamp part = ramp;
  double acceleration = 0;
  ramp.evaluate(t, part.x1, part.v1, acceleration);
  part.T = t;
  if (t <= ramp.t2) {
    part.t1 = std::min(ramp.t1, t);
    part.t2 = t;
    part.a1 = 0;
    if (t <= ramp.t1) part.v = part.v1;
  }
  return part;
}

ParabolicRamp rampFrom(const ParabolicRamp& ramp, double t) {
  ParabolicRamp part = ramp;
  double acceleration = 0;
  ramp.evaluate(t, part.x0, part.v0, acceleration);
  part.T = ramp.T - t;
  part.t1 = std::max(ramp.t1 - t, 0.0);
  part.t2 = std::max(ramp.t2 - t, 0.0);
  if (t >= ramp.t1) part.a0 = 0;
  if (t >= ramp.t2) part.v = part.v0;
  return part;
}

void requireMilestones(const std::vector<VectorXd>& milestones, std::span<const CoordinateLimits> limits,
                       std::span<const std::string> names) {
  for (std::size_t i = 0; i < limits.size(); ++i) {
    const CoordinateLimits& c = limits[i];
    if (!(c.vMin <= 0) || !(c.vMax >= 0) || !(c.aMax >= 0))
      throw Error("limits of " + coordinateName(names, i) + " make no sense: velocities " + formatReal(c.vMin) +
                  " to " + formatReal(c.vMax) + ", acceleration " + formatReal(c.aMax));
  }
  for (std::size_t i = 0; i < milestones.size(); ++i) {
    if (milestones[i].size() != static_cast<Eigen::Index>(limits.size()))
      throw Error("milestone " + std::to_string(i) + " has " + std::to_string(milestones[i].size()) +
                  " numbers, but there are limits for " + std::to_string(limits.size()));
    if (!milestones[i].allFinite()) throw Error("milestone " + std::to_string(i) + " is not finite");
  }
}

void unwrap(std::vector<VectorXd>& milestones, std::span<const CoordinateLimits> limits) {
  for (const VectorXd& milestone : milestones) MORTISE_REQUIRE_SIZE(milestone, limits.size(), "one for each limit");
  for (std::size_t i = 1; i < milestones.size(); ++i)
    for (std::size_t j = 0; j < limits.size(); ++j) {
      if (!limits[j].circular) continue;
      const auto c = static_cast<Eigen::Index>(j);
      milestones[i][c] = nearestTurn(limits[j], milestones[i - 1][c], milestones[i][c]);
    }
}

RampPath RampPath::throughMilestones(const std::vector<VectorXd>& given, std::span<const CoordinateLimits> limits,
                                     std::span<const std::string> names) {
  requireMilestones(given, limits, names);
  std::vector<VectorXd> milestones = given;
  unwrap(milestones, limits);
  RampPath path(static_cast<int>(limits.size()));
  path.ramps_.reserve(limits.size() * milestones.size());
  std::vector<ParabolicRamp> ramps(limits.size());
  for (std::size_t i = 1; i < milestones.size(); ++i) {
    const VectorXd delta = milestones[i] - milestones[i - 1];
    // Of the fraction of the way.
    double velocity = std::numeric_limits<double>::infinity(), acceleration = velocity;
    std::size_t slowest = 0;
    for (std::size_t j = 0; j < limits.size(); ++j) {
      const double d = delta[static_cast<Eigen::Index>(j)];
      if (d == 0) continue;
      const double v = (d > 0 ? limits[j].vMax : -limits[j].vMin) / std::abs(d), a = limits[j].aMax / std::abs(d);
      if (!(v > 0) || !(a > 0))
        throw Error("from milestone " + std::to_string(i - 1) + " to " + std::to_string(i) + " " +
                        coordinateName(names, j) + " has to move, but its " + (v > 0 ? "acceleration" : "velocity") +
                        " is limited to 0",
                    {}, "give it a limit above 0, or leave it out of the plan");
      if (a < acceleration) slowest = j;
      velocity = std::min(velocity, v);
      acceleration = std::min(acceleration, a);
    }
    if (delta.isZero(0)) continue;
    if (std::isinf(acceleration))
      throw Error("nothing bounds the acceleration of " + coordinateName(names, slowest) + " from milestone " +
                      std::to_string(i - 1) + " to " + std::to_string(i),
                  {}, "give accelerations of all, as a pipeline does: retime: {acceleration: 4}");
    const double peak = std::min(velocity, std::sqrt(acceleration));
    const double t1 = peak / acceleration, cruise = std::max((1 - peak * t1) / peak, 0.0);
    for (std::size_t j = 0; j < limits.size(); ++j) {
      const auto c = static_cast<Eigen::Index>(j);
      ParabolicRamp& ramp = ramps[j];
      ramp = {};
      ramp.x0 = milestones[i - 1][c];
      ramp.x1 = milestones[i][c];
      ramp.a0 = delta[c] * acceleration;
      ramp.a1 = -ramp.a0;
      ramp.v = delta[c] * peak;
      ramp.t1 = t1;
      ramp.t2 = t1 + cruise;
      ramp.T = 2 * t1 + cruise;
    }
    path.append(ramps);
  }
  if (path.empty() && !milestones.empty()) {
    // It rests: one segment of no time tells where.
    for (std::size_t j = 0; j < limits.size(); ++j) {
      ramps[j] = {};
      ramps[j].x0 = ramps[j].x1 = milestones.front()[static_cast<Eigen::Index>(j)];
    }
    path.ramps_.insert(path.ramps_.end(), ramps.begin(), ramps.end());
    path.ends_.push_back(0);
  }
  return path;
}

std::size_t RampPath::segmentAt(double t) const {
  const auto after = static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), t) - ends_.begin());
  return std::min(after, ends_.empty() ? 0 : ends_.size() - 1);
}

void RampPath::evaluate(double t, VectorXd& q, VectorXd& dq, VectorXd& ddq) const {
  MORTISE_REQUIRE_SIZE(q, size_, "one for each coordinate");
  MORTISE_REQUIRE_SIZE(dq, size_, "one for each coordinate");
  MORTISE_REQUIRE_SIZE(ddq, size_, "one for each coordinate");
  if (empty()) {
    dq.setZero();
    ddq.setZero();
    return;
  }
  const std::size_t k = segmentAt(t);
  const double local = t - (k > 0 ? ends_[k - 1] : 0);
  const bool outside = !(t >= 0) || t > duration();
  for (int j = 0; j < size_; ++j) {
    ramps_[k * static_cast<std::size_t>(size_) + static_cast<std::size_t>(j)].evaluate(local, q[j], dq[j], ddq[j]);
    if (outside) dq[j] = ddq[j] = 0;
  }
}

void RampPath::append(std::span<const ParabolicRamp> ramps) {
  if (ramps.empty() || !(ramps[0].T > 0)) return;
  MORTISE_REQUIRE_SIZE(ramps, size_, "one for each coordinate");
  ramps_.insert(ramps_.end(), ramps.begin(), ramps.end());
  ends_.push_back(duration() + ramps[0].T);
}

void RampPath::append(const RampPath& other, double from, double to) {
  MORTISE_REQUIRE(other.size_ == size_, "both paths must have as many coordinates");
  std::vector<ParabolicRamp> part(static_cast<std::size_t>(other.size_));
  for (std::size_t k = other.segmentAt(from); k < other.ends_.size(); ++k) {
    const double start = k > 0 ? other.ends_[k - 1] : 0;
    if (start >= to) break;
    const std::span<const ParabolicRamp> ramps = other.segment(k);
    std::copy(ramps.begin(), ramps.end(), part.begin());
    for (ParabolicRamp& ramp : part) {
      if (to - start < ramp.T) ramp = rampBefore(ramp, to - start);
      if (from > start) ramp = rampFrom(ramp, std::min(from - start, ramp.T));
    }
    append(part);
  }
}

void RampPath::replace(double from, double to, std::span<const ParabolicRamp> ramps) {
  MORTISE_REQUIRE_SIZE(ramps, size_, "one for each coordinate");
  RampPath path(size_);
  path.ends_.reserve(ends_.size() + 2);
  path.ramps_.reserve(ramps_.size() + 2 * static_cast<std::size_t>(size_));
  path.append(*this, 0, from);
  path.append(ramps);
  path.append(*this, to, duration());
  *this = std::move(path);
}

void RampPath::knots(std::vector<double>& times) const {
  times.assign(1, 0.0);
  std::vector<double> inner;
  for (std::size_t k = 0; k < ends_.size(); ++k) {
    const double start = k > 0 ? ends_[k - 1] : 0;
    inner.clear();
    for (const ParabolicRamp& ramp : segment(k)) {
      if (ramp.t1 > 0 && ramp.t1 < ramp.T) inner.push_back(start + ramp.t1);
      if (ramp.t2 > ramp.t1 && ramp.t2 < ramp.T) inner.push_back(start + ramp.t2);
    }
    std::sort(inner.begin(), inner.end());
    for (const double t : inner)
      if (t - times.back() > kSameKnot && ends_[k] - t > kSameKnot) times.push_back(t);
    if (ends_[k] - times.back() > kSameKnot) times.push_back(ends_[k]);
  }
  if (times.size() > 1) times.back() = duration();
}

HermiteTrajectory RampPath::trajectory() const {
  HermiteTrajectory trajectory;
  if (empty()) return trajectory;
  knots(trajectory.times);
  VectorXd q(size_), dq(size_), ddq(size_);
  for (const double t : trajectory.times) {
    evaluate(t, q, dq, ddq);
    trajectory.configurations.push_back(q);
    trajectory.velocities.push_back(dq);
  }
  return trajectory;
}

}  // namespace mortise
