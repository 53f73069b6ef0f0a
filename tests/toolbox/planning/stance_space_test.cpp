#include "mortise/planning/spaces/stance_space.h"

#include <cmath>
#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/dynamics/robot_dynamics.h"
#include "mortise/mechanics/static_torques.h"
#include "tests/support/biped.h"
#include "tests/support/connect.h"

namespace mortise {
namespace {

constexpr int kLeft = 11, kRight = 17;

struct Standing {
  explicit Standing(RobotDescription description = test::bipedDescription()) {
    World w;
    w.robots.push_back(test::placedRobot(std::move(description)));
    w.terrains.push_back(test::groundTerrain());
    w.objects.push_back(test::boxObject("box", Vector3d(0.45, 0, 0.55)));
    world = std::make_shared<const World>(std::move(w));
    collider = std::make_shared<const WorldCollider>(world);
    robot = world->robots[0].robot;
    standing = test::bipedStanding(0.5);
    stance = test::bipedStance(*robot, standing, {kLeft, kRight}, 0.5);
  }
  StanceSpace space(const StanceSpaceOptions& options = {}) const {
    return StanceSpace(RobotSpace(withoutHolds(collider, 0, stance), 0, standing), stance, options);
  }
  std::shared_ptr<const World> world;
  std::shared_ptr<const WorldCollider> collider;
  RobotPtr robot;
  VectorXd standing;
  Stance stance;
};

TEST(StanceSpace, StandingIsNoCollisionButOtherThingsAre) {
  const Standing biped;
  StanceSpace space = biped.space();
  VectorXd q;
  space.reduce(biped.standing, q);
  int violated = 0;
  EXPECT_TRUE(space.feasible(q, &violated)) << space.explain(violated, q);
  RobotSpace touching(biped.collider, 0, biped.standing);
  VectorXd lower = q;
  lower[2] -= 1e-6;
  EXPECT_FALSE(touching.feasible(lower)) << "soles touch the ground";
  EXPECT_TRUE(space.robotSpace().feasible(lower));
  // The ground is off for the feet alone, the box for nobody.
  const World& world = *biped.world;
  const auto less = withoutHolds(biped.collider, 0, biped.stance);
  EXPECT_FALSE(less->pairs()(world.linkId(0, kLeft), world.terrainId(0)));
  EXPECT_TRUE(less->pairs()(world.linkId(0, kLeft), world.objectId(0)));
  EXPECT_TRUE(less->pairs()(world.linkId(0, 9), world.terrainId(0)));
  EXPECT_THROW(withoutHolds(biped.collider, 3, biped.stance), Error);
}

TEST(StanceSpace, NamesItsConstraintsAndSaysWhatFails) {
  const Standing biped;
  StanceSpaceOptions options;
  options.torqueLimits = true;
  StanceSpace space = biped.space(options);
  EXPECT_EQ(std::vector<std::string>(space.constraints().begin(), space.constraints().end()),
            (std::vector<std::string>{"joint_limits", "ik_constraint", "balance", "torque_limits", "self_collision",
                                      "collision"}));
  // The soles: 0.2 m by 0.1 m at y = -0.1 and 0.1.
  ASSERT_NE(space.supportPolygon(), nullptr);
  EXPECT_NEAR(space.supportPolygon()->area(), 0.2 * 0.3, 1e-8);
  VectorXd q;
  space.reduce(biped.standing, q);
  EXPECT_TRUE(space.satisfies(2, q));
  EXPECT_TRUE(space.satisfies(3, q));
  EXPECT_NEAR(space.balanceMargin(q), 0.08, 0.03);
  VectorXd tipped = q;
  tipped[0] += 0.3;  // All of it 0.3 m forward.
  EXPECT_FALSE(space.satisfies(2, tipped));
  EXPECT_NE(space.explain(2, tipped).find("outside the support polygon"), std::string::npos);
  EXPECT_NE(space.explain(1, tipped).find("0.3 m"), std::string::npos) << space.explain(1, tipped);
}

TEST(StanceSpace, SamplesStand) {
  const Standing biped;
  StanceSpaceOptions options;
  options.margin = 0.02;
  StanceSpace space = biped.space(options);
  EXPECT_EQ(space.manifoldDimension(), 6);
  RandomStream random(3);
  VectorXd q;
  int stand = 0, balance = 0;
  for (int k = 0; k < 100; ++k) {
    space.sample(random, q);
    stand += space.residual(q) <= 1e-6;
    balance += space.satisfies(2, q);
  }
  EXPECT_GT(stand, 70);
  EXPECT_GT(balance, 40);
}

TEST(StanceSpace, PlansKeepTheFeetAndTheBalance) {
  const Standing biped;
  StanceSpaceOptions options;
  options.margin = 0.01;
  StanceSpace space = biped.space(options);
  VectorXd start, goal;
  space.reduce(test::bipedStanding(0.2), start);
  space.reduce(test::bipedStanding(0.9), goal);
  ASSERT_LE(space.distance(start, goal), 5);
  // Squat, shift to one side and turn the body.
  goal[1] += 0.05;
  goal[3] += 0.2;
  ASSERT_TRUE(space.project(start));
  ASSERT_TRUE(space.project(goal));
  ASSERT_TRUE(space.feasible(start)) << space.balanceMargin(start);
  ASSERT_TRUE(space.feasible(goal)) << space.balanceMargin(goal);
  RandomStream random(5);
  const std::vector<VectorXd> path = test::connect(space, start, goal, 0.4, 3000, random);
  ASSERT_FALSE(path.empty());
  VectorXd q;
  RobotDynamics dynamics(biped.robot);
  for (std::size_t i = 1; i < path.size(); ++i) {
    const std::vector<VectorXd> edge = space.edgePoints(path[i - 1], path[i]);
    ASSERT_FALSE(edge.empty());
    for (std::size_t j = 1; j < edge.size(); ++j) {
      EXPECT_LE(space.residual(edge[j]), 1e-6);
      for (int part = 0; part <= 100; ++part) {
        space.robotSpace().interpolate(edge[j - 1], edge[j], part / 100.0, q);
        EXPECT_LE(space.residual(q), 1e-3);
        EXPECT_GE(space.balanceMargin(q), 0.01 - 1e-5);
        EXPECT_TRUE(space.robotSpace().feasible(q));
      }
    }
  }
  // The same from a copy.
  const std::unique_ptr<PlanningSpace> copy = space.copy();
  RandomStream again(5);
  EXPECT_EQ(test::connect(*copy, start, goal, 0.4, 3000, again), path);
}

TEST(StanceSpace, TorqueLimitsAreThoseOfStatics) {
  // Standing on both feet with bent knees: each knee bears half of what is above it, the leg's lever is known.
  const Standing biped;
  const double bend = 0.8;
  const VectorXd q = test::bipedStanding(bend);
  const Stance stance = test::bipedStance(*biped.robot, q, {kLeft, kRight}, 0.5);
  std::vector<LinkContact> contacts;
  for (const Hold& hold : stance.holds)
    for (const ContactPoint& contact : hold.contacts) contacts.push_back({hold.link, contact});
  const StaticTorques statics(biped.robot, contacts);
  RobotDynamics dynamics(biped.robot);
  dynamics.setPosition(q);
  VectorXd torques;
  std::vector<Vector3d> forces;
  ASSERT_TRUE(statics.within(dynamics, 1, &torques, &forces));
  // What it says is true: G = tau + J^T f, no torque of the base, all within limits, forces within cones.
  VectorXd balance(18);
  dynamics.gravityForces(Vector3d(0, 0, -9.8), balance);
  Matrix3X J(3, 18);
  Vector3d sum = Vector3d::Zero();
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const RigidTransform X_WL = dynamics.X_WL(contacts[i].link);
    dynamics.positionJacobian(contacts[i].link, X_WL.inverse() * contacts[i].point.p_WC, J);
    balance -= J.transpose() * forces[i];
    sum += forces[i];
    EXPECT_GE(forces[i].z(), -1e-6);
    EXPECT_LE(forces[i].head<2>().norm(), 0.5 * forces[i].z() + 1e-6);
  }
  EXPECT_LE((balance - torques).norm(), 1e-6);
  EXPECT_LE(torques.head<6>().norm(), 1e-6);
  EXPECT_LE(torques.cwiseAbs().maxCoeff(), 60 + 1e-6);
  EXPECT_NEAR(sum.z(), 9.8 * biped.robot->totalMass(), 1e-6);
  EXPECT_FALSE(statics.within(dynamics, 0.05)) << "a twentieth of the torques is too little";

