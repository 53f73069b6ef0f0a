#include "joints/joint_sensor.h"

#include <algorithm>

#include "common/noise.h"
#include "mortise/base/error.h"
#include "mortise/configuration/link_setting.h"

namespace mortise::sensors {

namespace {

std::vector<std::string> linkNames(const Robot& robot) {
  std::vector<std::string> names;
  for (const Link& link : robot.links()) names.push_back(link.name);
  return names;
}

}  // namespace

void JointSettings::bind(SettingBinder& b) {
  b.add("indices", indices, measured + " to measure, by name or index; absent: all.");
  b.add(varianceName(), variance,
        "Variance of the Gaussian noise (" + unit + " squared): one for all, or one each; empty: none.",
        {.min = 0, .aliases = varianceAliases, .changeable = true});
  b.add(resolutionName(), resolution,
        "Step to which values are rounded (" + unit + "): one for all, or one each; empty: none.",
        {.min = 0, .aliases = resolutionAliases, .changeable = true});
}

void JointSensor::start(const SensorSetup& setup) {
  robot_ = setup.robot;
  const Robot& robot = *setup.world.robots[robot_].robot;
  const std::vector<std::string> all = names(robot);
  all_ = all.size();
  indices_ = chosen(robot, settings_->indices);
  if (indices_.empty())
    for (std::size_t i = 0; i < all_; ++i) indices_.push_back(static_cast<int>(i));
  channels_.clear();
  for (const int i : indices_) {
    const bool unique = !all[i].empty() && std::count(all.begin(), all.end(), all[i]) == 1;
    channels_.push_back(settings_->symbol + "[" + (unique ? all[i] : std::to_string(i)) + "]");
  }
  settings_.setCheck([this](const JointSettings& settings) { checkCounts(settings); });
}

void JointSensor::checkCounts(const JointSettings& settings) const {
  const auto check = [this](const std::string& name, std::size_t count) {
    if (count <= 1 || count == indices_.size() || count == all_) return;
    throw Error(
        name + " has " + std::to_string(count) + " entries for " + std::to_string(indices_.size()) + " measured values",
        settingPosition(name),
        "give one for all, or one each" +
            (all_ == indices_.size() ? std::string()
                                     : ", or one for each of the " + std::to_string(all_) + " that could be measured"));
  };
  check(settings.varianceName(), settings.variance.size());
  check(settings.resolutionName(), settings.resolution.size());
}

double JointSensor::entry(const std::vector<double>& list, std::size_t i) const {
  if (list.empty()) return 0;
  if (list.size() == 1) return list[0];
  return list.size() == indices_.size() ? list[i] : list[indices_[i]];
}

void JointSensor::simulate(const SimulationView& view, double, std::span<double> out) {
  const double* all = values(view.robots[robot_]);
  for (std::size_t i = 0; i < indices_.size(); ++i)
    out[i] = measured(all[indices_[i]], entry(settings_->variance, i), entry(settings_->resolution, i), host_.random());
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

}  // namespace mortise::sensors
