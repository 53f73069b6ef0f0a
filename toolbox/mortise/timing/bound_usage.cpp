#include "mortise/timing/bound_usage.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mortise/base/expect.h"

namespace mortise {

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

/// Fraction by which bounds may be exceeded before times are stretched.
constexpr double kUtilizationRounding = 1e-11;

double utilization(double value, double low, double high, double rounding) {
  const double size = std::max(std::abs(value) - rounding, 0.0);
  if (size == 0) return 0;
  const double bound = value > 0 ? high : -low;
  return bound > 0 ? size / bound : std::numeric_limits<double>::infinity();
}

}  // namespace

namespace {

void addPiece(BoundUsage& usage, const HermiteTrajectory& trajectory, std::size_t piece,
              std::span<const CoordinateLimits> limits) {
  for (const std::size_t k : {piece, piece + 1}) {
    MORTISE_REQUIRE_INDEX(k, trajectory.times.size(), "knots");
    MORTISE_REQUIRE_INDEX(k, std::min(trajectory.configurations.size(), trajectory.velocities.size()), "knots");
    MORTISE_REQUIRE_SIZE(trajectory.configurations[k], limits.size(), "one for each limit");
    MORTISE_REQUIRE_SIZE(trajectory.velocities[k], limits.size(), "one for each limit");
  }
  const double t0 = trajectory.times[piece], t1 = trajectory.times[piece + 1], h = t1 - t0, perH = 1 / h;
  const double* configuration0 = trajectory.configurations[piece].data();
  const double* configuration1 = trajectory.configurations[piece + 1].data();
  const double* velocity0 = trajectory.velocities[piece].data();
  const double* velocity1 = trajectory.velocities[piece + 1].data();
  const auto velocityFound = [&](double fraction, std::size_t j, double t) {
    if (fraction <= usage.velocity) return;
    usage.velocity = fraction;
    usage.velocityCoordinate = static_cast<int>(j);
    usage.velocityTime = t;
  };
  const auto accelerationFound = [&](double fraction, std::size_t j, double t) {
    if (fraction <= usage.acceleration) return;
    usage.acceleration = fraction;
    usage.accelerationCoordinate = static_cast<int>(j);
    usage.accelerationTime = t;
  };
  for (std::size_t j = 0; j < limits.size(); ++j) {
    const CoordinateLimits& bounds = limits[j];
    const double v0 = velocity0[j], v1 = velocity1[j];
    if (!(h > 0)) {
      velocityFound(
          std::max(utilization(v0, bounds.vMin, bounds.vMax, 0), utilization(v1, bounds.vMin, bounds.vMax, 0)), j, t0);
      if (v0 != v1 && std::isfinite(bounds.aMax)) accelerationFound(std::numeric_limits<double>::infinity(), j, t0);
      continue;
    }
    // q0 + t (v0 + t (b + t k))
    const double q0 = configuration0[j], q1 = configuration1[j];
    const double mean = (q1 - q0) * perH, b = (3 * mean - 2 * v0 - v1) * perH, k = (v0 + v1 - 2 * mean) * perH * perH;
    // Positions and times have only so many digits.
    const double speed = std::max(std::abs(v0), std::abs(v1));
    const double digits = std::max(std::abs(q0), std::abs(q1)) + std::max(std::abs(t0), std::abs(t1)) * speed;
    const double rounding = 8 * kEpsilon * (digits * perH + 2 * speed) * perH;
    const double a0 = 2 * b, a1 = 2 * b + 6 * k * h;
    accelerationFound(utilization(a0, -bounds.aMax, bounds.aMax, rounding), j, t0);
    accelerationFound(utilization(a1, -bounds.aMax, bounds.aMax, rounding), j, t1);
    velocityFound(utilization(v0, bounds.vMin, bounds.vMax, rounding * h), j, t0);
    velocityFound(utilization(v1, bounds.vMin, bounds.vMax, rounding * h), j, t1);
    if (a0 * a1 < 0) {
      const double turning = -b / (3 * k);
      velocityFound(utilization(v0 + turning * b, bounds.vMin, bounds.vMax, rounding * h), j, t0 + turning);
    }
  }
}

}  // namespace

BoundUsage boundUsage(const HermiteTrajectory& trajectory, std::size_t piece,
                      std::span<const CoordinateLimits> limits) {
  BoundUsage usage;
  addPiece(usage, trajectory, piece, limits);
  return usage;
}

BoundUsage boundUsage(const HermiteTrajectory& trajectory, std::span<const CoordinateLimits> limits) {
  BoundUsage usage;
  for (std::size_t i = 0; i + 1 < trajectory.times.size(); ++i) addPiece(usage, trajectory, i, limits);
  return usage;
}

double keepToBounds(HermiteTrajectory& trajectory, std::span<const CoordinateLimits> limits) {
  double full = 1;
  // New times are rounded anew, so short pieces may need another try; every try asks for a little more.
  for (int i = 0; i < 20; ++i) {
    const BoundUsage usage = boundUsage(trajectory, limits);
    const double wanted = std::max(usage.velocity, std::sqrt(usage.acceleration));
    if (!(wanted > 1 + kUtilizationRounding) || !std::isfinite(wanted)) break;
    const double stretch = wanted + i * kUtilizationRounding, start = trajectory.startTime();
    for (double& t : trajectory.times) t = start + (t - start) * stretch;
    for (VectorXd& v : trajectory.velocities) v /= stretch;
    full *= stretch;
  }
  return full;
}

}  // namespace mortise
