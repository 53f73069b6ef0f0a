#include "mortise/collision/query.h"

#include <Eigen/Geometry>
#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <thread>

#include "mortise/base/error.h"
#include "mortise/collision/element/triangle_distance.h"
#include "mortise/collision/element/triangle_intersection.h"
#include "tests/support/allocation_counter.h"

namespace mortise {
namespace {

/// A bumpy ball, rings of quadrilaterals.
TriangleMesh ball(int rings, int sides, double bumps = 0.1) {
  TriangleMesh mesh;
  for (int i = 0; i <= rings; ++i)
    for (int k = 0; k < sides; ++k) {
      const double a = M_PI * i / rings, b = 2 * M_PI * k / sides;
      const double r = 1 + bumps * std::sin(5 * a) * std::cos(3 * b);
      mesh.vertices.emplace_back(r * std::sin(a) * std::cos(b), r * std::sin(a) * std::sin(b), r * std::cos(a));
    }
  // The poles are one point each, so that the ball is closed.
  for (int k = 0; k < sides; ++k) {
    mesh.vertices[k] = mesh.vertices[0];
    mesh.vertices[rings * sides + k] = mesh.vertices[rings * sides];
  }
  for (int i = 0; i < rings; ++i)
    for (int k = 0; k < sides; ++k) {
      const int p = i * sides + k, q = i * sides + (k + 1) % sides;
      mesh.triangles.push_back({p, p + sides, q});
      mesh.triangles.push_back({q, p + sides, q + sides});
    }
  return mesh;
}

/// Triangles every which way, some of them needles and points.
TriangleMesh soup(int count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  TriangleMesh mesh;
  for (int i = 0; i < count; ++i) {
    const Vector3d middle(normal(random), normal(random), normal(random));
    for (int k = 0; k < 3; ++k)
      mesh.vertices.push_back(middle + 0.3 * Vector3d(normal(random), normal(random), normal(random)));
    if (i % 7 == 0) mesh.vertices[3 * i + 2] = mesh.vertices[3 * i];
    if (i % 11 == 0) mesh.vertices[3 * i + 2] = mesh.vertices[3 * i + 1] = mesh.vertices[3 * i];
    mesh.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  return mesh;
}

/// A cube of side 2 about the origin, with a grid of `n` by `n` squares on each face; all numbers exact when n is a
/// power of two.
TriangleMesh cube(int n) {
  TriangleMesh mesh;
  for (int axis = 0; axis < 3; ++axis)
    for (const int side : {-1, 1}) {
      const int u = (axis + 1) % 3, v = (axis + 2) % 3, base = static_cast<int>(mesh.vertices.size());
      for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= n; ++j) {
          Vector3d p;
          p[axis] = side;
          p[u] = 2.0 * i / n - 1;
          p[v] = 2.0 * j / n - 1;
          mesh.vertices.push_back(p);
        }
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
          const int a = base + i * (n + 1) + j, b = a + n + 1, c = b + 1, d = a + 1;
          mesh.triangles.push_back(side > 0 ? std::array<int, 3>{a, b, c} : std::array<int, 3>{a, c, b});
          mesh.triangles.push_back(side > 0 ? std::array<int, 3>{a, c, d} : std::array<int, 3>{a, d, c});
        }
    }
  return mesh;
}

CollisionShapePtr shapeOf(Geometry::Data data, double margin = 0) {
  return makeCollisionShape(std::make_shared<const Geometry>(std::move(data), margin));
}

class Poses {
 public:
  explicit Poses(unsigned seed) : random_(seed) {}
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  RigidTransform next(double distance) {
    std::normal_distribution<double> normal;
    Eigen::Quaterniond q(normal(random_), normal(random_), normal(random_), normal(random_));
    Vector3d direction(normal(random_), normal(random_), normal(random_));
    return {q.normalized().toRotationMatrix(), distance * direction.normalized()};
  }

