#pragma once

#include <span>

#include "mortise/component/physics.h"

namespace mortise {

/// Checks what every backend requires of contacts (`Scene::setContacts`): bodies and world ids of the
/// scene, two different bodies, finite points and gaps (m), normals of unit length, a material that is not negative.
/// Throws `Error` that names the ids of the first contact that breaks this.
void checkSceneContacts(std::span<const SceneContact> contacts, int numBodies, int numIds);

}  // namespace mortise
