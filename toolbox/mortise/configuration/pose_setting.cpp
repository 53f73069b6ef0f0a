#include "mortise/configuration/pose_setting.h"

#include <Eigen/LU>
#include <string>

#include "mortise/math/rotation.h"

namespace mortise {

namespace {

constexpr double kTypedTolerance = 0.01;

Matrix3d checkedRotation(const Matrix3d& R, const Value& value, std::string_view name) {
  const bool orthonormal =
      R.allFinite() && (R.transpose() * R - Matrix3d::Identity()).cwiseAbs().maxCoeff() <= kTypedTolerance;
  if (!orthonormal || R.determinant() < 0)
    throw Error(
        "'" + std::string(name) + "' holds a matrix that is " + (orthonormal ? "a reflection" : "not a rotation"),
        value.position(), "write the rotation row by row; its columns are the axes of the frame that is placed");
  return orthonormalized(R);
}

Value rows(const Matrix3d& M) {
  Value list = Value::list();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) list.push_back(M(i, j));
  return list;
}

}  // namespace

Value SettingType<RotationSetting>::value(const RotationSetting& rotation) { return rows(rotation.R); }

RotationSetting SettingType<RotationSetting>::from(const Value& value, std::string_view name) {
  const std::vector<double> numbers = value.asReals();
  return {checkedRotation(Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(numbers.data()), value, name)};
}

Value SettingType<PoseSetting>::value(const PoseSetting& pose) {
  Value list = rows(pose.X.R);
  for (int i = 0; i < 3; ++i) list.push_back(pose.X.p[i]);
  return list;
}

PoseSetting SettingType<PoseSetting>::from(const Value& value, std::string_view name) {
  PoseSetting pose;
  pose.X = RigidTransform::fromRows(value.asReals().data());
  pose.X.R = checkedRotation(pose.X.R, value, name);
  return pose;
}

}  // namespace mortise
