#pragma once

/// Names of joints in URDF files. Links and drivers go by the link's name, as in Klamp't; the joint's
/// own name is kept as a property `joint_name:LINK` of the robot, so that formats with properties keep it.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mortise/model/robot.h"

namespace mortise {

/// One name a link; empty for links whose joint has none, and for links that share their name with another.
std::vector<std::string> jointNames(const RobotDescription& robot);
/// Index of the link that is called so or whose joint is; the link's own name comes first. -1: none, or several joints.
int findLinkOrJoint(const RobotDescription& robot, std::string_view name);
/// An empty name takes it away.
void setJointName(RobotDescription& robot, std::string_view linkName, const std::string& jointName);

/// Says whether an entry of `RobotDescription::properties` is the name of a joint.
bool isJointName(const std::pair<std::string, std::string>& property);
/// After links went: forgets the names of their joints.
void dropJointNames(RobotDescription& robot);
/// After a link was renamed.
void moveJointName(RobotDescription& robot, std::string_view from, std::string_view to);
/// Takes over the names of a robot that is mounted; `prefix` goes in front of both names.
void addJointNames(RobotDescription& robot, const RobotDescription& part, const std::string& prefix);

}  // namespace mortise
