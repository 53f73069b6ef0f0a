#include "mortise/inspect/geometry_report.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "mortise/base/error.h"
#include "mortise/geometry/convex/mesh_recognition.h"
#include "mortise/geometry/convex/polygon.h"
#include "mortise/geometry/solid_mass.h"
#include "mortise/inspect/values.h"

namespace mortise {

namespace {

using inspect::list;

struct Side {
  int low, high;
  bool upward;  ///< The triangle runs from the lower vertex to the higher.
  bool operator<(const Side& other) const {
    return std::tie(low, high, upward) < std::tie(other.low, other.high, other.upward);
  }
};

void countEdges(const TriangleMesh& mesh, MeshReport& report) {
  std::vector<Side> sides;
  sides.reserve(3 * mesh.triangles.size());
  for (const auto& t : mesh.triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3];
      sides.push_back({std::min(a, b), std::max(a, b), a < b});
    }
  std::sort(sides.begin(), sides.end());
  for (std::size_t begin = 0; begin < sides.size();) {
    std::size_t end = begin;
    int balance = 0;
    while (end < sides.size() && sides[end].low == sides[begin].low && sides[end].high == sides[begin].high)
      balance += sides[end++].upward ? 1 : -1;
    if (end - begin > 2) ++report.crowdedEdges;
    if (end - begin == 1)
      ++report.borderEdges;
    else if (balance != 0)
      ++report.flippedEdges;
    begin = end;
  }
}

const char* primitiveName(const Geometry& geometry) {
  return std::visit(
      [](const auto& shape) -> const char* {
        using T = std::decay_t<decltype(shape)>;
        if constexpr (std::is_same_v<T, PointShape>) return "Point";
        if constexpr (std::is_same_v<T, SegmentShape>) return "Segment";
        if constexpr (std::is_same_v<T, TriangleShape>) return "Triangle";
        if constexpr (std::is_same_v<T, PolygonShape>) return "Polygon";
        if constexpr (std::is_same_v<T, SphereShape>) return "Sphere";
        if constexpr (std::is_same_v<T, AxisAlignedBoxShape>) return "AABB";
        if constexpr (std::is_same_v<T, BoxShape>) return "Box";
        if constexpr (std::is_same_v<T, EllipsoidShape>) return "Ellipsoid";
        if constexpr (std::is_same_v<T, CylinderShape>) return "Cylinder";
        if constexpr (std::is_same_v<T, CapsuleShape>) return "Capsule";
        return "";
      },
      geometry.data());
}

/// Volume and its center; nothing for what encloses none.
std::optional<SolidMoments> solidOf(const Geometry& geometry) {
  try {
    return solidMoments(geometry);
  } catch (const Error&) {
    return std::nullopt;
  }
}

Value gridReport(const VolumeGrid& grid) {
  Value info = Value::map();
  Value cells = Value::list();
  for (const int count : grid.cells) cells.push_back(count);
  info.set("cells", std::move(cells));
  info.set("cell_size", list(grid.cellSize()));
  return info;
}

void addMesh(const TriangleMesh& mesh, Value& info) {
  const MeshReport report = reportOn(mesh);
  info.set("closed", report.closed());
  info.set("components", report.components);
  info.set("border_edges", report.borderEdges);
  info.set("crowded_edges", report.crowdedEdges);
  info.set("flipped_edges", report.flippedEdges);
  info.set("degenerate_triangles", report.degenerateTriangles);
  info.set("unused_vertices", report.unusedVertices);
  info.set("area", report.area);
  if (!report.closed()) return;
  info.set("volume", report.volume);
  info.set("center", list(report.center));
}

/// Nine digits are enough for people.
std::string real(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.9g", value);
  return text;
}

/// Prints a point; what is nothing beside `extent` is zero.
std::string point(const Vector3d& p, double extent) {
  const auto coordinate = [extent](double x) { return real(std::abs(x) < 1e-12 * extent ? 0 : x); };
  return "(" + coordinate(p.x()) + ", " + coordinate(p.y()) + ", " + coordinate(p.z()) + ")";
}

std::string counted(std::int64_t number, const std::string& one, const std::string& many) {
  return std::to_string(number) + " " + (number == 1 ? one : many);
}

/// The heading, after what `text` ends with, and a line for everything else.
void describe(const Geometry& geometry, const std::string& indent, std::string& text) {
  const auto line = [&](std::string label, const std::string& content) {
    label.resize(12, ' ');
    text += indent + "  " + label + content + "\n";
  };
  const std::string_view primitive = primitiveName(geometry);
  const auto* cloud = geometry.as<PointCloud>();
  const auto* group = geometry.as<GeometryGroup>();
  text += geometry.empty() ? "no shape" : primitive.empty() ? geometry.typeName() : primitive;
  if (group) text += ", " + counted(static_cast<std::int64_t>(group->parts.size()), "part", "parts");
  if (geometry.numVertices() > 0)
    text += ", " + (cloud ? counted(geometry.numVertices(), "point", "points")
                          : counted(geometry.numVertices(), "vertex", "vertices"));
  if (geometry.numTriangles() > 0) text += ", " + counted(geometry.numTriangles(), "triangle", "triangles");
  text += "\n";
  const AxisAlignedBounds bounds = geometry.bounds();
  // Not the norm, whose squares overflow in large shapes.
  const double extent = bounds.empty() ? 0 : std::min((bounds.max - bounds.min).maxCoeff(), 1e300);
  if (!bounds.empty())
    line("bounds", point(bounds.min, extent) + " to " + point(bounds.max, extent) + ", size " +
                       point(bounds.max - bounds.min, extent));
  if (geometry.margin() != 0) line("margin", real(geometry.margin()) + " m");
  if (const auto* mesh = geometry.as<TriangleMesh>()) {
    const MeshReport report = reportOn(*mesh);
    std::string surface = report.closed() ? "closed" : "open";
    if (report.borderEdges > 0) surface += ", " + counted(report.borderEdges, "border edge", "border edges");
    if (report.crowdedEdges > 0)
      surface += ", " + std::to_string(report.crowdedEdges) + " edges of more than two triangles";
    if (report.flippedEdges > 0)
      surface += ", " + std::to_string(report.flippedEdges) + " edges whose triangles do not face the same side";
    line("surface",
         surface + ", " + counted(report.components, "component", "components") + ", " + real(report.area) + " m^2");
    if (report.degenerateTriangles > 0)
      line("degenerate", counted(report.degenerateTriangles, "triangle", "triangles") + " without area");
    if (report.unusedVertices > 0)
      line("unused", counted(report.unusedVertices, "vertex", "vertices") + " of no triangle");
    if (report.closed())
      line("volume", real(report.volume) + " m^3, center " + point(report.center, extent) +
                         (report.volume < 0 ? "; the triangles face inward" : ""));
    return;
  }
  if (cloud) {
    if (cloud->rows > 0)
      line("order", std::to_string(cloud->rows) + " rows of " + std::to_string(cloud->columns) + " points");
    std::string names;
    for (const auto& property : cloud->properties) names += (names.empty() ? "" : ", ") + property.name;
    if (!names.empty()) line("properties", names);
  }
  if (const auto* heights = geometry.as<HeightmapShape>())
    line("grid", std::to_string(heights->columns) + " x " + std::to_string(heights->rows) + " heights over " +
                     real(heights->size[0]) + " x " + real(heights->size[1]) + " m");
  if (const auto area = surfaceArea(geometry)) line("surface", real(*area) + " m^2");
  if (const auto solid = solidOf(geometry))
    line("volume", real(solid->volume) + " m^3, center " + point(solid->center, extent));
  if (group)
    for (std::size_t i = 0; i < group->parts.size(); ++i) {
      text += indent + "  part " + std::to_string(i) + ": ";
      describe(*group->parts[i], indent + "  ", text);
    }
}

}  // namespace

