#include "mortise/base/expect.h"
#include "mortise/dynamics/robot_dynamics.h"
#include "mortise/dynamics/robot_dynamics_data.h"
#include "mortise/dynamics/sweeps.h"

namespace mortise {

void RobotDynamics::massMatrix(Eigen::Ref<Eigen::MatrixXd> B) {
  MORTISE_REQUIRE_SHAPE(B, data_->n, data_->n);
  data_->needInertias();
  detail::sweeps().massMatrix(*data_, B.data(), B.outerStride());
}

}  // namespace mortise
