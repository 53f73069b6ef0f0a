#pragma once

#include <vector>

#include "engine.h"
#include "mortise/geometry/geometry.h"

namespace mortise::dart {

struct CollisionShape {
  dyn::ShapePtr shape;
  RigidTransform X_GS;  ///< Pose in the geometry's frame.
};

/// A geometry as shapes that DART's detectors know, grown by `padding` meters (meshes cannot grow and stay as they
/// are). Throws `Error` for point clouds and volume grids, and with `boxesAndBalls` for all but boxes and spheres.
std::vector<CollisionShape> collisionShapes(const Geometry& geometry, double padding, bool boxesAndBalls);

}  // namespace mortise::dart
