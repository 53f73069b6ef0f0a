#pragma once

/// Bounds on the directions in which a part of a surface can touch: lines within an angle of an axis.

#include <cstddef>
#include <cstdint>
#include <span>

#include "mortise/math/transform.h"

namespace mortise {

/// Kind of a corner, at a coarser scale.
enum class VertexKind : std::uint8_t { smooth, ridge, corner };

struct NormalCone {
  static constexpr double kAll = 4;  ///< More than any angle.

  Vector3d axis = Vector3d::Zero();  ///< Unit, to either side.
  double half = -1;                  ///< Radians between axis and edge; -1: nothing; `kAll`: every direction.

  bool none() const { return half < 0; }
  void include(const NormalCone& other);
};

/// The cones of a hierarchy's node, as the walk through two hierarchies reads them: lane k of each belongs to box k.
struct alignas(32) NormalNode {
  float axis[3][8], half[8];
  /// Cosine and sine of the half angle, and of it and what edges may be turned by; 0 and 1 where that is too much.
  float cosine[2][8], sine[2][8];
  float sharp[8];  ///< 1: some edge in it may turn what touches it.
};

/// One for each node of a hierarchy, or one that holds for all of them.
struct NormalNodes {
  const NormalNode* first = nullptr;
  int stride = 1;  ///< 0: one for all.
  const NormalNode& operator[](int node) const { return first[static_cast<std::ptrdiff_t>(stride) * node]; }
};

/// At least the angle between two lines with this cosine, never more (its half chord, doubled; 5 % less at one radian).
double angleBelow(double cosine);

/// Directions d with `u . d <= sine` for each u of `cone`; `none` where there are none.
NormalCone normalsOfVertex(std::span<const Vector3d> cone, VertexKind kind, double sine);
/// Likewise across an edge; `cone` leads into its faces.
NormalCone normalsOfEdge(const Vector3d& along, std::span<const Vector3d> cone, double sine);

}  // namespace mortise
