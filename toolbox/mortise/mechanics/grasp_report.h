#pragma once

/// The quality of a grasp that holds an object.

#include <optional>
#include <string>
#include <vector>

#include "mortise/base/value.h"
#include "mortise/mechanics/wrench_space.h"

namespace mortise {

/// Properties of the object that is held, in the frame of the contacts.
struct GraspedObject {
  double mass = 0;
  Vector3d com_W = Vector3d::Zero();
};

struct GraspReport {
  GraspQuality quality;
  std::string measure;              ///< "total", "each" or "torques".
  std::optional<bool> holdsWeight;  ///< True if the contacts keep the object at rest, where its mass is known.
  std::vector<Vector3d> forces_W;   ///< Those that do, on the object (N), one a contact.
};

/// Says whether forces on the object, against the contacts' normals, keep it at rest; `forces_W` gets them.
bool holdsObject(std::span<const ContactPoint> contacts, const GraspedObject& object, const Vector3d& gravity_W,
                 int coneEdges, std::optional<double> forceLimit, std::vector<Vector3d>& forces_W);

/// {force_closure, quality, upper, measure, origin, length, weakest: {force, torque}, holds_weight, forces}.
Value graspValue(const GraspReport& report);
std::string graspText(const GraspReport& report, std::size_t contacts);

}  // namespace mortise
