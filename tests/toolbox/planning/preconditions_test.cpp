// Spaces refuse configurations of another dimension.

#include "tests/support/preconditions.h"

#include <gtest/gtest.h>

#include "mortise/planning/spaces/composed_space.h"
#include "mortise/planning/spaces/function_space.h"
#include "mortise/planning/spaces/robot_space.h"
#include "tests/support/worlds.h"

namespace mortise {
namespace {

using test::refuses;

void expectRefusals(PlanningSpace& space) {
  const VectorXd good = VectorXd::Zero(space.dimension()), large = VectorXd::Zero(space.dimension() + 1);
  VectorXd q;
  RandomStream random(1, "preconditions");
  EXPECT_THROW(space.distance(good, large), PreconditionError);
  EXPECT_THROW(space.interpolate(large, good, 0.5, q), PreconditionError);
  EXPECT_THROW(space.sampleNear(random, large, 0.1, q), PreconditionError);
  EXPECT_THROW(space.visible(good, large), PreconditionError);
  EXPECT_THROW(space.satisfies(-1, good), PreconditionError);
  EXPECT_THROW(space.satisfies(static_cast<int>(space.constraints().size()), good), PreconditionError);
  EXPECT_NO_THROW(space.feasible(good));
}

TEST(PlanningPreconditions, OfARobot) {
  const auto world = std::make_shared<World>();
  RobotDescription description = test::armDescription(3);
  for (Link& link : description.links) link.qMin = -3, link.qMax = 3;
  world->robots.push_back(test::placedRobot(description));
  RobotSpace space(std::make_shared<WorldCollider>(world), 0, VectorXd::Zero(3));
  expectRefusals(space);
  EXPECT_TRUE(refuses([&] { space.feasible(VectorXd::Zero(2)); },
                      "RobotCoordinates::lift: `q` has 2 entries instead of 3, one for each coordinate"));
  VectorXd q;
  EXPECT_THROW(space.reduce(VectorXd::Zero(2), q), PreconditionError);
}

TEST(PlanningPreconditions, OfFunctionsAndOfSpacesMadeOfOthers) {
  const auto square = std::make_shared<FunctionSpace>(VectorXd::Constant(2, -1), VectorXd::Constant(2, 1));
  expectRefusals(*square);
  ComposedSpace both({{"a", square, 1}, {"b", std::shared_ptr<PlanningSpace>(square->copy()), 1}});
  expectRefusals(both);
  SubsetSpace line(std::shared_ptr<PlanningSpace>(square->copy()), {1}, VectorXd::Zero(2));
  expectRefusals(line);
}

}  // namespace
}  // namespace mortise
