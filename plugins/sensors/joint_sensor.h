#pragma once

#include <string>
#include <vector>

#include "mortise/component/sensor.h"

namespace mortise {

/// Positions or velocities of a robot's links: what encoders report. Noise is Gaussian, then values are rounded to the
/// resolution, both one value a measured link.
class JointSensor : public Sensor {
 public:
  void start(const SensorSetup& setup) override;
  std::span<const std::string> channels() const override { return channels_; }
  void simulate(const SimulationView& view, double period, std::span<double> out) override;

 protected:
  JointSensor(const ComponentContext& context, const std::string& symbol);
  virtual const VectorXd& measured(const RobotState& state) const = 0;

 private:
  Host& host_;
  std::string symbol_;
  std::vector<double> indices_, variance_, resolution_;
  std::vector<int> links_;
  std::vector<std::string> channels_;
  int robot_ = 0;
};

class JointPositionSensor final : public JointSensor {
 public:
  explicit JointPositionSensor(const ComponentContext& context) : JointSensor(context, "q") {}

 private:
  const VectorXd& measured(const RobotState& state) const override { return state.q; }
};

class JointVelocitySensor final : public JointSensor {
 public:
  explicit JointVelocitySensor(const ComponentContext& context) : JointSensor(context, "dq") {}

 private:
  const VectorXd& measured(const RobotState& state) const override { return state.dq; }
};

}  // namespace mortise
