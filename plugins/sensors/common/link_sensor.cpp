#include "common/link_sensor.h"

#include "mortise/configuration/link_setting.h"

namespace mortise::sensors {

void LinkMount::attach(const SensorSetup& setup, const Value& link) {
  robot_ = setup.robot;
  const Robot& robot = *setup.world.robots[robot_].robot;
  link_ = linkFromSetting(robot, link.isNull() ? Value(0) : link);
  channels_.clear();
}

void LinkMount::addAxes(const std::string& prefix) {
  for (const char* axis : {"_x", "_y", "_z"}) channels_.push_back(prefix + axis);
}

}  // namespace mortise::sensors
