#pragma once

/// Between Eigen and Bullet; both are double precision here.

#include <btBulletDynamicsCommon.h>

#include "mortise/math/rotation.h"
#include "mortise/math/transform.h"

namespace mortise::bullet {

static_assert(sizeof(btScalar) == sizeof(double), "this plugin needs Bullet's float64 build");

inline btVector3 toBullet(const Vector3d& v) { return {v.x(), v.y(), v.z()}; }
inline Vector3d fromBullet(const btVector3& v) { return {v.x(), v.y(), v.z()}; }

inline btMatrix3x3 toBullet(const Matrix3d& R) {
  return {R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0), R(2, 1), R(2, 2)};
}
inline Matrix3d fromBullet(const btMatrix3x3& R) {
  Matrix3d out;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out(i, j) = R[i][j];
  return out;
}

inline btTransform toBullet(const RigidTransform& X) { return btTransform(toBullet(X.R), toBullet(X.p)); }
inline RigidTransform fromBullet(const btTransform& X) { return {fromBullet(X.getBasis()), fromBullet(X.getOrigin())}; }

/// Bullet keeps orientations as quaternions, files hold matrices that are orthonormal only to about 1e-6.
inline RigidTransform cleaned(const RigidTransform& X) { return {orthonormalized(X.R), X.p}; }

inline btQuaternion toQuaternion(const Matrix3d& R) {
  btQuaternion q;
  toBullet(orthonormalized(R)).getRotation(q);
  q.normalize();
  return q;
}

}  // namespace mortise::bullet
