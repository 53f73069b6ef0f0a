#include "logs/pose.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <optional>
#include <unistd.h>

#include "command_line/commands.h"
#include "command_line/configuration_options.h"
#include "command_line/interrupt.h"
#include "command_line/resource_options.h"
#include "logs/live_view.h"
#include "mortise/appearance/visual_files.h"
#include "mortise/base/error.h"
#include "mortise/base/position.h"
#include "mortise/component/resource.h"
#include "mortise/loading/assemble_world.h"
#include "mortise/loading/format_loader.h"
#include "mortise/viewer/posing/pose_session.h"
#include "mortise/viewer/posing/resource_folder.h"

namespace mortise::app {

namespace {

namespace fs = std::filesystem;

void declarePosing(CommandLine& line) {
  line.positional("FILE",
                  "a world, or robots, rigid objects and terrains to put together; and configurations, paths and other "
                  "resources, which are added to those of the folder",
                  1, -1)
      .option(
          "resources", "FOLDER",
          "configurations, paths, goals, holds and stances that are shown and saved (default: the folder beside the "
          "first file of its name and _resources, such as blocks_resources)")
      .repeatedOption("library,l", "LIBRARY",
                      "add the resources of a library: a folder, or an .xml or .json file; given several times, those "
                      "of each")
      .option("touch", "D", "surfaces that are no farther apart touch, for balance, holds and stances; default 5 mm")
      .flag("strict", "treat warnings about files as errors")
      .withPlugins()
      .epilog(
          "Prints the address, with a token that keeps others out, and serves it until Ctrl-C. Drag a link to move it; "
          "docs/viewer.md\nsays what else there is.\n\n"
          "Examples:\n"
          "  mortise pose data/worlds/blocks.xml\n"
          "  mortise pose data/robots/reacher.rob --resources poses\n"
          "  mortise pose data/robots/reacher.rob data/motions/reacher_sweep.path -l poses -l library.xml\n");
  declareServerOptions(line);
  declareConfigurations(line, "the world's");
  addResourceOptions(line);
}

/// Takes those out of `files` that hold no part of a world.
std::vector<std::string> takeResources(FormatLoader& loader, std::vector<std::string>& files) {
  const auto isModel = [&](const std::string& file) {
    const std::optional<FileContent> content = loader.contentOf(file);
    return !content || *content == FileContent::world || *content == FileContent::robot ||
           *content == FileContent::rigidObject || *content == FileContent::terrain ||
           *content == FileContent::geometry;
  };
  const auto others = std::stable_partition(files.begin(), files.end(), isModel);
  std::vector<std::string> resources(others, files.end());
  files.erase(others, files.end());
  return resources;
}

/// Adds a resource under its name, or, where one of that name is there, under the first of NAME2, NAME3, ... that is
/// free, with a warning.
void addResource(ResourceItem item, const std::string& from, ResourceLibrary& library, Diagnostics& diagnostics) {
  const auto taken = [&](const std::string& name) {
    return std::any_of(library.items.begin(), library.items.end(),
                       [&](const ResourceItem& other) { return other.name == name; });
  };
  const std::string name = item.name;
  for (int i = 2; taken(item.name); ++i) item.name = name + std::to_string(i);
  if (item.name != name)
    diagnostics.warning("there is a resource '" + name + "' already; this one is called '" + item.name + "'",
                        inFile(from));
  library.items.push_back(std::move(item));
}

/// Reads the resources of the folder, then the libraries and single resources that are named.
ResourceLibrary shownResources(const CommandLine& line, FormatLoader& loader, viewer::ResourceFolder& folder,
                               const std::vector<std::string>& files, Diagnostics& diagnostics) {
  ResourceLibrary resources = folder.read(diagnostics);
  for (const std::string& file : line.texts("library"))
    for (ResourceItem& item : loader.load<ResourceLibrary>(file, {}, diagnostics).items)
      addResource(std::move(item), file, resources, diagnostics);
  for (const std::string& file : files) {
    const FileContent content = loader.contentOf(file).value();
    if (content == FileContent::library) {
      for (ResourceItem& item : loader.load<ResourceLibrary>(file, {}, diagnostics).items)
        addResource(std::move(item), file, resources, diagnostics);
      continue;
    }
    addResource({fs::path(file).stem().string(), file, loader.load(content, file, {}, diagnostics)}, file, resources,
                diagnostics);
  }
  return resources;
}

[[noreturn]] void throwNoRobot(const std::vector<std::string>& files) {
  const std::string first = "'" + files.front() + "'";
  throw Error("there is no robot in " + (files.size() == 1 ? first : first + " and the other files") +
                  ", and so no joint to move",
              {}, "name a robot, or a world that has one; `mortise pose` shows and moves objects and shapes, too");
}

/// Returns the folder beside that of the resources that keeps those that were not saved.
std::string unsavedFolder(const std::string& folder) {
  const fs::path path(folder);
  return (path.filename().empty() ? path.parent_path() : path).string() + "_unsaved";
}

/// Says that an earlier page has left resources that were not saved.
void noteUnsaved(const CommandLine& line, const std::string& folder) {
  std::error_code code;
  const std::string kept = unsavedFolder(folder);
  if (fs::is_directory(kept, code))
    line.log().write(LogLevel::warning, "mortise",
                     "'" + kept + "' holds resources that were not saved before: --resources " + kept +
                         " shows them; remove the folder when you need them no more");
}

/// Keeps what the page has not saved, and offers to save it where somebody can answer.
void keepUnsaved(const CommandLine& line, FormatLoader& loader, const ResourceLibrary& library,
                 const std::string& folder, viewer::ResourceFolder& target) {
  const std::string kept = unsavedFolder(folder);
  viewer::ResourceFolder recovery(kept, loader);
  Diagnostics ignored;
  recovery.read(ignored);  // So that those of an earlier time, which are gone now, are removed.
  recovery.write(library);
  std::string answer;
  if (::isatty(STDIN_FILENO) != 0 && ::isatty(STDERR_FILENO) != 0) {
    std::fputs(("\nthere are resources that were not saved; save them in " + folder + "? [y/N] ").c_str(), stderr);
    std::getline(std::cin, answer);
  }
  if (answer == "y" || answer == "Y" || answer == "yes") {
    printAlways(target.write(library) + "\n");
    std::error_code code;
    fs::remove_all(kept, code);
    return;
  }
  line.log().write(
      LogLevel::warning, "mortise",
      "there are resources that were not saved: they are kept in '" + kept + "'; --resources " + kept + " shows them");
}

}  // namespace

int servePosing(CommandLine& line, const Arguments& arguments, Posed posed) {
  declarePosing(line);
  if (!line.parse(arguments)) return 0;
  const std::uint16_t port = serverPort(line);
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  const VisualFilesScope looks(&loader, line.log());
  Diagnostics diagnostics;
  diagnostics.setStrict(line.has("strict"));
  std::vector<std::string> files = line.positionals();
  const std::vector<std::string> resourceFiles = takeResources(loader, files);
  if (files.empty()) throw UsageError("name a world, a robot or an object, too, not resources alone");
  auto world = std::make_shared<World>(assembleWorld(loader, files, diagnostics));
  if (posed == Posed::robots && !diagnostics.hasErrors() && world->robots.empty()) throwNoRobot(files);
  if (!diagnostics.hasErrors()) readConfigurations(line, loader, *world, diagnostics);
  const std::string first = files.front();
  const std::string shown = line.text("resources", fs::path(first).replace_extension("").string() + "_resources");
  viewer::ResourceFolder folder(shown, loader);
  noteUnsaved(line, shown);
  ResourceLibrary resources = shownResources(line, loader, folder, resourceFiles, diagnostics);
  printWarnings(line, diagnostics);
  diagnostics.throwIfErrors();
  const viewer::SnapshotLog still(*world, *registry, line.log());
  viewer::PoseSession session(world, std::move(resources),
                              [&folder](const ResourceLibrary& library) { return folder.write(library); });
  session.poser().setTouch(line.quantity("touch", "m", session.poser().touch()));
  viewer::ViewServer server({{fs::path(first).stem().string(), still.path()}}, port, &session);
  allowHosts(line, server);
  const InterruptGuard interrupt;
  printAlways(server.address() + "\n");
  openBrowser(line, server.address());
  server.run(interrupt.asked());
  if (session.hasUnsaved()) keepUnsaved(line, loader, session.library(), shown, folder);
  return 0;
}

int poseCommand(const Arguments& arguments) {
  CommandLine line("mortise pose", "pose robots and objects in the browser, and edit resources beside them");
  return servePosing(line, arguments);
}

int robotViewCommand(const Arguments& arguments) {
  CommandLine line("mortise robot view", "move a robot's joints in the browser; its collisions are shown");
  return servePosing(line, arguments, Posed::robots);
}

}  // namespace mortise::app
