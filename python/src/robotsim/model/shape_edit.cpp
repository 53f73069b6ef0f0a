#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "mortise/base/error.h"
#include "mortise/geometry/convert.h"
#include "mortise/geometry/convex/convex_hull.h"
#include "mortise/geometry/grids/triangle_field.h"
#include "mortise/geometry/remesh.h"
#include "mortise/geometry/tessellate.h"
#include "mortise/geometry/transform_geometry.h"
#include "mortise/math/constants.h"
#include "robotsim/model/shape.h"
#include "robotsim/model/volume_conversions.h"

namespace mortise::robotsim {

namespace {

[[noreturn]] void unsupported(const Geometry& geometry, const std::string& operation) {
  throw std::runtime_error(operation + " of a geometry of type " + std::string(geometry.typeName()) +
                           " is not supported: convert it to a TriangleMesh or PointCloud first");
}

double largestExtent(const Geometry& geometry) {
  const AxisAlignedBounds bounds = geometry.bounds();
  return bounds.empty() ? 1 : std::max((bounds.max - bounds.min).maxCoeff(), 1e-9);
}

bool inside(const AxisAlignedBounds& box, const Vector3d& p) {
  return (p.array() >= box.min.array()).all() && (p.array() <= box.max.array()).all();
}

/// The part of a polygon on the side of a plane where x[axis] * sign <= bound * sign.
std::vector<Vector3d> clipped(const std::vector<Vector3d>& polygon, int axis, double bound, double sign) {
  std::vector<Vector3d> result;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vector3d &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
    const double da = sign * (a[axis] - bound), db = sign * (b[axis] - bound);
    if (da <= 0) result.push_back(a);
    if ((da < 0 && db > 0) || (da > 0 && db < 0)) result.push_back(a + (da / (da - db)) * (b - a));
  }
  return result;
}

TriangleMesh clippedMesh(const TriangleMesh& mesh, const AxisAlignedBounds& box) {
  TriangleMesh result;
  for (const auto& t : mesh.triangles) {
    std::vector<Vector3d> polygon;
    for (const int corner : t) polygon.push_back(mesh.vertices[static_cast<std::size_t>(corner)]);
    for (int axis = 0; axis < 3 && !polygon.empty(); ++axis) {
      polygon = clipped(polygon, axis, box.max[axis], 1);
      polygon = clipped(polygon, axis, box.min[axis], -1);
    }
    const int first = static_cast<int>(result.vertices.size());
    if (polygon.size() < 3) continue;
    result.vertices.insert(result.vertices.end(), polygon.begin(), polygon.end());
    for (int i = 2; i < static_cast<int>(polygon.size()); ++i)
      result.triangles.push_back({first, first + i - 1, first + i});
  }
  return result;
}

TriangleMesh meshWithin(const TriangleMesh& mesh, const AxisAlignedBounds& box, bool invert) {
  TriangleMesh result = mesh;
  std::erase_if(result.triangles, [&](const std::array<int, 3>& t) {
    const bool all = std::all_of(
        t.begin(), t.end(), [&](int corner) { return inside(box, mesh.vertices[static_cast<std::size_t>(corner)]); });
    return all == invert;
  });
  return withoutUnusedVertices(result);
}

GeometryPtr segmentsOf(const std::vector<SliceChain>& chains) {
  GeometryGroup group;
  for (const SliceChain& chain : chains) {
    const std::size_t n = chain.points.size();
    for (std::size_t i = 0; i + 1 < n + (chain.closed ? 1 : 0); ++i)
      group.parts.push_back(std::make_shared<Geometry>(SegmentShape{chain.points[i], chain.points[(i + 1) % n]}));
  }
  if (group.parts.empty()) return nullptr;
  return std::make_shared<Geometry>(std::move(group));
}

/// Signed distances to a mesh with holes: the sign is that of the nearest surface's side.
GeometryPtr implicitOfOpenMesh(const Geometry& geometry, const TriangleMesh& mesh, double resolution) {
  const TriangleField field(mesh);
  const AxisAlignedBounds bounds = geometry.bounds();
  ImplicitSurfaceShape surface;
  VolumeGrid& grid = surface.grid;
  grid.min = bounds.min - Vector3d::Constant(2 * resolution);
  for (int a = 0; a < 3; ++a) {
    const double cells = std::ceil((bounds.max[a] - bounds.min[a]) / resolution) + 4;
    if (!(cells < 2000)) throw std::runtime_error("the resolution is too fine for the size of the mesh");
    grid.cells[static_cast<std::size_t>(a)] = static_cast<int>(cells);
    grid.max[a] = grid.min[a] + cells * resolution;
  }
  for (int i = 0; i < grid.cells[0]; ++i)
    for (int j = 0; j < grid.cells[1]; ++j)
      for (int k = 0; k < grid.cells[2]; ++k) grid.values.push_back(field.signedDistance(grid.center(i, j, k)));
  return std::make_shared<Geometry>(std::move(surface), geometry.margin());
}

/// The same kind, finer or coarser.
GeometryPtr resampled(const GeometryPtr& geometry, double resolution) {
  if (!(resolution > 0)) return geometry;
  if (const auto* mesh = geometry->as<TriangleMesh>())
    return std::make_shared<Geometry>(refined(clustered(*mesh, 0.5 * resolution), resolution), geometry->margin());
  if (const auto* cloud = geometry->as<PointCloud>())
    return std::make_shared<Geometry>(thinned(*cloud, resolution), geometry->margin());
  if (geometry->as<HeightmapShape>() != nullptr) {
    const GeometryKind kind = kindNamed(geometry->typeName());
    const auto mesh = std::make_shared<Geometry>(tessellated(*geometry, resolution), geometry->margin());
    ConversionOptions options;
    options.resolution = resolution;
    return converted(mesh, kind, options);
  }
  return geometry;
}

}  // namespace

