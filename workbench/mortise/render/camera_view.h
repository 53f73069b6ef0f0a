#pragma once

#include <optional>

#include "mortise/component/simulation_view.h"
#include "mortise/model/world.h"

namespace mortise::render {

/// The place that a picture is taken from. What is not given is chosen so that the picture shows everything that moves.
struct CameraView {
  std::optional<Vector3d> position;  ///< World frame, m.
  std::optional<Vector3d> target;    ///< A point in the middle of the picture.
  Vector3d up = Vector3d::UnitZ();
  double fieldOfView = 0.7;  ///< Angle between the upper and lower border, rad.
};

/// Bounds of robots and objects where the view has them, or of terrains in a world without any, or a cube of 1 m around
/// the origin where there is nothing that has bounds. Terrains that are much larger than what stands on them
/// are left out.
AxisAlignedBounds boundsOf(const World& world, const SimulationView& view);

/// The camera's pose: z forward, x right, y down. `aspect` is width over height. Throws `Error` where target and
/// position coincide or `up` points along the view.
RigidTransform cameraPose(const CameraView& camera, const AxisAlignedBounds& bounds, double aspect);

}  // namespace mortise::render
