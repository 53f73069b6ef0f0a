// Ids, robots and sizes that a world does not have are refused.

#include "tests/support/preconditions.h"

#include <gtest/gtest.h>

#include "mortise/collision/world_collider.h"
#include "tests/toolbox/collision/sample_worlds.h"

namespace mortise {
namespace {

using test::refuses;

class CollisionPreconditions : public testing::Test {
 protected:
  std::shared_ptr<const WorldCollider> collider = std::make_shared<WorldCollider>(test::blocksWorld(1));
  WorldCollisionState state{collider};
  int ids = collider->numIds();
};

TEST_F(CollisionPreconditions, IdsExist) {
  EXPECT_TRUE(refuses([&] { state.setPose(ids, {}); }, "WorldCollisionState::setPose: `id` is " + std::to_string(ids) +
                                                           ", and ids run from 0 to " + std::to_string(ids - 1)));
  EXPECT_THROW(state.collide(0, -1), PreconditionError);
  EXPECT_THROW(state.distance(ids, 0), PreconditionError);
  std::vector<ElementContact> contacts;
  EXPECT_THROW(state.contacts(0, ids, 0.1, contacts), PreconditionError);
  EXPECT_THROW(collider->pairIndex(0, ids), PreconditionError);
}

TEST_F(CollisionPreconditions, RobotsExistAndHaveTheirLinks) {
  EXPECT_TRUE(refuses([&] { state.setConfiguration(0, VectorXd::Zero(2)); },
                      "WorldCollisionState::setConfiguration: `q` has 2 entries instead of 3, one for each link"));
  EXPECT_THROW(state.setConfiguration(1, VectorXd::Zero(3)), PreconditionError);
  RobotState other(*test::foldingRobot());
  EXPECT_THROW(state.setRobot(-1, other), PreconditionError);
  other.X_WL.resize(9);
  EXPECT_THROW(state.setRobot(0, other), PreconditionError);
}

TEST_F(CollisionPreconditions, ResultsHaveRoom) {
  const std::vector<Ray> rays(2);
  WorldRayHit hit;
  EXPECT_THROW(state.rayCasts(rays, {&hit, 1}), PreconditionError);
  const IdSelection all = state.selection({});
  const std::vector<double> reach(1);
  std::vector<IdPair> pairs;
  EXPECT_THROW(state.pairsInReach(all, all, reach, pairs), PreconditionError);
  EXPECT_THROW(state.anyCollision(all, IdSelection{}), PreconditionError);
  EXPECT_THROW(collider->withPairs(PairTable(1)), PreconditionError);
}

}  // namespace
}  // namespace mortise
