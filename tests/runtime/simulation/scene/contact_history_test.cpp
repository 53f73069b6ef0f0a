#include "mortise/simulation/scene/contact_history.h"

#include <gtest/gtest.h>

namespace mortise {
namespace {

ContactForce contact(int a, int b, const Vector3d& point, const Vector3d& force) {
  ContactForce c;
  c.idA = a;
  c.idB = b;
  c.point = point;
  c.force = force;
  return c;
}

using Crossings = std::vector<std::pair<int, int>>;

TEST(ContactHistory, KnowsNothingBeforeTheFirstStep) {
  ContactHistory history;
  history.begin();
  const ContactSummary summary = history.summary({0, 1}, {1, 1});
  EXPECT_FALSE(summary.inContact || summary.hadContact || summary.hadSeparation || summary.hadPenetration);
  EXPECT_TRUE(summary.force.isZero(0) && summary.meanForce.isZero(0));
}

TEST(ContactHistory, AveragesForcesOverTheStepAndOverTheCall) {
  ContactHistory history;
  history.begin();
  const Vector3d point(1, 0, 0);
  // A step of two parts, then one whole step without contact.
  history.beginStep();
  history.add(std::vector{contact(0, 1, point, Vector3d(0, 0, 4)), contact(0, 1, -point, Vector3d(0, 0, 2))}, {}, 0.25);
  history.add(std::vector{contact(0, 1, point, Vector3d(0, 0, 2))}, {}, 0.75);
  ContactSummary summary = history.summary({0, 1}, {1, 1});
  EXPECT_TRUE(summary.inContact);
  EXPECT_FALSE(summary.hadSeparation);
  EXPECT_EQ(summary.count, 1);
  EXPECT_NEAR(summary.force.z(), 0.25 * 6 + 0.75 * 2, 1e-15);
  EXPECT_NEAR(summary.torque.y(), -(0.25 * 2 + 0.75 * 2), 1e-15);
  // What acts on the second is the opposite.
  EXPECT_EQ(history.summary({1, 1}, {0, 1}).force, Vector3d(-summary.force));
  history.beginStep();
  history.add({}, {}, 1);
  summary = history.summary({0, 1}, {1, 1});
  EXPECT_FALSE(summary.inContact);
  EXPECT_TRUE(summary.hadContact);
  EXPECT_TRUE(summary.hadSeparation);
  EXPECT_EQ(summary.count, 0);
  EXPECT_TRUE(summary.force.isZero(0));
  EXPECT_NEAR(summary.meanForce.z(), 1.5, 1e-15);
  history.begin();
  EXPECT_FALSE(history.summary({0, 1}, {1, 1}).hadContact) << "a new call has its own history";
}

TEST(ContactHistory, SumsOverRobotsAndLeavesTheirInnerContactsOut) {
  ContactHistory history;
  history.begin();
  history.beginStep();
  // Ids 2..4 are a robot; 3 presses on terrain 0, 4 on object 1, and 3 on 4.
  history.add(std::vector{contact(0, 3, Vector3d::Zero(), Vector3d(0, 0, -5)),
                          contact(1, 4, Vector3d::Zero(), Vector3d(7, 0, 0)),
                          contact(3, 4, Vector3d::Zero(), Vector3d(0, 100, 0))},
              Crossings{{1, 4}}, 0.001);
  const ContactSummary all = history.summary({2, 3}, {});
  EXPECT_EQ(all.force, Vector3d(-7, 0, 5));
  EXPECT_EQ(all.count, 2);
  EXPECT_TRUE(all.hadPenetration);
  EXPECT_EQ(history.summary({2, 3}, {0, 1}).force, Vector3d(0, 0, 5));
  EXPECT_FALSE(history.summary({2, 3}, {0, 1}).hadPenetration);
  EXPECT_EQ(history.summary({3, 1}, {4, 1}).force, Vector3d(0, 100, 0));
  EXPECT_EQ(history.summary({3, 1}, {}).force, Vector3d(0, 100, 5));
}

}  // namespace
}  // namespace mortise
