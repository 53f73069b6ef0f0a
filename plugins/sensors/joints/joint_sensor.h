#pragma once

#include <string>
#include <vector>

#include "mortise/component/sensor.h"
#include "mortise/settings/settings.h"

namespace mortise::sensors {

struct JointSettings {
  std::string symbol;  ///< Begins the names of the channels and of the settings of the noise: q, dq, t.
  std::string unit;
  std::string measured;  ///< "Links" or "Drivers".
  std::vector<std::string> varianceAliases = {}, resolutionAliases = {};

  Value indices = {};
  std::vector<double> variance = {}, resolution = {};  ///< Empty: none; one for all, or one each.
  void bind(SettingBinder& b);
  std::string varianceName() const { return symbol + "variance"; }
  std::string resolutionName() const { return symbol + "resolution"; }
};

/// One number for each of a robot's links or drivers, or of some of them: what encoders and motor amplifiers report.
/// Noise is Gaussian, then values are rounded to the resolution.
class JointSensor : public Configured<Sensor, JointSettings> {
 public:
  void start(const SensorSetup& setup) override;
  std::span<const std::string> channels() const override { return channels_; }
  void simulate(const SimulationView& view, double period, std::span<double> out) override;

 protected:
  using Configured::Configured;
  /// Names of everything that could be measured.
  virtual std::vector<std::string> names(const Robot& robot) const = 0;
  virtual std::vector<int> chosen(const Robot& robot, const Value& indices) const = 0;
  /// Returns as many numbers as there are names.
  virtual const double* values(const RobotView& robot) const = 0;

 private:
  void checkCounts(const JointSettings& settings) const;
  double entry(const std::vector<double>& list, std::size_t i) const;

  std::size_t all_ = 0;       ///< Number that could be measured; 0 before the start.
  std::vector<int> indices_;  ///< Indices that are measured, in the order of the channels.
  std::vector<std::string> channels_;
  int robot_ = 0;
};

class JointPositionSensor final : public JointSensor {
 public:
  static JointSettings defaults() { return {"q", "rad or m", "Links"}; }
  explicit JointPositionSensor(const ComponentContext& context) : JointSensor(context, defaults()) {}

 private:
  std::vector<std::string> names(const Robot& robot) const override;
  std::vector<int> chosen(const Robot& robot, const Value& indices) const override;
  const double* values(const RobotView& robot) const override { return robot.state->q.data(); }
};

class JointVelocitySensor final : public JointSensor {
 public:
  static JointSettings defaults() { return {"dq", "rad/s or m/s", "Links", {"qvariance"}, {"qresolution"}}; }
  explicit JointVelocitySensor(const ComponentContext& context) : JointSensor(context, defaults()) {}

 private:
  std::vector<std::string> names(const Robot& robot) const override;
  std::vector<int> chosen(const Robot& robot, const Value& indices) const override;
  const double* values(const RobotView& robot) const override { return robot.state->dq.data(); }
};

class DriverTorqueSensor final : public JointSensor {
 public:
  static JointSettings defaults() { return {"t", "N*m or N", "Drivers"}; }
  explicit DriverTorqueSensor(const ComponentContext& context) : JointSensor(context, defaults()) {}

 private:
  std::vector<std::string> names(const Robot& robot) const override;
  std::vector<int> chosen(const Robot& robot, const Value& indices) const override;
  const double* values(const RobotView& robot) const override { return robot.driverTorques.data(); }
};

}  // namespace mortise::sensors