MeshReport reportOn(const TriangleMesh& mesh) {
  MeshReport report;
  std::vector<bool> used(mesh.vertices.size(), false);
  const auto vertex = [&mesh](int i) -> const Vector3d& { return mesh.vertices[static_cast<std::size_t>(i)]; };
  for (const auto& t : mesh.triangles) {
    const Vector3d &a = vertex(t[0]), &b = vertex(t[1]), &c = vertex(t[2]);
    const double twice = (b - a).cross(c - a).norm();
    const double longest = std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
    report.area += twice / 2;
    if (!(twice > 2e-12 * longest)) ++report.degenerateTriangles;
    for (const int i : t) used[static_cast<std::size_t>(i)] = true;
  }
  report.unusedVertices = static_cast<int>(std::count(used.begin(), used.end(), false));
  const TriangleMesh welded = weldedMesh(mesh);
  report.components = static_cast<int>(connectedParts(welded).size());
  countEdges(welded, report);
  // Signed tetrahedra over a point amid the mesh, so that a mesh far from the origin loses no digits.
  if (mesh.triangles.empty()) return report;
  const Vector3d origin = vertex(mesh.triangles.front()[0]);
  Vector3d moment = Vector3d::Zero();
  for (const auto& t : mesh.triangles) {
    const Vector3d a = vertex(t[0]) - origin, b = vertex(t[1]) - origin, c = vertex(t[2]) - origin;
    const double volume = a.dot(b.cross(c)) / 6;
    report.volume += volume;
    moment += volume * (a + b + c) / 4;
  }
  report.center = origin;
  if (report.volume != 0) report.center += moment / report.volume;
  return report;
}

