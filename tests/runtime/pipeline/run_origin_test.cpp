// Records of how a run was made, as logs keep them: what is written is read again, and what version 0.1 wrote, too.

#include "mortise/pipeline/simulate/run_origin.h"

#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/json/json_reader.h"
#include "mortise/json/json_writer.h"
#include "mortise/math/constants.h"

namespace mortise::test {
namespace {

World worldOfTwo() {
  World world;
  for (const char* name : {"left", "right"}) {
    RobotDescription arm;
    arm.name = name;
    arm.links.resize(2);
    arm.links[0].name = "upper";
    arm.links[1].name = "lower";
    arm.links[1].parent = 0;
    for (int i = 0; i < 2; ++i) {
      Driver driver;
      driver.name = i == 0 ? "shoulder" : "elbow";
      driver.links = {i};
      arm.drivers.push_back(driver);
    }
    WorldRobot robot;
    robot.name = name;
    robot.robot = Robot::compile(std::move(arm));
    world.robots.push_back(std::move(robot));
  }
  return world;
}

/// Record that `runOriginValue` of version 0.1 wrote of a run with everything in it.
const char* const kRecordOfRelease01 = R"({
  "files": ["a.xml", "b.rob"], "backend": "ode", "backend_settings": {"iterations": 40}, "step": 0.002,
  "contacts": "engine", "adaptive": false, "on_unstable": "scale", "control_rate": 250.0,
  "actuator_limits": "torque, power", "seed": "18446744073709551615", "referring_file": "pipeline.yaml",
  "components": [
    {"kind": "controller", "robot": 1, "type": "TrackingController", "name": "track", "rate": 125.0, "on_error": 1,
     "optional": true, "enabled": true, "estimator": "Omniscient", "estimator_settings": {"delay": 0.01},
     "file": "right.rob", "settings": {"kP": [1, 2], "rate": 3}},
    {"kind": "sensor", "robot": 0, "type": "JointPositionSensor", "name": "", "rate": 0.0, "on_error": 2,
     "optional": false, "enabled": false, "estimator": "", "estimator_settings": {}, "file": "", "settings": {}}],
  "motors": [{"robot": 1, "driver": 1, "model": "dc", "settings": {"stall_torque": 2.0, "no_load_speed": 30.0}}],
  "commands": [], "commands_from": 1.5})";

Value recordOf(const char* text) { return JsonReader(std::string(text)).value(); }

void expectEverything(const RunOrigin& origin) {
  EXPECT_EQ(origin.files, (std::vector<std::string>{"a.xml", "b.rob"}));
  EXPECT_EQ(origin.commandsFrom, 1.5);
  const SimulationOptions& options = origin.options;
  EXPECT_EQ(options.backend, "ode");
  EXPECT_EQ(options.backendPosition.file, "run.mcap");
  EXPECT_EQ(options.backendSettings.at("iterations").asInteger(), 40);
  EXPECT_EQ(options.timeStep, 0.002);
  EXPECT_EQ(options.contacts, ContactSource::engine);
  EXPECT_EQ(options.adaptiveTimeStepping, false);
  EXPECT_EQ(options.onUnstable, OnUnstable::scale);
  EXPECT_EQ(options.controlRate, 250);
  EXPECT_TRUE(options.actuatorLimits.torque && !options.actuatorLimits.velocity && options.actuatorLimits.power);
  EXPECT_EQ(options.seed, 18446744073709551615u);
  EXPECT_EQ(options.referringFile, "pipeline.yaml");
  ASSERT_EQ(options.components.size(), 2u);
  const ComponentOptions &controller = options.components[0], &sensor = options.components[1];
  EXPECT_EQ(controller.kind, Kind::controller);
  EXPECT_EQ(controller.robot, 1);
  EXPECT_EQ(controller.type, "TrackingController");
  EXPECT_EQ(controller.name, "track");
  EXPECT_EQ(controller.rate, 125);
  EXPECT_EQ(controller.onError, OnError::hold);
  EXPECT_TRUE(controller.optional);
  EXPECT_EQ(controller.estimator, "Omniscient");
  EXPECT_EQ(toJson(controller.estimatorSettings, -1), R"({"delay":0.01})");
  EXPECT_EQ(controller.file, "right.rob");
  // A component may have settings that are called as those of its entry.
  EXPECT_EQ(toJson(controller.settings, -1), R"({"kP":[1,2],"rate":3})");
  EXPECT_EQ(controller.position.file, "run.mcap");
  EXPECT_EQ(sensor.kind, Kind::sensor);
  EXPECT_EQ(sensor.robot, 0);
  EXPECT_EQ(sensor.rate, 0);
  EXPECT_EQ(sensor.name, "");
  EXPECT_EQ(sensor.onError, OnError::disable);
  EXPECT_FALSE(sensor.optional || sensor.enabled);
  EXPECT_EQ(sensor.estimator, "");
  EXPECT_TRUE(sensor.settings.isMap() && sensor.estimatorSettings.isMap());
  ASSERT_EQ(options.motors.size(), 1u);
  EXPECT_EQ(options.motors[0].robot, 1);
  EXPECT_EQ(options.motors[0].driver, 1);
  EXPECT_EQ(options.motors[0].model, "dc");
  EXPECT_EQ(options.motors[0].settings.at("stall_torque").asReal(), 2);
  EXPECT_EQ(options.motors[0].settings.size(), 2u);
}

