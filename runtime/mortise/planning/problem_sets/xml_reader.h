#pragma once

/// XML as a tree with positions, for the robot files that planning problems refer to: what a format plugin makes of a
/// URDF file no longer knows its joints by name, and an SRDF file is about names alone.

#include <string>
#include <string_view>
#include <vector>

#include "mortise/base/error.h"

namespace mortise {

struct XmlAttribute {
  std::string name, value;
  SourcePosition position;
};

struct XmlNode {
  std::string name;
  std::vector<XmlAttribute> attributes;
  std::vector<XmlNode> children;
  SourcePosition position;

  /// Null when there is none.
  const XmlAttribute* find(std::string_view attribute) const;
  const XmlNode* child(std::string_view element) const;
};

/// The root element. Text between tags is passed over; of entities there are the five of XML and numbered characters.
/// Throws `Error` with file, line and column for what is no XML, for documents with a DTD, and for elements more than
/// 100 deep.
XmlNode parseXml(std::string_view text, const std::string& file);

}  // namespace mortise
