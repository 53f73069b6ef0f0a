#pragma once

/// A space to plan in whose ways are checked exactly.

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "mortise/component/planner.h"

namespace mortise::test {

/// A cube of side 10 in some dimensions. In the first two there are walls with gaps, which block; ways are checked
/// exactly. Free is what touches a wall only.
class WalledCube : public PlanningSpace {
 public:
  struct Wall {
    double left, right, bottom, top;
  };
  /// `name`: of the constraint that the walls are.
  WalledCube(int dimension, std::vector<Wall> walls, std::string name = "walls")
      : dimension_(dimension), walls_(std::move(walls)), names_{"bounds", std::move(name)} {}

  int dimension() const override { return dimension_; }
  void bounds(VectorXd& low, VectorXd& high) const override {
    low = VectorXd::Zero(dimension_);
    high = VectorXd::Constant(dimension_, 10);
  }
  double distance(const VectorXd& a, const VectorXd& b) const override { return (a - b).norm(); }
  void interpolate(const VectorXd& a, const VectorXd& b, double u, VectorXd& q) const override {
    q = ((1 - u) * a + u * b).eval();
  }
  void sample(RandomStream& random, VectorXd& q) override {
    q.resize(dimension_);
    for (int i = 0; i < dimension_; ++i) q[i] = random.uniform(0, 10);
  }
  void sampleNear(RandomStream& random, const VectorXd& center, double radius, VectorXd& q) override {
    const double side = radius / std::sqrt(dimension_);
    q = center;
    for (int i = 0; i < dimension_; ++i) q[i] = std::clamp(q[i] + random.uniform(-side, side), 0.0, 10.0);
  }
  std::span<const std::string> constraints() const override { return names_; }
  bool satisfies(int constraint, const VectorXd& q) override {
    if (constraint == 0) return q.minCoeff() >= 0 && q.maxCoeff() <= 10;
    ++counts_.configurations;
    return std::none_of(walls_.begin(), walls_.end(), [&](const Wall& wall) {
      return q[0] > wall.left && q[0] < wall.right && q[1] > wall.bottom && q[1] < wall.top;
    });
  }
  bool visible(const VectorXd& a, const VectorXd& b) override {
    ++counts_.edges;
    return std::none_of(walls_.begin(), walls_.end(), [&](const Wall& wall) { return crosses(a, b, wall); });
  }
  double extent() const override { return 10 * std::sqrt(dimension_); }
  double measure() const override { return std::pow(10, dimension_); }
  Counts counts() const override { return counts_; }
  std::unique_ptr<PlanningSpace> copy() const override { return std::make_unique<WalledCube>(*this); }
  Value properties() const override {
    Value map = PlanningSpace::properties();
    map.set("geodesic", true);
    map.set("straight", true);
    return map;
  }

 private:
  static bool crosses(const VectorXd& a, const VectorXd& b, const Wall& wall) {
    // What is left of the way between both pairs of sides.
    double from = 0, to = 1;
    const double low[2] = {wall.left, wall.bottom}, high[2] = {wall.right, wall.top};
    for (int i = 0; i < 2; ++i) {
      const double step = b[i] - a[i];
      if (std::abs(step) < 1e-14) {
        if (!(a[i] > low[i] && a[i] < high[i])) return false;
        continue;
      }
      const double u = (low[i] - a[i]) / step, v = (high[i] - a[i]) / step;
      from = std::max(from, std::min(u, v));
      to = std::min(to, std::max(u, v));
    }
    return to - from > 1e-12;
  }

  int dimension_;
  std::vector<Wall> walls_;
  std::vector<std::string> names_;
  Counts counts_;
};

}  // namespace mortise::test