std::optional<double> surfaceArea(const Geometry& geometry) {
  constexpr double pi = std::numbers::pi;
  return std::visit(
      [](const auto& shape) -> std::optional<double> {
        using T = std::decay_t<decltype(shape)>;
        const auto box = [](const Vector3d& s) { return 2 * (s.x() * s.y() + s.y() * s.z() + s.z() * s.x()); };
        if constexpr (std::is_same_v<T, TriangleMesh>) return reportOn(shape).area;
        if constexpr (std::is_same_v<T, TriangleShape>) return (shape.b - shape.a).cross(shape.c - shape.a).norm() / 2;
        if constexpr (std::is_same_v<T, PolygonShape>) return polygonNormal(shape.vertices).norm() / 2;
        if constexpr (std::is_same_v<T, SphereShape>) return 4 * pi * shape.radius * shape.radius;
        if constexpr (std::is_same_v<T, AxisAlignedBoxShape>) return box(shape.max - shape.min);
        if constexpr (std::is_same_v<T, BoxShape>) return box(shape.size);
        if constexpr (std::is_same_v<T, CylinderShape>) return 2 * pi * shape.radius * (shape.radius + shape.height);
        if constexpr (std::is_same_v<T, CapsuleShape>)
          return 2 * pi * shape.radius * (2 * shape.radius + (shape.b - shape.a).norm());
        return std::nullopt;
      },
      geometry.data());
}

Value geometryReport(const Geometry& geometry) {
  Value info = Value::map();
  info.set("type", geometry.typeName());
  if (const std::string_view primitive = primitiveName(geometry); !primitive.empty()) info.set("primitive", primitive);
  info.set("num_vertices", geometry.numVertices());
  info.set("num_triangles", geometry.numTriangles());
  info.set("margin", geometry.margin());
  const AxisAlignedBounds bounds = geometry.bounds();
  if (!bounds.empty()) {
    info.set("bmin", list(bounds.min));
    info.set("bmax", list(bounds.max));
  }
  if (const auto* mesh = geometry.as<TriangleMesh>()) {
    addMesh(*mesh, info);
    return info;
  }
  if (const auto area = surfaceArea(geometry)) info.set("area", *area);
  if (const auto solid = solidOf(geometry)) {
    info.set("volume", solid->volume);
    info.set("center", list(solid->center));
  }
  if (const auto* cloud = geometry.as<PointCloud>()) {
    Value names = Value::list();
    for (const auto& property : cloud->properties) names.push_back(property.name);
    info.set("properties", std::move(names));
    info.set("columns", cloud->columns);
    info.set("rows", cloud->rows);
  }
  if (const auto* heights = geometry.as<HeightmapShape>()) {
    info.set("columns", heights->columns);
    info.set("rows", heights->rows);
    info.set("size", std::vector<double>{heights->size[0], heights->size[1]});
  }
  if (const auto* surface = geometry.as<ImplicitSurfaceShape>()) info.set("grid", gridReport(surface->grid));
  if (const auto* occupancy = geometry.as<OccupancyGridShape>()) info.set("grid", gridReport(occupancy->grid));
  if (const auto* group = geometry.as<GeometryGroup>()) {
    Value parts = Value::list();
    for (const GeometryPtr& part : group->parts) parts.push_back(geometryReport(*part));
    info.set("parts", std::move(parts));
  }
  return info;
}

std::string geometryReportText(const Geometry& geometry, const std::string& name) {
  std::string text = name + ": ";
  describe(geometry, "", text);
  return text;
}

}  // namespace mortise
