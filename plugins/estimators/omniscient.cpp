#include "omniscient.h"

#include "mortise/base/error.h"
#include "state_bytes.h"

namespace mortise::estimators {

void OmniscientStateEstimator::start(const EstimatorSetup& setup) {
  if (!setup.simulated)
    throw Error("OmniscientStateEstimator takes the state from a simulator, and robot '" + setup.robot.name() +
                    "' is not simulated here",
                {}, "use IntegratedStateEstimator, which reads the robot's sensors");
  q_ = setup.q;
  dq_ = VectorXd::Zero(setup.robot.numLinks());
}

void OmniscientStateEstimator::readSensors(const EstimatorInput& input) {
  if (input.truth == nullptr)
    throw Error("OmniscientStateEstimator was promised the simulator's state, but there is none");
  q_ = input.truth->q;
  dq_ = input.truth->dq;
}

void OmniscientStateEstimator::estimate(VectorXd& q, VectorXd& dq) const {
  q = q_;
  dq = dq_;
}

void OmniscientStateEstimator::save(ByteWriter& out) const {
  putVector(out, q_);
  putVector(out, dq_);
}

void OmniscientStateEstimator::restore(ByteReader& in) {
  getFiniteVector(in, q_);
  getFiniteVector(in, dq_);
}

}  // namespace mortise::estimators
