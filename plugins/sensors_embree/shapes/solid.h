#pragma once

#include "mortise/geometry/geometry.h"

namespace mortise::sensors_embree {

/// A solid with a curved surface, met by rays in closed form.
struct Solid {
  enum class Kind { ellipsoid, cylinder, capsule };
  Kind kind = Kind::ellipsoid;
  /// Center and axes in the shape's frame; the axis of cylinders and capsules is the third.
  RigidTransform X;
  /// Ellipsoid: semi-axes. Cylinder and capsule: radius, radius, half of the height (of the capsule's straight part).
  Vector3d half = Vector3d::Ones();

  AxisAlignedBounds bounds() const;
};

/// The places where a ray goes in and out, `origin + t * direction`, and the outward unit normals there.
struct RayInterval {
  double in = 0, out = 0;
  Vector3d normalIn = Vector3d::Zero(), normalOut = Vector3d::Zero();
};

/// False when the straight line through the ray misses the solid. `in` may be negative: the ray begins within.
bool intersect(const Solid& solid, const Vector3d& origin, const Vector3d& direction, RayInterval& interval);

/// The outward unit normal at a point of the solid's surface.
Vector3d surfaceNormal(const Solid& solid, const Vector3d& point);

}  // namespace mortise::sensors_embree
