#pragma once

#include "base_estimate.h"
#include "joint_estimate.h"
#include "mortise/component/estimator.h"
#include "mortise/settings/settings.h"

namespace mortise::estimators {

struct IntegratedSettings {
  JointEstimateSettings joints;
  BaseEstimateSettings base;
  void bind(SettingBinder& b);
  void check() const;
};

/// An estimate from the robot's own sensors, and, where they say nothing, from the commands of its motors.
class IntegratedStateEstimator final : public Estimator {
 public:
  explicit IntegratedStateEstimator(const ComponentContext& context);

  void start(const EstimatorSetup& setup) override;
  void readSensors(const EstimatorInput& input) override;
  void estimate(VectorXd& q, VectorXd& dq) const override;
  void readCommand(std::span<const ActuatorCommand> commands) override;
  void advance(double period) override;
  void save(ByteWriter& out) const override;
  void restore(ByteReader& in) override;

 private:
  Host& host_;
  Settings<IntegratedSettings> settings_;
  JointEstimate joints_;
  BaseEstimate base_;
  bool hasTime_ = false;
  double time_ = 0;  ///< Time of the last reading.
};

}  // namespace mortise::estimators
