#pragma once

#include <vector>

#include "rrt.h"

namespace mortise::planners {

struct RrtStarOptions {
  double step = 0;  ///< Maximum length of an edge; 0: a fraction of the space's extent.
  double connectionThreshold = std::numeric_limits<double>::infinity();
  double suboptimalityFactor = 0;
  bool bidirectional = true;  ///< The first path comes from two trees.
  PointLocation location = {};
};

/// RRT* (Karaman and Frazzoli, 2011) with k nearest neighbors: a tree from the starts in which every node arrives by
/// the cheapest of its neighbors, and is offered to them. Once there is a path, places that no better one can go
/// through are left out.
class RrtStar final : public Rrt {
 public:
  explicit RrtStar(const RrtStarOptions& options);
  bool roadmap(Roadmap& roadmap) const override;
  bool optimizing() const override { return true; }

 protected:
  void begin() override;
  void addGoal(int goal) override;
  Round round() override;
  void count(Value& statistics) const override;

 private:
  struct Edge {
    double cost;  ///< Cost of arriving at its end.
    int node;     ///< The other one.
    double length;
  };
  int addNode(const VectorXd& q);
  void attach(int node, int parent, double cost);
  void detach(int node);
  void grow();
  void chooseParent();
  void rewire();
  void lookAtGoals();
  double bound() const { return bestCost() / (1 + starOptions_.suboptimalityFactor); }

  RrtStarOptions starOptions_;
  double reach_ = 0;
  Configurations tree_;
  NearestNeighbors around_;
  std::vector<int> above_, firstBelow_, nextBelow_;
  std::vector<double> arrival_;  ///< Cost from a start; infinite: not in the tree.
  std::vector<int> ends_;        ///< Nodes of the tree that are goals.
  bool taken_ = false;           ///< The first path of the two trees.
  std::vector<Neighbor> neighbors_;
  std::vector<Edge> parents_, rewires_;  ///< Still to be tried, the next one last.
  int newest_ = -1;
  bool waiting_ = false;  ///< The newest has no parent yet.
  VectorXd q_, a_, b_;
  std::vector<int> stack_;
};

}  // namespace mortise::planners
