#include "ros/conversion/spatial.h"

#include <Eigen/Geometry>
#include <cmath>

#include "mortise/base/error.h"

namespace mortise::ros {

Vector3 vectorMessage(const Vector3d& v) { return {v.x(), v.y(), v.z()}; }

Vector3d vectorFrom(const Vector3& message) { return {message.x, message.y, message.z}; }

Quaternion quaternionMessage(const Matrix3d& R) {
  const Eigen::Quaterniond q = Eigen::Quaterniond(R).normalized();
  return {q.x(), q.y(), q.z(), q.w()};
}

Matrix3d rotationFrom(const Quaternion& message) {
  const Eigen::Quaterniond q(message.w, message.x, message.y, message.z);
  const double length = q.norm();
  if (!std::isfinite(length) || length < 1e-6)
    throw Error("expected a quaternion of length 1, found one of length " + std::to_string(length));
  return q.normalized().toRotationMatrix();
}

Pose poseMessage(const RigidTransform& X) { return {{X.p.x(), X.p.y(), X.p.z()}, quaternionMessage(X.R)}; }

RigidTransform transformFrom(const Pose& message) {
  return {rotationFrom(message.orientation), Vector3d(message.position.x, message.position.y, message.position.z)};
}

Transform transformMessage(const RigidTransform& X) { return {vectorMessage(X.p), quaternionMessage(X.R)}; }

RigidTransform transformFrom(const Transform& message) {
  return {rotationFrom(message.rotation), vectorFrom(message.translation)};
}

TransformStamped transformStamped(const Time& stamp, std::string frame, std::string child, const RigidTransform& X) {
  return {{0, stamp, std::move(frame)}, std::move(child), transformMessage(X)};
}

}  // namespace mortise::ros
