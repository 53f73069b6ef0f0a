#pragma once

#include "mortise/planning/real_time/real_time_robot.h"
#include "mortise/settings/setting_binder.h"

namespace mortise::controllers {

struct RealTimePlanningSettings {
  enum class Clock { simulated, wall };

  RealTimePlannerOptions planner;
  RealTimeSessionOptions session;
  MotionLimitOptions limits;
  Clock clock = Clock::simulated;
  double margin = 0;
  Value links, obstacles, targets;

  void bind(SettingBinder& b);
  void check() const;
};

/// The motions that the setting `obstacles` names: [{body: NAME, motion: FILE, repeat: true}]. Files hold six numbers a
/// time: the position of the body in meters and its rotation vector in rad. Throws `Error` with positions.
std::vector<KnownMotion> obstaclesFrom(const Value& obstacles, const World& world, const Host& host);

}  // namespace mortise::controllers
