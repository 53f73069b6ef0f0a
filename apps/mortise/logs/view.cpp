#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>

#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/configuration_options.h"
#include "command_line/interrupt.h"
#include "command_line/resource_options.h"
#include "logs/live_view.h"
#include "logs/shown_files.h"
#include "mortise/appearance/visual_files.h"
#include "mortise/base/error.h"
#include "mortise/loading/assemble_world.h"
#include "mortise/mcap/reader.h"
#include "mortise/viewer/recorded_run.h"
#include "mortise/viewer/run_folder.h"
#include "mortise/viewer/view_server.h"

namespace mortise::app {

namespace {

namespace fs = std::filesystem;

std::vector<viewer::ViewFile> logsOf(const std::string& folder) {
  std::vector<viewer::ViewFile> logs = viewer::logsOfFolder(folder);
  if (logs.empty())
    throw Error("the folder '" + folder + "' holds no log", {}, "record the run with the recorder mcap");
  return logs;
}

/// Shows a log, and lets the run go on from where a page wants it to.
void serveWithRun(const CommandLine& line, const viewer::ViewFile& file, const InterruptGuard& interrupt) {
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  const VisualFilesScope looks(&loader, line.log());
  viewer::RecordedSession recorded;
  std::optional<viewer::RecordedRun> run;
  std::optional<viewer::SnapshotLog> still;  ///< The world where bodies came or went.
  SequenceView view(line, *registry, interrupt.asked(), SequenceView::Announce::output);
  view.show({file}, &recorded);
  while (interrupt.signal() == 0) {
    const std::optional<std::int64_t> tick = recorded.wait(50);
    if (!tick) continue;
    try {
      viewer::LiveRunOptions options;
      options.stopRequested = interrupt.asked();
      options.registry = registry.get();
      options.worldChanged = [&](Simulation& running) {
        view.show({file}, nullptr);
        run->live().renew(running);
        still.emplace(running.world(), *registry, line.log());
        view.show({{file.name, still->path()}}, &run->live());
      };
      run.emplace(file.path, *tick, *registry, loader, line.log(), std::move(options));
    } catch (const Error& error) {
      line.log().write(LogLevel::error, "mortise", error.what());
      recorded.setProblem(error.what());
      continue;
    }
    view.show({file}, &run->live());
    run->resume();
    view.show({file}, &recorded);
  }
}

/// Sorts what there is to look at: logs, and everything else into `others`.
std::vector<viewer::ViewFile> filesToView(const CommandLine& line, std::vector<std::string>& others) {
  std::vector<viewer::ViewFile> files;
  for (const std::string& file : line.positionals()) {
    std::error_code code;
    if (fs::is_directory(file, code))
      for (viewer::ViewFile& log : logsOf(file)) files.push_back(std::move(log));
    else if (isLogFile(file))
      files.push_back({fs::path(file).stem().string(), file});
    else
      others.push_back(file);
  }
  viewer::makeNamesUnique(files);
  return files;
}

/// Puts a world together, with a motion if there is one among the files, and shows it as a log.
void showWorld(const CommandLine& line, std::vector<std::string>& others, std::optional<viewer::SnapshotLog>& still) {
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  const VisualFilesScope looks(&loader, line.log());
  Diagnostics diagnostics;
  diagnostics.setStrict(line.has("strict"));
  const std::string motionFile = takeMotion(loader, others);
  World world = assembleWorld(loader, others, diagnostics);
  if (!diagnostics.hasErrors()) readConfigurations(line, loader, world, diagnostics);
  printWarnings(line, diagnostics);
  diagnostics.throwIfErrors();
  std::optional<viewer::ShownMotion> motion;
  if (!motionFile.empty()) motion = motionFor(loader, motionFile, world, diagnostics);
  still.emplace(world, *registry, line.log(), motion);
}

/// Throws for logs that the page could not show, or not together.
void checkLogs(const CommandLine& line, const std::vector<viewer::ViewFile>& files) {
  std::vector<std::pair<std::string, bool>> logsHoldWorld;
  for (const viewer::ViewFile& file : files) {
    mcap::Reader reader(file.path);
    logsHoldWorld.emplace_back(file.path, checkShownLog(line, reader));
  }
  checkShownTogether(logsHoldWorld);
}

}  // namespace

int viewCommand(const Arguments& arguments) {
  CommandLine line("mortise view", "look at worlds, robots and recorded runs in the browser");
  line.positional(
          "FILE",
          "logs (.mcap) or run folders, shown over each other; or a log of another tool; or a world, or robots, "
          "objects and terrains to put together, and a motion of a robot",
          1, -1)
      .flag("strict", "treat warnings about files as errors")
      .withPlugins()
      .epilog(
          "Prints the address, with a token that keeps others out, and serves it until Ctrl-C.\n"
          "Space plays and pauses, arrows step, Home and End go to the ends, f shows everything;\n"
          "a question mark on the page lists what else mouse and keys do.\n\n"
          "Examples:\n"
          "  mortise view data/worlds/blocks.xml\n"
          "  mortise sim data/worlds/blocks.xml --duration 2 --mcap run.mcap && mortise view run.mcap\n"
          "  mortise view ode.mcap bullet.mcap\n"
          "  mortise view data/robots/reacher.rob data/motions/reacher_sweep.path\n");
  declareServerOptions(line);
  declareConfigurations(line, "the world's");
  addResourceOptions(line);
  if (!line.parse(arguments)) return 0;
  const std::uint16_t port = serverPort(line);
  std::vector<std::string> others;
  std::vector<viewer::ViewFile> files = filesToView(line, others);
  if (!files.empty() && !others.empty())
    throw UsageError("a log and a world cannot be shown together: view one of them at a time");
  std::optional<viewer::SnapshotLog> still;
  if (!others.empty()) {
    showWorld(line, others, still);
    files.push_back({fs::path(others.front()).stem().string(), still->path()});
  }
  checkLogs(line, files);
  const InterruptGuard interrupt;
  if (files.size() == 1 && others.empty() && viewer::reasonNotToResume(files.front().path).empty()) {
    serveWithRun(line, files.front(), interrupt);
    return 0;
  }
  viewer::ViewServer server(std::move(files), port);
  allowHosts(line, server);
  printAlways(server.address() + "\n");
  openBrowser(line, server.address());
  server.run(interrupt.asked());
  return 0;
}

}  // namespace mortise::app
