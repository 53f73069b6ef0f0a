#pragma once

/// MoveIt's joint_limits.yaml: limits that take the place of a robot's own.

#include <optional>
#include <string>
#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/base/value.h"
#include "mortise/model/robot.h"
#include "robot_joints.h"

namespace mortise::io_moveit {

struct JointLimits {
  std::string joint;
  std::optional<double> lower, upper;            ///< rad or m
  std::optional<double> velocity, acceleration;  ///< Infinite: none.
  SourcePosition position;
};

/// Everything wrong goes to the diagnostics.
std::vector<JointLimits> readJointLimits(const Value& value, Diagnostics& diagnostics);

/// Sets limits of links and of drivers. A joint that the robot does not have is a warning: such files often speak of
/// more robots than one.
void applyJointLimits(const std::vector<JointLimits>& limits, const NamedJoints& joints, RobotDescription& robot,
                      Diagnostics& diagnostics);

/// Narrows position limits of a link, and of its driver.
void narrowPosition(RobotDescription& robot, int link, double lower, double upper);

}  // namespace mortise::io_moveit
