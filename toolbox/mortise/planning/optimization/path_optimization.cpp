#include "mortise/planning/optimization/path_optimization.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/math/constants.h"
#include "mortise/optimization/hinge_program.h"
#include "mortise/planning/goals/ik_goal_region.h"
#include "mortise/planning/optimization/clearance_terms.h"

namespace mortise {

namespace {

/// Pairs farther apart than the clearance by this (m) are left out.
constexpr double kBeyond = 0.05;
/// Places between two waypoints, at most.
constexpr int kMaxPlaces = 24;
/// A model's promise of which so much comes true makes a step worthwhile.
constexpr double kTrue = 0.2;
constexpr double kShrink = 0.3, kGrow = 1.7, kSmallestTrust = 1e-5;
/// Meters too near that count as none.
constexpr double kNear = 1e-5;

/// A goal's equations over the space's coordinates, at some waypoints.
struct GoalRows {
  PlannedGoalFunction function;
  std::size_t first = 0, last = 0;
};

class PathOptimizer {
 public:
  PathOptimizer(MotionSpace& space, std::shared_ptr<const WorldCollider> collider, std::vector<VectorXd> path,
                const PathOptimizationOptions& options)
      : space_(space),
        terms_(space, std::move(collider)),
        options_(options),
        path_(std::move(path)),
        n_(space.dimension()),
        count_(static_cast<int>(path_.size())) {
    space.bounds(low_, high_);
    terms_.keepFree(path_.front());
    if (options.fixedEnd) terms_.keepFree(path_.back());
    const int free = count_ - (options.fixedEnd ? 2 : 1);
    size_ = std::max(0, free) * n_;
    addGoals();
  }

  PathOptimizationResult run(const std::function<bool()>& stopRequested) {
    PathOptimizationResult result;
    result.costBefore = smoothness(path_);
    result.lengthBefore = length();
    result.clearanceBefore = minClearance();
    double penalty = options_.penalty;
    for (int round = 0; round <= options_.penaltyRounds && size_ > 0; ++round, penalty *= 10) {
      result.penalty = penalty;
      result.iterations += converge(penalty, stopRequested);
      if (violation(path_) <= kNear || (stopRequested && stopRequested())) break;
    }
    result.cost = smoothness(path_);
    result.length = length();
    result.clearance = minClearance();
    result.residual = residual(path_);
    result.feasible = feasible() && result.residual <= options_.goalTolerance;
    result.path = std::move(path_);
    return result;
  }

 private:
  using Path = std::vector<VectorXd>;

  void addGoals() {
    const auto last = static_cast<std::size_t>(count_ - 1);
    if (options_.goals.empty() && options_.endGoals.empty()) return;
    if (space_.movers().size() != 1) throw Error("goals of links are of one robot, and several move");
    const int robot = space_.movers().front().index;
    if (!options_.goals.empty())
      goals_.push_back({goalsOf(robot, options_.goals), 1, options_.fixedEnd ? last - 1 : last});
    if (!options_.endGoals.empty() && !options_.fixedEnd)
      goals_.push_back({goalsOf(robot, options_.endGoals), last, last});
  }
  PlannedGoalFunction goalsOf(int robot, const std::vector<IKGoal>& goals) const {
    return {space_, terms_.world(), {{robot, goals}}};
  }

  /// The first variable of a waypoint; -1: it stays.
  int variableOf(std::size_t waypoint) const {
    const bool stays = waypoint == 0 || (options_.fixedEnd && waypoint + 1 == path_.size());
    return stays ? -1 : (static_cast<int>(waypoint) - 1) * n_;
  }

  double smoothness(const Path& path) const {
    double sum = 0;
    for (std::size_t t = 0; t + 1 < path.size(); ++t) sum += (path[t + 1] - path[t]).squaredNorm();
    for (std::size_t t = 1; t + 1 < path.size(); ++t)
      sum += options_.accelerations * (path[t + 1] - 2 * path[t] + path[t - 1]).squaredNorm();
    return sum * (count_ - 1);
  }
  double length() const {
    double sum = 0;
    for (std::size_t t = 0; t + 1 < path_.size(); ++t) sum += space_.distance(path_[t], path_[t + 1]);
    return sum;
  }

