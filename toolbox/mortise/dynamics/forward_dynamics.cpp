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

/// An inertia this much smaller than what it was before joints took their part is rounding: two joints in line with
/// nothing in between, for example, have one inertia to share.
constexpr double kNoInertia = 1e-13;

using Body = RobotDynamics::Data::Articulated;

/// The same articulated body with motions and forces taken at a point that is at -r from here.
inline void shift(Body& b, const V3& r) {
  // Columns of [r] M, M symmetric.
  const V3 m0 = cross(r, {b.M.xx, b.M.xy, b.M.xz}), m1 = cross(r, {b.M.xy, b.M.yy, b.M.yz}),
           m2 = cross(r, {b.M.xz, b.M.yz, b.M.zz});
  const double H[9] = {b.H[0] + m0.x, b.H[1] + m1.x, b.H[2] + m2.x, b.H[3] + m0.y, b.H[4] + m1.y,
                       b.H[5] + m2.y, b.H[6] + m0.z, b.H[7] + m1.z, b.H[8] + m2.z};
  // A + ([r] H_old')' + [r] H_new': rows of H are columns of H'.
  const V3 o0 = cross(r, {b.H[0], b.H[1], b.H[2]}), o1 = cross(r, {b.H[3], b.H[4], b.H[5]}),
           o2 = cross(r, {b.H[6], b.H[7], b.H[8]});
  const V3 n0 = cross(r, {H[0], H[1], H[2]}), n1 = cross(r, {H[3], H[4], H[5]}), n2 = cross(r, {H[6], H[7], H[8]});
  b.A.xx += o0.x + n0.x;
  b.A.yy += o1.y + n1.y;
  b.A.zz += o2.z + n2.z;
  b.A.xy += o0.y + n1.x;
  b.A.xz += o0.z + n2.x;
  b.A.yz += o1.z + n2.y;
  std::copy(H, H + 9, b.H);
}

}  // namespace

/// Articulated bodies in world axes, each about the origin of its link: nothing is rotated between links, and light
/// links far from the base keep their digits.
void RobotDynamics::Data::articulatedBodies(const VectorXd& tau, bool velocities, const Vector3d& gravity,
                                            VectorXd& ddq, std::span<const LinkWrench> wrenches) {
  for (int i = 0; i < n; ++i) {
    Sweep& s = sweep[i];
    const LinkState& x = state[i];
    const RigidInertia I = worldInertia(i, x.p);
    const V3& h = I.moment;
    Articulated& b = body[i];
    b.A = I.inertia;
    b.M = {I.mass, I.mass, I.mass, 0, 0, 0};
    const double H[9] = {0, -h.z, h.y, h.z, 0, -h.x, -h.y, h.x, 0};
    std::copy(H, H + 9, b.H);
    s.pn = s.pf = s.cw = s.cv = V3();
    s.sizeA = s.sizeM = 0;
    if (!velocities) continue;
    if (link[i].revolute) {
      s.cw = dq[i] * cross(x.w, x.s);
      s.cv = dq[i] * cross(x.v, x.s);
    } else {
      s.cv = dq[i] * cross(x.w, x.s);
    }
    if (!link[i].hasMass) continue;
    const V3 angular = I.inertia * x.w + cross(h, x.v);
    const V3 linear = I.mass * x.v - cross(h, x.w);
    s.pn = cross(x.w, angular) + cross(x.v, linear);
    s.pf = cross(x.w, linear);
  }
  for (const LinkWrench& wrench : wrenches) {
    sweep[wrench.link].pf -= detail::v3(wrench.force);
    sweep[wrench.link].pn -= detail::v3(wrench.torque);
  }
  for (int i = n - 1; i >= 0; --i) {
    Sweep& s = sweep[i];
    Articulated& b = body[i];
    const V3& axis = state[i].s;
    if (link[i].revolute) {
      s.Un = b.A * axis;
      s.Uf = transposeTimes(b.H, axis);
      s.u = tau[i] - dot(axis, s.pn);
    } else {
      s.Un = times(b.H, axis);
      s.Uf = b.M * axis;
      s.u = tau[i] - dot(axis, s.pf);
    }
    const double D = dot(axis, link[i].revolute ? s.Un : s.Uf);
    s.sizeA += b.A.xx + b.A.yy + b.A.zz;
    s.sizeM += b.M.xx + b.M.yy + b.M.zz;
    s.inverseD = D > kNoInertia * dot(axis, axis) * (link[i].revolute ? s.sizeA : s.sizeM) ? 1 / D : 0;
    const int parent = link[i].parent;
    if (parent < 0) continue;
    // The part of the articulated inertia that the joint does not take up.
    const double k = s.inverseD;
    const V3 n1 = k * s.Un, f1 = k * s.Uf;
    b.A.xx -= n1.x * s.Un.x, b.A.yy -= n1.y * s.Un.y, b.A.zz -= n1.z * s.Un.z;
    b.A.xy -= n1.x * s.Un.y, b.A.xz -= n1.x * s.Un.z, b.A.yz -= n1.y * s.Un.z;
    b.M.xx -= f1.x * s.Uf.x, b.M.yy -= f1.y * s.Uf.y, b.M.zz -= f1.z * s.Uf.z;
    b.M.xy -= f1.x * s.Uf.y, b.M.xz -= f1.x * s.Uf.z, b.M.yz -= f1.y * s.Uf.z;
    b.H[0] -= n1.x * s.Uf.x, b.H[1] -= n1.x * s.Uf.y, b.H[2] -= n1.x * s.Uf.z;
    b.H[3] -= n1.y * s.Uf.x, b.H[4] -= n1.y * s.Uf.y, b.H[5] -= n1.y * s.Uf.z;
    b.H[6] -= n1.z * s.Uf.x, b.H[7] -= n1.z * s.Uf.y, b.H[8] -= n1.z * s.Uf.z;
    V3 pn = s.pn + (k * s.u) * s.Un;
    V3 pf = s.pf + (k * s.u) * s.Uf;
    if (velocities) {
      pn += b.A * s.cw + times(b.H, s.cv);
      pf += transposeTimes(b.H, s.cw) + b.M * s.cv;
    }
    const V3 r = state[i].p - state[parent].p;
    shift(b, r);
    Articulated& to = body[parent];
    to.A += b.A;
    to.M += b.M;
    for (int j = 0; j < 9; ++j) to.H[j] += b.H[j];
    sweep[parent].sizeA += s.sizeA + dot(r, r) * s.sizeM;
    sweep[parent].sizeM += s.sizeM;
    sweep[parent].pn += pn + cross(r, pf);
    sweep[parent].pf += pf;
  }
  const V3 up = -1.0 * detail::v3(gravity);
  for (int i = 0; i < n; ++i) {
    Sweep& s = sweep[i];
    const int parent = link[i].parent;
    V3 aw = s.cw, av = s.cv;
    if (parent >= 0) {
      const Sweep& above = sweep[parent];
      aw += above.aw;
      av += above.av + cross(above.aw, state[i].p - state[parent].p);
    } else {
      av += up;
    }
    ddq[i] = s.inverseD * (s.u - dot(s.Un, aw) - dot(s.Uf, av));
    (link[i].revolute ? aw : av) += ddq[i] * state[i].s;
    s.aw = aw;
    s.av = av;
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
