#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <random>

#include "mortise/collision/element/triangle_distance.h"
#include "mortise/collision/element/triangle_intersection.h"
#include "mortise/geometry/convex/exact_orientation.h"

namespace mortise {
namespace {

using Triangle = std::array<double, 9>;

// Everything below with whole numbers, in 128 bits: right by another way.
__extension__ typedef __int128 Full;  // Not in the standard, but in every compiler for 64-bit processors.
struct Point {
  Full x, y, z;
};
Point operator-(const Point& a, const Point& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Point cross(const Point& a, const Point& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
Full dot(const Point& a, const Point& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
int sign(Full x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

Point corner(const Triangle& t, int k) {
  k %= 3;
  return {static_cast<Full>(t[3 * k]), static_cast<Full>(t[3 * k + 1]), static_cast<Full>(t[3 * k + 2])};
}

// The separating axes of two flat convex sets: they are apart exactly when one of these parts them strictly. Normals,
// cross products of edges, and for coplanar ones edges turned in the plane; for sets without area or without length,
// the edges themselves and what is between corners as well.
bool apart(const Triangle& s, const Triangle& t) {
  std::vector<Point> edges, axes;
  for (int k = 0; k < 3; ++k) edges.push_back(corner(s, k + 1) - corner(s, k));
  for (int k = 0; k < 3; ++k) edges.push_back(corner(t, k + 1) - corner(t, k));
  const Point normals[2] = {cross(edges[0], edges[1]), cross(edges[3], edges[4])};
  std::vector<Point> directions = edges;
  directions.push_back(normals[0]);
  directions.push_back(normals[1]);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) directions.push_back(corner(s, i) - corner(t, j));
  axes = directions;
  for (std::size_t i = 0; i < directions.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Point n = cross(directions[i], directions[j]);
      axes.push_back(n);
    }
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (const Point& e : edges) {
        const Point between = corner(s, i) - corner(t, j);
        axes.push_back(cross(cross(between, e), e));
      }
  for (const Point& axis : axes) {
    Full lowS = dot(axis, corner(s, 0)), highS = lowS, lowT = dot(axis, corner(t, 0)), highT = lowT;
    for (int k = 1; k < 3; ++k) {
      lowS = std::min(lowS, dot(axis, corner(s, k)));
      highS = std::max(highS, dot(axis, corner(s, k)));
      lowT = std::min(lowT, dot(axis, corner(t, k)));
      highT = std::max(highT, dot(axis, corner(t, k)));
    }
    if (highS < lowT || highT < lowS) return true;
  }
  return false;
}

Triangle fullTriangle(std::mt19937& random, int range) {
  std::uniform_int_distribution<int> at(-range, range);
  Triangle t;
  for (double& x : t) x = at(random);
  return t;
}

TEST(Orientation, IsRightWhereDoublesAreNot) {
  std::mt19937 random(1);
  // Points nearly in a plane, off by the last bit.
  int zero = 0;
  for (int i = 0; i < 20000; ++i) {
    std::uniform_int_distribution<std::int64_t> at(-(1LL << 40), 1LL << 40);
    const auto point = [&] { return Point{at(random), at(random), at(random)}; };
    const Point a = point(), b = point(), c = point();
    const int m = i % 5 - 2, n = i % 3 - 1;
    Point d = {a.x + m * (b.x - a.x) + n * (c.x - a.x), a.y + m * (b.y - a.y) + n * (c.y - a.y),
               a.z + m * (b.z - a.z) + n * (c.z - a.z)};
    d.x += i % 7 == 0 ? 1 : 0;
    const auto doubles = [](const Point& p) {
      return std::array<double, 3>{static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)};
    };
    const int expected = sign(dot(cross(b - a, c - a), d - a));
    zero += expected == 0 ? 1 : 0;
    EXPECT_EQ(exact::orientation3d(doubles(a).data(), doubles(b).data(), doubles(c).data(), doubles(d).data()),
              expected);
  }
  EXPECT_GT(zero, 10000);
}

TEST(Orientation, KnowsThatATenthIsNot) {
  // In line as written; not as doubles. Products of two doubles are exact in quadruple precision.
  const __float128 tenth = 0.1, third = 0.3, nine = 0.9;
  const int expected = tenth * nine - third * third > 0 ? 1 : -1;
  EXPECT_EQ(exact::orientation2d(0, 0, 0.1, 0.3, 0.3, 0.9), expected);
  EXPECT_EQ(exact::orientation2d(0, 0, 0.3, 0.9, 0.1, 0.3), -expected);
  EXPECT_EQ(exact::orientation2d(0.1, 0.1, 0.2, 0.2, 0.3, 0.3), 0);
}

// Small whole numbers make every special case common: shared corners and edges, coplanar, needles and points.
TEST(TrianglesIntersect, AgreesWithSeparatingAxesInWholeNumbers) {
  std::mt19937 random(2);
  int met = 0, total = 0;
  for (const int range : {1, 2, 3, 8}) {
    for (int i = 0; i < 30000; ++i) {
      Triangle s = fullTriangle(random, range), t = fullTriangle(random, range);
      if (i % 4 == 0)  // Coplanar.
        for (int k = 0; k < 3; ++k) s[3 * k + i / 4 % 3] = t[3 * k + i / 4 % 3] = 1;
      if (i % 16 == 1)  // A needle.
        for (int k = 0; k < 3; ++k) t[6 + k] = 2 * t[3 + k] - t[k];
      if (i % 16 == 2)  // A point.
        for (int k = 0; k < 3; ++k) t[6 + k] = t[3 + k] = t[k];
      const bool expected = !apart(s, t);
      met += expected ? 1 : 0;
      ++total;
      ASSERT_EQ(trianglesIntersect(s.data(), t.data()), expected) << "range " << range << ", pair " << i;
      ASSERT_EQ(trianglesIntersect(t.data(), s.data()), expected) << "range " << range << ", pair " << i;
      ASSERT_EQ(triangleSeparation(s.data(), t.data()).squaredDistance == 0, expected) << range << ", pair " << i;
    }
  }
  EXPECT_GT(met, total / 5);
  EXPECT_LT(met, 4 * total / 5);
}

TEST(TrianglesIntersect, SeesTouchingWhereDoublesRound) {
  // The corner of the second lies on the first by construction, in numbers that no product of doubles holds.
  const Triangle t = {0, 0, 0, 3e8 + 1, 1, 7, 5, 3e8 + 3, 11};
  std::mt19937 random(3);
  for (int i = 0; i < 1000; ++i) {
    std::uniform_int_distribution<int> part(0, 15);
    const int u = part(random), v = 15 - u > 0 ? part(random) % (16 - u) : 0;
    Triangle s;
    const double weight[2] = {u / 16.0, v / 16.0};
    for (int k = 0; k < 3; ++k) s[k] = weight[0] * t[3 + k] + weight[1] * t[6 + k];
    const double up[3] = {-7, -11, 3e8};
    for (int k = 0; k < 3; ++k) s[3 + k] = s[k] + up[k] + 10 * i, s[6 + k] = s[k] + up[k] - i;
    EXPECT_TRUE(trianglesIntersect(s.data(), t.data()));
    // Any step up parts them.
    for (int k = 0; k < 3; ++k) s[k] += k == 2 ? 1e-6 : 0;
    EXPECT_FALSE(trianglesIntersect(s.data(), t.data()));
  }
}

// Nearest points by quadruple precision, as the least over all pairs of edges and of corners and faces.
using Quad = __float128;
struct Q3 {
  Quad x, y, z;
};
Q3 operator-(const Q3& a, const Q3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Q3 operator+(const Q3& a, const Q3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Q3 operator*(Quad s, const Q3& a) { return {s * a.x, s * a.y, s * a.z}; }
Quad dot(const Q3& a, const Q3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Q3 cross(const Q3& a, const Q3& b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
Q3 quad(const Triangle& t, int k) { return {t[3 * (k % 3)], t[3 * (k % 3) + 1], t[3 * (k % 3) + 2]}; }

Quad pointSegment(const Q3& p, const Q3& a, const Q3& b) {
  const Q3 u = b - a;
  const Quad uu = dot(u, u);
  Quad s = uu > 0 ? dot(p - a, u) / uu : Quad(0);
  s = s < 0 ? Quad(0) : s > 1 ? Quad(1) : s;
  const Q3 d = a + s * u - p;
  return dot(d, d);
}

Quad segmentSegment(const Q3& a, const Q3& b, const Q3& c, const Q3& d) {
  Quad best = pointSegment(a, c, d);
  for (const Quad other : {pointSegment(b, c, d), pointSegment(c, a, b), pointSegment(d, a, b)})
    if (other < best) best = other;
  const Q3 u = b - a, v = d - c, r = c - a;
  const Quad uu = dot(u, u), vv = dot(v, v), uv = dot(u, v), determinant = uu * vv - uv * uv;
  if (determinant > 0) {
    const Quad s = (dot(u, r) * vv - dot(v, r) * uv) / determinant, t = (dot(u, r) * uv - dot(v, r) * uu) / determinant;
    if (s >= 0 && s <= 1 && t >= 0 && t <= 1) {
      const Q3 between = a + s * u - c - t * v;
      if (dot(between, between) < best) best = dot(between, between);
    }
  }
  return best;
}

Quad squaredDistance(const Triangle& s, const Triangle& t) {
  Quad best = 1e300;
  const auto take = [&](Quad x) { best = x < best ? x : best; };
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) take(segmentSegment(quad(s, i), quad(s, i + 1), quad(t, j), quad(t, j + 1)));
  for (const bool swap : {false, true}) {
    const Triangle &face = swap ? t : s, &other = swap ? s : t;
    const Q3 n = cross(quad(face, 1) - quad(face, 0), quad(face, 2) - quad(face, 0));
    for (int k = 0; k < 3 && dot(n, n) > 0; ++k) {
      const Q3 p = quad(other, k);
      bool over = true;
      for (int i = 0; i < 3; ++i)
        over = over && dot(cross(quad(face, i + 1) - quad(face, i), p - quad(face, i)), n) >= 0;
      const Quad height = dot(n, p - quad(face, 0));
      if (over) take(height * height / dot(n, n));
    }
  }
  return best;
}

TEST(TriangleSeparation, IsGoodToTwelveDigits) {
  std::mt19937 random(4);
  std::normal_distribution<double> normal;
  double worst = 0;
  int separate = 0;
  for (int i = 0; i < 60000; ++i) {
    Triangle s, t;
    const double gap = std::pow(10.0, -(i % 7));
    for (double& x : s) x = normal(random);
    for (double& x : t) x = normal(random);
    if (i % 3 == 0)  // Facing each other across a small gap.
      for (int k = 0; k < 3; ++k) {
        s[3 * k + 2] = 0.3 * s[3 * k + 2] * (i % 2);
        t[3 * k + 2] = gap + 0.3 * std::fabs(t[3 * k + 2]) + 0.9 * (i % 2);
      }
    if (i % 11 == 0)  // Needles.
      for (int k = 0; k < 3; ++k) t[6 + k] = t[k] + (t[3 + k] - t[k]) * 0.3 + 1e-9 * normal(random);
    if (i % 13 == 0)  // Parallel edges.
      for (int k = 0; k < 3; ++k) t[3 + k] = t[k] + 1.7 * (s[3 + k] - s[k]);
    const TriangleSeparation result = triangleSeparation(s.data(), t.data());
    if (trianglesIntersect(s.data(), t.data())) {
      EXPECT_EQ(result.squaredDistance, 0);
      continue;
    }
    ++separate;
    const double expected = std::sqrt(static_cast<double>(squaredDistance(s, t)));
    const double error = std::fabs(std::sqrt(result.squaredDistance) - expected) / expected;
    // Corners are of size one: a distance below 1e-4 of it keeps fewer digits.
    if (expected > 1e-4) worst = std::max(worst, error);
    ASSERT_LT(error, expected > 1e-4 ? 1e-11 : 1e-9) << "pair " << i << " at " << expected;
    EXPECT_NEAR((result.pointB - result.pointA).norm(), expected, 1e-9 * expected);
  }
  EXPECT_GT(separate, 20000);
  EXPECT_LT(worst, 1e-11);
}

TEST(TriangleSeparation, NamesFeatures) {
  const Triangle flat = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  const Triangle above = {0.2, 0.2, 0.5, 3, 3, 4, 4, 3, 5};
  TriangleSeparation result = triangleSeparation(flat.data(), above.data());
  EXPECT_EQ(result.squaredDistance, 0.25);
  EXPECT_EQ(result.featureA, (ElementFeature{FeatureKind::face, 0}));
  EXPECT_EQ(result.featureB, (ElementFeature{FeatureKind::vertex, 0}));
  const Triangle across = {0.5, -1, -3, 0.5, -1, 3, 0.5, -9, 0};
  result = triangleSeparation(flat.data(), across.data());
  EXPECT_EQ(result.squaredDistance, 1);
  EXPECT_EQ(result.featureA, (ElementFeature{FeatureKind::edge, 0}));
  EXPECT_EQ(result.featureB, (ElementFeature{FeatureKind::edge, 0}));
  const Triangle beyond = {2, 0, 0, 3, 1, 0, 3, -1, 0};
  result = triangleSeparation(flat.data(), beyond.data());
  EXPECT_EQ(result.featureA, (ElementFeature{FeatureKind::vertex, 1}));
  EXPECT_EQ(result.featureB, (ElementFeature{FeatureKind::vertex, 0}));
}

}  // namespace
}  // namespace mortise
