#pragma once

/// Poses to messages and back.

#include <string>

#include "mortise/math/transform.h"
#include "ros/messages/geometry.h"

namespace mortise::ros {

Vector3 vectorMessage(const Vector3d& v);
Vector3d vectorFrom(const Vector3& message);
Quaternion quaternionMessage(const Matrix3d& R);
/// Normalizes. Throws `Error` for a quaternion of length zero or that is not finite.
Matrix3d rotationFrom(const Quaternion& message);
Pose poseMessage(const RigidTransform& X);
RigidTransform transformFrom(const Pose& message);
Transform transformMessage(const RigidTransform& X);
RigidTransform transformFrom(const Transform& message);
TransformStamped transformStamped(const Time& stamp, std::string frame, std::string child, const RigidTransform& X);

}  // namespace mortise::ros
