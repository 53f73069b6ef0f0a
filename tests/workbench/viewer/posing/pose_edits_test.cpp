// Fingers of grasps, mirror images, bases in planes, goals of other kinds, shapes, numbers.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/loading/assemble_world.h"
#include "mortise/math/rotation.h"
#include "mortise/model/robot_state.h"
#include "mortise/viewer/posing/grasp_edit.h"
#include "mortise/viewer/posing/pose_session.h"
#include "mortise/viewer/posing/resource_folder.h"
#include "tests/support/page_messages.h"
#include "tests/support/plugins.h"
#include "tests/support/reference.h"

namespace mortise::viewer {
namespace {

namespace fs = std::filesystem;

class PoseEditsTest : public testing::Test {
 protected:
  void SetUp() override {
    folder = (fs::temp_directory_path() / "mortise_pose_edits_XXXXXX").string();
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
  }
  void TearDown() override { fs::remove_all(folder); }
  std::shared_ptr<const World> load(const std::string& path) {
    Diagnostics diagnostics;
    auto world = std::make_shared<World>(assembleWorld(loader, {path}, diagnostics));
    diagnostics.throwIfErrors();
    return world;
  }
  std::shared_ptr<const World> data(const std::string& file) { return load(MORTISE_SOURCE_DIR "/data/" + file); }
  static Value ask(PoseSession& session, const std::string& yaml) { return test::askSession(session, yaml); }
  /// What is in the folder after all was saved there.
  ResourceLibrary saved(const PoseSession& session) {
    ResourceFolder(folder, loader).write(session.library());
    Diagnostics diagnostics;
    ResourceLibrary read = ResourceFolder(folder, loader).read(diagnostics);
    diagnostics.throwIfErrors();
    return read;
  }

