#pragma once

/// Shapes and inertias of bodies with known answers.

#include "mortise/geometry/geometry.h"
#include "mortise/math/inertia.h"
#include "mortise/math/transform.h"

namespace mortise::truth {

GeometryPtr geometryOf(Geometry::Data data);
/// A box around the origin, as a shape and as triangles, two a side, the way files have it.
GeometryPtr boxGeometry(const Vector3d& size);
TriangleMesh boxMesh(const Vector3d& size);
GeometryPtr sphereGeometry(double radius);
/// A flat square of two triangles through the origin, 2 `half` wide, facing along the z axis of R.
GeometryPtr planeGeometry(double half = 5, const Matrix3d& R = Matrix3d::Identity());

/// Homogeneous bodies, about their centers (kg m^2).
Matrix3d boxMoments(double mass, const Vector3d& size);
Matrix3d sphereMoments(double mass, double radius);

/// `axis` need not be of unit length.
Matrix3d rotationAbout(const Vector3d& axis, double angle);

}  // namespace mortise::truth
