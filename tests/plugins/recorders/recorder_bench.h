#pragma once

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/component/recorder.h"
#include "tests/support/error_text.h"
#include "tests/support/plugins.h"
#include "tests/support/worlds.h"

namespace mortise::test {

/// A host without a simulation around it, which keeps what it is told.
class KeepingHost final : public Host {
 public:
  std::string_view name() const override { return "test"; }
  void log(LogLevel level, std::string_view message) override { kept.write(level, "test", message); }
  std::string findResource(std::string_view reference) const override { return std::string(reference); }
  RandomStream& random() override { return random_; }
  std::string runDirectory() const override { return {}; }
  void publish(std::string_view, std::span<const double>) override {}

  MemoryLog kept;

 private:
  RandomStream random_;
};

/// A world whose sensors the test writes: one robot "arm" with a camera "eye" of 4 x 3 pixels on link 1 and a sensor
/// "force" of two channels.
class RecorderBench : public testing::Test {
 protected:
  static constexpr int kWidth = 4, kHeight = 3, kPixels = kWidth * kHeight;

  void SetUp() override {
    folder = std::filesystem::temp_directory_path() /
             (std::string("mortise_") + testing::UnitTest::GetInstance()->current_test_info()->test_suite_name() + "_" +
              testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    camera.width = kWidth;
    camera.height = kHeight;
    camera.fx = 5;
    camera.fy = 6;
    camera.cx = 1.5;
    camera.cy = 1;
    camera.color = camera.depth = true;
    camera.minDepth = 0.25;
    camera.maxDepth = 100;
    camera.link = 1;
    camera.X_LS.p = Vector3d(0.1, 0, 0.02);
    for (const char* kind : {"rgb", "d"})
      for (int i = 0; i < kPixels; ++i) cameraChannels.push_back(kind + std::to_string(i));
    image.assign(2 * kPixels, 0);
    state.q << 0.3, -0.4;
    updateFrames(*world.robots[0].robot, state);
    robots = {{&state, torques, commands, {}, {}}};
    setSensors();
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  void setSensors() {
    sensors = {{"force", "ForceTorqueSensor", forceChannels, force, nullptr},
               {"eye", "CameraSensor", cameraChannels, image, &camera}};
    robots[0].sensors = sensors;
  }
  /// Colors and depths that differ from pixel to pixel and from image to image.
  void expose(int number) {
    for (int i = 0; i < kPixels; ++i) {
      image[i] = 0x010203 * (i + 1) + number;
      image[kPixels + i] = 1 + 0.1 * i + 0.001 * number;
    }
  }
  SimulationView view(std::int64_t tick) {
    SimulationView result;
    result.time = 0.001 * static_cast<double>(tick);
    result.tick = tick;
    result.world = &world;
    result.robots = robots;
    return result;
  }
  ComponentPtr<Recorder> open(const std::string& type, std::vector<std::string> what,
                              const std::string& settings = "{}") {
    const ComponentInfo& info = registry->require(Kind::recorder, type);
    Diagnostics diagnostics;
    const Value complete = registry->completeSettings(info, parseYaml(settings, "test.yaml"), diagnostics);
    diagnostics.throwIfErrors();
    auto recorder = registry->create<Recorder>(info, complete, host);
    recorder->open({world, folder.string(), "t_", std::move(what)});
    return recorder;
  }
  /// Names of the files in a folder below the test's, in order.
  std::vector<std::string> files(const std::string& below) const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder / below))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }

  std::filesystem::path folder;
  MemoryLog log;
  std::unique_ptr<Registry> registry = makeRegistry(log);
  KeepingHost host;
  World world = smallWorld();
  RobotState state{*world.robots[0].robot};
  CameraModel camera;
  std::vector<std::string> forceChannels = {"force_x", "force_y"}, cameraChannels;
  std::vector<double> force = {1.5, -2}, image, torques = {0, 0};
  std::vector<ActuatorCommand> commands = std::vector<ActuatorCommand>(2);
  std::vector<SensorReading> sensors;
  std::vector<RobotView> robots;
};

}  // namespace mortise::test
