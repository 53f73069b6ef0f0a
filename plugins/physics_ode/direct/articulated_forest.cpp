#include "direct/articulated_forest.h"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <Eigen/LU>

#include "mortise/math/rotation.h"

namespace mortise::ode {

namespace {

/// Velocity of a point that is `arm` away from the one whose velocity is given.
Vector6 moved(const Vector6& velocity, const Vector3d& arm) {
  Vector6 out = velocity;
  out.tail<3>() += velocity.head<3>().cross(arm);
  return out;
}

/// Adds an impulse that acts `arm` away from the reference point.
void addMoved(const Vector6& impulse, const Vector3d& arm, Vector6& to) {
  to.head<3>() += impulse.head<3>() + arm.cross(Vector3d(impulse.tail<3>()));
  to.tail<3>() += impulse.tail<3>();
}

/// Adds an inertia about a point that is `arm` away from the reference point.
void addMoved(const Matrix6& inertia, const Vector3d& arm, Matrix6& to) {
  const Matrix3d cross = crossMatrix(arm);
  const Matrix3d B = inertia.topRightCorner<3, 3>(), C = inertia.bottomRightCorner<3, 3>();
  const Matrix3d side = B + cross * C;
  const Matrix3d Bd = B * cross;
  to.topLeftCorner<3, 3>() += inertia.topLeftCorner<3, 3>() - Bd - Bd.transpose() - cross * C * cross;
  to.topRightCorner<3, 3>() += side;
  to.bottomLeftCorner<3, 3>() += side.transpose();
  to.bottomRightCorner<3, 3>() += C;
}

}  // namespace

bool ArticulatedForest::build(const std::vector<bool>& mobile, const std::vector<Edge>& edges) {
  const int n = static_cast<int>(mobile.size()), m = static_cast<int>(edges.size());
  nodes_.clear();
  trees_.clear();
  joints_.assign(m, {});
  nodeOf_.assign(n, -1);
  treeOf_.assign(n, -1);
  boundaries_.assign(n + 1, {});  // The last one is the world.
  const auto isMobile = [&](int body) { return body >= 0 && mobile[body]; };
  std::vector<bool> used(m, false);
  for (int e = 0; e < m; ++e) used[e] = !isMobile(edges[e].parent) && !isMobile(edges[e].child);

  const auto addTree = [&](int root, int rootEdge) {
    Tree tree;
    tree.first = static_cast<int>(nodes_.size());
    const auto addNode = [&](int body, int parentNode, int edge, int boundary) {
      Node node;
      node.body = body;
      node.parent = parentNode;
      node.edge = edge;
      node.boundary = boundary;
      node.tree = static_cast<int>(trees_.size());
      nodeOf_[body] = static_cast<int>(nodes_.size());
      treeOf_[body] = node.tree;
      if (edge >= 0) {
        joints_[edge].node = nodeOf_[body];
        joints_[edge].sign = edges[edge].child == body ? 1 : -1;
        used[edge] = true;
      }
      nodes_.push_back(node);
    };
    int boundary = -1;
    if (rootEdge >= 0) {
      const int other = edges[rootEdge].child == root ? edges[rootEdge].parent : edges[rootEdge].child;
      boundary = other < 0 ? n : other;
    }
    addNode(root, -1, rootEdge, boundary);
    for (int at = tree.first; at < static_cast<int>(nodes_.size()); ++at) {
      const int body = nodes_[at].body;
      for (int e = 0; e < m; ++e) {
        if (used[e] || (edges[e].parent != body && edges[e].child != body)) continue;
        const int other = edges[e].parent == body ? edges[e].child : edges[e].parent;
        if (!isMobile(other) || nodeOf_[other] >= 0) return false;  // A second hold, or a loop.
        addNode(other, at, e, -1);
      }
    }
    tree.count = static_cast<int>(nodes_.size()) - tree.first;
    trees_.push_back(tree);
    return true;
  };
  // Trees that hang on the boundary, then free ones.
  for (int e = 0; e < m; ++e) {
    if (used[e] || isMobile(edges[e].parent) == isMobile(edges[e].child)) continue;
    const int root = isMobile(edges[e].child) ? edges[e].child : edges[e].parent;
    if (nodeOf_[root] >= 0 || !addTree(root, e)) return false;
  }
  for (int body = 0; body < n; ++body)
    if (isMobile(body) && nodeOf_[body] < 0 && !addTree(body, -1)) return false;
  marked_.assign(nodes_.size(), 0);
  columns_.resize(nodes_.size());
  along_.resize(nodes_.size());
  return true;
}

void ArticulatedForest::setActive(int body, bool active) {
  if (nodeOf_[body] < 0) return;
  const int tree = nodes_[nodeOf_[body]].tree;
  trees_[tree].active = active;
  treeOf_[body] = active ? tree : -1;
}

void ArticulatedForest::setBody(int body, const Vector3d& com, double mass, const Matrix3d& inertia,
                                const Vector3d& angular, const Vector3d& linear) {
  Node& node = nodes_[nodeOf_[body]];
  node.com = com;
  node.mass = mass;
  node.comInertia = inertia;
  node.angular = angular;
  node.linear = linear;
}

void ArticulatedForest::setBoundary(int body, const Vector3d& com, const Vector3d& w, const Vector3d& v) {
  boundaries_[body] = {com, w, v};
}

void ArticulatedForest::begin(double h) {
  h_ = h;
  for (Node& node : nodes_) {
    if (!trees_[node.tree].active) continue;
    node.impulse.setZero();
    node.bias.setZero();
    node.axis.setZero();
    node.hasAxis = false;
    node.arm.setZero();
    node.reference = node.com;
    if (node.edge >= 0) {
      const Joint& joint = joints_[node.edge];
      node.reference = joint.now.point;
      node.bias << joint.sign * joint.now.w_bias, joint.sign * joint.now.v_bias;
      node.hasAxis = joint.now.type != JointNow::Type::fixed;
      if (joint.now.type == JointNow::Type::revolute) node.axis.head<3>() = joint.sign * joint.now.axis;
      if (joint.now.type == JointNow::Type::prismatic) node.axis.tail<3>() = joint.sign * joint.now.axis;
      if (node.parent >= 0) {
        node.arm = node.reference - nodes_[node.parent].reference;
      } else {
        const Boundary& b = boundaries_[node.boundary];
        Vector6 v;
        v << b.w, b.v;
        node.bias += moved(v, node.reference - b.com);
      }
    }
    const Vector3d r = node.com - node.reference;
    const Matrix3d mr = node.mass * crossMatrix(r);
    node.own.topLeftCorner<3, 3>() = node.comInertia - mr * crossMatrix(r);
    node.own.topRightCorner<3, 3>() = mr;
    node.own.bottomLeftCorner<3, 3>() = -mr;
    node.own.bottomRightCorner<3, 3>() = node.mass * Matrix3d::Identity();
    node.momentum << node.angular + r.cross(node.linear), node.linear;
  }
}

void ArticulatedForest::factor(int index) {
  const Tree& tree = trees_[index];
  const int end = tree.first + tree.count;
  for (int i = tree.first; i < end; ++i) nodes_[i].inertia = nodes_[i].own;
  for (int i = end; i-- > tree.first;) {
    Node& node = nodes_[i];
    if (node.edge < 0) {
      node.rootInverse = node.inertia.ldlt().solve(Matrix6::Identity());
      continue;
    }
    Matrix6 carried = node.inertia;
    if (node.hasAxis) {
      node.U.noalias() = node.inertia * node.axis;
      node.inverse = 1 / (node.axis.dot(node.U) + h_ * joints_[node.edge].law.slope());
      carried.noalias() -= (node.inverse * node.U) * node.U.transpose();
    }
    node.carried.noalias() = carried * node.bias;
    if (node.parent >= 0) addMoved(carried, node.arm, nodes_[node.parent].inertia);
  }
}

void ArticulatedForest::solve(int index) {
  const Tree& tree = trees_[index];
  const int end = tree.first + tree.count;
  for (int i = tree.first; i < end; ++i) nodes_[i].velocity = nodes_[i].momentum + nodes_[i].impulse;
  // From the tips: `velocity` holds the momentum that is left for the parents.
  for (int i = end; i-- > tree.first;) {
    Node& node = nodes_[i];
    if (node.edge < 0) continue;
    Joint& joint = joints_[node.edge];
    Vector6 rest = node.velocity - node.carried;
    if (node.hasAxis) {
      joint.speed = h_ * joint.law.offset() + node.axis.dot(node.velocity);
      rest -= node.U * (node.inverse * joint.speed);
    }
    if (node.parent >= 0) addMoved(rest, node.arm, nodes_[node.parent].velocity);
  }
  for (int i = tree.first; i < end; ++i) {
    Node& node = nodes_[i];
    if (node.edge < 0) {
      node.velocity = node.rootInverse * Vector6(node.velocity);
      continue;
    }
    Vector6 v = node.bias;
    if (node.parent >= 0) v += moved(nodes_[node.parent].velocity, node.arm);
    if (node.hasAxis) {
      Joint& joint = joints_[node.edge];
      joint.speed = node.inverse * (joint.speed - node.U.dot(v));
      v += joint.speed * node.axis;
    }
    node.velocity = v;
  }
}

bool ArticulatedForest::followLaws(int index) {
  const Tree& tree = trees_[index];
  bool changed = false;
  for (int i = tree.first; i < tree.first + tree.count; ++i)
    if (nodes_[i].hasAxis) {
      Joint& joint = joints_[nodes_[i].edge];
      changed = joint.law.follow(joint.speed) || changed;
    }
  return changed;
}

Vector3d ArticulatedForest::comVelocity(int body) const {
  const Node& node = nodes_[nodeOf_[body]];
  return node.velocity.tail<3>() + node.velocity.head<3>().cross(node.com - node.reference);
}

void ArticulatedForest::response(int index, const std::vector<int>& bodies, double* out) {
  const Tree& tree = trees_[index];
  const int k = static_cast<int>(bodies.size());
  Eigen::Map<Eigen::MatrixXd> R(out, 6 * k, 6 * k);
  if (tree.count == 1 && nodes_[tree.first].edge < 0) {
    R = nodes_[tree.first].rootInverse;
    return;
  }
  int last = tree.first;
  for (const int body : bodies) {
    last = std::max(last, nodeOf_[body]);
    for (int i = nodeOf_[body]; i >= 0 && marked_[i] == 0; i = nodes_[i].parent) marked_[i] = 1;
  }
  for (int b = 0; b < k; ++b) {
    // Up: what a unit impulse on this body leaves at each of its ancestors.
    for (int i = tree.first; i <= last; ++i) marked_[i] &= 1;
    Matrix6 left = Matrix6::Identity();
    for (int i = nodeOf_[bodies[b]]; i >= 0; i = nodes_[i].parent) {
      const Node& node = nodes_[i];
      marked_[i] |= 2;
      if (node.edge < 0) {
        columns_[i].noalias() = node.rootInverse * left;
        break;
      }
      if (node.hasAxis) {
        along_[i].noalias() = node.inverse * (node.axis.transpose() * left);
        left.noalias() -= node.U * along_[i];
      }
      left.topRows<3>() += crossMatrix(node.arm) * left.bottomRows<3>();
    }
    // Down: velocities, where they are asked for.
    for (int i = tree.first; i <= last; ++i) {
      if (marked_[i] == 0 || nodes_[i].edge < 0) continue;
      const Node& node = nodes_[i];
      Matrix6& v = columns_[i];
      if (node.parent >= 0) {
        v = columns_[node.parent];
        v.bottomRows<3>() -= crossMatrix(node.arm) * v.topRows<3>();
      } else {
        v.setZero();
      }
      if (!node.hasAxis) continue;
      Eigen::Matrix<double, 1, 6> speed = -node.inverse * (node.U.transpose() * v);
      if (marked_[i] & 2) speed += along_[i];
      v.noalias() += node.axis * speed;
    }
    for (int a = 0; a < k; ++a) R.block<6, 6>(6 * a, 6 * b) = columns_[nodeOf_[bodies[a]]];
  }
  for (int i = tree.first; i <= last; ++i) marked_[i] = 0;
}

}  // namespace mortise::ode
