#pragma once

#include "mortise/component/file_format.h"
#include "mortise/model/world_description.h"
#include "xml_file.h"

namespace mortise::io {

/// Reads `<simulation>` into `world`. References to terrains, objects and links are looked up only when `resolve` is
/// set: they make no sense when entities failed to load. A reference to something that does not exist is a warning,
/// because shipped worlds contain such; what it says is kept as text and has no effect.
void readSimulation(const XmlFile& file, const tinyxml2::XMLElement& simulation, bool resolve, ReadContext& context,
                    WorldDescription& world);

}  // namespace mortise::io
