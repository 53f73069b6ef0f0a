/// Poses in which pairs almost touch, or overlap deeply where they are round, with directions and points that prove
/// what is right: a direction along which two bodies are so far apart is a bound of their distance from below (of their
/// depth from above), and points on both bound it from the other side.

#include <array>
#include <cmath>
#include <gtest/gtest.h>

#include "mortise/collision/query.h"
#include "tests/toolbox/geometry/convex_elements.h"

namespace mortise {
namespace {

using test::gapAlong;

RigidTransform pose(const std::array<double, 9>& rows, const Vector3d& p) {
  RigidTransform X;
  for (int i = 0; i < 9; ++i) X.R(i / 3, i % 3) = rows[static_cast<std::size_t>(i)];
  X.p = p;
  return X;
}

struct TouchingPair {
  ConvexElement a, b;
  RigidTransform X_AB;
};

/// Distance and normal are as good as any direction can prove, and points are on both bodies.
void expectProven(const TouchingPair& p, double onBody) {
  const ElementSeparation s = separation(p.a, p.b, p.X_AB);
  EXPECT_NEAR(gapAlong(p.a, p.b, p.X_AB, s.normal), s.distance, 1e-12);
  EXPECT_LT(pointSeparation(p.a, s.pointA).distance, onBody);
  EXPECT_LT(pointSeparation(p.b, p.X_AB.inverse() * s.pointB).distance, onBody);
}

/// What is this far apart along a direction neither overlaps nor comes nearer.
void expectApart(const TouchingPair& p, double gap) {
  const ElementSeparation s = separation(p.a, p.b, p.X_AB);
  EXPECT_NEAR(s.distance, gap, 1e-12);
  EXPECT_FALSE(overlap(p.a, p.b, p.X_AB));
  EXPECT_FALSE(overlap(p.a, p.b, p.X_AB, gap - 5e-11));
  EXPECT_TRUE(overlap(p.a, p.b, p.X_AB, gap + 5e-11));
}

TouchingPair triangleAndEllipsoid() {
  const RigidTransform X_WA =
      pose({-0.90638987720403819, -0.34481796397861558, -0.24404500039888588, 0.12599034963414124, -0.77206114335917686,
            0.6229350068137034, -0.4032168427795606, 0.53387466940524908, 0.74323214076513078},
           {-0.94786353242275889, 0.29354500090451335, -0.12404054315835082});
  const RigidTransform X_WB =
      pose({-0.84964593730384386, 0.42039511281949826, 0.31838613402683769, -0.31298767745122991, 0.083916663812068637,
            -0.94604265617272199, -0.42442961134534285, -0.903452235955025, 0.060279037493206372},
           {-0.44711616418137567, 0.35249210950831478, -0.63721107931687671});
  return {ConvexElement::triangle({0.19266024010699287, -0.13358227468260075, -0.42499528264515102},
                                  {-0.52882994482072831, 0.27408800107667614, -0.19137078723557965},
                                  {0.31099288914762874, -0.024910843705230914, -0.42803618037134089}),
          ConvexElement::ellipsoid({}, {0.14900703884888622, 0.69128361056633203, 0.92402773324697551}),
          relativePose(X_WA, X_WB)};
}

TouchingPair nearCylinders() {
  const RigidTransform X_WA =
      pose({0.82087919157187517, -0.11794873062258633, -0.55878927136159773, -0.36604231597757519, 0.64238005779195961,
            -0.67332078852874544, 0.43837241673955452, 0.75725554358863512, 0.48414219599845154},
           {0.37122679936344782, 0.045272495282174863, -0.92743790336889709});
  const RigidTransform X_WB =
      pose({-0.074176292256638743, 0.61053128530452472, 0.78851089233533322, -0.42592431921897445, -0.73433976929042011,
            0.52852017703806375, 0.90171300975693525, -0.29664229789916752, 0.31451072339777386},
           {0.51812384694988967, 0.91786176291899357, -1.6562276689510145});
  return {ConvexElement::cylinder({}, 0.39118731245460314, 0.97253075960590085),
          ConvexElement::cylinder({}, 0.12763947405439927, 0.52990314156307627), relativePose(X_WA, X_WB)};
}

// The nearest points of a thin simplex were taken from its plane alone, which is noise, and came out nearer than any
// two points are.
TEST(NearTouch, ThinSimplicesDoNotBringBodiesNearer) {
  const TouchingPair ellipsoid = triangleAndEllipsoid(), cylinders = nearCylinders();
  expectProven(ellipsoid, 1e-11);
  expectApart(ellipsoid, 0.000196851103820145);
  EXPECT_GT(gapAlong(ellipsoid.a, ellipsoid.b, ellipsoid.X_AB,
                     {-0.52411972711553778, -0.83677335677207776, -0.15845775791902211}),
            0.000196851103820145 - 1e-15);
  expectProven(cylinders, 1e-11);
  expectApart(cylinders, 3.61020391e-07);
  EXPECT_GT(gapAlong(cylinders.a, cylinders.b, cylinders.X_AB,
                     {-0.74628574996817276, 0.027068651028606318, -0.66507508412654692}),
            3.61020391e-07 - 1e-15);
}

// One wide valley of directions that part them almost as well: an expansion has too few faces for it.
TEST(NearTouch, DepthsOfRoundBodiesAreTheLeast) {
  const TouchingPair p{ConvexElement::ellipsoid({}, {0.85348718346343388, 0.78130084712283754, 0.91714946001744757}),
                       ConvexElement::ellipsoid({}, {0.33658700152184906, 0.35686133850192658, 0.40875571776689013}),
                       pose({0, -1, 0, 1, 0, 0, 0, 0, 1}, {0, 0, -0.230968580621848})};
  const double gap = gapAlong(p.a, p.b, p.X_AB, {0, -0.8437604354154159, -0.5367199713328985});
  EXPECT_NEAR(gap, -1.0576402780663887, 1e-13);
  EXPECT_GT(separation(p.a, p.b, p.X_AB).distance, gap - 1e-12);
  expectProven(p, 1e-10);
}

// A side of the cylinder: across its axis its radius parts them.
TEST(NearTouch, DepthOfACylinderInATriangle) {
  const double radius = 0.29670622369534594;
  const TouchingPair p{ConvexElement::triangle({0.81558525234936285, -0.57582138589465026, 6.4071327757547709e-17},
                                               {0.68447166075294841, -0.48325226475716748, -0.36374186582270601},
                                               {0.91210749779297717, 0, 5.796929654254315e-17}),
                       ConvexElement::cylinder({}, radius, 0.37404433645521562),
                       pose({0, 0, 1, 0, 1, 0, -1, 0, 0}, {0.89589329629474046, 5.5511151231257827e-17, 0})};
  EXPECT_NEAR(gapAlong(p.a, p.b, p.X_AB, Vector3d::UnitZ()), -radius, 1e-13);
  EXPECT_GT(separation(p.a, p.b, p.X_AB).distance, -radius - 1e-12);
  expectProven(p, 1e-9);
}

// The points were those of a polygon in the rim.
TEST(NearTouch, PointsOfRoundBodiesAreOnThem) {
  expectProven({ConvexElement::cylinder({}, 0.39623281636028806, 0.56064860248260273),
                ConvexElement::cylinder({}, 0.14890512786515872, 0.55597742422021468),
                pose({0, -1, 0, 1, 0, 0, 0, 0, 1}, {0, 0, -0.0053609115698818322})},
               1e-9);
}

TEST(NearTouch, NormalsOfTrianglesAreThoseOfTheirFeatures) {
  const auto shape = [](const Vector3d& a, const Vector3d& b, const Vector3d& c) {
    return makeCollisionShape(std::make_shared<const Geometry>(TriangleShape{a, b, c}));
  };
  RandomStream random(3, "triangles");
  const auto vector = [&] { return Vector3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)); };
  QueryWorkspace workspace;
  int faces = 0, edges = 0;
  for (int i = 0; i < 6000; ++i) {
    const Vector3d a[3] = {vector(), vector(), vector()}, b[3] = {vector(), vector(), vector()};
    const auto first = shape(a[0], a[1], a[2]), second = shape(b[0], b[1], b[2]);
    RigidTransform X = RigidTransform::translation(3 * vector().normalized());
    const DistanceResult far = distance(*first, {}, *second, X, workspace);
    if (far.distance < 0.1) continue;
    X.p -= (far.distance - std::pow(10, random.uniform(-11, -6))) * far.normal_W;
    const DistanceResult near = distance(*first, {}, *second, X, workspace);
    ASSERT_GT(near.distance, 0);
    // Corner to corner there is no other direction than that between the points.
    if (near.featureA.kind != FeatureKind::face && near.featureB.kind != FeatureKind::face &&
        (near.featureA.kind != FeatureKind::edge || near.featureB.kind != FeatureKind::edge))
      continue;
    ++(near.featureA.kind == FeatureKind::edge && near.featureB.kind == FeatureKind::edge ? edges : faces);
    const TouchingPair p{ConvexElement::triangle(a[0], a[1], a[2]), ConvexElement::triangle(b[0], b[1], b[2]), X};
    EXPECT_NEAR(near.normal_W.norm(), 1, 1e-14);
    EXPECT_NEAR(gapAlong(p.a, p.b, X, near.normal_W), near.distance, 1e-14) << i;
    EXPECT_NEAR((near.p_WB - near.p_WA).norm(), near.distance, 1e-15);
  }
  EXPECT_GT(faces, 100);
  EXPECT_GT(edges, 100);
}

