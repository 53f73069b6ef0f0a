#pragma once

#include "mortise/component/file_format.h"
#include "text/xml_file.h"
#include "urdf/urdf_file.h"

namespace mortise::io {

/// Reads the elements of a URDF file. Everything wrong goes to the diagnostics.
UrdfFile parseUrdf(const XmlFile& file, ReadContext& context);

/// Reads the `<klampt>` element.
UrdfKlampt parseKlampt(const XmlFile& file, const tinyxml2::XMLElement& klampt, ReadContext& context);

/// Warns about attributes that nobody asked for, leaving out those of other namespaces (`xmlns:xacro`).
void finishUrdfElement(XmlElement& element);

}  // namespace mortise::io
