// Edits of a world while it is simulated: what they do to motion, that they repeat bit by bit, and what cannot be.

#include <cmath>

#include "mortise/base/value_text.h"
#include "mortise/json/json_writer.h"
#include "mortise/pipeline/simulate/command_schedule.h"
#include "mortise/simulation/editing/world_edit.h"
#include "mortise/simulation/saving/saved_state.h"
#include "tests/runtime/simulation/commands_on_backend.h"
#include "tests/support/worlds.h"

namespace mortise::test {
namespace {

WorldEdit editOf(const std::string& yaml) { return worldEditFrom(parseYaml(yaml, "edit.yaml")); }

class EditsOn : public CommandsOnBackend {
 protected:
  static World space() {
    World world = smallWorld();
    world.simulation.gravity.setZero();
    return world;
  }
  /// Returns every kind of edit, while boxes fall onto each other and an arm holds itself.
  static std::string manyEdits() {
    return "- {at: 20 ms, edit: {body: low, mass: 3 kg}}\n"
           "- {at: 30 ms, edit: {body: 'arm[rod1]', mass: 2}}\n"
           "- {at: 40 ms, edit: {add: ball, sphere: 0.1 m, mass: 0.5 kg, position: [2, 0, 0.8]}}\n"
           "- {at: 60 ms, edit: {body: ground, friction: 0.1}}\n"
           "- {at: 70 ms, edit: {body: arm, driver: rod0, servo_p: 100, servo_d: 10}}\n"
           "- {at: 80 ms, edit: {body: high, position: [2.1, 0, 0.5], rotation: [0, 30 deg, 0]}}\n"
           "- {at: 90 ms, edit: {remove: low}}\n"
           "- {at: 95 ms, body: high, impulse: [0, 0.2, 0]}\n";
  }
};

TEST_P(EditsOn, AForceAcceleratesTheNewMass) {
  World world = space();
  world.robots.clear();
  world.terrains.clear();
  Simulation simulation(world, *registry, nullptr, log, undamped());
  const auto push = [&](int steps) {
    for (int i = 0; i < steps; ++i) {
      simulation.applyWrench(world.objectId(1), Vector3d(2, 0, 0), Vector3d::Zero(), simulation.objectState(1).X_WB.p);
      simulation.step();
    }
  };
  push(100);
  const double first = 2.0 / 1 * 0.1, second = 2.0 / 4 * 0.1;
  EXPECT_NEAR(simulation.objectState(1).v_WB.x(), first, 1e-9);
  const Vector3d place = simulation.objectState(1).X_WB.p;
  simulation.edit(editOf("{body: high, mass: 4 kg}"));
  EXPECT_EQ(simulation.objectState(1).X_WB.p, place);
  EXPECT_NEAR(simulation.objectState(1).v_WB.x(), first, 1e-12) << "an edit leaves velocities";
  push(100);
  EXPECT_NEAR(simulation.objectState(1).v_WB.x(), first + second, 1e-9);
  EXPECT_NEAR(simulation.energy().kinetic, 0.5 * 4 * std::pow(first + second, 2), 1e-8);
  EXPECT_EQ(simulation.world().objects[1].inertia.inertia, 4 * world.objects[1].inertia.inertia);
}

TEST_P(EditsOn, FrictionHoldsUntilItIsTakenAway) {
  World world;
  world.terrains.push_back(groundTerrain());
  world.objects.push_back(boxObject("box", Vector3d(0, 0, 0.1025)));
  world.objects[0].v_WO.x() = 2;
  Simulation simulation(world, *registry, nullptr, log, options());
  simulation.advance(0.2);
  const double slower = simulation.objectState(0).v_WB.x();
  EXPECT_NEAR(slower, 2 - 0.5 * 9.8 * 0.2, 0.06) << "friction 0.5";
  simulation.edit(editOf("{body: box, friction: 0}"));
  simulation.advance(0.2);
  EXPECT_NEAR(simulation.objectState(0).v_WB.x(), slower, 5e-3);
  EXPECT_NEAR(simulation.objectState(0).X_WB.p.z(), 0.1, 0.004) << "it still lies on the ground";
}

TEST_P(EditsOn, ObjectsComeAndGo) {
  const World world = smallWorld();
  Simulation simulation(world, *registry, nullptr, log, undamped());
  simulation.advance(0.05);
  const VectorXd q = simulation.configuration(0);
  const RigidTransform low = simulation.objectState(0).X_WB;
  simulation.edit(editOf("{add: ball, sphere: 0.1 m, mass: 2 kg, position: [-2, 0, 3], velocity: [0, 1, 0]}"));
  ASSERT_EQ(simulation.world().objects.size(), 3u);
  EXPECT_EQ(simulation.world().objects[2].inertia.mass, 2);
  EXPECT_NEAR(simulation.world().objects[2].inertia.inertia(0, 0), 0.4 * 2 * 0.01, 1e-12);
  EXPECT_LT((simulation.configuration(0) - q).norm(), 1e-12);
  EXPECT_EQ(simulation.currentId(world.linkId(0, 1)), simulation.world().linkId(0, 1));
  EXPECT_EQ(world.linkId(0, 1) + 1, simulation.world().linkId(0, 1)) << "links are numbered behind objects";
  simulation.advance(0.2);
  const double fallen = 0.5 * 9.8 * 0.2 * 0.2;
  EXPECT_NEAR(simulation.objectState(2).X_WB.p.z(), 3 - fallen, 9.8 * 0.2 * 1e-3);
  EXPECT_NEAR(simulation.objectState(2).X_WB.p.y(), 0.2, 1e-9);
  const BodyState ball = simulation.objectState(2), high = simulation.objectState(1);
  simulation.edit(editOf("{remove: low}"));
  ASSERT_EQ(simulation.world().objects.size(), 2u);
  EXPECT_EQ(simulation.objectState(1).X_WB.p, ball.X_WB.p);
  EXPECT_EQ(simulation.objectState(0).X_WB.p, high.X_WB.p);
  EXPECT_EQ(simulation.currentId(world.objectId(0)), -1);
  EXPECT_EQ(simulation.currentId(world.objectId(1)), simulation.world().objectId(0));
  simulation.advance(0.5);
  EXPECT_EQ(simulation.fault(), "");
  EXPECT_LT(simulation.objectState(0).X_WB.p.z(), low.p.z() + 0.05) << "nothing is below it any more";
  simulation.reset();
  EXPECT_EQ(&simulation.world(), &world) << "a reset takes edits back";
  EXPECT_EQ(simulation.objectState(0).X_WB.p, world.objects[0].X_WO.p);
}

TEST_P(EditsOn, ThingsArePutElsewhere) {
  const World world = space();
  Simulation simulation(world, *registry, nullptr, log, undamped());
  simulation.edit(editOf("{body: high, position: [1, 2, 3], rotation: [0, 0, 90 deg], velocity: [0, 0, 1]}"));
  EXPECT_EQ(simulation.objectState(1).X_WB.p, Vector3d(1, 2, 3));
  EXPECT_LT((simulation.objectState(1).X_WB.R * Vector3d::UnitX() - Vector3d::UnitY()).norm(), 1e-12);
  EXPECT_EQ(simulation.objectState(1).v_WB, Vector3d(0, 0, 1));
  simulation.edit(editOf("{body: arm, configuration: {rod1: -40 deg}}"));
  EXPECT_NEAR(simulation.configuration(0)[1], -40 * std::acos(-1) / 180, 1e-9);
  EXPECT_NEAR(simulation.configuration(0)[0], 0.3, 1e-9);
  EXPECT_TRUE(simulation.edits().empty()) << "the world is the same one";
}

TEST_P(EditsOn, AWeakerServoSagsMore) {
  World world = smallWorld();
  Simulation simulation(world, *registry, nullptr, log, options());
  ASSERT_TRUE(simulation.controller(0)->changeSetting("enable_gravity_compensation", false));
  simulation.advance(3);
  const auto torque = [&] { return simulation.view().robots[0].driverTorques[0]; };
  const double held = simulation.configuration(0)[0];
  EXPECT_NEAR(torque(), 400 * (0.3 - held), 0.05);
  simulation.edit(editOf("{body: arm, driver: rod0, servo_p: 150}"));
  EXPECT_EQ(simulation.view().robots[0].commands[0].kP, 150);
  EXPECT_EQ(simulation.view().robots[0].commands[1].kP, 400);
  simulation.advance(3);
  EXPECT_GT(simulation.configuration(0)[0], held + 0.02);
  EXPECT_NEAR(torque(), 150 * (0.3 - simulation.configuration(0)[0]), 0.05);
}

TEST_P(EditsOn, RepeatBitByBitAlsoFromSavedStates) {
  const World world = smallWorld();
  const auto hashOfRun = [&] {
    Simulation simulation(world, *registry, nullptr, log, options());
    CommandSchedule schedule(commandsOf(manyEdits(), world));
    advance(simulation, schedule, 0.12);
    EXPECT_EQ(schedule.done(simulation).size(), 8u);
    return simulation.stateHash();
  };
  const std::uint64_t hash = hashOfRun();
  EXPECT_EQ(hashOfRun(), hash);

  Simulation simulation(world, *registry, nullptr, log, options());
  CommandSchedule schedule(commandsOf(manyEdits(), world));
  std::vector<std::vector<std::byte>> states;
  std::string file;
  for (const double part : {0.01, 0.015, 0.025, 0.035, 0.008}) {
    advance(simulation, schedule, part);
    states.push_back(simulation.save());
    file = stateText(simulation, StateFormat::raw);
  }
  advance(simulation, schedule, 0.027);
  EXPECT_EQ(simulation.stateHash(), hash);
  // Back and forth, across edits.
  for (const std::size_t at : {0u, 3u, 1u, 4u, 2u}) {
    simulation.restore(states[at]);
    CommandSchedule rest(commandsOf(manyEdits(), world));
    rest.skipTo(simulation);
    simulation.advance(0.12 - simulation.time(), [&] { return rest.run(simulation); });
    EXPECT_EQ(simulation.stateHash(), hash) << "from state " << at;
  }
  // Another simulation, from what a file holds.
  Simulation other(world, *registry, nullptr, log, options());
  std::string reason;
  EXPECT_FALSE(fitsInPosesOnly(other, file, reason));
  loadState(other, file, {});
  EXPECT_EQ(other.world().objects.size(), 2u);
  CommandSchedule rest(commandsOf(manyEdits(), world));
  rest.skipTo(other);
  advance(other, rest, 0.12 - other.time());
  EXPECT_EQ(other.stateHash(), hash);
}

TEST_P(EditsOn, WhatPeopleGiveWhileItRunsIsRepeated) {
  const World world = smallWorld();
  Simulation simulation(world, *registry, nullptr, log, options());
  CommandSchedule schedule(commandsOf("- {at: 20 ms, body: low, impulse: [0.1, 0, 0]}\n", world), 0);
  advance(simulation, schedule, 0.02);
  schedule.add(commandsOf("- {at: 0, edit: {body: low, mass: 2}}", world)[0], simulation);
  advance(simulation, schedule, 0.02);
  const std::vector<std::byte> middle = simulation.save();
  advance(simulation, schedule, 0.005);
  schedule.add(commandsOf("- {at: 0, edit: {add: ball, sphere: 0.1, mass: 1, position: [2, 0, 1]}}", world)[0],
               simulation);
  EXPECT_THROW(schedule.add(commandsOf("- {at: 0, edit: {remove: nothing}}", world)[0], simulation), Error);
  advance(simulation, schedule, 0.055);
  const std::uint64_t hash = simulation.stateHash();
  const Value added = schedule.added(simulation);
  ASSERT_EQ(added.size(), 2u);
  EXPECT_NEAR(added[0].at("at").asReal(), 0.02, 1e-9);

  // From its record.
  Diagnostics diagnostics;
  Value list = added;
  std::vector<TimedCommand> again = timedCommandsFrom(list, world, diagnostics);
  for (TimedCommand& each : commandsOf("- {at: 20 ms, body: low, impulse: [0.1, 0, 0]}\n", world))
    again.insert(again.begin(), std::move(each));
  sortByTime(again);
  Simulation repeated(world, *registry, nullptr, log, options());
  CommandSchedule repeat(std::move(again));
  advance(repeated, repeat, 0.1);
  EXPECT_EQ(repeated.stateHash(), hash);

  // Back, and on without what came later.
  simulation.restore(middle);
  schedule.forgetAdded(0.04, simulation);
  advance(simulation, schedule, 0.06);
  EXPECT_NE(simulation.stateHash(), hash);
  EXPECT_EQ(simulation.world().objects.size(), 2u);
  EXPECT_EQ(schedule.added(simulation).size(), 1u);
}

TEST_P(EditsOn, WhatCannotBeLeavesEverythingAsItWas) {
  World world = smallWorld();
  WorldJoint joint;
  joint.idA = world.objectId(0);
  joint.point = Vector3d(2, 0, 0.1);
  world.simulation.joints.push_back(joint);
  Simulation simulation(world, *registry, nullptr, log, options());
  simulation.advance(0.03);
  const std::uint64_t hash = simulation.stateHash();
  for (const auto& [yaml, expected] : std::vector<std::pair<std::string, std::string>>{
           {"{remove: 'arm[rod1]'}", "remove links of a robot before the run"},
           {"{remove: ground}", "set its 'friction'"},
           {"{remove: arm}", "leave the robot out"},
           {"{remove: low}", "a joint of the world holds it"},
           {"{remove: hgih}", "did you mean 'high'?"},
           {"{body: hgih, mass: 1}", "did you mean 'high'?"},
           {"{body: ground, mass: 1}", "has no mass of its own"},
           {"{body: ground, position: [0, 0, 1]}", "is a terrain, which never moves"},
           {"{body: arm, position: [0, 0, 1]}", "give it a 'configuration'"},
           {"{body: 'arm[rod0]', position: [0, 0, 1]}", "moves as the joints below it do"},
           {"{body: high, configuration: [1]}", "has no configuration"},
           {"{body: arm, configuration: [1, 2, 3]}", "arm"},
           {"{body: arm, driver: rod7, servo_p: 1}", "has no driver 'rod7'"},
           {"{body: arm, friction: 1}", "name one of its links: arm[rod0]"},
           {"{add: low, sphere: 1, mass: 1}", "give the object that comes another name"},
           {"{add: thing, file: thing.off, mass: 1}", "reads no files"}}) {
    try {
      simulation.edit(editOf(yaml));
      ADD_FAILURE() << yaml << " is accepted";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(expected), std::string::npos) << yaml << ": " << error.what();
    }
    EXPECT_EQ(simulation.stateHash(), hash) << yaml;
    EXPECT_EQ(&simulation.world(), &world) << yaml;
  }
  simulation.setDynamics(1, false);
  EXPECT_THROW(simulation.edit(editOf("{body: high, mass: 2}")), Error);
}

INSTANTIATE_TEST_SUITE_P(Backends, EditsOn, testing::Values("mortise", "ode", "bullet"),
                         [](const auto& tested) { return std::string(tested.param); });

TEST(EditEntries, SayWhatDoesNotGoTogether) {
  for (const auto& [yaml, expected] : std::vector<std::pair<std::string, std::string>>{
           {"{mass: 1}", "one of the keys 'body', 'add' and 'remove'"},
           {"{body: a, remove: b}", "one of the keys"},
           {"{body: a}", "nothing changes"},
           {"{body: a, mas: 1}", "did you mean 'mass'?"},
           {"{body: a, mass: -1}", "mass"},
           {"{body: a, sphere: 1, mass: 1}", "goes with 'add'"},
           {"{body: a, servo_p: 1}", "'driver', which is missing"},
           {"{body: a, driver: d}", "nothing of the driver changes"},
           {"{body: a, configuration: [0], position: [0, 0, 0]}", "excludes"},
           {"{add: a, mass: 1}", "has one shape"},
           {"{add: a, box: [1, 1, 1], sphere: 1, mass: 1}", "has one shape"},
           {"{add: a, box: [1, 1, 1]}", "needs a 'mass'"},
           {"{add: a, box: [1, 0, 1], mass: 1}", "above 0"},
           {"{remove: a, mass: 1}", "nothing else can change"},
           {"[1]", "a map"}}) {
    try {
      (void)editOf(yaml);
      ADD_FAILURE() << yaml << " is accepted";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(expected), std::string::npos) << yaml << ": " << error.what();
    }
  }
  const WorldEdit edit = editOf("{body: block, position: [1, 0, 2.5], mass: 200 g}");
  EXPECT_EQ(editOf(toJson(edit.record(), -1)).text(), edit.text());
  EXPECT_EQ(edit.record().at("mass").asReal(), 0.2);
}

}  // namespace
}  // namespace mortise::test