// An ellipsoid a few picometres from an edge that two triangles share.
TEST(NearTouch, AnEdgeOfAMeshIsAsFarAsADirectionSays) {
  TriangleMesh mesh;
  mesh.vertices = {{0.41329692940954971, 0, 4.0362226446837883e-17},
                   {0.31014988511941455, -0.26922386632188217, -0.25326219968456593},
                   {0.42050013021285321, 0, -0.27779378754553941},
                   {0.31014988511941455, 0.26922386632188217, -0.25326219968456593}};
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  const Vector3d axes(0.76682682649753686, 0.58996303209430867, 0.84919675205968781);
  const RigidTransform X = pose({0, 0, 1, 0, 1, 0, -1, 0, 0}, {1.2627264384728756, 0, 0});
  const auto surface = makeCollisionShape(std::make_shared<const Geometry>(mesh));
  const auto round = makeCollisionShape(std::make_shared<const Geometry>(EllipsoidShape{{}, axes}));
  QueryWorkspace workspace;
  const DistanceResult near = distance(*surface, {}, *round, X, workspace);
  const auto ellipsoid = ConvexElement::ellipsoid({}, axes);
  double gap = 1;
  for (const auto& t : mesh.triangles) {
    const auto corner = [&](int k) { return mesh.vertices[static_cast<std::size_t>(t[static_cast<std::size_t>(k)])]; };
    gap =
        std::min(gap, gapAlong(ConvexElement::triangle(corner(0), corner(1), corner(2)), ellipsoid, X, near.normal_W));
  }
  EXPECT_GT(gap, 1e-12);
  EXPECT_NEAR(near.distance, gap, 1e-13);
  EXPECT_LT(pointSeparation(ellipsoid, X.inverse() * near.p_WB).distance, 1e-10);
  EXPECT_FALSE(collide(*surface, {}, *round, X, workspace));
  EXPECT_FALSE(withinDistance(*surface, {}, *round, X, 0.5 * gap, workspace));
  EXPECT_TRUE(withinDistance(*surface, {}, *round, X, gap + 1e-12, workspace));
}

}  // namespace
}  // namespace mortise
