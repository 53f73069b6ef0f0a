#include "mortise/base/expect.h"
#include "mortise/dynamics/robot_dynamics.h"
#include "mortise/dynamics/robot_dynamics_data.h"
#include "mortise/dynamics/sweeps.h"

namespace mortise {

using detail::cross;
using detail::dot;
using detail::kLanes;
using detail::S3;
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

using Body = RobotDynamics::Data::Careful;

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

/// Articulated bodies in world axes, each about the origin of its link: light links far from the base keep their
/// digits.
void RobotDynamics::Data::solveCarefully(VectorXd& result) {
  for (int i = 0; i < n; ++i) {
    Body& b = careful[i];
    const double m = link[i].mass;
    const V3 c = turn(i) * link[i].com;
    const V3 h = m * c;
    b.A = detail::rotated(turn(i), link[i].inertia);
    b.A += S3{h.y * c.y + h.z * c.z, h.x * c.x + h.z * c.z, h.x * c.x + h.y * c.y, -h.x * c.y, -h.x * c.z, -h.y * c.z};
    b.M = {m, m, m, 0, 0, 0};
    const double H[9] = {0, -h.z, h.y, h.z, 0, -h.x, -h.y, h.x, 0};
    std::copy(H, H + 9, b.H);
    b.pn = b.pf = V3();
    b.size = {};
  }
  for (int i = n - 1; i >= 0; --i) {
    Body& b = careful[i];
    const V3 s = axis(i);
    const bool revolute = link[i].revolute;
    b.Un = revolute ? b.A * s : times(b.H, s);
    b.Uf = revolute ? transposeTimes(b.H, s) : b.M * s;
    b.u = in[i / kLanes].v[i % kLanes] - dot(s, revolute ? b.pn : b.pf);
    const double D = dot(s, revolute ? b.Un : b.Uf);
    b.size.angular += b.A.xx + b.A.yy + b.A.zz;
    b.size.linear += b.M.xx + b.M.yy + b.M.zz;
    b.inverseD = D > kNoInertia * dot(s, s) * (revolute ? b.size.angular : b.size.linear) ? 1 / D : 0;
    if (parent[i] < 0) continue;
    // The part of the articulated inertia that the joint does not take up.
    const double k = b.inverseD;
    const V3 n1 = k * b.Un, f1 = k * b.Uf;
    b.A.xx -= n1.x * b.Un.x, b.A.yy -= n1.y * b.Un.y, b.A.zz -= n1.z * b.Un.z;
    b.A.xy -= n1.x * b.Un.y, b.A.xz -= n1.x * b.Un.z, b.A.yz -= n1.y * b.Un.z;
    b.M.xx -= f1.x * b.Uf.x, b.M.yy -= f1.y * b.Uf.y, b.M.zz -= f1.z * b.Uf.z;
    b.M.xy -= f1.x * b.Uf.y, b.M.xz -= f1.x * b.Uf.z, b.M.yz -= f1.y * b.Uf.z;
    b.H[0] -= n1.x * b.Uf.x, b.H[1] -= n1.x * b.Uf.y, b.H[2] -= n1.x * b.Uf.z;
    b.H[3] -= n1.y * b.Uf.x, b.H[4] -= n1.y * b.Uf.y, b.H[5] -= n1.y * b.Uf.z;
    b.H[6] -= n1.z * b.Uf.x, b.H[7] -= n1.z * b.Uf.y, b.H[8] -= n1.z * b.Uf.z;
    const V3 pn = b.pn + (k * b.u) * b.Un;
    const V3 pf = b.pf + (k * b.u) * b.Uf;
    const V3 r = origin(i) - origin(parent[i]);
    shift(b, r);
    Body& to = careful[parent[i]];
    to.A += b.A;
    to.M += b.M;
    for (int j = 0; j < 9; ++j) to.H[j] += b.H[j];
    to.size.angular += b.size.angular + dot(r, r) * b.size.linear;
    to.size.linear += b.size.linear;
    to.pn += pn + cross(r, pf);
    to.pf += pf;
  }
  for (int i = 0; i < n; ++i) {
    Body& b = careful[i];
    b.aw = b.av = V3();
    if (parent[i] >= 0) {
      const Body& above = careful[parent[i]];
      b.aw = above.aw;
      b.av = above.av + cross(above.aw, origin(i) - origin(parent[i]));
    }
    result[i] = b.inverseD * (b.u - dot(b.Un, b.aw) - dot(b.Uf, b.av));
    (link[i].revolute ? b.aw : b.av) += result[i] * axis(i);
  }
}

void RobotDynamics::Data::solve(VectorXd& result) {
  const detail::Sweeps& sweeps = detail::sweeps();
  if (haveFactor) {
    if (factorIsGood) sweeps.reduce(*this);
  } else {
    needInertias();
    factorIsGood = sweeps.factor(*this);
    haveFactor = true;
  }
  if (!factorIsGood) return solveCarefully(result);
  sweeps.spread(*this);
  std::copy_n(out.data()->v, n, result.data());
}

void RobotDynamics::forwardDynamics(const VectorXd& tau, const Vector3d& gravity, VectorXd& ddq,
                                    std::span<const LinkWrench> wrenches) {
  MORTISE_REQUIRE_SIZE(tau, data_->n, "one for each link");
  MORTISE_REQUIRE_SIZE(ddq, data_->n, "one for each link");
  MORTISE_EXPECT_FINITE(tau);
  MORTISE_EXPECT_FINITE(gravity);
  Data& d = *data_;
  d.newtonEuler(nullptr, d.moving, gravity, wrenches);
  for (int i = 0; i < d.n; ++i) d.in[i / kLanes].v[i % kLanes] = tau[i] - d.out[i / kLanes].v[i % kLanes];
  d.solve(ddq);
}

void RobotDynamics::solveMassMatrix(const VectorXd& x, VectorXd& result) {
  MORTISE_REQUIRE_SIZE(x, data_->n, "one for each link");
  MORTISE_REQUIRE_SIZE(result, data_->n, "one for each link");
  MORTISE_EXPECT_FINITE(x);
  Data& d = *data_;
  std::copy_n(x.data(), d.n, d.in.data()->v);
  d.solve(result);
}

}  // namespace mortise
