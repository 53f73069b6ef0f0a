#pragma once

#include "mortise/geometry/geometry.h"
#include "mortise/math/inertia.h"

namespace mortise {

/// Center of mass and inertia of `mass` spread over a shape, the way Klamp't's `automass` does it. Meshes blend the
/// thin shell (`surfaceFraction` 1, the default there) with the solid (0). Primitives use the box formula on their
/// bounding box, groups the unweighted mean of the parts' centers and the sum of their covariances, point clouds
/// the mean over points. Meshes that bound no solid have its numbers, too; `massAssumptions`
/// (mortise/geometry/mass_assumptions.h) says what they stand for. Throws `Error` for the solid of a mesh without
/// volume.
BodyInertia klamptMassProperties(const Geometry& geometry, double mass, double surfaceFraction = 1);

/// The same with the center of mass given instead of computed; the inertia is taken about it.
BodyInertia klamptMassPropertiesAbout(const Geometry& geometry, double mass, const Vector3d& com,
                                      double surfaceFraction = 1);

/// The shape with the vertices of its meshes rounded to single precision, in which the reference keeps them: what its
/// masses follow from. Round what the file holds, then scale and map. Null stays null.
GeometryPtr withSingleVertices(const GeometryPtr& geometry);

}  // namespace mortise