  RobotDescription weak = test::bipedDescription();
  for (Link& link : weak.links) link.torqueMax = 3;
  const Standing weakBiped(weak);
  StanceSpaceOptions options;
  options.torqueLimits = true;
  StanceSpace space = weakBiped.space(options);
  VectorXd reduced;
  space.reduce(weakBiped.standing, reduced);
  EXPECT_TRUE(space.satisfies(2, reduced));
  EXPECT_FALSE(space.satisfies(3, reduced));
  EXPECT_NE(space.explain(3, reduced).find("times the torques would do"), std::string::npos);
}

TEST(StanceSpace, BadInputSaysWhatIsWrong) {
  const Standing biped;
  const RobotSpace robot(biped.collider, 0, biped.standing);
  EXPECT_THROW(StanceSpace(robot, Stance{}), Error);
  Stance twice = biped.stance;
  twice.holds.push_back(twice.holds[0]);
  EXPECT_THROW(StanceSpace(robot, twice), Error);
  Stance bare = biped.stance;
  for (Hold& hold : bare.holds) hold.contacts.clear();
  EXPECT_THROW(StanceSpace(robot, bare), Error);
  StanceSpaceOptions without;
  without.balance = false;
  EXPECT_NO_THROW(StanceSpace(robot, bare, without));
  without.margin = 0.1;
  EXPECT_THROW(StanceSpace(robot, bare, without), Error);
  Stance unknown = biped.stance;
  unknown.holds[0].link = 99;
  EXPECT_THROW(StanceSpace(robot, unknown), Error);
  Stance other = biped.stance;
  other.holds[0].goal.link = 3;
  EXPECT_THROW(StanceSpace(robot, other), Error);
  StanceSpaceOptions smooth;
  smooth.friction = -1;
  EXPECT_THROW(StanceSpace(robot, biped.stance, smooth), Error);
}

}  // namespace
}  // namespace mortise
