#pragma once

/// Motions out of bags and logs.

#include <string>
#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/model/robot.h"
#include "mortise/motion/trajectory.h"

namespace mortise::ros {

struct RecordedMotionOptions {
  std::string topic;      ///< A JointState or JointTrajectory; empty: the only one there is.
  std::string baseFrame;  ///< The frame on tf that is the robot's floating base; empty: none is read.
  bool stamps = true;     ///< Times are those in the headers; false: those of the recording.
};

/// Reads the motion of a robot: the states of a JointState topic, or the points of its last JointTrajectory. Joints go
/// by their own names, or by those of links; those that the robot does not have are left out, and those that the bag
/// does not have stay at the robot's initial configuration: both are warnings. Times count from the first state. Throws
/// `Error` where there is no such topic (with the names of those there are), or several and none is named.
Trajectory readRecordedMotion(const std::string& path, const Robot& robot, const RecordedMotionOptions& options,
                              Diagnostics& diagnostics);

/// The same for no robot in particular: coordinates in the order of the names of the first state, which become a note.
Trajectory readRecordedMotion(const std::string& path, const RecordedMotionOptions& options, Diagnostics& diagnostics);

}  // namespace mortise::ros
