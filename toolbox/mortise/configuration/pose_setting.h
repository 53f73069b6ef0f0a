#pragma once

/// Rotations and poses as settings. What is orthonormal to 0.01, as people type it and files hold it, is made so
/// exactly.

#include "mortise/math/transform.h"
#include "mortise/settings/setting_type.h"

namespace mortise {

/// Nine numbers, row by row.
struct RotationSetting {
  Matrix3d R = Matrix3d::Identity();
};

/// Nine numbers of the rotation, row by row, then three of the translation (m).
struct PoseSetting {
  RigidTransform X;
};

template <>
struct SettingType<RotationSetting> {
  static constexpr ParameterType type = ParameterType::realList;
  static constexpr int size = 9;
  static Value value(const RotationSetting& rotation);
  static RotationSetting from(const Value& value, std::string_view name);
};

template <>
struct SettingType<PoseSetting> {
  static constexpr ParameterType type = ParameterType::realList;
  static constexpr int size = 12;
  static Value value(const PoseSetting& pose);
  static PoseSetting from(const Value& value, std::string_view name);
};

}  // namespace mortise