 private:
  std::mt19937 random_;
};

/// Every pair of triangles, by the functions on single triangles alone.
struct Brute {
  std::vector<FeaturePair> colliding, near;
  double distance = std::numeric_limits<double>::infinity();
};
Brute bruteForce(const CollisionShape& a, const RigidTransform& X_WA, const CollisionShape& b,
                 const RigidTransform& X_WB, double tolerance) {
  Brute result;
  const RigidTransform X_AB = relativePose(X_WA, X_WB);
  for (int j = 0; j < b.numElements(); ++j) {
    double t[9];
    transformTriangle(X_AB, b.triangle(j), t);
    for (int i = 0; i < a.numElements(); ++i) {
      const double* s = a.triangle(i);
      const FeaturePair pair{a.id(i), b.id(j)};
      const double core = std::sqrt(triangleSeparation(s, t).squaredDistance);
      const double gap = core - a.sweep() - b.sweep();
      const bool bare = a.sweep() + b.sweep() == 0;
      if (bare ? trianglesIntersect(s, t) : gap <= 0) result.colliding.push_back(pair);
      if (gap <= tolerance) result.near.push_back(pair);
      result.distance = std::min(result.distance, gap);
    }
  }
  std::sort(result.colliding.begin(), result.colliding.end());
  std::sort(result.near.begin(), result.near.end());
  return result;
}

void compare(const CollisionShape& a, const CollisionShape& b, unsigned seed, int count, double nearest,
             double farthest) {
  Poses poses(seed);
  QueryWorkspace workspace;
  QueryHint collideHint, distanceHint;
  std::vector<FeaturePair> pairs;
  std::vector<ElementContact> layer;
  int collisions = 0;
  for (int i = 0; i < count; ++i) {
    const RigidTransform X_WA = poses.next(3), X_WB = X_WA * poses.next(poses.uniform(nearest, farthest));
    const double tolerance = i % 3 == 0 ? 0 : std::pow(10.0, -(i % 4));
    const Brute brute = bruteForce(a, X_WA, b, X_WB, tolerance);
    const bool expected = !brute.colliding.empty();
    collisions += expected ? 1 : 0;
    FeaturePair found;
    ASSERT_EQ(collide(a, X_WA, b, X_WB, workspace, nullptr, &found), expected) << i;
    if (expected) {
      EXPECT_TRUE(std::binary_search(brute.colliding.begin(), brute.colliding.end(), found));
    }
    ASSERT_EQ(collide(a, X_WA, b, X_WB, workspace, &collideHint), expected) << i;
    collideAll(a, X_WA, b, X_WB, 1U << 30, pairs, workspace);
    ASSERT_EQ(pairs, brute.colliding) << i;
    ASSERT_EQ(withinDistance(a, X_WA, b, X_WB, tolerance, workspace), !brute.near.empty()) << i;
    contacts(a, X_WA, b, X_WB, tolerance, layer, workspace);
    std::vector<FeaturePair> layerPairs;
    for (const ElementContact& contact : layer) layerPairs.push_back(contact.elements);
    ASSERT_EQ(layerPairs, brute.near) << i;
    for (QueryHint* hint : {static_cast<QueryHint*>(nullptr), &distanceHint}) {
      const DistanceResult result = distance(a, X_WA, b, X_WB, workspace, {}, hint);
      ASSERT_TRUE(result.found);
      if (brute.distance > 0) {
        ASSERT_NEAR(result.distance, brute.distance, 1e-12 * brute.distance) << i;
        EXPECT_NEAR((result.p_WB - result.p_WA).norm(), brute.distance, 1e-9 * brute.distance + 1e-14);
        EXPECT_NEAR((result.p_WB - result.p_WA).dot(result.normal_W), brute.distance, 1e-9 * brute.distance + 1e-14);
      } else {
        ASSERT_NEAR(result.distance, brute.distance, 1e-12) << i;
      }
    }
    DistanceOptions rough;
    rough.relativeError = 0.3;
    rough.absoluteError = 0.01;
    const double about = distance(a, X_WA, b, X_WB, workspace, rough).distance;
    EXPECT_GE(about, brute.distance - 1e-12);
    if (brute.distance > 0) {
      EXPECT_LE(about, 1.3 * brute.distance + 0.01 + 1e-12);
    }
    DistanceOptions bounded;
    bounded.upperBound = 0.05;
    EXPECT_EQ(distance(a, X_WA, b, X_WB, workspace, bounded).found, brute.distance <= 0.05) << i;
    // That nothing is within the bound allows for no error, and also where the bound is large beside the shapes.
    bounded.relativeError = 0.3;
    for (const double bound : {0.05, 0.2, 1.0}) {
      bounded.upperBound = bound;
      EXPECT_EQ(distance(a, X_WA, b, X_WB, workspace, bounded).found, brute.distance <= bound) << i;
      EXPECT_EQ(withinDistance(a, X_WA, b, X_WB, bound, workspace), brute.distance <= bound) << i;
    }
  }
  EXPECT_GT(collisions, count / 20);
  EXPECT_LT(collisions, count - count / 20);
}

TEST(MeshQueries, AgreeWithAllPairsOfBalls) {
  const auto a = shapeOf(ball(8, 10)), b = shapeOf(ball(7, 9, 0.3));
  compare(*a, *b, 11, 300, 1.7, 2.3);
  compare(*a, *b, 12, 100, 0.3, 2.5);
}

TEST(MeshQueries, AgreeWithAllPairsOfSoupWithDegenerateTriangles) {
  const auto a = shapeOf(soup(120, 1)), b = shapeOf(soup(90, 2));
  compare(*a, *b, 13, 200, 1, 9);
}

TEST(MeshQueries, AgreeWithAllPairsWithMargins) {
  const auto a = shapeOf(ball(8, 10), 0.02), b = shapeOf(ball(7, 9, 0.3), 0.01);
  compare(*a, *b, 14, 200, 1.7, 2.4);
}

TEST(MeshQueries, AgreeWithAllPairsFarFromTheOrigin) {
  TriangleMesh far = ball(8, 10);
  for (Vector3d& v : far.vertices) v += Vector3d(1e5, -2e5, 3e4);
  const auto a = shapeOf(far), b = shapeOf(ball(7, 9, 0.3));
  Poses poses(15);
  QueryWorkspace workspace;
  int collisions = 0;
  for (int i = 0; i < 200; ++i) {
    RigidTransform X_AB = poses.next(poses.uniform(1.8, 2.2));
    X_AB.p += Vector3d(1e5, -2e5, 3e4);
    const Brute brute = bruteForce(*a, {}, *b, X_AB, 0);
    collisions += brute.colliding.empty() ? 0 : 1;
    EXPECT_EQ(collide(*a, {}, *b, X_AB, workspace), !brute.colliding.empty());
    EXPECT_EQ(distance(*a, {}, *b, X_AB, workspace).distance, brute.distance);
  }
  EXPECT_GT(collisions, 10);
  EXPECT_LT(collisions, 190);
}

// Faces on faces, edges on edges, corners on corners: touching, in numbers without rounding.
TEST(MeshQueries, TouchingCounts) {
  const auto a = shapeOf(cube(4)), b = shapeOf(cube(2));
  QueryWorkspace workspace;
  std::vector<FeaturePair> pairs;
  Matrix3d quarter;
  quarter << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  for (const Vector3d& at : {Vector3d(2, 0, 0), Vector3d(2, 2, 0), Vector3d(2, 2, 2), Vector3d(2, 0.25, -0.5),
                             Vector3d(0, 0, -2), Vector3d(0, 0, 0), Vector3d(-2, 0.125, 2)}) {
    for (const Matrix3d& R : {Matrix3d(Matrix3d::Identity()), quarter}) {
      const RigidTransform X{R, at};
      EXPECT_TRUE(collide(*a, {}, *b, X, workspace)) << at.transpose();
      EXPECT_EQ(distance(*a, {}, *b, X, workspace).distance, 0);
      collideAll(*a, {}, *b, X, 1U << 30, pairs, workspace);
      EXPECT_EQ(pairs, bruteForce(*a, {}, *b, X, 0).colliding);
      // The next number up parts them.
      Vector3d away = at;
      bool parted = false;
      for (int k = 0; k < 3; ++k)
        if (std::fabs(at[k]) == 2) {
          away[k] = std::nextafter(at[k], 3 * at[k]);
          parted = true;
        }
      if (!parted) continue;
      EXPECT_FALSE(collide(*a, {}, *b, {R, away}, workspace)) << at.transpose();
      EXPECT_GT(distance(*a, {}, *b, {R, away}, workspace).distance, 0);
      EXPECT_LT(distance(*a, {}, *b, {R, away}, workspace).distance, 1e-15);
    }
  }
}

TEST(MeshQueries, SayTheSameOnEveryInstructionSet) {
  const auto a = shapeOf(ball(40, 40)), b = shapeOf(ball(30, 50, 0.3));
  Poses poses(16);
  QueryWorkspace workspace;
  std::vector<ElementContact> fast, plain;
  for (int i = 0; i < 100; ++i) {
    const RigidTransform X = poses.next(poses.uniform(1.8, 2.5));
    const DistanceResult best = distance(*a, {}, *b, X, workspace);
    contacts(*a, {}, *b, X, 0.05, fast, workspace);
    QueryHint hint, plainHint;
    const bool hit = collide(*a, {}, *b, X, workspace, &hint);
    forceBaselineInstructions(true);
    const DistanceResult same = distance(*a, {}, *b, X, workspace);
    contacts(*a, {}, *b, X, 0.05, plain, workspace);
    EXPECT_EQ(collide(*a, {}, *b, X, workspace, &plainHint), hit);
    forceBaselineInstructions(false);
    EXPECT_EQ(hint.placeA, plainHint.placeA);
    EXPECT_EQ(hint.placeB, plainHint.placeB);
    EXPECT_EQ(best.distance, same.distance);
    EXPECT_EQ(best.p_WA, same.p_WA);
    EXPECT_EQ(best.elements, same.elements);
    ASSERT_EQ(fast.size(), plain.size());
    for (std::size_t k = 0; k < fast.size(); ++k) EXPECT_EQ(fast[k].p_WB, plain[k].p_WB);
  }
}

TEST(MeshQueries, DoNotAllocateOnceWarm) {
  const auto a = shapeOf(ball(20, 20), 0), b = shapeOf(ball(20, 20, 0.3));
  const auto box = shapeOf(BoxShape{{}, Vector3d(1, 2, 3)});
  QueryWorkspace workspace;
  std::vector<FeaturePair> pairs;
  std::vector<ElementContact> layer;
  std::size_t before = 0;
  for (const bool warm : {false, true}) {
    Poses poses(17);
    before = test::allocationCount;
    for (int i = 0; i < 50; ++i) {
      const RigidTransform X = poses.next(poses.uniform(1.5, 2.5));
      collide(*a, {}, *b, X, workspace);
      collideAll(*a, {}, *b, X, 1000, pairs, workspace);
      distance(*a, {}, *b, X, workspace);
      contacts(*a, {}, *b, X, 0.1, layer, workspace);
      collide(*a, {}, *box, X, workspace);
      distance(*box, {}, *b, X, workspace);
      RayHit hit;
      rayCast(*a, X, {Vector3d(3, 0, 0), Vector3d(-1, 0.1, 0.2)}, hit);
      contains(*b, X, Vector3d(1, 2, 1));
    }
    if (warm) {
      EXPECT_EQ(test::allocationCount, before);
    }
  }
}

TEST(MeshQueries, ThreadsShareShapes) {
  const auto a = shapeOf(ball(20, 20)), b = shapeOf(ball(20, 20, 0.3));
  const auto run = [&](unsigned seed) {
    Poses poses(seed);
    QueryWorkspace workspace;
    double sum = 0;
    for (int i = 0; i < 100; ++i) {
      const RigidTransform X = poses.next(poses.uniform(1.5, 2.5));
      sum += collide(*a, {}, *b, X, workspace) ? 1 : distance(*a, {}, *b, X, workspace).distance;
      RayHit hit;
      if (rayCast(*a, X, {Vector3d(3, 0, 0), Vector3d(-1, 0, 0)}, hit)) sum += hit.t;
    }
    return sum;
  };
  const double expected = run(18);
  std::vector<double> sums(8);
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) threads.emplace_back([&, i] { sums[i] = run(18); });
  for (std::thread& thread : threads) thread.join();
  for (const double sum : sums) EXPECT_EQ(sum, expected);
}

