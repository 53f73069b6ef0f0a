#include "mortise/geometry/convex/convex_element.h"

#include <array>
#include <cmath>
#include <deque>
#include <gtest/gtest.h>
#include <numbers>
#include <string>

#include "tests/support/allocation_counter.h"
#include "tests/toolbox/geometry/convex_elements.h"

namespace mortise {
namespace {

using test::ElementSource;
using test::gapAlong;

/// For each pair of kinds of cores.
class PairTest : public testing::TestWithParam<std::tuple<int, int>> {
 protected:
  CoreKind kindA() const { return static_cast<CoreKind>(std::get<0>(GetParam())); }
  CoreKind kindB() const { return static_cast<CoreKind>(std::get<1>(GetParam())); }
  bool curved() const {
    const auto is = [](CoreKind k) { return k == CoreKind::cylinder || k == CoreKind::ellipsoid; };
    return (is(kindA()) && kindB() != CoreKind::point) || (is(kindB()) && kindA() != CoreKind::point);
  }
};

/// A random pair: apart, deep in each other, and touching within 1e-2 to 1e-12 m on either side, with and without
/// radii.
struct Pair {
  ConvexElement a, b;
  RigidTransform X_AB;
};
Pair randomPair(ElementSource& source, CoreKind kindA, CoreKind kindB, int i) {
  Pair pair{source.element(kindA, i % 3 == 1 ? source.random.uniform(0, 0.3) : 0),
            source.element(kindB, i % 3 == 2 ? source.random.uniform(0, 0.3) : 0), source.pose(i % 2 ? 0.5 : 2)};
  if (i % 4 == 3) {
    const ElementSeparation s = separation(pair.a, pair.b, pair.X_AB);
    const double wanted = (i / 4 % 3 - 1) * std::pow(10, source.random.uniform(-12, -2));
    pair.X_AB.p -= s.normal * (s.distance - wanted);
  }
  return pair;
}

// Two points of the elements that far apart bound a distance from above, a direction along which they lie that far
// apart bounds it from below: where both agree, no other answer is right.
TEST_P(PairTest, DistancesAreBoundedFromBothSides) {
  ElementSource source(1);
  for (int i = 0; i < 600; ++i) {
    const Pair p = randomPair(source, kindA(), kindB(), i);
    const ElementSeparation s = separation(p.a, p.b, p.X_AB);
    ASSERT_NEAR(s.normal.norm(), 1, 1e-9);
    EXPECT_LT((s.pointB - s.pointA - s.distance * s.normal).norm(), 1e-12);
    EXPECT_NEAR(gapAlong(p.a, p.b, p.X_AB, s.normal), s.distance, curved() ? 1e-10 : 1e-9) << i;
    EXPECT_LT(pointSeparation(p.a, s.pointA).distance, curved() ? 1e-8 : 1e-8) << i;
    EXPECT_LT(pointSeparation(p.b, p.X_AB.inverse() * s.pointB).distance, curved() ? 1e-8 : 1e-8) << i;
    if (s.distance > 0.01 && !curved()) {
      // Between points that are truly on the elements.
      EXPECT_LT(pointSeparation(p.a, s.pointA).distance, 1e-12) << i;
    }
  }
}

TEST_P(PairTest, DepthsAreTheLeastOfAllDirections) {
  ElementSource source(2), search(3);
  for (int i = 0; i < 200; ++i) {
    const Pair p = randomPair(source, kindA(), kindB(), 2 * i + 1);
    const ElementSeparation s = separation(p.a, p.b, p.X_AB);
    if (s.distance > 0) continue;
    // Many directions, and downhill from the best.
    Vector3d best = s.normal;
    double maximum = -1e300;
    for (int k = 0; k < 300; ++k) {
      const Vector3d n = search.unit();
      if (const double gap = gapAlong(p.a, p.b, p.X_AB, n); gap > maximum) {
        maximum = gap;
        best = n;
      }
    }
    double step = 0.1;
    for (int k = 0; k < 100; ++k) {
      const Vector3d n = (best + step * search.unit()).normalized();
      if (const double gap = gapAlong(p.a, p.b, p.X_AB, n); gap > maximum) {
        maximum = gap;
        best = n;
      } else {
        step *= 0.92;
      }
    }
    EXPECT_GE(s.distance, maximum - 1e-8) << i;
  }
}

TEST_P(PairTest, AnswersDoNotDependOnTheOrderAndRepeat) {
  ElementSource source(4);
  for (int i = 0; i < 200; ++i) {
    const Pair p = randomPair(source, kindA(), kindB(), i);
    const ElementSeparation s = separation(p.a, p.b, p.X_AB), again = separation(p.a, p.b, p.X_AB),
                            swapped = separation(p.b, p.a, p.X_AB.inverse());
    EXPECT_EQ(s.distance, again.distance);
    EXPECT_EQ(s.pointA, again.pointA);
    EXPECT_EQ(s.normal, again.normal);
    EXPECT_NEAR(s.distance, swapped.distance, curved() ? 1e-9 : 1e-12) << i;
  }
}

TEST_P(PairTest, OverlapAgreesWithTheDistance) {
  ElementSource source(5);
  for (int i = 0; i < 400; ++i) {
    const Pair p = randomPair(source, kindA(), kindB(), i);
    const double distance = separation(p.a, p.b, p.X_AB).distance;
    SeparationHint hint;
    for (const double tolerance : {0.0, 0.0, 0.1, std::max(distance - 1e-6, 0.0), std::max(distance + 1e-6, 0.0)}) {
      if (std::abs(distance - tolerance) < 1e-8) continue;
      EXPECT_EQ(overlap(p.a, p.b, p.X_AB, tolerance), distance <= tolerance) << i << ' ' << distance;
      EXPECT_EQ(overlap(p.a, p.b, p.X_AB, tolerance, &hint), distance <= tolerance) << i;
    }
  }
}

TEST_P(PairTest, HintsChangeNothingButTheSpeed) {
  ElementSource source(6);
  for (int i = 0; i < 50; ++i) {
    Pair p = randomPair(source, kindA(), kindB(), i);
    SeparationHint hint;
    for (int k = 0; k < 5; ++k) {
      const double distance = separation(p.a, p.b, p.X_AB).distance;
      EXPECT_NEAR(separation(p.a, p.b, p.X_AB, &hint).distance, distance, 1e-9) << i << ' ' << k;
      p.X_AB.p += source.vector(0.01);
    }
    hint.direction = source.unit();
    hint.vertexA = 1000000;
    hint.vertexB = -5;
    EXPECT_NEAR(separation(p.a, p.b, p.X_AB, &hint).distance, separation(p.a, p.b, p.X_AB).distance, 1e-9);
  }
}

TEST_P(PairTest, NothingAllocates) {
  ElementSource source(7);
  const Pair p = randomPair(source, kindA(), kindB(), 0), deep = randomPair(source, kindA(), kindB(), 1);
  ElementRayHit hit;
  const std::size_t before = test::allocationCount;
  for (const Pair* q : {&p, &deep}) {
    separation(q->a, q->b, q->X_AB);
    overlap(q->a, q->b, q->X_AB, 0.1);
    rayCast(q->a, {2, 2, 2}, {-1, -1, -1}, 10, hit);
    contains(q->a, q->X_AB.p);
  }
  EXPECT_EQ(test::allocationCount, before);
}

std::string pairName(const testing::TestParamInfo<std::tuple<int, int>>& info) {
  return std::string(test::coreName(static_cast<CoreKind>(std::get<0>(info.param)))) + "_" +
         test::coreName(static_cast<CoreKind>(std::get<1>(info.param)));
}
INSTANTIATE_TEST_SUITE_P(Cores, PairTest,
                         testing::Combine(testing::Range(0, test::kNumCores), testing::Range(0, test::kNumCores)),
                         pairName);

class CoreTest : public testing::TestWithParam<int> {
 protected:
  CoreKind kind() const { return static_cast<CoreKind>(GetParam()); }
};

TEST_P(CoreTest, PointsAreAsFarAsTheDirectionSays) {
  ElementSource source(8);
  for (int i = 0; i < 1000; ++i) {
    const ConvexElement e = source.element(kind(), i % 2 ? 0.2 : 0);
    const Vector3d p = source.vector(i % 3 ? 1.5 : 0.4);
    const PointSeparation s = pointSeparation(e, p);
    EXPECT_LT((p - s.point - s.distance * s.normal).norm(), 1e-7);
    // The plane at the nearest point holds the element: a bound from below for points outside and, inside, the depth.
    EXPECT_NEAR(s.normal.dot(p) - test::support(e, s.normal), s.distance, 2e-9) << i;
    EXPECT_EQ(contains(e, p), s.distance <= 0);
    if (s.distance < 0)
      for (int k = 0; k < 100; ++k) {
        const Vector3d n = source.unit();
        EXPECT_LE(n.dot(p) - test::support(e, n), s.distance + 1e-9);
      }
  }
}

TEST_P(CoreTest, BoundsAndSupportsAreTight) {
  ElementSource source(9);
  for (int i = 0; i < 200; ++i) {
    const ConvexElement e = source.element(kind(), i % 2 ? 0.2 : 0);
    const RigidTransform X = source.pose(1);
    const AxisAlignedBounds bounds = elementBounds(e, X);
    for (int axis = 0; axis < 3; ++axis) {
      const Vector3d n = X.R.row(axis).transpose();
      EXPECT_NEAR(bounds.max[axis], test::support(e, n) + X.p[axis], 1e-12);
      EXPECT_NEAR(bounds.min[axis], -test::support(e, -n) + X.p[axis], 1e-12);
    }
    const Vector3d n = source.unit();
    EXPECT_NEAR(n.dot(supportPoint(e, 3 * n)), test::support(e, n), 1e-12);
  }
}

TEST_P(CoreTest, RaysMeetTheSurfaceFirst) {
  ElementSource source(10);
  int hits = 0;
  for (int i = 0; i < 600; ++i) {
    const ConvexElement e = source.element(kind(), i % 2 ? source.random.uniform(0.01, 0.3) : 0);
    const Vector3d origin = source.vector(2.5),
                   direction = source.random.uniform(0.2, 3) * (source.vector(0.6) - origin);
    const double tMax = source.random.uniform(0.5, 5) / direction.norm() * 2;
    ElementRayHit hit;
    const bool met = rayCast(e, origin, direction, tMax, hit);
    // No point before it is within; beside a miss none at all.
    const double end = met ? hit.t : std::min(tMax, 8 / direction.norm());
    const bool volume = e.radius > 0 || kind() == CoreKind::box || kind() >= CoreKind::cylinder;
    for (int k = 0; k < 100; ++k) {
      const double t = end * k / 100;
      if (volume && end > 0 && !(kind() == CoreKind::hull && !e.polyhedron->solid)) {
        EXPECT_GT(pointSeparation(e, origin + t * direction).distance, -1e-9) << i;
      }
    }
    if (!met) continue;
    ++hits;
    EXPECT_LE(hit.t, tMax);
    EXPECT_LE(hit.normal.dot(direction), 0);
    if (hit.t > 0) {
      EXPECT_NEAR(pointSeparation(e, origin + hit.t * direction).distance, 0, 1e-9);
    }
  }
  if (kind() > CoreKind::segment) {
    EXPECT_GT(hits, 50);
  }
}

INSTANTIATE_TEST_SUITE_P(Cores, CoreTest, testing::Range(0, test::kNumCores),
                         [](const auto& core) { return test::coreName(static_cast<CoreKind>(core.param)); });

TEST(ConvexElement, KnownDistances) {
  const auto box = ConvexElement::box({}, {1, 1, 1});
  // Face to face, edge to edge, corner to corner.
  EXPECT_NEAR(separation(box, box, RigidTransform::translation({3, 0.5, 0.5})).distance, 1, 1e-15);
  EXPECT_NEAR(separation(box, box, RigidTransform::translation({3, 3, 0.5})).distance, std::sqrt(2.0), 1e-15);
  EXPECT_NEAR(separation(box, box, RigidTransform::translation({3, 3, 3})).distance, std::sqrt(3.0), 1e-15);
  const ElementSeparation deep = separation(box, box, RigidTransform::translation({1.5, 0.1, 0.2}));
  EXPECT_NEAR(deep.distance, -0.5, 1e-15);
  EXPECT_EQ(deep.normal, Vector3d::UnitX());
  EXPECT_EQ(deep.featureA, (ElementFeature{FeatureKind::face, 1}));
  EXPECT_EQ(deep.featureB, (ElementFeature{FeatureKind::face, 0}));
  // A thin box through a wide one: no corner within, no edge meets an edge.
  const auto plate = ConvexElement::box({}, {5, 5, 0.1}), needle = ConvexElement::box({}, {0.1, 0.1, 5});
  EXPECT_NEAR(separation(plate, needle, {}).distance, -5.1, 1e-12);

  const auto ball = ConvexElement::point({0, 0, 0}, 0.5);
  EXPECT_NEAR(separation(ball, ball, RigidTransform::translation({0, 2, 0})).distance, 1, 1e-15);
  EXPECT_NEAR(separation(ball, ball, {}).distance, -1, 1e-15);
  const auto capsule = ConvexElement::segment({-1, 0, 0}, {1, 0, 0}, 0.25);
  const ElementSeparation crossed = separation(capsule, ConvexElement::segment({0, -1, 0}, {0, 1, 0}, 0.25), {});
  EXPECT_NEAR(crossed.distance, -0.5, 1e-15);
  EXPECT_NEAR(std::abs(crossed.normal.z()), 1, 1e-12);

  const auto cylinder = ConvexElement::cylinder({}, 1, 2);
  EXPECT_NEAR(separation(cylinder, cylinder, RigidTransform::translation({0, 0, 5})).distance, 1, 1e-12);
  EXPECT_NEAR(separation(cylinder, cylinder, RigidTransform::translation({3, 0, 1})).distance, 1, 1e-9);
  EXPECT_NEAR(separation(cylinder, cylinder, RigidTransform::translation({0, 0, 0.5})).distance, -2, 1e-9);
  const auto egg = ConvexElement::ellipsoid({}, {1, 2, 3});
  EXPECT_NEAR(separation(egg, egg, RigidTransform::translation({0, 0, 7})).distance, 1, 1e-10);
  EXPECT_NEAR(separation(egg, egg, {}).distance, -2, 1e-9);
}

TEST(ConvexElement, DegenerateShapesAreMeasuredAsWhatTheyAre) {
  const Vector3d p(0.1, 0.2, 0.3), q(1, 1, 1);
  const auto point = ConvexElement::point(p), other = ConvexElement::point(q);
  const double expected = (q - p).norm();
  const std::vector<ConvexElement> points = {
      ConvexElement::segment(p, p), ConvexElement::triangle(p, p, p),
      ConvexElement::box(RigidTransform::translation(p), Vector3d::Zero()),
      ConvexElement::cylinder(RigidTransform::translation(p), 0, 0),
      ConvexElement::ellipsoid(RigidTransform::translation(p), Vector3d::Zero())};
  for (const ConvexElement& e : points) {
    EXPECT_NEAR(separation(e, other, {}).distance, expected, 1e-12);
    EXPECT_NEAR(separation(e, ConvexElement::triangle(q, q, q), {}).distance, expected, 1e-12);
    EXPECT_NEAR(separation(e, point, {}).distance, 0, 1e-12);
    for (const ConvexElement& f : points) {
      const ElementSeparation s = separation(e, f, {});
      EXPECT_NEAR(s.distance, 0, 1e-12);
      EXPECT_NEAR(s.normal.norm(), 1, 1e-9);
    }
  }
  // A triangle that is a segment, in both orders of its corners.
  const auto sliver = ConvexElement::triangle({0, 0, 0}, {2, 0, 0}, {1, 0, 0});
  EXPECT_NEAR(
      separation(sliver, ConvexElement::box({}, {0.5, 0.5, 0.5}), RigidTransform::translation({1, 2, 0})).distance, 1.5,
      1e-12);
  EXPECT_LE(
      separation(sliver, ConvexElement::box({}, {0.5, 0.5, 0.5}), RigidTransform::translation({1, 0.2, 0})).distance,
      0);
  // In one plane.
  const auto flat = ConvexElement::triangle({0, 0, 0}, {1, 0, 0}, {0, 1, 0});
  const ElementSeparation s = separation(flat, flat, RigidTransform::translation({0.1, 0.1, 0}));
  EXPECT_NEAR(s.distance, 0, 1e-15);
  EXPECT_NEAR(std::abs(s.normal.z()), 1, 1e-12);
  EXPECT_NEAR(separation(flat, flat, RigidTransform::translation({2, 0, 0})).distance, 1, 1e-15);
  // Collinear segments.
  const auto line = ConvexElement::segment({0, 0, 0}, {1, 0, 0}, 0.1);
  EXPECT_NEAR(separation(line, line, RigidTransform::translation({0.5, 0, 0})).distance, -0.2, 1e-15);
  EXPECT_NEAR(separation(line, line, RigidTransform::translation({2, 0, 0})).distance, 0.8, 1e-15);
}

TEST(ConvexElement, AlmostParallelEdgesAreFarFromNoWrongAnswer) {
  for (const double angle : {1e-3, 1e-6, 1e-9, 1e-12, 1e-15}) {
    const auto a = ConvexElement::segment({-1, 0, 0}, {1, 0, 0});
    const auto b = ConvexElement::segment({-1, -angle, 0.1}, {1, angle, 0.1});
    EXPECT_NEAR(separation(a, b, {}).distance, 0.1, 1e-15) << angle;
    const auto boxA = ConvexElement::box({}, {1, 1, 1});
    const auto boxB = ConvexElement::box({rotationZ(angle) * rotationX(angle), {0, 0, 2.5}}, {1, 1, 1});
    const double expected = 0.5 - (std::cos(angle) - 1) - std::sin(angle);
    EXPECT_NEAR(separation(boxA, boxB, {}).distance, expected, 1e-6 * angle + 1e-14) << angle;
  }
}

// Corners on a small grid: shared corners and edges, one plane, one line, nothing at all.
TEST(ConvexElement, ShapesThatTouchInEveryWay) {
  ElementSource source(13);
  const auto corner = [&](bool flat, double noise) -> Vector3d {
    return Vector3d(static_cast<double>(source.random.below(3)), static_cast<double>(source.random.below(3)),
                    flat ? 0 : static_cast<double>(source.random.below(3))) +
           source.vector(noise);
  };
  std::deque<ConvexPolyhedron> hulls;
  // Where hulls of many coplanar corners overlap, the expansion may end before it has the part of a face that holds the
  // points; distance and normal are right then too.
  int misplaced = 0;
  for (int i = 0; i < 20000; ++i) {
    const bool flat = i % 2 == 0;
    const double noise = std::array{0.0, 1e-17, 1e-15, 1e-12, 1e-9, 1e-6}[static_cast<std::size_t>(i / 2 % 6)];
    const auto element = [&] {
      switch (source.random.below(5)) {
        case 0:
          return ConvexElement::segment(corner(flat, noise), corner(flat, noise));
        case 1:
        case 2:
          return ConvexElement::triangle(corner(flat, noise), corner(flat, noise), corner(flat, noise));
        case 3: {
          const Vector3d low = corner(flat, noise), high = corner(flat, noise);
          return ConvexElement::box(RigidTransform::translation(0.5 * (low + high)), 0.5 * (high - low).cwiseAbs());
        }
        default:
          hulls.push_back(ConvexPolyhedron::of({corner(flat, noise), corner(flat, noise), corner(flat, noise),
                                                corner(flat, noise), corner(flat, noise)}));
          return ConvexElement::hull(&hulls.back());
      }
    };
    const ConvexElement a = element(), b = element();
    const ElementSeparation s = separation(a, b, {});
    ASSERT_NEAR(s.normal.norm(), 1, 1e-9) << i;
    // Features that are smaller than the noise may be taken for one another.
    EXPECT_NEAR(gapAlong(a, b, {}, s.normal), s.distance, 4e-6) << i;
    if (noise == 0 || std::abs(s.distance) > 1e-9)
      misplaced += std::max(pointSeparation(a, s.pointA).distance, pointSeparation(b, s.pointB).distance) > 4e-6;
    EXPECT_NEAR(separation(b, a, {}).distance, s.distance, 1e-8) << i;
    if (std::abs(s.distance) > 1e-8) {
      EXPECT_EQ(overlap(a, b, {}), s.distance <= 0) << i;
    }
  }
  EXPECT_LE(misplaced, 4);
}

TEST(ConvexElement, FlatHullsAreTheirPolygons) {
  const ConvexPolyhedron square = ConvexPolyhedron::of({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.5, 0.5, 0}});
  EXPECT_FALSE(square.solid);
  EXPECT_EQ(square.vertices.size(), 4u);
  const auto e = ConvexElement::hull(&square);
  EXPECT_NEAR(pointSeparation(e, {0.3, 0.3, 0.7}).distance, 0.7, 1e-15);
  EXPECT_NEAR(pointSeparation(e, {0.3, 0.3, 0}).distance, 0, 1e-15);
  EXPECT_NEAR(pointSeparation(e, {2, 0.5, 0}).distance, 1, 1e-15);
  const ConvexPolyhedron one = ConvexPolyhedron::of({{1, 2, 3}, {1, 2, 3}});
  EXPECT_EQ(ConvexElement::hull(&one).kind, CoreKind::point);
  const ConvexPolyhedron two = ConvexPolyhedron::of({{0, 0, 0}, {1, 1, 1}, {0.5, 0.5, 0.5}});
  EXPECT_EQ(ConvexElement::hull(&two).kind, CoreKind::segment);
}

TEST(ConvexElement, SupportOfLargeHullsIsTheFarthestCorner) {
  ElementSource source(11);
  std::vector<Vector3d> points;
  for (int i = 0; i < 2000; ++i) points.push_back(source.unit().cwiseProduct(Vector3d(3, 1, 0.2)));
  const ConvexPolyhedron hull = ConvexPolyhedron::of(points);
  ASSERT_GT(hull.vertices.size(), 500u);
  for (int i = 0; i < 1000; ++i) {
    const Vector3d n = source.unit();
    double maximum = -1e300;
    for (const Vector3d& v : hull.vertices) maximum = std::max(maximum, n.dot(v));
    const int start = static_cast<int>(source.random.below(hull.vertices.size()));
    EXPECT_NEAR(n.dot(hull.vertices[static_cast<std::size_t>(hull.support(n, start))]), maximum, 1e-9);
  }
}

TEST(ConvexElement, EllipsoidsOfAnyFlatness) {
  // Points whose nearest point is known: on the normal of a point of the surface.
  ElementSource source(12);
  for (const Vector3d& axes :
       {Vector3d(1, 1, 1), Vector3d(1, 1, 1e-6), Vector3d(1e-4, 1, 1), Vector3d(1e3, 1, 1e-3), Vector3d(1, 0.5, 0.5)}) {
    const auto e = ConvexElement::ellipsoid({}, axes);
    for (int i = 0; i < 200; ++i) {
      const Vector3d u = source.unit(), p = u.cwiseProduct(axes);
      const Vector3d n = u.cwiseQuotient(axes).normalized();
      for (const double height : {1e-9, 1e-3, 1.0, 1e3}) {
        const PointSeparation s = pointSeparation(e, p + height * n);
        EXPECT_NEAR(s.distance, height, 1e-12 * (axes.maxCoeff() + height)) << axes.transpose();
      }
    }
    // Axes and center, where roots are double.
    EXPECT_NEAR(pointSeparation(e, {0, 0, 0}).distance, -axes.minCoeff(), 1e-12 * axes.maxCoeff());
    EXPECT_NEAR(pointSeparation(e, {2 * axes[0], 0, 0}).distance, axes[0], 1e-12 * axes.maxCoeff());
    EXPECT_NEAR(pointSeparation(e, {0, 0, 3 * axes[2]}).distance, 2 * axes[2], 1e-12 * axes.maxCoeff());
  }
}

TEST(Separation, KeepsAFaceThatNearlyTouchesARoundBody) {
  // Aligned box and ellipsoid, a hair apart: the direction is known at once, and to measure it again gains nothing.
  RandomStream random(5, "faces");
  for (int i = 0; i < 2000; ++i) {
    const Vector3d half(random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1)),
        axes(random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1));
    const int k = i % 3;
    const double gap = std::pow(10, random.uniform(-11, -8)) * (i % 2 ? 1 : -1);
    RigidTransform X;
    X.p[k] = half[k] + axes[k] + gap;
    const ConvexElement box = ConvexElement::box({}, half), ellipsoid = ConvexElement::ellipsoid({}, axes);
    const double distance = separation(box, ellipsoid, X).distance;
    EXPECT_NEAR(distance, gap, 1e-11) << half.transpose() << ", " << axes.transpose();
    EXPECT_EQ(overlap(box, ellipsoid, X), gap <= 0) << gap;
  }
}

}  // namespace
}  // namespace mortise
