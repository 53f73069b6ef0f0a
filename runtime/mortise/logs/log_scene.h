#pragma once

/// The part of a log that tells once about its world: shapes, and how links hang together.

#include <string>
#include <vector>

#include "mortise/appearance/glb.h"
#include "mortise/base/value.h"
#include "mortise/model/world.h"

namespace mortise::logs {

/// Everything that can be drawn, where the world has it: terrains, objects and links, in the order of their ids, and
/// then, of those that are seen as something else than what collides, their visual shapes (`currentVisualFiles`).
std::vector<GlbNode> sceneNodes(const World& world);

/// Describes a world for viewers, besides its shapes: a map with `entities`, a list of {id, kind (terrain, object,
/// robot, link), name, frame, padding (m)}, in the order of ids, objects with {mass, com, inertia}, and `robots`, a
/// list of {id, name, links}, each link {id, name, parent (index, -1: world), motion (revolute, prismatic), axis, T (12
/// numbers, R row-major, then t: pose in the parent's frame at q = 0), com, mass, limits, inertia}. An inertia is that
/// of a box {size, T}, or null. `frame` is the entity's unique name, which transforms for other tools go by.
Value sceneDescription(const World& world);

/// Unique names of all entities, by id; those that share a name get their id appended.
std::vector<std::string> frameNames(const World& world);

/// Names of the columns of the channel `/mortise/state`: for each robot its links' coordinates (`robot/link`), then for
/// each object `object.x`, `.y`, `.z` (m) and the quaternion `.qx`, `.qy`, `.qz`, `.qw`.
std::vector<std::string> stateColumns(const World& world);

}  // namespace mortise::logs
