#pragma once

#include <array>
#include <map>
#include <vector>

#include "structures/configurations.h"

namespace mortise::planners {

/// Cells over some coordinates of configurations, at most three of them, chosen at random: to pick nodes of a tree
/// evenly over the places where it is rather than evenly over its nodes (Sánchez and Latombe, 2001).
class ProjectionGrid {
 public:
  /// `sizes`: of a cell, by coordinate.
  void reset(const VectorXd& sizes);
  /// Other coordinates; what was inserted has to be inserted again.
  void chooseCoordinates(RandomStream& random);
  void insert(const Configurations& nodes, int node);
  void erase(const Configurations& nodes, int node);
  bool empty() const { return cells_.empty(); }
  /// A random node of a random cell.
  int pick(RandomStream& random) const;
  /// A random node of the cell in which q is; -1 when there is none.
  int pickAt(const double* q, RandomStream& random) const;

 private:
  using Key = std::array<long, 3>;
  struct Cell {
    Key key;
    std::vector<int> nodes;
  };
  Key keyOf(const double* q) const;

  VectorXd sizes_;
  std::vector<int> coordinates_;
  std::vector<Cell> cells_;
  std::map<Key, int> index_;
};

}  // namespace mortise::planners
