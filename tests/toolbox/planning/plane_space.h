#pragma once

// A space without a robot for tests: the plane with a disk in it.

#include <algorithm>
#include <cmath>
#include <memory>

#include "mortise/component/planner.h"
#include "tests/support/vector.h"

namespace mortise::test {

/// [-4, 4] x [-4, 4] without the disk of this radius at the origin.
class PlaneSpace : public PlanningSpace {
 public:
  explicit PlaneSpace(double radius = 0.5) : radius_(radius) {}
  int dimension() const override { return 2; }
  void bounds(VectorXd& low, VectorXd& high) const override {
    low = VectorXd::Constant(2, -4);
    high = VectorXd::Constant(2, 4);
  }
  double distance(const VectorXd& a, const VectorXd& b) const override { return (a - b).norm(); }
  void interpolate(const VectorXd& a, const VectorXd& b, double u, VectorXd& q) const override {
    q = (1 - u) * a + u * b;
  }
  void sample(RandomStream& random, VectorXd& q) override {
    q = vector({random.uniform(-4, 4), random.uniform(-4, 4)});
  }
  void sampleNear(RandomStream& random, const VectorXd& center, double radius, VectorXd& q) override {
    const double angle = random.uniform(0, 2 * M_PI), r = radius * std::sqrt(random.uniform());
    q = center + vector({r * std::cos(angle), r * std::sin(angle)});
  }
  std::span<const std::string> constraints() const override { return names_; }
  bool satisfies(int constraint, const VectorXd& q) override {
    return constraint == 0 ? q.cwiseAbs().maxCoeff() <= 4 : q.norm() > radius_ || radius_ == 0;
  }
  bool visible(const VectorXd& a, const VectorXd& b) override {
    const VectorXd d = b - a;
    const double u = d.squaredNorm() > 0 ? std::clamp(-a.dot(d) / d.squaredNorm(), 0.0, 1.0) : 0;
    return satisfies(1, a + u * d);
  }
  double extent() const override { return 8 * std::sqrt(2.0); }
  std::unique_ptr<PlanningSpace> copy() const override { return std::make_unique<PlaneSpace>(*this); }
  Value properties() const override {
    Value map = PlanningSpace::properties();
    map.set("straight", true);
    return map;
  }

  bool holds(const std::vector<VectorXd>& path) {
    for (std::size_t i = 0; i < path.size(); ++i)
      if (!feasible(path[i]) || (i > 0 && !visible(path[i - 1], path[i]))) return false;
    return true;
  }

 private:
  double radius_;
  std::vector<std::string> names_ = {"bounds", "disk"};
};

}  // namespace mortise::test
