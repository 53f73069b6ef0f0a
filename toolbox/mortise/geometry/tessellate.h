#pragma once

/// Meshes of shapes.

#include "mortise/geometry/geometry.h"

namespace mortise {

/// The surface of a shape as triangles, counter-clockwise seen from outside.
///
/// Round surfaces become facets with edges of about `resolution` meters, and never fewer than a sphere of 20 triangles
/// or a circle of 8 corners; their corners lie on the surface, so the mesh is within the shape. Flat surfaces are not
/// divided (see `refined` for that). Boxes, hulls, meshes and heightmaps come out exact, occupancy grids as the outside
/// of their cells, implicit surfaces as `implicitSurfaceMesh` makes them, clouds in rows as triangles between
/// neighbors that are less than `resolution` apart, groups as all parts in one mesh.
///
/// Throws `Error` for what has no surface (points, segments, clouds without order, hulls in a plane are two-sided), for
/// a resolution that is not positive, and where it would take more than 10 million triangles. The margin is left out.
TriangleMesh tessellated(const Geometry& geometry, double resolution);

/// The faces between a cell that is occupied and one that is not, two triangles each; vertices are shared.
TriangleMesh occupancyMesh(const OccupancyGridShape& shape);

/// Triangles between the points of a cloud that stands in rows; those with an edge longer than `longest` meters are
/// left out. Counter-clockwise as the columns and rows run. Throws `Error` where the cloud has no order.
TriangleMesh cloudMesh(const PointCloud& cloud, double longest);

}  // namespace mortise
