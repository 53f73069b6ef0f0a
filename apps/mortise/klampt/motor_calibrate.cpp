#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "command_line/interrupt.h"
#include "command_line/resource_options.h"
#include "klampt/programs.h"
#include "models/robot_calibrate.h"
#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/calibration/calibration_settings.h"
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

/// A settings file of Klamp't's MotorCalibrate: its keys, and under Klamp't's names those of calibrations.
struct KlamptCalibration {
  PlacedText robot;
  std::vector<std::string> commandedPaths, sensedPaths;
  std::optional<int> iterations;  ///< 100 a random start.
  RecordingOptions recording = {.maxSamples = 100000};
  CalibrationSettings calibration;
  void bind(SettingBinder& b) {
    b.add("robot", robot, "A .rob or .urdf file.");
    b.add("commandedPaths", commandedPaths, "Paths that were commanded.");
    b.add("sensedPaths", sensedPaths, "Paths that were measured, in the same order.");
    b.add("numIters", iterations, "Iterations, 100 a random start; by default 1000.", {.min = 0, .max = 1e8});
    recording.bind(b);
    calibration.bind(b);
  }
};

/// Klamp't's keys, of several files the last.
KlamptCalibration calibrationSettings(const std::vector<std::string>& arguments) {
  Value settings = Value::map();
  for (const std::string& argument : arguments) {
    const std::size_t equals = argument.find('=');
    const bool file = equals == std::string::npos || std::filesystem::exists(argument);
    const std::string text =
        file ? readFile(argument) : "{" + argument.substr(0, equals) + ": " + argument.substr(equals + 1) + "}";
    const Value given = parseKlamptText(text, argument);
    if (!given.isMap()) throw Error("the settings are a map", {argument, 1, 1, {}}, "{\"robot\": \"arm.rob\", ...}");
    for (const Value::Entry& entry : given.entries()) settings.set(entry.key, entry.value);
  }
  if (const Value* restarts = settings.find("restarts"); restarts != nullptr && settings.contains("numIters"))
    throw Error("'restarts' and 'numIters', 100 a random start, exclude each other", restarts->position(),
                "leave one of the two out");
  return readSettings<KlamptCalibration>(settings, "MotorCalibrate");
}

/// Returns what Klamp't prints of each driver.
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
std::vector<RecordedMotion> recordedMotions(const KlamptCalibration& settings, FormatLoader& loader,
                                            Diagnostics& diagnostics) {
  const std::vector<std::string>&commanded = settings.commandedPaths, &sensed = settings.sensedPaths;
  if (commanded.size() != sensed.size() || commanded.empty())
    throw Error("there are " + std::to_string(commanded.size()) + " commandedPaths and " +
                    std::to_string(sensed.size()) + " sensedPaths",
                {}, "name as many of each, one at least");
  std::vector<RecordedMotion> motions;
  for (std::size_t i = 0; i < commanded.size(); ++i)
    motions.push_back(recordedPaths(loader, commanded[i], sensed[i], settings.recording, diagnostics));
  return motions;
}

MotorCalibrationOptions calibrationOptions(const KlamptCalibration& settings, const Robot& robot) {
  MotorCalibrationOptions options = settings.calibration.options(robot);
  if (settings.iterations) {
    options.restarts = *settings.iterations / 100;
    options.maxIterations = std::clamp(*settings.iterations, 1, 100);
  }
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
  const KlamptCalibration settings = calibrationSettings(line.positionals());
  const std::string& file = settings.robot.text;
  if (file.empty()) throw Error("the setting 'robot' is missing", {}, "it names a .rob or .urdf file");
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  Diagnostics diagnostics;
  diagnostics.setStrict(line.has("strict"));
  RobotDescription description = loader.load<RobotDescription>(file, {}, diagnostics);
  diagnostics.throwIfErrors("'" + file + "' cannot be used");
  const RobotPtr robot = Robot::compile(description);
  const std::vector<RecordedMotion> motions = recordedMotions(settings, loader, diagnostics);
  MotorCalibrationOptions options = calibrationOptions(settings, *robot);
  if (line.has("seed")) options.seed = line.seed();
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
