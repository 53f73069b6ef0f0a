#include "joint_sensor.h"

#include <algorithm>

#include "mortise/base/error.h"
#include "mortise/configuration/link_setting.h"

namespace mortise {

namespace {

std::vector<std::string> linkNames(const Robot& robot) {
  std::vector<std::string> names;
  for (const Link& link : robot.links()) names.push_back(link.name);
  return names;
}

}  // namespace

JointSensor::JointSensor(const ComponentContext& context, std::string symbol, std::vector<std::string> varianceAliases,
                         std::vector<std::string> resolutionAliases)
    : host_(context.host), settings_(context.settings), symbol_(std::move(symbol)) {
  const auto list = [this](const std::string& name, std::vector<double>& numbers, std::vector<std::string> aliases) {
    settings_.list(name, numbers, std::move(aliases),
                   [this, name](std::size_t count, const SourcePosition& where) { checkCount(name, count, where); });
  };
  list(symbol_ + "variance", variance_, std::move(varianceAliases));
  list(symbol_ + "resolution", resolution_, std::move(resolutionAliases));
}

void JointSensor::start(const SensorSetup& setup) {
  robot_ = setup.robot;
  const Robot& robot = *setup.world.robots[robot_].robot;
  const std::vector<std::string> all = names(robot);
  all_ = all.size();
  indices_ = chosen(robot, settings_.at("indices"));
  if (indices_.empty())
    for (std::size_t i = 0; i < all_; ++i) indices_.push_back(static_cast<int>(i));
  channels_.clear();
  for (const int i : indices_) {
    const bool unique = !all[i].empty() && std::count(all.begin(), all.end(), all[i]) == 1;
    channels_.push_back(symbol_ + "[" + (unique ? all[i] : std::to_string(i)) + "]");
  }
  checkCount(symbol_ + "variance", variance_.size(), settings_.at(symbol_ + "variance").position());
  checkCount(symbol_ + "resolution", resolution_.size(), settings_.at(symbol_ + "resolution").position());
}

void JointSensor::checkCount(const std::string& name, std::size_t count, const SourcePosition& where) const {
  if (all_ == 0 || count <= 1 || count == indices_.size() || count == all_) return;
  throw Error(
      name + " has " + std::to_string(count) + " entries for " + std::to_string(indices_.size()) + " measured values",
      where,
      "give one for all, or one each" +
          (all_ == indices_.size() ? std::string()
                                   : ", or one for each of the " + std::to_string(all_) + " that could be measured"));
}

double JointSensor::entry(const std::vector<double>& list, std::size_t i) const {
  if (list.empty()) return 0;
  if (list.size() == 1) return list[0];
  return list.size() == indices_.size() ? list[i] : list[indices_[i]];
}

void JointSensor::simulate(const SimulationView& view, double, std::span<double> out) {
  const double* all = values(view.robots[robot_]);
  for (std::size_t i = 0; i < indices_.size(); ++i)
    out[i] = measured(all[indices_[i]], entry(variance_, i), entry(resolution_, i), host_.random());
}

std::vector<std::string> JointPositionSensor::names(const Robot& robot) const { return linkNames(robot); }
std::vector<int> JointPositionSensor::chosen(const Robot& robot, const Value& indices) const {
  return linksFromSetting(robot, indices);
}

std::vector<std::string> JointVelocitySensor::names(const Robot& robot) const { return linkNames(robot); }
std::vector<int> JointVelocitySensor::chosen(const Robot& robot, const Value& indices) const {
  return linksFromSetting(robot, indices);
}

std::vector<std::string> DriverTorqueSensor::names(const Robot& robot) const {
  std::vector<std::string> names;
  for (const Driver& driver : robot.drivers()) names.push_back(driver.name);
  return names;
}
std::vector<int> DriverTorqueSensor::chosen(const Robot& robot, const Value& indices) const {
  return driversFromSetting(robot, indices);
}

}  // namespace mortise
