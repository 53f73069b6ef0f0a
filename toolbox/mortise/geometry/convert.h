#pragma once

/// One kind of shape from another.

#include "mortise/geometry/geometry.h"

namespace mortise {

enum class GeometryKind { mesh, pointCloud, convexHull, implicitSurface, occupancyGrid, heightmap };

/// Klamp't's names: "TriangleMesh", "PointCloud", "ConvexHull", "ImplicitSurface", "OccupancyGrid", "Heightmap".
std::string_view kindName(GeometryKind kind);
/// The kind of that name, in any case and with or without underscores ("point_cloud"), also "mesh", "cloud", "hull",
/// "implicit", "occupancy". Throws `Error` that lists them.
GeometryKind kindNamed(std::string_view name);

struct ConversionOptions {
  /// Meters: the length of facets' edges, between points, of a cell. 0: a fortieth of the shape's largest extent.
  double resolution = 0;
  /// Meters of free space that a grid has around the shape. Negative: two cells.
  double padding = -1;
};

/// The shape as another kind, with its margin and file kept:
/// - to a mesh: see `tessellated`;
/// - to a cloud: points on the surface, no farther apart than the resolution, with normals; of a solid grid those of
/// its
///   surface; of points and segments they themselves;
/// - to a hull: of the corners of its mesh; of clouds, points, segments and meshes exact;
/// - to an implicit surface: signed distance at each center, exact for primitives and hulls; meshes must be closed; a
/// group is the least of its
///   parts; of an occupancy grid the distance to its cells;
/// - to an occupancy grid: the cells that a shape touches, and those within solids and closed meshes;
/// - to a heightmap: the highest surface above each point of a grid in x and y, and the lowest of the shape where there
///   is none.
/// A shape that is that kind already is returned as it is. Throws `Error` that names both kinds and says what to do
/// instead where there is no way: a mesh of a cloud without order, an implicit surface of a cloud, an open mesh, ...
GeometryPtr converted(const GeometryPtr& geometry, GeometryKind kind, const ConversionOptions& options = {});

/// Points on the surface of a mesh: corners, and inner points so that each triangle is covered by a lattice no wider
/// than `spacing` meters. With properties normal_x, normal_y and normal_z.
PointCloud sampledSurface(const TriangleMesh& mesh, double spacing);

}  // namespace mortise
