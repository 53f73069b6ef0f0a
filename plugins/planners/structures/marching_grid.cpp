#include "structures/marching_grid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace mortise::planners {

double MarchingGrid::nodesOf(const std::vector<int>& cells) {
  double nodes = 1;
  for (const int n : cells) nodes *= n + 1.0;
  return nodes;
}

void MarchingGrid::reset(const VectorXd& low, const VectorXd& high, const std::vector<int>& cells,
                         const VectorXd& weights) {
  const int d = static_cast<int>(cells.size());
  low_ = low;
  step_.resize(d);
  counts_.resize(d);
  strides_.resize(d);
  spacing_.resize(d);
  numNodes_ = 1;
  for (int i = 0; i < d; ++i) {
    counts_[i] = cells[i] + 1;
    step_[i] = (high[i] - low[i]) / cells[i];
    spacing_[i] = std::max(1e-12, weights[i] * step_[i]);
    strides_[i] = numNodes_;
    numNodes_ *= counts_[i];
  }
  known_.assign(numNodes_, Known::nothing);
  blocked_.clear();
  restart();
}

void MarchingGrid::restart() {
  distance_.assign(numNodes_, kFar);
  done_.assign(numNodes_, 0);
  front_.clear();
}

void MarchingGrid::configuration(std::int64_t node, VectorXd& q) const {
  q.resize(dimension());
  for (int i = 0; i < dimension(); ++i)
    q[i] = low_[i] + step_[i] * static_cast<double>(node / strides_[i] % counts_[i]);
}

std::int64_t MarchingGrid::along(std::int64_t node, int axis, int steps) const {
  const std::int64_t at = node / strides_[axis] % counts_[axis] + steps;
  return at < 0 || at >= counts_[axis] ? -1 : node + steps * strides_[axis];
}

void MarchingGrid::corners(const VectorXd& q, std::vector<std::int64_t>& nodes) const {
  nodes.assign(1, 0);
  for (int i = 0; i < dimension(); ++i) {
    const double at = step_[i] > 0 ? (q[i] - low_[i]) / step_[i] : 0;
    const auto cell = static_cast<std::int64_t>(std::clamp(std::floor(at), 0.0, static_cast<double>(counts_[i] - 2)));
    const std::size_t n = nodes.size();
    for (std::size_t k = 0; k < n; ++k) {
      nodes[k] += cell * strides_[i];
      nodes.push_back(nodes[k] + strides_[i]);
    }
  }
}

void MarchingGrid::around(std::int64_t node, std::vector<std::int64_t>& nodes) const {
  nodes.assign(1, node);
  for (int i = 0; i < dimension(); ++i) {
    const std::size_t n = nodes.size();
    for (std::size_t k = 0; k < n; ++k)
      for (const int side : {-1, 1})
        if (const std::int64_t next = along(nodes[k], i, side); next >= 0) nodes.push_back(next);
  }
  nodes.erase(nodes.begin());
}

int MarchingGrid::axisBetween(std::int64_t a, std::int64_t b) const {
  for (int i = 0; i < dimension(); ++i)
    if (along(a, i, 1) == b || along(a, i, -1) == b) return i;
  return -1;
}

void MarchingGrid::push(std::int64_t node, double distance) {
  if (!(distance < distance_[node])) return;
  distance_[node] = distance;
  front_.emplace_back(distance, node);
  std::push_heap(front_.begin(), front_.end(), std::greater<>());
}

std::int64_t MarchingGrid::pop() {
  while (!front_.empty()) {
    std::pop_heap(front_.begin(), front_.end(), std::greater<>());
    const auto [distance, node] = front_.back();
    front_.pop_back();
    if (done_[node] == 0 && distance == distance_[node]) return node;
  }
  return -1;
}

void MarchingGrid::addSource(std::int64_t node, double distance) { push(node, distance); }

double MarchingGrid::update(std::int64_t node) const {
  // By axis, the nearer of the two neighbors: (distance, spacing), sorted by distance.
  std::array<std::pair<double, double>, kMaxDimensions> near;
  std::size_t count = 0;
  for (int i = 0; i < dimension(); ++i) {
    double minimum = kFar;
    for (const int side : {-1, 1}) {
      const std::int64_t next = along(node, i, side);
      if (next >= 0 && done_[next] != 0 && distance_[next] < minimum && !blocked(node, next)) minimum = distance_[next];
    }
    if (!(minimum < kFar)) continue;
    std::size_t k = count++;
    for (; k > 0 && near[k - 1].first > minimum; --k) near[k] = near[k - 1];
    near[k] = {minimum, spacing_[i]};
  }
  // sum ((t - d_i) / s_i)^2 = 1 over as many of the nearest as are nearer than t.
  double t = kFar, a = 0, b = 0, c = -1;
  for (std::size_t k = 0; k < count && near[k].first < t; ++k) {
    const double inverse = 1 / (near[k].second * near[k].second);
    a += inverse;
    b += near[k].first * inverse;
    c += near[k].first * near[k].first * inverse;
    const double root = b * b - a * c;
    if (root < 0) break;
    t = (b + std::sqrt(root)) / a;
  }
  return t;
}

}  // namespace mortise::planners
