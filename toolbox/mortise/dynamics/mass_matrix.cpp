#include "mortise/dynamics/robot_dynamics.h"
#include "mortise/dynamics/robot_dynamics_data.h"

namespace mortise {

using detail::cross;
using detail::dot;
using detail::S3;
using detail::V3;

void RobotDynamics::Data::jointMotion(int i, const V3& origin, V3& Sw, V3& Sv) const {
  const LinkState& x = state[i];
  if (link[i].revolute) {
    Sw = x.s;
    Sv = cross(x.p - origin, x.s);
  } else {
    Sw = V3();
    Sv = x.s;
  }
}

RobotDynamics::Data::RigidInertia RobotDynamics::Data::worldInertia(int i, const V3& origin) const {
  const LinkConstants& l = link[i];
  RigidInertia result;
  if (!l.hasMass) return result;
  const V3 c = state[i].com - origin;
  result.mass = l.mass;
  result.moment = l.mass * c;
  result.inertia = detail::rotated(state[i].R, l.inertia);
  const V3& h = result.moment;
  S3& I = result.inertia;  // Parallel axes.
  I.xx += h.y * c.y + h.z * c.z;
  I.yy += h.x * c.x + h.z * c.z;
  I.zz += h.x * c.x + h.y * c.y;
  I.xy -= h.x * c.y;
  I.xz -= h.x * c.z;
  I.yz -= h.y * c.z;
  return result;
}

void RobotDynamics::massMatrix(Eigen::Ref<Eigen::MatrixXd> B) {
  Data& d = *data_;
  const V3 origin = d.reference();
  for (int i = 0; i < d.n; ++i) {
    d.composite[i] = d.worldInertia(i, origin);
    d.jointMotion(i, origin, d.sweep[i].Sw, d.sweep[i].Sv);
  }
  B.setZero();
  for (int i = d.n - 1; i >= 0; --i) {
    const Data::RigidInertia& I = d.composite[i];
    const V3& w = d.sweep[i].Sw;
    const V3& v = d.sweep[i].Sv;
    const V3 n = I.inertia * w + cross(I.moment, v);
    const V3 f = I.mass * v - cross(I.moment, w);
    for (int j = i; j >= 0; j = d.link[j].parent)
      B(i, j) = B(j, i) = d.link[j].revolute ? dot(d.sweep[j].Sw, n) + dot(d.sweep[j].Sv, f) : dot(d.sweep[j].Sv, f);
    const int parent = d.link[i].parent;
    if (parent < 0) continue;
    Data::RigidInertia& P = d.composite[parent];
    P.mass += I.mass;
    P.moment += I.moment;
    P.inertia += I.inertia;
  }
}

}  // namespace mortise
