#pragma once

#include <string>

#include "mortise/math/inertia.h"

namespace mortise::rigid {

/// The frame C of a body at its center of mass with diagonal inertia; B is the frame of the scene's body.
struct MassFrame {
  double mass = 0;
  Vector3d moments = Vector3d::Zero();  ///< Principal moments about the axes of C.
  RigidTransform X_BC;
};

/// The axes of B are kept when they are principal already, so that a box stays a box without an offset. Throws `Error`
/// naming `body` when mass or moments are not positive and finite.
MassFrame massFrame(const BodyInertia& inertia, const std::string& body);

}  // namespace mortise::rigid
