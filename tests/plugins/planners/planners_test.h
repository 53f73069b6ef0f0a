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
#include "tests/support/walled_cube.h"

namespace mortise::test {

inline VectorXd point(double x, double y) { return Eigen::Vector2d(x, y); }

/// A square of 10 by 10 with boxes in it that block.
class Maze : public WalledCube {
 public:
  using Box = Wall;
  explicit Maze(std::vector<Box> boxes) : WalledCube(2, std::move(boxes), "boxes") {}

  /// In a disk.
  void sampleNear(RandomStream& random, const VectorXd& center, double radius, VectorXd& q) override {
    const double angle = random.uniform(0, 2 * M_PI), r = radius * std::sqrt(random.uniform());
    q = center + r * point(std::cos(angle), std::sin(angle));
    for (int i = 0; i < 2; ++i) q[i] = std::clamp(q[i], 0.0, 10.0);
  }
  std::unique_ptr<PlanningSpace> copy() const override { return std::make_unique<Maze>(*this); }
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
