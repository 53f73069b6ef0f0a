#include "mortise/dynamics/robot_dynamics.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cstdint>
#include <numeric>

#include "mortise/base/expect.h"
#include "mortise/dynamics/robot_dynamics_data.h"
#include "mortise/dynamics/sweeps.h"

namespace mortise {

using detail::cross;
using detail::dot;
using detail::eigen;
using detail::kLanes;
using detail::V3;

namespace {

/// A right-handed frame whose z is `axis`; a permutation of the given one where that will do, so that nothing is
/// rounded.
Matrix3d frameAlong(const Vector3d& axis) {
  Matrix3d A = Matrix3d::Identity();
  for (int k = 0; k < 3; ++k) {
    if (std::abs(axis[k]) != 1) continue;
    const int next = (k + 1) % 3, last = (k + 2) % 3;
    A.col(0) = Vector3d::Unit(axis[k] > 0 ? next : last);
    A.col(1) = Vector3d::Unit(axis[k] > 0 ? last : next);
    A.col(2) = axis;
    return A;
  }
  if (axis.isZero(0)) return A;
  int smallest = 0;
  axis.cwiseAbs().minCoeff(&smallest);
  A.col(2) = axis;
  A.col(0) = Vector3d::Unit(smallest).cross(axis).normalized();
  A.col(1) = axis.cross(A.col(0));
  return A;
}

void setLane(detail::Lanes* to, int lane, const V3& v) {
  to[0].v[lane] = v.x;
  to[1].v[lane] = v.y;
  to[2].v[lane] = v.z;
}

std::vector<detail::MassTile> massTiles(const Robot& robot, int blocks) {
  std::vector<detail::MassTile> tiles;
  for (int row = 0; row < blocks; ++row)
    for (int column = 0; column <= row; ++column) {
      detail::MassTile tile;
      tile.row = static_cast<std::int16_t>(row);
      tile.column = static_cast<std::int16_t>(column);
      for (int i = 0; i < kLanes; ++i)
        for (int j = 0; j < kLanes; ++j) {
          const int below = kLanes * row + i, above = kLanes * column + j;
          if (below >= robot.numLinks() || above > below || !robot.isAncestor(above, below)) continue;
          tile.related = static_cast<std::uint16_t>(tile.related | 1 << (kLanes * i + j));
        }
      tiles.push_back(tile);
    }
  return tiles;
}

}  // namespace

RobotDynamics::Data::Data(RobotPtr robotPtr) : robot(std::move(robotPtr)), n(robot->numLinks()) {
  blocks = (n + kLanes - 1) / kLanes;
  link.resize(n);
  parent.resize(n);
  constants.resize(blocks);
  for (auto* padded : {&q, &dq, &in, &out}) padded->resize(blocks);
  frames.resize(kLanes * blocks + 1);
  for (int k = 0; k < 3; ++k) frames[0].c[k].v[k] = 1;
  block.resize(blocks);
  body.resize(kLanes * blocks);
  jointTerms.resize(kLanes * blocks);
  size.resize(kLanes * blocks);
  careful.resize(n);
  massBelow.resize(n);
  momentBelow.resize(n);
  std::vector<Matrix3d> inside(n);
  std::vector<int> depth(n, 0);
  bool found = false;
  for (int i = 0; i < n; ++i) {
    const Link& from = robot->link(i);
    LinkConstants& to = link[i];
    parent[i] = from.parent;
    to.revolute = from.motion == LinkMotion::revolute;
    to.rate = from.axis.norm();
    inside[i] = frameAlong(to.rate > 0 ? Vector3d(from.axis / to.rate) : Vector3d::Zero());
    to.turned = inside[i] != Matrix3d::Identity();
    to.file = detail::m3(inside[i].transpose());
    to.mass = from.inertia.mass;
    to.com = detail::v3(inside[i].transpose() * from.inertia.com);
    to.inertia = detail::s3(inside[i].transpose() * from.inertia.inertia * inside[i]);
    to.hasMass = from.inertia.mass != 0 || from.inertia.inertia != Matrix3d::Zero();
    totalMass += to.mass;
    if (to.hasMass && !found) {
      found = true;
      referenceLink = i;
    }
    detail::LinkBlockConstants& k = constants[i / kLanes];
    const int lane = i % kLanes;
    (to.revolute ? k.turn : k.slide).v[lane] = to.rate;
    const Matrix3d above = from.parent < 0 ? Matrix3d::Identity() : inside[from.parent];
    const Matrix3d C = above.transpose() * from.X_PL0.R * inside[i];
    for (int j = 0; j < 3; ++j) setLane(k.C + 3 * j, lane, detail::v3(C.col(j)));
    setLane(k.p0, lane, detail::v3(above.transpose() * from.X_PL0.p));
    k.mass.v[lane] = to.mass;
    setLane(k.com, lane, to.com);
    const double I[6] = {to.inertia.xx, to.inertia.yy, to.inertia.zz, to.inertia.xy, to.inertia.xz, to.inertia.yz};
    for (int j = 0; j < 6; ++j) k.I[j].v[lane] = I[j];
    k.hasMass = k.hasMass || to.hasMass;
    if (from.parent >= 0) depth[i] = depth[from.parent] + 1;
  }
  leavesFirst.resize(n);
  std::iota(leavesFirst.begin(), leavesFirst.end(), 0);
  std::stable_sort(leavesFirst.begin(), leavesFirst.end(), [&](int a, int b) { return depth[a] > depth[b]; });
  tiles = massTiles(*robot, blocks);
}

void RobotDynamics::Data::setPosition(const VectorXd& position) {
  std::copy_n(position.data(), n, q.data()->v);
  haveMotions = haveInertias = haveFactor = false;
  detail::sweeps().place(*this);
}

void RobotDynamics::Data::needMotions() {
  if (haveMotions) return;
  detail::sweeps().motions(*this);
  haveMotions = true;
}

void RobotDynamics::Data::needInertias() {
  needMotions();
  if (haveInertias) return;
  detail::sweeps().inertias(*this);
  haveInertias = true;
}

RobotDynamics::RobotDynamics(RobotPtr robot) : data_(std::make_unique<Data>(std::move(robot))) {
  setPosition(data_->robot->initialConfiguration());
}
RobotDynamics::~RobotDynamics() = default;
RobotDynamics::RobotDynamics(RobotDynamics&&) noexcept = default;
RobotDynamics& RobotDynamics::operator=(RobotDynamics&&) noexcept = default;

const Robot& RobotDynamics::robot() const { return *data_->robot; }

void RobotDynamics::setPosition(const VectorXd& q) {
  MORTISE_REQUIRE_SIZE(q, data_->n, "one for each link");
  MORTISE_EXPECT_FINITE(q);
  Data& d = *data_;
  d.setPosition(q);
  if (!d.moving) return;
  d.moving = false;
  std::fill(d.dq.begin(), d.dq.end(), detail::Lanes());
  for (detail::LinkBlock& block : d.block) std::fill(block.V, block.V + 6, detail::Lanes());
}

void RobotDynamics::setState(const VectorXd& q, const VectorXd& dq) {
  MORTISE_REQUIRE_SIZE(q, data_->n, "one for each link");
  MORTISE_REQUIRE_SIZE(dq, data_->n, "one for each link");
  MORTISE_EXPECT_FINITE(q);
  MORTISE_EXPECT_FINITE(dq);
  Data& d = *data_;
  d.setPosition(q);
  std::copy_n(dq.data(), d.n, d.dq.data()->v);
  d.moving = true;
  d.needMotions();
  detail::sweeps().velocities(d);
}

RigidTransform RobotDynamics::X_WL(int link) const {
  MORTISE_REQUIRE_INDEX(link, data_->n, "links");
  return {eigen(data_->rotation(link)), eigen(data_->origin(link))};
}

Vector3d RobotDynamics::angularVelocity(int link) const {
  MORTISE_REQUIRE_INDEX(link, data_->n, "links");
  return eigen(data_->angularVelocity(link));
}

Vector3d RobotDynamics::pointVelocity(int link, const Vector3d& p_LP) const {
  MORTISE_REQUIRE_INDEX(link, data_->n, "links");
  const Data& d = *data_;
  return eigen(d.velocityAt(link, d.pointAt(link, p_LP)));
}

Eigen::Matrix<double, 6, 1> RobotDynamics::pointAcceleration(int link, const Vector3d& p_LP,
                                                             const VectorXd& ddq) const {
  MORTISE_REQUIRE_INDEX(link, data_->n, "links");
  MORTISE_REQUIRE_SIZE(ddq, data_->n, "one for each link");
  const Data& d = *data_;
  const V3 point = d.pointAt(link, p_LP);
  // Acceleration of the link as of a rigid body that covers the point; every joint below the root adds its part.
  V3 angular, linear;
  for (int i = link; i >= 0; i = d.parent[i]) {
    const V3 s = d.axis(i), w = d.angularVelocity(i);
    const double rate = d.dqOf(i);
    if (d.link[i].revolute) {
      const V3 arm = point - d.origin(i), turning = rate * s;
      const V3 axisRate = cross(w, turning);
      angular += ddq[i] * s + axisRate;
      linear +=
          cross(ddq[i] * s + axisRate, arm) + cross(turning, d.velocityAt(link, point) - d.velocityAt(i, d.origin(i)));
    } else {
      linear += ddq[i] * s + rate * cross(w, s);
    }
  }
  Eigen::Matrix<double, 6, 1> result;
  result << eigen(angular), eigen(linear);
  return result;
}

double RobotDynamics::kineticEnergy() const {
  const Data& d = *data_;
  double energy = 0;
  for (int i = 0; i < d.n; ++i) {
    const Data::LinkConstants& l = d.link[i];
    if (!l.hasMass) continue;
    const V3 v = d.velocityAt(i, d.center(i));
    const V3 w = detail::transposeTimes(d.turn(i), d.angularVelocity(i));
    energy += 0.5 * (l.mass * dot(v, v) + dot(w, l.inertia * w));
  }
  return energy;
}

double RobotDynamics::potentialEnergy(const Vector3d& gravity) const {
  const Data& d = *data_;
  double energy = 0;
  for (int i = 0; i < d.n; ++i) energy -= d.link[i].mass * dot(detail::v3(gravity), d.center(i));
  return energy;
}

}  // namespace mortise
