#pragma once

#include <optional>

#include "mortise/settings/setting_binder.h"

namespace mortise::native {

struct NativeSettings {
  int iterations = 200;
  double tolerance = 1e-6;  ///< m/s
  /// Absent: the world's, where it asks for one, else 0.2.
  std::optional<double> erp, contactErp;
  std::optional<double> cfm;  ///< Absent: the world's.
  double warmStart = 1;
  double bounceSpeed = 0.05;        ///< m/s
  double maxCorrectionSpeed = 0.1;  ///< m/s
  void bind(SettingBinder& b);
};

}  // namespace mortise::native
