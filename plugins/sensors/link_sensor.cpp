#include "link_sensor.h"

#include "mortise/configuration/link_setting.h"

namespace mortise {

void LinkSensor::start(const SensorSetup& setup) {
  robot_ = setup.robot;
  const Robot& robot = *setup.world.robots[robot_].robot;
  const Value& link = settings_.at("link");
  link_ = linkFromSetting(robot, link.isNull() ? Value(0) : link);
  channels_.clear();
  begin(setup);
}

void LinkSensor::addAxes(const std::string& prefix) {
  for (const char* axis : {"_x", "_y", "_z"}) channels_.push_back(prefix + axis);
}

void LinkSensor::save(ByteWriter& out) const {
  settings_.save(out);
  saveState(out);
}

void LinkSensor::restore(ByteReader& in) {
  settings_.restore(in);
  restoreState(in);
}

}  // namespace mortise
