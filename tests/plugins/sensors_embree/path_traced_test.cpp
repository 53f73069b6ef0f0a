/// Pictures by paths of light: against closed forms, against rays, and that the same scene gives the same bits.

#include "mortise/path_tracing/lighting.h"
#include "tests/plugins/sensors_embree/sight.h"

namespace mortise {
namespace {

using path_tracing::linearLevel;
using test::placedObject;
using test::poseText;
using test::shape;

class PathTraced : public test::SightTest {
 protected:
  /// Without the arm that other tests have.
  ComponentPtr<Sensor> camera(const std::string& settings) {
    auto made = create("PathTracedCamera", "{" + settings + "}");
    objects.clear();
    for (const RigidObject& object : world.objects) objects.push_back({object.X_WO});
    made->start({world, -1, period});
    return made;
  }
  void add(GeometryPtr geometry, const RigidTransform& X_WO, const char* color = nullptr) {
    world.objects.push_back(placedObject(std::move(geometry), X_WO, color));
  }
  /// A few bodies of all kinds on a floor.
  void addStillLife() {
    const auto at = [](double x, double y, double z) { return RigidTransform::translation(Vector3d(x, y, z)); };
    add(shape(SphereShape{Vector3d::Zero(), 0.3}), at(0, 0, 0.3));
    add(test::boxGeometry(Vector3d(0.4, 0.3, 0.5)), at(0.7, 0.2, 0.25), "0.8 0.2 0.1");
    add(shape(CylinderShape{Vector3d::Zero(), Vector3d::UnitZ(), 0.2, 0.6}), at(-0.6, 0.1, 0));
    PointCloud cloud;
    for (int i = 0; i < 40; ++i) cloud.points.emplace_back(0.05 * i - 1, -0.5, 0.1 + 0.01 * (i % 7));
    add(shape(cloud), {});
  }
  static Vector3d linearOf(double rgb) {
    const auto bits = static_cast<std::uint32_t>(rgb);
    return {linearLevel((bits >> 16 & 255) / 255.0), linearLevel((bits >> 8 & 255) / 255.0),
            linearLevel((bits & 255) / 255.0)};
  }
  static std::string seenFrom(const Vector3d& eye, const Vector3d& target) {
    return poseText(test::lookAt(eye, target)) + ", ";
  }
};

TEST_F(PathTraced, AnyNumberOfThreadsGivesTheSameBits) {
  addStillLife();
  const std::string settings = seenFrom(Vector3d(1.5, -2, 1.2), Vector3d(0, 0, 0.3)) +
                               "xres: 40, yres: 30, samples: 5, bounces: 2, floor_height: 0, grid_cell: 0.1, threads: ";
  auto one = camera(settings + "1");
  const std::vector<double> first = measure(*one);
  EXPECT_EQ(measure(*one), first) << "the same once more";
  for (const char* threads : {"2", "7"}) EXPECT_EQ(measure(*camera(settings + threads)), first) << threads;
}

TEST_F(PathTraced, WindowsArePartsOfTheWholePicture) {
  addStillLife();
  const std::string place = seenFrom(Vector3d(1.5, -2, 1.2), Vector3d(0, 0, 0.3)),
                    light = "samples: 3, floor_height: 0, grid_cell: 0.1, background: transparent, fy: 40, ";
  const std::vector<double> full = measure(*camera(place + light + "xres: 32, yres: 24"));
  auto window = camera(place + light + "xres: 10, yres: 7, cx: 15.5, cy: 11.5, column: 3, row: 4");
  for (const auto& [column, row] : {std::pair(3, 4), std::pair(20, 17), std::pair(0, 0)}) {
    EXPECT_TRUE(window->changeSetting("column", Value(column)));
    EXPECT_TRUE(window->changeSetting("row", Value(row)));
    const std::vector<double> part = measure(*window);
    for (std::size_t plane = 0; plane < 3; ++plane)
      for (int j = 0; j < 7; ++j)
        for (int i = 0; i < 10; ++i)
          ASSERT_EQ(part[plane * 70 + static_cast<std::size_t>(10 * j + i)],
                    full[plane * 768 + static_cast<std::size_t>(32 * (row + j) + column + i)])
              << plane << " " << i << ", " << j;
  }
}

TEST_F(PathTraced, InWhiteLightABodyShowsItsColor) {
  add(shape(SphereShape{Vector3d::Zero(), 1}), {}, "0.5 0.25 0.75");
  const std::vector<double> values = measure(*camera(seenFrom(Vector3d(0, -4, 0.5), Vector3d::Zero()) +
                                                     "xres: 8, yres: 8, fy: 20, light: white, samples: 8, bounces: 3"));
  for (const int at : {27, 28, 35, 36}) {
    const auto rgb = static_cast<std::uint32_t>(values[static_cast<std::size_t>(at)]);
    EXPECT_NEAR(rgb >> 16 & 255, 127.5, 1);
    EXPECT_NEAR(rgb >> 8 & 255, 63.75, 1);
    EXPECT_NEAR(rgb & 255, 191.25, 1);
  }
}

/// The share of white light that arrives at the floor right below a ball's side, by closed form: the ball covers
/// (r / d)^2 cos of it.
TEST_F(PathTraced, BodiesOfAllKindsShadeTheFloor) {
  const double radius = 0.5;
  const Vector3d center(0, 0, 1.2), eye(3, -3, 2.5), place(0.6, -0.4, 0);
  const std::string settings = seenFrom(eye, place) +
                               "xres: 1, yres: 1, fy: 3000, light: white, background: white, samples: 1024, "
                               "floor_height: 0, floor_reach: 100";
  const Vector3d toBall = center - place;
  const double expected = 1 - std::pow(radius / toBall.norm(), 2) * toBall.z() / toBall.norm();
  TriangleMesh mesh;  // The same ball of triangles.
  constexpr int kRings = 24, kSides = 48;
  for (int i = 0; i <= kRings; ++i)
    for (int j = 0; j < kSides; ++j) {
      const double a = M_PI * i / kRings, b = 2 * M_PI * j / kSides;
      mesh.vertices.push_back(radius * Vector3d(std::sin(a) * std::cos(b), std::sin(a) * std::sin(b), std::cos(a)));
    }
  for (int i = 0; i < kRings; ++i)
    for (int j = 0; j < kSides; ++j) {
      const int a = kSides * i + j, b = kSides * i + (j + 1) % kSides;
      mesh.triangles.push_back({a, a + kSides, b});
      mesh.triangles.push_back({b, a + kSides, b + kSides});
    }
  const GeometryPtr balls[] = {shape(SphereShape{Vector3d::Zero(), radius}),
                               shape(EllipsoidShape{RigidTransform(), Vector3d::Constant(radius)}),
                               shape(CapsuleShape{Vector3d::Zero(), Vector3d(0, 0, 1e-9), radius}), shape(mesh),
                               shape(PointShape{Vector3d::Zero()}, radius)};
  for (const GeometryPtr& ball : balls) {
    world = World();
    add(ball, RigidTransform::translation(center));
    const std::vector<double> values = measure(*camera(settings));
    EXPECT_NEAR(linearOf(values[0])[0], expected, 0.012) << ball->typeName();
  }
}

TEST_F(PathTraced, ThereIsAnUmbraAndAPenumbra) {
  // Toward the sun from the origin, 2 m away: the shadow's middle is the origin.
  const path_tracing::Lighting light = path_tracing::Lighting::studio(style::kLight);
  add(shape(SphereShape{Vector3d::Zero(), 0.3}), RigidTransform::translation(2 * light.toSun));
  const auto darkness = [&](const Vector3d& place) {
    const std::vector<double> values =
        measure(*camera(seenFrom(place + Vector3d(3, 2, 1.5), place) +
                        "xres: 1, yres: 1, fy: 3000, background: transparent, samples: 256, floor_height: 0, "
                        "floor_reach: 100"));
    return values[2];
  };
  const double sky = 0.5 * std::pow(0.3 / 2, 2) * light.toSun.z();
  EXPECT_NEAR(darkness(Vector3d::Zero()), 0.5 + sky, 0.02) << "no sun, and the ball before the sky";
  const Vector3d across = light.sunX;  // Level.
  EXPECT_NEAR(darkness(0.3 * across), 0.25 + sky, 0.04) << "half of the sun";
  EXPECT_LT(darkness(0.45 * across), 0.03) << "beyond the penumbra";
}

TEST_F(PathTraced, DepthsAreThoseOfRays) {
  const RigidTransform X_WB(rotationFromRollPitchYaw(Vector3d(0.3, 0.5, -0.2)), Vector3d(0.5, 0.1, 0.2));
  add(test::boxGeometry(Vector3d(0.5, 0.4, 0.3)), X_WB);
  add(shape(SphereShape{Vector3d::Zero(), 0.4}), RigidTransform::translation(Vector3d(-0.5, 0, 0.1)));
  const RigidTransform X_WC = test::lookAt(Vector3d(0.2, -3, 1), Vector3d::Zero());
  auto eye = camera(poseText(X_WC) + ", xres: 60, yres: 40, samples: 1");
  EXPECT_GT(compareDepths(*eye, X_WC,
                          {test::boxAt(X_WB, Vector3d(0.5, 0.4, 0.3)), test::sphereAt(Vector3d(-0.5, 0, 0.1), 0.4)}),
            200);
}

TEST_F(PathTraced, SilhouettesAreWhereBodiesAre) {
  const Vector3d center(0.1, 0, 0.2);
  add(shape(SphereShape{Vector3d::Zero(), 0.4}), RigidTransform::translation(center));
  const RigidTransform X_WC = test::lookAt(Vector3d(0.2, -3, 1), Vector3d::Zero());
  auto eye = camera(poseText(X_WC) + ", xres: 60, yres: 40, fy: 60, samples: 16, background: transparent");
  const std::vector<double> values = measure(*eye);
  const test::ClosedForm ball = test::sphereAt(center, 0.4);
  int inside = 0, outside = 0, edge = 0;
  for (int j = 0; j < 40; ++j)
    for (int i = 0; i < 60; ++i) {
      int hits = 0;
      for (const double x : {-0.75, 0.0, 0.75})
        for (const double y : {-0.75, 0.0, 0.75}) {
          const Vector3d ray = X_WC.R * Vector3d((i + x - 29.5) / 60, (j + y - 19.5) / 60, 1);
          if (ball(X_WC.p, ray) < test::kNothing) ++hits;
        }
      const double opacity = values[2 * 2400 + static_cast<std::size_t>(60 * j + i)];
      if (hits == 9) {
        EXPECT_EQ(opacity, 1) << i << ", " << j;
        ++inside;
      } else if (hits == 0 && opacity == 0) {
        ++outside;
      } else {
        ++edge;
      }
    }
  // The radius is 7.6 pixels.
  EXPECT_GT(inside, 140);
  EXPECT_GT(outside, 1800);
  EXPECT_LT(edge, 2 * 2 * M_PI * 7.7) << "the rim is at most two pixels wide";
  EXPECT_GT(edge, 20) << "and smooth";
}

TEST_F(PathTraced, FarFromTheOriginItLooksTheSame) {
  add(shape(SphereShape{Vector3d::Zero(), 0.3}), RigidTransform::translation(Vector3d(0, 0, 0.3)), "0.7 0.3 0.2");
  const Vector3d away(20000, -30000, 0);
  const auto picture = [&](const Vector3d& shift) {
    world.objects[0].X_WO.p = Vector3d(0, 0, 0.3) + shift;
    return measure(*camera(seenFrom(Vector3d(1.5, -2, 1.2) + shift, Vector3d(0, 0, 0.3) + shift) +
                           "xres: 24, yres: 18, samples: 16, floor_height: 0, floor_reach: 1e6"));
  };
  const std::vector<double> here = picture(Vector3d::Zero()), there = picture(away);
  int different = 0;
  for (std::size_t i = 0; i < 24 * 18; ++i)
    if ((linearOf(here[i]) - linearOf(there[i])).norm() > 0.05) ++different;
  EXPECT_LE(different, 4) << "but for rounding at edges";
}

TEST_F(PathTraced, RobotsAndDefaultsHaveCalmColors) {
  add(test::boxGeometry(Vector3d(1, 1, 1)), {});
  add(test::boxGeometry(Vector3d(1, 1, 1)), RigidTransform::translation(Vector3d(3, 0, 0)));
  const auto colorAt = [&](const Vector3d& target, const std::string& more) {
    const std::vector<double> values =
        measure(*camera(seenFrom(target + Vector3d(0, -4, 2), target) +
                        "xres: 1, yres: 1, fy: 3000, light: white, samples: 4, bounces: 0" + more));
    return static_cast<std::uint32_t>(values[0]);
  };
  const auto near = [](std::uint32_t found, std::uint32_t expected) {
    for (const int shift : {16, 8, 0})
      if (std::abs(static_cast<int>(found >> shift & 255) - static_cast<int>(expected >> shift & 255)) > 1)
        return false;
    return true;
  };
  EXPECT_TRUE(near(colorAt(Vector3d(0, 0, 0.5), ""), 0x3f90da)) << "the first object";
  EXPECT_TRUE(near(colorAt(Vector3d(3, 0, 0.5), ""), 0xffa90e)) << "the second";
  // A link of a robot: #e0ddd8 and 3.5 % darker in HSL.
  EXPECT_TRUE(near(colorAt(Vector3d(0, 0, 0.5), ", link_objects: [0], link_numbers: [0]"), 0xd8d4ce));
  EXPECT_TRUE(near(colorAt(Vector3d(0, 0, 0.5), ", link_objects: [0], link_numbers: [2]"), 0xd8d4ce));
  EXPECT_FALSE(near(colorAt(Vector3d(0, 0, 0.5), ", link_objects: [0], link_numbers: [1]"), 0xd8d4ce)) << "lighter";
}

TEST_F(PathTraced, WrongSettingsAreSaid) {
  for (const char* wrong : {"{xres: 16384, yres: 16384}", "{fx: 0}", "{link_objects: [1]}", "{samples: 0}",
                            "{background: blue}", "{sky_color: [2, 0, 0]}", "{floor_height: .inf}"})
    EXPECT_THROW(create("PathTracedCamera", wrong), Error) << wrong;
  world.objects.push_back(
      placedObject(shape(TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {0, std::nan(""), 0}}, {{0, 1, 2}}}), RigidTransform()));
  EXPECT_THROW(camera("xres: 2, yres: 2"), Error) << "a corner that is no number";
}

TEST_F(PathTraced, WhatIsNowhereIsNotSeen) {
  add(shape(SphereShape{Vector3d::Zero(), 1}), RigidTransform::translation(Vector3d(0, 0, 5)));
  auto eye = camera("xres: 4, yres: 4, fy: 20, samples: 2, background: transparent");
  EXPECT_EQ(measure(*eye)[2 * 16 + 5], 1);
  objects[0].X_WB.p.x() = std::nan("");
  EXPECT_EQ(measure(*eye)[2 * 16 + 5], 0);
  objects[0].X_WB.p.x() = 0;
  EXPECT_EQ(measure(*eye)[2 * 16 + 5], 1) << "and back again";
}

}  // namespace
}  // namespace mortise
