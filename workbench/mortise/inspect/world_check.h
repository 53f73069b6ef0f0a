#pragma once

#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/component/file_format.h"
#include "mortise/model/world.h"
#include "mortise/plugin/registry.h"
#include "mortise/simulation/scene/overlaps.h"

namespace mortise {

/// Reports what is doubtful about a world before it is simulated. Errors: backends that no plugin has, wrong settings
/// of theirs, what no engine can simulate, and what components and commands would refuse before the first step
/// (`checkWorldComponents`). Warnings: bodies that overlap at the start, robots of the same name, links that
/// move but have no mass, objects without mass or with an inertia that no body can have, configurations outside of
/// joint limits, controllers and sensors that no plugin has. Notes: objects and terrains of the same name, links in
/// between without mass, bodies that start nearer than their padding. Returns the overlaps.
StartOverlaps checkWorld(const World& world, Registry& registry, ResourceLoader* loader, Diagnostics& diagnostics);

/// The part of it that takes no time and concerns what the world's files say of its things: their names, masses,
/// inertias, shapes, surfaces and configurations.
void checkWorldContents(const World& world, const Registry& registry, Diagnostics& diagnostics);

/// The part of it that concerns names, as warnings and notes: robots, objects and terrains of the same name, and a
/// backend that no plugin has.
void checkWorldNames(const World& world, const Registry& registry, Diagnostics& diagnostics);

}  // namespace mortise
