#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mortise/appearance/drawn_world.h"
#include "mortise/appearance/picture_style.h"
#include "mortise/component/simulation_view.h"

namespace mortise::render {

/// The place that a picture is taken from. What is not given is chosen so that the picture shows everything that moves.
struct CameraView {
  std::optional<Vector3d> position;  ///< World frame, m.
  std::optional<Vector3d> target;    ///< A point in the middle of the picture.
  Vector3d up = Vector3d::UnitZ();
  double fieldOfView = style::kFieldOfView;  ///< Angle between the upper and lower border, rad.
  /// From the target to the camera, where no position is given.
  std::optional<Vector3d> direction;
};

/// The boxes around what is seen of a world.
struct SeenBoxes {
  std::vector<AxisAlignedBounds> moving;  ///< Of robots' links and objects.
  std::vector<AxisAlignedBounds> fixed;   ///< Of terrains but those that the floor stands for.
};
/// `bodies`: all of the world (`drawnBodies`).
SeenBoxes seenBoxes(const std::vector<DrawnBody>& bodies, const SimulationView& view,
                    const std::vector<int>& floorTerrains);

/// Bounds of what moves, or of the terrains in a world where nothing does, or a cube of 1 m around the origin where
/// there is nothing that has bounds.
AxisAlignedBounds boundsOf(const SeenBoxes& boxes);

/// The direction of one of the views that have names, from what is seen to the camera: front (robots face x), back,
/// left, right, top, bottom, corner. Empty for other names.
std::optional<Vector3d> presetDirection(std::string_view name);
/// Their names.
const std::vector<std::string>& presetNames();

/// The direction to a camera `distance` away from the middle of `bounds` from which the fewest moving bodies are hidden
/// behind fixed ones, or inside of which the camera is not. Among equals the first, from the front and the right.
Vector3d clearDirection(const SeenBoxes& boxes, const AxisAlignedBounds& bounds, double distance);

/// Distance from the middle of the bounds at which a camera that is there in `direction` sees all of them, in so much
/// of the picture as `style::kFilled` says. `up` is what points up in the picture.
double fittingDistance(double fieldOfView, const AxisAlignedBounds& bounds, double aspect, const Vector3d& direction,
                       const Vector3d& up = Vector3d::UnitZ());

/// The camera's pose: z forward, x right, y down. `aspect` is width over height. Throws `Error` where target and
/// position coincide or `up` points along the view.
RigidTransform cameraPose(const CameraView& camera, const AxisAlignedBounds& bounds, double aspect);

}  // namespace mortise::render
