#include "mortise/geometry/conversion.h"

#include <string>

#include "mortise/base/error.h"
#include "mortise/collision/convex_hull.h"
#include "mortise/geometry/polygon.h"

namespace mortise {

namespace {

[[noreturn]] void refuse(const Geometry& geometry, const char* reason, const char* hint) {
  const std::string type(geometry.typeName());
  throw Error("a " + (type.empty() ? std::string("shape without content") : type) + " " + reason, {}, hint);
}

/// The frame and edges of a box; an axis-aligned one has that of the geometry.
struct Corners {
  RigidTransform X;  ///< `X.p` is a corner.
  Vector3d size;

  explicit Corners(const BoxShape& box) : X(box.X), size(box.size) {}
  explicit Corners(const AxisAlignedBoxShape& box) : size(box.max - box.min) { X.p = box.min; }

  /// Bit 0 of the number stands for x, bit 1 for y, bit 2 for z.
  std::vector<Vector3d> points() const {
    std::vector<Vector3d> points;
    for (int i = 0; i < 8; ++i) points.push_back(X * Vector3d(i & 1, (i >> 1) & 1, i >> 2).cwiseProduct(size));
    return points;
  }
  TriangleMesh mesh() const {
    return {points(),
            {{0, 2, 3},
             {0, 3, 1},
             {4, 5, 7},
             {4, 7, 6},
             {0, 1, 5},
             {0, 5, 4},
             {2, 6, 7},
             {2, 7, 3},
             {0, 4, 6},
             {0, 6, 2},
             {1, 3, 7},
             {1, 7, 5}}};
  }
};

void append(const TriangleMesh& mesh, TriangleMesh& result) {
  const int shift = static_cast<int>(result.vertices.size());
  result.vertices.insert(result.vertices.end(), mesh.vertices.begin(), mesh.vertices.end());
  for (const auto& t : mesh.triangles) result.triangles.push_back({t[0] + shift, t[1] + shift, t[2] + shift});
}

void appendSurface(const Geometry& geometry, TriangleMesh& result) {
  if (const auto* mesh = geometry.as<TriangleMesh>()) {
    append(*mesh, result);
  } else if (const auto* heights = geometry.as<HeightmapShape>()) {
    append(heights->surface(), result);
  } else if (const auto* triangle = geometry.as<TriangleShape>()) {
    append({{triangle->a, triangle->b, triangle->c}, {{0, 1, 2}}}, result);
  } else if (const auto* polygon = geometry.as<PolygonShape>()) {
    append({polygon->vertices, triangulatePolygon(polygon->vertices)}, result);
  } else if (const auto* box = geometry.as<BoxShape>()) {
    append(Corners(*box).mesh(), result);
  } else if (const auto* aligned = geometry.as<AxisAlignedBoxShape>()) {
    append(Corners(*aligned).mesh(), result);
  } else if (const auto* hull = geometry.as<ConvexHullShape>()) {
    const auto faces = convexHull(hull->points);
    if (!faces) refuse(geometry, "whose points lie in a plane has no surface", "");
    append(*faces, result);
  } else if (const auto* group = geometry.as<GeometryGroup>()) {
    for (const GeometryPtr& part : group->parts)
      if (part && !part->empty()) appendSurface(*part, result);
  } else {
    refuse(geometry, "has no surface of triangles", "meshes, boxes, polygons, convex hulls and heightmaps have one");
  }
}

void appendVertices(const Geometry& geometry, std::vector<Vector3d>& points) {
  const auto add = [&points](const std::vector<Vector3d>& more) {
    points.insert(points.end(), more.begin(), more.end());
  };
  if (const auto* mesh = geometry.as<TriangleMesh>()) {
    add(mesh->vertices);
  } else if (const auto* hull = geometry.as<ConvexHullShape>()) {
    add(hull->points);
  } else if (const auto* cloud = geometry.as<PointCloud>()) {
    add(cloud->points);
  } else if (const auto* heights = geometry.as<HeightmapShape>()) {
    add(heights->surface().vertices);
  } else if (const auto* point = geometry.as<PointShape>()) {
    add({point->point});
  } else if (const auto* segment = geometry.as<SegmentShape>()) {
    add({segment->a, segment->b});
  } else if (const auto* triangle = geometry.as<TriangleShape>()) {
    add({triangle->a, triangle->b, triangle->c});
  } else if (const auto* polygon = geometry.as<PolygonShape>()) {
    add(polygon->vertices);
  } else if (const auto* box = geometry.as<BoxShape>()) {
    add(Corners(*box).points());
  } else if (const auto* aligned = geometry.as<AxisAlignedBoxShape>()) {
    add(Corners(*aligned).points());
  } else if (const auto* group = geometry.as<GeometryGroup>()) {
    for (const GeometryPtr& part : group->parts)
      if (part && !part->empty()) appendVertices(*part, points);
  } else {
    refuse(geometry, "has no vertices", "round shapes and volume grids have none");
  }
}

}  // namespace

TriangleMesh toMesh(const Geometry& geometry) {
  TriangleMesh mesh;
  appendSurface(geometry, mesh);
  return mesh;
}

PointCloud toPointCloud(const Geometry& geometry) {
  if (const auto* cloud = geometry.as<PointCloud>()) return *cloud;
  PointCloud cloud;
  appendVertices(geometry, cloud.points);
  return cloud;
}

ConvexHullShape toConvexHull(const Geometry& geometry) {
  const auto hull = convexHull(toPointCloud(geometry).points);
  if (!hull) refuse(geometry, "whose vertices lie in a plane has no convex hull with volume", "");
  return {hull->vertices};
}

AxisAlignedBoxShape toBox(const Geometry& geometry) {
  const AxisAlignedBounds bounds = geometry.bounds();
  if (bounds.empty()) refuse(geometry, "has no bounds", "");
  return {bounds.min, bounds.max};
}

}  // namespace mortise
