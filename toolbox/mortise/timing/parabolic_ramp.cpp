#include "mortise/timing/parabolic_ramp.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "mortise/base/expect.h"
#include "mortise/math/constants.h"

namespace mortise {

namespace {

/// Fraction by which rounding may exceed a bound of position, or a time.
constexpr double kRounding = 1e-9;

/// Fraction by which times that are the same may differ by rounding.
constexpr double kSameTime = 1e-12;

/// The gap that may be left between the parts of a ramp, as a fraction of the positions (of 1 when they are smaller).
constexpr double kSeam = 1e-10;

/// Times from `from` to before `to` in which a coordinate cannot arrive; `from` itself only when `closed`.
struct BlockedTimes {
  double from = 0, to = 0;
  bool closed = false;
  /// Who passes at full speed can arrive at one time only, which rounding must not take away.
  bool holds(double T) const { return (closed ? T >= from : T > from * (1 + kSameTime)) && T < to; }
};

/// Times in which a coordinate is bound to be beyond the displacement `d`. The shortest way in time T brakes from v0 to
/// some velocity u, and speeds up to v1 again: (v0^2 + v1^2 - 2 u^2) / 2a with T = (v0 + v1 - 2u) / a, which is more
/// than d for u^2 < s^2 = (v0^2 + v1^2) / 2 - a d. Below vMin it goes on linearly.
BlockedTimes tooFar(double d, double v0, double v1, double vMin, double a) {
  const double slowest = std::min(v0, v1), fastest = std::max(v0, v1), mean = (v0 + v1) / 2;
  const double square = (v0 * v0 + v1 * v1) / 2 - a * d;
  if (!(square > 0)) return {};
  const double s = std::sqrt(square);
  // s^2 - slowest^2 and s^2 - mean^2, without the digits that the differences would lose.
  const double above = (fastest - slowest) * mean - a * d;
  if (slowest <= 0 && above <= 0) return {};
  const double excess = (v1 - v0) * (v1 - v0) / 4 - a * d;
  BlockedTimes blocked;
  blocked.closed = above > 0;
  blocked.from = blocked.closed ? std::abs(v1 - v0) / a : 2 * -excess / (mean + s) / a;
  if (-s >= vMin) {
    blocked.to = 2 * (mean < 0 ? excess / (s - mean) : s + mean) / a;
  } else {
    const double beyond = (s * s - vMin * vMin) / a;
    blocked.to = vMin < 0 ? (v0 + v1 - 2 * vMin) / a + beyond / -vMin : kInfinity;
  }
  return blocked;
}

/// Times in which a coordinate cannot arrive.
struct PossibleTimes {
  double earliest = 0;  ///< Time that the change of velocity takes.
  std::array<BlockedTimes, 2> blocked;
};

PossibleTimes possibleTimes(const RampEnds& goal, const CoordinateLimits& limits) {
  PossibleTimes times;
  const double d = goal.x1 - goal.x0;
  const double a = limits.aMax;
  if (std::isinf(a)) {
    times.earliest = d > 0 ? d / limits.vMax : d < 0 ? d / limits.vMin : 0;
    return times;
  }
  const bool still = d == 0 && goal.v0 == 0 && goal.v1 == 0;
  const auto outside = [&](double v) { return v < limits.vMin || v > limits.vMax; };
  if (!still && (!(a > 0) || outside(goal.v0) || outside(goal.v1))) times.earliest = kInfinity;
  if (still || times.earliest > 0) return times;
  times.earliest = std::abs(goal.v1 - goal.v0) / a;
  times.blocked[0] = tooFar(d, goal.v0, goal.v1, limits.vMin, a);
  times.blocked[1] = tooFar(-d, -goal.v0, -goal.v1, -limits.vMax, a);
  return times;
}

bool within(const ParabolicRamp& ramp, const CoordinateLimits& limits) {
  if (limits.circular) return true;
  double lowest = 0, highest = 0;
  ramp.range(lowest, highest);
  const double slack = kRounding * std::max({1.0, std::abs(lowest), std::abs(highest)});
  return lowest >= limits.xMin - slack && highest <= limits.xMax + slack;
}

ParabolicRamp emptyRamp(const RampEnds& goal, double T) {
  ParabolicRamp ramp;
  ramp.x0 = goal.x0;
  ramp.v0 = goal.v0;
  ramp.x1 = goal.x1;
  ramp.v1 = goal.v1;
  ramp.t2 = ramp.T = T;
  return ramp;
}

ParabolicRamp constantVelocity(const RampEnds& goal, double T) {
  ParabolicRamp ramp = emptyRamp(goal, T);
  ramp.v = T > 0 ? (goal.x1 - goal.x0) / T : 0;
  return ramp;
}

/// To the velocity `v` with acceleration `a` and from there to v1; whether there is time for both.
bool viaVelocity(ParabolicRamp& ramp, double v, double a) {
  ramp.v = v;
  ramp.t1 = std::min(std::abs(v - ramp.v0) / a, ramp.T);
  ramp.t2 = std::max(ramp.T - std::abs(ramp.v1 - v) / a, 0.0);
  ramp.a0 = v < ramp.v0 ? -a : a;
  ramp.a1 = ramp.v1 < v ? -a : a;
  if (ramp.t1 <= ramp.t2) return true;
  const double digit = 1e-15 * std::max(std::abs(ramp.v0), std::abs(ramp.v1)) / a;
  if (ramp.t1 - ramp.t2 > kRounding * ramp.T + digit) return false;
  ramp.t1 = ramp.t2 = (ramp.t1 + ramp.t2) / 2;
  return true;
}

/// Returns the larger root of u^2 - b u + c = 0; of the nearest such equation that has one.
double largerRoot(double b, double c) {
  const double root = std::sqrt(std::max(b * b - 4 * c, 0.0));
  return b < 0 ? 2 * c / (b - root) : (b + root) / 2;
}

/// The ramp of time T whose accelerations are +-a or 0. The displacement grows with the velocity in the middle.
std::optional<ParabolicRamp> rampOfAcceleration(const RampEnds& goal, const CoordinateLimits& limits, double T,
                                                double a) {
  const double d = goal.x1 - goal.x0;
  const double low = std::min(goal.v0, goal.v1), high = std::max(goal.v0, goal.v1);
  const double step = high - low, change = step / a;
  // What is missing of the way at the lower and at the higher of the velocities: differences keep their digits then.
  const double beyondLow = d - low * T, beyondHigh = d - high * T;
  const double maximum = std::max(a * T - step, 0.0) / 2;  // What there is time for beyond either.
  double v = 0;
  if (beyondHigh > -step / 2 * change)
    v = high + std::clamp(-largerRoot(-2 * maximum, step * step / 2 + a * beyondHigh), 0.0, maximum);
  else if (beyondLow < step / 2 * change)
    v = low + std::clamp(largerRoot(-2 * maximum, step * step / 2 - a * beyondLow), -maximum, 0.0);
  else
    v = T > change ? std::clamp(low + (beyondLow - step / 2 * change) / (T - change), low, high) : high;
  ParabolicRamp ramp = emptyRamp(goal, T);
  if (!viaVelocity(ramp, std::clamp(v, limits.vMin, limits.vMax), a)) return std::nullopt;
  return ramp;
}

/// Returns how far the position at the end of the first two parts is from the one at the start of the last.
double seam(const ParabolicRamp& ramp) {
  const double before = ramp.x0 + ramp.t1 * (ramp.v0 + ramp.t1 * ramp.a0 / 2) + (ramp.t2 - ramp.t1) * ramp.v;
  const double last = ramp.T - ramp.t2;
  return std::abs(before - (ramp.x1 - last * (ramp.v1 - last * ramp.a1 / 2)));
}

/// The least acceleration that does it in time T, velocities within their bounds (two parabolas, or a straight part at
/// the bound between them).
std::optional<ParabolicRamp> minAcceleration(const RampEnds& goal, const CoordinateLimits& limits, double T) {
  const double d = goal.x1 - goal.x0;
  const double change = goal.v1 - goal.v0;
  const double sigma = 4 * d - 2 * T * (goal.v0 + goal.v1);
  const double root = std::hypot(sigma, 2 * T * change);
  const double a = sigma == 0 ? change / T : (sigma + std::copysign(root, sigma)) / (2 * T * T);
  if (a == 0) return constantVelocity(goal, T);
  ParabolicRamp ramp = emptyRamp(goal, T);
  const double peak = goal.v0 + (a * T + change) / 2;
  const double v = std::clamp(peak, limits.vMin, limits.vMax);
  if (peak == v && std::abs(a) <= limits.aMax) {
    ramp.t1 = ramp.t2 = std::clamp((T + change / a) / 2, 0.0, T);
    ramp.a0 = a;
    ramp.a1 = -a;
    ramp.v = peak;
    return ramp;
  }
  if (peak != v) {
    const double squares = (v - goal.v0) * (v - goal.v0) + (v - goal.v1) * (v - goal.v1);
    const double needed = squares / (2 * std::abs(v * T - d));
    if (squares == 0) {
      ramp = constantVelocity(goal, T);
      ramp.v = std::clamp(ramp.v, limits.vMin, limits.vMax);
      if (seam(ramp) <= kSeam * std::max({1.0, std::abs(goal.x0), std::abs(goal.x1)})) return ramp;
      return std::nullopt;
    }
    if (needed <= limits.aMax && viaVelocity(ramp, v, needed)) return ramp;
  }
  // In short times the acceleration follows from few digits: what full acceleration does may be as good.
  const std::optional<ParabolicRamp> fastest = rampOfAcceleration(goal, limits, T, limits.aMax);
  if (fastest && seam(*fastest) <= kSeam * std::max({1.0, std::abs(goal.x0), std::abs(goal.x1)})) return fastest;
  return std::nullopt;
}

/// The acceleration that it takes to brake before a bound of position is reached, and to get up to the velocity at the
/// end without having been beyond one.
double accelerationForBounds(const RampEnds& goal, const CoordinateLimits& limits) {
  const auto needed = [](double v, double room) { return room > 0 ? v * v / (2 * room) : kInfinity; };
  double a = 0;
  if (goal.v0 > 0) a = std::max(a, needed(goal.v0, limits.xMax - goal.x0));
  if (goal.v0 < 0) a = std::max(a, needed(goal.v0, goal.x0 - limits.xMin));
  if (goal.v1 < 0) a = std::max(a, needed(goal.v1, limits.xMax - goal.x1));
  if (goal.v1 > 0) a = std::max(a, needed(goal.v1, goal.x1 - limits.xMin));
  return a;
}

}  // namespace

void ParabolicRamp::evaluate(double t, double& x, double& dx, double& ddx) const {
  if (t >= T) {
    x = x1;
    dx = v1;
    ddx = 0;
  } else if (t < t1) {
    t = std::max(t, 0.0);
    x = x0 + t * (v0 + t * a0 / 2);
    dx = v0 + t * a0;
    ddx = a0;
  } else if (t < t2) {
    x = x0 + t1 * (v0 + t1 * a0 / 2) + std::max(t - t1, 0.0) * v;
    dx = v;
    ddx = 0;
  } else {
    t -= T;
    x = x1 + t * (v1 + t * a1 / 2);
    dx = v1 + t * a1;
    ddx = a1;
  }
}

void ParabolicRamp::range(double& lowest, double& highest) const {
  lowest = std::min(x0, x1);
  highest = std::max(x0, x1);
  const auto include = [&](double x) {
    lowest = std::min(lowest, x);
    highest = std::max(highest, x);
  };
  include(x0 + t1 * (v0 + t1 * a0 / 2));
  include(x1 - (T - t2) * (v1 - (T - t2) * a1 / 2));
  if (a0 != 0 && -v0 / a0 > 0 && -v0 / a0 < t1) include(x0 - v0 * v0 / (2 * a0));
  if (a1 != 0 && v1 / a1 > 0 && v1 / a1 < T - t2) include(x1 - v1 * v1 / (2 * a1));
}

double minimumTime(std::span<const RampEnds> goals, std::span<const CoordinateLimits> limits, int* stuck) {
  MORTISE_REQUIRE_SIZE(limits, goals.size(), "one for each goal");
  double T = 0;
  bool changed = true;
  const auto raise = [&](double time, std::size_t i) {
    T = time;
    changed = true;
    if (stuck != nullptr && std::isinf(T)) *stuck = static_cast<int>(i);
  };
  // Every pass that changes T gets past a stretch of blocked times for good, so there are few.
  while (changed && std::isfinite(T)) {
    changed = false;
    for (std::size_t i = 0; i < goals.size() && std::isfinite(T); ++i) {
      const PossibleTimes times = possibleTimes(goals[i], limits[i]);
      if (T < times.earliest) raise(times.earliest, i);
      for (const BlockedTimes& blocked : times.blocked)
        if (blocked.holds(T)) raise(blocked.to, i);
    }
  }
  return T;
}

std::optional<ParabolicRamp> rampOfTime(const RampEnds& goal, const CoordinateLimits& limits, double T) {
  if (!(T >= 0) || std::isinf(T)) return std::nullopt;
  const double d = goal.x1 - goal.x0;
  if (std::isinf(limits.aMax)) {
    const ParabolicRamp ramp = constantVelocity(goal, T);
    const double slack = 1 + kRounding;
    if (d != 0 && (ramp.v > limits.vMax * slack || ramp.v < limits.vMin * slack)) return std::nullopt;
    if (d != 0 && T == 0 && std::isfinite(d > 0 ? limits.vMax : limits.vMin)) return std::nullopt;
    return within(ramp, limits) ? std::optional(ramp) : std::nullopt;
  }
  if (T == 0) {
    if (d != 0 || goal.v0 != goal.v1) return std::nullopt;
    return emptyRamp(goal, 0);
  }
  std::optional<ParabolicRamp> ramp = minAcceleration(goal, limits, T);
  if (!ramp || within(*ramp, limits)) return ramp;
  const double minimum = std::max(std::abs(ramp->a0), std::abs(ramp->a1));
  const double needed = accelerationForBounds(goal, limits);
  for (const double a : {needed, limits.aMax}) {
    if (!(a >= minimum) || a > limits.aMax || !(a > 0)) continue;
    ramp = rampOfAcceleration(goal, limits, T, a);
    if (ramp && within(*ramp, limits)) return ramp;
  }
  return std::nullopt;
}

std::optional<ParabolicRamp> shortestRamp(const RampEnds& goal, const CoordinateLimits& limits) {
  return rampOfTime(goal, limits, minimumTime({&goal, 1}, {&limits, 1}));
}

double brakingTime(double v0, double aMax) { return aMax > 0 ? std::abs(v0) / aMax : 0; }

ParabolicRamp brakingRamp(double x0, double v0, double aMax, double T) {
  const double time = brakingTime(v0, aMax);
  ParabolicRamp ramp = emptyRamp({x0, v0, x0 + v0 * time / 2, 0}, std::max(T, time));
  if (time > 0) ramp.a0 = -v0 / time;
  ramp.t1 = time;
  return ramp;
}

CoordinateLimits widened(const CoordinateLimits& limits, double x0, double v0) {
  CoordinateLimits wide = limits;
  wide.vMin = std::min(limits.vMin, v0);
  wide.vMax = std::max(limits.vMax, v0);
  const double stop = brakingRamp(x0, v0, limits.aMax, 0).x1;
  wide.xMin = std::min({limits.xMin, x0, stop});
  wide.xMax = std::max({limits.xMax, x0, stop});
  return wide;
}

double nearestTurn(const CoordinateLimits& limits, double from, double goal) {
  if (!limits.circular) return goal;
  return from + std::remainder(goal - from, 2 * std::numbers::pi);
}

}  // namespace mortise
