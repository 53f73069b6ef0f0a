#pragma once

/// Spaces in which settings of planners have something to act on.

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "mortise/component/planner.h"

namespace mortise::test {

/// A cube of side 10 in some dimensions. In the first two there are walls with gaps, which block; ways are checked
/// exactly.
class WalledCube final : public PlanningSpace {
 public:
  struct Wall {
    double left, right, bottom, top;
  };
  WalledCube(int dimension, std::vector<Wall> walls) : dimension_(dimension), walls_(std::move(walls)) {}

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
  std::unique_ptr<PlanningSpace> copy() const override { return std::make_unique<WalledCube>(dimension_, walls_); }
  Value properties() const override {
    Value map = PlanningSpace::properties();
    map.set("geodesic", true);
    map.set("straight", true);
    return map;
  }

 private:
  static bool crosses(const VectorXd& a, const VectorXd& b, const Wall& wall) {
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
  std::vector<std::string> names_ = {"bounds", "walls"};
  Counts counts_;
};

/// Two walls that the way winds between.
inline WalledCube windingWalls(int dimension) { return {dimension, {{3, 3.5, -1, 7}, {6.5, 7, 3, 11}}}; }
/// A wall in the middle, around which both ways are easy.
inline WalledCube oneWall(int dimension) { return {dimension, {{4.5, 5.5, 2, 8.5}}}; }
/// A wall with a narrow gap.
inline WalledCube narrowGap(int dimension) { return {dimension, {{4.8, 5.2, -1, 5}, {4.8, 5.2, 5.15, 11}}}; }

}  // namespace mortise::test
