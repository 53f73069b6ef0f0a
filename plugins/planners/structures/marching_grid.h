#pragma once

#include <cstdint>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "mortise/component/planner.h"

namespace mortise::planners {

/// Distances from sources on a grid over coordinates, by the fast marching method (Sethian, 1996): the front goes from
/// near to far, each node's distance solves |gradient| = 1 by its neighbors that are done. Nodes may be blocked, and
/// axis-parallel edges between neighbors.
class MarchingGrid {
 public:
  static constexpr int kMaxDimensions = 5;
  static constexpr double kFar = std::numeric_limits<double>::infinity();

  /// `cells` steps along each axis; a step is as long as `spacing` says, in the metric.
  void reset(const VectorXd& low, const VectorXd& high, const std::vector<int>& cells, const VectorXd& weights);
  static double nodesOf(const std::vector<int>& cells);
  static constexpr double kBytesPerNode = sizeof(double) + 2 + 4 * sizeof(std::int64_t);

  int dimension() const { return static_cast<int>(counts_.size()); }
  std::int64_t numNodes() const { return numNodes_; }
  void configuration(std::int64_t node, VectorXd& q) const;
  /// Corners of the cell that q is in.
  void corners(const VectorXd& q, std::vector<std::int64_t>& nodes) const;
  /// The neighbors, diagonal ones as well.
  void around(std::int64_t node, std::vector<std::int64_t>& nodes) const;
  /// -1 unless the two differ by one step along one axis.
  int axisBetween(std::int64_t a, std::int64_t b) const;
  /// The node `steps` farther along an axis; -1 outside.
  std::int64_t along(std::int64_t node, int axis, int steps) const;

  /// The front is empty, all distances unknown; what is blocked stays so.
  void restart();
  void addSource(std::int64_t node, double distance);
  /// The next node that is done, or -1. Asks `feasible(q)` once for each node it comes to.
  template <typename Feasible>
  std::int64_t advance(Feasible&& feasible);
  double distance(std::int64_t node) const { return done_[node] != 0 ? distance_[node] : kFar; }

  void block(std::int64_t a, std::int64_t b) { blocked_.insert(std::minmax(a, b)); }
  bool blocked(std::int64_t a, std::int64_t b) const { return blocked_.contains(std::minmax(a, b)); }

  enum class Known : char { nothing, free, blocked };
  Known known(std::int64_t node) const { return known_[node]; }
  void setKnown(std::int64_t node, Known is) { known_[node] = is; }

 private:
  void push(std::int64_t node, double distance);
  std::int64_t pop();
  /// Returns the value of a node, by its neighbors that are done.
  double update(std::int64_t node) const;

  std::vector<int> counts_;
  std::vector<std::int64_t> strides_;
  std::vector<double> spacing_;
  VectorXd low_, step_;
  std::int64_t numNodes_ = 0;
  std::vector<double> distance_;
  std::vector<char> done_;
  std::vector<Known> known_;
  std::vector<std::pair<double, std::int64_t>> front_;  ///< A heap, the nearest on top.
  std::set<std::pair<std::int64_t, std::int64_t>> blocked_;
  VectorXd q_;
};

template <typename Feasible>
std::int64_t MarchingGrid::advance(Feasible&& feasible) {
  const std::int64_t node = pop();
  if (node < 0) return -1;
  done_[node] = 1;
  for (int axis = 0; axis < dimension(); ++axis) {
    for (const int side : {-1, 1}) {
      const std::int64_t next = along(node, axis, side);
      if (next < 0 || done_[next] != 0 || blocked(node, next)) continue;
      if (known_[next] == Known::nothing) {
        configuration(next, q_);
        known_[next] = feasible(q_) ? Known::free : Known::blocked;
      }
      if (known_[next] == Known::free) push(next, update(next));
    }
  }
  return node;
}

}  // namespace mortise::planners
