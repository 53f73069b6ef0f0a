#include "mortise/planning/goals/objectives.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/timing/robot_limits.h"

namespace mortise {

namespace {

bool isStraight(const PlanningSpace& space) {
  const Value properties = space.properties();
  const Value* straight = properties.find("straight");
  return straight != nullptr && straight->asBool();
}

/// In the shorter direction where a coordinate is an angle.
double change(const VectorXd& a, const VectorXd& b, Eigen::Index i, bool circular) {
  const double d = b[i] - a[i];
  return circular ? std::remainder(d, 2 * std::numbers::pi) : d;
}

/// Calls `piece(p, q)` for parts of the edge on which coordinates change almost linearly.
template <typename F>
void forPieces(const PlanningSpace& space, bool straight, const VectorXd& a, const VectorXd& b, F piece) {
  constexpr int kPieces = 16;
  if (straight) {
    piece(a, b);
    return;
  }
  VectorXd from = a, to;
  for (int k = 1; k <= kPieces; ++k) {
    space.interpolate(a, b, static_cast<double>(k) / kPieces, to);
    piece(from, to);
    from = to;
  }
}

}  // namespace

WeightedLengthObjective::WeightedLengthObjective(const PlanningSpace& space, VectorXd weights,
                                                 std::vector<char> circular)
    : space_(space), weights_(std::move(weights)), circular_(std::move(circular)), straight_(isStraight(space)) {
  const int n = space.dimension();
  if (weights_.size() != n || (!circular_.empty() && static_cast<int>(circular_.size()) != n))
    throw Error("a weighted length needs one weight a coordinate, " + std::to_string(n));
  if (!(weights_.array() >= 0).all() || !weights_.allFinite())
    throw Error("weights of a length must be finite and at least 0");
  circular_.resize(static_cast<std::size_t>(n), 0);
}

double WeightedLengthObjective::edgeCost(const VectorXd& a, const VectorXd& b) const {
  double length = 0;
  forPieces(space_, straight_, a, b, [&](const VectorXd& p, const VectorXd& q) {
    double square = 0;
    for (Eigen::Index i = 0; i < p.size(); ++i)
      square += std::pow(weights_[i] * change(p, q, i, circular_[static_cast<std::size_t>(i)] != 0), 2);
    length += std::sqrt(square);
  });
  return length;
}

double WeightedLengthObjective::lowerBound(const VectorXd& a, const VectorXd& b) const {
  return straight_ ? edgeCost(a, b) : 0;
}

TimeObjective::TimeObjective(const PlanningSpace& space, std::vector<CoordinateLimits> limits, bool accelerations)
    : space_(space), limits_(std::move(limits)), accelerations_(accelerations), straight_(isStraight(space)) {
  if (static_cast<int>(limits_.size()) != space.dimension())
    throw Error("times need one limit a coordinate, " + std::to_string(space.dimension()));
  for (std::size_t i = 0; i < limits_.size(); ++i) {
    if (!(limits_[i].vMax > 0) || !(limits_[i].vMin < 0))
      throw Error("'" + space.coordinateName(static_cast<int>(i)) +
                      "' cannot move in both directions: its velocities go from " + formatReal(limits_[i].vMin) +
                      " to " + formatReal(limits_[i].vMax),
                  {}, "give velocity limits on both sides of 0");
    if (accelerations && !(limits_[i].aMax > 0))
      throw Error("'" + space.coordinateName(static_cast<int>(i)) +
                  "' cannot start to move: its acceleration is at most " + formatReal(limits_[i].aMax));
  }
}

double TimeObjective::edgeCost(const VectorXd& a, const VectorXd& b) const {
  // The edge as u(t) from 0 to 1: no faster than the velocity and acceleration of each coordinate allow.
  double cruise = 0;  // Seconds of the whole edge at full speed.
  double steepest = 0;
  int parts = 0;
  forPieces(space_, straight_, a, b, [&](const VectorXd& p, const VectorXd& q) {
    double longest = 0, slowest = 0;
    for (std::size_t i = 0; i < limits_.size(); ++i) {
      const double d = change(p, q, static_cast<Eigen::Index>(i), limits_[i].circular);
      longest = std::max(longest, d >= 0 ? d / limits_[i].vMax : d / limits_[i].vMin);
      slowest = std::max(slowest, std::abs(d) / limits_[i].aMax);
    }
    cruise += longest;
    steepest = std::max(steepest, slowest);
    ++parts;
  });
  const double squares = parts * steepest;  // 1 / the largest acceleration of u.
  if (!accelerations_) return cruise;
  // From rest to rest: the minimum of x + squares / x over x >= cruise, so parts never take less in sum.
  if (squares == 0) return cruise;
  const double x = std::max(cruise, std::sqrt(squares));
  return x + squares / x;
}

double TimeObjective::lowerBound(const VectorXd& a, const VectorXd& b) const { return straight_ ? edgeCost(a, b) : 0; }

std::vector<CoordinateLimits> planningLimits(const MotionSpace& space, const World& world, double velocityScaling,
                                             double accelerationScaling) {
  const int n = space.dimension();
  std::vector<CoordinateLimits> limits(static_cast<std::size_t>(n));
  VectorXd origin, moved;
  space.lift(VectorXd::Zero(n), origin);
  for (const Mover& mover : space.movers()) {
    if (mover.kind != Mover::Kind::robot) continue;
    const Robot& robot = *world.robots.at(static_cast<std::size_t>(mover.index)).robot;
    const std::vector<CoordinateLimits> links = coordinateLimits(robot, velocityScaling, accelerationScaling);
    for (int c = 0; c < n; ++c) {
      space.lift(VectorXd::Unit(n, c), moved);
      CoordinateLimits& own = limits[static_cast<std::size_t>(c)];
      for (int i = 0; i < mover.size; ++i) {
        const double rate = moved[mover.first + i] - origin[mover.first + i];
        if (rate == 0) continue;
        const CoordinateLimits& link = links[static_cast<std::size_t>(i)];
        const double v = link.vMin / rate, w = link.vMax / rate;
        own.vMin = std::max(own.vMin, std::min(v, w));
        own.vMax = std::min(own.vMax, std::max(v, w));
        own.aMax = std::min(own.aMax, link.aMax / std::abs(rate));
        const int joint = robot.jointOfLink(i);
        own.circular = own.circular || (robot.link(i).motion == LinkMotion::revolute && joint >= 0 &&
                                        robot.joints()[static_cast<std::size_t>(joint)].type != JointType::normal);
      }
    }
  }
  VectorXd low, high;
  space.bounds(low, high);
  for (int c = 0; c < n; ++c) {
    limits[static_cast<std::size_t>(c)].xMin = low[c];
    limits[static_cast<std::size_t>(c)].xMax = high[c];
  }
  return limits;
}

FunctionObjective::FunctionObjective(Costs costs) : costs_(std::move(costs)) {
  if (!costs_.edge) throw Error("an objective of functions needs the cost of an edge");
}
double FunctionObjective::edgeCost(const VectorXd& a, const VectorXd& b) const { return costs_.edge(a, b); }
double FunctionObjective::terminalCost(const VectorXd& q) const { return costs_.terminal ? costs_.terminal(q) : 0; }
double FunctionObjective::lowerBound(const VectorXd& a, const VectorXd& b) const {
  return costs_.lowerBound ? costs_.lowerBound(a, b) : 0;
}

PathIntegralObjective::PathIntegralObjective(const PlanningSpace& space, std::function<double(const VectorXd& q)> cost,
                                             double resolution, double minimum)
    : space_(space), cost_(std::move(cost)), resolution_(resolution), minimum_(minimum) {
  if (!cost_) throw Error("an objective along paths needs the cost of a configuration");
  if (!(resolution_ > 0)) throw Error("an objective along paths needs a resolution above 0");
  if (!(minimum_ >= 0)) throw Error("costs of configurations must be at least 0");
}

double PathIntegralObjective::edgeCost(const VectorXd& a, const VectorXd& b) const {
  const double length = space_.distance(a, b);
  const int steps = static_cast<int>(std::clamp(std::ceil(length / resolution_), 1.0, 1e7));
  double sum = 0;
  for (int k = 0; k < steps; ++k) {
    space_.interpolate(a, b, (k + 0.5) / steps, q_);
    sum += cost_(q_);
  }
  return sum * length / steps;
}

SumObjective::SumObjective(std::vector<Term> terms) : terms_(std::move(terms)) {
  if (terms_.empty()) throw Error("a sum of objectives needs at least one");
  for (const Term& term : terms_)
    if (term.objective == nullptr || !(term.weight >= 0) || !std::isfinite(term.weight))
      throw Error("each objective of a sum needs a finite weight of at least 0");
}

double SumObjective::edgeCost(const VectorXd& a, const VectorXd& b) const {
  double sum = 0;
  for (const Term& term : terms_) sum += term.weight * term.objective->edgeCost(a, b);
  return sum;
}
double SumObjective::terminalCost(const VectorXd& q) const {
  double sum = 0;
  for (const Term& term : terms_) sum += term.weight * term.objective->terminalCost(q);
  return sum;
}
double SumObjective::lowerBound(const VectorXd& a, const VectorXd& b) const {
  double sum = 0;
  for (const Term& term : terms_) sum += term.weight * term.objective->lowerBound(a, b);
  return sum;
}

}  // namespace mortise
