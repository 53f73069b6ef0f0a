#include "mortise/planning/blockage.h"

#include <gtest/gtest.h>

#include "mortise/planning/goals/goals.h"
#include "tests/toolbox/planning/plane_space.h"

namespace mortise {
namespace {

TEST(Blockage, NamesWhatLiesOnTheStraightWay) {
  test::PlaneSpace space(1);
  ConfigurationGoal goal(space, {vector({4, 0})}, 0);
  const Blockage blockage = whatBlocks(space, vector({-4, 0}), goal);
  ASSERT_EQ(blockage.straight.size(), 1u);
  EXPECT_NE(blockage.straight[0].what.find("disk"), std::string::npos) << blockage.straight[0].what;
  EXPECT_NEAR(blockage.straight[0].fraction, 0.25, 0.03) << "2 m of 8";
  EXPECT_TRUE(blockage.goalKnown);
  EXPECT_LT(blockage.freeAtStart, 0.8) << "half of the moves lead out of the bounds";
  const std::string text = blockageText(blockage);
  EXPECT_NE(text.find("on the straight way to the goal"), std::string::npos) << text;
  // The same each time.
  ConfigurationGoal again(space, {vector({4, 0})}, 0);
  EXPECT_EQ(blockageText(whatBlocks(space, vector({-4, 0}), again)), text);

  ConfigurationGoal free(space, {vector({2, 3})}, 0);
  const Blockage none = whatBlocks(space, vector({-2, 3}), free);
  EXPECT_TRUE(none.straight.empty());
  EXPECT_EQ(none.freeAtStart, 1);
  EXPECT_EQ(blockageText(none), "");
}

TEST(Blockage, NarrowEndsAreSaid) {
  Blockage blockage;
  blockage.freeAtGoal = 0.02;
  blockage.goalKnown = true;
  blockage.radius = 0.1;
  EXPECT_EQ(blockageText(blockage), "only 2 % of the moves of 0.1 away from the goal are free");
}

TEST(Blockage, TellsWhatPlannersBuilt) {
  Value trees = Value::map();
  for (const auto& [key, number] : {std::pair{"nodes", 7}, {"startTree", 4}, {"goalTree", 3}, {"goals", 1}})
    trees.set(key, number);
  EXPECT_EQ(builtText(trees), "7 nodes, 4 of the start's tree and 3 of the goal's, 1 goal");
  Value states = Value::map();
  states.set("states", 12);
  states.set("goals", 2);
  EXPECT_EQ(builtText(states), "12 nodes, 2 goals");
  EXPECT_EQ(builtText(Value()), "");
}

}  // namespace
}  // namespace mortise
