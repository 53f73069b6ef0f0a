#pragma once

#include "mortise/component/file_format.h"
#include "mortise/model/world_description.h"
#include "text/xml_file.h"

namespace mortise::io {

/// Reads `<world>` and every file it refers to. What is wrong goes to the diagnostics; the result is then not to be
/// used.
WorldDescription readWorldFile(const XmlFile& file, ReadContext& context);

/// Puts comments and elements without meaning among the notes, as text.
void keepExtra(const tinyxml2::XMLNode& node, int order, FileNotes& notes);

/// Calls `visit(element, order)` for every child element; keeps comments in `notes`.
template <typename Visit>
void visitChildren(const tinyxml2::XMLElement& parent, FileNotes& notes, Visit visit) {
  int order = 0;
  for (const auto* node = parent.FirstChild(); node != nullptr; node = node->NextSibling(), ++order) {
    if (const auto* element = node->ToElement())
      visit(*element, order);
    else if (node->ToComment() != nullptr)
      keepExtra(*node, order, notes);
  }
}

}  // namespace mortise::io
