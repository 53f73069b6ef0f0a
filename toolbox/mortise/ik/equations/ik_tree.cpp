#include "mortise/ik/equations/ik_tree.h"

#include <cmath>

#include "mortise/math/rotation.h"

namespace mortise::detail {

namespace {

const M3 kIdentity3 = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/// A rotation whose z is `axis`, of unit length.
Matrix3d turnTo(const Vector3d& axis) {
  int minimum = 0;
  axis.cwiseAbs().minCoeff(&minimum);
  Matrix3d A;
  A.col(2) = axis;
  A.col(0) = Vector3d::Unit(minimum).cross(axis).normalized();
  A.col(1) = axis.cross(A.col(0));
  return A;
}

}  // namespace

IKTree::IKTree(RobotPtr robot, std::span<const IKVariable> variables, std::span<const int> links, bool masses)
    : robot_(std::move(robot)), dimension_(static_cast<int>(variables.size())), masses_(masses) {
  const std::size_t n = static_cast<std::size_t>(robot_->numLinks());
  needed_.assign(n, masses ? 1 : 0);
  for (const int link : links)
    for (int i = link; i >= 0; i = robot_->link(i).parent) needed_[static_cast<std::size_t>(i)] = 1;
  nodeOfLink_.assign(n, -1);
  places_.resize(n + 1);
  nodes_.resize(1);
  nodes_[0].R = kIdentity3;
  places_[0].R = kIdentity3;
  std::vector<int> variableOf(n, -1), moveOf(n, -1);
  for (std::size_t v = 0; v < variables.size(); ++v)
    for (std::size_t k = 0; k < variables[v].moves.size(); ++k) {
      variableOf[static_cast<std::size_t>(variables[v].moves[k].link)] = static_cast<int>(v);
      moveOf[static_cast<std::size_t>(variables[v].moves[k].link)] = static_cast<int>(k);
    }
  for (std::size_t i = 0; i < n; ++i) {
    if (!needed_[i] || variableOf[i] < 0) continue;
    const Link& link = robot_->link(static_cast<int>(i));
    const DrivenCoordinate& move =
        variables[static_cast<std::size_t>(variableOf[i])].moves[static_cast<std::size_t>(moveOf[i])];
    Node node;
    node.variable = variableOf[i];
    node.turns = link.motion == LinkMotion::revolute;
    node.rate = link.axis.norm();
    node.scale = node.rate * move.scale;
    node.offset = node.rate * move.offset;
    nodeOfLink_[i] = static_cast<int>(nodes_.size());
    nodes_.push_back(node);
  }
  massBelow_.resize(nodes_.size());
  momentBelow_.resize(nodes_.size());
  if (masses_) mass_ = robot_->totalMass();
  for (std::size_t i = 0; i < n; ++i)
    if (needed_[i] && nodeOfLink_[i] < 0) fixed_.push_back(static_cast<int>(i));
  q_ = robot_->initialConfiguration();
  place(q_);
}

bool IKTree::setFixed(const VectorXd& q) {
  bool same = true;
  for (const int link : fixed_) same = same && q[link] == q_[link];
  if (same) return false;
  q_ = q;
  place(q);
  return true;
}

void IKTree::place(const VectorXd& q) {
  for (Node& node : nodes_) {
    node.mass = 0;
    node.moment = {};
  }
  for (std::size_t i = 0; i < needed_.size(); ++i) {
    if (!needed_[i]) continue;
    const Link& link = robot_->link(static_cast<int>(i));
    const Place& above = places_[static_cast<std::size_t>(link.parent + 1)];
    Place& place = places_[i + 1];
    const M3 R = above.R * m3(link.X_PL0.R);
    const V3 p = above.p + above.R * v3(link.X_PL0.p);
    if (nodeOfLink_[i] < 0) {
      place = {above.node, R, p};
      const double value = q[static_cast<Eigen::Index>(i)];
      if (value != 0) {
        if (link.motion == LinkMotion::revolute)
          place.R = R * m3(rotationAboutAxis(link.axis, value));
        else
          place.p = p + R * v3(value * link.axis);
      }
    } else {
      Node& node = nodes_[static_cast<std::size_t>(nodeOfLink_[i])];
      const Matrix3d A = turnTo(link.axis / node.rate);
      node.parent = above.node;
      node.C = R * m3(A);
      node.t = p;
      place = {nodeOfLink_[i], m3(A.transpose()), {}};
    }
    if (!masses_) continue;
    Node& carrier = nodes_[static_cast<std::size_t>(place.node)];
    carrier.mass += link.inertia.mass;
    carrier.moment += link.inertia.mass * (place.p + place.R * v3(link.inertia.com));
  }
}

void IKTree::set(const double* x) {
  for (std::size_t k = 1; k < nodes_.size(); ++k) {
    Node& node = nodes_[k];
    const Node& above = nodes_[static_cast<std::size_t>(node.parent)];
    const double q = node.offset + node.scale * x[node.variable];
    const M3 R = above.R * node.C;
    node.p = above.p + above.R * node.t;
    if (node.turns) {
      double s, c;
      sincos(q, &s, &c);
      node.R.c0 = c * R.c0 + s * R.c1;
      node.R.c1 = c * R.c1 - s * R.c0;
      node.R.c2 = R.c2;
    } else {
      node.R = R;
      node.p += q * R.c2;
    }
  }
}

V3 IKTree::centerOfMass() const {
  V3 moment;
  for (const Node& node : nodes_) moment += node.mass * node.p + node.R * node.moment;
  return mass_ > 0 ? (1 / mass_) * moment : V3();
}

void IKTree::markAbove(const Place& place, std::vector<char>& marks) const {
  for (int k = place.node; k > 0; k = nodes_[static_cast<std::size_t>(k)].parent)
    marks[static_cast<std::size_t>(nodes_[static_cast<std::size_t>(k)].variable)] = 1;
}

void IKTree::addCenterOfMassColumns(const M3& rows, int count, double weight, double* J, int stride) {
  if (!(mass_ > 0)) return;
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    massBelow_[k] = nodes_[k].mass;
    momentBelow_[k] = nodes_[k].mass * nodes_[k].p + nodes_[k].R * nodes_[k].moment;
  }
  for (std::size_t k = nodes_.size() - 1; k > 0; --k) {
    const Node& node = nodes_[k];
    const V3 v = node.turns ? cross(node.R.c2, momentBelow_[k] - massBelow_[k] * node.p) : massBelow_[k] * node.R.c2;
    const V3 row[3] = {rows.c0, rows.c1, rows.c2};  // Rows, kept as columns.
    for (int i = 0; i < count; ++i) J[node.variable * stride + i] += weight * node.scale / mass_ * dot(row[i], v);
    massBelow_[static_cast<std::size_t>(node.parent)] += massBelow_[k];
    momentBelow_[static_cast<std::size_t>(node.parent)] += momentBelow_[k];
  }
}

}  // namespace mortise::detail
