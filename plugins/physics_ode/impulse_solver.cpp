#include "impulse_solver.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace mortise::ode {

void ImpulseSolver::prepare(ArticulatedForest& forest, std::vector<ImpulseContact>& contacts) {
  // Groups, and which of their bodies are touched.
  groupOfTree_.assign(forest.numTrees(), -1);
  slotOfBody_.assign(forest.numBodies(), -1);
  touched_.clear();
  numGroups_ = 0;
  for (const ImpulseContact& contact : contacts)
    for (const int body : {contact.bodyA, contact.bodyB}) {
      const int tree = forest.treeOf(body);
      if (tree < 0 || slotOfBody_[body] >= 0) continue;
      if (groupOfTree_[tree] < 0) {
        groupOfTree_[tree] = numGroups_;
        if (numGroups_ == static_cast<int>(groups_.size())) groups_.emplace_back();
        groups_[numGroups_].tree = tree;
        groups_[numGroups_].bodies.clear();
        touched_.push_back(tree);
        ++numGroups_;
      }
      Group& group = groups_[groupOfTree_[tree]];
      slotOfBody_[body] = static_cast<int>(group.bodies.size());
      group.bodies.push_back(body);
    }
  std::size_t size = 0;
  int velocities = 0;
  for (int g = 0; g < numGroups_; ++g) {
    Group& group = groups_[g];
    group.numBodies = static_cast<int>(group.bodies.size());
    group.firstVelocity = velocities;
    velocities += 6 * group.numBodies;
    group.response = size;
    size += static_cast<std::size_t>(36) * group.numBodies * group.numBodies;
  }
  responses_.resize(size);
  velocities_.resize(velocities);
  for (int g = 0; g < numGroups_; ++g)
    forest.response(groups_[g].tree, groups_[g].bodies, responses_.data() + groups_[g].response);

  rows_.resize(contacts.size());
  std::size_t columns = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i)
    for (const int body : {contacts[i].bodyA, contacts[i].bodyB})
      if (forest.treeOf(body) >= 0)
        columns += static_cast<std::size_t>(18) * groups_[groupOfTree_[forest.treeOf(body)]].numBodies;
  columns_.resize(columns);

  std::size_t next = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const ImpulseContact& contact = contacts[i];
    Row& row = rows_[i];
    for (int s = 0; s < 2; ++s) {
      Side& side = row.sides[s];
      side = {};
      const int body = s == 0 ? contact.bodyA : contact.bodyB;
      const int tree = forest.treeOf(body);
      if (tree < 0) continue;
      const Group& group = groups_[groupOfTree_[tree]];
      const int slot = slotOfBody_[body];
      const int n = 6 * group.numBodies;
      side.velocity = group.firstVelocity + 6 * slot;
      side.first = group.firstVelocity;
      side.size = n;
      side.response = next;
      next += 3 * static_cast<std::size_t>(n);
      const Vector3d arm = contact.point - forest.reference(body);
      const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, 6>> R(
          responses_.data() + group.response + static_cast<std::size_t>(6) * slot * n, n, 6);
      for (int d = 0; d < 3; ++d) {
        Eigen::Map<Vector6> j(row.jacobian[s][d]);
        const Vector3d direction = s == 0 ? contact.directions[d] : Vector3d(-contact.directions[d]);
        j << arm.cross(direction), direction;
        Eigen::Map<VectorXd>(columns_.data() + side.response + static_cast<std::size_t>(d) * n, n).noalias() =
            R.lazyProduct(j);
      }
    }
    // Two bodies of one group: each impulse moves both by one column.
    Side &a = row.sides[0], &b = row.sides[1];
    if (a.velocity >= 0 && b.velocity >= 0 && a.first == b.first) {
      for (int k = 0; k < 3 * a.size; ++k) columns_[a.response + k] += columns_[b.response + k];
      b.size = 0;
    }
    const auto weight = [&](int d, int e) {  // Speed along d for an impulse along e.
      double sum = 0;
      for (int s = 0; s < 2; ++s) {
        const Side& side = row.sides[s];
        if (side.velocity < 0) continue;
        const Side& moved = side.size > 0 ? side : a;
        const double* column =
            columns_.data() + moved.response + static_cast<std::size_t>(e) * moved.size + (side.velocity - moved.first);
        for (int k = 0; k < 6; ++k) sum += row.jacobian[s][d][k] * column[k];
      }
      return sum;
    };
    row.weight[0] = weight(0, 0) + contact.mixing;
    row.weight[1] = weight(1, 1) + contact.frictionMixing;
    row.weight[2] = weight(2, 2) + contact.frictionMixing;
    row.coupling = weight(1, 2);
    row.normalInverse = row.weight[0] > 0 ? 1 / row.weight[0] : 0;
    const double middle = 0.5 * (row.weight[1] + row.weight[2]);
    const double spread = std::hypot(0.5 * (row.weight[1] - row.weight[2]), row.coupling);
    row.step = middle + spread > 0 ? 1 / (middle + spread) : 0;
    const double determinant = row.weight[1] * row.weight[2] - row.coupling * row.coupling;
    const bool regular = determinant > 1e-12 * middle * middle;
    row.inverse[0] = regular ? row.weight[2] / determinant : row.step;
    row.inverse[1] = regular ? -row.coupling / determinant : 0;
    row.inverse[2] = regular ? row.weight[1] / determinant : row.step;
  }
  findIslands(contacts);
}