  test::MemoryLog log;
  std::unique_ptr<Registry> registry = test::makeRegistry(log);
  FormatLoader loader{*registry, log};
  std::string folder;
};

const Grasp& graspAt(PoseSession& session, std::size_t i) { return std::get<Grasp>(session.poser().resource(i).value); }

TEST_F(PoseEditsTest, AGraspKeepsFingersWhichAreSetSavedAndPosedBy) {
  PoseSession session(data("robots/pincer.rob"), {}, {});
  session.join(1);
  const auto q = [&] { return session.poser().document().q[0]; };
  Value state = ask(session, "{type: store, kind: grasp, robot: 0, link: 0}");
  ASSERT_FALSE(state.contains("problem")) << state.string("problem", "");
  EXPECT_EQ(graspAt(session, 0).fixed, (std::vector<std::pair<int, double>>{{1, 0.03}, {2, -0.03}}));
  EXPECT_EQ(state.at("resources")[0].at("fingers")[1].asReals(), (std::vector<double>{2, -0.03}));
  ASSERT_EQ(graspAt(session, 0).goals.size(), 1u);
  EXPECT_EQ(graspAt(session, 0).goals[0].link, 0);

  // One motor moves both, and neither leaves its limits.
  ask(session, "{type: finger, gesture: 3, resource: 0, robot: 0, link: 1, value: 0.04}");
  ask(session, "{type: finger, gesture: 3, resource: 0, robot: 0, link: 1, value: 0.02}");
  EXPECT_EQ(graspAt(session, 0).fixed, (std::vector<std::pair<int, double>>{{1, 0.02}, {2, -0.02}}));
  EXPECT_DOUBLE_EQ(q()[1], 0.02) << "the robot shows it";
  EXPECT_DOUBLE_EQ(q()[2], -0.02);
  EXPECT_EQ(session.poser().undoCount(), 2u) << "a gesture is one step";
  ask(session, "{type: finger, resource: 0, robot: 0, link: 2, value: -5}");
  EXPECT_DOUBLE_EQ(graspAt(session, 0).fixed[1].second, -0.05);
  EXPECT_DOUBLE_EQ(graspAt(session, 0).fixed[0].second, 0.05);
  ask(session, "{type: undo}");

  // Away from it, and back by it.
  ask(session, "{type: driver, robot: 0, driver: 0, value: 0.1}");
  EXPECT_DOUBLE_EQ(q()[1], 0.05);
  EXPECT_FALSE(ask(session, "{type: load, resource: 0, robot: 0}").contains("problem"));
  EXPECT_DOUBLE_EQ(q()[1], 0.02);
  EXPECT_DOUBLE_EQ(q()[2], -0.02);

  const ResourceLibrary library = saved(session);
  ASSERT_EQ(library.items.size(), 1u);
  EXPECT_EQ(std::get<Grasp>(library.items[0].value).fixed, graspAt(session, 0).fixed);

  ask(session, "{type: driver, robot: 0, driver: 0, value: 0.1}");
  ask(session, "{type: fingers, resource: 0, robot: 0}");
  EXPECT_DOUBLE_EQ(graspAt(session, 0).fixed[0].second, 0.05);
  ask(session, "{type: finger, resource: 0, robot: 0, link: 1, erase: true}");
  EXPECT_EQ(graspAt(session, 0).fixed, (std::vector<std::pair<int, double>>{{2, -0.05}}));
  const std::size_t steps = session.poser().undoCount();
  ask(session, "{type: store, kind: configuration, robot: 0}");
  for (const char* wrong :
       {"{type: finger, resource: 0, robot: 0, link: 1, value: 0}", "{type: finger, resource: 0, robot: 0, link: 9}",
        "{type: finger, resource: 0, robot: 0, link: 2, value: .nan}", "{type: fingers, resource: 1, robot: 0}",
        "{type: fingers, resource: 0, robot: 0, link: 1}", "{type: store, kind: grasp, robot: 0, link: 1}"})
    EXPECT_TRUE(ask(session, wrong).contains("problem")) << wrong;
  EXPECT_EQ(session.poser().undoCount(), steps + 1);
}

TEST_F(PoseEditsTest, AHumanoidIsMirroredWhereItStands) {
  PoseSession session(data("worlds/humanoid_beam.xml"), {}, {});
  session.join(1);
  Poser& poser = session.poser();
  const Robot& robot = *poser.world().robots[0].robot;
  const int left = robot.description().findLink("left_hand"), right = robot.description().findLink("right_hand");
  VectorXd q = poser.document().q[0];
  q[3] = 0.7;   // A heading,
  q[5] = 0.05;  // and a roll.
  for (int l = 6; l < robot.numLinks(); ++l)
    if (robot.link(l).name.starts_with("left")) q[l] = std::clamp(q[l] + 0.1, robot.link(l).qMin, robot.link(l).qMax);
  poser.setConfiguration(0, q);
  const RigidTransform before = poser.linkPose(0, 5);
  const Vector3d hand = poser.linkPose(0, left).p;
  EXPECT_FALSE(ask(session, "{type: mirror, robot: 0}").contains("problem"));
  // In the upright plane through the base, along its heading.
  const Vector3d across(-std::sin(0.7), std::cos(0.7), 0);
  const Vector3d image = hand - 2 * across.dot(hand - before.p) * across;
  EXPECT_LT((poser.linkPose(0, right).p - image).norm(), 1e-6);
  EXPECT_EQ(poser.linkPose(0, 5).p, before.p);
  ask(session, "{type: mirror, robot: 0}");
  EXPECT_LT((poser.document().q[0] - q).norm(), 1e-9);
  ask(session, "{type: undo}");
  ask(session, "{type: undo}");
  EXPECT_EQ(poser.document().q[0], q);

  PoseSession world(data("worlds/blocks.xml"), {}, {});
  world.join(1);
  EXPECT_FALSE(ask(world, "{type: mirror, robot: 0}").contains("problem")) << "an arm in a plane";
}

TEST_F(PoseEditsTest, KlamptsRobotsAreMirrored) {
  MORTISE_NEEDS_REFERENCE();
  for (const char* name : {"baxter_col.rob", "huboplus/huboplus_col.rob", "atlas.rob", "pr2.rob"}) {
    PoseSession session(load(test::referenceDir() + "/klampt-data/robots/" + name), {}, {});
    session.join(1);
    const VectorXd q = session.poser().document().q[0];
    const Value answer = ask(session, "{type: mirror, robot: 0}");
    EXPECT_FALSE(answer.contains("problem")) << name << ": " << answer.string("problem", "");
    EXPECT_TRUE(session.poser().document().q[0].allFinite());
  }
}

TEST_F(PoseEditsTest, ABaseInAPlaneStaysInIt) {
  RobotDescription d;
  d.name = "cart";
  for (int i = 0; i < 4; ++i) {
    Link link;
    link.name = "l" + std::to_string(i);
    link.parent = i - 1;
    link.axis = i < 2 ? Vector3d::Unit(i) : Vector3d::UnitZ();
    if (i < 2) link.motion = LinkMotion::prismatic;
    d.links.push_back(link);
  }
  d.links[0].X_PL0 = {rotationZ(0.5), Vector3d(1, 2, 3)};
  d.links[3].X_PL0.p = Vector3d(0.3, 0, 0);
  d.joints = {{JointType::floatingPlanar, 2, -1}, {JointType::normal, 3, -1}};
  auto world = std::make_shared<World>();
  world->robots.push_back({});
  world->robots[0].name = "cart";
  world->robots[0].robot = Robot::compile(d);
  world->robots[0].q = VectorXd::Zero(4);
  PoseSession session(world, {}, {});
  const Value joined = parseYaml(session.join(1), "joined");
  EXPECT_EQ(joined.at("robots")[0].at("base").asString(), "planar");
  EXPECT_EQ(joined.at("robots")[0].at("base_link").asInteger(), 2);
  Poser& poser = session.poser();
  const RigidTransform wanted{rotationZ(-2.5), Vector3d(-4, 1, 9)};
  EXPECT_TRUE(poser.placeBase(0, wanted).solved);
  const RigidTransform now = poser.linkPose(0, 2);
  EXPECT_LT((now.R - wanted.R).norm(), 1e-9);
  EXPECT_LT((now.p - Vector3d(-4, 1, 3)).norm(), 1e-9) << "no higher than its plane";
  // Links are dragged without it, unless it moves, too.
  poser.drag(0, 3, Vector3d(0.1, 0, 0), Vector3d(0, 0, 3), false);
  EXPECT_LT((poser.linkPose(0, 2).p - now.p).norm(), 1e-12);
  EXPECT_TRUE(poser.drag(0, 3, Vector3d(0.1, 0, 0), Vector3d(0, 0, 3), true).solved);
}

TEST_F(PoseEditsTest, GoalsBecomeOfOtherKindsAndHoldWhereTheLinkIs) {
  PoseSession session(data("worlds/blocks.xml"), {}, {});
  session.join(1);
  Poser& poser = session.poser();
  ask(session, "{type: pin, robot: 0, link: 5}");
  const RigidTransform X = poser.linkPose(0, 5);
  Value state = ask(session, "{type: goal, goal: 0, position: plane, rotation: axis, point: [0.1, 0, 0]}");
  ASSERT_FALSE(state.contains("problem")) << state.string("problem", "");
  EXPECT_EQ(state.at("goals")[0].at("position").asString(), "plane");
  EXPECT_EQ(state.at("goals")[0].at("rotation").asString(), "axis");
  EXPECT_EQ(poser.document().q[0], poser.world().robots[0].q) << "nothing moves";
  const IKGoal goal = poser.document().goals[0].goal;
  EXPECT_LT((goal.p_DP - X * Vector3d(0.1, 0, 0)).norm(), 1e-12);
  EXPECT_LT((goal.axis_D - X.R.col(2)).norm(), 1e-12);
  // The point stays in its plane, and the axis along its direction.
  ask(session, "{type: driver, robot: 0, driver: 0, value: 0.3}");
  const RigidTransform now = poser.linkPose(0, 5);
  EXPECT_NEAR((now * Vector3d(0.1, 0, 0)).z(), goal.p_DP.z(), 1e-4);
  EXPECT_LT((now.R.col(2) - goal.axis_D).norm(), 1e-4);
  ask(session, "{type: goal, goal: 0, position: point, rotation: free, destination: 2}");
  EXPECT_EQ(poser.document().goals[0].goal.destination, 2);
  EXPECT_LT((poser.linkPose(0, 2) * poser.document().goals[0].goal.p_DP - now * Vector3d(0.1, 0, 0)).norm(), 1e-9);
  const std::size_t steps = poser.undoCount();
  for (const char* wrong : {"{type: goal, goal: 1, position: free}", "{type: goal, goal: 0, position: near}",
                            "{type: goal, goal: 0, destination: 5}", "{type: goal, goal: 0, destination: 99}",
                            "{type: goal, goal: 0, position: line, direction: [0, 0, 0]}",
                            "{type: goal, goal: 0, rotation: axis, axis: [0, .nan, 0]}"})
    EXPECT_TRUE(ask(session, wrong).contains("problem")) << wrong;
  EXPECT_EQ(poser.undoCount(), steps);
}

TEST_F(PoseEditsTest, ADragMayLeaveAGoal) {
  PoseSession session(data("worlds/blocks.xml"), {}, {});
  session.join(1);
  const Vector3d start = session.poser().linkPose(0, 5).p;
  for (int i = 1; i <= 3; ++i) {
    char text[200];
    std::snprintf(
        text, sizeof text,
        "{type: drag, gesture: 1, hold: true, robot: 0, link: 5, point: [0, 0, 0], target: [%.9g, %.9g, %.9g]}",
        start.x() + 0.01 * i, start.y(), start.z() - 0.01 * i);
    EXPECT_FALSE(ask(session, text).contains("problem"));
  }
  const auto& goals = session.poser().document().goals;
  ASSERT_EQ(goals.size(), 1u);
  EXPECT_LT((goals[0].goal.p_DP - start - Vector3d(0.03, 0, -0.03)).norm(), 1e-7);
  EXPECT_EQ(session.poser().undoCount(), 1u);
  ask(session, "{type: undo}");
  EXPECT_TRUE(session.poser().document().goals.empty());
}

TEST_F(PoseEditsTest, NumbersAreSetAndShapesMadeSimpler) {
  PoseSession session(data("worlds/blocks.xml"), {}, {});
  session.join(1);
  const Poser& poser = session.poser();
  for (const char* kind : {"configuration", "vector3", "transform"})
    EXPECT_FALSE(
        ask(session, std::string("{type: store, robot: 0, object: 0, kind: ") + kind + "}").contains("problem"));
  const RigidTransform block = poser.world().objects[0].X_WO;
  EXPECT_EQ(std::get<Vector3d>(poser.resource(1).value), block.p);
  EXPECT_EQ(std::get<RigidTransform>(poser.resource(2).value), block);
  const Value state = ask(session, "{type: set, resource: 1, values: [1, 2, 3]}");
  EXPECT_EQ(state.at("resources")[1].at("values").asReals(), (std::vector<double>{1, 2, 3}));
  for (int i = 1; i <= 5; ++i)
    ask(session,
        "{type: set, gesture: 9, resource: 2, values: [0, -1, 0, 1, 0, 0, 0, 0, 1, 4, 5, " + std::to_string(i) + "]}");
  EXPECT_EQ(std::get<RigidTransform>(poser.resource(2).value).p, Vector3d(4, 5, 5));
  EXPECT_EQ(poser.undoCount(), 5u);
  const int hand = poser.world().linkId(0, poser.world().robots[0].robot->numLinks() - 1);
  Value kept = ask(session, "{type: store, kind: geometry, robot: 0, id: " + std::to_string(hand) + "}");
  ASSERT_FALSE(kept.contains("problem")) << kept.string("problem", "");
  const Value fine = ask(session, "{type: mesh, resource: 3}");
  ask(session, "{type: simplify, resource: 3, cell: 0.04}");
  const Value coarse = ask(session, "{type: mesh, resource: 3}");
  EXPECT_GT(coarse.at("mesh").at("triangles").size(), 0u);
  EXPECT_LT(coarse.at("mesh").at("triangles").size(), fine.at("mesh").at("triangles").size());
  const ResourceLibrary library = saved(session);
  EXPECT_EQ(library.items.size(), 4u);
  for (const ResourceItem& item : library.items) {
    if (const auto* p = std::get_if<Vector3d>(&item.value)) {
      EXPECT_EQ(*p, Vector3d(1, 2, 3));
    }
    if (const auto* shape = std::get_if<GeometryPtr>(&item.value)) {
      EXPECT_EQ(3u * static_cast<unsigned>((*shape)->numTriangles()), coarse.at("mesh").at("triangles").size());
    }
  }
  const std::size_t steps = poser.undoCount();
  for (const char* wrong :
       {"{type: set, resource: 1, values: [1, 2]}", "{type: set, resource: 1, values: [1, 2, .inf]}",
        "{type: set, resource: 2, values: [1, 0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0]}",
        "{type: set, resource: 3, values: [1]}", "{type: simplify, resource: 3, cell: 0}",
        "{type: simplify, resource: 0}", "{type: mesh, resource: 1}", "{type: store, kind: geometry, robot: 0}",
        "{type: store, kind: transform, robot: 0, object: 99}", "{type: link, robot: 0, link: 99, value: 0}"})
    EXPECT_TRUE(ask(session, wrong).contains("problem")) << wrong;
  EXPECT_EQ(poser.undoCount(), steps);
}

}  // namespace
}  // namespace mortise::viewer
