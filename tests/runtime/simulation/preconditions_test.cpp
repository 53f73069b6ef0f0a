// Robots, objects and sizes that a simulation does not have are refused, and the simulation goes on as if nobody had
// asked.

#include "tests/support/preconditions.h"

#include <gtest/gtest.h>
#include <limits>

#include "mortise/simulation/simulation.h"
#include "tests/support/plugins.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

using test::refuses;

TEST(SimulationPreconditions, IndicesAndSizesAreThoseOfTheWorld) {
  test::MemoryLog log;
  const std::unique_ptr<Registry> registry = test::makeRegistry(log);
  const World world = test::smallWorld();
  Simulation simulation(world, *registry, nullptr, log, {});
  const std::uint64_t before = simulation.stateHash();
  const int robots = static_cast<int>(world.robots.size()), objects = static_cast<int>(world.objects.size());
  const VectorXd good = simulation.configuration(0), large = VectorXd::Zero(good.size() + 1);
  EXPECT_TRUE(refuses([&] { simulation.setRobotState(0, good, large); },
                      "Simulation::setRobotState: `dq` has " + std::to_string(large.size()) + " entries instead of " +
                          std::to_string(good.size()) + ", one for each link"));
  EXPECT_THROW(simulation.setRobotState(robots, good, good), PreconditionError);
  EXPECT_THROW(simulation.configuration(-1), PreconditionError);
  EXPECT_THROW(simulation.velocity(robots), PreconditionError);
  EXPECT_THROW(simulation.controller(robots), PreconditionError);
  EXPECT_THROW(simulation.sensorReadings(robots), PreconditionError);
  EXPECT_THROW(simulation.setSensorEnabled(robots, "q", false), PreconditionError);
  EXPECT_THROW(simulation.motorModel(0, 1000), PreconditionError);
  EXPECT_THROW(simulation.setMotorModel(robots, 0, nullptr), PreconditionError);
  EXPECT_THROW(simulation.objectState(objects), PreconditionError);
  EXPECT_THROW(simulation.setObjectState(-1, {}), PreconditionError);
  EXPECT_THROW(simulation.setDynamics(objects, false), PreconditionError);
  EXPECT_EQ(simulation.stateHash(), before);
}

TEST(SimulationPreconditions, StatesAndForcesAreFinite) {
  test::MemoryLog log;
  const std::unique_ptr<Registry> registry = test::makeRegistry(log);
  const World world = test::smallWorld();
  Simulation simulation(world, *registry, nullptr, log, {});
  const std::uint64_t before = simulation.stateHash();
  const Vector3d zero = Vector3d::Zero(), nan = Vector3d::Constant(std::numeric_limits<double>::quiet_NaN());
  BodyState state;
  state.v_WB = nan;
  EXPECT_THROW(simulation.setObjectState(0, state), Error);
  EXPECT_THROW(simulation.applyWrench(world.objectId(0), nan, zero, zero), Error);
  EXPECT_EQ(simulation.stateHash(), before);
}

}  // namespace
}  // namespace mortise
