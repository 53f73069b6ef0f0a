#pragma once

#include <string>

#include "text/xml_file.h"

namespace mortise::io {

/// The children of a `<sensors>` element as a list of maps {type: class name, attributes...}.
Value sensorList(const XmlFile& file, const tinyxml2::XMLElement& sensors, Diagnostics& diagnostics);
/// A `<sensor type=... settings...>` element as a map.
Value sensorMap(const XmlFile& file, const tinyxml2::XMLElement& sensor, Diagnostics& diagnostics);
/// A `<controller type=... settings...>` element as a map.
Value controllerMap(const XmlFile& file, const tinyxml2::XMLElement& controller, Diagnostics& diagnostics);

/// Reads a file, or XML that stands in another file, with a root `<sensors>` or `<controller>`.
Value readSensors(const XmlFile& file, Diagnostics& diagnostics);
Value readController(const XmlFile& file, Diagnostics& diagnostics);

/// Sets an attribute for every entry of a map but `except`. Throws `Error` for an entry that is no scalar or list of
/// scalars.
void setAttributes(tinyxml2::XMLElement& element, const Value& map, std::string_view except = {});

/// The XML that reads back to these values. Throws `Error` when one of the settings is no scalar or list of scalars.
std::string sensorsXml(const Value& sensors);
std::string controllerXml(const Value& controller);

}  // namespace mortise::io
