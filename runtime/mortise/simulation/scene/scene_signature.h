#pragma once

#include <cstdint>
#include <string>

#include "mortise/component/physics.h"

namespace mortise {

/// Hashes over what a scene description holds, so that a snapshot can be told from one of another scene: shapes by
/// their content (wherever they came from), never the initial poses and velocities of what moves. What may change
/// between two runs of one scene is left out: gravity, step, solver parameters, and the places of world joints, which
/// are given in world coordinates at the initial poses.
struct SceneSignature {
  std::uint64_t shapes = 0;      ///< Geometry, where it sits on its body, where fixed bodies stand.
  std::uint64_t bodies = 0;      ///< Hash of how they move, masses and inertias.
  std::uint64_t joints = 0;      ///< Joints of robots with their stops; kinds, ends and friction of world joints.
  std::uint64_t surfaces = 0;    ///< Friction, restitution, stiffness, damping, padding, preshrink, rolling.
  std::uint64_t collisions = 0;  ///< Which ids may touch.
  bool operator==(const SceneSignature&) const = default;
};

SceneSignature signatureOf(const SceneDescription& scene);

/// "shapes", "masses or inertias", "joints", "surfaces", "collisions that are allowed": the first in which they differ;
/// empty when they do not.
std::string differingPart(const SceneSignature& a, const SceneSignature& b);

}  // namespace mortise
