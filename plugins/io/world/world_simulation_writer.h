#pragma once

#include "world/world_xml.h"

namespace mortise::io {

/// Writes what `<simulation>` says of `world`, and of `added` what it says of entities.
void writeSimulation(const WorldDescription& world, const SimulationDescription& added,
                     const ReferenceWriter& reference, tinyxml2::XMLElement& simulation);

}  // namespace mortise::io
