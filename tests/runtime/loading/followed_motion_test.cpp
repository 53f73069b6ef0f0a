#include "mortise/loading/followed_motion.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "mortise/component/resource.h"
#include "mortise/loading/format_loader.h"
#include "mortise/model/robot_state.h"
#include "tests/support/folder_test.h"
#include "tests/support/plugins.h"

namespace mortise::test {
namespace {

const Vector3d kHeld(1.5, 0.5, 0);

/// Three links of 1 m in a plane.
RobotPtr planarArm() {
  RobotDescription description;
  description.name = "arm";
  for (int i = 0; i < 3; ++i) {
    Link link;
    link.name = "l" + std::to_string(i);
    link.parent = i - 1;
    link.axis = Vector3d::UnitZ();
    if (i > 0) link.X_PL0.p = Vector3d::UnitX();
    description.links.push_back(link);
    description.joints.push_back({JointType::normal, i, -1});
  }
  return Robot::compile(description);
}

/// The configuration whose tip is at `kHeld` with the last link turned by `angle`, elbow down: a closed form.
VectorXd reaching(double angle) {
  const double x = kHeld.x() - std::cos(angle), y = kHeld.y() - std::sin(angle);
  const double elbow = std::acos((x * x + y * y - 2) / 2);
  const double shoulder = std::atan2(y, x) - elbow / 2;
  return Vector3d(shoulder, elbow, angle - shoulder - elbow);
}

Vector3d tipOf(const Robot& robot, const VectorXd& q) {
  RobotState state(robot);
  state.q = q;
  updateFrames(robot, state);
  return state.X_WL[2] * Vector3d::UnitX();
}

IKGoal tipGoal() {
  IKGoal goal;
  goal.link = 2;
  goal.position = IKGoal::Position::point;
  goal.p_LP = Vector3d::UnitX();
  goal.p_DP = kHeld;
  return goal;
}

class FollowedMotion : public FolderTest {
 protected:
  /// A section that goes there, one on which the tip stays where it is, and one that goes on.
  static MultiPath walk(bool held) {
    MultiPath path;
    path.sections.resize(3);
    path.sections[0].milestones = {Vector3d(0, 0, 0), reaching(-0.5)};
    path.sections[0].times = {0, 2};
    path.sections[1].milestones = {reaching(-0.5), reaching(0.3), reaching(1)};
    path.sections[1].times = {2, 3, 5};
    if (held) path.sections[1].goals = {tipGoal()};
    path.sections[2].milestones = {reaching(1), Vector3d(0.1, 0.2, 0.3)};
    path.sections[2].times = {5, 6};
    return path;
  }
  std::string written(const MultiPath& motion) {
    const std::string file = path("walk.xml");
    Diagnostics unused;
    loader.write(motion, file, unused);
    return file;
  }
  std::string said() const {
    std::string text;
    for (const Diagnostic& each : diagnostics.all()) text += each.format() + "\n";
    return text;
  }
  /// The most that the tip is off along straight lines between configurations, from time 2 to 5.
  double farthest(const Trajectory& motion) const {
    double most = 0;
    VectorXd q(3), dq(3);
    for (int i = 0; i <= 3000; ++i) {
      motion.evaluate(2 + 0.001 * i, q, dq);
      most = std::max(most, (tipOf(*arm, q) - kHeld).norm());
    }
    return most;
  }

  MemoryLog log;
  std::unique_ptr<Registry> registry = makeRegistry(log);
  FormatLoader loader{*registry, log};
  Diagnostics diagnostics;
  RobotPtr arm = planarArm();
};

TEST_F(FollowedMotion, KeepsGoalsBetweenMilestones) {
  const std::string file = written(walk(true));
  // Without the robot the milestones are all there is, and straight lines between them leave the goal.
  const Trajectory straight = followedMotion(loader, file, {}, nullptr, diagnostics);
  EXPECT_GT(farthest(straight), 0.02);
  EXPECT_NE(said().find("goals and holds of the path are lost"), std::string::npos);
  diagnostics = {};
  const Trajectory kept = followedMotion(loader, file, {}, arm, diagnostics);
  EXPECT_EQ(said().find("goals"), std::string::npos) << said();
  EXPECT_LT(farthest(kept), 1.5 * kFollowedResolution);
  EXPECT_GT(kept.times.size(), straight.times.size() + 10);
  // Milestones keep their times, and times never fall.
  for (std::size_t i = 0; i < straight.times.size(); ++i) {
    VectorXd q(3), dq(3);
    kept.evaluate(straight.times[i], q, dq);
    EXPECT_LT((q - straight.configurations[i]).norm(), 1e-3) << straight.times[i];
  }
  EXPECT_TRUE(std::is_sorted(kept.times.begin(), kept.times.end()));
}

TEST_F(FollowedMotion, LeavesOtherSectionsAsTheyAre) {
  const Trajectory kept = followedMotion(loader, written(walk(true)), {}, arm, diagnostics);
  VectorXd q(3), dq(3);
  kept.evaluate(1, q, dq);
  EXPECT_TRUE(q.isApprox(0.5 * reaching(-0.5), 1e-9)) << "a straight line halfway";
  EXPECT_EQ(kept.times[0], 0);
  EXPECT_EQ(kept.times[1], 2);
  // Without goals nothing is added, bit by bit.
  diagnostics = {};
  const std::string plain = written(walk(false));
  const Trajectory with = followedMotion(loader, plain, {}, arm, diagnostics);
  const auto without = loader.load<Trajectory>(plain, {}, diagnostics);
  EXPECT_EQ(with.times, without.times);
  EXPECT_EQ(with.configurations, without.configurations);
}

TEST_F(FollowedMotion, TakesFinePathsAsTheyAre) {
  MultiPath fine = walk(true);
  fine.settings = {{"resolution", "0.0005"}};
  const Trajectory kept = followedMotion(loader, written(fine), {}, arm, diagnostics);
  EXPECT_EQ(kept.times, (std::vector<double>{0, 2, 3, 5, 6}));
  EXPECT_EQ(said().find("goals"), std::string::npos) << said();
  fine.settings = {{"resolution", "0.1"}};
  EXPECT_GT(followedMotion(loader, written(fine), {}, arm, diagnostics).times.size(), 15u);
}

TEST_F(FollowedMotion, GivesPathsWithoutTimesKlamptsOwn) {
  MultiPath untimed = walk(true);
  for (MultiPath::Section& section : untimed.sections) section.times.clear();
  const Trajectory kept = followedMotion(loader, written(untimed), {}, arm, diagnostics);
  VectorXd q(3), dq(3);
  EXPECT_EQ(kept.endTime(), 1);
  for (const auto& [time, angle] : {std::pair(1.0 / 3, -0.5), {0.5, 0.3}, {2.0 / 3, 1.0}}) {
    kept.evaluate(time, q, dq);
    EXPECT_LT((q - reaching(angle)).norm(), 1e-3) << time;
  }
}

TEST_F(FollowedMotion, SaysWhatCannotBeKept) {
  MultiPath far = walk(true);
  far.sections[1].goals[0].p_DP = Vector3d(5, 0, 0);
  const Trajectory straight = followedMotion(loader, written(far), {}, arm, diagnostics);
  EXPECT_EQ(straight.times, (std::vector<double>{0, 2, 3, 5, 6}));
  EXPECT_NE(said().find("cannot be kept between its milestones"), std::string::npos) << said();
}

}  // namespace
}  // namespace mortise::test
