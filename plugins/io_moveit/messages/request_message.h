#pragma once

/// moveit_msgs/MotionPlanRequest and what it is made of, as plain data.

#include <string>
#include <vector>

#include "messages/message.h"
#include "messages/scene_message.h"
#include "mortise/component/file_format.h"

namespace mortise::io_moveit {

struct JointConstraintMessage {
  std::string joint;
  double position = 0, above = 0, below = 0;
  SourcePosition where;
};

/// A point of a link within a region.
struct PositionConstraintMessage {
  struct Region {
    GeometryPtr shape;  ///< Around its own origin.
    RigidTransform X_FS;
  };
  std::string frame, link;
  Vector3d offset = Vector3d::Zero();  ///< The point in the link's frame.
  std::vector<Region> regions;         ///< Any of these.
  bool meshes = false;                 ///< True if regions are given as meshes as well.
  SourcePosition where;
};

/// The orientation of a link: a maximum angle from R_FL about each axis.
struct OrientationConstraintMessage {
  std::string frame, link;
  Matrix3d R_FL = Matrix3d::Identity();
  Vector3d tolerance = Vector3d::Zero();
  SourcePosition where;
};

/// All of these at once.
struct ConstraintsMessage {
  std::string name;
  std::vector<JointConstraintMessage> joints;
  std::vector<PositionConstraintMessage> positions;
  std::vector<OrientationConstraintMessage> orientations;
  int visibility = 0;
  SourcePosition where;

  bool empty() const { return joints.empty() && positions.empty() && orientations.empty() && visibility == 0; }
};

struct RequestMessage {
  std::string group, planner;
  StateMessage start;
  std::vector<ConstraintsMessage> goals;  ///< Any of these.
  ConstraintsMessage path;
  double seconds = 0;  ///< 0: not said.
  double velocityScaling = 1, accelerationScaling = 1;
  std::string workspaceFrame;
  Vector3d workspaceMin = Vector3d::Zero(), workspaceMax = Vector3d::Zero();  ///< Equal: not said.
  SourcePosition position;
};

/// Everything wrong goes to the diagnostics.
RequestMessage readRequest(const Value& value, const std::string& file, ResourceLoader& loader,
                           Diagnostics& diagnostics);

}  // namespace mortise::io_moveit
