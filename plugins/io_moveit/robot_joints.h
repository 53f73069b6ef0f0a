#pragma once

/// A robot's joints by name, which messages speak of; a `RobotDescription` knows links alone.

#include <optional>
#include <string>
#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/model/robot.h"

namespace mortise::io_moveit {

struct NamedJoint {
  std::string name;
  std::string type;  ///< Type as in URDF: "revolute", "continuous", "prismatic", "fixed", "floating", "planar".
  std::string parent, child;
  std::optional<double> softLower, softUpper;  ///< Limits of `<safety_controller>`.
  std::string mimics;                          ///< The joint that it follows; empty: none.
  SourcePosition position;

  bool moves() const { return type != "fixed"; }
};

struct NamedJoints {
  std::string robot;  ///< Name in the file.
  std::string root;   ///< The link that no joint moves.
  std::vector<std::string> links;
  std::vector<NamedJoint> joints;  ///< In file order.

  int find(std::string_view joint) const;  ///< -1 when there is none.
  int above(std::string_view link) const;  ///< The joint whose child the link is; -1: none.
  bool hasLink(std::string_view link) const;
  std::vector<std::string> names() const;
};

/// The joints of a URDF file. Faults of joints are reported by the reader of the robot in the same file; throws `Error`
/// for what is not URDF.
NamedJoints readNamedJoints(const std::string& text, const std::string& file);

/// The joints of a robot whose file does not name them: one for each link, with its name.
NamedJoints namedJointsOf(const RobotDescription& robot);

}  // namespace mortise::io_moveit
