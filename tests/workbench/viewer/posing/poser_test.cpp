// Posing: what pages ask for, undone and done again, and what is saved.

#include "mortise/viewer/posing/poser.h"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/base/random.h"
#include "mortise/base/value_text.h"
#include "mortise/loading/assemble_world.h"
#include "mortise/model/robot_state.h"
#include "mortise/viewer/posing/path_edit.h"
#include "mortise/viewer/posing/pose_session.h"
#include "mortise/viewer/posing/resource_folder.h"
#include "tests/support/page_messages.h"
#include "tests/support/plugins.h"

namespace mortise::viewer {
namespace {

namespace fs = std::filesystem;

class PoserTest : public testing::Test {
 protected:
  void SetUp() override {
    folder = (fs::temp_directory_path() / "mortise_poser_XXXXXX").string();
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
  }
  void TearDown() override { fs::remove_all(folder); }
  std::shared_ptr<const World> load(const std::string& file) {
    Diagnostics diagnostics;
    auto world = std::make_shared<World>(assembleWorld(loader, {MORTISE_SOURCE_DIR "/data/" + file}, diagnostics));
    diagnostics.throwIfErrors();
    return world;
  }
  static Value ask(PoseSession& session, const std::string& yaml) { return test::askSession(session, yaml); }

  test::MemoryLog log;
  std::unique_ptr<Registry> registry = test::makeRegistry(log);
  FormatLoader loader{*registry, log};
  std::string folder;
};

bool within(const Robot& robot, const VectorXd& q) {
  for (int l = 0; l < robot.numLinks(); ++l)
    if (q[l] < robot.link(l).qMin - 1e-12 || q[l] > robot.link(l).qMax + 1e-12) return false;
  return q.allFinite();
}

TEST_F(PoserTest, DragsLinksWithinLimitsAndNeverLosesThem) {
  Poser poser(load("worlds/blocks.xml"));
  const Robot& robot = *poser.world().robots[0].robot;
  RandomStream random(1, "drags");
  int solved = 0;
  for (int i = 0; i < 300; ++i) {
    const int link = robot.numLinks() - 1 - i % 3;
    const Vector3d target(random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-1, 2));
    const Poser::Outcome outcome = poser.drag(0, link, Vector3d(0.01, 0, 0.02), target, false);
    ASSERT_TRUE(within(robot, poser.document().q[0])) << i;
    if (!outcome.solved) continue;
    ++solved;
    ASSERT_LT((poser.linkPose(0, link) * Vector3d(0.01, 0, 0.02) - target).norm(), 1e-4);
  }
  EXPECT_GT(solved, 3);
  EXPECT_THROW(poser.drag(0, 99, Vector3d::Zero(), Vector3d::Zero(), false), Error);
  EXPECT_THROW(poser.drag(0, 1, Vector3d::Zero(), Vector3d(0, 0, NAN), false), Error);
}

TEST_F(PoserTest, ReachesWhatCanBeReachedAndThePinnedLinkStays) {
  Poser poser(load("worlds/blocks.xml"));
  const int hand = poser.world().robots[0].robot->numLinks() - 1;
  const Vector3d start = poser.linkPose(0, hand).p, target = start + Vector3d(0.03, 0.02, 0.05);
  const Poser::Outcome outcome = poser.drag(0, hand, Vector3d::Zero(), target, false);
  EXPECT_TRUE(outcome.solved);
  EXPECT_LT((poser.linkPose(0, hand).p - target).norm(), 1e-4);
  IKGoal goal;
  goal.link = hand;
  goal.position = IKGoal::Position::point;
  goal.p_DP = target;
  poser.pin({0, goal});
  for (int d = 0; d < 2; ++d) {
    const VectorXd q = poser.document().q[0];
    const Poser::Outcome kept = poser.setDriver(0, d, driverValue(*poser.world().robots[0].robot, d, q) + 0.05);
    if (kept.solved) {
      EXPECT_LT((poser.linkPose(0, hand).p - target).norm(), 1e-4);
    }
  }
}

TEST_F(PoserTest, DragsReachWhatOtherConfigurationsReach) {
  Poser poser(load("worlds/blocks.xml"));
  const Robot& robot = *poser.world().robots[0].robot;
  const Vector3d point(0.01, 0, 0.02);
  RandomStream random(4, "reachable");
  RobotState other(robot);
  int missed = 0;
  for (int i = 0; i < 300; ++i) {
    const int link = robot.numLinks() - 1 - i % 3;
    for (int l = 0; l < robot.numLinks(); ++l) other.q[l] = random.uniform(robot.link(l).qMin, robot.link(l).qMax);
    updateFrames(robot, other);
    const Vector3d target = other.X_WL[static_cast<std::size_t>(link)] * point;
    const Poser::Outcome outcome = poser.drag(0, link, point, target, false);
    ASSERT_TRUE(within(robot, poser.document().q[0])) << i;
    if (!outcome.solved) ++missed;
    if (outcome.solved) {
      ASSERT_LT((poser.linkPose(0, link) * point - target).norm(), 1e-4);
    }
  }
  EXPECT_LE(missed, 3);
}

TEST_F(PoserTest, ALinkWhosePoseIsHeldTakesItsGoalWithIt) {
  Poser poser(load("worlds/blocks.xml"));
  const int link = poser.world().robots[0].robot->numLinks() - 1;
  const RigidTransform start = poser.linkPose(0, link);
  poser.pin({0, poseGoal(link, start)});
  const Vector3d point(0.02, 0, 0.03), target = start * point + Vector3d(0.02, 0.03, 0.05);
  EXPECT_TRUE(poser.drag(0, link, point, target, false).solved);
  const RigidTransform now = poser.linkPose(0, link);
  EXPECT_LT((now * point - target).norm(), 1e-4);
  EXPECT_LT((now.R - start.R).norm(), 1e-4) << "it keeps its rotation";
  EXPECT_EQ(poser.document().goals.size(), 1u);
  EXPECT_TRUE(poser.solve(0).solved);
  EXPECT_LT((poser.linkPose(0, link) * point - target).norm(), 1e-4) << "the goal is where the link was dragged";
}

TEST_F(PoserTest, TwoHundredEditsUndoneAndDoneAgainGiveTheSameFiles) {
  const auto world = load("worlds/blocks.xml");
  ResourceFolder first(folder + "/a", loader), second(folder + "/b", loader), empty(folder + "/c", loader);
  PoseSession session(world, {}, {});
  session.join(1);
  RandomStream random(2, "edits");
  const auto number = [&] { return std::to_string(random.uniform(-1, 1)); };
  for (int i = 0; i < 200; ++i) {
    const std::string i4 = std::to_string(i % 4);
    const char* kinds[] = {"configuration", "configurations", "trajectory", "transform"};
    const std::string texts[] = {
        "{type: driver, robot: 0, driver: " + i4 + ", value: " + number() + "}",
        std::string("{type: store, robot: 0, link: 2, kind: ") + kinds[i / 5 % 4] + "}",
        "{type: drag, robot: 0, link: 4, point: [0, 0, 0], target: [" + number() + ", " + number() + ", 0.5]}",
        "{type: milestone, resource: 1, robot: 0, action: insert, at: 1}",
        "{type: place, object: 1, T: [1, 0, 0, 0, 1, 0, 0, 0, 1, " + number() + ", 0, 1]}"};
    ask(session, texts[i % 5]);
  }
  const PoseDocument end = session.poser().document();
  first.write(session.library());
  const std::size_t steps = session.poser().undoCount();
  EXPECT_GE(steps, 190u);
  while (session.poser().undoCount() > 0) ask(session, "{type: undo}");
  EXPECT_TRUE(session.poser().document().resources.empty());
  EXPECT_EQ(session.poser().document().q[0], world->robots[0].q);
  while (session.poser().redoCount() > 0) ask(session, "{type: redo}");
  EXPECT_EQ(session.poser().undoCount(), steps);
  EXPECT_EQ(session.poser().document().q[0], end.q[0]);
  second.write(session.library());
  int files = 0;
  for (const auto& entry : fs::directory_iterator(folder + "/a")) {
    ++files;
    EXPECT_EQ(readFile(entry.path()), readFile(folder + "/b/" + entry.path().filename().string()));
  }
  EXPECT_EQ(files, 40);
}

TEST_F(PoserTest, EveryKindIsKeptSavedAndReadAgain) {
  const auto world = load("worlds/humanoid_beam.xml");
  ResourceFolder place(folder + "/kinds", loader);
  PoseSession session(world, {}, {});
  session.join(1);
  // Down to the ground.
  for (const char* kind : {"configuration", "configurations", "trajectory"})
    EXPECT_FALSE(ask(session, std::string("{type: store, robot: 0, kind: ") + kind + "}").contains("problem"));
  ask(session, "{type: pin, robot: 0, link: 10}");
  for (const char* kind : {"ik_goal", "transform"})
    EXPECT_FALSE(
        ask(session, std::string("{type: store, robot: 0, link: 10, kind: ") + kind + "}").contains("problem"));
  Hold hold;
  hold.link = 10;
  hold.contacts = {{Vector3d(0, 0, 0), Vector3d::UnitZ(), 0.5}, {Vector3d(0.1, 0, 0), Vector3d::UnitZ(), 0.5}};
  hold.goal = poseGoal(10, session.poser().linkPose(0, 10));
  session.poser().add({"hold", "", hold});
  session.poser().add({"stance", "", Stance{{hold}}});
  ask(session, "{type: milestone, resource: 1, robot: 0, action: insert, at: 1}");
  for (const char* kind : {"multipath", "trajectory"})
    EXPECT_FALSE(ask(session, std::string("{type: convert, resource: 1, to: ") + kind + "}").contains("problem"));
  const ResourceLibrary kept = session.library();
  place.write(kept);
  Diagnostics diagnostics;
  ResourceFolder again(folder + "/kinds", loader);
  const ResourceLibrary read = again.read(diagnostics);
  diagnostics.throwIfErrors();
  ASSERT_EQ(read.items.size(), kept.items.size());
  for (const ResourceItem& item : kept.items) {
    const auto same = std::find_if(read.items.begin(), read.items.end(),
                                   [&](const ResourceItem& other) { return other.name == item.name; });
    ASSERT_NE(same, read.items.end()) << item.name;
    EXPECT_EQ(contentOf(same->value), contentOf(item.value)) << item.name;
    if (const auto* q = std::get_if<VectorXd>(&item.value)) {
      EXPECT_EQ(std::get<VectorXd>(same->value), *q);
    }
    if (const auto* path = std::get_if<Trajectory>(&item.value)) {
      EXPECT_EQ(std::get<Trajectory>(same->value).configurations, path->configurations);
      EXPECT_EQ(std::get<Trajectory>(same->value).times, path->times);
    }
    if (const auto* goal = std::get_if<IKGoal>(&item.value)) {
      EXPECT_LT((std::get<IKGoal>(same->value).rotationVector_DL - goal->rotationVector_DL).norm(), 1e-9);
    }
    if (const auto* stance = std::get_if<Stance>(&item.value)) {
      EXPECT_EQ(std::get<Stance>(same->value).holds[0].contacts, stance->holds[0].contacts);
    }
  }
  // What is deleted is gone from the folder.
  ask(session, "{type: erase, resource: 0}");
  place.write(session.library());
  EXPECT_FALSE(fs::exists(folder + "/kinds/configuration.config"));
  EXPECT_TRUE(fs::exists(folder + "/kinds/configurations.configs"));
}

TEST_F(PoserTest, GesturesAreOneStepAndNonsenseChangesNothing) {
  PoseSession session(load("worlds/blocks.xml"), {}, {});
  session.join(1);
  for (int i = 0; i < 20; ++i)
    ask(session, "{type: driver, gesture: 5, robot: 0, driver: 0, value: " + std::to_string(0.01 * i) + "}");
  EXPECT_EQ(session.poser().undoCount(), 1u);
  const VectorXd q = session.poser().document().q[0];
  for (const char* text :
       {"{type: fly}", "{type: driver, robot: 7, driver: 0, value: 0}",
        "{type: driver, robot: 0, driver: -1, value: 0}", "{type: driver, robot: 0, driver: 0, value: .nan}",
        "{type: place, object: 0, T: [1, 2]}", "{type: place, object: 0, T: [1, 0, 0, 0, 1, 0, 0, 0, 1, 1e308, 0, 0]}",
        "{type: drag, robot: 0, link: 3, point: [0, 0, 0], target: [0, 1e300, 0]}",
        "{type: drag, robot: 0, link: 3, hold: true, point: [1e300, 0, 0], target: [0, 0, 0]}",
        "{type: configuration, robot: 0, q: [1e308, 0, 0, 0, 0, 0]}", "{type: link, robot: 0, link: 0, value: -1e300}",
        "{type: place, object: 0, T: [9, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]}", "{type: load, resource: 3}",
        "{type: store, kind: poem}", "{type: configuration, q: [1]}", "{type: save}", "{type: check, resource: 0}",
        "{type: pin, robot: 0, link: 1000}", "{type: balance, robot: -3}"})
    EXPECT_TRUE(ask(session, text).contains("problem")) << text;
  EXPECT_EQ(session.poser().document().q[0], q);
  EXPECT_THROW(test::pageMessage("[1]"), Error);
}

TEST(PathEdit, KeepsTimesInOrder) {
  Trajectory path;
  for (int i = 0; i < 4; ++i) {
    path.times.push_back(2.0 * i);
    path.configurations.push_back(VectorXd::Constant(2, i));
  }
  const VectorXd q = VectorXd::Constant(2, 9);
  EXPECT_EQ(std::get<Trajectory>(withMilestone(path, 2, q)).times, (std::vector<double>{0, 2, 3, 4, 6}));
  EXPECT_EQ(std::get<Trajectory>(withMilestone(path, 4, q)).times, (std::vector<double>{0, 2, 4, 6, 7}));
  EXPECT_EQ(std::get<Trajectory>(withMilestone(path, 0, q)).times, (std::vector<double>{0, 1, 3, 5, 7}));
  EXPECT_EQ(std::get<Trajectory>(withoutMilestone(path, 1)).times, (std::vector<double>{0, 4, 6}));
  EXPECT_EQ(std::get<Trajectory>(reversed(path)).configurations[0], path.configurations[3]);
  EXPECT_EQ(std::get<Trajectory>(withMoved(path, 3, 0)).configurations[0], path.configurations[3]);
  const auto [first, second] = splitAt(path, 2);
  EXPECT_EQ(std::get<Trajectory>(first).times, (std::vector<double>{0, 2, 4}));
  EXPECT_EQ(std::get<Trajectory>(second).times, (std::vector<double>{0, 2}));
  EXPECT_THROW(splitAt(path, 0), Error);
  EXPECT_THROW(withReplaced(path, 4, q), Error);
  EXPECT_THROW(withReplaced(path, 0, VectorXd::Zero(3)), Error);
  EXPECT_THROW(withMilestone(Resource(VectorXd(VectorXd::Zero(2))), 0, q), Error);
}

TEST_F(PoserTest, AHeldPointThatIsDraggedTakesItsGoalAlong) {
  PoseSession session(load("worlds/blocks.xml"), {}, {});
  session.join(1);
  Poser& poser = session.poser();
  ask(session, "{type: pin, robot: 0, link: 4, point: [0, 0, 0]}");
  const Vector3d start = poser.linkPose(0, 4).p, target = start + Vector3d(0.02, 0.03, -0.04);
  // At the point itself.
  EXPECT_TRUE(poser.drag(0, 4, Vector3d::Zero(), target, false).solved);
  EXPECT_LT((poser.linkPose(0, 4).p - target).norm(), 1e-5);
  EXPECT_LT((poser.document().goals[0].goal.p_DP - target).norm(), 1e-9);
  // Elsewhere on the link, the point stays.
  poser.drag(0, 4, Vector3d(0.08, 0.05, 0), target + Vector3d(0, 0, 0.05), false);
  EXPECT_LT((poser.document().goals[0].goal.p_DP - target).norm(), 1e-9);
}

TEST_F(PoserTest, PathsAreOptimizedAndDiscretizedInTheirKind) {
  PoseSession session(load("worlds/blocks.xml"), {}, {});
  session.join(1);
  const Robot& robot = *session.poser().world().robots[0].robot;
  ask(session, "{type: store, kind: trajectory, robot: 0}");
  ask(session, "{type: driver, robot: 0, driver: 0, value: 0.8}");
  ask(session, "{type: milestone, resource: 0, robot: 0, action: insert, at: 1}");
  const auto path = [&] { return std::get<Trajectory>(session.poser().resource(0).value); };
  const Trajectory before = path();
  EXPECT_FALSE(ask(session, "{type: optimize, resource: 0, robot: 0}").contains("problem"));
  const Trajectory fast = path();
  EXPECT_GT(fast.times.size(), 2u);
  EXPECT_EQ(fast.configurations.front(), before.configurations.front());
  EXPECT_LT((fast.configurations.back() - before.configurations.back()).norm(), 1e-9);
  for (std::size_t i = 1; i < fast.times.size(); ++i) {
    const VectorXd rate = (fast.configurations[i] - fast.configurations[i - 1]) / (fast.times[i] - fast.times[i - 1]);
    for (int l = 0; l < robot.numLinks(); ++l) EXPECT_LE(std::abs(rate[l]), robot.link(l).velocityMax * (1 + 1e-6));
  }
  ask(session, "{type: undo}");
  EXPECT_EQ(path().times, before.times);
  EXPECT_FALSE(ask(session, "{type: discretize, resource: 0, robot: 0, resolution: 0.05}").contains("problem"));
  EXPECT_EQ(path().times.front(), before.times.front());
  EXPECT_EQ(path().times.back(), before.times.back());
  for (const char* wrong : {"{type: discretize, resource: 0, robot: 0, resolution: 0}",
                            "{type: optimize, resource: 0, robot: 4}", "{type: optimize, resource: 9, robot: 0}"})
    EXPECT_TRUE(ask(session, wrong).contains("problem")) << wrong;
  ask(session, "{type: store, kind: configuration, robot: 0}");
  EXPECT_TRUE(ask(session, "{type: optimize, resource: 1, robot: 0}").contains("problem"));
}

TEST_F(PoserTest, WhatTouchesIsWithinAChosenDistance) {
  PoseSession session(load("worlds/blocks.xml"), {}, {});
  session.join(1);
  Poser& poser = session.poser();
  const int robot = 0, last = poser.world().robots[0].robot->numLinks() - 1;
  // The arm stands on its pedestal; its hand is in the air.
  const auto handTouches = [&] {
    const std::vector<LinkContact> contacts = poser.contacts(robot);
    return std::any_of(contacts.begin(), contacts.end(), [&](const LinkContact& c) { return c.link == last; });
  };
  EXPECT_DOUBLE_EQ(ask(session, "{type: undo}").at("touch").asReal(), 0.005);
  EXPECT_FALSE(handTouches());
  EXPECT_DOUBLE_EQ(ask(session, "{type: touch, distance: 1}").at("touch").asReal(), 1);
  EXPECT_TRUE(handTouches());
  EXPECT_DOUBLE_EQ(ask(session, "{type: balance, robot: 0}").at("balance").at("touch").asReal(), 1);
  for (const char* wrong : {"{type: touch, distance: -1}", "{type: touch, distance: .nan}", "{type: touch}"})
    EXPECT_TRUE(ask(session, wrong).contains("problem")) << wrong;
  EXPECT_DOUBLE_EQ(poser.touch(), 1);
  EXPECT_EQ(poser.undoCount(), 0u) << "it is no edit";
}

}  // namespace
}  // namespace mortise::viewer
