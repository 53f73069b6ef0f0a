#pragma once

#include <vector>

#include "mortise/component/planner.h"
#include "structures/configurations.h"
#include "structures/flat_metric.h"

namespace mortise::planners {

/// The structure in which neighbors are sought; Klamp't's `pointLocation`.
struct PointLocation {
  enum class Kind {
    exact,      ///< The nearest: by k-d trees where the metric is flat, by ball trees elsewhere.
    linear,     ///< The nearest, by looking at all.
    random,     ///< Any.
    randomBest  ///< The nearest of `tries` random ones.
  } kind = Kind::exact;
  int tries = 1;
};

struct Neighbor {
  int id;
  double distance;
  bool operator<(const Neighbor& other) const {
    return distance != other.distance ? distance < other.distance : id < other.id;
  }
};

/// The nearest of a growing set of configurations in the space's metric. Where several are equally near, the one with
/// the smallest id.
///
/// A short list of what came last, which is looked through, and static trees of doubling sizes that it is merged into
/// (Bentley and Saxe, 1980): k-d trees in scaled coordinates where the metric is flat, else ball trees around vantage
/// points (Yianilos, 1993), which need the triangle inequality.
class NearestNeighbors {
 public:
  /// `space` and `points` outlive the object.
  void reset(const PlanningSpace& space, const FlatMetric& metric, const Configurations& points,
             const PointLocation& location = {});
  int size() const { return alive_; }
  void insert(int id);
  /// Does nothing for what is not in the set.
  void erase(int id);
  bool contains(int id) const { return id < static_cast<int>(member_.size()) && member_[id] != 0; }

  /// -1 when the set is empty.
  int nearest(const VectorXd& q, double* distance, RandomStream& random);
  /// The k nearest, nearest first.
  void nearestK(const VectorXd& q, int k, std::vector<Neighbor>& found, RandomStream& random);

 private:
  struct Node {
    int axis = -1;             ///< Axis of a k-d tree; -1: a leaf. Vantage points: 0.
    double split = 0;          ///< Coordinate, or the radius within which the left part lies.
    int first = 0, count = 0;  ///< Points of a leaf; of an inner node the vantage point.
    int left = 0, right = 0;
  };
  struct Tree {
    std::vector<Node> nodes;
    std::vector<int> ids;        ///< In the order of leaves.
    std::vector<double> scaled;  ///< Their coordinates, scaled; flat metrics only.
  };
  struct Search;

  void build(Tree& tree);
  int buildFlat(Tree& tree, int first, int count);
  int buildRound(Tree& tree, int first, int count);
  double distanceTo(const VectorXd& q, int id);
  void scale(const double* q, double* scaled) const;
  void search(const VectorXd& q, Search& search);
  void searchFlat(const Tree& tree, int node, const double* q, Search& search, double offset, double* side);
  void searchRound(const Tree& tree, int node, const VectorXd& q, Search& search);
  void rebuildAll();

  const PlanningSpace* space_ = nullptr;
  const Configurations* points_ = nullptr;
  FlatMetric metric_;
  PointLocation location_;
  int alive_ = 0, dead_ = 0;
  std::vector<char> member_;
  std::vector<int> recent_;
  std::vector<double> recentScaled_;
  std::vector<Tree> trees_;  ///< Trees of sizes that halve; the largest first.
  std::vector<int> order_;   ///< Members, for random choices.
  std::vector<int> place_;   ///< In `order_`.
  VectorXd other_;
  std::vector<double> scaledQuery_, sides_;
  std::vector<Neighbor> heap_;
  std::vector<std::pair<double, int>> sorting_;
};

}  // namespace mortise::planners
