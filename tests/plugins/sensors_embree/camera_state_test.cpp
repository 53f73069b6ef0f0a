/// What a camera keeps, and what it costs: snapshots, repeated starts, memory.

#include <set>

#include "mortise/loading/format_loader.h"
#include "tests/plugins/sensors_embree/sight.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/reference.h"

namespace mortise {
namespace {

using test::placedObject;
using test::poseText;
using test::shape;

class CameraState : public test::SightTest {
 protected:
  void addScene() {
    world.terrains.push_back(test::groundTerrain());
    for (int k = 0; k < 10; ++k)
      world.objects.push_back(placedObject(
          k % 2 ? shape(SphereShape{Vector3d::Zero(), 0.2}) : test::boxGeometry(Vector3d(0.3, 0.2, 0.4)),
          {rotationFromRollPitchYaw(Vector3d(0.1 * k, 0.3, 0.2 * k)), Vector3d(0.3 * (k % 5) - 0.6, 0.2 * k, 0.3)}));
    settings = "xres: 120, yres: 90, " + poseText(test::lookAt(Vector3d(0.1, -1.5, 1), Vector3d(0, 0.5, 0.2)));
  }
  void move(int step) {
    for (std::size_t k = 0; k < objects.size(); ++k)
      objects[k].X_WB.p = world.objects[k].X_WO.p + 0.01 * step * Vector3d(std::sin(k), std::cos(k), 0.5);
  }
  std::string settings;
};

TEST_F(CameraState, SavesAndRestoresBitForBit) {
  addScene();
  auto camera = started("CameraSensor", "{zvarianceConstant: 1e-4, " + settings + "}");
  for (int k = 0; k < 3; ++k) {
    move(k);
    measure(*camera);
  }
  camera->changeSetting("zvarianceLinear", 2e-4);
  camera->changeSetting("shading", 0);
  ByteWriter out;
  camera->save(out);
  const RandomStream::State random = host.random().state();
  const auto run = [&](Sensor& sensor) {
    std::vector<std::vector<double>> readings;
    for (int k = 3; k < 7; ++k) {
      move(k);
      readings.push_back(measure(sensor));
    }
    return readings;
  };
  const auto expected = run(*camera);
  // One that has looked at other things, and has been started twice.
  auto other = started("CameraSensor", "{zvarianceConstant: 1e-4, threads: 1, " + settings + "}");
  move(50);
  measure(*other);
  other->start({world, 0, period});
  move(-50);
  measure(*other);
  ByteReader in(out.bytes());
  other->restore(in);
  EXPECT_TRUE(in.atEnd());
  host.random().setState(random);
  EXPECT_EQ(run(*other), expected);
}

TEST_F(CameraState, HostileBytesAreRefused) {
  addScene();
  auto camera = started("CameraSensor", "{" + settings + "}");
  ByteWriter out;
  camera->save(out);
  const Value before = camera->settings();
  for (std::size_t cut = 0; cut < out.bytes().size(); ++cut) {
    ByteReader in(std::span(out.bytes()).first(cut));
    EXPECT_THROW(camera->restore(in), Error);
  }
  std::vector<std::byte> bytes(out.bytes().size(), std::byte{0xff});
  ByteReader in(bytes);
  EXPECT_THROW(camera->restore(in), Error);
  EXPECT_EQ(camera->settings(), before);
}

TEST_F(CameraState, StartsAgainInAnotherWorld) {
  world.objects.push_back(
      placedObject(test::boxGeometry(Vector3d(9, 9, 0.2)), RigidTransform::translation(Vector3d(0, 0, 2))));
  auto camera = started("CameraSensor", "{xres: 4, yres: 4, rgb: false}");
  EXPECT_NEAR(measure(*camera)[5], 1.9, 1e-12);
  world.objects[0].geometry = test::boxGeometry(Vector3d(9, 9, 0.4));
  world.objects.push_back(
      placedObject(test::boxGeometry(Vector3d(9, 9, 0.2)), RigidTransform::translation(Vector3d(0, 0, 1.5))));
  placeAll();
  camera->start({world, 0, period});
  EXPECT_NEAR(measure(*camera)[5], 1.4, 1e-12);
  world.objects.clear();
  placeAll();
  camera->start({world, 0, period});
  EXPECT_EQ(measure(*camera)[5], 4);
}

/// With noise and two threads. Sorting what has moved is Embree's work, for which it takes a few blocks.
TEST_F(CameraState, AllocatesNothingOfItsOwn) {
  addScene();
  auto camera = started("CameraSensor", "{zvarianceConstant: 1e-4, " + settings + "}");
  auto laser =
      started("LaserRangeSensor", "{depthVarianceConstant: 1e-4, " + settings.substr(settings.find("Tsensor")) + "}");
  std::vector<double> image(camera->channels().size()), distances(laser->channels().size());
  const auto capture = [&] {
    views.clear();
    measure(*camera, image);
    measure(*laser, distances);
  };
  for (int k = 0; k < 3; ++k) capture();
  std::size_t before = test::allocationCount;
  for (int k = 0; k < 5; ++k) capture();
  EXPECT_EQ(test::allocationCount - before, 0u);
  before = test::allocationCount;
  for (int k = 0; k < 5; ++k) {
    move(k);
    capture();
  }
  EXPECT_LE(test::allocationCount - before, 5u * 2 * 4);
}

TEST_F(CameraState, OnTheHandOfARealRobot) {
  MORTISE_NEEDS_REFERENCE();
  Diagnostics diagnostics;
  test::MemoryLog log;
  FormatLoader loader(registry(), log);
  world = loader.world(test::referenceDir() + "/klampt-data/tx90blocks.xml", {}, diagnostics);
  diagnostics.throwIfErrors();
  placeAll();
  const Robot& robot = *world.robots[0].robot;
  const int last = robot.numLinks() - 1;
  std::set<double> colors;
  int seen = 0;
  for (int k = 0; k < 4; ++k) {
    // To all sides of the hand.
    const RigidTransform X_LC(rotationX(k * M_PI / 2), Vector3d(0, 0, 0.05));
    auto camera = started(
        "CameraSensor", "{link: " + std::to_string(last) + ", xres: 160, yres: 120, zmax: 30, " + poseText(X_LC) + "}");
    VectorXd q = world.robots[0].q;
    q[1] += 0.1 * k;
    q[4] += 0.2 * k;
    setConfiguration(q);
    const std::vector<double> values = measure(*camera);
    const RigidTransform X_WC = states[0].X_WL[static_cast<std::size_t>(last)] * X_LC;
    for (int j = 0; j < 120; ++j)
      for (int i = 0; i < 160; ++i) {
        const auto at = static_cast<std::size_t>(j * 160 + i);
        colors.insert(values[at]);
        const double depth = values[160 * 120 + at];
        if (depth >= 30) continue;
        ++seen;
        // Nothing in this world is below the ground.
        const Vector3d p = X_WC.p + depth * pixelRay(*camera->camera(), X_WC, i, j);
        ASSERT_GT(p[2], -1e-6);
      }
  }
  EXPECT_GT(seen, 3000);
  EXPECT_GT(colors.size(), 10u);
}

/// The camera and the laser that Klamp't's own test world names, with its attributes.
TEST_F(CameraState, AsKlamptsTestWorldHasThem) {
  MORTISE_NEEDS_REFERENCE();
  Diagnostics diagnostics;
  test::MemoryLog log;
  FormatLoader loader(registry(), log);
  world = loader.world(test::referenceDir() + "/klampt-data/simulation_test_worlds/sensortest.xml", {}, diagnostics);
  diagnostics.throwIfErrors();
  placeAll();
  int cameras = 0, lasers = 0;
  for (Value attributes : world.robots[0].robot->description().sensors.items()) {
    const std::string type = attributes.at("type").asString();
    if (type != "CameraSensor" && type != "LaserRangeSensor") continue;
    for (const char* general : {"type", "name", "rate", "enabled"}) attributes.erase(general);
    const ComponentInfo& info = registry().require(Kind::sensor, type);
    Diagnostics problems;
    const Value complete = registry().completeSettings(info, attributes, problems);
    problems.throwIfErrors();
    auto sensor = registry().create<Sensor>(info, complete, host);
    sensor->start({world, 0, period});
    // The arm bows down, so that its hand looks at the ground.
    VectorXd q = world.robots[0].q;
    q[2] = 1.8;
    setConfiguration(q);
    const RigidTransform X_WL = states[0].X_WL[6];
    const std::vector<double> values = measure(*sensor);
    if (const CameraModel* m = sensor->camera()) {
      ++cameras;
      ASSERT_EQ(m->width, 256);
      ASSERT_EQ(m->height, 128);
      EXPECT_NEAR(m->fx, m->fy, 0.01);
      EXPECT_EQ(m->minDepth, 0.4);
      EXPECT_EQ(m->maxDepth, 4);
      const RigidTransform X_WC = X_WL * m->X_LS;
      int ground = 0;
      for (int j = 0; j < 128; ++j)
        for (int i = 0; i < 256; ++i) {
          const double expected = test::planeAt(0)(X_WC.p, pixelRay(*m, X_WC, i, j));
          const double depth = values[static_cast<std::size_t>(256 * 128 + j * 256 + i)];
          EXPECT_NEAR(std::remainder(depth, 0.01), 0, 1e-9);
          // Noise of 1e-5 m^2 a meter, rounded to a centimeter; the robot may stand in between.
          if (expected < 3.9 && std::abs(depth - expected) < 0.04) ++ground;
        }
      EXPECT_GT(ground, 5000);
    } else {
      ++lasers;
      ASSERT_EQ(values.size(), 180u);
      int ground = 0;
      for (const double value : values) {
        EXPECT_GT(value, 0.1);
        EXPECT_LE(value, 4);
        EXPECT_NEAR(std::remainder(value, 0.01), 0, 1e-9);
        if (value < 4) ++ground;
      }
      EXPECT_GT(ground, 20);
    }
  }
  EXPECT_EQ(cameras, 1);
  EXPECT_EQ(lasers, 1);
}

}  // namespace
}  // namespace mortise
