#pragma once

/// All messages that stand alone on topics, for what is made once for each.

#include "ros/messages/follow_joint_trajectory.h"
#include "ros/messages/geometry.h"
#include "ros/messages/joints.h"
#include "ros/messages/plain.h"
#include "ros/messages/sensors.h"

#define MORTISE_ROS_MESSAGES(X)          \
  X(JointState)                          \
  X(JointTrajectory)                     \
  X(Clock)                               \
  X(TFMessage)                           \
  X(TransformStamped)                    \
  X(PoseStamped)                         \
  X(PointCloud2)                         \
  X(Image)                               \
  X(CameraInfo)                          \
  X(LaserScan)                           \
  X(Imu)                                 \
  X(WrenchStamped)                       \
  X(Float32MultiArray)                   \
  X(String)                              \
  X(GoalID)                              \
  X(GoalStatusArray)                     \
  X(FollowJointTrajectoryActionGoal)     \
  X(FollowJointTrajectoryActionFeedback) \
  X(FollowJointTrajectoryActionResult)
