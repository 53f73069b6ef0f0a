#pragma once

#include "mortise/component/file_format.h"
#include "mortise/model/world_description.h"
#include "text/xml_file.h"

namespace mortise::io {

/// Reads `<simulation>` into `world`, which has an entry for every terrain, object and robot already, also for those
/// that could not be loaded. A reference to something that does not exist is a warning, because shipped worlds contain
/// such; what it says is kept as text and has no effect.
void readSimulation(const XmlFile& file, const tinyxml2::XMLElement& simulation, ReadContext& context,
                    WorldDescription& world);

/// Reads a `<state>` that stands beside `<simulation>`, where manuals have it; it is written into `<simulation>`. Where
/// `world` has a state already, that one counts, which is a warning.
void readStateBeside(const XmlFile& file, const tinyxml2::XMLElement& state, ReadContext& context,
                     WorldDescription& world);

}  // namespace mortise::io
