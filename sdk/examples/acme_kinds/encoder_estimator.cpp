// An estimator: positions from the joint encoders, velocities from their filtered differences.

#include <cmath>

#include "mortise/plugin/plugin.h"
#include "mortise/settings/settings.h"

namespace acme {

struct EncoderSettings {
  double timeConstant = 0.01;  // s

  void bind(mortise::SettingBinder& b) {
    b.add("time_constant", timeConstant, "Of the filter.", {.min = 1e-6, .unit = "s"});
  }
};

class EncoderEstimator final : public mortise::Estimator {
 public:
  explicit EncoderEstimator(const mortise::ComponentContext& context) : settings_(context.settings) {}

  void start(const mortise::EstimatorSetup& setup) override {
    period_ = setup.period;
    q_ = setup.q;  // Memory is taken here.
    dq_ = mortise::VectorXd::Zero(q_.size());
    first_ = true;
    for (const mortise::SensorReading& reading : setup.sensors)
      if (encoders(reading)) return;
    throw mortise::Error("robot '" + setup.robot.name() + "' has no sensor of the positions of all links", {},
                         "give it one: <JointPositionSensor/> below <sensors>");
  }

  void readSensors(const mortise::EstimatorInput& input) override {
    for (const mortise::SensorReading& reading : input.sensors) {
      if (!encoders(reading)) continue;
      const double weight = 1 - std::exp(-period_ / settings_->timeConstant);
      for (Eigen::Index i = 0; i < q_.size(); ++i) {
        const double q = reading.values[static_cast<std::size_t>(i)];
        if (!first_) dq_[i] += weight * ((q - q_[i]) / period_ - dq_[i]);
        q_[i] = q;
      }
      first_ = false;
      return;
    }
  }

  // Both have one entry a link; another size is a fault.
  void estimate(mortise::VectorXd& q, mortise::VectorXd& dq) const override {
    q = q_;
    dq = dq_;
  }

  void save(mortise::ByteWriter& out) const override {
    out.append(q_.data(), static_cast<std::size_t>(q_.size()) * sizeof(double));
    out.append(dq_.data(), static_cast<std::size_t>(dq_.size()) * sizeof(double));
    out.put(first_);
  }
  void restore(mortise::ByteReader& in) override {
    for (double& number : q_) in.get(number);
    for (double& number : dq_) in.get(number);
    in.get(first_);
  }

 private:
  bool encoders(const mortise::SensorReading& reading) const {
    return reading.hasRole(mortise::role::kJointPositions) &&
           reading.values.size() == static_cast<std::size_t>(q_.size());
  }

  mortise::Settings<EncoderSettings> settings_;
  double period_ = 0;
  mortise::VectorXd q_, dq_;
  bool first_ = true;
};

}  // namespace acme

MORTISE_PLUGIN("acme_estimator", "1.0.0") {
  plugin.estimator<acme::EncoderEstimator>("acme.EncoderEstimator")
      .summary("Positions from encoders, velocities from their filtered differences.")
      .settings<acme::EncoderSettings>();
}
