#pragma once

#include "mortise/component/host.h"
#include "mortise/component/sensor.h"
#include "mortise/configuration/pose_setting.h"
#include "mortise/settings/settings.h"

namespace mortise::sensors_embree {

/// The settings that lasers and cameras share: where a sensor is mounted and how it sees.
struct MountSettings {
  Value link;  ///< Null: fixed in the world.
  PoseSetting pose;
  double pointRadius = 0;  ///< m
  int threads = 2;
  /// `axes` says what the axes of the sensor's frame are.
  void bindMount(SettingBinder& b, const std::string& axes);
  void bindView(SettingBinder& b);
};

/// The mount of a sensor: on a link of its robot, or fixed in the world (link -1).
class SensorMount {
 public:
  /// Throws `Error` where there is no such link.
  void start(const SensorSetup& setup, const MountSettings& settings);

  int robot() const { return robot_; }
  int link() const { return link_; }
  const RigidTransform& X_LS() const { return X_LS_; }
  /// X_WS. Throws `Error` when it is not finite.
  RigidTransform pose(const SimulationView& view) const;

 private:
  int robot_ = 0, link_ = -1;
  RigidTransform X_LS_;
};

/// The maximum of settings, in their own units.
inline constexpr double kLargestSetting = 1e6;

}  // namespace mortise::sensors_embree
