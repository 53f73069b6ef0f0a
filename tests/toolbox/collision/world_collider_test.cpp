#include "mortise/collision/world_collider.h"

#include <gtest/gtest.h>
#include <thread>

#include "mortise/base/error.h"
#include "mortise/base/random.h"
#include "mortise/math/rotation.h"
#include "tests/support/allocation_counter.h"
#include "tests/toolbox/collision/sample_worlds.h"

namespace mortise {
namespace {

using test::blocksWorld;
using test::foldingRobot;

std::vector<IdPair> pairsOf(WorldCollisionState& state) {
  std::vector<IdPair> pairs;
  state.collisions(pairs);
  return pairs;
}

TEST(WorldCollider, NumbersItsPairsWithoutGaps) {
  const WorldCollider collider(blocksWorld(100));
  int next = 0;
  for (int a = 0; a < collider.numIds(); ++a) {
    for (int b = a + 1; b < collider.numIds(); ++b) {
      if (!collider.pairs()(a, b)) continue;
      EXPECT_EQ(collider.pairIndex(a, b), next);
      EXPECT_EQ(collider.pairIndex(b, a), next);
      ++next;
    }
  }
  EXPECT_EQ(next, collider.numPairs());
}

TEST(WorldCollider, ChecksWhatCanMove) {
  // Ids: terrain 0, objects 1 to 3, robot 4, links 5 to 7.
  const WorldCollider collider(blocksWorld(3));
  EXPECT_TRUE(collider.pairs()(0, 1));
  EXPECT_TRUE(collider.pairs()(1, 2));
  EXPECT_TRUE(collider.pairs()(1, 6));
  EXPECT_TRUE(collider.pairs()(0, 5)) << "the mounted link against the terrain";
  EXPECT_FALSE(collider.pairs()(5, 6)) << "parent and child: not in the robot's rules";
  EXPECT_TRUE(collider.pairs()(5, 7));
  EXPECT_FALSE(collider.shape(4));
  const WorldCollider planning(blocksWorld(3), {.fixedLinksAgainstTerrains = false});
  EXPECT_FALSE(planning.pairs()(0, 5));
  EXPECT_TRUE(planning.pairs()(0, 6));
}

TEST(WorldCollider, PreparesSharedShapesOnce) {
  const WorldCollider collider(blocksWorld(3));
  EXPECT_EQ(collider.shape(1), collider.shape(2));
}

TEST(WorldCollider, TakesShapesThatExist) {
  const auto world = blocksWorld(3);
  const WorldCollider first(world);
  WorldColliderOptions options;
  options.prepared = {first.shape(1)};
  const WorldCollider second(world, options);
  EXPECT_EQ(second.shape(1), first.shape(1));
  EXPECT_NE(second.shape(0), first.shape(0)) << "none was given for it";
  // Another margin is another shape.
  World padded = *world;
  padded.objects[0].geometry = padded.objects[0].geometry->withMargin(0.01);
  const WorldCollider third(std::make_shared<const World>(std::move(padded)), options);
  EXPECT_NE(third.shape(1), first.shape(1));
  EXPECT_EQ(third.shape(2), first.shape(1));
}

TEST(WorldCollisionState, FindsWhatBruteForceFinds) {
  const auto collider = std::make_shared<const WorldCollider>(blocksWorld(40));
  WorldCollisionState state(collider);
  RandomStream random(1, "poses");
  int total = 0;
  for (int round = 0; round < 200; ++round) {
    // A few bodies move; the others keep what was found out about them.
    for (int k = 0; k < 5; ++k) {
      const int id = 1 + static_cast<int>(random.below(40));
      const Vector3d axis(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
      state.setPose(id, {rotationFromMoment(3 * axis),
                         Vector3d(random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(0, 2))});
    }
    state.setConfiguration(0, VectorXd(Vector3d(0, random.uniform(-3, 3), random.uniform(-3, 3))));
    std::vector<IdPair> expected;
    QueryWorkspace workspace;
    for (int a = 0; a < collider->numIds(); ++a) {
      for (int b = a + 1; b < collider->numIds(); ++b) {
        if (collider->pairs()(a, b) &&
            collide(*collider->shape(a), state.pose(a), *collider->shape(b), state.pose(b), workspace))
          expected.push_back({a, b});
      }
    }
    total += static_cast<int>(expected.size());
    ASSERT_EQ(pairsOf(state), expected);
    IdPair found;
    ASSERT_EQ(state.anyCollision(&found), !expected.empty());
    if (!expected.empty()) {
      EXPECT_EQ(std::count(expected.begin(), expected.end(), found), 1);
    }
    // A state that knows nothing of the past finds the same.
    WorldCollisionState fresh(collider);
    for (int id = 0; id < collider->numIds(); ++id) fresh.setPose(id, state.pose(id));
    ASSERT_EQ(pairsOf(fresh), expected);
  }
  EXPECT_GT(total, 200);
}

TEST(WorldCollisionState, FamiliesSplitTheWhole) {
  const auto collider = std::make_shared<const WorldCollider>(blocksWorld(3));
  WorldCollisionState state(collider);
  // Block 1 into the ground, 2 into 3, link 7 folded back onto link 5.
  state.setPose(1, {Matrix3d::Identity(), Vector3d(5, 5, 0)});
  state.setPose(2, {Matrix3d::Identity(), Vector3d(8, 8, 3)});
  state.setPose(3, {Matrix3d::Identity(), Vector3d(8.05, 8, 3)});
  state.setConfiguration(0, VectorXd(Vector3d(0, 3.14, 3.14)));
  std::vector<IdPair> pairs;
  state.objectTerrainCollisions(-1, -1, pairs);
  EXPECT_EQ(pairs, (std::vector<IdPair>{{0, 1}}));
  state.objectObjectCollisions(-1, pairs);
  EXPECT_EQ(pairs, (std::vector<IdPair>{{2, 3}}));
  state.objectObjectCollisions(0, pairs);
  EXPECT_TRUE(pairs.empty());
  state.robotSelfCollisions(0, pairs);
  EXPECT_EQ(pairs, (std::vector<IdPair>{{5, 7}}));
  state.robotObjectCollisions(0, -1, pairs);
  EXPECT_TRUE(pairs.empty());
  state.robotTerrainCollisions(0, -1, pairs);
  for (const IdPair& pair : pairs) EXPECT_EQ(pair.a, 0);
  EXPECT_TRUE(state.selfCollision(0));
  state.collisions(IdFilter::of({4}), IdFilter::of({5, 6, 7}), pairs);
  EXPECT_EQ(pairs, (std::vector<IdPair>{{5, 7}})) << "a robot's id means its links";
}

TEST(WorldCollisionState, ToleranceCountsNearOnes) {
  const auto collider = std::make_shared<const WorldCollider>(blocksWorld(2));
  WorldCollisionState state(collider);
  state.setPose(1, {Matrix3d::Identity(), Vector3d(5, 5, 5)});
  state.setPose(2, {Matrix3d::Identity(), Vector3d(5.25, 5, 5)});  // Blocks of 0.2: a gap of 0.05.
  std::vector<IdPair> pairs;
  state.objectObjectCollisions(-1, pairs);
  EXPECT_TRUE(pairs.empty());
  state.setTolerance(0.051);
  state.objectObjectCollisions(-1, pairs);
  EXPECT_EQ(pairs.size(), 1u);
  state.setTolerance(0.049);
  state.objectObjectCollisions(-1, pairs);
  EXPECT_TRUE(pairs.empty());
  EXPECT_NEAR(state.distance(1, 2).distance, 0.05, 1e-12);
  EXPECT_LE(state.distanceBound(1, 2), 0.05);
  EXPECT_THROW(state.setTolerance(-1), Error);
}

TEST(WorldCollisionState, NearestIsTheLeastOfAllPairs) {
  const auto collider = std::make_shared<const WorldCollider>(blocksWorld(20));
  WorldCollisionState state(collider);
  RandomStream random(2, "poses");
  for (int round = 0; round < 30; ++round) {
    for (int id = 1; id <= 20; ++id) {
      const Vector3d axis(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
      state.setPose(id, {rotationFromMoment(3 * axis),
                         Vector3d(random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(2, 6))});
    }
    double minimum = kInfinity;
    for (int a = 1; a <= 20; ++a) {
      for (int b = a + 1; b <= 20; ++b) minimum = std::min(minimum, state.distance(a, b).distance);
    }
    const WorldDistance nearest = state.nearest(IdFilter::objects(), IdFilter::objects());
    EXPECT_NEAR(nearest.result.distance, minimum, 1e-12);
  }
}

TEST(WorldCollisionState, RaysHitTheFirstBody) {
  const auto collider = std::make_shared<const WorldCollider>(blocksWorld(3));
  WorldCollisionState state(collider);
  for (int id = 1; id <= 3; ++id) state.setPose(id, {Matrix3d::Identity(), Vector3d(20, 20, id)});
  const Ray down = {.origin = {20, 20, 10}, .direction = {0, 0, -1}};
  WorldRayHit hit = state.rayCast(down);
  EXPECT_EQ(hit.id, 3);
  EXPECT_NEAR(hit.hit.t, 6.9, 1e-12);
  hit = state.rayCast(down, IdFilter::of({0, 1}));
  EXPECT_EQ(hit.id, 1);
  EXPECT_NEAR(hit.hit.t, 8.9, 1e-12);
  hit = state.rayCast({.origin = {20, 20, 10}, .direction = {0, 0, 1}});
  EXPECT_EQ(hit.id, -1);
}

TEST(WorldCollisionState, SaysWhatItCannotUse) {
  const auto collider = std::make_shared<const WorldCollider>(blocksWorld(2));
  WorldCollisionState state(collider);
  EXPECT_THROW(state.setConfiguration(0, VectorXd::Zero(2)), Error);
  EXPECT_THROW(state.setConfiguration(0, VectorXd::Constant(3, std::nan(""))), Error);
  EXPECT_THROW(state.setPose(1, {Matrix3d::Identity(), Vector3d(kInfinity, 0, 0)}), Error);
  std::vector<IdPair> pairs;
  EXPECT_THROW(state.collisions(IdFilter::of({99}), {}, pairs), Error);
}

TEST(WorldCollisionState, DoesNotAllocateOnceWarm) {
  const auto collider = std::make_shared<const WorldCollider>(blocksWorld(20));
  WorldCollisionState state(collider);
  std::vector<IdPair> pairs;
  const IdFilter robots = IdFilter::robots(0), everything;
  const VectorXd folded = Vector3d(0, 3.1, 3.1), straight = Vector3d::Zero();
  const auto work = [&] {
    for (int id = 1; id <= 20; ++id) state.setPose(id, {Matrix3d::Identity(), Vector3d(0.1 * id, 0, 1)});
    state.setConfiguration(0, folded);
    state.collisions(pairs);
    state.anyCollision(robots, everything);
    state.setConfiguration(0, straight);
    state.collisions(pairs);
    state.robotSelfCollisions(0, pairs);
    state.nearest(robots, everything);
    state.rayCast({.origin = {0.5, 0, 5}, .direction = {0, 0, -1}});
    for (int id = 1; id <= 20; ++id) state.setPose(id, {Matrix3d::Identity(), Vector3d(0.3 * id, 1, 1)});
    state.collisions(pairs);
  };
  work();
  work();
  const std::size_t before = test::allocationCount;
  work();
  EXPECT_EQ(test::allocationCount - before, 0u);
}

TEST(WorldCollisionState, ThreadsShareOneCollider) {
  const auto collider = std::make_shared<const WorldCollider>(blocksWorld(20));
  const auto run = [&collider](std::vector<IdPair>& result) {
    WorldCollisionState state(collider);
    RandomStream random(3, "poses");
    std::vector<IdPair> pairs;
    for (int round = 0; round < 50; ++round) {
      for (int id = 1; id <= 20; ++id)
        state.setPose(id, {Matrix3d::Identity(), Vector3d(random.uniform(-1, 1), random.uniform(-1, 1), 1)});
      state.collisions(pairs);
      result.insert(result.end(), pairs.begin(), pairs.end());
      state.rayCast({.origin = {0, 0, 5}, .direction = {random.uniform(-0.1, 0.1), 0, -1}});
    }
  };
  std::vector<std::vector<IdPair>> results(8);
  std::vector<std::thread> threads;
  for (auto& result : results) threads.emplace_back([&run, &result] { run(result); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(results[0].empty());
  for (const auto& result : results) EXPECT_EQ(result, results[0]);
}

}  // namespace
}  // namespace mortise
