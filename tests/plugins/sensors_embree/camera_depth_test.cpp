/// Depths of cameras against closed forms, before noise.

#include "tests/plugins/sensors_embree/sight.h"

namespace mortise {
namespace {

using test::boxAt;
using test::cylinderAt;
using test::kNothing;
using test::lookAt;
using test::placedObject;
using test::planeAt;
using test::poseText;
using test::shape;
using test::sphereAt;

class CameraDepth : public test::SightTest {
 protected:
  /// A ground, a ball, a turned box and a lying cylinder, all moved by `shift`; and the closed forms of the same.
  std::vector<test::ClosedForm> buildScene(const Vector3d& shift) {
    world = World();
    Terrain ground = test::groundTerrain();
    TriangleMesh square;
    for (const auto& [x, y] : {std::pair(-5, -5), {5, -5}, {5, 5}, {-5, 5}})
      square.vertices.push_back(shift + Vector3d(x, y, 0));
    square.triangles = {{0, 1, 2}, {0, 2, 3}};
    ground.geometry = shape(square);
    world.terrains.push_back(ground);
    const Vector3d ball(0.5, 0.3, 0.4);
    const RigidTransform box(rotationFromRollPitchYaw(Vector3d(0.3, -0.2, 0.7)), Vector3d(-0.6, 0.5, 0.5));
    const RigidTransform tube(rotationFromRollPitchYaw(Vector3d(1.3, 0.2, 0.4)), Vector3d(0.1, -0.5, 0.3));
    const RigidTransform X_WS = RigidTransform::translation(shift);
    world.objects.push_back(placedObject(shape(SphereShape{Vector3d(0.1, 0, 0), 0.3}),
                                         X_WS * RigidTransform::translation(ball - Vector3d(0.1, 0, 0))));
    world.objects.push_back(placedObject(test::boxGeometry(Vector3d(0.4, 0.6, 0.3)), X_WS * box));
    world.objects.push_back(
        placedObject(shape(CylinderShape{Vector3d(0, 0, -0.4), Vector3d::UnitZ(), 0.15, 0.8}), X_WS * tube));
    return {planeAt(shift[2]), sphereAt(shift + ball, 0.3), boxAt(X_WS * box, Vector3d(0.4, 0.6, 0.3)),
            cylinderAt(X_WS * tube, 0.15, 0.8)};
  }
};

TEST_F(CameraDepth, EqualsClosedFormsFromManyPlaces) {
  const auto forms = buildScene(Vector3d::Zero());
  for (int k = 0; k < 12; ++k) {
    const double angle = 0.5 * k + 0.1, height = 0.5 + 0.2 * k;
    const RigidTransform X_WC =
        lookAt(Vector3d(1.8 * std::cos(angle), 1.8 * std::sin(angle), height), Vector3d(0, 0, 0.3));
    auto camera = started("CameraSensor", "{xres: 161, yres: 119, rgb: false, zmax: 3.5, " + poseText(X_WC) + "}");
    EXPECT_GT(compareDepths(*camera, X_WC, forms), 11000);
  }
}

TEST_F(CameraDepth, EqualsClosedFormsFarFromTheOrigin) {
  for (const double far : {1e3, 1e5, 1e6}) {
    const Vector3d shift(far, -0.7 * far, 0.1 * far);
    const auto forms = buildScene(shift);
    const RigidTransform X_WC = lookAt(shift + Vector3d(1.3, 0.9, 1.1), shift + Vector3d(0, 0, 0.3));
    auto camera = started("CameraSensor", "{xres: 160, yres: 120, rgb: false, zmax: 3.5, " + poseText(X_WC) + "}");
    EXPECT_GT(compareDepths(*camera, X_WC, forms), 11000) << far;
  }
}

TEST_F(CameraDepth, EqualsClosedFormsOverLongDistances) {
  world.objects.push_back(
      placedObject(shape(SphereShape{Vector3d::Zero(), 400}), RigidTransform::translation(Vector3d(0, 0, 3000))));
  world.objects.push_back(placedObject(test::boxGeometry(Vector3d(300, 300, 300)),
                                       {rotationFromRollPitchYaw(Vector3d(0.3, -0.4, 0.2)), Vector3d(700, 100, 2000)}));
  auto camera = started("CameraSensor", "{xres: 160, yres: 120, rgb: false, zmin: 1, zmax: .inf}");
  EXPECT_GT(compareDepths(*camera, {},
                          {sphereAt(Vector3d(0, 0, 3000), 400), boxAt(world.objects[1].X_WO, Vector3d(300, 300, 300))}),
            1000);
}

TEST_F(CameraDepth, FollowsMovingObjects) {
  world.objects.push_back(placedObject(test::boxGeometry(Vector3d(0.5, 0.4, 0.3)), {}));
  world.objects.push_back(placedObject(test::boxGeometry(Vector3d(0.5, 0.4, 0.3)), {}));
  const RigidTransform X_WC = lookAt(Vector3d(0, -2, 0.5), Vector3d(0, 0, 0));
  auto camera = started("CameraSensor", "{xres: 120, yres: 90, rgb: false, " + poseText(X_WC) + "}");
  for (int k = 0; k < 10; ++k) {
    const RigidTransform a(rotationFromRollPitchYaw(Vector3d(0.3 * k, 0.1, 0.2 * k)),
                           Vector3d(-0.4, 0.1 * k, 0.02 * k));
    const RigidTransform b(rotationFromRollPitchYaw(Vector3d(0.1, 0.2 * k, 0.1)), Vector3d(0.5 - 0.03 * k, 0.3, 0.1));
    objects[0].X_WB = a;
    if (k % 3 == 0) objects[1].X_WB = b;
    EXPECT_GT(compareDepths(*camera, X_WC,
                            {boxAt(a, Vector3d(0.5, 0.4, 0.3)), boxAt(objects[1].X_WB, Vector3d(0.5, 0.4, 0.3))}),
              600);
  }
}

TEST_F(CameraDepth, SeesRobotsWhereTheirLinksAre) {
  RobotDescription arm = test::armDescription(3);
  for (Link& link : arm.links) link.geometry = shape(SphereShape{Vector3d(0.25, 0, 0), 0.1});
  world.robots.push_back(test::placedRobot(arm));
  const RigidTransform X_WC = lookAt(Vector3d(0.6, -2.5, 0.2), Vector3d(0.6, 0, 0));
  auto camera = started("CameraSensor", "{xres: 160, yres: 120, rgb: false, " + poseText(X_WC) + "}");
  for (int k = 0; k < 6; ++k) {
    setConfiguration(Vector3d(0.3 * k, -0.5 * k, 0.4));
    std::vector<test::ClosedForm> forms;
    for (const RigidTransform& X_WL : states[0].X_WL) forms.push_back(sphereAt(X_WL * Vector3d(0.25, 0, 0), 0.1));
    EXPECT_GT(compareDepths(*camera, X_WC, forms), 50);
  }
}

TEST_F(CameraDepth, MovesWithItsLinkAndSeesThatToo) {
  RobotDescription arm = test::armDescription(2);
  arm.links[1].geometry = shape(SphereShape{Vector3d(0.25, 0, 0), 0.1});
  world.robots.push_back(test::placedRobot(arm));
  world.terrains.push_back(test::groundTerrain());
  world.terrains[0].geometry = shape(AxisAlignedBoxShape{Vector3d(-50, -50, -3), Vector3d(50, 50, -2)});
  // Over the shoulder of its own link, downwards.
  const RigidTransform X_LC(rotationFromRollPitchYaw(Vector3d(0.1, 2.4, 0)), Vector3d(0, 0.02, 0.6));
  auto camera =
      started("CameraSensor", "{link: rod1, xres: 100, yres: 80, rgb: false, zmax: 20, " + poseText(X_LC) + "}");
  int seen = 0;
  for (int k = 0; k < 5; ++k) {
    setConfiguration(Eigen::Vector2d(0.1 * k, -0.2 * k));
    const RigidTransform X_WL = states[0].X_WL[1];
    seen += compareDepths(*camera, X_WL * X_LC, {planeAt(-2), sphereAt(X_WL * Vector3d(0.25, 0, 0), 0.1)});
  }
  EXPECT_GT(seen, 20000);
  EXPECT_EQ(camera->camera()->link, 1);
}

/// Rays that only just graze triangles, and triangles that rays see from the side.
TEST_F(CameraDepth, HoldsUnderGrazingRays) {
  Terrain ground;
  ground.geometry = shape(AxisAlignedBoxShape{Vector3d(-200, -200, -1), Vector3d(200, 200, 0)});
  world.terrains.push_back(ground);
  const RigidTransform X_WC = lookAt(Vector3d(0, 0, 0.002), Vector3d(1, 0.3, 0.0015));
  auto camera =
      started("CameraSensor", "{xres: 64, yres: 48, rgb: false, zmin: 0.001, zmax: 50, " + poseText(X_WC) + "}");
  EXPECT_GT(
      compareDepths(*camera, X_WC, {boxAt(RigidTransform::translation(Vector3d(0, 0, -0.5)), Vector3d(400, 400, 1))}),
      1000);
}

TEST_F(CameraDepth, RangeAndNearness) {
  world.objects.push_back(
      placedObject(test::boxGeometry(Vector3d(10, 10, 0.02)), RigidTransform::translation(Vector3d(0, 0, 1.01))));
  auto camera = started("CameraSensor", "{xres: 8, yres: 6, zmin: 0.4, zmax: 3, shading: false}");
  const auto depthAt = [&](double z) {
    objects[0].X_WB.p[2] = z + 0.01;
    return measure(*camera)[48 + 20];
  };
  EXPECT_NEAR(depthAt(1), 1, 1e-12);
  EXPECT_NEAR(depthAt(2.9), 2.9, 1e-12);
  EXPECT_EQ(depthAt(3.1), 3);                 // Beyond zmax.
  EXPECT_EQ(measure(*camera)[20], 0x6633cc);  // Its color is seen all the same.
  EXPECT_EQ(depthAt(-5), 3);                  // Behind.
  EXPECT_NEAR(depthAt(0.2), 0.2, 1e-12);      // Nearer than zmin: said as it is.
  EXPECT_EQ(depthAt(0.05), 3);                // Nearer than what cameras see at all.
}

TEST_F(CameraDepth, EmptyWorldsGiveNothing) {
  auto camera = started("CameraSensor", "{xres: 5, yres: 3}");
  const std::vector<double> values = measure(*camera);
  ASSERT_EQ(values.size(), 30u);
  for (int k = 0; k < 15; ++k) {
    EXPECT_EQ(values[k], 0x6666ff);  // Klamp't's background.
    EXPECT_EQ(values[15 + k], 4);
  }
}

TEST_F(CameraDepth, WhatIsNowhereIsNotSeen) {
  world.objects.push_back(
      placedObject(test::boxGeometry(Vector3d(10, 10, 0.02)), RigidTransform::translation(Vector3d(0, 0, 1.01))));
  auto camera = started("CameraSensor", "{xres: 4, yres: 4, rgb: false}");
  EXPECT_NEAR(measure(*camera)[5], 1, 1e-12);
  objects[0].X_WB.p[0] = std::nan("");
  EXPECT_EQ(measure(*camera)[5], 4);
  objects[0].X_WB = RigidTransform::translation(Vector3d(0, 0, 2.01));
  EXPECT_NEAR(measure(*camera)[5], 2, 1e-12);
}

}  // namespace
}  // namespace mortise
