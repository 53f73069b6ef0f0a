// Klamp't's world of sensors: all of them measure, every channel is logged, and what they say is so.

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <sstream>
#include <unistd.h>

#include "mortise/base/files.h"
#include "mortise/loading/format_loader.h"
#include "mortise/simulation/simulation.h"
#include "tests/support/plugins.h"
#include "tests/support/reference.h"

namespace mortise {
namespace {

/// Cells of a row of comma-separated values; quotes around those with commas.
std::vector<std::string> cellsOf(const std::string& row) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (const char c : row) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      cells.emplace_back();
    else
      cells.back() += c;
  }
  return cells;
}

class SensorTestWorld : public testing::TestWithParam<const char*> {
 protected:
  static constexpr int kLink = 6;  ///< That carries the sensors.

  void SetUp() override {
    MORTISE_NEEDS_REFERENCE();
    registry = test::makeRegistry(log);
    loader = std::make_unique<FormatLoader>(*registry, log);
    folder = std::filesystem::temp_directory_path() /
             ("mortise_sensortest_" + std::to_string(::getpid()) + "_" + GetParam());
    std::filesystem::create_directories(folder);
    Diagnostics diagnostics;
    world = loader->world(test::referenceDir() + "/klampt-data/simulation_test_worlds/sensortest.xml", {}, diagnostics);
    // Upright, as the file has it, the arm's camera and scanner see nothing but sky. Bent, they look at the floor.
    world.robots[0].q << 0, 0, -0.2, -1.4, 0, -1.0, 0;
    robot = world.robots[0].robot.get();
  }
  void TearDown() override {
    if (!folder.empty()) std::filesystem::remove_all(folder);
  }

  /// Simulates half a second and reads the log of all channels, the camera's included.
  void run() {
    SimulationOptions options;
    options.backend = GetParam();
    Simulation simulation(world, *registry, loader.get(), log, options);
    ChannelTable channels;
    ComponentHost host("recorder", 0, log, loader.get(), channels, {}, {});
    const ComponentInfo& info = registry->require(Kind::recorder, "csv");
    Diagnostics diagnostics;
    auto recorder = registry->create<Recorder>(info, registry->completeSettings(info, Value::map(), diagnostics), host);
    recorder->open({world, folder.string(), "", {"sensors", "rgbd_camera"}});
    simulation.addRecorder(std::move(recorder), 50);
    simulation.advance(0.5);
    simulation.closeRecorders();
    ASSERT_TRUE(simulation.fault().empty()) << simulation.fault();
    for (const SensorReading& reading : simulation.sensorReadings(0)) {
      types[std::string(reading.name)] = reading.type;
      for (const std::string& channel : reading.channels)
        expected.push_back(world.robots[0].name + "_" + std::string(reading.name) + "[" + channel + "]");
      if (reading.camera != nullptr) camera = *reading.camera;
    }
    state = std::make_unique<RobotState>(*robot);
    state->q = simulation.configuration(0);
    updateFrames(*robot, *state);

    std::istringstream lines(readFile((folder / "state.csv").string()));
    std::string line;
    std::getline(lines, line);
    header = cellsOf(line);
    while (std::getline(lines, line)) {
      rows.emplace_back();
      for (const std::string& cell : cellsOf(line)) rows.back().push_back(std::stod(cell));
    }
  }
  /// Values of a sensor in the last row.
  std::vector<double> last(const std::string& sensor) const {
    const std::string start = world.robots[0].name + "_" + sensor + "[";
    std::vector<double> values;
    for (std::size_t i = 0; i < header.size(); ++i)
      if (header[i].starts_with(start)) values.push_back(rows.back()[i]);
    return values;
  }
  static Vector3d vectorAt(const std::vector<double>& values, std::size_t at) {
    return {values.at(at), values.at(at + 1), values.at(at + 2)};
  }
  const RigidTransform& X_WL() const { return state->X_WL[kLink]; }

  test::MemoryLog log;
  std::unique_ptr<Registry> registry;
  std::unique_ptr<FormatLoader> loader;
  std::filesystem::path folder;
  World world;
  const Robot* robot = nullptr;
  std::map<std::string, std::string> types;
  std::vector<std::string> expected, header;
  std::vector<std::vector<double>> rows;
  CameraModel camera;
  std::unique_ptr<RobotState> state;
};

