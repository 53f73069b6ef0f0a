#pragma once

#include "mortise/math/inertia.h"

namespace mortise {

/// Returns the inertia of a link of a URDF file without `<inertial>`, as in Klamp't: 0.1 g.
inline BodyInertia placeholderInertia() { return {1e-4, Vector3d::Zero(), 1e-8 * Matrix3d::Identity()}; }

}  // namespace mortise