  int placesBetween(const VectorXd& a, const VectorXd& b) const {
    const double maximum = (b - a).cwiseAbs().maxCoeff();
    return std::clamp(static_cast<int>(std::ceil(maximum / options_.step)), 1, kMaxPlaces);
  }
  /// Calls with (waypoint, fraction of the way to the next, terms) wherever something is near.
  template <typename Visit>
  void visitPlaces(const Path& path, double within, bool gradients, const Visit& visit) {
    for (std::size_t t = 0; t + 1 < path.size(); ++t) {
      const int places = placesBetween(path[t], path[t + 1]);
      for (int k = 0; k < places; ++k) {
        if (t == 0 && k == 0) continue;
        const double u = static_cast<double>(k) / places;
        terms_.evaluate((1 - u) * path[t] + u * path[t + 1], within, gradients, found_);
        visit(t, u, found_);
      }
    }
    if (options_.fixedEnd) return;
    terms_.evaluate(path.back(), within, gradients, found_);
    visit(path.size() - 1, 0.0, found_);
  }

  /// The sum of what is too near, out of its goals (m, rad).
  double violation(const Path& path) {
    double sum = 0;
    visitPlaces(path, options_.clearance, false, [&](std::size_t, double, const std::vector<ClearanceTerm>& terms) {
      for (const ClearanceTerm& term : terms) sum += options_.clearance - term.distance;
    });
    for (GoalRows& rows : goals_)
      for (std::size_t t = rows.first; t <= rows.last; ++t) sum += residualAt(rows, path[t]).cwiseAbs().sum();
    return sum;
  }
  VectorXd residualAt(GoalRows& rows, const VectorXd& q, Eigen::MatrixXd* J = nullptr) {
    VectorXd r(rows.function.size());
    rows.function.residual(q.data(), r.data());
    if (J == nullptr) return r;
    J->resize(rows.function.size(), rows.function.dimension());
    rows.function.jacobian(J->data());
    return r;
  }
  double residual(const Path& path) {
    double maximum = 0;
    for (GoalRows& rows : goals_)
      for (std::size_t t = rows.first; t <= rows.last; ++t)
        maximum = std::max(maximum, residualAt(rows, path[t]).cwiseAbs().maxCoeff());
    return maximum;
  }
  double minClearance() {
    double minimum = options_.clearance + kBeyond;
    visitPlaces(path_, minimum, false, [&](std::size_t, double, const std::vector<ClearanceTerm>& terms) {
      for (const ClearanceTerm& term : terms) minimum = std::min(minimum, term.distance);
    });
    return minimum;
  }
  bool feasible() {
    for (std::size_t t = 0; t < path_.size(); ++t)
      if (!space_.feasible(path_[t])) return false;
    for (std::size_t t = 0; t + 1 < path_.size(); ++t)
      if (!space_.visible(path_[t], path_[t + 1])) return false;
    return true;
  }

  /// The quadratic cost of the waypoints that move: x.H x / 2 + c.x.
  void quadratic(BandedMatrix& H, VectorXd& c) const {
    const auto add = [&](std::vector<std::pair<std::size_t, double>> parts, double weight) {
      for (const auto& [s, ws] : parts)
        for (const auto& [t, wt] : parts) {
          const int i = variableOf(s), j = variableOf(t);
          if (i < 0) continue;
          for (int k = 0; k < n_; ++k) {
            if (j < 0)
              c[i + k] += 2 * weight * ws * wt * path_[t][k];
            else if (i >= j)
              H.at(i + k, j + k) += 2 * weight * ws * wt;
          }
        }
    };
    const double scale = count_ - 1;
    for (std::size_t t = 0; t + 1 < path_.size(); ++t) add({{t, -1.0}, {t + 1, 1.0}}, scale);
    for (std::size_t t = 1; t + 1 < path_.size(); ++t)
      add({{t - 1, 1.0}, {t, -2.0}, {t + 1, 1.0}}, scale * options_.accelerations);
    for (int i = 0; i < H.size(); ++i) H.at(i, i) += 1e-9 * scale;
  }

