#include "mortise/planning/spaces/composed_space.h"

#include <cmath>
#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/planning/sampling.h"
#include "mortise/planning/spaces/function_space.h"
#include "mortise/planning/spaces/object_space.h"
#include "tests/support/planning_checks.h"
#include "tests/support/vector.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

/// A square of 1 m with a round hole in the middle.
FunctionSpace disc() {
  FunctionSpace space(vector({0, 0}), vector({1, 1}));
  space.require("disc", [](const VectorXd& q) { return (q - vector({0.5, 0.5})).norm() > 0.3; });
  return space;
}

TEST(FunctionSpace, TenLinesAreEnough) {
  FunctionSpace space = disc();
  ASSERT_EQ(space.dimension(), 2);
  EXPECT_EQ(space.constraints().size(), 2U);
  EXPECT_EQ(space.constraints()[0], "bounds");
  int violated = -1;
  EXPECT_FALSE(space.feasible(vector({0.5, 0.4}), &violated));
  EXPECT_EQ(space.constraints()[static_cast<std::size_t>(violated)], "disc");
  EXPECT_FALSE(space.feasible(vector({0.5, 1.4}), &violated));
  EXPECT_EQ(violated, 0);
  EXPECT_NE(space.explain(0, vector({0.5, 1.4})).find("'q[1]' is 1.4"), std::string::npos);
  EXPECT_FALSE(space.feasible(vector({0.5, NAN})));
  EXPECT_FALSE(space.visible(vector({0.1, 0.5}), vector({0.9, 0.5})));
  EXPECT_TRUE(space.visible(vector({0.1, 0.1}), vector({0.9, 0.1})));
  EXPECT_NEAR(space.extent(), std::sqrt(2), 1e-12);
  EXPECT_TRUE(space.properties().at("straight").asBool());
  space.weights(vector({1, 2})).names({"x", "y"});
  EXPECT_NEAR(space.measure(), 2, 1e-12);
  EXPECT_EQ(space.coordinateName(1), "y");
  test::expectMetric(space);
  test::expectSameInThreads(space);
  const test::EdgeCounts counts = test::compareEdges(space, 300, 1e-4);
  EXPECT_GT(counts.free, 30);
  EXPECT_GT(counts.blocked, 30);
  EXPECT_LE(counts.missed, 3) << "by resolution: corners of less than 1/1000 of the extent may be cut";
}

TEST(FunctionSpace, WaysOfTheCallerAndWrongInput) {
  FunctionSpace space = disc();
  space.visibleBy([](const VectorXd& a, const VectorXd& b) { return a[0] < b[0]; });
  EXPECT_TRUE(space.visible(vector({0.1, 0.5}), vector({0.9, 0.5})));
  EXPECT_FALSE(space.visible(vector({0.9, 0.1}), vector({0.1, 0.1})));
  EXPECT_THROW(FunctionSpace(vector({0}), vector({-1})), Error);
  EXPECT_THROW(FunctionSpace(vector({0}), vector({kInfinity})), Error);
  EXPECT_THROW(FunctionSpace(vector({0}), vector({1, 2})), Error);
  EXPECT_THROW(space.weights(vector({1, 0})), Error);
  EXPECT_THROW(space.resolution(0), Error);
  EXPECT_THROW(space.names({"x"}), Error);
  EXPECT_THROW(space.require("nothing", {}), Error);
}

std::shared_ptr<const WorldCollider> boxes() {
  World w;
  for (int i = 0; i < 3; ++i) w.objects.push_back(test::boxObject("box" + std::to_string(i), Vector3d(0.5 * i, 0, 0)));
  return std::make_shared<const WorldCollider>(std::make_shared<const World>(std::move(w)));
}

std::shared_ptr<PlanningSpace> planar(bool free = false) {
  ObjectSpaceOptions options;
  options.planar = !free;
  options.low = Vector3d(-1, -1, -1);
  options.high = Vector3d(2, 1, 1);
  return std::make_shared<ObjectSpace>(boxes(), 0, options);
}

