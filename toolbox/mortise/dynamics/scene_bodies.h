#pragma once

#include <string>
#include <vector>

#include "mortise/component/physics.h"
#include "mortise/math/inertia.h"

/// Properties of a scene's bodies that backends need before they build an engine's.
namespace mortise {

/// The frame C of a body at its center of mass with diagonal inertia; B is the frame of the scene's body.
struct MassFrame {
  double mass = 0;
  Vector3d moments = Vector3d::Zero();  ///< Principal moments about the axes of C.
  RigidTransform X_BC;
};

/// The axes of B are kept when they are principal already, so that a box stays a box without an offset. Throws `Error`
/// naming `body` when mass or moments are not positive and finite.
MassFrame massFrame(const BodyInertia& inertia, const std::string& body);

/// One a body; without mass where the body is fixed, and where it is kinematic and has no usable inertia: it may
/// become dynamic later only when it has what it takes. Throws `Error` for dynamic bodies without usable inertia.
std::vector<MassFrame> massFrames(const SceneDescription& description);

/// Returns `description`. Throws `Error` when the id of a shape or the body of a constraint or joint is out of range:
/// they index tables.
const SceneDescription& withCheckedIndices(const SceneDescription& description);

}  // namespace mortise
