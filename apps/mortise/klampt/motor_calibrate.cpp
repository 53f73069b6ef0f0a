#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "command_line/interrupt.h"
#include "command_line/resource_options.h"
#include "klampt/programs.h"
#include "models/robot_calibrate.h"
#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/base/value_text.h"
#include "mortise/json/json_writer.h"
#include "mortise/loading/recording.h"
#include "mortise/settings/klampt_text.h"

namespace mortise::app {

namespace {

constexpr const char* kDefaultSettings =
    "{\n"
    "  \"commandedPaths\": [],\n"
    "  \"drivers\": [],\n"
    "  \"dt\": 0.001,\n"
    "  \"fixedLinks\": [],\n"
    "  \"gravityCompensation\": false,\n"
    "  \"maxMilestones\": 100000,\n"
    "  \"numIters\": 1000,\n"
    "  \"prior\": 0,\n"
    "  \"robot\": \"\",\n"
    "  \"sensedPaths\": [],\n"
    "  \"velocityErrorWeight\": 2.5e-05\n"
    "}\n";

/// Klamp't's keys, of several files the last.
Value calibrationSettings(const std::vector<std::string>& arguments) {
  Value settings = parseKlamptText(kDefaultSettings, "the default settings");
  const auto take = [&](const Value& given, const std::string& file) {
    if (!given.isMap()) throw Error("the settings are a map", {file, 1, 1, {}}, "{\"robot\": \"arm.rob\", ...}");
    for (const Value::Entry& entry : given.entries()) {
      if (!settings.contains(entry.key)) (void)settings.at(entry.key);  // Throws with the nearest one.
      settings.set(entry.key, entry.value);
    }
  };
  for (const std::string& argument : arguments) {
    const std::size_t equals = argument.find('=');
    if (equals == std::string::npos || std::filesystem::exists(argument))
      take(parseKlamptText(readFile(argument), argument), argument);
    else
      take(parseKlamptText("{" + argument.substr(0, equals) + ": " + argument.substr(equals + 1) + "}", argument),
           argument);
  }
  return settings;
}

/// A list of numbers, or a single one.
std::vector<int> integers(const Value& settings, const char* key) {
  const Value& given = settings.at(key);
  if (given.isInteger()) return {static_cast<int>(given.asInteger())};
  const auto isInteger = [](const Value& item) { return item.isInteger(); };
  if (!given.isList() || !std::all_of(given.items().begin(), given.items().end(), isInteger))
    throw Error("the setting '" + std::string(key) + "' is a list of numbers, not " +
                    (given.isScalar() ? "'" + given.text() + "'" : "this"),
                given.position(), "write " + std::string(key) + "=[0,1]");
  std::vector<int> numbers;
  for (const Value& item : given.items()) numbers.push_back(static_cast<int>(item.asInteger()));
  return numbers;
}

/// What Klamp't prints of each driver.
std::string report(const Robot& robot, const MotorCalibration& calibration) {
  std::string text, names, errors;
  char part[200];
  for (const CalibratedMotor& motor : calibration.motors) {
    const Driver& driver = robot.driver(motor.driver);
    const int link = driver.links[0];
    const std::string name = robot.link(link).name;
    const auto gains = [&](const char* what, const ServoParameters& p) {
      std::snprintf(part, sizeof part, "%s kP: %g, kI: %g, kD: %g\n%s dry friction: %g, viscous friction: %g\n", what,
                    p.servoP, p.servoI, p.servoD, what, p.dryFriction, p.viscousFriction);
      text += part;
    };
    text += "Driver " + std::to_string(motor.driver) + ", link " + std::to_string(link) + " (" + name + ")\n";
    gains("Initial", motor.before);
    gains("Optimized", motor.after);
    gains("Standard error", motor.deviation);
    std::snprintf(part, sizeof part, "Optimized RMSD: %g, was %g\n\n", motor.errorAfter, motor.errorBefore);
    text += part;
    names += "driver " + std::to_string(motor.driver) + " (" + name + "),";
    std::snprintf(part, sizeof part, "%g,", motor.errorAfter);
    errors += part;
  }
  return text + "Final RMSDs:\n" + names + "\n" + errors + "\n";
}

void declareCalibrateOptions(CommandLine& line) {
  line.positional("SETTINGS", "settings files, of which the last counts; or KEY=VALUE", 0, -1)
      .option("seed", "N", "seed of everything random (default 0)")
      .flag("strict", "treat warnings about files as errors")
      .withPlugins()
      .epilog(
          "Without settings it writes motorcalibrate_default.settings, to be filled in: robot, commandedPaths and "
          "sensedPaths\n"
          "(pairs of .path files), drivers (numbers; none: all), fixedLinks, numIters (100 a random start), dt,\n"
          "velocityErrorWeight, maxMilestones, and of our own gravityCompensation (the controller adds torques against "
          "gravity)\nand prior (the share by which the robot's own parameters may be off, 0: any). It prints the lines "
          "to copy into the robot's file, and writes the "
          "motions\n"
          "that the model makes to motorcalibrate_before_0.path, motorcalibrate_after_0.path, ...\n"
          "`mortise robot calibrate` does the same with options.\n");
  addResourceOptions(line);
}

/// Reads the pairs of commanded and sensed paths that the settings name.
std::vector<RecordedMotion> recordedMotions(const Value& settings, FormatLoader& loader, Diagnostics& diagnostics) {
  const std::vector<std::string> commanded = settings.at("commandedPaths").asStrings();
  const std::vector<std::string> sensed = settings.at("sensedPaths").asStrings();
  if (commanded.size() != sensed.size() || commanded.empty())
    throw Error("there are " + std::to_string(commanded.size()) + " commandedPaths and " +
                    std::to_string(sensed.size()) + " sensedPaths",
                {}, "name as many of each, one at least");
  std::vector<RecordedMotion> motions;
  RecordingOptions recording;
  recording.maxSamples = static_cast<int>(settings.at("maxMilestones").asInteger());
  for (std::size_t i = 0; i < commanded.size(); ++i)
    motions.push_back(recordedPaths(loader, commanded[i], sensed[i], recording, diagnostics));
  return motions;
}

MotorCalibrationOptions calibrationOptions(const Value& settings) {
  MotorCalibrationOptions options;
  options.drivers = integers(settings, "drivers");
  options.tracks.fixedLinks = integers(settings, "fixedLinks");
  const Value& compensated = settings.at("gravityCompensation");
  options.tracks.gravityCompensated = compensated.isInteger() ? compensated.asInteger() != 0 : compensated.asBool();
  options.timeStep = settings.at("dt").asReal();
  options.prior = settings.at("prior").asReal();
  if (!(options.prior >= 0) || !std::isfinite(options.prior))
    throw Error("the setting 'prior' is a share, 0 or more, not " + formatReal(options.prior),
                settings.at("prior").position());
  options.velocityWeight = settings.at("velocityErrorWeight").asReal();
  const std::int64_t iterations = settings.at("numIters").asInteger();
  options.restarts = static_cast<int>(iterations / 100);
  options.maxIterations = static_cast<int>(std::clamp<std::int64_t>(iterations, 1, 100));
  return options;
}

}  // namespace

int motorCalibrateCommand(const Arguments& arguments) {
  CommandLine line("mortise MotorCalibrate", "fit servo gains and friction to recorded motions, as MotorCalibrate");
  declareCalibrateOptions(line);
  if (!line.parse(arguments)) return 0;
  if (line.positionals().empty()) {
    writeFile("motorcalibrate_default.settings", kDefaultSettings);
    if (!line.quiet())
      print("Usage: MotorCalibrate settings_file\nWriting default settings to motorcalibrate_default.settings\n");
    return 0;
  }
  const Value settings = calibrationSettings(line.positionals());
  const std::string file = settings.at("robot").text();
  if (file.empty()) throw Error("the setting 'robot' is missing", {}, "it names a .rob or .urdf file");
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  Diagnostics diagnostics;
  diagnostics.setStrict(line.has("strict"));
  RobotDescription description = loader.load<RobotDescription>(file, {}, diagnostics);
  diagnostics.throwIfErrors("'" + file + "' cannot be used");
  const RobotPtr robot = Robot::compile(description);
  const std::vector<RecordedMotion> motions = recordedMotions(settings, loader, diagnostics);
  MotorCalibrationOptions options = calibrationOptions(settings);
  options.seed = line.seed();
  printWarnings(line, diagnostics);
  if (options.tracks.fixedLinks.empty() && robot->floatingBaseLink() >= 0)
    line.log().write(LogLevel::warning, "MotorCalibrate", "fixedLinks is empty, and this robot's base is not fixed");
  const InterruptGuard interrupt;
  options.stopRequested = interrupt.asked();
  const MotorCalibration calibration = calibrateMotors(robot, motions, options);
  if (interrupt.signal() != 0) return interrupt.exitCode();
  for (const std::string& uncertain : uncertainParameters(*robot, calibration))
    line.log().write(LogLevel::warning, "MotorCalibrate", uncertain);
  applyCalibration(calibration, description);
  Diagnostics writing;
  const std::vector<std::string> files = writeSimulated(loader, "motorcalibrate_", motions, calibration, writing);
  printWarnings(line, writing);
  const std::string lines = gainLines(description, std::filesystem::path(file).extension() == ".urdf");
  if (line.json()) {
    Value result = Value::map();
    result.set("motors", calibrationValue(*robot, calibration));
    result.set("lines", lines);
    result.set("files", files);
    print(toJson(result) + "\n");
  } else if (!line.quiet()) {
    print(report(*robot, calibration) + "\nCopy the following lines into your robot file:\n" + lines);
  }
  return 0;
}

}  // namespace mortise::app
