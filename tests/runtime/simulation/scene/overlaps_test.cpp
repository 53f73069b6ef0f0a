/// What is measured of the bodies that overlap before anything moves.

#include "mortise/simulation/scene/overlaps.h"

#include <gtest/gtest.h>

#include "mortise/simulation/scene/boundary_layer.h"
#include "mortise/simulation/scene/scene_builder.h"

namespace mortise {
namespace {

/// Balls of 0.1 m in a row, each `step` m from the last one.
World ballsInARow(int count, double step) {
  World world;
  const auto ball = std::make_shared<const Geometry>(SphereShape{Vector3d::Zero(), 0.1});
  for (int i = 0; i < count; ++i) {
    RigidObject object;
    object.name = "ball" + std::to_string(i);
    object.geometry = ball;
    object.inertia.mass = 1;
    object.inertia.inertia = 0.004 * Matrix3d::Identity();
    object.X_WO.p = Vector3d(step * i, 0, 0);
    world.objects.push_back(std::move(object));
  }
  return world;
}

TEST(Overlaps, AreAllMeasuredWhereTheyAreFew) {
  const StartOverlaps overlaps = overlapsOf(buildScene(ballsInARow(40, 0.15)).description);
  EXPECT_EQ(overlaps.bodies.size(), 39u);
  EXPECT_NEAR(overlaps.bodies.front().depth, 0.05, 1e-9);
  EXPECT_EQ(overlaps.measuredPairs, overlaps.nearPairs);
  EXPECT_EQ(unmeasuredText(overlaps), "");
}

TEST(Overlaps, OfAHeapAreMeasuredInPartAndCounted) {
  const StartOverlaps overlaps = overlapsOf(buildScene(ballsInARow(200, 1e-4)).description);
  EXPECT_EQ(overlaps.nearPairs, 200u * 199 / 2);
  EXPECT_EQ(overlaps.measuredPairs, kMaxMeasuredPairs);
  EXPECT_EQ(overlaps.bodies.size(), kMaxMeasuredPairs);
  for (const BodyOverlap& overlap : overlaps.bodies)
    EXPECT_NEAR(overlap.depth, 0.2 - 1e-4 * (overlap.idB - overlap.idA), 1e-9);
  EXPECT_EQ(unmeasuredText(overlaps),
            "19900 pairs of bodies are near each other at the start, and 10000 of them were measured; the others may "
            "overlap, too");
}

TEST(BoundaryLayerSwitches, AreSavedAndTakeMemoryOfWhatIsSwitchedAlone) {
  const World world = ballsInARow(500, 0.15);
  const SceneMap map = buildScene(world);
  std::vector<BodyState> bodies;
  for (const SceneBody& body : map.description.bodies) bodies.push_back({body.X_WB, body.v_WB, body.w_WB});
  BoundaryLayer layer(map.description);
  layer.update(bodies, 0);
  const auto touches = [](const BoundaryLayer& of, int a, int b) {
    return std::any_of(of.contacts().begin(), of.contacts().end(),
                       [&](const SceneContact& contact) { return contact.idA == a && contact.idB == b; });
  };
  EXPECT_TRUE(touches(layer, 3, 4));
  ByteWriter before;
  layer.save(before);
  layer.setCollision(3, 4, false);
  EXPECT_FALSE(touches(layer, 3, 4));
  EXPECT_TRUE(touches(layer, 4, 5));
  layer.setCollision(7, -1, false);
  EXPECT_FALSE(touches(layer, 6, 7));
  EXPECT_FALSE(touches(layer, 7, 8));
  layer.setCollision(7, 8, true);
  ByteWriter saved;
  layer.save(saved);
  // A matrix of them would have 250,000 entries.
  EXPECT_LT(saved.bytes().size(), before.bytes().size() + 8 * 500);
  BoundaryLayer other(map.description);
  ByteReader in(saved.bytes());
  other.restore(in);
  other.update(bodies, 1);
  EXPECT_FALSE(touches(other, 3, 4));
  EXPECT_FALSE(touches(other, 6, 7));
  EXPECT_TRUE(touches(other, 7, 8));
  EXPECT_TRUE(touches(other, 4, 5));
  // Back to where nothing is switched off.
  ByteReader first(before.bytes());
  other.restore(first);
  other.update(bodies, 1);
  EXPECT_TRUE(touches(other, 3, 4));
}

TEST(BoundaryLayerSwitches, AreReadFromTheMatrixOfEarlierSnapshots) {
  constexpr int kBalls = 5;
  const SceneMap map = buildScene(ballsInARow(kBalls, 0.15));
  std::vector<BodyState> bodies;
  for (const SceneBody& body : map.description.bodies) bodies.push_back({body.X_WB, body.v_WB, body.w_WB});
  BoundaryLayer layer(map.description);
  layer.update(bodies, 0);
  ByteWriter none;
  layer.save(none);
  // The count of switches stands last. They were a byte for each two ids, of either order and of an id with itself.
  ByteWriter earlier;
  earlier.append(none.bytes().data(), none.bytes().size() - sizeof(std::uint64_t));
  earlier.put(std::uint64_t{kBalls * kBalls});
  for (int a = 0; a < kBalls; ++a)
    for (int b = 0; b < kBalls; ++b) earlier.put(static_cast<std::uint8_t>(a == 2 || b == 2));
  ByteReader in(earlier.bytes());
  BoundaryLayer other(map.description);
  other.restore(in);
  EXPECT_TRUE(in.atEnd());
  other.update(bodies, 1);
  const auto pairsOf = [](const BoundaryLayer& of) {
    std::vector<IdPair> pairs;
    for (const SceneContact& contact : of.contacts()) pairs.push_back({contact.idA, contact.idB});
    return pairs;
  };
  EXPECT_EQ(pairsOf(other), (std::vector<IdPair>{{0, 1}, {3, 4}}));
  // What is saved now is as if they had been switched off here.
  layer.setCollision(2, -1, false);
  layer.update(bodies, 1);
  ByteWriter here, there;
  layer.save(here);
  other.save(there);
  EXPECT_EQ(here.bytes(), there.bytes());
}

/// Small terrains side by side, and a ball above one of them.
TEST(ContactScenes, PrepareOfManyTerrainsWhatSomethingComesNearTo) {
  World world = ballsInARow(1, 0);
  world.objects[0].X_WO.p = Vector3d(3, 0, 0.14);
  const TriangleMesh flat{{{-0.4, -0.4, 0}, {0.4, -0.4, 0}, {0.4, 0.4, 0}, {-0.4, 0.4, 0}}, {{0, 1, 2}, {0, 2, 3}}};
  for (int i = 0; i < 200; ++i) {
    Terrain terrain;
    terrain.name = "tile" + std::to_string(i);
    TriangleMesh tile = flat;
    for (Vector3d& vertex : tile.vertices) vertex.x() += i;
    terrain.geometry = std::make_shared<const Geometry>(std::move(tile));
    world.terrains.push_back(std::move(terrain));
  }
  const SceneMap map = buildScene(world);
  std::vector<BodyState> bodies;
  for (const SceneBody& body : map.description.bodies) bodies.push_back({body.X_WB, body.v_WB, body.w_WB});
  BoundaryLayer layer(map.description);
  const auto prepared = [&] {
    std::vector<int> ids;
    for (int id = 0; id < layer.shapes()->numIds(); ++id)
      if (layer.shapes()->takesPart(id) && layer.shapes()->body(id).shape.prepared()) ids.push_back(id);
    return ids;
  };
  layer.update(bodies, 0);
  EXPECT_EQ(prepared(), std::vector<int>{}) << "nothing is near";
  BodyState& ball = bodies[static_cast<std::size_t>(map.description.bodies.size()) - 1];
  ball.X_WB.p.z() = 0.0995;
  layer.update(bodies, 1);
  EXPECT_EQ(prepared(), (std::vector<int>{3, 200}));
  ASSERT_EQ(layer.contacts().size(), 1u);
  EXPECT_NEAR(layer.contacts()[0].point.x(), 3, 1e-9);
  EXPECT_NEAR(layer.contacts()[0].gap,
              -0.0005 - world.simulationSurface(3).thickness() - world.simulationSurface(200).thickness(), 1e-9);
}

}  // namespace
}  // namespace mortise
