#pragma once

/// An edge along the solutions of equations, halved again and again. For this room.

#include <cstdint>
#include <functional>
#include <vector>

#include "mortise/planning/spaces/constrained_space.h"

namespace mortise {

/// Functions of its space that an edge uses.
struct ManifoldEdgeTools {
  std::function<void(const VectorXd& a, const VectorXd& b, double u, VectorXd& q)> interpolate;
  std::function<double(const VectorXd& a, const VectorXd& b)> distance;
  std::function<bool(VectorXd& q)> project;
  std::function<double(const VectorXd& q)> residual;
};

/// The edge from a to b, as far as it has been needed. Parts are split only when needed; what comes out does not depend
/// on the order of questions.
class ManifoldEdge {
 public:
  ManifoldEdge(const VectorXd& a, const VectorXd& b);
  const VectorXd& a() const { return points_[0]; }
  const VectorXd& b() const { return points_[1]; }

  /// The next round of halves, breadth first. False when nothing was left to split; see `broken`.
  bool deepen(const ManifoldEdgeTools& tools, const ConstrainedSpaceOptions& options);
  /// Says whether a part was found that cannot be split.
  bool broken() const { return broken_; }

  /// The point at u in [0, 1]. False where the edge does not exist.
  bool at(double u, const ManifoldEdgeTools& tools, const ConstrainedSpaceOptions& options, VectorXd& q);

  /// The ends are 0 and 1, then come the middles found so far.
  int numPoints() const { return static_cast<int>(points_.size()); }
  const VectorXd& point(int i) const { return points_[static_cast<std::size_t>(i)]; }
  /// Gets the points of a full edge in order.
  void order(std::vector<int>& points) const;

 private:
  enum class State : char { open, leaf, split, broken };
  struct Part {
    int from, to, depth;
    State state = State::open;
    int middle = -1, first = -1;  ///< A split part's halves are first and first + 1.
  };
  bool advances(const Part& part, const VectorXd& middle, const ManifoldEdgeTools& tools) const;
  void examine(int part, const ManifoldEdgeTools& tools, const ConstrainedSpaceOptions& options);

  std::vector<VectorXd> points_;
  std::vector<double> fromA_, toB_;  ///< Distances of points from the ends.
  std::vector<Part> parts_;
  std::size_t next_ = 0;  ///< Parts before this one have been examined by `deepen`.
  bool broken_ = false;
};

}  // namespace mortise
