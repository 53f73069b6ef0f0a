#pragma once

/// Fields of messages from pages. All functions throw `Error` that names the field.

#include <Eigen/Geometry>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/value.h"
#include "mortise/math/transform.h"

namespace mortise::viewer {

/// A number that counts from 0.
inline std::size_t indexFrom(const Value& message, const char* key) {
  const std::int64_t i = message.at(key).asInteger();
  if (i < 0) throw Error("'" + std::string(key) + "' counts from 0");
  return static_cast<std::size_t>(i);
}

/// Three numbers.
inline Vector3d pointFrom(const Value& message, const char* key) {
  const std::vector<double> v = message.at(key).asReals();
  if (v.size() != 3) throw Error("'" + std::string(key) + "' takes three numbers");
  return Vector3d(v.data());
}

/// Twelve numbers: a rotation by rows and a position. What comes through a page is of single precision.
inline RigidTransform poseFrom(const Value& message, const char* key) {
  const std::vector<double> v = message.at(key).asReals();
  if (v.size() != 12) throw Error("'" + std::string(key) + "' takes 12 numbers: a rotation by rows and a position");
  RigidTransform X = RigidTransform::fromRows(v.data());
  if (!X.allFinite() || !(std::abs(X.R.determinant() - 1) < 1e-3)) throw Error("'" + std::string(key) + "' is no pose");
  const Eigen::Quaterniond q(X.R);
  X.R = q.normalized().toRotationMatrix();
  return X;
}

}  // namespace mortise::viewer