/// Contacts that share groups, directly or by way of others, are solved together, and done when they are calm.
void ImpulseSolver::findIslands(const std::vector<ImpulseContact>& contacts) {
  root_.resize(numGroups_);
  for (int g = 0; g < numGroups_; ++g) root_[g] = g;
  const auto find = [&](int g) {
    while (root_[g] != g) g = root_[g] = root_[root_[g]];
    return g;
  };
  const auto groupAt = [&](const Row& row, int s) {
    if (row.sides[s].velocity < 0) return -1;
    // Groups are in the order of their velocities.
    int low = 0, high = numGroups_ - 1;
    while (low < high) {
      const int middle = (low + high + 1) / 2;
      if (groups_[middle].firstVelocity <= row.sides[s].velocity)
        low = middle;
      else
        high = middle - 1;
    }
    return low;
  };
  for (const Row& row : rows_) {
    const int a = groupAt(row, 0), b = groupAt(row, 1);
    if (a < 0 || b < 0) continue;
    const int x = find(a), y = find(b);
    root_[std::max(x, y)] = std::min(x, y);
  }
  const int n = static_cast<int>(contacts.size());
  islandOf_.resize(n);
  order_.resize(n);
  for (int i = 0; i < n; ++i) {
    const int a = groupAt(rows_[i], 0), b = groupAt(rows_[i], 1);
    islandOf_[i] = find(a >= 0 ? a : b);
    order_[i] = i;
  }
  std::sort(order_.begin(), order_.end(),
            [&](int i, int j) { return islandOf_[i] != islandOf_[j] ? islandOf_[i] < islandOf_[j] : i < j; });
}

double ImpulseSolver::speedAlong(const Row& row, int d) const {
  double sum = 0;
  for (int s = 0; s < 2; ++s) {
    if (row.sides[s].velocity < 0) continue;
    const double* v = velocities_.data() + row.sides[s].velocity;
    const double* j = row.jacobian[s][d];
    sum += (j[0] * v[0] + j[1] * v[1]) + (j[2] * v[2] + j[3] * v[3]) + (j[4] * v[4] + j[5] * v[5]);
  }
  return sum;
}

