#include "mortise/base/interruption.h"

#include <gtest/gtest.h>
#include <random>

#include "mortise/collision/edge_check.h"
#include "mortise/collision/interruptible_sort.h"
#include "mortise/collision/query.h"
#include "mortise/collision/shape.h"
#include "mortise/geometry/convert.h"
#include "mortise/geometry/remesh.h"
#include "tests/toolbox/collision/sample_worlds.h"

namespace mortise {
namespace {

/// A square of n x n cells with bumps.
TriangleMesh bumps(int n) {
  TriangleMesh mesh;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i) mesh.vertices.emplace_back(0.1 * i, 0.1 * j, 0.05 * ((i * 7 + j * 3) % 5));
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const int a = j * (n + 1) + i, b = a + n + 1;
      mesh.triangles.push_back({a, a + 1, b});
      mesh.triangles.push_back({a + 1, b + 1, b});
    }
  return mesh;
}

/// How often work asks whether it shall end.
template <typename Work>
int timesAsked(const Work& work) {
  int asked = 0;
  const InterruptionScope scope([&asked] {
    ++asked;
    return false;
  });
  work();
  return asked;
}

template <typename Work>
void expectEnds(const Work& work, const char* name) {
  const int asked = timesAsked(work);
  EXPECT_GT(asked, 3) << name;
  for (const int at : {1, asked / 2, asked - 1}) {
    int count = 0;
    const InterruptionScope scope([&] { return ++count > at; });
    EXPECT_THROW(work(), Interrupted) << name << ", asked " << at << " times";
  }
  EXPECT_EQ(timesAsked(work), asked) << name << ": nothing is left of what was interrupted";
}

TEST(Interruption, SortingAsksAndSortsAsAlways) {
  std::mt19937 random(3);
  std::vector<int> list(200000);
  for (int& x : list) x = static_cast<int>(random() % 1000);
  std::vector<int> sorted = list, other = list;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_GT(timesAsked([&] { sortInterruptibly(other); }), 100);
  EXPECT_EQ(other, sorted);
  sortInterruptibly(other, std::greater<>());
  EXPECT_TRUE(std::is_sorted(other.rbegin(), other.rend()));
  const InterruptionScope scope([] { return true; });
  EXPECT_THROW(sortInterruptibly(list), Interrupted);
}

TEST(Interruption, ShapesAskWhileTheirPiecesAreFound) {
  // Clouds have no pieces to find: what a mesh asks more than its hierarchy, with leaves as large as it is, asks there.
  const auto geometry = std::make_shared<const Geometry>(bumps(60));
  const CollisionShapeOptions flat{1 << 20};
  expectEnds([&] { CollisionShape shape(geometry, flat); }, "a shape without a hierarchy");
  EXPECT_GT(timesAsked([&] { CollisionShape shape(geometry, flat); }), 7200 / 64 * 4);
}

TEST(Interruption, ContactsAsk) {
  const CollisionShape a(std::make_shared<const Geometry>(bumps(30)));
  const CollisionShape b(std::make_shared<const Geometry>(bumps(30)));
  QueryWorkspace workspace;
  std::vector<ElementContact> found;
  expectEnds(
      [&] {
        contacts(a, {}, b, RigidTransform::translation({0.01, 0.02, 0.1}), 0.3, found, workspace, 1000000);
      },
      "contacts");
}

TEST(Interruption, CollisionsAndDistancesAsk) {
  // One above the other everywhere, in boxes that overlap.
  const CollisionShape a(std::make_shared<const Geometry>(bumps(60))), b(std::make_shared<const Geometry>(bumps(60)));
  const RigidTransform above = RigidTransform::translation({0, 0, 0.1});
  QueryWorkspace workspace;
  expectEnds([&] { EXPECT_FALSE(collide(a, {}, b, above, workspace)); }, "a collision");
  expectEnds([&] { EXPECT_FALSE(withinDistance(a, {}, b, above, 0.01, workspace)); }, "within a distance");
  expectEnds([&] { EXPECT_GT(distance(a, {}, b, above, workspace).distance, 0.01); }, "a distance");
}

TEST(Interruption, EdgesAsk) {
  const auto collider = std::make_shared<const WorldCollider>(test::blocksWorld(1),
                                                              WorldColliderOptions{.fixedLinksAgainstTerrains = false});
  const EdgeChecker checker(collider, 0);
  const VectorXd at = Vector3d(0, -0.2, 0.1), to = Vector3d(0, -0.1, 0.2);
  EdgeCheckOptions fine;
  fine.method = EdgeCheckOptions::Method::resolution;
  fine.resolution = 1e-4;
  EdgeChecker::Workspace workspace;
  expectEnds(
      [&] {
        WorldCollisionState state(collider);
        (void)checker.check(at, to, state, workspace, fine);
      },
      "an edge by resolution");
}

TEST(Interruption, ToolsForMeshesAsk) {
  const TriangleMesh mesh = bumps(60);
  PointCloud cloud;
  cloud.points = mesh.vertices;
  AxisAlignedBounds box;
  box.include(Vector3d(0, 0, -1));
  box.include(Vector3d(3, 3, 1));
  expectEnds([&] { (void)within(mesh, box, false); }, "triangles within a box");
  expectEnds([&] { (void)within(cloud, box, false); }, "points within a box");
  expectEnds([&] { (void)clustered(mesh, 0.2); }, "clustered");
  expectEnds([&] { (void)sliced(mesh, Vector3d::UnitZ(), 0.1); }, "sliced");
  expectEnds([&] { (void)sampledSurface(mesh, 0.05); }, "sampled");
}

}  // namespace
}  // namespace mortise
