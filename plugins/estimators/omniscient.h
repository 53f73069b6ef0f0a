#pragma once

#include "mortise/component/estimator.h"

namespace mortise::estimators {

/// The state that the simulator knows, without error or delay. Refuses to start where there is no simulator.
class OmniscientStateEstimator final : public Estimator {
 public:
  explicit OmniscientStateEstimator(const ComponentContext&) {}

  void start(const EstimatorSetup& setup) override;
  void readSensors(const EstimatorInput& input) override;
  void estimate(VectorXd& q, VectorXd& dq) const override;
  void save(ByteWriter& out) const override;
  void restore(ByteReader& in) override;

 private:
  VectorXd q_, dq_;
};

}  // namespace mortise::estimators
