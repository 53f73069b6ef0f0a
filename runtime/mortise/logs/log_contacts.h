#pragma once

#include <vector>

#include "mortise/component/physics.h"
#include "mortise/mcap/reader.h"

namespace mortise::logs {

/// The contacts that a log holds of one of its instants (s), in single precision; none where it has no contacts of
/// that instant. Reads no more of the file than needed.
std::vector<ContactForce> contactsAt(mcap::Reader& reader, double time);

/// Contacts of two bodies as one: the sum of their forces, on the first one, at the center of pressure.
struct ContactSum {
  int idA = -1, idB = -1;
  Vector3d point = Vector3d::Zero(), force = Vector3d::Zero();
};
/// One a pair of bodies, in the order in which pairs come first.
std::vector<ContactSum> contactSums(const std::vector<ContactForce>& contacts);

}  // namespace mortise::logs
