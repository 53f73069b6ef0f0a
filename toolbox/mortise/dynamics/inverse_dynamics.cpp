#include "mortise/dynamics/robot_dynamics.h"
#include "mortise/dynamics/robot_dynamics_data.h"

namespace mortise {

using detail::cross;
using detail::dot;
using detail::transposeTimes;
using detail::V3;

/// Newton-Euler with accelerations of link origins; forces are taken at link origins, in world axes.
void RobotDynamics::Data::newtonEuler(const VectorXd* ddq, bool velocities, const Vector3d& gravity, VectorXd& tau,
                                      std::span<const LinkWrench> wrenches) {
  const V3 up = -1.0 * detail::v3(gravity);  // Standing still in gravity is accelerating upwards without it.
  for (int i = 0; i < n; ++i) {
    const LinkConstants& l = link[i];
    const LinkState& x = state[i];
    V3 al, a = up, w;
    if (l.parent >= 0) {
      const V3 arm = x.p - state[l.parent].p;
      al = alpha[l.parent];
      a = accel[l.parent] + cross(al, arm);
      if (velocities) {
        w = state[l.parent].w;
        a += cross(w, cross(w, arm));
      }
    }
    if (ddq != nullptr) (l.revolute ? al : a) += (*ddq)[i] * x.s;
    if (velocities && l.parent >= 0) {
      if (l.revolute)
        al += dq[i] * cross(w, x.s);
      else
        a += (2 * dq[i]) * cross(w, x.s);
    }
    alpha[i] = al;
    accel[i] = a;
    if (!l.hasMass) {
      force[i] = torque[i] = V3();
      continue;
    }
    const V3 arm = x.com - x.p;
    V3 ac = a + cross(al, arm);
    V3 moment = x.R * (l.inertia * transposeTimes(x.R, al));
    if (velocities) {
      ac += cross(x.w, cross(x.w, arm));
      moment += cross(x.w, x.R * (l.inertia * transposeTimes(x.R, x.w)));
    }
    force[i] = l.mass * ac;
    torque[i] = moment + cross(arm, force[i]);
  }
  for (const LinkWrench& wrench : wrenches) {
    force[wrench.link] -= detail::v3(wrench.force);
    torque[wrench.link] -= detail::v3(wrench.torque);
  }
  for (int i = n - 1; i >= 0; --i) {
    const LinkConstants& l = link[i];
    tau[i] = dot(state[i].s, l.revolute ? torque[i] : force[i]);
    if (l.parent < 0) continue;
    force[l.parent] += force[i];
    torque[l.parent] += torque[i] + cross(state[i].p - state[l.parent].p, force[i]);
  }
}

void RobotDynamics::inverseDynamics(const VectorXd& ddq, const Vector3d& gravity, VectorXd& tau,
                                    std::span<const LinkWrench> wrenches) {
  data_->newtonEuler(&ddq, data_->moving, gravity, tau, wrenches);
}

void RobotDynamics::coriolisForces(VectorXd& C) { data_->newtonEuler(nullptr, data_->moving, Vector3d::Zero(), C, {}); }

void RobotDynamics::gravityForces(const Vector3d& gravity, VectorXd& G) {
  Data& d = *data_;
  const V3 g = detail::v3(gravity);
  for (int i = 0; i < d.n; ++i) {
    d.subtreeMass[i] = d.link[i].mass;
    d.subtreeMoment[i] = d.link[i].mass * d.state[i].com;
  }
  for (int i = d.n - 1; i >= 0; --i) {
    const Data::LinkState& x = d.state[i];
    G[i] = d.link[i].revolute ? -dot(x.s, cross(d.subtreeMoment[i] - d.subtreeMass[i] * x.p, g))
                              : -d.subtreeMass[i] * dot(x.s, g);
    const int parent = d.link[i].parent;
    if (parent < 0) continue;
    d.subtreeMass[parent] += d.subtreeMass[i];
    d.subtreeMoment[parent] += d.subtreeMoment[i];
  }
}

}  // namespace mortise
