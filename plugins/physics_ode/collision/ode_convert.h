#pragma once

/// Between Eigen and ODE's arrays. ODE keeps rotations row-major with rows padded to four numbers.

#include <ode/ode.h>

#include "mortise/math/transform.h"

namespace mortise::ode {

inline Vector3d vectorFrom(const dReal* v) { return {v[0], v[1], v[2]}; }

inline Matrix3d rotationFrom(const dReal* R) {
  Matrix3d out;
  out << R[0], R[1], R[2], R[4], R[5], R[6], R[8], R[9], R[10];
  return out;
}

inline void toOde(const Vector3d& v, dReal* out) {
  for (int i = 0; i < 3; ++i) out[i] = v[i];
}

inline void toOde(const Matrix3d& R, dReal* out) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) out[4 * i + j] = R(i, j);
    out[4 * i + 3] = 0;
  }
}

}  // namespace mortise::ode
