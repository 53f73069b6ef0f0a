#include "mortise/model/world.h"

#include <algorithm>
#include <iomanip>
#include <sstream>

#include "command_line.h"
#include "commands.h"
#include "mortise/base/error.h"
#include "mortise/base/suggest.h"
#include "mortise/base/value_text.h"
#include "mortise/inspect/world_info.h"
#include "mortise/plugin/format_loader.h"
#include "resource_options.h"

namespace mortise::app {

namespace {

std::string shapeText(const GeometryPtr& geometry) {
  if (!geometry || geometry->empty()) return "no shape";
  std::string text(geometry->typeName());
  if (geometry->numTriangles() > 0) text += ", " + std::to_string(geometry->numTriangles()) + " triangles";
  return text;
}

std::string summary(const World& world, const std::string& file) {
  std::ostringstream out;
  out << file << ": " << world.robots.size() << " robots, " << world.objects.size() << " rigid objects, "
      << world.terrains.size() << " terrains, ids 0 to " << world.numIds() - 1 << "\n";
  const auto id = [&out](const char* kind, int number, const std::string& name) -> std::ostream& {
    return out << "  " << std::left << std::setw(8) << kind << std::right << std::setw(4) << number << "  " << std::left
               << std::setw(20) << name << " ";
  };
  const auto point = [](const Vector3d& p) {
    return "at (" + formatReal(p.x()) + ", " + formatReal(p.y()) + ", " + formatReal(p.z()) + ")";
  };
  for (std::size_t i = 0; i < world.terrains.size(); ++i)
    id("terrain", world.terrainId(static_cast<int>(i)), world.terrains[i].name)
        << shapeText(world.terrains[i].geometry) << "\n";
  for (std::size_t i = 0; i < world.objects.size(); ++i) {
    const RigidObject& object = world.objects[i];
    id("object", world.objectId(static_cast<int>(i)), object.name)
        << formatReal(object.inertia.mass) << " kg " << point(object.X_WO.p) << ", " << shapeText(object.geometry)
        << "\n";
  }
  for (std::size_t i = 0; i < world.robots.size(); ++i) {
    const Robot& robot = *world.robots[i].robot;
    id("robot", world.robotId(static_cast<int>(i)), world.robots[i].name)
        << robot.numLinks() << " links, " << robot.numDrivers() << " drivers, " << formatReal(robot.totalMass())
        << " kg, links from id " << world.linkId(static_cast<int>(i), 0) << "\n";
  }
  const SimulationSettings& simulation = world.simulation;
  out << "  simulation: step " << formatReal(simulation.timeStep) << " s, gravity ("
      << formatReal(simulation.gravity.x()) << ", " << formatReal(simulation.gravity.y()) << ", "
      << formatReal(simulation.gravity.z()) << "), at most " << simulation.maxContacts << " contacts a pair";
  if (!simulation.backend.empty()) out << ", backend " << simulation.backend;
  out << "\n";
  return out.str();
}

int infoCommand(const Arguments& arguments) {
  CommandLine line("mortise world info", "print what a world holds: ids, names, frames, masses, surfaces");
  line.positional("FILE", "world file").flag("strict", "treat warnings about files as errors").withPlugins();
  addResourceOptions(line);
  if (!line.parse(arguments)) return 0;
  const std::string& file = line.positionals().front();
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log(), resourcePath(line));
  Diagnostics diagnostics;
  diagnostics.setStrict(line.has("strict"));
  const World world = loader.world(file, {}, diagnostics);
  for (const Diagnostic& problem : diagnostics.all())
    if (problem.severity != Severity::error) line.log().write(LogLevel::warning, "mortise", problem.format());
  diagnostics.throwIfErrors("'" + file + "' cannot be used");
  print(line.json() ? toJson(worldInfo(world, file)) + "\n" : summary(world, file));
  return 0;
}

}  // namespace

int worldCommand(const Arguments& arguments) {
  const std::vector<std::string> names = {"info"};
  const std::string usage =
      "usage: mortise world info FILE [--json]\n\n`mortise world info --help` explains the options.\n";
  if (arguments.empty()) throw UsageError("which world command?\n" + usage);
  if (arguments[0] == "--help" || arguments[0] == "-h") {
    print(usage);
    return 0;
  }
  if (arguments[0] != "info") {
    const std::string near = didYouMean(arguments[0], names);
    throw UsageError("there is no world command '" + arguments[0] + "'" + (near.empty() ? "" : "; " + near) + "\n" +
                     usage);
  }
  return infoCommand({arguments.begin() + 1, arguments.end()});
}

}  // namespace mortise::app
