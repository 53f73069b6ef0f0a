#pragma once

/// One representation of a shape from another, where that needs no more than what is there.

#include "mortise/geometry/geometry.h"

namespace mortise {

/// The surface as triangles: of meshes, triangles, polygons, boxes, convex hulls and heightmaps, exactly, and of groups
/// of these as one mesh. Vertices of different parts stay apart. Throws `Error` for shapes that have no surface of flat
/// faces (spheres, points, point clouds, volume grids, ...) and for hulls without volume.
TriangleMesh toMesh(const Geometry& geometry);

/// The vertices: of meshes, triangles, polygons, boxes, hulls, heightmaps, points and segments, and of groups of these;
/// the points of a cloud with their properties. Throws `Error` for shapes without vertices.
PointCloud toPointCloud(const Geometry& geometry);

/// The convex hull of the vertices; only those on it are kept. Throws as `toPointCloud`, and where the vertices lie in
/// a plane.
ConvexHullShape toConvexHull(const Geometry& geometry);

/// The bounds, in the geometry's frame. Throws `Error` for empty shapes.
AxisAlignedBoxShape toBox(const Geometry& geometry);

}  // namespace mortise
