#pragma once

/// SRDF: MoveIt's description of a robot beyond its URDF (github.com/ros-planning/srdfdom). It holds names, which are
/// resolved when they are used with a robot.

#include <string>
#include <string_view>
#include <vector>

#include "mortise/base/diagnostics.h"
#include "robot_joints.h"

namespace mortise::io_moveit {

struct SrdfName {
  std::string name;
  SourcePosition position;
};

struct SrdfChain {
  std::string base, tip;
  SourcePosition position;
};

struct SrdfGroup {
  std::string name;
  std::vector<SrdfName> joints, links, groups;
  std::vector<SrdfChain> chains;
  SourcePosition position;
};

struct SrdfState {
  struct Joint {
    std::string name;
    std::vector<double> values;
    SourcePosition position;
  };
  std::string name, group;
  std::vector<Joint> joints;
  SourcePosition position;
};

struct SrdfEndEffector {
  std::string name, group, parentLink, parentGroup;
  SourcePosition position;
};

struct SrdfVirtualJoint {
  std::string name, type;  ///< "fixed", "planar" or "floating".
  std::string parentFrame, childLink;
  SourcePosition position;
};

struct SrdfPair {
  std::string first, second;
  SourcePosition position;
};

struct Srdf {
  std::string robot;
  std::vector<SrdfGroup> groups;
  std::vector<SrdfState> states;
  std::vector<SrdfEndEffector> endEffectors;
  std::vector<SrdfVirtualJoint> virtualJoints;
  std::vector<SrdfName> passiveJoints;
  /// Pairs of links: `<disable_collisions>`, and `<enable_collisions>` for links of `<disable_default_collisions>`.
  std::vector<SrdfPair> disabled, enabled;
  std::vector<SrdfName> disabledByDefault;

  const SrdfGroup* group(std::string_view name) const;
  bool passive(std::string_view joint) const;
  /// Says whether two links are left unchecked against each other.
  bool disables(std::string_view a, std::string_view b) const;
};

/// Everything wrong goes to the diagnostics; what is unknown is ignored with a warning. Throws `Error` for what is
/// not XML.
Srdf readSrdf(const std::string& text, const std::string& file, Diagnostics& diagnostics);

/// Joints of a group, as indices into `joints` in its order, each once: those it names, those above links it names,
/// those of its chains and of groups within it. `withVirtual` (may be null) becomes whether the virtual joint is one.
/// Names that do not exist go to the diagnostics with the nearest one.
std::vector<int> jointsOfGroup(const Srdf& srdf, const std::string& group, const NamedJoints& joints,
                               Diagnostics& diagnostics, bool* withVirtual = nullptr);

}  // namespace mortise::io_moveit
