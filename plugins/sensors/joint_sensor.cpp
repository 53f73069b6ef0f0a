#include "joint_sensor.h"

#include <cmath>

#include "mortise/base/error.h"

namespace mortise {

JointSensor::JointSensor(const ComponentContext& context, const std::string& symbol)
    : host_(context.host),
      symbol_(symbol),
      indices_(context.settings.at("indices").asReals()),
      variance_(context.settings.at(symbol + "variance").asReals()),
      resolution_(context.settings.at(symbol + "resolution").asReals()) {
  for (double v : variance_)
    if (!(v >= 0))
      throw Error(symbol_ + "variance must not be negative", context.settings.at(symbol_ + "variance").position());
}

void JointSensor::start(const SensorSetup& setup) {
  robot_ = setup.robot;
  const Robot& robot = *setup.world.robots[setup.robot].robot;
  links_.clear();
  channels_.clear();
  if (indices_.empty())
    for (int i = 0; i < robot.numLinks(); ++i) links_.push_back(i);
  for (double index : indices_) {
    if (index != std::floor(index) || index < 0 || index >= robot.numLinks())
      throw Error("index " + std::to_string(index) + " is not a link of robot '" + robot.name() + "'", {},
                  "indices run from 0 to " + std::to_string(robot.numLinks() - 1));
    links_.push_back(static_cast<int>(index));
  }
  for (int link : links_) channels_.push_back(symbol_ + "[" + robot.link(link).name + "]");
  for (const auto& [name, list] :
       {std::pair(symbol_ + "variance", variance_), std::pair(symbol_ + "resolution", resolution_)})
    if (!list.empty() && list.size() != 1 && list.size() != links_.size())
      throw Error(name + " has " + std::to_string(list.size()) + " entries for " + std::to_string(links_.size()) +
                      " measured links",
                  {}, "give one for all or one a link");
}

void JointSensor::simulate(const SimulationView& view, double, std::span<double> out) {
  const VectorXd& values = measured(*view.robots[robot_].state);
  for (std::size_t i = 0; i < links_.size(); ++i) {
    double value = values[links_[i]];
    if (!variance_.empty()) {
      const double variance = variance_.size() == 1 ? variance_[0] : variance_[i];
      if (variance > 0) value += std::sqrt(variance) * host_.random().gaussian();
    }
    if (!resolution_.empty()) {
      const double resolution = resolution_.size() == 1 ? resolution_[0] : resolution_[i];
      if (resolution > 0) value = resolution * std::round(value / resolution);
    }
    out[i] = value;
  }
}

}  // namespace mortise
