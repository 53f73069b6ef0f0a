#pragma once

/// Objectives of paths.

#include <functional>
#include <memory>
#include <vector>

#include "mortise/component/planner.h"
#include "mortise/model/world.h"
#include "mortise/planning/spaces/motion_space.h"
#include "mortise/timing/parabolic_ramp.h"

namespace mortise {

/// Sum of distances in the space's metric. `space` outlives it, and belongs to one thread with it.
class LengthObjective final : public PlanningObjective {
 public:
  explicit LengthObjective(const PlanningSpace& space) : space_(space) {}
  double edgeCost(const VectorXd& a, const VectorXd& b) const override { return space_.distance(a, b); }
  double lowerBound(const VectorXd& a, const VectorXd& b) const override { return space_.distance(a, b); }

 private:
  const PlanningSpace& space_;
};

/// Weighted length: the sum over edges of sqrt(sum (weight * change)^2), with changes along each edge as the
/// space has it. `space` outlives it.
class WeightedLengthObjective final : public PlanningObjective {
 public:
  /// One weight a coordinate, at least 0. `circular`: coordinates that count modulo whole turns; empty: none. Throws
  /// `Error` for other sizes.
  WeightedLengthObjective(const PlanningSpace& space, VectorXd weights, std::vector<char> circular = {});
  double edgeCost(const VectorXd& a, const VectorXd& b) const override;
  /// Returns the length of the direct edge where edges are lines in coordinates or in angles; else 0.
  double lowerBound(const VectorXd& a, const VectorXd& b) const override;

 private:
  const PlanningSpace& space_;
  VectorXd weights_;
  std::vector<char> circular_;
  bool straight_;
};

/// The shortest time, in seconds, that edges take when each coordinate keeps to its velocity. With accelerations,
/// motion begins and ends each edge at rest, along the same line. `space` outlives it.
class TimeObjective final : public PlanningObjective {
 public:
  /// One a coordinate (see `planningLimits`). Throws `Error` for other sizes and limits that let nothing move.
  TimeObjective(const PlanningSpace& space, std::vector<CoordinateLimits> limits, bool accelerations = false);
  double edgeCost(const VectorXd& a, const VectorXd& b) const override;
  /// Returns a bound as `WeightedLengthObjective` does.
  double lowerBound(const VectorXd& a, const VectorXd& b) const override;

 private:
  const PlanningSpace& space_;
  std::vector<CoordinateLimits> limits_;
  bool accelerations_, straight_;
};

/// Limits of the coordinates of a space of robots: the narrowest of the links that a coordinate moves
/// (`coordinateLimits`). Angles of joints that go round, or are part of a rotation, are `circular`. Rigid objects have
/// no limits but their bounds.
std::vector<CoordinateLimits> planningLimits(const MotionSpace& space, const World& world, double velocityScaling = 1,
                                             double accelerationScaling = 1);

/// Costs of the caller. Called by one thread at a time, each with objectives of its own.
class FunctionObjective final : public PlanningObjective {
 public:
  struct Costs {
    std::function<double(const VectorXd& a, const VectorXd& b)> edge;
    std::function<double(const VectorXd& q)> terminal = {};  ///< Cost of ending at q; empty: 0.
    /// Never more than the best path between the two costs; empty: 0.
    std::function<double(const VectorXd& a, const VectorXd& b)> lowerBound = {};
  };
  /// Throws `Error` without a cost of edges.
  explicit FunctionObjective(Costs costs);
  double edgeCost(const VectorXd& a, const VectorXd& b) const override;
  double terminalCost(const VectorXd& q) const override;
  double lowerBound(const VectorXd& a, const VectorXd& b) const override;

 private:
  Costs costs_;
};

/// A cost of configurations, integrated along edges in steps of at most `resolution` (midpoints), in the space's
/// metric: clearance, effort, whatever is known at a place. `space` outlives it.
class PathIntegralObjective final : public PlanningObjective {
 public:
  /// `minimum`: a lower bound of `cost`, from which the objective's lower bound follows. At least 0.
  PathIntegralObjective(const PlanningSpace& space, std::function<double(const VectorXd& q)> cost, double resolution,
                        double minimum = 0);
  double edgeCost(const VectorXd& a, const VectorXd& b) const override;
  double lowerBound(const VectorXd& a, const VectorXd& b) const override { return minimum_ * space_.distance(a, b); }

 private:
  const PlanningSpace& space_;
  std::function<double(const VectorXd& q)> cost_;
  double resolution_, minimum_;
  mutable VectorXd q_;
};

/// A weighted sum of others.
class SumObjective final : public PlanningObjective {
 public:
  struct Term {
    std::shared_ptr<const PlanningObjective> objective;
    double weight = 1;  ///< At least 0.
  };
  explicit SumObjective(std::vector<Term> terms);
  double edgeCost(const VectorXd& a, const VectorXd& b) const override;
  double terminalCost(const VectorXd& q) const override;
  double lowerBound(const VectorXd& a, const VectorXd& b) const override;

 private:
  std::vector<Term> terms_;
};

}  // namespace mortise
