#pragma once

/// Ways out of deep overlap: along which direction, and how far, one shape must move until the two no longer meet.

#include "mortise/contacts/contact_layer.h"

namespace mortise {

struct RecoveryWorkspace {
  QueryWorkspace query;
  std::vector<Vector3d> directions;
};

struct SeparatingMotion {
  bool found = false;
  Vector3d direction = Vector3d::UnitZ();  ///< Unit, in the frame of the first: the first leaves along it.
  double distance = 0;                     ///< Meters after which the shapes, swept, no longer meet.
};

/// Computes how far the first shape must move along `direction` (unit, its own frame) until the two do not meet; a move
/// that was checked, to a millionth of itself above the least one near it. `found` is false when `limit` meters do not
/// do.
SeparatingMotion separatingMotion(const CollisionShape& a, const CollisionShape& b, const RigidTransform& X_AB,
                                  const Vector3d& direction, double limit, RecoveryWorkspace& workspace);

/// The shortest of those along the normals of what crosses (for convex solids: their least translation) and from center
/// to center. With `previous` (unit, or zero: none), the direction in which the two were apart, only those within 60
/// degrees of it count, then itself; where none does, all. Where it parts them within `shallow` meters nothing else is
/// tried: contacts of what hardly crosses are the same whichever way it is parted.
SeparatingMotion recover(const ContactSurface& a, const ContactSurface& b, const RigidTransform& X_AB,
                         std::span<const LayerCrossing> crossings, const Vector3d& previous,
                         RecoveryWorkspace& workspace, double shallow = 0);

}  // namespace mortise
