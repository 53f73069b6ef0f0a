#include "mortise/model/world.h"

#include <algorithm>
#include <iomanip>
#include <sstream>

#include "command_line.h"
#include "commands.h"
#include "mortise/base/error.h"
#include "mortise/base/suggest.h"
#include "mortise/base/value_text.h"
#include "mortise/plugin/format_loader.h"

namespace mortise::app {

namespace {

Value list(const Vector3d& v) { return std::vector<double>{v.x(), v.y(), v.z()}; }
Value list(const VectorXd& v) { return std::vector<double>(v.data(), v.data() + v.size()); }

Value list(const Matrix3d& m) {
  std::vector<double> rows;
  for (int i = 0; i < 9; ++i) rows.push_back(m(i / 3, i % 3));
  return rows;
}

Value list(const RigidTransform& X) {
  std::vector<double> rows(12);
  X.toRows(rows.data());
  return rows;
}

/// How many parts of a shape can have a friction of their own.
int numElements(const Geometry& geometry) {
  if (const auto* group = geometry.as<GeometryGroup>()) return static_cast<int>(group->parts.size());
  if (geometry.as<TriangleMesh>()) return geometry.numTriangles();
  if (geometry.as<PointCloud>()) return geometry.numVertices();
  return geometry.empty() ? 0 : 1;
}

Value geometryInfo(const GeometryPtr& geometry) {
  if (!geometry || geometry->empty()) return {};
  Value info = Value::map();
  const std::string_view type = geometry->typeName();
  info.set("type", type == "GeometricPrimitive" ? "Primitive" : type);
  info.set("verts", geometry->numVertices());
  info.set("tris", geometry->numTriangles());
  info.set("elements", numElements(*geometry));
  info.set("margin", geometry->margin());
  const AxisAlignedBounds bounds = geometry->bounds();
  info.set("bmin", list(bounds.min));
  info.set("bmax", list(bounds.max));
  return info;
}

Vector3d centreOfMass(const Robot& robot, const RobotState& state) {
  Vector3d moment = Vector3d::Zero();
  for (int i = 0; i < robot.numLinks(); ++i)
    moment += robot.link(i).inertia.mass * (state.X_WL[i] * robot.link(i).inertia.com);
  return robot.totalMass() > 0 ? Vector3d(moment / robot.totalMass()) : moment;
}

Value robotInfo(const World& world, int index) {
  const WorldRobot& entry = world.robots[index];
  RobotState state(*entry.robot);
  state.q = entry.q;
  updateFrames(*entry.robot, state);
  Value frames = Value::list();
  for (const RigidTransform& X : state.X_WL) frames.push_back(list(X));
  Value info = Value::map();
  info.set("name", entry.name);
  info.set("id", world.robotId(index));
  info.set("num_links", entry.robot->numLinks());
  info.set("num_drivers", entry.robot->numDrivers());
  info.set("q", list(entry.q));
  info.set("dq", list(entry.dq));
  info.set("link_ids_first", world.linkId(index, 0));
  info.set("link_T", std::move(frames));
  info.set("com", list(centreOfMass(*entry.robot, state)));
  return info;
}

Value objectInfo(const World& world, int index) {
  const RigidObject& object = world.objects[index];
  Value info = Value::map();
  info.set("name", object.name);
  info.set("id", world.objectId(index));
  info.set("T", list(object.X_WO));
  info.set("v", list(object.v_WO));
  info.set("w", list(object.w_WO));
  info.set("mass", object.inertia.mass);
  info.set("com", list(object.inertia.com));
  info.set("inertia", list(object.inertia.inertia));
  info.set("kFriction", object.surface.friction);
  info.set("kRestitution", object.surface.restitution);
  info.set("kStiffness", object.surface.stiffness);
  info.set("kDamping", object.surface.damping);
  info.set("geom_file", object.geometryFile);
  info.set("geometry", geometryInfo(object.geometry));
  return info;
}

Value terrainInfo(const World& world, int index) {
  const Terrain& terrain = world.terrains[index];
  // One friction given for all counts once for each element.
  int numFrictions = static_cast<int>(terrain.friction.size());
  if (numFrictions <= 1) numFrictions = terrain.geometry ? numElements(*terrain.geometry) : 0;
  Value info = Value::map();
  info.set("name", terrain.name);
  info.set("id", world.terrainId(index));
  info.set("num_kFriction", numFrictions);
  info.set("kFriction0", terrain.friction.empty() ? terrain.surface.friction : terrain.friction[0]);
  info.set("geom_file", terrain.geometryFile);
  info.set("geometry", geometryInfo(terrain.geometry));
  return info;
}

Value worldInfo(const World& world, const std::string& file) {
  Value robots = Value::list(), objects = Value::list(), terrains = Value::list();
  for (std::size_t i = 0; i < world.robots.size(); ++i) robots.push_back(robotInfo(world, static_cast<int>(i)));
  for (std::size_t i = 0; i < world.objects.size(); ++i) objects.push_back(objectInfo(world, static_cast<int>(i)));
  for (std::size_t i = 0; i < world.terrains.size(); ++i) terrains.push_back(terrainInfo(world, static_cast<int>(i)));
  Value info = Value::map();
  info.set("file", file);
  info.set("num_ids", world.numIds());
  info.set("num_robots", static_cast<int>(world.robots.size()));
  info.set("num_rigid_objects", static_cast<int>(world.objects.size()));
  info.set("num_terrains", static_cast<int>(world.terrains.size()));
  info.set("background", world.background);
  info.set("robots", std::move(robots));
  info.set("rigid_objects", std::move(objects));
  info.set("terrains", std::move(terrains));
  return info;
}

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
  if (!line.parse(arguments)) return 0;
  const std::string& file = line.positionals().front();
  const auto registry = line.makeRegistry();
  FormatLoader loader(*registry, line.log());
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
