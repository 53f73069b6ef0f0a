#pragma once

/// A space to plan in from functions:
///
///     FunctionSpace space(Vector2d(0, 0), Vector2d(1, 1));
///     space.require("disc", [](const VectorXd& q) { return (q - Vector2d(0.5, 0.5)).norm() > 0.3; });
///     ConfigurationGoal goal(space, {Vector2d(0.9, 0.9)});
///     planner->start({space, {Vector2d(0.1, 0.1)}, goal}, random);

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "mortise/component/planner.h"

namespace mortise {

/// Configurations are numbers between bounds, edges are lines, distances Euclidean ones with weights. Functions are
/// called by several threads at once where the space is copied; they are checked in the order given, cheap ones first.
class FunctionSpace final : public PlanningSpace {
 public:
  using Predicate = std::function<bool(const VectorXd& q)>;
  using Edge = std::function<bool(const VectorXd& a, const VectorXd& b)>;

  /// Throws `Error` unless the ends are finite and in order.
  FunctionSpace(VectorXd low, VectorXd high);

  // Before the space is used; each gives the space back, so that calls can be chained.

  /// Adds a constraint besides the bounds, whose name is `bounds`. `explain`: why not, for people.
  FunctionSpace& require(std::string name, Predicate holds, std::function<std::string(const VectorXd& q)> explain = {});
  /// Sets the check of edges whose ends are feasible. Without it edges are checked in steps of the resolution.
  FunctionSpace& visibleBy(Edge visible);
  /// In units of the metric; 1/1000 of the extent by default.
  FunctionSpace& resolution(double step);
  /// One a coordinate, above 0; all 1 by default.
  FunctionSpace& weights(VectorXd weights);
  FunctionSpace& names(std::vector<std::string> coordinates);

  int dimension() const override { return static_cast<int>(low_.size()); }
  std::string coordinateName(int i) const override;
  Value properties() const override;
  void bounds(VectorXd& low, VectorXd& high) const override;
  double distance(const VectorXd& a, const VectorXd& b) const override;
  void interpolate(const VectorXd& a, const VectorXd& b, double u, VectorXd& q) const override;
  void sample(RandomStream& random, VectorXd& q) override;
  void sampleNear(RandomStream& random, const VectorXd& center, double radius, VectorXd& q) override;
  std::span<const std::string> constraints() const override { return names_; }
  bool satisfies(int constraint, const VectorXd& q) override;
  bool visible(const VectorXd& a, const VectorXd& b) override;
  std::string explain(int constraint, const VectorXd& q) override;
  double extent() const override;
  double measure() const override;
  std::unique_ptr<PlanningSpace> copy() const override { return std::make_unique<FunctionSpace>(*this); }
  Counts counts() const override { return counts_; }

 private:
  struct Constraint {
    Predicate holds;
    std::function<std::string(const VectorXd& q)> explain;
  };
  VectorXd low_, high_, weights_;
  std::vector<std::string> names_ = {"bounds"}, coordinates_;
  std::vector<Constraint> constraints_;
  Edge visible_;
  double resolution_ = 0;  ///< 0: by the extent.
  VectorXd q_;
  Counts counts_;
};

}  // namespace mortise
