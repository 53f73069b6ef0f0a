#include "mortise/mechanics/world_touch.h"

#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/mechanics/contact_formation.h"
#include "mortise/mechanics/motion_balance.h"
#include "mortise/simulation/simulation.h"
#include "tests/support/plugins.h"
#include "tests/support/reference.h"

namespace mortise::test {
namespace {

const std::string kData = MORTISE_SOURCE_DIR "/data/";

class WorldTouch : public testing::Test {
 protected:
  WorldTouch() : registry_(makeRegistry(log_)), loader_(*registry_, log_) {}
  RobotPtr robot(const std::string& file) {
    return Robot::compile(loader_.load<RobotDescription>(file, {}, diagnostics_));
  }

  MemoryLog log_;
  std::unique_ptr<Registry> registry_;
  FormatLoader loader_;
  Diagnostics diagnostics_;
};

TEST_F(WorldTouch, FeetOnAFloorAreTheStance) {
  const RobotPtr humanoid = robot(kData + "robots/humanoid.urdf");
  const auto q = loader_.load<VectorXd>(kData + "planning/humanoid/stand.config", {}, diagnostics_);
  const auto stance = loader_.load<Stance>(kData + "planning/humanoid/feet.stance", {}, diagnostics_);
  RobotInWorld world(loader_, kData + "worlds/humanoid_beam.xml", humanoid, {}, diagnostics_);
  const std::vector<LinkContact> contacts = world.contacts(q, {11, 17});
  ASSERT_GE(contacts.size(), 8u);
  RobotDynamics dynamics(humanoid);
  dynamics.setPosition(q);
  const Balance found = testBalance(dynamics, contacts), given = testBalance(dynamics, contactsOf(stance));
  EXPECT_TRUE(found.balanced);
  EXPECT_NEAR(found.margin, given.margin, 1e-5);
  EXPECT_NEAR(found.polygon.area(), given.polygon.area(), 1e-5);
  for (const LinkContact& contact : contacts) {
    EXPECT_GT(contact.point.n_W.z(), 0.99) << "out of the floor";
    EXPECT_EQ(contact.target, -1);
  }
  VectorXd up = q;
  up[2] += 0.02;
  EXPECT_TRUE(world.contacts(up, {11, 17}).empty());
  EXPECT_THROW(RobotInWorld(loader_, kData + "worlds/blocks.xml", humanoid, WorldContactOptions(), diagnostics_),
               Error);
}

TEST_F(WorldTouch, AMotionThatShiftsItsWeight) {
  const RobotPtr humanoid = robot(kData + "robots/humanoid.urdf");
  const auto q = loader_.load<VectorXd>(kData + "planning/humanoid/stand.config", {}, diagnostics_);
  const auto stance = loader_.load<Stance>(kData + "planning/humanoid/feet.stance", {}, diagnostics_);
  MultiPath motion;
  motion.sections.resize(1);
  motion.sections[0].milestones = {q, q, q};
  motion.sections[0].milestones[1][0] += 0.1;
  motion.sections[0].milestones[2][0] += 0.2;
  motion.sections[0].holds = stance.holds;
  const MotionBalance balance = testBalance(humanoid, motion, {}, nullptr, {});
  ASSERT_EQ(balance.milestones.size(), 3u);
  EXPECT_EQ(balance.balanced(), 2);
  EXPECT_FALSE(balance.milestones[2].balanced);
  EXPECT_NEAR(balance.smallestMargin(), 0.15 - 0.01838 - 0.2, 1e-4);
  motion.sections[0].holds.clear();
  EXPECT_THROW(testBalance(humanoid, motion, {}, nullptr, {}), Error);
  motion.sections[0].milestones = {VectorXd::Zero(3), VectorXd::Zero(3)};
  EXPECT_THROW(testBalance(humanoid, motion, contactsOf(stance), nullptr, {}), Error);
}

TEST_F(WorldTouch, WhatSimulatedContactsBearIsTheWeight) {
  const auto world = std::make_shared<const World>(loader_.world(kData + "worlds/blocks.xml", {}, diagnostics_));
  Simulation simulation(*world, *registry_, nullptr, log_);
  simulation.advance(2.0);
  ContactHistoryMap history(*world);
  for (int step = 0; step < 100; ++step) {
    simulation.step();
    history.add(simulation.contacts(), simulation.timeStep());
  }
  const std::vector<WorldContact> contacts = history.contacts();
  const std::vector<Vector3d> forces = history.forces_W();
  ASSERT_FALSE(contacts.empty());
  Vector3d onTerrain = Vector3d::Zero();
  double mass = 0;
  for (const RigidObject& object : world->objects) mass += object.inertia.mass;
  for (std::size_t i = 0; i < contacts.size(); ++i)
    if (world->entity(contacts[i].a).kind == World::Kind::terrain) onTerrain += forces[i];
  EXPECT_NEAR(onTerrain.z(), -9.8 * mass, 0.02 * 9.8 * mass);
  for (const double fraction : history.fractions()) EXPECT_LE(fraction, 1 + 1e-9);
  EXPECT_THROW(history.add({}, 0), Error);
}

TEST_F(WorldTouch, HuboClimbsAStairInBalance) {
  MORTISE_NEEDS_REFERENCE();
  const std::string data = referenceDir() + "/klampt-data/";
  const RobotPtr hubo = robot(data + "robots/huboplus/huboplus_col.rob");
  const auto motion = loader_.load<MultiPath>(data + "resources/hubo_stair_climb/path_coarse.xml", {}, diagnostics_);
  WorldContactOptions touch;
  touch.touch = 0.01;
  RobotInWorld world(loader_, data + "hubo_stair_rail.xml", hubo, touch, diagnostics_);
  BalanceOptions options;
  options.tolerance = 1e-4;
  const MotionBalance balance = testBalance(hubo, motion, {}, &world, options);
  EXPECT_EQ(balance.milestones.size(), 14u);
  EXPECT_EQ(balance.balanced(), 14);
  EXPECT_GT(balance.smallestMargin(), 0.035);
}

}  // namespace
}  // namespace mortise::test
