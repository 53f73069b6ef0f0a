#pragma once

#include <functional>
#include <string>
#include <tinyxml2.h>
#include <vector>

#include "mortise/model/world_description.h"

namespace mortise::io {

/// A file reference as it must stand in the file that is being written.
using ReferenceWriter = std::function<std::string(const std::string& reference)>;

/// Collects the children of an element and puts them in the order of the file that they came from, comments and
/// unknown elements among them.
class OrderedChildren {
 public:
  explicit OrderedChildren(tinyxml2::XMLElement& parent) : parent_(parent) {}
  /// A new child; those of equal order keep the order in which they were added.
  tinyxml2::XMLElement& add(const char* name, int order);
  /// Inserts everything behind the children that are there already, with the extras of `notes`.
  void finish(const FileNotes& notes);

 private:
  tinyxml2::XMLElement& parent_;
  std::vector<std::pair<int, tinyxml2::XMLNode*>> children_;
};

/// Appends nodes given as text.
void appendXml(const std::string& text, tinyxml2::XMLNode& parent);

}  // namespace mortise::io
