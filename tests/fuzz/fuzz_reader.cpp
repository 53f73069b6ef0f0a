#include "fuzz_reader.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <string_view>
#include <unistd.h>

#include "geom_format.h"
#include "group_format.h"
#include "heightmap_format.h"
#include "mortise/base/error.h"
#include "mortise/model/robot.h"
#include "motion_formats.h"
#include "off_format.h"
#include "pcd_format.h"
#include "ply_format.h"
#include "rigid_object_format.h"
#include "rob_format.h"
#include "stl_format.h"
#include "tri_format.h"
#include "urdf_format.h"
#include "wavefront_format.h"
#include "world_format.h"

namespace mortise::fuzz {

namespace {

[[noreturn]] void broken(const char* promise) {
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::abort();
}

void require(bool held, const char* promise) {
  if (!held) broken(promise);
}

/// Stands for everything that a file may refer to.
class Stand final : public ResourceLoader {
 public:
  std::string find(std::string_view reference, std::string_view) override {
    throw Error("cannot find '" + std::string(reference) + "'");
  }
  GeometryPtr geometry(std::string_view reference, std::string_view, Diagnostics&) override {
    if (reference.starts_with("no")) throw Error("cannot find '" + std::string(reference) + "'");
    return std::make_shared<Geometry>(AxisAlignedBoxShape{}, 0, "cube.geom");
  }
  RobotDescription robot(std::string_view reference, std::string_view, Diagnostics&) override {
    if (reference.starts_with("no")) throw Error("cannot find '" + std::string(reference) + "'");
    RobotDescription robot;
    robot.name = "one";
    robot.links.resize(1);
    robot.links[0].name = "link";
    return robot;
  }
  RigidObject rigidObject(std::string_view, std::string_view, Diagnostics&) override { return {}; }
  Terrain terrain(std::string_view, std::string_view, Diagnostics&) override { return {}; }
  World world(std::string_view, std::string_view, Diagnostics&) override { throw Error("there is no world"); }
  VectorXd configuration(std::string_view, std::string_view, Diagnostics&) override { return VectorXd::Zero(3); }
  Trajectory trajectory(std::string_view, std::string_view, Diagnostics&) override { return {}; }
};

void check(const TriangleMesh& mesh) {
  for (const Vector3d& p : mesh.vertices) require(p.allFinite(), "vertices are finite");
  for (const auto& t : mesh.triangles)
    for (const int vertex : t)
      require(vertex >= 0 && static_cast<std::size_t>(vertex) < mesh.vertices.size(), "triangles name vertices");
}

void check(const Geometry& geometry) {
  if (const auto* mesh = geometry.as<TriangleMesh>()) check(*mesh);
  if (const auto* cloud = geometry.as<PointCloud>()) {
    for (const Vector3d& p : cloud->points) require(p.allFinite(), "points are finite");
    for (const auto& property : cloud->properties)
      require(property.values.size() == cloud->points.size(), "a property has a number for each point");
    if (cloud->rows > 0)
      require(static_cast<std::size_t>(cloud->rows) * static_cast<std::size_t>(cloud->columns) == cloud->points.size(),
              "rows and columns hold all points");
  }
  if (const auto* group = geometry.as<GeometryGroup>())
    for (const GeometryPtr& part : group->parts) check(*part);
}

void use(const GeometryPtr& geometry) {
  require(geometry != nullptr, "a reader returns a shape");
  check(*geometry);
  geometry->bounds();
  geometry->transformed(AffineMap::scaling(Vector3d(1, -2, 1)));
}

template <typename Format>
void readGeometry(ReadContext& context) {
  use(Format().readGeometry(context));
}

template <typename Format>
void readRobot(ReadContext& context) {
  RobotDescription robot = Format().readRobot(context);
  if (!context.diagnostics.hasErrors()) Robot::compile(std::move(robot));
}

using Reader = void (*)(ReadContext&);

const std::map<std::string, Reader>& readers() {
  static const std::map<std::string, Reader> all = {
      {"off", readGeometry<io::OffFormat>},
      {"obj", readGeometry<io::WavefrontFormat>},
      {"stl", readGeometry<io::StlFormat>},
      {"ply", readGeometry<io::PlyFormat>},
      {"tri", readGeometry<io::TriFormat>},
      {"geom", readGeometry<io::GeomFormat>},
      {"group", readGeometry<io::GroupFormat>},
      {"pcd", readGeometry<io::PcdFormat>},
      {"heightmap", readGeometry<io::HeightmapFormat>},
      {"rob", readRobot<io::RobFormat>},
      {"urdf", readRobot<io::UrdfFormat>},
      {"world", [](ReadContext& context) { io::WorldFormat().readWorld(context); }},
      {"rigid_object", [](ReadContext& context) { io::RigidObjectFormat().readRigidObject(context); }},
      {"path", [](ReadContext& context) { io::PathFormat().readTrajectory(context); }},
  };
  return all;
}

/// A file of this process alone, gone with it.
const std::string& scratchFile() {
  static const struct Scratch {
    std::string path = "/dev/shm/mortise_fuzz_" + std::to_string(::getpid());
    ~Scratch() { ::unlink(path.c_str()); }
  } scratch;
  return scratch.path;
}

}  // namespace

void readAs(const std::string& kind, const std::uint8_t* data, std::size_t size) {
  const auto reader = readers().find(kind);
  require(reader != readers().end(), "the kind of file exists");
  std::ofstream(scratchFile(), std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  Stand loader;
  Diagnostics diagnostics;
  ReadContext context{scratchFile(), loader, diagnostics};
  try {
    reader->second(context);
  } catch (const Error&) {
    // What a reader is meant to do with a bad file.
  } catch (const std::exception& e) {
    broken(e.what());
  }
}

}  // namespace mortise::fuzz
