#pragma once

#include <array>
#include <vector>

#include "mortise/geometry/geometry.h"

namespace mortise {

/// Signed distance to a closed mesh, for filling grids: a tree of boxes over the triangles, and the sign by the normal
/// of the nearest feature, averaged by angle at edges and corners (Baerentzen and Aanaes, 2005).
class TriangleField {
 public:
  /// Equal vertices are merged first. Throws `Error` for meshes without triangles or with vertices that are not finite.
  explicit TriangleField(const TriangleMesh& mesh);

  /// Says whether each edge belongs to two triangles that run through it in opposite directions.
  bool closed() const { return closed_; }

  /// Meters to the surface; negative within. The sign means something only where the mesh is closed and faces outward.
  double signedDistance(const Vector3d& point) const;
  /// Meters to the surface, whatever the side.
  double distance(const Vector3d& point) const;

 private:
  struct Node {
    Vector3d low, high;
    int first = 0, count = 0;  ///< Triangles of a leaf in `order_`; else count is 0 and `first` the first child of two.
  };
  struct Nearest {
    double squared;
    int triangle = -1;
    Vector3d point;
    int kind = 0, index = 0;  ///< 0 corner, 1 edge, 2 face.
  };
  void build(int node, int begin, int end);
  Nearest nearest(const Vector3d& point) const;

  TriangleMesh mesh_;
  std::vector<Node> nodes_;
  std::vector<int> order_;
  std::vector<Vector3d> faceNormals_, vertexNormals_;
  std::vector<std::array<Vector3d, 3>> edgeNormals_;
  bool closed_ = false;
};

}  // namespace mortise
