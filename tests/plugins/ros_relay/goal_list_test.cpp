#include "ros/relay/goal_list.h"

#include <gtest/gtest.h>

#include "mortise/base/bytes.h"

namespace mortise::ros::test {

namespace {

GoalID goalId(double stamp, const std::string& id) { return {timeFrom(stamp), id}; }

std::vector<GoalStatus> listed(const GoalList& goals) {
  std::vector<GoalStatus> list;
  goals.fill(list);
  return list;
}

TEST(GoalList, AGoalThatIsListedIsNoNewOne) {
  GoalList goals("arm");
  ASSERT_NE(goals.add(goalId(1, "a"), 1), nullptr);
  EXPECT_EQ(goals.add(goalId(1, "a"), 1), nullptr);
  EXPECT_EQ(listed(goals).size(), 1u);
  EXPECT_EQ(listed(goals)[0].status, GoalStatus::pending);
}

TEST(GoalList, AGoalWithoutIdAndStampGetsThem) {
  GoalList goals("arm");
  const std::string first = goals.add({}, 2.5)->goal_id.id;
  const GoalStatus second = *goals.add({}, 2.5);
  EXPECT_EQ(first, "arm-1-2.500000000");
  EXPECT_NE(second.goal_id.id, first);
  EXPECT_EQ(second.goal_id.stamp, timeFrom(2.5));
}

TEST(GoalList, ACancellationMeansOneGoalThoseOfAStampAndBeforeOrAll) {
  const auto canceled = [](const GoalID& request) {
    GoalList goals("arm");
    goals.add(goalId(1, "a"), 5);
    goals.add(goalId(2, "b"), 5);
    goals.add(goalId(3, "c"), 5);
    goals.set("a", GoalStatus::succeeded, "", 5);
    return goals.cancel(request, 6);
  };
  using Ids = std::vector<std::string>;
  EXPECT_EQ(canceled({}), (Ids{"b", "c"})) << "what has ended cannot be canceled";
  EXPECT_EQ(canceled(goalId(0, "c")), Ids{"c"});
  EXPECT_EQ(canceled(goalId(2, "")), Ids{"b"});
  EXPECT_EQ(canceled(goalId(2, "c")), (Ids{"b", "c"}));
  EXPECT_EQ(canceled(goalId(0, "x")), Ids{});
}

TEST(GoalList, AGoalWhoseCancellationCameFirstIsRecalled) {
  GoalList goals("arm");
  goals.cancel(goalId(0, "late"), 1);
  EXPECT_EQ(goals.add(goalId(0.5, "late"), 1.1)->status, GoalStatus::recalled);
  goals.cancel(goalId(3, ""), 2);
  EXPECT_EQ(goals.add(goalId(2.5, "before"), 2.1)->status, GoalStatus::recalled);
  EXPECT_EQ(goals.add(goalId(3.5, "after"), 2.1)->status, GoalStatus::pending);
  EXPECT_EQ(goals.add(goalId(0, "unstamped"), 2.1)->status, GoalStatus::pending);
}

TEST(GoalList, WhatHasEndedIsListedForFiveSecondsAndGoalsUntilTheyEnd) {
  GoalList goals("arm");
  goals.add(goalId(1, "done"), 1);
  goals.add(goalId(1, "going"), 1);
  goals.set("done", GoalStatus::aborted, "why", 2);
  goals.set("going", GoalStatus::active, "", 2);
  goals.forgetOld(6.9);
  ASSERT_EQ(listed(goals).size(), 2u);
  EXPECT_EQ(listed(goals)[0].text, "why");
  goals.forgetOld(7.1);
  ASSERT_EQ(listed(goals).size(), 1u);
  EXPECT_EQ(listed(goals)[0].goal_id.id, "going");
  EXPECT_EQ(goals.statusOf("done").status, GoalStatus::lost);
}

TEST(GoalList, AFloodOfGoalsIsBoundedAndKeepsTheOneThatIsFollowed) {
  GoalList goals("arm");
  goals.add(goalId(1, "followed"), 1);
  goals.set("followed", GoalStatus::active, "", 1);
  for (int i = 0; i < 5000; ++i) {
    const std::string id = "flood" + std::to_string(i);
    goals.cancel(goalId(0, "canceled" + id), 1);
    goals.add(goalId(1, id), 1);
    goals.set(id, GoalStatus::rejected, "", 1);
  }
  EXPECT_LE(listed(goals).size(), 1001u);
  EXPECT_EQ(goals.statusOf("followed").status, GoalStatus::active);
  EXPECT_EQ(goals.statusOf("flood4999").status, GoalStatus::rejected);
}

TEST(GoalList, WhatIsSavedIsRestored) {
  GoalList goals("arm");
  EXPECT_TRUE(goals.blank());
  goals.add({}, 1);
  goals.cancel(goalId(4, "soon"), 2);
  EXPECT_FALSE(goals.blank());
  ByteWriter out, again;
  goals.save(out);
  GoalList copy("arm");
  ByteReader in(out.bytes());
  copy.restore(in);
  EXPECT_TRUE(in.atEnd());
  copy.save(again);
  EXPECT_EQ(again.bytes(), out.bytes());
  EXPECT_EQ(copy.add(goalId(3, "soon"), 3)->status, GoalStatus::recalled);
  copy.clear();
  EXPECT_TRUE(copy.blank());
}

}  // namespace

}  // namespace mortise::ros::test
