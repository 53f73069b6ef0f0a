#include "mortise/dynamics/robot_dynamics.h"
#include "mortise/dynamics/robot_dynamics_data.h"

namespace mortise {

using detail::cross;
using detail::dot;
using detail::V3;

namespace {

inline V3 times(const double* H, const V3& v) {
  return {H[0] * v.x + H[1] * v.y + H[2] * v.z, H[3] * v.x + H[4] * v.y + H[5] * v.z,
          H[6] * v.x + H[7] * v.y + H[8] * v.z};
}
inline V3 transposeTimes(const double* H, const V3& v) {
  return {H[0] * v.x + H[3] * v.y + H[6] * v.z, H[1] * v.x + H[4] * v.y + H[7] * v.z,
          H[2] * v.x + H[5] * v.y + H[8] * v.z};
}

/// An inertia this much smaller than what it is made of is rounding.
constexpr double kNoInertia = 1e-13;

}  // namespace

/// Articulated bodies with all spatial vectors in world axes about one point: nothing is transformed between links.
void RobotDynamics::Data::articulatedBodies(const VectorXd& tau, bool velocities, const Vector3d& gravity,
                                            VectorXd& ddq, std::span<const LinkWrench> wrenches) {
  const V3 origin = reference();
  for (int i = 0; i < n; ++i) {
    Sweep& s = sweep[i];
    jointMotion(i, origin, s.Sw, s.Sv);
    const RigidInertia I = worldInertia(i, origin);
    const V3& h = I.moment;
    Articulated& b = body[i];
    b.A = I.inertia;
    b.M = {I.mass, I.mass, I.mass, 0, 0, 0};
    const double H[9] = {0, -h.z, h.y, h.z, 0, -h.x, -h.y, h.x, 0};
    std::copy(H, H + 9, b.H);
    s.pn = s.pf = s.cw = s.cv = V3();
    if (!velocities) continue;
    s.Vw = state[i].w;
    s.Vv = state[i].v + cross(state[i].w, origin - state[i].p);  // Of the body point at the reference.
    const V3 jw = dq[i] * s.Sw, jv = dq[i] * s.Sv;
    s.cw = cross(s.Vw, jw);
    s.cv = cross(s.Vw, jv) + cross(s.Vv, jw);
    if (!link[i].hasMass) continue;
    const V3 angular = I.inertia * s.Vw + cross(h, s.Vv);
    const V3 linear = I.mass * s.Vv - cross(h, s.Vw);
    s.pn = cross(s.Vw, angular) + cross(s.Vv, linear);
    s.pf = cross(s.Vw, linear);
  }
  for (const LinkWrench& wrench : wrenches) {
    Sweep& s = sweep[wrench.link];
    const V3 f = detail::v3(wrench.force);
    s.pf -= f;
    s.pn -= detail::v3(wrench.torque) + cross(state[wrench.link].p - origin, f);
  }
  for (int i = n - 1; i >= 0; --i) {
    Sweep& s = sweep[i];
    Articulated& b = body[i];
    s.Un = times(b.H, s.Sv);
    s.Uf = b.M * s.Sv;
    double scale = std::abs(s.Sv.x * s.Uf.x) + std::abs(s.Sv.y * s.Uf.y) + std::abs(s.Sv.z * s.Uf.z);
    if (link[i].revolute) {
      const V3 rotational = b.A * s.Sw;
      scale += std::abs(s.Sw.x * rotational.x) + std::abs(s.Sw.y * rotational.y) + std::abs(s.Sw.z * rotational.z);
      s.Un += rotational;
      s.Uf += transposeTimes(b.H, s.Sw);
    }
    const double D = dot(s.Sw, s.Un) + dot(s.Sv, s.Uf);
    s.u = tau[i] - dot(s.Sw, s.pn) - dot(s.Sv, s.pf);
    s.inverseD = D > kNoInertia * scale ? 1 / D : 0;
    const int parent = link[i].parent;
    if (parent < 0) continue;
    // The part of the articulated inertia that the joint does not take up.
    const double k = s.inverseD;
    const V3 n1 = k * s.Un, f1 = k * s.Uf;
    Articulated a = b;
    a.A.xx -= n1.x * s.Un.x, a.A.yy -= n1.y * s.Un.y, a.A.zz -= n1.z * s.Un.z;
    a.A.xy -= n1.x * s.Un.y, a.A.xz -= n1.x * s.Un.z, a.A.yz -= n1.y * s.Un.z;
    a.M.xx -= f1.x * s.Uf.x, a.M.yy -= f1.y * s.Uf.y, a.M.zz -= f1.z * s.Uf.z;
    a.M.xy -= f1.x * s.Uf.y, a.M.xz -= f1.x * s.Uf.z, a.M.yz -= f1.y * s.Uf.z;
    a.H[0] -= n1.x * s.Uf.x, a.H[1] -= n1.x * s.Uf.y, a.H[2] -= n1.x * s.Uf.z;
    a.H[3] -= n1.y * s.Uf.x, a.H[4] -= n1.y * s.Uf.y, a.H[5] -= n1.y * s.Uf.z;
    a.H[6] -= n1.z * s.Uf.x, a.H[7] -= n1.z * s.Uf.y, a.H[8] -= n1.z * s.Uf.z;
    V3 pn = s.pn + (k * s.u) * s.Un;
    V3 pf = s.pf + (k * s.u) * s.Uf;
    if (velocities) {
      pn += a.A * s.cw + times(a.H, s.cv);
      pf += transposeTimes(a.H, s.cw) + a.M * s.cv;
    }
    Articulated& to = body[parent];
    to.A += a.A;
    to.M += a.M;
    for (int j = 0; j < 9; ++j) to.H[j] += a.H[j];
    sweep[parent].pn += pn;
    sweep[parent].pf += pf;
  }
  const V3 up = -1.0 * detail::v3(gravity);
  for (int i = 0; i < n; ++i) {
    Sweep& s = sweep[i];
    const int parent = link[i].parent;
    V3 aw = s.cw, av = s.cv;
    if (parent >= 0) {
      aw += sweep[parent].aw;
      av += sweep[parent].av;
    } else {
      av += up;
    }
    ddq[i] = s.inverseD * (s.u - dot(s.Un, aw) - dot(s.Uf, av));
    s.aw = aw + ddq[i] * s.Sw;
    s.av = av + ddq[i] * s.Sv;
  }
}

void RobotDynamics::forwardDynamics(const VectorXd& tau, const Vector3d& gravity, VectorXd& ddq,
                                    std::span<const LinkWrench> wrenches) {
  data_->articulatedBodies(tau, data_->moving, gravity, ddq, wrenches);
}

void RobotDynamics::solveMassMatrix(const VectorXd& x, VectorXd& result) {
  data_->articulatedBodies(x, false, Vector3d::Zero(), result, {});
}

}  // namespace mortise
