#include "models/robot_calibrate.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/interrupt.h"
#include "command_line/resource_options.h"
#include "command_line/setting_options.h"
#include "models/robot_input.h"
#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/calibration/calibration_settings.h"
#include "mortise/json/json_writer.h"
#include "mortise/loading/recording.h"

namespace mortise::app {

namespace {

Value parameterValue(const ServoParameters& p) {
  const auto number = [](double x) { return std::isfinite(x) ? Value(x) : Value(); };
  Value value = Value::map();
  value.set("servo_p", number(p.servoP));
  value.set("servo_i", number(p.servoI));
  value.set("servo_d", number(p.servoD));
  value.set("dry_friction", number(p.dryFriction));
  value.set("viscous_friction", number(p.viscousFriction));
  value.set("added_inertia", number(p.addedInertia));
  return value;
}

std::string formatted(const char* format, double a, double b = 0, double c = 0) {
  char text[120];
  std::snprintf(text, sizeof text, format, a, b, c);
  return text;
}

std::string calibrationText(const Robot& robot, const MotorCalibration& calibration, bool inertia) {
  std::string text;
  for (const CalibratedMotor& motor : calibration.motors) {
    text += "driver " + std::to_string(motor.driver) + "  " + robot.driver(motor.driver).name +
            formatted("  root mean square error %.4g, was %.4g", motor.errorAfter, motor.errorBefore) +
            (motor.converged ? "\n" : ", not converged\n");
    const auto line = [&](const char* name, double before, double after, double deviation) {
      text += "  " + std::string(name) + formatted("  %10.5g -> %10.5g  +- %.2g\n", before, after, deviation);
    };
    const ServoParameters &a = motor.before, &b = motor.after, &d = motor.deviation;
    line("servoP         ", a.servoP, b.servoP, d.servoP);
    line("servoI         ", a.servoI, b.servoI, d.servoI);
    line("servoD         ", a.servoD, b.servoD, d.servoD);
    line("dryFriction    ", a.dryFriction, b.dryFriction, d.dryFriction);
    line("viscousFriction", a.viscousFriction, b.viscousFriction, d.viscousFriction);
    if (inertia) line("added inertia  ", a.addedInertia, b.addedInertia, d.addedInertia);
  }
  return text;
}

void declareCalibrateOptions(CommandLine& line) {
  declareRobotInput(line);
  line.repeatedOption("commanded", "FILE", "path that was commanded; may be repeated, each with its --sensed")
      .repeatedOption("sensed", "FILE", "path that was measured")
      .repeatedOption("log", "FILE", "log (.csv) of `mortise sim --log`, with what was commanded and measured");
  declareSettings(line, RecordingOptions());
  declareSettings(line, CalibrationSettings());
  line.option("output,o", "FILE", "write the robot with the parameters found")
      .option("simulated", "PREFIX", "write the model's motions to PREFIXbefore_0.path, PREFIXafter_0.path, ...")
      .epilog(
          "Finds servoP, servoI, servoD, dryFriction and viscousFriction of each driver, so that the driver on its "
          "own,\n"
          "while all others move as measured, comes out where it was measured. The numbers after +- are standard "
          "errors;\n"
          "inf: the motions say nothing about it. See docs/klampt_programs.md.\n"
          "Example:\n"
          "  mortise sim data/robots/reacher.rob --path data/motions/reacher_sweep.path --duration 4 --log run.csv\n"
          "  mortise robot calibrate data/robots/reacher.rob --log run.csv -o calibrated.rob\n");
}

std::vector<RecordedMotion> readMotions(const CommandLine& line, RobotInput& input) {
  const auto options = settingsOf<RecordingOptions>(line);
  const std::vector<std::string> commanded = line.texts("commanded"), sensed = line.texts("sensed");
  if (commanded.size() != sensed.size())
    throw UsageError("each --commanded FILE goes with a --sensed FILE: there are " + std::to_string(commanded.size()) +
                     " and " + std::to_string(sensed.size()));
  std::vector<RecordedMotion> motions;
  for (std::size_t i = 0; i < commanded.size(); ++i)
    motions.push_back(recordedPaths(input.loader(), commanded[i], sensed[i], options, input.diagnostics()));
  for (const std::string& log : line.texts("log")) motions.push_back(recordedLog(log, input.robot(), options));
  if (motions.empty()) throw UsageError("missing a recorded motion: --commanded FILE --sensed FILE, or --log FILE");
  return motions;
}

}  // namespace

Value calibrationValue(const Robot& robot, const MotorCalibration& calibration) {
  Value list = Value::list();
  for (const CalibratedMotor& motor : calibration.motors) {
    Value entry = Value::map();
    entry.set("driver", motor.driver);
    entry.set("name", robot.driver(motor.driver).name);
    entry.set("before", parameterValue(motor.before));
    entry.set("after", parameterValue(motor.after));
    entry.set("deviation", parameterValue(motor.deviation));
    entry.set("error_before", motor.errorBefore);
    entry.set("error_after", motor.errorAfter);
    entry.set("converged", motor.converged);
    list.push_back(std::move(entry));
  }
  return list;
}

std::vector<std::string> uncertainParameters(const Robot& robot, const MotorCalibration& calibration) {
  static const std::pair<const char*, double ServoParameters::*> kParameters[] = {
      {"servoP", &ServoParameters::servoP},
      {"servoI", &ServoParameters::servoI},
      {"servoD", &ServoParameters::servoD},
      {"dryFriction", &ServoParameters::dryFriction},
      {"viscousFriction", &ServoParameters::viscousFriction}};
  std::vector<std::string> lines;
  for (const CalibratedMotor& motor : calibration.motors)
    for (const auto& [name, parameter] : kParameters) {
      const double value = motor.after.*parameter, error = motor.deviation.*parameter;
      // What is not there, as far as the motions tell, is not uncertain.
      if (error <= 0.2 * std::max(value, motor.before.*parameter)) continue;
      lines.push_back("the motions say little of " + std::string(name) + " of '" + robot.driver(motor.driver).name +
                      "': " + formatReal(value, 3) +
                      (std::isfinite(error) ? " +- " + formatReal(error, 2) : ", anything goes"));
    }
  return lines;
}

std::string gainLines(const RobotDescription& robot, bool urdf) {
  static const std::pair<const char*, double Driver::*> kGains[] = {{"servoP", &Driver::servoP},
                                                                    {"servoI", &Driver::servoI},
                                                                    {"servoD", &Driver::servoD},
                                                                    {"dryFriction", &Driver::dryFriction},
                                                                    {"viscousFriction", &Driver::viscousFriction}};
  std::string text;
  for (const Driver& driver : robot.drivers) {
    if (!urdf || driver.type != DriverType::normal) continue;
    text += "<link name=\"" + robot.links[static_cast<std::size_t>(driver.links[0])].name + "\"";
    for (const auto& [name, gain] : kGains) text += " " + std::string(name) + "=\"" + formatReal(driver.*gain) + "\"";
    text += " />\n";
  }
  for (const auto& [name, gain] : kGains) {
    if (urdf) break;
    text += name;
    for (const Driver& driver : robot.drivers) text += " " + formatReal(driver.*gain);
    text += "\n";
  }
  return text;
}

std::vector<std::string> writeSimulated(FormatLoader& loader, const std::string& prefix,
                                        const std::vector<RecordedMotion>& motions, const MotorCalibration& calibration,
                                        Diagnostics& diagnostics) {
  std::vector<std::string> files;
  const auto write = [&](const std::string& name, std::size_t i, const std::vector<VectorXd>& configurations) {
    files.push_back(prefix + name + "_" + std::to_string(i) + ".path");
    loader.write(Trajectory{motions[i].times, configurations}, files.back(), diagnostics);
  };
  for (std::size_t i = 0; i < motions.size(); ++i) {
    write("before", i, calibration.simulatedBefore[i]);
    write("after", i, calibration.simulatedAfter[i]);
  }
  return files;
}

int robotCalibrateCommand(const Arguments& arguments) {
  CommandLine line("mortise robot calibrate", "find servo gains and friction of motors from recorded motions");
  declareCalibrateOptions(line);
  if (!line.parse(arguments)) return 0;
  const auto settings = settingsOf<CalibrationSettings>(line);
  RobotInput input(line);
  const std::vector<RecordedMotion> motions = readMotions(line, input);
  MotorCalibrationOptions options = settings.options(input.robot());
  input.finish();
  const InterruptGuard interrupt;
  options.stopRequested = interrupt.asked();
  const MotorCalibration calibration = calibrateMotors(input.pointer(), motions, options);
  if (interrupt.signal() != 0) return interrupt.exitCode();
  Diagnostics writing;
  std::vector<std::string> files;
  if (line.has("output")) {
    RobotDescription robot = input.robot().description();
    applyCalibration(calibration, robot);
    input.loader().write(std::move(robot), line.text("output"), writing);
    files.push_back(line.text("output"));
  }
  if (line.has("simulated"))
    for (const std::string& file :
         writeSimulated(input.loader(), line.text("simulated"), motions, calibration, writing))
      files.push_back(file);
  printWarnings(line, writing);
  for (const std::string& uncertain : uncertainParameters(input.robot(), calibration))
    line.log().write(LogLevel::warning, "calibrate", uncertain);
  if (line.json()) {
    Value result = Value::map();
    result.set("motors", calibrationValue(input.robot(), calibration));
    result.set("files", files);
    print(toJson(result) + "\n");
  } else if (!line.quiet()) {
    std::string text = calibrationText(input.robot(), calibration, settings.inertia);
    for (const std::string& file : files) text += "wrote " + file + "\n";
    print(text);
  }
  return 0;
}

}  // namespace mortise::app
