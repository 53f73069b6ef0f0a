#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "mortise/component/file_format.h"

namespace mortise::io {

/// A shape as URDF tells it.
struct UrdfWrittenShape {
  RigidTransform X_LS;
  const char* kind = "mesh";  ///< Name of the element: box, cylinder, sphere, capsule, mesh.
  std::vector<std::pair<const char*, std::string>> attributes;
};

/// Finds or writes the files of a robot's shapes; primitives that URDF knows need none.
class UrdfShapeWriter {
 public:
  UrdfShapeWriter(const RobotDescription& robot, WriteContext& context);

  /// Several for a group. Throws `Error` for a shape that no file can hold.
  std::vector<UrdfWrittenShape> write(const Link& link);

 private:
  UrdfWrittenShape part(const Geometry& geometry, const Link& link);

  WriteContext& context_;
  std::set<std::string> taken_;  ///< Canonical paths that must not be written.
};

}  // namespace mortise::io
