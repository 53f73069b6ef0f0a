#include "mortise/base/expect.h"
#include "mortise/dynamics/robot_dynamics.h"
#include "mortise/dynamics/robot_dynamics_data.h"
#include "mortise/dynamics/sweeps.h"

namespace mortise {

using detail::cross;
using detail::kLanes;
using detail::V3;

void RobotDynamics::Data::newtonEuler(const VectorXd* ddq, bool velocities, const Vector3d& gravity,
                                      std::span<const LinkWrench> wrenches) {
  for (const LinkWrench& wrench : wrenches) MORTISE_REQUIRE_INDEX(wrench.link, n, "links");
  if (ddq != nullptr || velocities)
    needInertias();
  else
    needMotions();
  if (ddq != nullptr) std::copy_n(ddq->data(), n, in.data()->v);
  // Standing still in gravity is accelerating upwards without it.
  detail::sweeps().linkForces(*this, ddq != nullptr, velocities, -1.0 * detail::v3(gravity));
  for (const LinkWrench& wrench : wrenches) {
    const V3 f = detail::v3(wrench.force);
    const V3 m = detail::v3(wrench.torque) + cross(origin(wrench.link) - reference(), f);
    detail::Lanes* F = block[wrench.link / kLanes].F;
    const double numbers[6] = {m.x, m.y, m.z, f.x, f.y, f.z};
    for (int k = 0; k < 6; ++k) F[k].v[wrench.link % kLanes] -= numbers[k];
  }
  detail::sweeps().jointForces(*this);
}

void RobotDynamics::inverseDynamics(const VectorXd& ddq, const Vector3d& gravity, VectorXd& tau,
                                    std::span<const LinkWrench> wrenches) {
  MORTISE_REQUIRE_SIZE(ddq, data_->n, "one for each link");
  MORTISE_REQUIRE_SIZE(tau, data_->n, "one for each link");
  MORTISE_EXPECT_FINITE(ddq);
  MORTISE_EXPECT_FINITE(gravity);
  Data& d = *data_;
  d.newtonEuler(&ddq, d.moving, gravity, wrenches);
  std::copy_n(d.out.data()->v, d.n, tau.data());
}

void RobotDynamics::biasForces(const Vector3d& gravity, VectorXd& forces, std::span<const LinkWrench> wrenches) {
  MORTISE_REQUIRE_SIZE(forces, data_->n, "one for each link");
  MORTISE_EXPECT_FINITE(gravity);
  Data& d = *data_;
  d.newtonEuler(nullptr, d.moving, gravity, wrenches);
  std::copy_n(d.out.data()->v, d.n, forces.data());
}

void RobotDynamics::coriolisForces(VectorXd& C) {
  MORTISE_REQUIRE_SIZE(C, data_->n, "one for each link");
  Data& d = *data_;
  d.newtonEuler(nullptr, d.moving, Vector3d::Zero(), {});
  std::copy_n(d.out.data()->v, d.n, C.data());
}

void RobotDynamics::gravityForces(const Vector3d& gravity, VectorXd& G) {
  MORTISE_REQUIRE_SIZE(G, data_->n, "one for each link");
  MORTISE_EXPECT_FINITE(gravity);
  Data& d = *data_;
  d.newtonEuler(nullptr, false, gravity, {});
  std::copy_n(d.out.data()->v, d.n, G.data());
}

}  // namespace mortise
