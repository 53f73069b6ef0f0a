#include "planning/path_file.h"

#include <filesystem>

#include "command_line/resource_options.h"
#include "command_line/setting_options.h"
#include "mortise/base/error.h"
#include "mortise/json/json_writer.h"
#include "mortise/planning/motion_file.h"
#include "mortise/planning/path_report.h"
#include "mortise/text/article.h"

namespace mortise::app {

void declareMotionFile(CommandLine& line) {
  line.positional("FILE", "motion file: .path, .milestones, .configs, MultiPath XML, or JSON of these")
      .option("robot", "FILE", "the robot that moves: names its links and checks that the numbers are as many")
      .flag("strict", "treat warnings about files as errors")
      .withPlugins();
  addResourceOptions(line);
}

void declareMotionOutput(CommandLine& line) {
  line.option("output,o", "OUT", "write the path: MultiPath .xml, .json, .path, .milestones or .configs");
}

OpenedMotion openMotion(const CommandLine& line) {
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  return openMotion(line, loader, line.positionals().front());
}

namespace {

/// Reads the file with what the command line says of its format.
Resource readMotion(const CommandLine& line, FormatLoader& loader, FileContent kind, const std::string& file,
                    Value reading, Diagnostics& diagnostics) {
  const ComponentInfo& format = loader.formatOf(file, kind, {});
  if (line.has("robot") && format.schema.find("robot") != nullptr && !reading.contains("robot"))
    reading.set("robot", std::filesystem::absolute(loader.find(line.text("robot"), {})).string());
  if (reading.entries().empty()) return loader.load(kind, file, {}, diagnostics);
  return loader.loadWith(format, reading, kind, file, diagnostics);
}

}  // namespace

OpenedMotion openMotion(const CommandLine& line, FormatLoader& loader, const std::string& reference,
                        const Value& reading) {
  Diagnostics diagnostics;
  diagnostics.setStrict(line.has("strict"));
  const std::string file = loader.find(reference, {});
  const auto kind = loader.contentOf(file);
  if (kind && !inspect::Motion::holds(*kind)) {
    // A file that is cut off looks like less than it is: what is wrong with it comes first.
    (void)loader.load(*kind, file, {}, diagnostics);
    diagnostics.throwIfErrors("'" + file + "' cannot be used");
  }
  if (!kind || !inspect::Motion::holds(*kind))
    throw Error("'" + file + "' holds " + (!kind ? "nothing that a format knows" : withArticle(contentName(*kind))) +
                    ", not a motion",
                {}, "motions are .path, .milestones, .configs, MultiPath .xml, and .json of these");
  Resource resource = readMotion(line, loader, *kind, file, reading, diagnostics);
  diagnostics.throwIfErrors("'" + file + "' cannot be used");
  const auto motion = [&]() -> inspect::Motion {
    try {
      return inspect::Motion(std::move(resource));
    } catch (const Error& error) {
      throw Error("'" + file + "' is no motion: " + error.message(), error.where(), error.hint());
    }
  };
  OpenedMotion opened{motion(), nullptr, file};
  if (line.has("robot")) {
    RobotDescription description = loader.load<RobotDescription>(line.text("robot"), {}, diagnostics);
    diagnostics.throwIfErrors("'" + line.text("robot") + "' cannot be used");
    opened.robot = Robot::compile(std::move(description));
    if (opened.motion.dimension() != opened.robot->numLinks())
      throw Error("the configurations of '" + file + "' have " + std::to_string(opened.motion.dimension()) +
                      " numbers, but robot '" + opened.robot->name() + "' has " +
                      std::to_string(opened.robot->numLinks()) + " links",
                  {}, "name the robot that the motion was made for");
  }
  printWarnings(line, diagnostics);
  return opened;
}

std::vector<std::string> linkNamesOf(const Robot& robot) {
  std::vector<std::string> names;
  for (int i = 0; i < robot.numLinks(); ++i) names.push_back(robot.link(i).name);
  return names;
}

EvaluateSettings evaluateSettings(const CommandLine& line) {
  auto settings = settingsOf<EvaluateSettings>(line);
  if (!settings.asked()) throw UsageError("name times with --at T or --every DT");
  return settings;
}

void finishPath(const CommandLine& line, FormatLoader& loader, const MultiPath& before, const MultiPath& after) {
  Value report = pathReport(before, after);
  if (line.has("output")) {
    Diagnostics writing;
    writeMotion(loader, line.text("output"), after, 1e-4, writing);
    printWarnings(line, writing);
    report.set("file", line.text("output"));
  }
  print(line.json() ? toJson(report) + "\n" : pathReportText(report));
}

}  // namespace mortise::app
