#pragma once

#include <vector>

#include "round_planner.h"
#include "structures/configurations.h"
#include "structures/nearest.h"

namespace mortise::planners {

struct RrtOptions {
  double step = {};  ///< Maximum length of an edge; 0: a fraction of the space's extent.
  double connectionThreshold = std::numeric_limits<double>::infinity();
  bool bidirectional = true;
  PointLocation location = {};
};

/// Rapidly-exploring random trees from the starts and, when bidirectional, from the goals (LaValle 1998; Kuffner and
/// LaValle 2000: RRT-Connect). Edges are sampled when a tree grows, and proven when a path is complete (as Sánchez and
/// Latombe, 2001, for their planner): a proof of a long feasible edge costs as much as sampling many.
class Rrt : public RoundPlanner {
 public:
  explicit Rrt(const RrtOptions& options) : options_(options) {}
  bool roadmap(Roadmap& roadmap) const override;

 protected:
  void begin() override;
  void addGoal(int goal) override;
  Round round() override;
  void count(Value& statistics) const override;

 private:
  enum Side : char { kStart = 0, kGoal = 1 };
  int add(const VectorXd& q, Side side, int parent);
  /// One step of the tree `side` towards a random place.
  void extend(Side side);
  /// One step of the tree `from` towards node `target` of the other one.
  void connect();
  void join(int a, int b);
  Round prove();
  void cut(std::size_t edge);
  void stopConnecting();

  RrtOptions options_;
  double step_ = 0, minimum_ = 0;
  Configurations nodes_;
  std::vector<int> parents_;
  std::vector<char> sides_, proven_;  ///< By node; proven: the edge from the parent.
  std::vector<double> reach_;         ///< Length of steps from a node; less where edges were infeasible.
  std::vector<int> goalNodes_;
  NearestNeighbors near_[2];
  Side next_ = kStart;
  std::vector<int> targets_;  ///< Nodes that the other tree has to reach for.
  int from_ = -1, target_ = -1, attempts_ = 0;
  std::vector<int> chain_;  ///< Nodes of a path that has to be proven.
  std::size_t bridge_ = 0;  ///< Between chain_[bridge_] and the next; past the end: none.
  bool bridgeProven_ = false, proving_ = false;
  VectorXd sample_, a_, b_, x_;
};

}  // namespace mortise::planners
