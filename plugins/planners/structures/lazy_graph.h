#pragma once

#include <cstdint>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

namespace mortise::planners {

/// A graph whose edges come and go, with the cheapest paths from its sources kept up to date: a new edge can only make
/// paths cheaper, which spreads as in Dijkstra's algorithm; when an edge goes, what hung on it is computed anew
/// (Ramalingam and Reps, 1996). Edges may cost different amounts in their two directions, none less than 0.
class LazyGraph {
 public:
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  struct Edge {
    int a, b;
    double cost[2];     ///< From a to b, from b to a.
    bool free[2] = {};  ///< Known to be, in this direction.
    bool seen = false;  ///< It seems free.
    bool gone = false;
    int next[2] = {-1, -1};  ///< In the lists of a and of b.
  };

  void clear();
  /// `onward`: no path on from the node to an end costs less.
  int addNode(bool source, double onward = 0);
  /// Ways that cost more than this in all need not be known. Only ever less.
  void setBound(double bound) { bound_ = bound; }
  int numNodes() const { return static_cast<int>(cost_.size()); }
  int addEdge(int a, int b, double ab, double ba, bool freeAb = false, bool freeBa = false);
  void removeEdge(int edge);
  bool connected(int a, int b) const;

  /// Returns the cost of the cheapest path from a source, where that is below the bound; `kNever` where there is none.
  double cost(int node) const { return cost_[node]; }
  /// Edge by which that path arrives; -1 for sources and where there is no path.
  int arrival(int node) const { return arrival_[node]; }
  int other(int edge, int node) const { return edges_[edge].a == node ? edges_[edge].b : edges_[edge].a; }
  /// 0: from a to b; 1: from b to a.
  int direction(int edge, int from) const { return edges_[edge].a == from ? 0 : 1; }
  const Edge& edge(int i) const { return edges_[i]; }
  Edge& edge(int i) { return edges_[i]; }
  int numEdges() const { return static_cast<int>(edges_.size()); }
  int edgesLeft() const { return left_; }

 private:
  void improve(int node, double cost, int arrival);
  void spread();
  void unlink(int edge, int side);
  int slot(int edge, int node) const { return edges_[edge].a == node ? 0 : 1; }

  std::vector<Edge> edges_;
  std::vector<int> first_;  ///< By node: of its list of edges.
  std::vector<double> cost_, onward_;
  double bound_ = kNever;
  std::vector<int> arrival_;
  std::vector<int> affected_;
  std::vector<char> isAffected_;
  std::vector<std::pair<double, int>> queue_;  ///< A heap, the cheapest on top.
  int left_ = 0;
};

}  // namespace mortise::planners
