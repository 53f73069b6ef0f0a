#pragma once

/// A rigid object of a world that moves freely, as a space to plan in.

#include <optional>

#include "mortise/planning/spaces/composite_motion_space.h"

namespace mortise {

struct ObjectSpaceOptions : CompositeMotionOptions {
  /// Pose of the object unless it is given otherwise; the world's pose by default. The planar motion keeps its height,
  /// and turns it from its orientation.
  std::optional<RigidTransform> X_WO = {};
  /// Three coordinates: x, y and the angle about the world's z.
  bool planar = false;
  /// Ends of the position of the object's origin, in the world. By default the box around everything in the world,
  /// larger by `around` on each side.
  std::optional<Vector3d> low = {}, high = {};
  /// Meters; by default the object's diameter.
  std::optional<double> around = {};
  /// Meters that count as much as one radian; by default how far the object reaches from its origin.
  std::optional<double> characteristicLength = {};
};

/// Configurations are the position of the object's origin in meters and its rotation vector in rad, both in the world:
/// x, y, z, rx, ry, rz; or x, y, turn. Rotations go along great circles of SO(3), in the shorter direction. The
/// distance is sqrt(|position|^2 + (length * angle)^2). Every rotation vector is allowed, however long.
class ObjectSpace final : public CompositeMotionSpace {
 public:
  /// Throws `Error` where the object does not exist, where bounds are not in order, and where they are needed because
  /// something in the world has no end.
  ObjectSpace(std::shared_ptr<const WorldCollider> collider, int object, const ObjectSpaceOptions& options = {});
  std::unique_ptr<MotionSpace> copyMotion() const override;

  /// The object's pose in a configuration, and back.
  RigidTransform pose(const VectorXd& q) const;
  VectorXd configuration(const RigidTransform& X_WO) const;
};

}  // namespace mortise
