#pragma once

/// The fastest profile of velocity along a path under linear bounds. For this room; users want `optimal_timing.h`.

#include <cstddef>
#include <vector>

namespace mortise {

/// x is the square of the velocity along the path, one number a node; u, the acceleration along it, is constant between
/// nodes, so that x changes by 2 u times the step. One pass backwards finds from which x the end can be reached, one
/// forwards is as fast as it may be (reachability analysis: Pham and Pham, "A new approach to time-optimal path
/// parameterization based on reachability analysis", 2018). The linear programs have two variables: for given x the
/// rows leave an interval of u whose width is concave in x, so that its largest root is found by Newton's method from
/// above in as many steps as there are changes of the active rows.
///
/// Keeps its memory: nothing allocates once it has seen a problem of the same size.
class Reachability {
 public:
  /// Begins anew. `steps`: from node to node.
  void start(const std::vector<double>& steps);
  /// x of a node is at most this.
  void cap(std::size_t node, double maximum);
  /// low <= alpha u + beta x <= high, with x at the first node of the segment. Segments come in order.
  void addRow(std::size_t segment, double alpha, double beta, double low, double high);
  /// The same with x at the segment's second node.
  void addRowAtEnd(std::size_t segment, double alpha, double beta, double low, double high) {
    addRow(segment, alpha + 2 * steps_[segment] * beta, beta, low, high);
  }

  /// Solves from rest to rest. Returns false where there is no such motion; `stuck` is then the node (of the pass
  /// backwards) from which there is no way on.
  bool solve();
  std::size_t stuck() const { return stuck_; }
  const std::vector<double>& squares() const { return x_; }
  /// The accelerations that rows allow at the start of a segment; to be asked after `solve`.
  void accelerations(std::size_t segment, double x, double& low, double& high) const;

 private:
  struct Interval;
  Interval interval(std::size_t segment, double x) const;
  double largest(std::size_t segment, double cap, double low, double high) const;
  double smallest(std::size_t segment, double cap, double low, double high) const;

  std::vector<double> steps_, caps_, floors_, minimum_, maximum_, x_;
  std::vector<std::size_t> first_;             ///< First of a segment's rows.
  std::vector<double> below_, above_, ratio_;  ///< below - ratio x <= u <= above - ratio x
  std::size_t stuck_ = 0;
};

}  // namespace mortise
