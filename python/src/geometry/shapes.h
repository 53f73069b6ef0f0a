#pragma once

/// The common part of the files about shapes.

#include <memory>
#include <pybind11/pybind11.h>
#include <string_view>

#include "common/define.h"
#include "mortise/collision/shape.h"
#include "mortise/geometry/geometry.h"
#include "mortise/math/transform.h"

namespace mortise::python {

namespace py = pybind11;

using GeometryClass = Class<Geometry, std::shared_ptr<Geometry>>;

/// `Geometry.sphere(...)` and the like.
void bindShapeMakers(GeometryClass& type);
/// Arrays of what a shape is made of, and pickling.
void bindShapeData(GeometryClass& type);
/// One shape from another, and masses.
void bindShapeTools(GeometryClass& type);

/// Name of the function that makes such a shape: "sphere", "mesh", ...; "" when empty.
std::string_view shapeKind(const Geometry& geometry);

/// A pose from None (the identity) or as `transformFrom`. Throws ValueError for numbers that are not finite and for
/// what is no rotation.
RigidTransform poseFrom(py::handle from, const char* name);
/// Three finite numbers; None: `absent`.
Vector3d pointFrom(py::handle from, const char* name, const Vector3d& absent);
/// Throws ValueError for numbers that are not finite, and below `least`.
void requireNumber(double number, const char* name, double minimum = -std::numeric_limits<double>::infinity());
/// Throws TypeError, with the name, for what is no number.
double numberFrom(py::handle from, const char* name);
/// (n, 3), finite.
std::vector<Vector3d> pointsFrom(py::handle from, const char* name);

/// pybind11 2.10 has no holder of const objects. Nothing that changes a shape is bound.
inline std::shared_ptr<Geometry> held(const GeometryPtr& geometry) {
  return std::const_pointer_cast<Geometry>(geometry);
}
using ShapeHolder = std::shared_ptr<CollisionShape>;
inline ShapeHolder held(const CollisionShapePtr& shape) { return std::const_pointer_cast<CollisionShape>(shape); }
/// From a CollisionShape, or a Geometry, which is then prepared.
CollisionShapePtr shapeFrom(py::handle from, const char* name);
/// Tuple of arrays (3,), or None where there is nothing.
py::object boundsOf(const AxisAlignedBounds& bounds);

}  // namespace mortise::python
