// Every setting of every driver of a robot changes a drive, or a remark says why not.

#include "mortise/hardware/drive_loop.h"
#include "mortise/loading/assemble_world.h"
#include "mortise/loading/format_loader.h"
#include "tests/runtime/hardware/fake_clock.h"
#include "tests/runtime/settings/component_remarks.h"
#include "tests/support/engines.h"
#include "tests/support/plugins.h"

namespace mortise::test {
namespace {

class HardwareSettings : public testing::Test {
 protected:
  HardwareSettings() {
    Diagnostics diagnostics;
    world = assembleWorld(loader, {MORTISE_SOURCE_DIR "/data/robots/reacher.rob"}, diagnostics);
    diagnostics.throwIfErrors();
    // With noise, which its seed draws.
    world.simulation.sensors.emplace_back(
        0, ComponentRequest{"JointPositionSensor", parseYaml("{name: q, qvariance: 1e-6}", "test"), {}});
  }

  /// Where the robot was at every state, and how often somebody waited for the clock.
  std::string outcomeOfDrive(const std::string& hardware, const Value& settings) {
    FakeClock clock;
    DriveOptions options;
    options.hardware = hardware;
    for (const auto& each : settings.entries())
      if (!each.value.isNull()) options.hardwareSettings.set(each.key, each.value);
    options.controller = "PathFollowingController";
    options.settings.set("path", MORTISE_SOURCE_DIR "/data/motions/reacher_sweep.path");
    options.duration = 0.1;
    options.world = &world;
    options.robotIndex = 0;
    options.clock = &clock;
    std::string text;
    options.observe = [&](double time, const VectorXd& q) {
      text += formatReal(time) + ":";
      for (const double value : q) text += " " + formatReal(value);
      text += "\n";
    };
    try {
      drive(*world.robots[0].robot, *registry, &loader, log, options);
    } catch (const Error& error) {
      return std::string("refused: ") + error.what();
    }
    return text + std::to_string(clock.waits.size());
  }

  MemoryLog log;
  std::unique_ptr<Registry> registry = makeRegistry(log);
  FormatLoader loader{*registry, log};
  World world;
};

TEST_F(HardwareSettings, DoWhatTheySay) {
  MORTISE_NEEDS_PLUGIN("io");
  MORTISE_NEEDS_PLUGIN("controllers");
  MORTISE_NEEDS_PLUGIN("sensors");
  MORTISE_NEEDS_PLUGIN("physics_kinematic");
  SweepCount all;
  for (const ComponentInfo& info : registry->components()) {
    if (info.kind != Kind::hardware || componentsTriedElsewhere().contains(info.name)) continue;
    const auto outcome = [&](const Value& settings, int) { return outcomeOfDrive(info.name, settings); };
    const std::string once = outcome(Value::map(), 0);
    EXPECT_FALSE(once.starts_with("refused")) << info.name << ": " << once;
    EXPECT_EQ(once, outcome(Value::map(), 0)) << info.name;
    const SweepCount count = sweepSettings(info.name, info.schema, Value::map(), componentRemarks(), 1, outcome);
    all.swept += count.swept;
    all.remarked += count.remarked;
  }
  EXPECT_GT(all.swept, 0);
  reportCount("settings", all);
}

}  // namespace
}  // namespace mortise::test
