#pragma once

#include <string>
#include <vector>

#include "changeable_settings.h"
#include "mortise/component/sensor.h"

namespace mortise {

/// One number for each of a robot's links or drivers, or of some of them: what encoders and motor amplifiers report.
/// Noise is Gaussian, then values are rounded to the resolution.
class JointSensor : public Sensor {
 public:
  void start(const SensorSetup& setup) override;
  std::span<const std::string> channels() const override { return channels_; }
  void simulate(const SimulationView& view, double period, std::span<double> out) override;
  Value settings() const override { return settings_.values(); }
  bool changeSetting(std::string_view name, const Value& value) override { return settings_.change(name, value); }
  void save(ByteWriter& out) const override { settings_.save(out); }
  void restore(ByteReader& in) override { settings_.restore(in); }

 protected:
  /// `symbol` begins the channels' names and those of the settings of the noise.
  JointSensor(const ComponentContext& context, std::string symbol, std::vector<std::string> varianceAliases = {},
              std::vector<std::string> resolutionAliases = {});
  /// Names of everything that could be measured.
  virtual std::vector<std::string> names(const Robot& robot) const = 0;
  virtual std::vector<int> chosen(const Robot& robot, const Value& indices) const = 0;
  /// As many numbers as there are names.
  virtual const double* values(const RobotView& robot) const = 0;

 private:
  void checkCount(const std::string& name, std::size_t count, const SourcePosition& where) const;
  double entry(const std::vector<double>& list, std::size_t i) const;

  Host& host_;
  ChangeableSettings settings_;
  std::string symbol_;
  std::vector<double> variance_, resolution_;
  std::size_t all_ = 0;       ///< How many could be measured; 0 before the start.
  std::vector<int> indices_;  ///< What is measured, in the order of the channels.
  std::vector<std::string> channels_;
  int robot_ = 0;
};

class JointPositionSensor final : public JointSensor {
 public:
  explicit JointPositionSensor(const ComponentContext& context) : JointSensor(context, "q") {}

 private:
  std::vector<std::string> names(const Robot& robot) const override;
  std::vector<int> chosen(const Robot& robot, const Value& indices) const override;
  const double* values(const RobotView& robot) const override { return robot.state->q.data(); }
};

class JointVelocitySensor final : public JointSensor {
 public:
  explicit JointVelocitySensor(const ComponentContext& context)
      : JointSensor(context, "dq", {"qvariance"}, {"qresolution"}) {}

 private:
  std::vector<std::string> names(const Robot& robot) const override;
  std::vector<int> chosen(const Robot& robot, const Value& indices) const override;
  const double* values(const RobotView& robot) const override { return robot.state->dq.data(); }
};

class DriverTorqueSensor final : public JointSensor {
 public:
  explicit DriverTorqueSensor(const ComponentContext& context) : JointSensor(context, "t") {}

 private:
  std::vector<std::string> names(const Robot& robot) const override;
  std::vector<int> chosen(const Robot& robot, const Value& indices) const override;
  const double* values(const RobotView& robot) const override { return robot.driverTorques.data(); }
};

}  // namespace mortise
