#include "mortise/geometry/convert.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "mortise/base/error.h"
#include "mortise/base/interruption.h"
#include "mortise/geometry/convex/convex_element.h"
#include "mortise/geometry/convex/convex_hull.h"
#include "mortise/geometry/convex/shape_elements.h"
#include "mortise/geometry/grids/triangle_field.h"
#include "mortise/geometry/oriented_box.h"
#include "mortise/geometry/remesh.h"
#include "mortise/geometry/tessellate.h"
#include "mortise/text/normalize.h"
#include "mortise/text/suggest.h"

namespace mortise {

namespace {

constexpr double kMaxCells = 2e8;
constexpr double kMaxPoints = 2e7;

const std::vector<std::pair<std::string, GeometryKind>> kNames = {{"TriangleMesh", GeometryKind::mesh},
                                                                  {"PointCloud", GeometryKind::pointCloud},
                                                                  {"ConvexHull", GeometryKind::convexHull},
                                                                  {"ImplicitSurface", GeometryKind::implicitSurface},
                                                                  {"OccupancyGrid", GeometryKind::occupancyGrid},
                                                                  {"Heightmap", GeometryKind::heightmap},
                                                                  {"mesh", GeometryKind::mesh},
                                                                  {"cloud", GeometryKind::pointCloud},
                                                                  {"hull", GeometryKind::convexHull},
                                                                  {"implicit", GeometryKind::implicitSurface},
                                                                  {"occupancy", GeometryKind::occupancyGrid}};

[[noreturn]] void impossible(const Geometry& from, GeometryKind to, const std::string& why, const std::string& hint) {
  SourcePosition where;
  where.file = from.file();
  const auto named = [](std::string_view name) {
    return (name.starts_with('I') || name.starts_with('O') ? "an " : "a ") + std::string(name);
  };
  throw Error(named(from.typeName()) + " cannot become " + named(kindName(to)) + ": " + why, where, hint);
}

struct GridFrame {
  Vector3d min, max;
  std::array<int, 3> cells;
};

/// Whole cells around the shape's bounds.
GridFrame gridAround(const Geometry& geometry, double resolution, double padding) {
  const AxisAlignedBounds bounds = geometry.bounds();
  GridFrame frame;
  double count = 1;
  const Vector3d center = 0.5 * (bounds.min + bounds.max);
  const Vector3d wanted = bounds.max - bounds.min + Vector3d::Constant(2 * padding);
  Vector3d half;
  for (int a = 0; a < 3; ++a) {
    const double cells = std::max(1.0, std::ceil(wanted[a] / resolution - 1e-9));
    count *= cells;
    half[a] = 0.5 * cells * resolution;
    frame.cells[static_cast<std::size_t>(a)] = cells < 1e9 ? static_cast<int>(cells) : 0;
  }
  if (!(count <= kMaxCells))
    throw Error("a grid of cells of " + std::to_string(resolution) + " m around the shape would have more than " +
                    std::to_string(static_cast<int>(kMaxCells)) + " of them",
                {}, "give a coarser resolution");
  frame.min = center - half;
  frame.max = center + half;
  return frame;
}

VolumeGrid emptyGrid(const GridFrame& frame) {
  VolumeGrid grid;
  grid.min = frame.min;
  grid.max = frame.max;
  grid.cells = frame.cells;
  grid.values.reserve(static_cast<std::size_t>(frame.cells[0]) * static_cast<std::size_t>(frame.cells[1]) *
                      static_cast<std::size_t>(frame.cells[2]));
  return grid;
}

/// Calls `f` with the center of each cell in order and keeps what it gives.
template <typename F>
void fill(VolumeGrid& grid, const F& f) {
  for (int i = 0; i < grid.cells[0]; ++i)
    for (int j = 0; j < grid.cells[1]; ++j) {
      interruptionPoint();
      for (int k = 0; k < grid.cells[2]; ++k) grid.values.push_back(f(grid.center(i, j, k)));
    }
}

/// The shape without its margin, which stays with the result instead.
ShapeElements bareElements(const Geometry& geometry) { return shapeElements(*geometry.withMargin(0)); }

/// Returns the distance from a map that is solid below, negative under its surface, where there is one; `local` is in
/// the map's frame.
double signedAlongHeights(const HeightmapShape& map, const Vector3d& local, double distance) {
  const double u = (local[0] / map.size[0] + 0.5) * (map.columns - 1),
               v = (local[1] / map.size[1] + 0.5) * (map.rows - 1);
  if (!(u >= 0 && v >= 0 && u <= map.columns - 1 && v <= map.rows - 1)) return distance;
  const int i = std::min(static_cast<int>(u), map.columns - 2), j = std::min(static_cast<int>(v), map.rows - 2);
  const auto height = [&](int column, int row) {
    return map.heights[static_cast<std::size_t>(row) * static_cast<std::size_t>(map.columns) +
                       static_cast<std::size_t>(column)];
  };
  const double s = u - i, t = v - j, a = height(i, j), d = height(i + 1, j + 1);
  // The two triangles of the cell, as `surface` makes them.
  const double surface = s >= t ? a + s * (height(i + 1, j) - a) + t * (d - height(i + 1, j))
                                : a + t * (height(i, j + 1) - a) + s * (d - height(i, j + 1));
  return local[2] < surface ? -distance : distance;
}

/// Says whether the cell at `at`, counted in cells, is occupied.
bool isOccupied(const OccupancyGridShape& shape, const Vector3d& at) {
  bool inside = true;
  std::array<int, 3> index{};
  for (std::size_t a = 0; a < 3; ++a) {
    const double floor = std::floor(at[static_cast<int>(a)]);
    inside = inside && floor >= 0 && floor < shape.grid.cells[a];
    index[a] = inside ? static_cast<int>(floor) : 0;
  }
  return inside && shape.occupied(index[0], index[1], index[2]);
}

/// Lowers each value of a grid to a function of the middle of its cell, where that is less.
template <typename Distance>
void lower(VolumeGrid& grid, const Distance& distance) {
  std::size_t at = 0;
  for (int i = 0; i < grid.cells[0]; ++i)
    for (int j = 0; j < grid.cells[1]; ++j) {
      interruptionPoint();
      for (int k = 0; k < grid.cells[2]; ++k, ++at)
        grid.values[at] = std::min(grid.values[at], distance(grid.center(i, j, k)));
    }
}

/// Signed distances of a shape that bounds a solid; the least over its parts.
void signedDistances(const Geometry& full, const Geometry& part, VolumeGrid& grid) {
  const auto minimum = [&grid](auto&& distance) { lower(grid, distance); };
  if (const auto* group = part.as<GeometryGroup>()) {
    for (const GeometryPtr& inner : group->parts)
      if (inner && !inner->empty()) signedDistances(full, *inner, grid);
    return;
  }
  if (const auto* mesh = part.as<TriangleMesh>()) {
    const TriangleField field(*mesh);
    if (!field.closed())
      impossible(full, GeometryKind::implicitSurface, "its surface has holes, so nothing is inside",
                 "close the mesh, or convert it to an occupancy grid");
    minimum([&](const Vector3d& p) { return field.signedDistance(p) - part.margin(); });
    return;
  }
  if (const auto* heights = part.as<HeightmapShape>()) {
    // Solid below: the sign is that of the height above the surface, where there is one.
    const TriangleField field(heights->surface());
    const RigidTransform X = heights->X.inverse();
    minimum([&](const Vector3d& p) { return signedAlongHeights(*heights, X * p, field.distance(p)); });
    return;
  }
  if (const auto* cells = part.as<OccupancyGridShape>()) {
    // Distances within boxes that were merged end at their shared walls; the outside of all of them does not.
    const TriangleMesh surface = occupancyMesh(*cells);
    if (surface.triangles.empty()) return;
    const TriangleField field(surface);
    const RigidTransform X = cells->grid.X.inverse();
    const Vector3d size = cells->grid.cellSize();
    minimum([&](const Vector3d& p) {
      const Vector3d at = (X * p - cells->grid.min).cwiseQuotient(size);
      const bool inside = isOccupied(*cells, at);
      const double distance = field.distance(p);
      return inside ? -distance : distance;
    });
    return;
  }
  if (const auto* surface = part.as<ImplicitSurfaceShape>()) {
    const RigidTransform X = surface->grid.X.inverse();
    minimum([&](const Vector3d& p) {
      const Vector3d local = X * p;
      const double beyond = (local - local.cwiseMax(surface->grid.min).cwiseMin(surface->grid.max)).norm();
      return surface->grid.interpolate(local) + beyond;
    });
    return;
  }
  if (part.as<PointCloud>() != nullptr && part.as<PointCloud>()->property("radius") == nullptr)
    impossible(full, GeometryKind::implicitSurface, "points without a radius enclose nothing",
               "give the points a property 'radius', or convert to an occupancy grid");
  const ShapeElements elements = bareElements(part);
  minimum([&](const Vector3d& p) {
    double distance = std::numeric_limits<double>::infinity();
    for (const ConvexElement& e : elements.elements) distance = std::min(distance, pointSeparation(e, p).distance);
    return distance - part.margin();
  });
}

/// Marks the cells that an element touches.
void mark(VolumeGrid& grid, const ConvexElement& element) {
  const AxisAlignedBounds bounds = elementBounds(element);
  const Vector3d size = grid.cellSize();
  int low[3], high[3];
  for (int a = 0; a < 3; ++a) {
    const int last = grid.cells[static_cast<std::size_t>(a)] - 1;
    low[a] = std::clamp(static_cast<int>(std::floor((bounds.min[a] - grid.min[a]) / size[a] - 1e-9)), 0, last);
    high[a] = std::clamp(static_cast<int>(std::floor((bounds.max[a] - grid.min[a]) / size[a] + 1e-9)), 0, last);
  }
  for (int i = low[0]; i <= high[0]; ++i)
    for (int j = low[1]; j <= high[1]; ++j) {
      interruptionPoint();
      for (int k = low[2]; k <= high[2]; ++k) {
        double& value = grid.values[grid.index(i, j, k)];
        if (value > 0) continue;
        if (overlap(ConvexElement::box(RigidTransform::translation(grid.center(i, j, k)), 0.5 * size), element, {}))
          value = 1;
      }
    }
}

void occupy(const Geometry& part, VolumeGrid& grid) {
  if (const auto* group = part.as<GeometryGroup>()) {
    for (const GeometryPtr& inner : group->parts)
      if (inner && !inner->empty()) occupy(*inner, grid);
    return;
  }
  if (part.as<ImplicitSurfaceShape>() != nullptr || part.as<HeightmapShape>() != nullptr) {
    VolumeGrid distances = grid;
    std::fill(distances.values.begin(), distances.values.end(), std::numeric_limits<double>::infinity());
    signedDistances(part, part, distances);
    for (std::size_t i = 0; i < grid.values.size(); ++i)
      if (distances.values[i] <= 0) grid.values[i] = 1;
    if (part.as<ImplicitSurfaceShape>() != nullptr) return;
  }
  const ShapeElements elements = bareElements(part);
  for (const ConvexElement& e : elements.elements) mark(grid, e);
  if (const auto* mesh = part.as<TriangleMesh>()) {
    const TriangleField field(*mesh);
    if (!field.closed()) return;
    for (int i = 0; i < grid.cells[0]; ++i)
      for (int j = 0; j < grid.cells[1]; ++j) {
        interruptionPoint();
        for (int k = 0; k < grid.cells[2]; ++k)
          if (double& value = grid.values[grid.index(i, j, k)];
              value == 0 && field.signedDistance(grid.center(i, j, k)) <= 0)
            value = 1;
      }
  }
}

PointCloud cloudOf(const Geometry& geometry, double resolution) {
  if (const auto* point = geometry.as<PointShape>()) return {{point->point}};
  if (const auto* segment = geometry.as<SegmentShape>()) {
    PointCloud cloud;
    const double steps = std::max(1.0, std::ceil((segment->b - segment->a).norm() / resolution));
    if (!(steps <= kMaxPoints))
      throw Error("the segment would be more than 20 million points", {}, "give a coarser resolution");
    for (int i = 0; i <= static_cast<int>(steps); ++i)
      cloud.points.push_back(segment->a + (i / steps) * (segment->b - segment->a));
    return cloud;
  }
  if (const auto* hull = geometry.as<ConvexHullShape>(); hull && ConvexPolyhedron::of(hull->points).triangles.empty()) {
    const auto corners = ConvexPolyhedron::of(hull->points).vertices;
    return cloudOf(
        corners.size() > 1 ? Geometry(SegmentShape{corners[0], corners[1]}) : Geometry(PointShape{corners[0]}),
        resolution);
  }
  if (const auto* group = geometry.as<GeometryGroup>()) {
    PointCloud cloud;
    for (const GeometryPtr& part : group->parts) {
      if (!part || part->empty()) continue;
      const PointCloud points = cloudOf(*part, resolution);
      cloud.points.insert(cloud.points.end(), points.points.begin(), points.points.end());
    }
    return cloud;
  }
  if (const auto* cloud = geometry.as<PointCloud>()) return *cloud;
  return sampledSurface(tessellated(geometry, resolution), resolution);
}

std::vector<Vector3d> cornersOf(const Geometry& geometry, double resolution) {
  if (const auto* point = geometry.as<PointShape>()) return {point->point};
  if (const auto* segment = geometry.as<SegmentShape>()) return {segment->a, segment->b};
  if (const auto* cloud = geometry.as<PointCloud>()) return cloud->points;
  if (const auto* hull = geometry.as<ConvexHullShape>()) return hull->points;
  if (const auto* group = geometry.as<GeometryGroup>()) {
    std::vector<Vector3d> corners;
    for (const GeometryPtr& part : group->parts) {
      if (!part || part->empty()) continue;
      const auto inner = cornersOf(*part, resolution);
      corners.insert(corners.end(), inner.begin(), inner.end());
    }
    return corners;
  }
  return tessellated(geometry, resolution).vertices;
}

/// Raises the points of a grid that lie under a triangle, whose corners are in units of columns and rows.
template <typename Raise>
void raiseUnder(const std::array<Vector3d, 3>& p, int columns, int rows, const Raise& raise) {
  const double area = (p[1] - p[0]).cross(p[2] - p[0])[2];
  const double slack = 1e-9;
  const int low0 = std::max(0, static_cast<int>(std::ceil(std::min({p[0][0], p[1][0], p[2][0]}) - slack))),
            high0 = std::min(columns - 1, static_cast<int>(std::floor(std::max({p[0][0], p[1][0], p[2][0]}) + slack))),
            low1 = std::max(0, static_cast<int>(std::ceil(std::min({p[0][1], p[1][1], p[2][1]}) - slack))),
            high1 = std::min(rows - 1, static_cast<int>(std::floor(std::max({p[0][1], p[1][1], p[2][1]}) + slack)));
  for (int column = low0; column <= high0; ++column)
    for (int row = low1; row <= high1; ++row) {
      const Vector3d at(column, row, 0);
      if (std::abs(area) > 1e-12) {
        double weight[3];
        for (std::size_t i = 0; i < 3; ++i) weight[i] = (p[(i + 1) % 3] - at).cross(p[(i + 2) % 3] - at)[2] / area;
        if (weight[0] < -slack || weight[1] < -slack || weight[2] < -slack) continue;
        raise(column, row, weight[0] * p[0][2] + weight[1] * p[1][2] + weight[2] * p[2][2]);
      } else {
        // Upright: its top counts where a grid point lies under one of its edges.
        for (std::size_t i = 0; i < 3; ++i) {
          const Vector3d &a = p[i], &b = p[(i + 1) % 3];
          const Eigen::Vector2d along = (b - a).head<2>(), to = (at - a).head<2>();
          const double squared = along.squaredNorm();
          const double s = squared > 0 ? std::clamp(to.dot(along) / squared, 0.0, 1.0) : (b[2] > a[2] ? 1.0 : 0.0);
          if ((to - s * along).norm() <= slack) raise(column, row, a[2] + s * (b[2] - a[2]));
        }
      }
    }
}

HeightmapShape heightmapOf(const Geometry& geometry, double resolution) {
  const AxisAlignedBounds bounds = geometry.bounds();
  HeightmapShape map;
  const Vector3d extent = bounds.max - bounds.min;
  const double columns = std::max(2.0, std::ceil(extent[0] / resolution - 1e-9) + 1),
               rows = std::max(2.0, std::ceil(extent[1] / resolution - 1e-9) + 1);
  if (!(columns * rows <= kMaxCells))
    throw Error("the heightmap would have more than 200 million points", {}, "give a coarser resolution");
  map.columns = static_cast<int>(columns);
  map.rows = static_cast<int>(rows);
  map.size = {extent[0] > 0 ? extent[0] : resolution, extent[1] > 0 ? extent[1] : resolution};
  map.X.p = Vector3d(0.5 * (bounds.min[0] + bounds.max[0]), 0.5 * (bounds.min[1] + bounds.max[1]), 0);
  map.heights.assign(static_cast<std::size_t>(map.columns) * static_cast<std::size_t>(map.rows), bounds.min[2]);
  const auto columnOf = [&](double x) { return ((x - map.X.p[0]) / map.size[0] + 0.5) * (map.columns - 1); };
  const auto rowOf = [&](double y) { return ((y - map.X.p[1]) / map.size[1] + 0.5) * (map.rows - 1); };
  const auto raise = [&](int column, int row, double z) {
    double& height = map.heights[static_cast<std::size_t>(row) * static_cast<std::size_t>(map.columns) +
                                 static_cast<std::size_t>(column)];
    height = std::max(height, z);
  };
  if (const auto* cloud = geometry.as<PointCloud>()) {
    for (const Vector3d& p : cloud->points)
      raise(std::clamp(static_cast<int>(std::lround(columnOf(p[0]))), 0, map.columns - 1),
            std::clamp(static_cast<int>(std::lround(rowOf(p[1]))), 0, map.rows - 1), p[2]);
    return map;
  }
  const TriangleMesh mesh = tessellated(geometry, resolution);
  InterruptionPoints points;
  for (const auto& t : mesh.triangles) {
    points.pass();
    // In units of columns and rows.
    std::array<Vector3d, 3> p;
    for (std::size_t i = 0; i < 3; ++i) {
      const Vector3d& v = mesh.vertices[static_cast<std::size_t>(t[i])];
      p[i] = Vector3d(columnOf(v[0]), rowOf(v[1]), v[2]);
    }
    raiseUnder(p, map.columns, map.rows, raise);
  }
  return map;
}

}  // namespace

std::string_view kindName(GeometryKind kind) {
  for (const auto& [name, value] : kNames)
    if (value == kind) return name;
  return "";
}

GeometryKind kindNamed(std::string_view name) {
  // "implicit_surface" is the same word as "ImplicitSurface".
  const auto plain = [](std::string_view text) {
    std::string result;
    for (const char c : text)
      if (c != '_' && c != '-') result += c;
    return lowerCase(result);
  };
  for (const auto& [known, kind] : kNames)
    if (plain(known) == plain(name)) return kind;
  std::vector<std::string> names;
  for (const auto& entry : kNames) names.push_back(entry.first);
  throw Error("'" + std::string(name) + "' is not a kind of shape to convert to", {},
              suggestAndList(std::string(name), names));
}

PointCloud sampledSurface(const TriangleMesh& original, double spacing) {
  const TriangleMesh mesh = withoutUnusedVertices(original);
  PointCloud cloud;
  std::vector<Vector3d> normals(mesh.vertices.size(), Vector3d::Zero());
  std::vector<Vector3d> inner, innerNormals;
  InterruptionPoints passes;
  for (const auto& t : mesh.triangles) {
    passes.pass();
    const Vector3d &a = mesh.vertices[static_cast<std::size_t>(t[0])],
                   &b = mesh.vertices[static_cast<std::size_t>(t[1])],
                   &c = mesh.vertices[static_cast<std::size_t>(t[2])];
    const Vector3d normal = (b - a).cross(c - a);
    for (const int v : t) normals[static_cast<std::size_t>(v)] += normal;
    const double longest = std::max({(b - a).norm(), (c - b).norm(), (a - c).norm()});
    const double divisions = std::max(1.0, std::ceil(longest / spacing - 1e-9));
    if (!(divisions * divisions / 2 + static_cast<double>(inner.size()) <= kMaxPoints))
      throw Error("the cloud would have more than 20 million points", {}, "give a coarser resolution");
    const int n = static_cast<int>(divisions);
    const double length = normal.norm();
    for (int i = 0; i <= n; ++i)
      for (int j = 0; i + j <= n; ++j) {
        const int k = n - i - j;
        if (i == n || j == n || k == n) continue;
        // Points on an edge belong to one of its triangles: the one that runs through it upwards.
        if (k == 0 && t[1] > t[2]) continue;
        if (j == 0 && t[0] > t[1]) continue;
        if (i == 0 && t[2] > t[0]) continue;
        inner.push_back((k * a + i * b + j * c) / n);
        innerNormals.push_back(length > 0 ? Vector3d(normal / length) : Vector3d::Zero());
      }
  }
  cloud.points = mesh.vertices;
  cloud.points.insert(cloud.points.end(), inner.begin(), inner.end());
  for (Vector3d& n : normals) {
    passes.pass();
    if (const double length = n.norm(); length > 0) n /= length;
  }
  normals.insert(normals.end(), innerNormals.begin(), innerNormals.end());
  const char* names[3] = {"normal_x", "normal_y", "normal_z"};
  for (int a = 0; a < 3; ++a) {
    PointCloud::Property property{names[a], {}};
    property.values.reserve(normals.size());
    for (const Vector3d& n : normals) {
      passes.pass();
      property.values.push_back(n[a]);
    }
    cloud.properties.push_back(std::move(property));
  }
  return cloud;
}

GeometryPtr converted(const GeometryPtr& geometry, GeometryKind kind, const ConversionOptions& options) {
  if (!geometry || geometry->empty())
    throw Error("an empty shape cannot become another kind (" + std::string(kindName(kind)) + ")", {},
                "load a shape first");
  if (geometry->typeName() == kindName(kind)) return geometry;
  if (!(options.resolution >= 0) || !std::isfinite(options.resolution))
    throw Error("the resolution is " + std::to_string(options.resolution) + " m", {},
                "give a positive length, or 0 for a default");
  // Depth images mark what they did not see by numbers that are not finite; a mesh leaves that out.
  if (!(kind == GeometryKind::mesh && geometry->as<PointCloud>() != nullptr)) shapeElements(*geometry);
  const AxisAlignedBounds bounds = geometry->bounds();
  const double extent = (bounds.max - bounds.min).maxCoeff();
  const double resolution = options.resolution > 0 ? options.resolution : extent > 0 ? extent / 40 : 0.01;
  const double padding = options.padding >= 0 ? options.padding : 2 * resolution;
  Geometry::Data data;
  switch (kind) {
    case GeometryKind::mesh:
      data = tessellated(*geometry, resolution);
      break;
    case GeometryKind::pointCloud:
      data = cloudOf(*geometry, resolution);
      break;
    case GeometryKind::convexHull: {
      const std::vector<Vector3d> corners = cornersOf(*geometry, resolution);
      data = ConvexHullShape{hullCorners(corners, std::numeric_limits<int>::max())};
      break;
    }
    case GeometryKind::implicitSurface: {
      ImplicitSurfaceShape shape{emptyGrid(gridAround(*geometry, resolution, padding))};
      fill(shape.grid, [](const Vector3d&) { return std::numeric_limits<double>::infinity(); });
      signedDistances(*geometry, *geometry->withMargin(0), shape.grid);
      if (!std::isfinite(shape.grid.values.front()))
        impossible(*geometry, kind, "nothing of it is solid", "convert another shape");
      data = std::move(shape);
      break;
    }
    case GeometryKind::occupancyGrid: {
      OccupancyGridShape shape{emptyGrid(gridAround(*geometry, resolution, options.padding >= 0 ? padding : 0))};
      fill(shape.grid, [](const Vector3d&) { return 0.0; });
      occupy(*geometry, shape.grid);
      data = std::move(shape);
      break;
    }
    case GeometryKind::heightmap:
      data = heightmapOf(*geometry, resolution);
      break;
  }
  return std::make_shared<Geometry>(std::move(data), geometry->margin(), geometry->file());
}

}  // namespace mortise
