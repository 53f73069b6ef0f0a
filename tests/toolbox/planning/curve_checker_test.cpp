// Curves of ramps are proven free of obstacles between their chords, and no more is claimed than holds.

#include <cmath>
#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/collision/edge_check.h"
#include "mortise/planning/paths/ramp_shortcut.h"
#include "mortise/planning/spaces/robot_space.h"
#include "tests/toolbox/planning/arm_scene.h"

namespace mortise {
namespace {

using test::ArmScene;
using test::limit;

/// Two states on a path that is straight and free; but who goes fast at the start swings out.
TEST(CurveChecker, SeesTheObstacleBetweenChordAndCurve) {
  const ArmScene scene(Vector3d(1, 0, -1));
  RobotSpace space(scene.collider, 0, VectorXd::Zero(3));
  const std::vector<CoordinateLimits> limits(3, limit(10, 30));
  CurveChecker checker(space, limits, 1e-3);
  const auto ramps = [&](double velocity) {
    const std::vector<RampEnds> goals = {{0.2, velocity, -0.2, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}};
    const double T = minimumTime(goals, limits);
    std::vector<ParabolicRamp> result;
    for (std::size_t j = 0; j < 3; ++j) result.push_back(*rampOfTime(goals[j], limits[j], T));
    return result;
  };
  ASSERT_TRUE(space.visible(vector({0.2, 0, 0}), vector({-0.2, 0, 0}))) << "the chord";
  EXPECT_TRUE(checker.free(ramps(0)));
  EXPECT_FALSE(checker.free(ramps(6))) << "0.6 rad down before it turns round";
  EXPECT_THROW(CurveChecker(space, limits, 0), Error);
  EXPECT_THROW(CurveChecker(space, limits, NAN), Error);
}

/// The first rod swings down to just above the box, or a hair too far: chords alone would see neither.
TEST(CurveChecker, ProvesCurvesToAHair) {
  const ArmScene scene(Vector3d(1, 0, -1));
  RobotSpace space(scene.collider, 0, VectorXd::Zero(3));
  double free = 0.2, blocked = 1.5;
  while (blocked - free > 1e-9) {
    const double middle = 0.5 * (free + blocked);
    (space.feasible(vector({middle, 0, 0})) ? free : blocked) = middle;
  }
  const std::vector<CoordinateLimits> limits(3, limit(10, 30));
  CurveChecker checker(space, limits, 10);
  const auto swing = [&](double lowest) {
    const std::vector<RampEnds> goals = {{0, std::sqrt(2 * 30 * lowest), -0.2, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}};
    const double T = minimumTime(goals, limits);
    std::vector<ParabolicRamp> ramps;
    for (std::size_t j = 0; j < 3; ++j) ramps.push_back(*rampOfTime(goals[j], limits[j], T));
    double low = 0, high = 0;
    ramps[0].range(low, high);
    EXPECT_NEAR(high, lowest, 1e-9);
    return checker.free(ramps);
  };
  EXPECT_TRUE(swing(free - 1e-3));
  EXPECT_FALSE(swing(free + 1e-5));
  EXPECT_FALSE(swing(free + 1e-3));
  EXPECT_FALSE(swing(free + 0.3));
}

/// With a margin of what the tolerance can move, curves are proven free: the arm moves no point by more than that.
TEST(CurveChecker, TheBoundInItsWordsHolds) {
  const ArmScene scene(Vector3d(1, 0, -1));
  const EdgeChecker edges(scene.collider, 0);
  EdgeChecker::Workspace workspace;
  std::vector<double> motion;
  const double tolerance = 1e-3;
  edges.linkMotion(VectorXd::Zero(3), VectorXd::Constant(3, tolerance), workspace, motion);
  // The tip: tolerance times 1.5, 1 and 0.5 m; the true sum is a little less, since rods are 0.47 m.
  EXPECT_NEAR(motion[2], tolerance * 3, 0.1 * tolerance);
  EXPECT_LT(motion[2], tolerance * 3.001);

  // Densely: no place of a curve is farther from the chord than the tolerance in any coordinate.
  RandomStream random(3);
  const std::vector<CoordinateLimits> limits(3, limit(2, 6));
  /// Writes down what is asked for.
  class Asked final : public test::PlaneSpace {
   public:
    Asked() : PlaneSpace(0) {}
    int dimension() const override { return 3; }
    bool satisfies(int, const VectorXd&) override { return true; }
    bool visible(const VectorXd& a, const VectorXd& b) override {
      chords.emplace_back(a, b);
      return true;
    }
    std::vector<std::pair<VectorXd, VectorXd>> chords;
  } asked;
  CurveChecker checker(asked, limits, tolerance);
  for (int i = 0; i < 100; ++i) {
    std::vector<RampEnds> goals;
    for (int j = 0; j < 3; ++j)
      goals.push_back({random.uniform(-1, 1), random.uniform(-2, 2), random.uniform(-1, 1), random.uniform(-2, 2)});
    const double T = minimumTime(goals, limits);
    std::vector<ParabolicRamp> ramps;
    for (std::size_t j = 0; j < 3; ++j)
      if (const auto ramp = rampOfTime(goals[j], limits[j], T)) ramps.push_back(*ramp);
    if (ramps.size() < 3) continue;
    asked.chords.clear();
    ASSERT_TRUE(checker.free(ramps));
    for (double t = 0; t < T; t += T / 200) {
      VectorXd q(3);
      double v = 0, a = 0;
      for (Eigen::Index j = 0; j < 3; ++j) ramps[static_cast<std::size_t>(j)].evaluate(t, q[j], v, a);
      double minimum = 1;
      for (const auto& [from, to] : asked.chords) {
        const VectorXd d = to - from;
        // The largest difference of a coordinate is a convex function of the place on the chord.
        const auto off = [&](double u) { return (q - from - u * d).cwiseAbs().maxCoeff(); };
        if (std::min(off(0), off(1)) - d.cwiseAbs().maxCoeff() > tolerance) continue;  // Too far away.
        double low = 0, high = 1;
        for (int k = 0; k < 60; ++k) {
          const double u = (2 * low + high) / 3, v2 = (low + 2 * high) / 3;
          (off(u) < off(v2) ? high : low) = off(u) < off(v2) ? v2 : u;
        }
        minimum = std::min(minimum, off(0.5 * (low + high)));
      }
      EXPECT_LE(minimum, tolerance * (1 + 1e-9));
    }
  }
}

}  // namespace
}  // namespace mortise
