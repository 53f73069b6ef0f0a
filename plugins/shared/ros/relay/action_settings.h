#pragma once

#include <string>

#include "mortise/settings/settings.h"

namespace mortise::ros {

/// The settings of an action server for `control_msgs/FollowJointTrajectory`, beside those of its relay. Tolerances
/// that a goal leaves at 0 are these; 0 here: not compared.
struct ActionSettings {
  bool action = true;
  std::string actionTopic;              ///< Empty: below the robot's name.
  double feedbackRate = 20;             ///< Hz
  double statusRate = 5;                ///< Hz
  double pathTolerance = 0;             ///< rad or m
  double goalTolerance = 0;             ///< rad or m
  double stoppedVelocityTolerance = 0;  ///< rad/s or m/s
  double goalTime = 0;                  ///< s behind the end of a trajectory.
  void bind(SettingBinder& b);
};

}  // namespace mortise::ros
