#pragma once

#include "mortise/component/file_format.h"
#include "text/xml_file.h"
#include "urdf/urdf_file.h"

namespace mortise::io {

/// Reads the elements of a URDF file; `defaults` holds what `<klampt>` does not say. Everything wrong goes to the
/// diagnostics.
UrdfFile parseUrdf(const XmlFile& file, ReadContext& context, const UrdfKlampt& defaults = {});

/// Reads the `<klampt>` element.
UrdfKlampt parseKlampt(const XmlFile& file, const tinyxml2::XMLElement& klampt, ReadContext& context,
                       UrdfKlampt defaults);

/// Warns about attributes that nobody asked for, leaving out those of other namespaces (`xmlns:xacro`).
void finishUrdfElement(XmlElement& element);

}  // namespace mortise::io