GeometryPtr sliceOf(const Shape& shape, const RigidTransform& X_WS, double tolerance) {
  const Geometry& geometry = shape.require();
  const GeometryPtr placed = transformed(geometry, AffineMap(X_WS.inverse() * shape.X));
  if (const auto* mesh = placed->as<TriangleMesh>()) return segmentsOf(sliced(*mesh, Vector3d::UnitZ(), 0));
  if (const auto* cloud = placed->as<PointCloud>()) {
    if (!(tolerance > 0)) throw std::runtime_error("a slice of a point cloud needs a tolerance above 0");
    PointCloud flat = sliced(*cloud, Vector3d::UnitZ(), 0, tolerance);
    for (Vector3d& p : flat.points) p.z() = 0;
    return std::make_shared<Geometry>(std::move(flat));
  }
  unsupported(geometry, "a slice");
}

GeometryPtr regionOf(const Shape& shape, const std::string& query, const AxisAlignedBounds& box) {
  const Geometry& geometry = shape.require();
  const bool invert = query.starts_with('~');
  const std::string kind = invert ? query.substr(1) : query;
  if (kind != "intersect" && kind != "touching" && kind != "within")
    throw std::runtime_error(
        "a region is \"intersect\", \"touching\" or \"within\", with ~ in front to invert it, not \"" + query + "\"");
  const GeometryPtr placed = transformed(geometry, AffineMap(shape.X));
  GeometryPtr result;
  if (const auto* mesh = placed->as<TriangleMesh>()) {
    if (kind == "within")
      result = std::make_shared<Geometry>(meshWithin(*mesh, box, invert));
    else if (kind == "intersect" && !invert)
      result = std::make_shared<Geometry>(clippedMesh(*mesh, box));
    else
      result = std::make_shared<Geometry>(within(*mesh, box, invert));
  } else if (const auto* cloud = placed->as<PointCloud>()) {
    result = std::make_shared<Geometry>(within(*cloud, box, invert));
  } else {
    unsupported(geometry, "a region of interest");
  }
  return transformed(*result, AffineMap(shape.X.inverse()));
}

namespace {

PointCloud joined(const PointCloud& a, const PointCloud& b) {
  PointCloud result = a;
  result.columns = result.rows = 0;
  result.points.insert(result.points.end(), b.points.begin(), b.points.end());
  for (auto& property : result.properties) {
    const auto* more = b.property(property.name);
    if (more != nullptr)
      property.values.insert(property.values.end(), more->values.begin(), more->values.end());
    else
      property.values.resize(result.points.size(), 0);
  }
  return result;
}

/// Each cell takes what `merge` makes of it and of the other shape's distance at its center.
template <typename Merge>
void mergeCells(VolumeGrid& grid, const RigidTransform& X_W, const Shape& other, const Merge& merge) {
  for (int i = 0; i < grid.cells[0]; ++i)
    for (int j = 0; j < grid.cells[1]; ++j)
      for (int k = 0; k < grid.cells[2]; ++k) {
        double& value = grid.values[grid.index(i, j, k)];
        value = merge(value, X_W * (grid.X * grid.center(i, j, k)), other);
      }
}

}  // namespace

