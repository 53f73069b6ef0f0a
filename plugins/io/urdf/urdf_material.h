#pragma once

#include "text/xml_file.h"
#include "urdf/urdf_file.h"

namespace mortise::io {

/// Reads `<material>`. A color that is none goes to the diagnostics as a warning: nothing but the looks depend on it.
UrdfMaterial parseUrdfMaterial(const XmlFile& file, const tinyxml2::XMLElement& xml, ReadContext& context);

/// Gives shapes that name a material what the file defines under that name, before or after them. A name that nothing
/// defines is said once.
void resolveUrdfMaterials(UrdfFile& urdf, Diagnostics& diagnostics);

}  // namespace mortise::io
