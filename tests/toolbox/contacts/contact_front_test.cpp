#include "mortise/contacts/contact_front.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "mortise/base/random.h"
#include "mortise/contacts/contact_layer.h"
#include "tests/toolbox/contacts/contact_scenes.h"

namespace mortise {
namespace {

using test::shapeOf;

/// A cup without a lid: an open sheet, bent, with a rim.
TriangleMesh cupMesh(double radius, double height, int around, int up) {
  TriangleMesh mesh;
  const double turn = 2 * 3.14159265358979323846;
  for (int j = 0; j <= up; ++j)
    for (int i = 0; i < around; ++i) {
      const double u = turn * i / around, r = radius * (1 + 0.1 * std::sin(3.0 * j / up));
      mesh.vertices.emplace_back(r * std::cos(u), r * std::sin(u), height * j / up);
    }
  mesh.vertices.emplace_back(0, 0, 0);
  const int bottom = static_cast<int>(mesh.vertices.size()) - 1;
  for (int i = 0; i < around; ++i) {
    const int next = (i + 1) % around;
    mesh.triangles.push_back({bottom, next, i});
    for (int j = 0; j < up; ++j) {
      const int a = j * around + i, b = j * around + next;
      mesh.triangles.push_back({a, b, a + around});
      mesh.triangles.push_back({b, b + around, a + around});
    }
  }
  return mesh;
}

TriangleMesh bumpyMesh(int n, double size, double height, RandomStream& random) {
  TriangleMesh mesh = test::gridMesh(n, size);
  for (Vector3d& p : mesh.vertices) p.z() = height * random.uniform();
  return mesh;
}

/// Every pair of features of elements within reach, whatever their directions.
struct Everything {
  const FeatureView& view;
  std::vector<FeaturePairing> touching;

  void offer(SurfaceFeature featureA, SurfaceFeature featureB, int place = -1) {
    LayerContact contact;
    const FeaturePairing pairing{featureA, featureB, place};
    if (touches(view, pairing, contact)) touching.push_back(pairing);
  }

  void pair(int i, int j) {
    using F = SurfaceFeature;
    const ContactSurface &a = view.a, &b = view.b;
    for (int w = b.firstVertex(j); w < b.lastVertex(j); ++w) {
      if (a.triangle(i).region >= 0) offer({F::face, a.triangle(i).region}, {F::vertex, w}, i);
      for (int e = a.firstEdge(i); e < a.lastEdge(i); ++e)
        if (!a.edge(e).fine) offer({F::edge, e}, {F::vertex, w});
    }
    for (int v = a.firstVertex(i); v < a.lastVertex(i); ++v) {
      if (b.triangle(j).region >= 0) offer({F::vertex, v}, {F::face, b.triangle(j).region}, j);
      for (int f = b.firstEdge(j); f < b.lastEdge(j); ++f)
        if (!b.edge(f).fine) offer({F::vertex, v}, {F::edge, f});
      for (int w = b.firstVertex(j); w < b.lastVertex(j); ++w)
        if (!a.vertex(v).fine && !b.vertex(w).fine) offer({F::vertex, v}, {F::vertex, w});
    }
    for (int e = a.firstEdge(i); e < a.lastEdge(i); ++e)
      for (int f = b.firstEdge(j); f < b.lastEdge(j); ++f)
        if (!(a.edge(e).fine && b.edge(f).fine)) offer({F::edge, e}, {F::edge, f});
  }