TEST(Shapes, RefuseNumbersThatAreNotThere) {
  TriangleMesh mesh = ball(4, 5);
  mesh.vertices[7][1] = std::nan("");
  try {
    makeCollisionShape(std::make_shared<const Geometry>(mesh, 0, "part.stl"));
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("part.stl"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("vertex 7"), std::string::npos) << e.what();
  }
  mesh = ball(4, 5);
  mesh.triangles[3][2] = 1000;
  EXPECT_THROW(shapeOf(mesh), Error);
  EXPECT_THROW(shapeOf(SphereShape{Vector3d::Zero(), -1}), Error);
  QueryWorkspace workspace;
  const auto good = shapeOf(ball(4, 5));
  EXPECT_THROW(collide(*good, {}, *good, RigidTransform::translation({0, std::nan(""), 0}), workspace), Error);
}

TEST(Shapes, TakeEmptyAndDegenerateOnes) {
  QueryWorkspace workspace;
  const auto ballShape = shapeOf(ball(6, 8));
  std::vector<ElementContact> layer;
  RayHit hit;
  for (const auto& empty : {makeCollisionShape(nullptr), shapeOf(TriangleMesh{}), shapeOf(PointCloud{}),
                            shapeOf(GeometryGroup{}), shapeOf(PolygonShape{}), shapeOf(ConvexHullShape{})}) {
    EXPECT_TRUE(empty->empty());
    EXPECT_FALSE(collide(*empty, {}, *ballShape, {}, workspace));
    EXPECT_FALSE(collide(*ballShape, {}, *empty, {}, workspace));
    EXPECT_FALSE(distance(*empty, {}, *empty, {}, workspace).found);
    contacts(*empty, {}, *ballShape, {}, 1, layer, workspace);
    EXPECT_TRUE(layer.empty());
    EXPECT_FALSE(rayCast(*empty, {}, {}, hit));
    EXPECT_FALSE(contains(*empty, {}, Vector3d::Zero()));
  }
  // Ten thousand times the same point.
  TriangleMesh heap;
  heap.vertices.assign(3, Vector3d(1, 0, 0));
  heap.triangles.assign(10000, {0, 1, 2});
  const auto heapShape = shapeOf(heap);
  EXPECT_FALSE(collide(*heapShape, {}, *ballShape, RigidTransform::translation({5, 0, 0}), workspace));
  EXPECT_NEAR(distance(*heapShape, {}, *ballShape, RigidTransform::translation({5, 0, 0}), workspace).distance, 3, 0.2);
}

}  // namespace
}  // namespace mortise