TEST(RunOrigin, OfRelease01IsRead) {
  expectEverything(runOriginFrom(recordOf(kRecordOfRelease01), worldOfTwo(), "run.mcap"));
}

TEST(RunOrigin, OfRelease01WithDefaultsIsRead) {
  const RunOrigin origin = runOriginFrom(recordOf(R"({"files":["pushed_blocks.xml"],"backend":"","backend_settings":{},
      "control_rate":100,"actuator_limits":"torque","seed":"0","referring_file":"","components":[{"kind":"controller",
      "robot":0,"type":"PathFollowingController","name":"","rate":0,"on_error":0,"optional":false,"enabled":true,
      "estimator":"","estimator_settings":{},"file":"","settings":{"path":"sweep.path"}}],"motors":[],"commands":[],
      "commands_from":0})"),
                                         worldOfTwo(), "run.mcap");
  EXPECT_EQ(origin.options.backend, "");
  EXPECT_EQ(origin.options.controlRate, 100);
  EXPECT_FALSE(origin.options.timeStep || origin.options.contacts || origin.options.onUnstable);
  ASSERT_EQ(origin.options.components.size(), 1u);
  const ComponentOptions& controller = origin.options.components[0];
  EXPECT_EQ(controller.type, "PathFollowingController");
  EXPECT_EQ(controller.onError, OnError::stop);
  EXPECT_TRUE(controller.estimator.empty() && controller.enabled && !controller.optional && controller.rate == 0);
  EXPECT_EQ(toJson(controller.settings, -1), R"({"path":"sweep.path"})");
}

TEST(RunOrigin, WhatIsWrittenIsRead) {
  const World world = worldOfTwo();
  const RunOrigin origin = runOriginFrom(recordOf(kRecordOfRelease01), world, "run.mcap");
  const Value written = runOriginValue(origin, world);
  const RunOrigin again = runOriginFrom(recordOf(toJson(written).c_str()), world, "run.mcap");
  expectEverything(again);
  EXPECT_EQ(toJson(runOriginValue(again, world)), toJson(written));
  // As pipelines have it.
  EXPECT_EQ(written.findPath("simulation.on_unstable")->asString(), "scale");
  EXPECT_EQ(written.findPath("components.0.on_error")->asString(), "hold");
  EXPECT_EQ(written.findPath("components.0.estimator.name")->asString(), "Omniscient");
  EXPECT_EQ(written.findPath("simulation.motors.0.stall_torque")->asReal(), 2);
}

TEST(RunOrigin, DefaultsStayDefaults) {
  const World world = worldOfTwo();
  RunOrigin origin;
  origin.files = {"a.xml"};
  const RunOrigin again = runOriginFrom(recordOf(toJson(runOriginValue(origin, world)).c_str()), world, "run.mcap");
  const SimulationOptions &before = origin.options, &after = again.options;
  EXPECT_EQ(after.backend, "");
  EXPECT_FALSE(after.timeStep || after.contacts || after.adaptiveTimeStepping || after.onUnstable);
  EXPECT_EQ(after.controlRate, before.controlRate);
  EXPECT_EQ(actuatorLimitsText(after.actuatorLimits), actuatorLimitsText(before.actuatorLimits));
  EXPECT_TRUE(after.components.empty() && after.motors.empty() && after.backendSettings.isMap());
}

TEST(RunOrigin, DamageIsSaid) {
  const World world = worldOfTwo();
  const auto said = [&](const char* key, Value value) {
    Value record = recordOf(kRecordOfRelease01);
    record.setPath(key, std::move(value));
    try {
      (void)runOriginFrom(record, world, "run.mcap");
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  EXPECT_NE(said("components.0.robot", 7).find("does not have"), std::string::npos);
  EXPECT_NE(said("step", -1.0).find("'step'"), std::string::npos) << said("step", -1.0);
  EXPECT_NE(said("contacts", "nobody").find("'contacts'"), std::string::npos);
  EXPECT_NE(said("components.1.rate", "fast").find("'rate'"), std::string::npos);
}

TEST(RunOrigin, InfiniteSettingsOfComponentsComeBackFromJson) {
  const World world = worldOfTwo();
  RunOrigin origin;
  origin.files = {"a.xml"};
  ComponentOptions laser;
  laser.kind = Kind::sensor;
  laser.type = "LaserRangeSensor";
  laser.settings.set("depth_maximum", kInfinity);
  laser.settings.set("list", Value::list());
  laser.settings.find("list")->push_back(-kInfinity);
  laser.settings.find("list")->push_back(2.5);
  origin.options.components.push_back(laser);
  std::string json = toJson(runOriginValue(origin, world));
  const auto settings = [&] {
    return runOriginFrom(JsonReader(json).value(), world, "run.mcap").options.components.at(0).settings;
  };
  EXPECT_EQ(settings().at("depth_maximum").asReal(), kInfinity);
  EXPECT_EQ(settings().at("list")[0].asReal(), -kInfinity);
  EXPECT_EQ(settings().at("list")[1].asReal(), 2.5);
  // Records from before have null.
  json.replace(json.find("\".inf\""), 6, "null");
  EXPECT_FALSE(settings().contains("depth_maximum"));
}

}  // namespace
}  // namespace mortise::test
