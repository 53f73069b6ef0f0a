#pragma once

/// MultiPaths, stances and grasps as XML elements, as Klamp't writes them: roots of their own files, and items of
/// resource libraries.

#include <span>
#include <string_view>

#include "common/xml_text.h"
#include "mortise/base/diagnostics.h"
#include "mortise/contact/hold.h"
#include "mortise/motion/multipath.h"
#include "text/xml_file.h"

namespace mortise::io {

/// Attributes that belong to the holder of the element, not to its content.
using ForeignAttributes = std::span<const std::string_view>;

/// `<multipath>`: sections of milestones, goals and holds. Attributes of the path and of sections are settings.
/// Problems go to the diagnostics; throws `Error` when there are any.
MultiPath readMultiPath(const XmlFile& file, const tinyxml2::XMLElement& root, Diagnostics& diagnostics,
                        ForeignAttributes foreign = {});
/// Fills the element that was just opened.
void writeMultiPath(const MultiPath& path, XmlText& xml, Diagnostics& diagnostics);

/// `<Grasp object robot fixed>` with `<IKGoal data>` and `<contact link x n kFriction force>`.
Grasp readGrasp(const XmlFile& file, const tinyxml2::XMLElement& root, Diagnostics& diagnostics,
                ForeignAttributes foreign = {});
void writeGrasp(const Grasp& grasp, XmlText& xml);

/// Whole files.
std::string multiPathFile(const MultiPath& path, Diagnostics& diagnostics);
std::string graspFile(const Grasp& grasp);

/// The text of an element, all pieces; new lines and blanks are kept.
std::string textOf(const tinyxml2::XMLElement& element);

}  // namespace mortise::io
