#include "mortise/timing/carried_limits.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"

namespace mortise {

namespace {

/// Fraction of the whole path's time below which an edge tells nothing of speeds.
constexpr double kHardlyMoves = 1e-6;
/// Rounding must not make a carried coordinate the one that bounds an edge.
constexpr double kCarriedSlack = 1 + 1e-9;

/// The needs of the bounded coordinates for an edge: its time at constant velocity, and the square of a time from the
/// accelerations; 0 where no bound of the kind counts.
struct EdgeNeeds {
  double time = 0, squaredTime = 0;
};

EdgeNeeds needsOf(std::span<const CoordinateLimits> limits, const VectorXd& delta) {
  EdgeNeeds needs;
  for (std::size_t j = 0; j < limits.size(); ++j) {
    const double d = delta[static_cast<Eigen::Index>(j)];
    if (d == 0 || isUnbounded(limits[j])) continue;
    const double velocity = d > 0 ? limits[j].vMax : -limits[j].vMin;
    if (velocity > 0) needs.time = std::max(needs.time, std::abs(d) / velocity);
    if (limits[j].aMax > 0) needs.squaredTime = std::max(needs.squaredTime, std::abs(d) / limits[j].aMax);
  }
  return needs;
}

}  // namespace

bool isUnbounded(const CoordinateLimits& limits) {
  return std::isinf(limits.aMax) && std::isinf(std::max(limits.vMax, -limits.vMin));
}

std::vector<CoordinateLimits> withCarriedLimits(std::span<const CoordinateLimits> limits,
                                                const std::vector<VectorXd>& milestones,
                                                std::span<const std::string> names) {
  std::vector<CoordinateLimits> result(limits.begin(), limits.end());
  if (std::none_of(limits.begin(), limits.end(), isUnbounded)) return result;
  std::vector<VectorXd> deltas;
  std::vector<EdgeNeeds> needs;
  double time = 0, squaredTime = 0;
  for (std::size_t i = 1; i < milestones.size(); ++i) {
    VectorXd delta = milestones[i] - milestones[i - 1];
    for (std::size_t j = 0; j < limits.size(); ++j) {
      const auto c = static_cast<Eigen::Index>(j);
      delta[c] = nearestTurn(limits[j], milestones[i - 1][c], milestones[i][c]) - milestones[i - 1][c];
    }
    needs.push_back(needsOf(limits, delta));
    deltas.push_back(std::move(delta));
    time += needs.back().time;
    squaredTime += needs.back().squaredTime;
  }
  for (std::size_t j = 0; j < limits.size(); ++j) {
    if (!isUnbounded(limits[j])) continue;
    double velocity = 0, acceleration = 0;
    bool moves = false;
    for (std::size_t i = 0; i < deltas.size(); ++i) {
      const double d = std::abs(deltas[i][static_cast<Eigen::Index>(j)]);
      moves = moves || d > 0;
      if (needs[i].time > kHardlyMoves * time) velocity = std::max(velocity, d / needs[i].time);
      if (needs[i].squaredTime > kHardlyMoves * squaredTime)
        acceleration = std::max(acceleration, d / needs[i].squaredTime);
    }
    if (!moves) continue;
    if (velocity == 0 && acceleration == 0)
      throw Error("nothing limits how fast " +
                      (j < names.size() ? "'" + names[j] + "'" : "coordinate " + std::to_string(j)) +
                      " may move, and it never moves together with a coordinate that has limits",
                  {}, "give limits for all, as a pipeline does: retime: {velocity: 1, acceleration: 4}");
    if (velocity > 0) {
      result[j].vMax = velocity * kCarriedSlack;
      result[j].vMin = -result[j].vMax;
    }
    if (acceleration > 0) result[j].aMax = acceleration * kCarriedSlack;
  }
  return result;
}

}  // namespace mortise