void ImpulseSolver::apply(const Row& row, int d, double impulse) {
  for (int s = 0; s < 2; ++s) {
    const Side& side = row.sides[s];
    const double* column = columns_.data() + side.response + static_cast<std::size_t>(d) * side.size;
    double* v = velocities_.data() + side.first;
    if (side.size == 6) {
      for (int k = 0; k < 6; ++k) v[k] += impulse * column[k];
    } else {
      for (int k = 0; k < side.size; ++k) v[k] += impulse * column[k];
    }
  }
}

/// Solves one contact with all others held. Returns by how much it changed a speed.
double ImpulseSolver::relax(ImpulseContact& c, const Row& row, bool pyramid) {
  const double normal = std::max(
      0.0, c.impulse[0] + (c.speed - c.drift[0] - speedAlong(row, 0) - c.mixing * c.impulse[0]) * row.normalInverse);
  const double change = normal - c.impulse[0];
  double largest = 0;
  if (change != 0) {
    apply(row, 0, change);
    c.impulse[0] = normal;
    largest = std::abs(change) * row.weight[0];
  }
  const double limit = c.friction * normal;
  if (limit == 0 && c.impulse[1] == 0 && c.impulse[2] == 0) return largest;
  const double u1 = speedAlong(row, 1) + c.drift[1] + c.frictionMixing * c.impulse[1];
  const double u2 = speedAlong(row, 2) + c.drift[2] + c.frictionMixing * c.impulse[2];
  double x, y;
  if (pyramid) {
    x = std::clamp(c.impulse[1] - u1 / row.weight[1], -limit, limit);
    y = std::clamp(c.impulse[2] - u2 / row.weight[2], -limit, limit);
  } else {
    // What stops the slip, when the cone allows it; else a projected step, whose fixed point opposes the slip.
    x = c.impulse[1] - (row.inverse[0] * u1 + row.inverse[1] * u2);
    y = c.impulse[2] - (row.inverse[1] * u1 + row.inverse[2] * u2);
    if (x * x + y * y > limit * limit) {
      x = c.impulse[1] - row.step * u1;
      y = c.impulse[2] - row.step * u2;
      const double size = std::sqrt(x * x + y * y);
      if (size > limit) {
        x *= limit / size;
        y *= limit / size;
      }
    }
  }
  const double dx = x - c.impulse[1], dy = y - c.impulse[2];
  if (dx != 0) apply(row, 1, dx);
  if (dy != 0) apply(row, 2, dy);
  c.impulse[1] = x;
  c.impulse[2] = y;
  return std::max({largest, std::abs(dx) * row.weight[1], std::abs(dy) * row.weight[2]});
}

void ImpulseSolver::solve(const ArticulatedForest& forest, std::vector<ImpulseContact>& contacts,
                          const ImpulseSettings& settings) {
  for (int g = 0; g < numGroups_; ++g)
    for (int k = 0; k < groups_[g].numBodies; ++k)
      Eigen::Map<Vector6>(velocities_.data() + groups_[g].firstVelocity + 6 * k) =
          forest.velocity(groups_[g].bodies[k]);
  sweeps_ = 0;
  const int n = static_cast<int>(contacts.size());
  for (int begin = 0; begin < n;) {
    int end = begin + 1;
    while (end < n && islandOf_[order_[end]] == islandOf_[order_[begin]]) ++end;
    for (int sweep = 0; sweep < settings.iterations; ++sweep) {
      double largest = 0;
      // To and fro: what the last contacts of a pile find out reaches the first ones in one sweep.
      if (sweep % 2 == 0)
        for (int i = begin; i < end; ++i)
          largest = std::max(largest, relax(contacts[order_[i]], rows_[order_[i]], settings.pyramid));
      else
        for (int i = end; i-- > begin;)
          largest = std::max(largest, relax(contacts[order_[i]], rows_[order_[i]], settings.pyramid));
      ++sweeps_;
      if (largest <= settings.tolerance) break;
    }
    begin = end;
  }
}

}  // namespace mortise::ode