TEST(ComposedSpace, AllPartsAndWhatTiesThemTogether) {
  ComposedSpaceOptions options;
  options.constraints.push_back(
      {"apart", [](const VectorXd& q) { return std::hypot(q[0] - q[2], q[1] - q[3]) > 0.2; }});
  ComposedSpace space({{"first", std::make_shared<FunctionSpace>(disc()), 1},
                       {"second", std::make_shared<FunctionSpace>(disc()), 2},
                       {"body", planar(), 0.5}},
                      options);
  ASSERT_EQ(space.dimension(), 7);
  EXPECT_EQ(space.coordinateName(3), "second.q[1]");
  EXPECT_EQ(space.coordinateName(6), "body.turn");
  EXPECT_FALSE(space.properties().at("straight").asBool());
  const VectorXd good = vector({0.1, 0.1, 0.9, 0.9, -0.5, 0.5, 0});
  int violated = -1;
  EXPECT_TRUE(space.feasible(good, &violated));
  const auto expectViolated = [&](VectorXd q, const std::string& name) {
    EXPECT_FALSE(space.feasible(q, &violated));
    EXPECT_EQ(space.constraints()[static_cast<std::size_t>(violated)], name);
    return space.explain(violated, q);
  };
  expectViolated(vector({0.5, 0.5, 0.9, 0.9, -0.5, 0.5, 0}), "first.disc");
  expectViolated(vector({0.1, 0.1, 0.5, 0.5, -0.5, 0.5, 0}), "second.disc");
  EXPECT_NE(expectViolated(vector({0.1, 0.1, 0.9, 0.9, 0.5, 0, 0}), "body.collision").find("box1"), std::string::npos);
  expectViolated(vector({0.1, 0.1, 0.1, 0.2, -0.5, 0.5, 0}), "apart");
  EXPECT_NEAR(space.distance(good, vector({0.2, 0.1, 0.9, 0.8, -0.5, 0.5, 0})), std::hypot(0.1, 0.2), 1e-12);
  // They pass each other on the way.
  EXPECT_FALSE(space.visible(vector({0.1, 0.1, 0.9, 0.1, -0.5, 0.5, 0}), vector({0.9, 0.1, 0.1, 0.1, -0.5, 0.5, 0})));
  EXPECT_TRUE(space.visible(vector({0.1, 0.1, 0.9, 0.1, -0.5, 0.5, 0}), vector({0.4, 0.1, 0.9, 0.4, -0.5, 0.5, 1})));
  test::expectMetric(space);
  test::expectSameInThreads(space);
  std::vector<VectorXd> path;
  space.refine(good, vector({0.2, 0.1, 0.9, 0.8, -0.5, 0.5, 1}), 0.1, path);
  EXPECT_GE(path.size(), 2U);

  const auto shared = std::make_shared<FunctionSpace>(disc());
  EXPECT_THROW(ComposedSpace({{"a", shared}, {"b", shared}}), Error);
  EXPECT_THROW(ComposedSpace({{"a", shared}, {"a", planar()}}), Error);
  EXPECT_THROW(ComposedSpace({{"a", shared, 0}}), Error);
  EXPECT_THROW(ComposedSpace({}), Error);
}

TEST(SubsetSpace, TheRestStays) {
  const auto full = std::make_shared<FunctionSpace>(vector({0, 0, 0}), vector({1, 2, 3}));
  full->require("below", [](const VectorXd& q) { return q[0] + q[1] + q[2] < 3; });
  SubsetSpace space(full, {2, 0}, vector({0.5, 1.5, 0.5}));
  ASSERT_EQ(space.dimension(), 2);
  EXPECT_EQ(space.coordinateName(0), "q[2]");
  VectorXd low, high, q;
  space.bounds(low, high);
  EXPECT_EQ(high, vector({3, 1}));
  space.lift(vector({0.7, 0.2}), q);
  EXPECT_EQ(q, vector({0.2, 1.5, 0.7}));
  EXPECT_TRUE(space.feasible(vector({0.7, 0.2})));
  EXPECT_FALSE(space.feasible(vector({1.4, 0.2})));
  EXPECT_TRUE(space.visible(vector({0.7, 0.2}), vector({0.9, 0.3})));
  test::expectMetric(space);
  test::expectSameInThreads(space);
  EXPECT_THROW(SubsetSpace(full, {3}, vector({0, 0, 0})), Error);
  EXPECT_THROW(SubsetSpace(full, {1, 1}, vector({0, 0, 0})), Error);
  EXPECT_THROW(SubsetSpace(full, {}, vector({0, 0, 0})), Error);
  EXPECT_THROW(SubsetSpace(full, {1}, vector({0, 0})), Error);
  // A rotation's numbers move together; positions may be taken alone.
  EXPECT_THROW(SubsetSpace(planar(true), {3, 4}, vector({0, 0, 0, 0, 0, 0.3})), Error);
  SubsetSpace positions(planar(true), {0, 2}, vector({0, 0, 0, 0.1, 0.2, 0.3}));
  EXPECT_EQ(positions.dimension(), 2);
}

TEST(Sampling, PairsAndReasons) {
  FunctionSpace space = disc();
  RandomStream random(5);
  VectorXd q;
  std::string reason;
  EXPECT_TRUE(sampleFeasible(space, random, 100, q, &reason));
  EXPECT_TRUE(space.feasible(q));
  const auto pairs = samplePairs(space, random, 20, {.minDistance = 0.4, .blockedOnly = true});
  ASSERT_EQ(pairs.size(), 20U);
  for (const auto& [a, b] : pairs) {
    EXPECT_TRUE(space.feasible(a) && space.feasible(b));
    EXPECT_GE(space.distance(a, b), 0.4);
    EXPECT_FALSE(space.visible(a, b));
  }
  RandomStream again(5);
  VectorXd same;
  sampleFeasible(space, again, 100, same);
  EXPECT_EQ(samplePairs(space, again, 1, {.minDistance = 0.4, .blockedOnly = true})[0].first, pairs[0].first);
  EXPECT_THROW(samplePairs(space, random, 1, {.minDistance = 9}), Error);
  space.require("never", [](const VectorXd&) { return false; });
  EXPECT_FALSE(sampleFeasible(space, random, 50, q, &reason));
  EXPECT_NE(reason.find("none of 50"), std::string::npos) << reason;
  EXPECT_NE(reason.find("failed 'never'"), std::string::npos) << reason;
}

}  // namespace
}  // namespace mortise
