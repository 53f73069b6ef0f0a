#include <filesystem>

#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/configuration_options.h"
#include "command_line/interrupt.h"
#include "command_line/resource_options.h"
#include "logs/live_view.h"
#include "mortise/base/error.h"
#include "mortise/loading/assemble_world.h"
#include "mortise/viewer/posing/pose_session.h"
#include "mortise/viewer/posing/resource_folder.h"

namespace mortise::app {

namespace {

namespace fs = std::filesystem;

int pose(CommandLine& line, const Arguments& arguments) {
  line.positional("FILE", "a world, or robots, rigid objects and terrains to put together", 1, -1)
      .option(
          "resources", "FOLDER",
          "configurations, paths, goals, holds and stances that are shown and saved (default: the folder beside the "
          "first file of its name and _resources, such as blocks_resources)")
      .option("touch", "D", "surfaces that are no farther apart touch, for balance, holds and stances; default 5 mm")
      .flag("strict", "treat warnings about files as errors")
      .withPlugins()
      .epilog(
          "Prints the address, with a token that keeps others out, and serves it until Ctrl-C. Drag a link to move it; "
          "docs/viewer.md\nsays what else there is.\n\n"
          "Examples:\n"
          "  mortise pose data/worlds/blocks.xml\n"
          "  mortise pose data/robots/reacher.rob --resources poses\n");
  declareServerOptions(line);
  declareConfigurations(line, "the world's");
  addResourceOptions(line);
  if (!line.parse(arguments)) return 0;
  const std::uint16_t port = serverPort(line);
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  Diagnostics diagnostics;
  diagnostics.setStrict(line.has("strict"));
  auto world = std::make_shared<World>(assembleWorld(loader, line.positionals(), diagnostics));
  if (!diagnostics.hasErrors()) readConfigurations(line, loader, *world, diagnostics);
  const std::string first = line.positionals().front();
  viewer::ResourceFolder folder(line.text("resources", fs::path(first).replace_extension("").string() + "_resources"),
                                loader);
  ResourceLibrary resources = folder.read(diagnostics);
  printWarnings(line, diagnostics);
  diagnostics.throwIfErrors();
  const viewer::SnapshotLog still(*world, *registry, line.log());
  viewer::PoseSession session(world, std::move(resources),
                              [&folder](const ResourceLibrary& library) { return folder.write(library); });
  session.poser().setTouch(line.quantity("touch", "m", session.poser().touch()));
  viewer::ViewServer server({{fs::path(first).stem().string(), still.path()}}, port, &session);
  const InterruptGuard interrupt;
  printAlways(server.address() + "\n");
  openBrowser(line, server.address());
  server.run(interrupt.asked());
  return 0;
}

}  // namespace

int poseCommand(const Arguments& arguments) {
  CommandLine line("mortise pose", "pose robots and objects in the browser, and edit resources beside them");
  return pose(line, arguments);
}

int robotViewCommand(const Arguments& arguments) {
  CommandLine line("mortise robot view", "move a robot's joints in the browser; its collisions are shown");
  return pose(line, arguments);
}

}  // namespace mortise::app
