#pragma once

#include <set>
#include <string>

#include "mortise/component/file_format.h"
#include "mortise/modeling/link_visuals.h"

namespace mortise::io {

/// The path without links and dots, as far as it exists.
std::string resolvedPath(const std::string& path);

/// Returns how a file of that path is referred to from `newFile`: relative to its folder, unless the two have nothing
/// but the root of the disk in common.
std::string referenceFrom(const std::string& newFile, const std::string& path);

/// The reference to a mesh or an image of a visual shape from `newFile`; one that is not found keeps its own.
std::string visualReference(const std::string& reference, const LinkVisual& visual, const std::string& newFile,
                            ResourceLoader& loader);

/// Says whether the file still holds this shape, once it is scaled and then mapped. The margin does not count.
bool fileHolds(ResourceLoader& loader, const std::string& file, double scale, const AffineMap& map,
               const Geometry& geometry);

/// Writes a shape to BASE with the extension of the simplest format that holds it (`.off`, `.pcd`, `.geom`, `.group`),
/// and a number where that file is among `taken`, to which it is added. Returns the path. The margin is not written.
std::string writeShape(const Geometry& geometry, const std::string& base, std::set<std::string>& taken);

/// Adds the resolved paths of the files that a shape and its parts come from.
void collectFiles(const GeometryPtr& geometry, std::set<std::string>& files);

/// A name for files: letters, digits, '_' and '-' only.
std::string plainFileName(const std::string& text);

}  // namespace mortise::io
