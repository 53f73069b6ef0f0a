#pragma once

#include <vector>

#include "round_planner.h"
#include "structures/configurations.h"
#include "structures/projection_grid.h"

namespace mortise::planners {

struct TreeRoadmapOptions {
  bool lazy = true;     ///< Ways are checked when a path goes over them; false: when they are made.
  bool useGrid = true;  ///< Nodes are picked evenly by place; false: evenly.
  bool seeds = false;   ///< Also trees from random places.
  double radius = 0;    ///< Radius of the neighborhood in which a node's children are; 0: a fraction of the extent.
  int tries = 5;        ///< Children tried, ever nearer.
  double connectionThreshold = std::numeric_limits<double>::infinity();
  double gridResolution = 0;    ///< Size of a cell in each coordinate; 0: a tenth of its range.
  int randomizeFrequency = 50;  ///< Rounds between other coordinates for the grid.
};

/// Trees that grow from places into their neighborhood, and are connected to each other. With two trees and lazy: SBL
/// (Sánchez and Latombe, 2001); with more: PRT (Plaku, Bekris, Chen, Ladd and Kavraki, 2005); with edges checked at
/// once: expansive spaces (Hsu, Latombe and Motwani, 1997).
class TreeRoadmap final : public RoundPlanner {
 public:
  explicit TreeRoadmap(const TreeRoadmapOptions& options) : options_(options) {}
  bool roadmap(Roadmap& roadmap) const override;

 protected:
  void begin() override;
  void addGoal(int goal) override;
  Round round() override;
  void count(Value& statistics) const override;

 private:
  enum Free : char {
    kNone = 0,
    kDown = 1,
    kUp = 2,
    kExamined = 4
  };  ///< State of the edge between a node and its parent.
  struct Tree {
    int root = -1;
    bool start = false, goal = false;
    int group = 0;  ///< Trees of one group are connected.
    std::vector<int> nodes;
    ProjectionGrid grid;
  };
  struct Link {  ///< Between the roots of two trees.
    int a, b;
    std::vector<VectorXd> path;
    bool freeBack = false;  ///< Also the other way round.
  };

  int add(const VectorXd& q, int tree, int parent);
  int addTree(const VectorXd& q, bool start, bool goal);
  int pick(int tree);
  int pickFor(int tree, const VectorXd& q);
  void extend();
  /// Returns a tree to join `tree` with, for the node at `x_`: the nearest or any; -1: there is none.
  int treeOfAnotherGroup(int tree);
  void startChain(int a, int b);
  void checkChain();
  void cut(std::size_t edge);
  void moveNode(int node, int tree);
  bool treeIsLonely(int tree) const;
  void linkTrees();
  void findPath();
  void checkPath();

  TreeRoadmapOptions options_;
  double radius_ = 0;
  VectorXd cells_;
  Configurations nodes_;
  std::vector<int> parents_, trees_, places_;  ///< By node; places: in the list of its tree.
  std::vector<char> free_;
  std::vector<Tree> forest_;
  std::vector<Link> links_;
  std::int64_t grown_ = 0;
  std::vector<int> chain_;
  std::size_t bridge_ = 0;
  bool checking_ = false, bridgeFree_ = false, grownIntoGoal_ = false;
  std::vector<VectorXd> path_;  ///< Over several trees, its parts checked the other way round so far up to...
  std::vector<int> pathLinks_;  ///< ...link by link.
  std::vector<char> pathReversed_;
  std::size_t pathAt_ = 0, edgeAt_ = 0;
  bool checkingPath_ = false;
  VectorXd a_, b_, x_;
};

}  // namespace mortise::planners
