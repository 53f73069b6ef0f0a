#pragma once

#include <vector>

#include "round_planner.h"
#include "structures/configurations.h"
#include "structures/lazy_graph.h"
#include "structures/nearest.h"

namespace mortise::planners {

struct RoadmapOptions {
  bool lazy = false;           ///< Ways are checked when the cheapest path goes over them.
  bool optimize = false;       ///< Goes on after the first path; neighbors grow with the roadmap, by the law of PRM*.
  bool grow = false;           ///< New nodes are near old ones: rapidly-exploring random graphs.
  bool bidirectional = true;   ///< Setting of `grow`: also near what hangs on the goals.
  bool sameComponent = false;  ///< Also edges between nodes that are connected already.
  int knn = 10;                ///< Neighbors of a new node, when not `optimize`; 0: all within `connectionThreshold`.
  double connectionThreshold = std::numeric_limits<double>::infinity();
  double suboptimalityFactor = 0;
  PointLocation location = {};
};

/// Probabilistic roadmaps (Kavraki, Svestka, Latombe and Overmars, 1996), lazy ones (Bohlin and Kavraki, 2000), and
/// those that are asymptotically optimal: PRM* (Karaman and Frazzoli, 2011), Lazy-PRM* and Lazy-RRG* (Hauser, 2015).
class RoadmapPlanner final : public RoundPlanner {
 public:
  explicit RoadmapPlanner(const RoadmapOptions& options) : options_(options) {}
  bool roadmap(Roadmap& roadmap) const override;
  bool optimizing() const override { return options_.optimize || options_.sameComponent; }

 protected:
  void begin() override;
  void addGoal(int goal) override;
  Round round() override;
  void count(Value& statistics) const override;

 private:
  int add(const VectorXd& q, bool source);
  int root(int node);
  void unite(int a, int b);
  void uniteAnew();
  void newNode();
  void findNeighbors(int node);
  /// One edge between the newest node and a neighbor.
  void connectNext();
  void connectLazily(int a, int b, double length);
  void choosePath();
  void checkPath();
  void takePath();

  RoadmapOptions options_;
  Configurations nodes_;
  LazyGraph graph_;
  NearestNeighbors near_;
  std::vector<int> goalNodes_;
  std::vector<int> union_;                ///< Parents of a forest: what is connected.
  std::vector<char> hasStart_, hasGoal_;  ///< By root.
  double radius_ = 0;                     ///< Radius of `grow`, for the first node.
  std::vector<Neighbor> pending_;  ///< Neighbors of `pendingNode_` that are still to be tried, the next one last.
  int pendingNode_ = -1, testsLeft_ = 0;
  std::vector<int> waiting_;  ///< Nodes whose neighbors are still to be looked for.
  std::vector<int> path_;     ///< Nodes of the path that is being checked.
  std::vector<int> pathEdges_;
  bool checking_ = false;
  VectorXd q_, a_, b_, middle_;
};

}  // namespace mortise::planners
