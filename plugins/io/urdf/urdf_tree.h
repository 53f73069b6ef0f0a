#pragma once

#include <optional>
#include <vector>

#include "mortise/base/diagnostics.h"
#include "urdf/urdf_file.h"

namespace mortise::io {

/// A link in the order of the tree.
struct UrdfNode {
  int link = 0;     ///< Index into `UrdfFile::links`.
  int joint = -1;   ///< The joint above it, index into `UrdfFile::joints`; -1 for the root.
  int parent = -1;  ///< Index of the parent's node; -1 for the root.
};

/// The links from the root down, each before its children and those in the order of their joints' names: the order of
/// the URDF library of ROS, which numbers Klamp't's links. Empty when links and joints form no tree; the diagnostics
/// then say why.
std::vector<UrdfNode> urdfTree(const UrdfFile& urdf, const std::string& path, Diagnostics& diagnostics);

}  // namespace mortise::io