TEST_P(SensorTestWorld, AllSensorsAreLoggedAndRight) {
  run();
  if (HasFatalFailure()) return;
  EXPECT_EQ(types, (std::map<std::string, std::string>{{"encoders", "JointPositionSensor"},
                                                       {"dencoders", "JointVelocitySensor"},
                                                       {"contact", "ContactSensor"},
                                                       {"f/t", "ForceTorqueSensor"},
                                                       {"accelerometer", "Accelerometer"},
                                                       {"imu", "IMUSensor"},
                                                       {"lidar", "LaserRangeSensor"},
                                                       {"rgbd_camera", "CameraSensor"}}));
  expected.insert(expected.begin(), "time");
  EXPECT_EQ(header, expected) << "every channel, in order";
  EXPECT_EQ(header.size(), 1u + 7 + 7 + 2 + 6 + 3 + 24 + 180 + 2 * 256 * 128);
  ASSERT_EQ(rows.size(), 11u);
  for (const auto& row : rows) {
    ASSERT_EQ(row.size(), header.size());
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool beam = header[i].find("_lidar[") != std::string::npos;
      ASSERT_TRUE(std::isfinite(row[i]) || (beam && row[i] > 0)) << header[i];
    }
  }

  // The arm stands still: its servos hold it.
  const std::vector<double> q = last("encoders"), dq = last("dencoders");
  for (int i = 0; i < robot->numLinks(); ++i) {
    EXPECT_NEAR(q[i], state->q[i], 1e-4) << i;
    EXPECT_NEAR(dq[i], 0, 1e-3) << i;
  }
  EXPECT_EQ(last("contact"), (std::vector<double>{0, 0})) << "nothing touches the tool";

  // The tool's weight, in the axes of its link, at its own center of mass.
  const BodyInertia& tool = robot->link(kLink).inertia;
  const std::vector<double> wrench = last("f/t");
  const Vector3d weight = X_WL().R.transpose() * Vector3d(0, 0, tool.mass * 9.8);
  EXPECT_LT((vectorAt(wrench, 0) - weight).norm(), 0.01 * weight.norm());
  EXPECT_LT((vectorAt(wrench, 3) - tool.com.cross(weight)).norm(), 1e-3);

  const Vector3d up = X_WL().R.transpose() * Vector3d(0, 0, 9.8);
  EXPECT_LT((vectorAt(last("accelerometer"), 0) - up).norm(), 0.02);

  // accel, vel, trans, angAccel, angVel, R: nothing moves, and it knows how it is turned.
  const std::vector<double> imu = last("imu");
  EXPECT_LT(vectorAt(imu, 0).norm(), 0.02);
  EXPECT_LT(vectorAt(imu, 3).norm(), 0.02);
  EXPECT_LT(vectorAt(imu, 6).norm(), 0.02);
  EXPECT_LT(vectorAt(imu, 9).norm(), 0.1);
  EXPECT_LT(vectorAt(imu, 12).norm(), 1e-3);
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(imu[15 + i], X_WL().R(i / 3, i % 3), 2e-3) << i;
}

TEST_P(SensorTestWorld, ScannerAndCameraSeeTheFloorWhereItIs) {
  run();
  if (HasFatalFailure()) return;
  // The attribute Tsensor of both: rotation by rows.
  RigidTransform X_LS;
  X_LS.R << 0, 1, 0, -1, 0, 0, 0, 0, 1;
  const RigidTransform X_WS = X_WL() * X_LS;
  ASSERT_GT(X_WS.p.z(), 0.5);

  // 180 beams from -90 to 90 degrees about y, with noise of variance 1e-4 d and steps of 1 cm.
  const std::vector<double> beams = last("lidar");
  ASSERT_EQ(beams.size(), 180u);
  int floor = 0, right = 0;
  for (int i = 0; i < 180; ++i) {
    ASSERT_GE(beams[i], 0);
    ASSERT_LE(beams[i], 4.0);
    EXPECT_NEAR(beams[i] * 100, std::round(beams[i] * 100), 1e-6);
    const double angle = M_PI / 2 * (2.0 * i / 179 - 1);
    const Vector3d direction = X_WS.R * Vector3d(std::sin(angle), 0, std::cos(angle));
    const double distance = direction.z() < 0 ? -X_WS.p.z() / direction.z() : 5;
    if (distance > 3.9) continue;
    ++floor;
    right += std::abs(beams[i] - distance) < 5 * std::sqrt(1e-4 * distance) + 0.006;
  }
  EXPECT_GT(floor, 60);
  EXPECT_GT(right, 0.95 * floor) << "all but those that meet the ball";

  const RigidTransform X_WC = X_WL() * camera.X_LS;
  EXPECT_LT((X_WC.R - X_WS.R).norm(), 1e-12);
  const std::vector<double> image = last("rgbd_camera");
  const std::size_t pixels = 256 * 128;
  ASSERT_EQ(image.size(), 2 * pixels);
  int seen = 0, sky = 0;
  right = 0;
  for (std::size_t i = 0; i < pixels; ++i) {
    const double depth = image[pixels + i];
    const auto color = static_cast<std::uint32_t>(image[i]);
    ASSERT_EQ(image[i], color);
    ASSERT_LE(color, 0xffffffu);
    ASSERT_GE(depth, 0);
    ASSERT_LE(depth, camera.maxDepth);
    const Vector3d direction = X_WC.R * Vector3d((static_cast<double>(i % 256) - camera.cx) / camera.fx,
                                                 (static_cast<double>(i / 256) - camera.cy) / camera.fy, 1);
    const double expectedDepth = direction.z() < 0 ? -X_WC.p.z() / direction.z() : 5;
    if (expectedDepth > 3.9) {
      sky += direction.z() >= 0 && depth == camera.maxDepth;
      continue;
    }
    ++seen;
    // Terrains are yellow where a world says nothing: more red than green, more green than blue.
    const bool yellow = color >> 16 > (color >> 8 & 0xff) && (color >> 8 & 0xff) > (color & 0xff);
    right += yellow && std::abs(depth - expectedDepth) < 5 * std::sqrt(1e-5 * expectedDepth) + 0.006;
  }
  EXPECT_GT(seen, 10000);
  EXPECT_GT(right, 0.95 * seen) << "all but those of the ball; " << sky << " see the sky";
}

INSTANTIATE_TEST_SUITE_P(Backends, SensorTestWorld, testing::Values("mortise"),
                         [](const auto& backend) { return std::string(backend.param); });

}  // namespace
}  // namespace mortise
