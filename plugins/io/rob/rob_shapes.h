#pragma once

#include <set>
#include <string>
#include <vector>

#include "mortise/component/file_format.h"

namespace mortise::io {

/// The form in which a link's shape is written.
struct WrittenShape {
  std::string reference;            ///< Name of `geometry`; empty when the link has no shape.
  std::vector<std::string> mounts;  ///< Further parts of a group.
  bool placed = false;              ///< The reference is to be scaled and transformed as the link says.
};

/// Finds or writes the files of a robot's shapes.
class ShapeFiles {
 public:
  ShapeFiles(const RobotDescription& robot, WriteContext& context);

  /// Throws `Error` for a shape that no file can hold.
  WrittenShape write(const Link& link);

 private:
  std::string writePart(const Geometry& geometry, const std::string& link);

  WriteContext& context_;
  std::set<std::string> taken_;  ///< Canonical paths that must not be written.
};

}  // namespace mortise::io
