#include "mortise/planning/goals/goal_sets.h"

#include <cmath>
#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/model/robot.h"
#include "mortise/planning/goals/goals.h"
#include "mortise/planning/spaces/function_space.h"
#include "tests/support/vector.h"

namespace mortise {
namespace {

FunctionSpace square() {
  FunctionSpace space(vector({0, 0, 0}), vector({1, 1, 1}));
  space.require("left", [](const VectorXd& q) { return q[0] < 0.9; });
  return space;
}

TEST(BoxGoal, RangesOfCoordinates) {
  FunctionSpace space = square();
  BoxGoal goal(space, vector({0.8, -kInfinity, 0.5}), vector({2, kInfinity, 0.5}));
  EXPECT_TRUE(goal.contains(vector({0.8, 0.3, 0.5})));
  EXPECT_FALSE(goal.contains(vector({0.7, 0.3, 0.5})));
  EXPECT_FALSE(goal.contains(vector({0.8, 0.3, 0.6})));
  EXPECT_NEAR(goal.distance(vector({0.5, 0.3, 0.9})), 0.5, 1e-12);
  EXPECT_EQ(goal.distance(vector({0.9, 0.3, 0.5})), 0);
  RandomStream random(2);
  VectorXd q;
  double low = 1, high = 0;
  for (int i = 0; i < 200; ++i) {
    ASSERT_TRUE(goal.sample(random, q));
    EXPECT_TRUE(goal.contains(q));
    EXPECT_TRUE(space.feasible(q));
    low = std::min(low, q[1]);
    high = std::max(high, q[1]);
  }
  EXPECT_LT(low, 0.1);
  EXPECT_GT(high, 0.9);
  EXPECT_NE(goal.explain().find("failed 'left'"), std::string::npos) << goal.explain();
  const std::unique_ptr<PlanningGoal> copy = goal.copy();
  EXPECT_TRUE(copy->sample(random, q));
  EXPECT_TRUE(goal.contains(q));
  EXPECT_EQ(goal.count(), -1);

  EXPECT_THROW(BoxGoal(space, vector({0, 0}), vector({1, 1})), Error);
  EXPECT_THROW(BoxGoal(space, vector({0.5, 0, 0}), vector({0.4, 1, 1})), Error);
  EXPECT_THROW(BoxGoal(space, vector({2, 0, 0}), vector({3, 1, 1})), Error);
  EXPECT_THROW(BoxGoal(space, vector({0, 0, 0}), vector({NAN, 1, 1})), Error);
}

TEST(Goals, CopiesOutliveTheirSpace) {
  std::vector<std::unique_ptr<PlanningGoal>> copies;
  {
    FunctionSpace space = square();
    copies.push_back(ConfigurationGoal(space, {vector({0.1, 0.1, 0.1})}).copy());
    copies.push_back(RegionGoal(space, {"low", [](const VectorXd& q) { return q[2] < 0.5; }}).copy());
    copies.push_back(BoxGoal(space, vector({0, 0, 0}), vector({1, 1, 0.5})).copy());
  }
  RandomStream random(1);
  for (const auto& goal : copies) {
    VectorXd q;
    ASSERT_TRUE(goal->sample(random, q));
    EXPECT_TRUE(goal->contains(q));
    EXPECT_GT(goal->distance(vector({0.1, 0.1, 0.9})), 0);
  }
}

TEST(UnionGoal, AnyWillDo) {
  FunctionSpace space = square();
  std::vector<std::unique_ptr<PlanningGoal>> goals;
  goals.push_back(std::make_unique<ConfigurationGoal>(
      space, std::vector<VectorXd>{vector({0.1, 0.1, 0.1}), vector({0.2, 0.2, 0.2})}));
  goals.push_back(std::make_unique<ConfigurationGoal>(space, std::vector<VectorXd>{vector({0.8, 0.8, 0.8})}));
  UnionGoal goal(std::move(goals));
  EXPECT_EQ(goal.count(), 3);
  EXPECT_TRUE(goal.contains(vector({0.8, 0.8, 0.8})));
  EXPECT_FALSE(goal.contains(vector({0.8, 0.8, 0.1})));
  EXPECT_NEAR(goal.distance(vector({0.8, 0.8, 0.7})), 0.1, 1e-6);
  RandomStream random(1);
  VectorXd q;
  std::vector<double> first;
  while (goal.sample(random, q)) first.push_back(q[0]);
  EXPECT_EQ(first, (std::vector<double>{0.1, 0.8, 0.2}));
  const std::unique_ptr<PlanningGoal> copy = goal.copy();
  EXPECT_TRUE(copy->sample(random, q));

  goals.clear();
  goals.push_back(std::make_unique<BoxGoal>(space, vector({0, 0, 0}), vector({1, 1, 1})));
  goals.push_back(copy->copy());
  EXPECT_EQ(UnionGoal(std::move(goals)).count(), -1);
  EXPECT_THROW(UnionGoal({}), Error);
}

}  // namespace
}  // namespace mortise