  /// Returns the distances of what is near, linearized at the path.
  std::vector<Hinge> linearized(double penalty) {
    std::vector<Hinge> hinges;
    visitPlaces(path_, options_.clearance + kBeyond, true,
                [&](std::size_t t, double u, const std::vector<ClearanceTerm>& terms) {
                  const int here = variableOf(t), next = t + 1 < path_.size() ? variableOf(t + 1) : -1;
                  for (const ClearanceTerm& term : terms) {
                    Hinge hinge;
                    hinge.weight = penalty;
                    const bool both = here >= 0 && next >= 0 && u > 0;
                    hinge.first = here >= 0 ? here : next;
                    if (hinge.first < 0 || (here < 0 && u == 0)) continue;
                    hinge.left = VectorXd::Zero(both ? 2 * n_ : n_);
                    if (here >= 0) hinge.left.head(n_) = (1 - u) * term.gradient;
                    if (next >= 0 && u > 0) hinge.left.tail(n_) += u * term.gradient;
                    const VectorXd at =
                        (1 - u) * moving(t) + (u > 0 ? VectorXd(u * moving(t + 1)) : VectorXd::Zero(n_));
                    hinge.right = options_.clearance - term.distance + term.gradient.dot(at);
                    hinges.push_back(std::move(hinge));
                  }
                });
    Eigen::MatrixXd G;
    for (GoalRows& rows : goals_)
      for (std::size_t t = rows.first; t <= rows.last; ++t) {
        const VectorXd r = residualAt(rows, path_[t], &G);
        for (Eigen::Index i = 0; i < r.size(); ++i)
          for (const double sign : {1.0, -1.0}) {
            Hinge hinge;
            hinge.weight = penalty;
            hinge.first = variableOf(t);
            hinge.left = -sign * G.row(i).transpose();
            hinge.right = sign * (r[i] - G.row(i).dot(path_[t]));
            hinges.push_back(std::move(hinge));
          }
      }
    return hinges;
  }
  /// The waypoint where it is a variable, else nothing: what stays is in the constant part.
  VectorXd moving(std::size_t t) const { return variableOf(t) >= 0 ? path_[t] : VectorXd(VectorXd::Zero(n_)); }

  VectorXd variables() const {
    VectorXd x(size_);
    for (std::size_t t = 0; t < path_.size(); ++t)
      if (const int i = variableOf(t); i >= 0) x.segment(i, n_) = path_[t];
    return x;
  }
  Path pathOf(const VectorXd& x) const {
    Path path = path_;
    for (std::size_t t = 0; t < path_.size(); ++t)
      if (const int i = variableOf(t); i >= 0) path[t] = x.segment(i, n_);
    return path;
  }

