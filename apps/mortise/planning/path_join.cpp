#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/resource_options.h"
#include "command_line/setting_options.h"
#include "mortise/base/error.h"
#include "mortise/json/json_writer.h"
#include "mortise/planning/motion_file.h"
#include "mortise/planning/path_report.h"
#include "mortise/timing/multipath/multipath_tools.h"
#include "planning/path_file.h"

namespace mortise::app {

int pathJoin(const Arguments& arguments) {
  CommandLine line("mortise path join", "one path out of several, one after another");
  line.positional("FILE", "motion files, in order; sections, goals and holds stay as they are", 1, -1)
      .flag("strict", "treat warnings about files as errors")
      .withPlugins();
  declareSettings(line, JoinSettings());
  addResourceOptions(line);
  declareMotionOutput(line);
  line.epilog(
      "Each path begins when the one before ends. `mortise path check` tells whether it begins where it ends.\n");
  if (!line.parse(arguments)) return 0;
  if (!line.has("output")) throw UsageError("missing --output, the file to write");
  const auto settings = settingsOf<JoinSettings>(line);
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  requireMotionFormat(loader, line.text("output"));
  std::vector<MultiPath> paths;
  for (const std::string& file : line.positionals())
    paths.push_back(multiPathOf(openMotion(line, loader, file).motion.resource()));
  MultiPath joined = joinPaths(std::move(paths));
  if (settings.timeScale) scaleTimes(joined, *settings.timeScale);
  finishPath(line, loader, joined, joined);
  return 0;
}

int pathSplit(const Arguments& arguments) {
  CommandLine line("mortise path split", "a path's sections, or parts of a motion, as files of their own");
  declareMotionFile(line);
  declareSettings(line, SplitSettings());
  line.option("output,o", "OUT", "files to write: OUT_0.EXT, OUT_1.EXT and so on")
      .epilog("Each part begins at time 0.\n");
  if (!line.parse(arguments)) return 0;
  if (!line.has("output")) throw UsageError("missing --output, the files to write");
  const auto settings = settingsOf<SplitSettings>(line);
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  requireMotionFormat(loader, line.text("output"));
  const OpenedMotion opened = openMotion(line, loader, line.positionals().front());
  const MultiPath path = multiPathOf(opened.motion.resource());
  const std::vector<MultiPath> parts = settings.at.empty() ? splitSections(path) : splitAt(path, settings.at);
  Diagnostics writing;
  const Value report = writeParts(loader, line.text("output"), parts, writing);
  printWarnings(line, writing);
  print(line.json() ? toJson(report) + "\n" : partsText(report));
  return 0;
}

}  // namespace mortise::app
