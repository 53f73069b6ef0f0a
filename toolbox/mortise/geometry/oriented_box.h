#pragma once

#include "mortise/geometry/geometry.h"

namespace mortise {

/// A box around a shape, in the shape's frame; the shape's margin is within.
struct OrientedBox {
  RigidTransform X;                  ///< Center and axes, right-handed.
  Vector3d size = Vector3d::Zero();  ///< Full lengths of the edges, in meters.
  double volume() const { return size.prod(); }
};

/// The smallest box with a face on a face of the shape's convex hull: around each face's direction the smallest
/// rectangle is exact (rotating calipers; Toussaint, 1983). The smallest box of all has two adjacent faces on edges of
/// the hull (O'Rourke, 1985) and may be smaller by some percent. Round shapes are boxed exactly by their own axes.
/// Throws `Error` for empty shapes and where a number is not finite.
OrientedBox orientedBox(const Geometry& geometry);

/// The same of points.
OrientedBox orientedBox(const std::vector<Vector3d>& points);

/// Axis-aligned bounds with the margin, in a frame F in which the shape's frame has the pose `X_FS`. Tight for every
/// kind of shape, unlike turned bounds.
AxisAlignedBounds boundsIn(const Geometry& geometry, const RigidTransform& X_FS = {});

}  // namespace mortise
