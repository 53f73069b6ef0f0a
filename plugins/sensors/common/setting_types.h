#pragma once

/// Types that settings of sensors have beside numbers, and how they are read.

#include <array>
#include <string_view>

#include "common/noise.h"
#include "mortise/configuration/pose_setting.h"
#include "mortise/settings/setting_type.h"

namespace mortise {

/// Three switches, for x, y and z: "1 0 1", [true, false, true]; one stands for all three.
template <>
struct SettingType<std::array<bool, 3>> {
  static constexpr ParameterType type = ParameterType::any;
  static constexpr int size = -1;
  static Value value(const std::array<bool, 3>& axes);
  static std::array<bool, 3> from(const Value& value, std::string_view name);
};

/// Nine numbers of a covariance, row by row: symmetric and positive semidefinite.
template <>
struct SettingType<sensors::CovarianceNoise> {
  static constexpr ParameterType type = ParameterType::realList;
  static constexpr int size = 9;
  static Value value(const sensors::CovarianceNoise& noise);
  static sensors::CovarianceNoise from(const Value& value, std::string_view name);
};

}  // namespace mortise
