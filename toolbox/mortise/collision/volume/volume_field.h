#pragma once

/// Queries on implicit surfaces.
///
/// The solid is the set of points of the grid's box where the interpolated number is zero or less, nothing else: beyond
/// the box there is none, and where the solid runs into the box's wall, the wall bounds it. Distances are those to this
/// set, not the numbers of the grid, which need not be distances. They are found by dividing boxes with bounds on
/// either side (branch and bound) and are true to `tolerance` times the size of a cell.

#include <array>
#include <vector>

#include "mortise/geometry/convex/convex_element.h"

namespace mortise {

struct VolumeFieldOptions {
  double tolerance = 1e-6;  ///< Tolerance of distances, in cells.
  int maxSteps = 200000;    ///< Boxes visited in one query; what is found by then is returned.
};

/// Immutable and shared by threads; queries do not allocate.
class VolumeField {
 public:
  /// Throws `Error` where the counts do not agree, a number is not finite or the box is inside out.
  explicit VolumeField(const ImplicitSurfaceShape& shape, double margin = 0, const VolumeFieldOptions& options = {});

  const VolumeGrid& grid() const { return grid_; }
  double margin() const { return margin_; }
  /// Returns the bounds of the part of the box that may hold something solid, with the margin, in the shape's frame.
  const AxisAlignedBounds& bounds() const { return bounds_; }
  bool empty() const { return bounds_.empty(); }

  /// The interpolated number and its gradient at a point of the shape's frame; beyond the box as on its nearest point.
  double value(const Vector3d& point) const { return grid_.interpolate(grid_.X.inverse() * point); }
  Vector3d gradient(const Vector3d& point) const;

  /// Within or on the solid or its margin.
  bool contains(const Vector3d& point) const;

  /// Says whether an element posed by `X_SE` in the shape's frame comes within `within` meters of the solid or its
  /// margin.
  bool overlap(const ConvexElement& element, const RigidTransform& X_SE, double within = 0) const;

  /// Distance to an element, as `separation` with the field first. Where they overlap, minus the number of the grid at
  /// the deepest point of the element's core, plus radii: as good a depth as the grid holds distances. Looks no farther
  /// than `upperBound` meters; what is beyond has that distance and no points. Features: face 0 of the field.
  ElementSeparation separation(const ConvexElement& element, const RigidTransform& X_SE,
                               double upperBound = std::numeric_limits<double>::infinity()) const;

  /// First meeting with the solid (not its margin when that is zero; else by steps). As the one of elements.
  bool rayCast(const Vector3d& origin, const Vector3d& direction, double tMax, ElementRayHit& hit) const;

  /// Says whether two fields come within `within` meters of each other, to a hundredth of a cell.
  bool overlap(const VolumeField& other, const RigidTransform& X_SO, double within = 0) const;

 private:
  struct Node {
    double low, high;  ///< Bounds of the numbers within.
  };
  struct Level {
    std::array<int, 3> count;
    std::vector<Node> nodes;
  };
  /// A box of the search: a node of the pyramid (level >= 0), or a part of one piece (level < 0).
  struct Part {
    int level;
    std::array<int, 3> index;  ///< Index of the node, or of the piece that it is part of.
    Vector3d low, high;        ///< In the grid's frame.
    double lowerBound;         ///< Lower bound of the distance, or of what else is searched.
  };

  const Node& node(int level, const std::array<int, 3>& index) const {
    const Level& l = levels_[static_cast<std::size_t>(level)];
    return l.nodes[(static_cast<std::size_t>(index[0]) * static_cast<std::size_t>(l.count[1]) +
                    static_cast<std::size_t>(index[1])) *
                       static_cast<std::size_t>(l.count[2]) +
                   static_cast<std::size_t>(index[2])];
  }
  /// Returns where piece `i` of an axis begins: the wall, or a cell's center.
  double edge(int axis, int i) const;
  /// Lowest and highest number in the part.
  void range(const Part& part, double& low, double& high) const;
  Part top() const;
  /// Up to eight parts.
  int split(const Part& part, std::array<Part, 8>& parts) const;
  /// Number, gradient and how far the number can be from the plane that these make, about the middle of a part of a
  /// piece.
  void linear(const Part& part, double& value, Vector3d& slope, double& error) const;
  Vector3d localGradient(const Vector3d& point) const;

  template <typename Visitor>
  void search(Visitor& visitor) const;
  friend struct FieldSearch;
  friend struct DepthSearch;
  friend struct PairSearch;

  VolumeGrid grid_;
  double margin_ = 0;
  VolumeFieldOptions options_;
  double cell_ = 0;            ///< The smallest edge of a cell.
  std::vector<Level> levels_;  ///< Pieces first, one node last.
  AxisAlignedBounds bounds_;
};

}  // namespace mortise
