#include "mortise/model/world.h"

#include <algorithm>
#include <cstdio>
#include <iomanip>
#include <sstream>

#include "command_line/command_group.h"
#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/resource_options.h"
#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/inspect/world_check.h"
#include "mortise/inspect/world_info.h"
#include "mortise/inspect/world_save.h"
#include "mortise/json/json_writer.h"
#include "mortise/loading/format_loader.h"

namespace mortise::app {

namespace {

/// Nine digits are enough for people; --json has all.
std::string shortReal(double value) { return formatReal(value, 9); }

std::string shapeText(const GeometryPtr& geometry) {
  if (!geometry || geometry->empty()) return "no shape";
  std::string text(geometry->typeName());
  if (geometry->numTriangles() > 0) text += ", " + std::to_string(geometry->numTriangles()) + " triangles";
  return text;
}

/// Returns the padding that the simulation puts around a body, or around the links of a robot.
std::string paddingText(const World& world, int firstId, int count) {
  double minimum = 0, maximum = 0;
  for (int i = 0; i < count; ++i) {
    const double padding = world.simulationSurface(firstId + i).thickness();
    minimum = i == 0 ? padding : std::min(minimum, padding);
    maximum = std::max(maximum, padding);
  }
  return ", padding " + shortReal(minimum) + (maximum > minimum ? " to " + shortReal(maximum) : "") + " m";
}

std::string summary(const World& world, const std::string& file) {
  std::ostringstream out;
  const auto counted = [](std::size_t count, const char* what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
  };
  out << file << ": " << counted(world.robots.size(), "robot") << ", " << counted(world.objects.size(), "rigid object")
      << ", " << counted(world.terrains.size(), "terrain") << ", ";
  if (world.numIds() > 0) out << "ids 0 to " << world.numIds() - 1 << "\n";
  if (world.numIds() == 0) out << "no ids\n";
  const auto id = [&out](const char* kind, int number, const std::string& name) -> std::ostream& {
    return out << "  " << std::left << std::setw(8) << kind << std::right << std::setw(4) << number << "  " << std::left
               << std::setw(20) << name << " ";
  };
  const auto point = [](const Vector3d& p) {
    return "at (" + shortReal(p.x()) + ", " + shortReal(p.y()) + ", " + shortReal(p.z()) + ")";
  };
  for (std::size_t i = 0; i < world.terrains.size(); ++i)
    id("terrain", world.terrainId(static_cast<int>(i)), world.terrains[i].name)
        << shapeText(world.terrains[i].geometry) << paddingText(world, world.terrainId(static_cast<int>(i)), 1) << "\n";
  for (std::size_t i = 0; i < world.objects.size(); ++i) {
    const RigidObject& object = world.objects[i];
    id("object", world.objectId(static_cast<int>(i)), object.name)
        << shortReal(object.inertia.mass) << " kg " << point(object.X_WO.p) << ", " << shapeText(object.geometry)
        << paddingText(world, world.objectId(static_cast<int>(i)), 1) << "\n";
  }
  for (std::size_t i = 0; i < world.robots.size(); ++i) {
    const Robot& robot = *world.robots[i].robot;
    id("robot", world.robotId(static_cast<int>(i)), world.robots[i].name)
        << robot.numLinks() << " links, " << robot.numDrivers() << " drivers, " << shortReal(robot.totalMass())
        << " kg, links from id " << world.linkId(static_cast<int>(i), 0)
        << paddingText(world, world.linkId(static_cast<int>(i), 0), robot.numLinks()) << "\n";
  }
  const SimulationSettings& simulation = world.simulation;
  out << "  simulation: step " << formatReal(simulation.timeStep) << " s, gravity ("
      << formatReal(simulation.gravity.x()) << ", " << formatReal(simulation.gravity.y()) << ", "
      << formatReal(simulation.gravity.z()) << "), at most " << simulation.maxContacts << " contacts a pair";
  if (!simulation.backend.empty()) out << ", backend " << simulation.backend;
  out << "\n";
  const auto count = [&out](std::size_t number, const char* what) {
    if (number > 0) out << "    " << number << " " << what << (number > 1 ? "s" : "") << "\n";
  };
  count(simulation.joints.size(), "joint");
  count(simulation.controllers.size(), "controller");
  count(simulation.sensors.size(), "sensor");
  if (!simulation.stateData.empty()) out << "    a saved state\n";
  return out.str();
}

int worldInfo(const Arguments& arguments) {
  CommandLine line("mortise world info", "print what a world holds: ids, names, frames, masses, surfaces, simulation");
  line.positional("FILE", "world file").flag("strict", "treat warnings about files as errors").withPlugins();
  addResourceOptions(line);
  if (!line.parse(arguments)) return 0;
  const std::string& file = line.positionals().front();
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  Diagnostics diagnostics;
  diagnostics.setStrict(line.has("strict"));
  const World world = loader.world(file, {}, diagnostics);
  printWarnings(line, diagnostics);
  diagnostics.throwIfErrors("'" + file + "' cannot be used");
  Diagnostics names;
  checkWorldNames(world, *registry, names);
  printWarnings(line, names);
  print(line.json() ? toJson(worldInfo(world, file)) + "\n" : summary(world, file));
  return 0;
}

int worldSave(const Arguments& arguments) {
  CommandLine line("mortise world save", "read a world and write it to another file, with everything it says");
  line.positional("IN", "world file")
      .positional("OUT", "world file to write")
      .flag("relative", "make every path in OUT relative to it")
      .flag("absolute", "make every path in OUT absolute")
      .flag("copy", "copy every file the world needs into a folder beside OUT, and refer to the copies")
      .flag("strict", "treat warnings about files as errors")
      .withPlugins();
  addResourceOptions(line);
  line.epilog(
      "Paths stay as they are written where that still finds the file; otherwise they become relative to OUT.\n"
      "Comments and elements that mean nothing are kept.\n\nExamples:\n"
      "  mortise world save room.xml saved/room.xml\n"
      "  mortise world save room.xml gift/room.xml --copy    gift/room.xml and gift/room/ can be given away\n");
  if (!line.parse(arguments)) return 0;
  WorldSaveOptions options;
  options.copyFiles = line.has("copy");
  if (line.has("relative")) options.references = ReferenceStyle::relative;
  if (line.has("absolute")) options.references = ReferenceStyle::absolute;
  if (line.has("relative") + line.has("absolute") + line.has("copy") > 1)
    throw UsageError("--relative, --absolute and --copy exclude each other");
  const auto registry = line.makeRegistry();
  Diagnostics diagnostics;
  diagnostics.setStrict(line.has("strict"));
  const SavedWorld saved = saveWorld(*registry, line.log(), resourcePath(line), line.positionals()[0],
                                     line.positionals()[1], options, diagnostics);
  printWarnings(line, diagnostics);
  diagnostics.throwIfErrors("'" + saved.file + "' was written, but does not hold everything");
  if (line.json()) {
    Value result = Value::map();
    result.set("file", saved.file);
    result.set("copied", saved.copied);
    result.set("outside", saved.outside);
    print(toJson(result) + "\n");
  } else if (!line.quiet()) {
    print(saved.file + (saved.copied.empty() ? "" : " and " + std::to_string(saved.copied.size()) + " files it needs") +
          "\n");
  }
  return 0;
}

}  // namespace

int worldCommand(const Arguments& arguments) {
  static const CommandGroup group(
      "mortise world", "look into a world file, check it, save it elsewhere, find what collides in it",
      {{"info", worldInfo, "FILE", "print what a world holds"},
       {"check", worldCheckCommand, "FILE", "say what is doubtful about it before it is simulated"},
       {"save", worldSave, "IN OUT", "write a world to another file"},
       {"collisions", worldCollisionsCommand, "FILE", "list what collides in it as loaded"}});
  return group.run(arguments);
}

}  // namespace mortise::app
