#pragma once

#include <cmath>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/planning/goals/goals.h"
#include "mortise/planning/planning_run.h"
#include "tests/support/plugins.h"
#include "tests/support/quiet_host.h"

namespace mortise::test {

inline VectorXd point(double x, double y) { return Eigen::Vector2d(x, y); }

/// A square of 10 by 10 with boxes in it that block; ways are checked exactly. Free is what touches a box only.
class Maze : public PlanningSpace {
 public:
  struct Box {
    double left, right, bottom, top;
  };
  explicit Maze(std::vector<Box> boxes) : boxes_(std::move(boxes)) {}

  int dimension() const override { return 2; }
  void bounds(VectorXd& low, VectorXd& high) const override {
    low = point(0, 0);
    high = point(10, 10);
  }
  double distance(const VectorXd& a, const VectorXd& b) const override { return (a - b).norm(); }
  void interpolate(const VectorXd& a, const VectorXd& b, double u, VectorXd& q) const override {
    q = (1 - u) * a + u * b;
  }
  void sample(RandomStream& random, VectorXd& q) override {
    q.resize(2);
    q[0] = random.uniform(0, 10);
    q[1] = random.uniform(0, 10);
  }
  void sampleNear(RandomStream& random, const VectorXd& center, double radius, VectorXd& q) override {
    const double angle = random.uniform(0, 2 * M_PI), r = radius * std::sqrt(random.uniform());
    q = center + r * point(std::cos(angle), std::sin(angle));
    for (int i = 0; i < 2; ++i) q[i] = std::clamp(q[i], 0.0, 10.0);
  }
  std::span<const std::string> constraints() const override { return names_; }
  bool satisfies(int constraint, const VectorXd& q) override {
    if (constraint == 0) return q.minCoeff() >= 0 && q.maxCoeff() <= 10;
    ++counts_.configurations;
    for (const Box& box : boxes_)
      if (q[0] > box.left && q[0] < box.right && q[1] > box.bottom && q[1] < box.top) return false;
    return true;
  }
  bool visible(const VectorXd& a, const VectorXd& b) override {
    ++counts_.edges;
    for (const Box& box : boxes_)
      if (crosses(a, b, box)) return false;
    return true;
  }
  double extent() const override { return std::sqrt(200.0); }
  double measure() const override { return 100; }
  Counts counts() const override { return counts_; }
  std::unique_ptr<PlanningSpace> copy() const override { return std::make_unique<Maze>(boxes_); }
  Value properties() const override {
    Value map = PlanningSpace::properties();
    map.set("geodesic", true);
    map.set("straight", true);
    return map;
  }

 private:
  static bool crosses(const VectorXd& a, const VectorXd& b, const Box& box) {
    // What is left of the way between both pairs of sides.
    double from = 0, to = 1;
    const double low[2] = {box.left, box.bottom}, high[2] = {box.right, box.top};
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

  std::vector<Box> boxes_;
  std::vector<std::string> names_ = {"bounds", "boxes"};
  Counts counts_;
};

/// Two walls that the way from (1, 1) to (9, 9) winds between; the shortest one touches four corners.
inline Maze windingMaze() { return Maze({{3, 3.5, -1, 7}, {6.5, 7, 3, 11}}); }
inline const double kWindingLength = 2 * std::sqrt(40.0) + 6;

class PlannersTest : public testing::Test {
 protected:
  ComponentPtr<Planner> create(const std::string& name, const std::string& settings = "{}") {
    const ComponentInfo& info = registry->require(Kind::planner, name);
    Diagnostics diagnostics;
    const Value complete = registry->completeSettings(info, parseYaml(settings, "settings.yaml"), diagnostics);
    diagnostics.throwIfErrors();
    return registry->create<Planner>(info, complete, host);
  }
  PlanningRun run(Planner& planner, const PlanningProblem& problem, std::uint64_t seed, const StopConditions& stop) {
    RandomStream random(seed);
    StopClock clock(stop);
    return runPlanner(planner, problem, random, clock);
  }
  static StopConditions rounds(std::int64_t count, bool foundSolution = false) {
    StopConditions stop;
    stop.iterations = count;
    stop.foundSolution = foundSolution;
    return stop;
  }

  MemoryLog log;
  std::unique_ptr<Registry> registry = makeRegistry(log);
  QuietHost host;
};

/// Names of all that end at a path, and those that go on.
inline const std::vector<std::string> kFinders = {"rrt", "prm", "lazyprm", "sbl", "sblprt", "est", "perturbation"};
inline const std::vector<std::string> kImprovers = {"rrt*", "prm*", "lazyprm*", "lazyrrg*"};

inline std::vector<std::string> samplingPlanners() {
  std::vector<std::string> names = {"any"};
  names.insert(names.end(), kFinders.begin(), kFinders.end());
  names.insert(names.end(), kImprovers.begin(), kImprovers.end());
  return names;
}

inline bool sameBits(const std::vector<VectorXd>& a, const std::vector<VectorXd>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i].size() != b[i].size() || !(a[i].array() == b[i].array()).all()) return false;
  return true;
}

}  // namespace mortise::test
