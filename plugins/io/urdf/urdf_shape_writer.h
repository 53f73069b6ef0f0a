#pragma once

#include <array>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "mortise/component/file_format.h"
#include "mortise/modeling/link_visuals.h"

namespace mortise::io {

/// A shape as URDF tells it.
struct UrdfWrittenShape {
  RigidTransform X_LS;
  std::optional<std::array<double, 4>> color;  ///< Red, green, blue, opacity; of visual shapes.
  std::string texture;                         ///< Reference; empty: none.
  const char* kind = "mesh";                   ///< Name of the element: box, cylinder, sphere, capsule, mesh.
  std::vector<std::pair<const char*, std::string>> attributes;
};

/// Finds or writes the files of a robot's shapes; primitives that URDF knows need none.
class UrdfShapeWriter {
 public:
  UrdfShapeWriter(const RobotDescription& robot, WriteContext& context);

  /// Several for a group. Throws `Error` for a shape that no file can hold.
  std::vector<UrdfWrittenShape> write(const Link& link);
  /// The visual shapes that a link has apart, with references from the new file. One that URDF cannot hold (a map that
  /// shears, or a primitive that is scaled unevenly) is left out with a warning.
  std::vector<UrdfWrittenShape> visuals(int link);

 private:
  std::optional<UrdfWrittenShape> visual(const LinkVisual& visual, const std::string& link);
  UrdfWrittenShape part(const Geometry& geometry, const Link& link);

  const RobotDescription& robot_;
  WriteContext& context_;
  std::set<std::string> taken_;  ///< Canonical paths that must not be written.
};

}  // namespace mortise::io