GeometryPtr mergedOf(const Shape& shape, const Shape& other) {
  if (other.empty()) return shape.geometry();
  const RigidTransform X_AB = shape.X.inverse() * other.X;
  const GeometryPtr placed = transformed(other.require(), AffineMap(X_AB));
  if (shape.empty()) return placed;
  const Geometry& geometry = shape.require();
  const double extent = largestExtent(*placed);
  if (const auto* mesh = geometry.as<TriangleMesh>()) {
    const auto second = std::make_shared<Geometry>(tessellated(*placed, extent / 20));
    return unionOf(std::make_shared<Geometry>(*mesh, geometry.margin()), second);
  }
  if (const auto* cloud = geometry.as<PointCloud>()) {
    const GeometryPtr second = converted(placed, GeometryKind::pointCloud);
    return std::make_shared<Geometry>(joined(*cloud, *second->as<PointCloud>()), geometry.margin());
  }
  if (const auto* hull = geometry.as<ConvexHullShape>()) {
    ConvexHullShape both = *hull;
    const GeometryPtr second = converted(placed, GeometryKind::convexHull);
    const auto& points = second->as<ConvexHullShape>()->points;
    both.points.insert(both.points.end(), points.begin(), points.end());
    return std::make_shared<Geometry>(std::move(both), geometry.margin());
  }
  if (geometry.as<GeometryGroup>() != nullptr) return unionOf(shape.geometry(), placed);
  if (const auto* surface = geometry.as<ImplicitSurfaceShape>()) {
    ImplicitSurfaceShape both = *surface;
    mergeCells(both.grid, shape.X, other, [](double value, const Vector3d& p_W, const Shape& second) {
      return std::min(value, contains(second.collider(), second.X, p_W)
                                 ? -std::abs(distanceOf(second, p_W, kInfinity).d)
                                 : std::abs(distanceOf(second, p_W, kInfinity).d));
    });
    return std::make_shared<Geometry>(std::move(both), geometry.margin());
  }
  if (const auto* cells = geometry.as<OccupancyGridShape>()) {
    OccupancyGridShape both = *cells;
    const double half = 0.5 * both.grid.cellSize().maxCoeff();
    mergeCells(both.grid, shape.X, other, [half](double value, const Vector3d& p_W, const Shape& second) {
      const bool solid = contains(second.collider(), second.X, p_W) || distanceOf(second, p_W, kInfinity).d <= half;
      return solid ? std::max(value, 1.0) : value;
    });
    return std::make_shared<Geometry>(std::move(both), geometry.margin());
  }
  unsupported(geometry, "a merge");
}

GeometryPtr convertedTo(const Shape& shape, const std::string& type, double parameter) {
  shape.require();
  const GeometryPtr& geometry = shape.geometry();
  const std::string name = type == "VolumeGrid" ? "ImplicitSurface" : type;
  if (const GeometryPtr volume = convertedVolume(*geometry, name, parameter)) return volume;
  if (geometry->typeName() == name) return resampled(geometry, parameter);
  if (name == "GeometricPrimitive") {
    const AxisAlignedBounds bounds = geometry->bounds();
    return std::make_shared<Geometry>(AxisAlignedBoxShape{bounds.min, bounds.max}, geometry->margin());
  }
  if (name == "Group") return std::make_shared<Geometry>(GeometryGroup{{geometry}});
  ConversionOptions options;
  const GeometryKind kind = kindNamed(name);
  const double cell = kind == GeometryKind::heightmap ? cellSizeOf(*geometry) : 0;
  options.resolution = parameter > 0 ? parameter : cell > 0 ? cell : largestExtent(*geometry) / 20;
  if (kind == GeometryKind::implicitSurface)
    if (const auto* mesh = geometry->as<TriangleMesh>())
      if (!mesh->triangles.empty() && !TriangleField(*mesh).closed())
        return implicitOfOpenMesh(*geometry, *mesh, options.resolution);
  return converted(geometry, kind, options);
}

}  // namespace mortise::robotsim