  static bool visit(void* context, int firstA, int countA, int firstB, int countB) {
    for (int i = firstA; i < firstA + countA; ++i)
      for (int j = firstB; j < firstB + countB; ++j) static_cast<Everything*>(context)->pair(i, j);
    return false;
  }
};

std::vector<FeaturePairing> everything(const FeatureView& view) {
  Everything all{view, {}};
  BvhStack stack;
  visitOverlapping({view.a.shape().bvh(), view.b.shape().bvh(), view.X_AB.R, view.X_AB.p}, view.reach, stack,
                   Everything::visit, &all);
  std::sort(all.touching.begin(), all.touching.end());
  return all.touching;
}

std::vector<CollisionShapePtr> shapes() {
  RandomStream random(7, "shapes");
  return {shapeOf(cupMesh(0.04, 0.1, 64, 40)),       shapeOf(test::ballMesh(0.05, 16)),
          shapeOf(test::boxMesh({0.1, 0.06, 0.03})), shapeOf(test::subdivided(test::boxMesh({0.1, 0.06, 0.03}))),
          shapeOf(bumpyMesh(10, 0.1, 0.01, random)), shapeOf(test::triangleSoup(cupMesh(0.03, 0.08, 100, 60)))};
}

Vector3d direction(RandomStream& random) {
  return Vector3d(random.gaussian(), random.gaussian(), random.gaussian()).normalized();
}

RigidTransform nearby(const ContactSurface& a, const ContactSurface& b, double reach, const RigidTransform& X_AB,
                      double slack, RandomStream& random) {
  const Matrix3d turn = rotationFromMoment(0.2 * slack / leverOf(a, b, reach) * direction(random));
  const Vector3d c = b.shape().center();
  return {turn * X_AB.R, X_AB * c - turn * (X_AB.R * c) + 0.2 * slack * direction(random)};
}

TEST(ContactFront, HoldsAllThatCanTouchUntilThen) {
  constexpr double kReach = 0.006;
  RandomStream random(1, "front");
  const auto all = shapes();
  QueryWorkspace workspace;
  ContactFront front;
  FrontWorkspace making;
  std::size_t found = 0, moved = 0, used = 0;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      const ContactSurface a(all[i]), b(all[j]);
      for (int sample = 0; sample < 4; ++sample) {
        SCOPED_TRACE(testing::Message() << "shapes " << i << " and " << j << ", sample " << sample);
        // Brought together until they nearly touch; sometimes with axes parallel.
        RigidTransform X;
        if (sample > 0) X.R = rotationFromMoment(random.uniform(0, 3) * direction(random));
        const Vector3d from = direction(random);
        double along = all[i]->radius() + all[j]->radius() + 0.01;
        for (int step = 0; step < 60; ++step) {
          X.p = all[i]->center() - X.R * all[j]->center() + along * from;
          const double left = distance(*all[i], {}, *all[j], X, workspace).distance;
          if (left < 0.004) break;
          along -= left - 0.003;
        }
        const FeatureView view(a, b, X, kReach);
        const std::vector<FeaturePairing> expected = everything(view);
        found += expected.size();

        makeFront(a, b, X, kReach, 0, front, making);
        std::vector<FeaturePairing> now;
        LayerContact contact;
        for (const FeaturePairing& pairing : front.pairings)
          if (touches(view, pairing, contact)) now.push_back(pairing);
        EXPECT_EQ(now, expected);

        const double slack = std::min(0.3 * kReach, 0.1 * leverOf(a, b, kReach));
        const RigidTransform before = nearby(a, b, kReach, X, slack, random);
        const double motion = motionBetween(a, b, kReach, before, X);
        ASSERT_LT(motion, slack);
        makeFront(a, b, before, kReach, slack, front, making);
        now.clear();
        for (std::size_t k = 0; k < front.pairings.size(); ++k)
          if (front.until[k] <= motion && touches(view, front.pairings[k], contact)) now.push_back(front.pairings[k]);
        EXPECT_EQ(now, expected);
        moved += front.pairings.size();

        // Made, narrowed elsewhere, and used here: where its own slack says that it may be.
        const RigidTransform between = nearby(a, b, kReach, X, 0.3 * slack, random);
        const double left = motionBetween(a, b, kReach, between, X);
        if (!(motionBetween(a, b, kReach, before, between) < slack)) continue;
        ContactFront narrowed;
        narrowFront(front, a, b, between, 1.5 * left, narrowed);
        EXPECT_LE(narrowed.pairings.size(), front.pairings.size());
        if (left < narrowed.slack) {
          ++used;
          now.clear();
          for (std::size_t k = 0; k < narrowed.pairings.size(); ++k)
            if (narrowed.until[k] <= left && touches(view, narrowed.pairings[k], contact))
              now.push_back(narrowed.pairings[k]);
          EXPECT_EQ(now, expected);
        }
        narrowFront(front, a, b, between, slack, narrowed);
        EXPECT_LT(narrowed.slack, slack);
      }
    }
  EXPECT_GT(found, 300u);
  EXPECT_GT(moved, found);
  EXPECT_GT(used, 60u) << "of 84";
}

TEST(ContactFront, MotionIsNoLessThanThatOfTheSmallerOnesPoints) {
  RandomStream random(2, "motion");
  const auto all = shapes();
  const ContactSurface a(all[0]), b(all[4]);
  for (int sample = 0; sample < 200; ++sample) {
    const RigidTransform X = {rotationFromMoment(direction(random)), 0.1 * direction(random)};
    const RigidTransform Y = nearby(a, b, 0.006, X, 0.01, random);
    const bool ofA = all[0]->radius() < all[4]->radius();
    double maximum = 0;
    const CollisionShape& small = ofA ? *all[0] : *all[4];
    for (int place = 0; place < small.numElements(); ++place) {
      const Vector3d p = small.element(place).a;
      maximum = std::max(maximum, ofA ? (X.inverse() * p - Y.inverse() * p).norm() : (X * p - Y * p).norm());
    }
    EXPECT_GE(motionBetween(a, b, 0.006, X, Y), maximum);
  }
}

/// Contacts are those of the poses, whatever front they are taken from: continuing with old fronts and starting anew
/// give the same bits.
TEST(ContactFront, ContactsDoNotDependOnWhenTheFrontWasMade) {
  const auto cup = shapeOf(cupMesh(0.04, 0.1, 64, 40));
  const std::vector<ContactBody> bodies = {{shapeOf(test::gridMesh(3, 0.5)), 0}, {cup, 0.0025}, {cup, 0.0025}};
  PairTable pairs(3);
  for (const auto& [a, b] : {std::pair(0, 1), std::pair(0, 2), std::pair(1, 2)}) pairs.set(a, b, true);
  const auto scene = std::make_shared<const ContactScene>(bodies, pairs);
  ContactGenerator going(scene);
  ByteWriter snapshot;
  for (int step = 0; step < 120; ++step) {
    const double t = 0.01 * step;
    going.setPose(1, {rotationFromMoment({0.002 * std::sin(3 * t), 0, 0.1 * t}), {0, 0, 0.0022}});
    going.setPose(2,
                  {rotationFromMoment({0, 0.003 * std::sin(5 * t), 0}), {0.091 - 0.003 * std::sin(t), 0.01, 0.0024}});
    snapshot.bytes().clear();
    going.save(snapshot);
    going.update();
    ContactGenerator fresh(scene);
    ByteReader in(snapshot.bytes());
    fresh.restore(in);
    fresh.update();
    ASSERT_EQ(going.contacts().size(), fresh.contacts().size()) << step;
    ASSERT_GT(going.contacts().size(), 5u);
    for (std::size_t i = 0; i < going.contacts().size(); ++i) {
      const GeneratedContact &x = going.contacts()[i], &y = fresh.contacts()[i];
      EXPECT_EQ(x.key, y.key) << step;
      EXPECT_EQ(x.gap, y.gap);
      EXPECT_EQ(x.point, y.point);
      EXPECT_EQ(x.normal, y.normal);
    }
  }
}

/// A box that stands on one of its edges along another's edge rests on both ends of it.
TEST(ContactFront, NearlyParallelEdgesMeetAtBothEnds) {
  const double quarter = 0.25 * 3.14159265358979323846, edge = 0.04 * std::sqrt(0.5);
  const auto upper = shapeOf(test::boxMesh({0.08, 0.04, 0.04})), lower = shapeOf(test::boxMesh({0.1, 0.04, 0.04}));
  for (const double yaw : {0.0, 1e-6, 1e-5, 1e-4, 1e-3, 5e-3, -1e-4, -2e-3}) {
    SCOPED_TRACE(testing::Message() << "yaw " << yaw);
    ContactGenerator generator = test::generatorOf({{upper, 0.0025}, {lower, 0.0025}});
    generator.setPose(0, {rotationZ(yaw) * rotationX(quarter), {0.003, 0, 2 * edge + 0.0049}});
    generator.setPose(1, {rotationX(quarter), Vector3d::Zero()});
    generator.update();
    double low = 1, high = -1;
    for (const GeneratedContact& contact : generator.contacts()) {
      low = std::min(low, contact.point.x());
      high = std::max(high, contact.point.x());
      EXPECT_GT(contact.normal.z(), 0.99);
      EXPECT_NEAR(contact.gap, -1e-4, 1e-5);
    }
    EXPECT_NEAR(low, -0.037, 1e-4);
    EXPECT_NEAR(high, 0.043, 1e-4);
  }
}

}  // namespace
}  // namespace mortise
