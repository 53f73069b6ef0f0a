#include "planning/path_file.h"

#include "command_line/resource_options.h"
#include "mortise/base/error.h"
#include "mortise/text/article.h"

namespace mortise::app {

void declareMotionFile(CommandLine& line) {
  line.positional("FILE", "motion file: .path, .milestones, .configs, MultiPath XML, or JSON of these")
      .option("robot", "FILE", "the robot that moves: names its links and checks that the numbers are as many")
      .flag("strict", "treat warnings about files as errors")
      .withPlugins();
  addResourceOptions(line);
}

OpenedMotion openMotion(const CommandLine& line) {
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  return openMotion(line, loader, line.positionals().front());
}

OpenedMotion openMotion(const CommandLine& line, FormatLoader& loader, const std::string& reference) {
  Diagnostics diagnostics;
  diagnostics.setStrict(line.has("strict"));
  const std::string file = loader.find(reference, {});
  const auto kind = loader.contentOf(file);
  if (!kind || !inspect::Motion::holds(*kind))
    throw Error("'" + file + "' holds " + (!kind ? "nothing that a format knows" : withArticle(contentName(*kind))) +
                    ", not a motion",
                {}, "motions are .path, .milestones, .configs, MultiPath .xml, and .json of these");
  Resource resource = loader.load(*kind, file, {}, diagnostics);
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

}  // namespace mortise::app
