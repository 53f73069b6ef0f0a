/// Which pixel is which, colors, noise and settings of cameras.

#include "tests/plugins/sensors_embree/sight.h"

namespace mortise {
namespace {

using test::placedObject;
using test::poseText;
using test::shape;

class CameraImage : public test::SightTest {
 protected:
  static double rgb(const std::vector<double>& values, int width, int i, int j) {
    return values[static_cast<std::size_t>(j * width + i)];
  }
  void addWall(double z, const char* color = nullptr) {
    world.objects.push_back(placedObject(test::boxGeometry(Vector3d(50, 50, 0.02)),
                                         RigidTransform::translation(Vector3d(0, 0, z + 0.01)), color));
  }
};

TEST_F(CameraImage, RightIsRightAndBelowIsBelow) {
  // The camera looks along its z: x to the right, y down.
  world.objects.push_back(placedObject(test::boxGeometry(Vector3d(0.2, 0.2, 0.2)),
                                       RigidTransform::translation(Vector3d(0.5, 0.3, 2)), "1 0 0"));
  auto camera = started("CameraSensor", "{xres: 64, yres: 48, shading: false}");
  const std::vector<double> values = measure(*camera);
  const CameraModel& m = *camera->camera();
  const int i = static_cast<int>(std::lround(m.fx * 0.5 / 1.9 + m.cx)),
            j = static_cast<int>(std::lround(m.fy * 0.3 / 1.9 + m.cy));
  EXPECT_GT(i, 40);
  EXPECT_GT(j, 28);
  EXPECT_EQ(rgb(values, 64, i, j), 0xff0000);
  EXPECT_NEAR(values[static_cast<std::size_t>(64 * 48 + j * 64 + i)], 1.9, 1e-9);
  EXPECT_EQ(rgb(values, 64, 63 - i, j), 0x6666ff);
  EXPECT_EQ(rgb(values, 64, i, 47 - j), 0x6666ff);
  const auto channels = camera->channels();
  EXPECT_EQ(channels[static_cast<std::size_t>(j * 64 + i)], "rgb[" + std::to_string(i) + "," + std::to_string(j) + "]");
  EXPECT_EQ(channels[64 * 48], "d[0,0]");
  EXPECT_EQ(channels[64 * 48 + 1], "d[1,0]");
  EXPECT_EQ(channels.size(), 2u * 64 * 48);
}

TEST_F(CameraImage, IntrinsicsFromFieldsOfViewAndAsGiven) {
  auto plain = started("CameraSensor", "{}");
  const CameraModel& m = *plain->camera();
  EXPECT_EQ(m.width, 640);
  EXPECT_EQ(m.height, 480);
  EXPECT_NEAR(m.fx, 320 / std::tan(28 * M_PI / 180), 1e-9);
  EXPECT_NEAR(m.fy, 240 / std::tan(21.5 * M_PI / 180), 1e-9);
  EXPECT_EQ(m.cx, 319.5);
  EXPECT_EQ(m.cy, 239.5);
  EXPECT_EQ(m.minDepth, 0.4);
  EXPECT_EQ(m.maxDepth, 4);
  EXPECT_EQ(m.link, -1);
  EXPECT_TRUE(m.color && m.depth);

  world.objects.push_back(placedObject(shape(SphereShape{Vector3d(0.1, -0.2, 2), 0.02}), {}));
  auto given = started("CameraSensor", "{xres: 50, yres: 40, fx: 100, fy: 80, cx: 12, cy: 30, depth: false}");
  EXPECT_EQ(given->channels().size(), 2000u);
  const std::vector<double> values = measure(*given);
  // At (100 * 0.05 + 12, 80 * -0.1 + 30).
  EXPECT_NE(rgb(values, 50, 17, 22), 0x6666ff);
  EXPECT_EQ(rgb(values, 50, 20, 22), 0x6666ff);
}

TEST_F(CameraImage, ColorsComeFromTheWorld) {
  world.background = {1, 0.5, 0, 1};
  const auto ball = [](double x, double y) { return shape(SphereShape{Vector3d(x, y, 2), 0.2}); };
  world.objects.push_back(placedObject(ball(-0.6, -0.4), {}));
  world.objects.push_back(placedObject(ball(0, -0.4), {}, "0.2 0.4 0.6"));
  Terrain terrain;
  terrain.geometry = ball(0.6, -0.4);
  world.terrains.push_back(terrain);
  RobotDescription arm = test::armDescription(3);
  for (int l = 0; l < 3; ++l) {
    arm.links[l].X_PL0 = {};
    arm.links[l].geometry = ball(0.6 * (l - 1), 0.4);
  }
  world.robots.push_back(test::placedRobot(arm));
  const auto display = [](const char* link, const char* key, const char* color) {
    Value attributes = Value::map();
    if (link != nullptr) attributes.set("link", Value::fromText(link));
    attributes.set(key, Value::fromText(color));
    return attributes;
  };
  world.robots[0].display = {display(nullptr, "color", "1 1 0"), display("rod1", "faceColor", "0 1 0 0.5"),
                             display("2", "color", "not a color")};
  auto camera = started("CameraSensor", "{xres: 64, yres: 48, shading: false, depth: false}");
  const std::vector<double> values = measure(*camera);
  const CameraModel& m = *camera->camera();
  const auto at = [&](double x, double y) {
    return rgb(values, 64, static_cast<int>(std::lround(m.fx * x / 2 + m.cx)),
               static_cast<int>(std::lround(m.fy * y / 2 + m.cy)));
  };
  EXPECT_EQ(at(-0.6, -0.4), 0x6633cc);  // Klamp't's violet.
  EXPECT_EQ(at(0, -0.4), 0x336699);
  EXPECT_EQ(at(0.6, -0.4), 0xcc9933);  // Klamp't's terrains.
  EXPECT_EQ(at(-0.6, 0.4), 0xffff00);
  EXPECT_EQ(at(0, 0.4), 0x00ff00);
  EXPECT_EQ(at(0.6, 0.4), 0xffff00);
  EXPECT_EQ(values[0], 0xff8000);
  EXPECT_TRUE(host.messages().mentions("'color' is not a color"));
}

TEST_F(CameraImage, RobotsAreGrayUnlessSomebodySaysOtherwise) {
  RobotDescription arm = test::armDescription(1);
  arm.links[0].geometry = shape(SphereShape{Vector3d(0, 0, 2), 0.5});
  world.robots.push_back(test::placedRobot(arm));
  auto camera = started("CameraSensor", "{xres: 3, yres: 3, shading: false}");
  EXPECT_EQ(measure(*camera)[4], 0x808080);
}

TEST_F(CameraImage, CloudsHaveTheColorsOfTheirPoints) {
  PointCloud cloud;
  cloud.points = {Vector3d(-0.5, 0, 2), Vector3d(0.5, 0, 2)};
  cloud.properties = {{"rgb", {0x102030, 0x00ff7f}}, {"radius", {0.1, 0.1}}};
  world.objects.push_back(placedObject(shape(cloud), {}));
  auto camera = started("CameraSensor", "{xres: 65, yres: 49, shading: false}");
  const std::vector<double> values = measure(*camera);
  const int offset = static_cast<int>(std::lround(camera->camera()->fx * 0.25));
  EXPECT_EQ(rgb(values, 65, 32 - offset, 24), 0x102030);
  EXPECT_EQ(rgb(values, 65, 32 + offset, 24), 0x00ff7f);
}

TEST_F(CameraImage, LightComesFromTheCamera) {
  world.objects.push_back(
      placedObject(shape(SphereShape{Vector3d::Zero(), 0.5}), RigidTransform::translation(Vector3d(0, 0, 2)), "1 1 1"));
  auto camera = started("CameraSensor", "{xres: 101, yres: 101, xfov: 40 deg, yfov: 40 deg}");
  const std::vector<double> values = measure(*camera);
  EXPECT_EQ(rgb(values, 101, 50, 50), 0xffffff);  // Seen head on.
  const CameraModel& m = *camera->camera();
  for (int i = 20; i < 80; i += 7) {
    const Vector3d ray = pixelRay(m, {}, i, 50);
    const double t = values[static_cast<std::size_t>(101 * 101 + 50 * 101 + i)];
    if (t == 4) continue;
    const Vector3d normal = (t * ray - Vector3d(0, 0, 2)).normalized();
    const double expected = 255 * (0.2 + 0.8 * std::abs(normal.dot(ray.normalized())));
    const auto level = static_cast<int>(rgb(values, 101, i, 50));
    EXPECT_NEAR(level & 255, expected, 0.51);
    EXPECT_EQ(level >> 16, level & 255);
  }
  EXPECT_TRUE(camera->changeSetting("shading", false));
  EXPECT_EQ(rgb(measure(*camera), 101, 35, 50), 0xffffff);
  EXPECT_TRUE(camera->changeSetting("shading", "true"));
  EXPECT_NE(rgb(measure(*camera), 101, 35, 50), 0xffffff);
  EXPECT_THROW(camera->changeSetting("shading", "dim"), Error);
}

TEST_F(CameraImage, NoiseHasTheVarianceThatIsAskedFor) {
  addWall(2);
  auto camera =
      started("CameraSensor", "{xres: 200, yres: 200, rgb: false, zvarianceLinear: 1e-4, zvarianceConstant: 3e-4}");
  const std::vector<double> values = measure(*camera);
  double sum = 0, squares = 0;
  for (const double value : values) {
    sum += value - 2;
    squares += (value - 2) * (value - 2);
  }
  const double n = static_cast<double>(values.size()), variance = 2 * 1e-4 + 3e-4;
  EXPECT_NEAR(sum / n, 0, 4 * std::sqrt(variance / n));
  EXPECT_NEAR(squares / n, variance, 4 * variance * std::sqrt(2 / n));
  // What is beyond the range stays there.
  objects[0].X_WB.p[2] = 50;
  for (const double value : measure(*camera)) ASSERT_EQ(value, 4);
  // Noise does not lift a depth beyond the range.
  objects[0].X_WB.p[2] = 3.999 + 0.01;
  for (const double value : measure(*camera)) ASSERT_LE(value, 4);
}

TEST_F(CameraImage, RoundsToItsResolution) {
  addWall(1.234);
  auto camera = started("CameraSensor", "{xres: 4, yres: 4, rgb: false, zresolution: 0.05}");
  EXPECT_NEAR(measure(*camera)[3], 1.25, 1e-12);
  EXPECT_TRUE(camera->changeSetting("zresolution", 0.2));
  EXPECT_NEAR(measure(*camera)[3], 1.2, 1e-12);
  EXPECT_EQ(camera->settings().at("zresolution").asReal(), 0.2);
  EXPECT_FALSE(camera->changeSetting("xres", 5));
  EXPECT_THROW(camera->changeSetting("zresolution", -1), Error);
  EXPECT_THROW(camera->changeSetting("zvarianceConstant", "wide"), Error);
}

TEST_F(CameraImage, DoesNotDependOnTheNumberOfThreads) {
  world.terrains.push_back(test::groundTerrain());
  for (int k = 0; k < 20; ++k)
    world.objects.push_back(
        placedObject(k % 2 ? shape(SphereShape{Vector3d::Zero(), 0.2}) : test::boxGeometry(Vector3d(0.3, 0.2, 0.4)),
                     {rotationFromRollPitchYaw(Vector3d(0.1 * k, 0.3, 0.2 * k)),
                      Vector3d(0.3 * (k % 5) - 0.6, 0.3 * (k / 5), 0.3)}));
  const std::string settings =
      "xres: 203, yres: 157, " + poseText(test::lookAt(Vector3d(0.1, -1.5, 1), Vector3d(0, 0.5, 0.2)));
  auto one = started("CameraSensor", "{threads: 1, " + settings + "}");
  const std::vector<double> alone = measure(*one);
  for (const char* threads : {"2", "5"}) {
    auto many = started("CameraSensor", "{threads: " + std::string(threads) + ", " + settings + "}");
    for (int repeat = 0; repeat < 5; ++repeat) ASSERT_EQ(measure(*many), alone) << threads;
  }
}

TEST_F(CameraImage, RefusesWhatMakesNoSense) {
  for (const char* settings : {"{xres: 0}",
                               "{yres: -5}",
                               "{xres: 1000000}",
                               "{xres: 16000, yres: 16000}",
                               "{xfov: .nan}",
                               "{xfov: 0}",
                               "{yfov: 3.2}",
                               "{zmin: -1}",
                               "{zmin: 0}",
                               "{zmin: 5}",
                               "{zmax: .nan}",
                               "{zvarianceLinear: -1}",
                               "{fx: 0}",
                               "{fy: -2}",
                               "{fx: .inf}",
                               "{cx: .inf}",
                               "{cx: 1e300}",
                               "{rgb: false, depth: false}",
                               "{threads: 0}",
                               "{threads: 100000}",
                               "{zresolution: -0.1}",
                               "{Tsensor: [1, 0, 0]}",
                               "{Tsensor: [1,0,0, 0,1,0, 0,0,0, 0,0,0]}",
                               "{Tsensor: [1,0,0, 0,1,0, 0,0,-1, 0,0,0]}",
                               "{Tsensor: [.nan,0,0, 0,1,0, 0,0,1, 0,0,0]}",
                               "{xrez: 5}"}) {
    try {
      create("CameraSensor", settings);
      ADD_FAILURE() << settings << " was taken";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("test.yaml:1:"), std::string::npos) << error.what();
    }
  }
  for (const char* settings : {"{link: 7}", "{link: -2}", "{link: rod9}", "{link: 0.5}", "{link: [1]}"}) {
    try {
      started("CameraSensor", settings);
      ADD_FAILURE() << settings << " was taken";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("test.yaml:1:"), std::string::npos) << error.what();
    }
  }
}

TEST_F(CameraImage, RefusesBrokenMeshes) {
  TriangleMesh mesh;
  mesh.vertices = {{0, 0, 2}, {1, 0, 2}, {0, 1, 2}};
  mesh.triangles = {{0, 1, 7}};
  world.objects.push_back(placedObject(std::make_shared<const Geometry>(mesh, 0, "broken.off"), RigidTransform()));
  try {
    started("CameraSensor", "{}");
    ADD_FAILURE() << "was taken";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("broken.off"), std::string::npos) << error.what();
  }
  mesh.triangles = {{0, 1, 2}};
  mesh.vertices[1][0] = 1e30;
  world.objects[0].geometry = std::make_shared<const Geometry>(mesh, 0, "broken.off");
  EXPECT_THROW(started("CameraSensor", "{}"), Error);
}

}  // namespace
}  // namespace mortise
