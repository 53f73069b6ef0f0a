#pragma once

/// Names of topics, frames and joints.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "mortise/model/robot.h"

namespace mortise::ros {

/// Whose names are used: Klamp't's (`klampt/joint_state`, frames `klampt/ROBOT/LINK`, joints by the names of their
/// links, every link a joint), or those of ros_control and robot_state_publisher (`joint_states`, frames by the names
/// of links, joints by their own names, only joints that move by themselves).
enum class Naming : std::uint8_t { klampt, rosControl };

/// The joints of a robot as one naming shows them.
struct JointNames {
  std::vector<std::string> names;
  std::vector<int> links;  ///< The link of each.
};
JointNames namesOfJoints(const Robot& robot, Naming naming);

/// Indices into `known`, one for each of `given`; -1 for names that are not known, which the caller leaves out.
std::vector<int> matchNames(const std::vector<std::string>& given, const std::vector<std::string>& known);

/// A name that ROS allows: letters, digits, underscores and slashes, no part that begins with a digit. What is not
/// allowed becomes an underscore.
std::string topicName(std::string_view text);
/// `a` and `b` with one slash between them; either may be empty.
std::string joinNames(std::string_view a, std::string_view b);

}  // namespace mortise::ros