  /// Convex programs until there is little improvement; how many.
  int converge(double penalty, const std::function<bool()>& stopRequested) {
    BandedMatrix H(size_, 2 * n_);
    VectorXd c = VectorXd::Zero(size_);
    quadratic(H, c);
    double trust = options_.trust, merit = smoothness(path_) + penalty * violation(path_);
    int done = 0;
    while (done < options_.iterations && trust > kSmallestTrust) {
      const std::vector<Hinge> hinges = linearized(penalty);
      const VectorXd here = variables();
      const auto model = [&](const VectorXd& x) {
        double sum = 0.5 * x.dot(H.times(x)) + c.dot(x);
        for (const Hinge& hinge : hinges)
          sum += hinge.weight * std::max(0.0, hinge.right - hinge.left.dot(x.segment(hinge.first, hinge.left.size())));
        return sum;
      };
      const double modelHere = model(here);
      bool moved = false, little = false;
      for (; trust > kSmallestTrust && !moved; ++done) {
        if (done >= options_.iterations || (stopRequested && stopRequested())) return done;
        VectorXd low(size_), high(size_);
        for (int i = 0; i < size_; ++i) {
          low[i] = std::max(here[i] - trust, std::min(low_[i % n_], here[i]));
          high[i] = std::min(here[i] + trust, std::max(high_[i % n_], here[i]));
        }
        VectorXd x = here;
        const double promised = modelHere - solveHingeProgram(H, c, hinges, low, high, x);
        if (promised <= 1e-9 * (1 + std::abs(merit))) return done + 1;
        Path next = pathOf(x);
        const double nextMerit = smoothness(next) + penalty * violation(next), gained = merit - nextMerit;
        if (gained < kTrue * promised) {
          trust *= kShrink;
          continue;
        }
        little = gained < options_.improvement * merit;
        path_ = std::move(next);
        merit = nextMerit;
        trust = std::min(trust * kGrow, 4 * options_.trust);
        moved = true;
      }
      if (little) break;
    }
    return done;
  }

  MotionSpace& space_;
  ClearanceTerms terms_;
  const PathOptimizationOptions& options_;
  Path path_;
  int n_, count_, size_ = 0;
  VectorXd low_, high_;
  std::vector<GoalRows> goals_;
  std::vector<ClearanceTerm> found_;
};

/// The path in pieces of equal length.
std::vector<VectorXd> evenly(const MotionSpace& space, const std::vector<VectorXd>& path, int waypoints) {
  std::vector<double> at = {0};
  for (std::size_t i = 1; i < path.size(); ++i) at.push_back(at.back() + space.distance(path[i - 1], path[i]));
  std::vector<VectorXd> result;
  std::size_t piece = 0;
  for (int k = 0; k < waypoints; ++k) {
    const double s = at.back() * k / (waypoints - 1);
    while (piece + 2 < path.size() && at[piece + 1] < s) ++piece;
    const double span = at[piece + 1] - at[piece], u = span > 0 ? std::clamp((s - at[piece]) / span, 0.0, 1.0) : 0;
    result.push_back((1 - u) * path[piece] + u * path[piece + 1]);
  }
  result.front() = path.front();
  result.back() = path.back();
  return result;
}

void requireOptions(const PathOptimizationOptions& options) {
  if (options.waypoints < 2) throw Error("a path needs two waypoints at least");
  for (const double value : {options.step, options.penalty, options.trust, options.goalTolerance})
    if (!(value > 0) || std::isinf(value))
      throw Error("steps, penalties, trust regions and tolerances must be above 0, not " + formatReal(value));
  for (const double value : {options.clearance, options.accelerations, options.improvement})
    if (!(value >= 0) || std::isinf(value))
      throw Error("clearances and weights must be at least 0, not " + formatReal(value));
}

}  // namespace

PathOptimizationResult optimizePath(MotionSpace& space, std::shared_ptr<const WorldCollider> collider,
                                    const std::vector<VectorXd>& path, const PathOptimizationOptions& options,
                                    const std::function<bool()>& stopRequested) {
  requireOptions(options);
  if (path.size() < 2)
    throw Error("a path needs two configurations at least, this one has " + std::to_string(path.size()));
  const Value properties = space.properties();
  if (const Value* straight = properties.find("straight"); straight == nullptr || !straight->asBool())
    throw Error(
        "a path can be optimized only where ways are straight lines in coordinates, not on rotations that turn "
        "freely or closed chains",
        {}, "plan for links without free rotations ('links')");
  for (const VectorXd& q : path)
    if (q.size() != space.dimension() || !q.allFinite())
      throw Error("a configuration of the path has " + std::to_string(q.size()) + " finite numbers, not " +
                  std::to_string(space.dimension()));
  return PathOptimizer(space, std::move(collider), evenly(space, path, std::max(options.waypoints, 2)), options)
      .run(stopRequested);
}

}  // namespace mortise
