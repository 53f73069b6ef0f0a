#include "mortise/collision/edge_check.h"

#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/base/random.h"
#include "mortise/geometry/transform_geometry.h"
#include "tests/toolbox/collision/sample_worlds.h"

namespace mortise {
namespace {

struct EdgeScene {
  explicit EdgeScene(int blocks)
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
  EdgeScene s(1);
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

/// A chain of joints of all kinds about and along skew axes, and a floating base before it.
RobotDescription skewRobot(bool floats) {
  RandomStream random(4, "skew");
  RobotDescription robot;
  robot.name = "skew";
  const auto add = [&](JointType type, LinkMotion motion, const Vector3d& axis, bool body) {
    Link link;
    link.name = "link" + std::to_string(robot.links.size());
    link.parent = static_cast<int>(robot.links.size()) - 1;
    link.motion = motion;
    link.axis = axis;
    if (body) {
      link.X_PL0.p = Vector3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
      link.geometry = transformed(*test::boxGeometry(Vector3d(0.3, 0.1, 0.2)), {Matrix3d::Identity(), {0.4, 0.1, 0}});
    }
    robot.links.push_back(link);
    const int index = static_cast<int>(robot.links.size()) - 1;
    if (type == JointType::floating) {
      if (index == 5) robot.joints.push_back({type, index, -1});
    } else {
      robot.joints.push_back({type, index, index - 1});
    }
  };
  if (floats) {
    for (int k = 0; k < 3; ++k) add(JointType::floating, LinkMotion::prismatic, Vector3d::Unit(k), false);
    for (int k = 2; k >= 0; --k) add(JointType::floating, LinkMotion::revolute, Vector3d::Unit(k), false);
    robot.links.back().geometry = test::boxGeometry(Vector3d(0.3, 0.1, 0.2));
  }
  for (int k = 0; k < 6; ++k) {
    const Vector3d axis(random.gaussian(), random.gaussian(), random.gaussian());
    add(k == 2 ? JointType::spin : JointType::normal, k == 3 ? LinkMotion::prismatic : LinkMotion::revolute,
        k == 4 ? axis : Vector3d(axis.normalized()), true);
  }
  return robot;
}

TEST(EdgeChecker, NoPointMovesFartherWithinAPartThanTheBound) {
  for (const bool floats : {false, true}) {
    auto world = std::make_shared<World>();
    WorldRobot placed;
    placed.robot = Robot::compile(skewRobot(floats));
    const Robot& robot = *placed.robot;
    const int n = robot.numLinks();
    placed.q = placed.dq = VectorXd::Zero(n);
    world->robots.push_back(placed);
    const auto collider = std::make_shared<const WorldCollider>(world);
    const EdgeChecker checker(collider, 0);
    WorldCollisionState state(collider);
    EdgeChecker::Workspace workspace;
    RandomStream random(5, "ways");
    RobotState there(robot);
    VectorXd from(n), to(n), q;
    double tightest = 0;
    for (int round = 0; round < 300; ++round) {
      const double size = round % 3 == 0 ? 3 : round % 3 == 1 ? 0.5 : 0.05;
      for (int i = 0; i < n; ++i) {
        from[i] = random.uniform(-3, 3);
        to[i] = from[i] + random.uniform(-size, size);
      }
      checker.beginEdge(from, to, workspace);
      for (int part = 0; part < 3; ++part) {
        const double half = part == 0 ? 0.5 : 0.125, middle = part == 0 ? 0.5 : random.uniform(half, 1 - half);
        checker.space().interpolate(from, to, middle, q);
        state.setConfiguration(0, q);
        for (int step = -4; step <= 4; ++step) {
          checker.space().interpolate(from, to, middle + half * step / 4, there.q);
          updateFrames(robot, there);
          for (int i = 0; i < n; ++i) {
            const auto* mesh = robot.link(i).geometry ? robot.link(i).geometry->as<TriangleMesh>() : nullptr;
            if (mesh == nullptr) continue;
            for (const int ancestor : {-1, floats ? 5 : 0}) {
              if (ancestor >= i) continue;
              const double bound = checker.motionWithin(i, ancestor, half, part, state, workspace);
              for (const Vector3d& v : mesh->vertices) {
                Vector3d before = state.pose(world->linkId(0, i)) * v, after = there.X_WL[i] * v;
                if (ancestor >= 0) {
                  before = state.pose(world->linkId(0, ancestor)).inverse() * before;
                  after = there.X_WL[ancestor].inverse() * after;
                }
                const double moved = (after - before).norm();
                ASSERT_LE(moved, bound + 1e-12) << "link " << i << " from " << ancestor << ", half " << half;
                if (bound > 0) tightest = std::max(tightest, moved / bound);
              }
            }
          }
        }
      }
    }
    EXPECT_GT(tightest, 0.8);
  }
}

TEST(EdgeChecker, SeesAThinObstacleBetweenFreeEnds) {
  EdgeScene s(1);
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
  EdgeScene s(1);
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
  EdgeScene s(8);
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
  EdgeScene s(1);
  EXPECT_THROW(s.checker.check(q(0, 0), VectorXd::Zero(2), s.state, s.workspace), Error);
  EXPECT_THROW(s.checker.check(q(0, 0), q(0, std::nan("")), s.state, s.workspace), Error);
  EXPECT_THROW(s.checker.check(q(0, 0), q(0, 1), s.state, s.workspace, {.clearance = 0}), Error);
  EXPECT_THROW(EdgeChecker(s.collider, 1), Error);
}

}  // namespace
}  // namespace mortise
