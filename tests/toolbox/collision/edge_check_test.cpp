#include "mortise/collision/edge_check.h"

#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/base/random.h"
#include "tests/toolbox/collision/sample_worlds.h"

namespace mortise {
namespace {

struct Setting {
  explicit Setting(int blocks)
      : collider(std::make_shared<const WorldCollider>(test::blocksWorld(blocks),
                                                       WorldColliderOptions{.fixedLinksAgainstTerrains = false})),
        checker(collider, 0),
        state(collider) {}
  std::shared_ptr<const WorldCollider> collider;
  EdgeChecker checker;
  WorldCollisionState state;
  EdgeChecker::Workspace workspace;
};

VectorXd q(double a, double b) { return Vector3d(0, a, b); }

TEST(EdgeChecker, NoPointOfALinkMovesFartherThanTheBound) {
  Setting s(1);
  RandomStream random(1, "edges");
  const Robot& robot = s.checker.space().robot();
  RobotState before(robot), after(robot);
  std::vector<double> bound;
  for (int round = 0; round < 500; ++round) {
    before.q = q(random.uniform(-3, 3), random.uniform(-3, 3));
    after.q = q(random.uniform(-3, 3), random.uniform(-3, 3));
    updateFrames(robot, before);
    updateFrames(robot, after);
    s.checker.linkMotion(before.q, after.q, s.workspace, bound);
    EXPECT_LE(bound[0], 1e-9);
    for (int i = 0; i < 3; ++i) {
      const auto* mesh = robot.link(i).geometry->as<TriangleMesh>();
      for (const Vector3d& v : mesh->vertices)
        EXPECT_LE((after.X_WL[i] * v - before.X_WL[i] * v).norm(), bound[i] + 1e-12);
    }
  }
}

TEST(EdgeChecker, SeesAThinObstacleBetweenFreeEnds) {
  Setting s(1);
  // The outer beam sweeps a quarter circle about (2, 0), from 0.1 m to 0.9 m; the block stands in the middle of it.
  s.state.setPose(1, {Matrix3d::Identity(), Vector3d(2 + 0.5 * std::cos(0.8), 0.5 * std::sin(0.8), 1)});
  const EdgeCheckResult blocked = s.checker.check(q(0, 0), q(0, 1.6), s.state, s.workspace);
  EXPECT_FALSE(blocked.free);
  EXPECT_TRUE(blocked.touching);
  EXPECT_EQ(blocked.ids, (IdPair{1, 5}));
  EXPECT_GT(blocked.u, 0.2);
  EXPECT_LT(blocked.u, 0.8);
  // Out of the way: proven free.
  s.state.setPose(1, {Matrix3d::Identity(), Vector3d(2 + 1.2 * std::cos(0.8), 1.2 * std::sin(0.8), 1)});
  EXPECT_TRUE(s.checker.check(q(0, 0), q(0, 1.6), s.state, s.workspace).free);
}

TEST(EdgeChecker, CallsNearMissesBlocked) {
  Setting s(1);
  // The block hangs over the swept plane with a gap of `gap`.
  const auto checkWith = [&s](double gap) {
    s.state.setPose(1, {Matrix3d::Identity(), Vector3d(2.5, 0.2, 1 + 0.05 + 0.1 + gap)});
    return s.checker.check(q(0, -1), q(0, 1), s.state, s.workspace, {.clearance = 1e-3});
  };
  EXPECT_TRUE(checkWith(2e-3).free);
  const EdgeCheckResult near = checkWith(1e-4);
  EXPECT_FALSE(near.free);
  EXPECT_FALSE(near.touching);
}

TEST(EdgeChecker, AgreesWithADenseCheck) {
  Setting s(8);
  RandomStream random(2, "edges");
  int free = 0, blocked = 0;
  for (int round = 0; round < 150; ++round) {
    for (int id = 1; id <= 8; ++id) {
      s.state.setPose(
          id, {Matrix3d::Identity(), Vector3d(random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(0.7, 1.3))});
    }
    const VectorXd from = q(random.uniform(-2, 2), random.uniform(-2, 2)),
                   to = q(random.uniform(-2, 2), random.uniform(-2, 2));
    const EdgeCheckResult proven = s.checker.check(from, to, s.state, s.workspace);
    const EdgeCheckResult dense = s.checker.check(
        from, to, s.state, s.workspace, {.method = EdgeCheckOptions::Method::resolution, .resolution = 0.001});
    if (proven.free) {
      EXPECT_TRUE(dense.free);
    }
    if (proven.touching) {
      VectorXd at;
      s.checker.space().interpolate(from, to, proven.u, at);
      s.state.setConfiguration(0, at);
      EXPECT_TRUE(s.state.collide(proven.ids.a, proven.ids.b));
    }
    ++(proven.free ? free : blocked);
  }
  EXPECT_GT(free, 10);
  EXPECT_GT(blocked, 10);
}

TEST(EdgeChecker, RefusesWhatItCannotCheck) {
  Setting s(1);
  EXPECT_THROW(s.checker.check(q(0, 0), VectorXd::Zero(2), s.state, s.workspace), Error);
  EXPECT_THROW(s.checker.check(q(0, 0), q(0, std::nan("")), s.state, s.workspace), Error);
  EXPECT_THROW(s.checker.check(q(0, 0), q(0, 1), s.state, s.workspace, {.clearance = 0}), Error);
  EXPECT_THROW(EdgeChecker(s.collider, 1), Error);
}

}  // namespace
}  // namespace mortise
