#pragma once

/// Convex elements, the leaves of every shape's hierarchy, and what can be asked of one or two of them. An element is a
/// core swept by a radius: a sphere is a point with a radius, a capsule a segment with one; a margin adds to the
/// radius.
///
/// Nothing here allocates, locks or throws. Elements are given in a frame of their own; `X_AB` is the pose of the frame
/// of the second element in that of the first. All numbers must be finite.

#include <cstdint>
#include <vector>

#include "mortise/geometry/geometry.h"

namespace mortise {

/// A convex polyhedron prepared for queries: corners, their neighbors and the planes of its triangles.
struct ConvexPolyhedron {
  /// Makes the polyhedron of points, also of flat, straight or single ones: those have corners alone, or one polygon as
  /// triangles of both sides.
  static ConvexPolyhedron of(const std::vector<Vector3d>& points);

  std::vector<Vector3d> vertices;
  std::vector<std::array<int, 3>> triangles;  ///< Counter-clockwise seen from outside.
  std::vector<Vector3d> normals;              ///< Unit and outward, one for each triangle.
  std::vector<double> offsets;                ///< `dot(normal, x) <= offset` within.
  /// Corners that share an edge with corner i: `neighbors[firstNeighbor[i]]` to `neighbors[firstNeighbor[i + 1] -
  /// 1]`.
  std::vector<int> firstNeighbor, neighbors;
  Vector3d center = Vector3d::Zero();  ///< Within; the mean of the corners.
  bool solid = false;                  ///< It encloses volume.

  /// The corner farthest along `direction`, by walking uphill from corner `start` (any valid index).
  int support(const Vector3d& direction, int start = 0) const;
};

enum class CoreKind : std::uint8_t { point, segment, triangle, box, cylinder, ellipsoid, hull };

/// Plain data, cheap to make where it is needed: make elements from packed arrays of points and triangles as leaves are
/// visited. Use the functions below; which members mean something depends on the kind.
struct ConvexElement {
  static ConvexElement point(const Vector3d& p, double radius = 0);
  static ConvexElement segment(const Vector3d& a, const Vector3d& b, double radius = 0);
  static ConvexElement triangle(const Vector3d& a, const Vector3d& b, const Vector3d& c, double radius = 0);
  /// Axes along the columns of `X.R`, center `X.p`.
  static ConvexElement box(const RigidTransform& X, const Vector3d& halfSize, double radius = 0);
  /// Axis along the third column of `X.R`, center `X.p`; `radiusOfCore` across the axis, `radius` is the sweep.
  static ConvexElement cylinder(const RigidTransform& X, double radiusOfCore, double halfHeight, double radius = 0);
  static ConvexElement ellipsoid(const RigidTransform& X, const Vector3d& semiAxes, double radius = 0);
  /// The polyhedron must outlive the element.
  static ConvexElement hull(const ConvexPolyhedron* polyhedron, double radius = 0);

  CoreKind kind = CoreKind::point;
  double radius = 0;  ///< Radius of the sweep.
  /// Point: a. Segment: a, b. Triangle: a, b, c.
  Vector3d a = Vector3d::Zero(), b = Vector3d::Zero(), c = Vector3d::Zero();
  RigidTransform X;                  ///< Box, cylinder, ellipsoid: center and axes.
  Vector3d half = Vector3d::Zero();  ///< Box: half sizes. Cylinder: radius, radius, half height. Ellipsoid: semi-axes.
  const ConvexPolyhedron* polyhedron = nullptr;
};

/// Part of a core: its corner, edge or face of this index.
/// - point: vertex 0. segment: vertices 0, 1; edge 0.
/// - triangle: vertices 0 to 2; edge i from vertex i to vertex i + 1; face 0.
/// - box: vertex x + 2 y + 4 z, each 0 at the lower and 1 at the upper end; edge 4 axis + u + 2 v, u and v the ends of
///   the two axes that follow in turn; face 2 axis, and 1 more for the upper one.
/// - cylinder: edge 0 the lower, 1 the upper rim; face 0 the lower cap, 1 the upper cap, 2 the side.
/// - ellipsoid: face 0.
/// - hull: corner; edge 3 triangle + i, from that triangle's corner i to the next; triangle.
enum class FeatureKind : std::uint8_t { vertex, edge, face };
struct ElementFeature {
  FeatureKind kind = FeatureKind::vertex;
  int index = 0;
  bool operator==(const ElementFeature&) const = default;
};

/// Separation of two swept elements, in the frame of the first. Always `pointB = pointA + distance * normal`.
struct ElementSeparation {
  /// Meters between the surfaces. Negative when they overlap: the least translation that parts them, along `normal`.
  double distance = 0;
  Vector3d pointA = Vector3d::Zero(), pointB = Vector3d::Zero();  ///< On the swept surfaces.
  Vector3d normal = Vector3d::UnitZ();  ///< Unit, from the first to the second: the second leaves along it.
  ElementFeature featureA, featureB;    ///< Features of the cores, where the points are.
};

/// Start of an iteration: what the last query of the same pair, in nearly the same pose, left here. Any value is safe.
struct SeparationHint {
  Vector3d direction =
      Vector3d::Zero();          ///< Direction from the first to the second in the frame of the first; zero: none.
  int vertexA = 0, vertexB = 0;  ///< Corners of hulls.
};

/// Signed distance with points, normal and features. Point, segment, triangle and box cores: closed form. Spheres
/// against all: closed form or a root bracketed to rounding. The rest (cylinder, ellipsoid and hull among themselves
/// and against segment, triangle and box): GJK and EPA with upper and lower bounds that meet within about 1e-11 of the
/// elements' size, or the best found where rounding or the limit of steps ends it.
ElementSeparation separation(const ConvexElement& a, const ConvexElement& b, const RigidTransform& X_AB,
                             SeparationHint* hint = nullptr);

/// Says whether the swept elements come within `tolerance` meters of each other (0: touch or overlap). Says the same as
/// `separation(...).distance <= tolerance` up to rounding, and is cheaper.
bool overlap(const ConvexElement& a, const ConvexElement& b, const RigidTransform& X_AB, double tolerance = 0,
             SeparationHint* hint = nullptr);

/// The farthest point of the swept element along a direction of any length but zero, in the element's frame.
Vector3d supportPoint(const ConvexElement& element, const Vector3d& direction);

/// The tightest box around the swept element in a frame F, `X_FE` being the pose of the element's frame in F.
AxisAlignedBounds elementBounds(const ConvexElement& element, const RigidTransform& X_FE = {});

/// Says whether a point of the element's frame is within or on the swept element.
bool contains(const ConvexElement& element, const Vector3d& point);

/// Signed distance from the swept surface to a point of the element's frame (negative within), its nearest point on the
/// surface, and the outward direction there.
struct PointSeparation {
  double distance = 0;
  Vector3d point = Vector3d::Zero();
  Vector3d normal = Vector3d::UnitZ();
  ElementFeature feature;
};
PointSeparation pointSeparation(const ConvexElement& element, const Vector3d& point);

struct ElementRayHit {
  double t = 0;                         ///< `origin + t * direction`.
  Vector3d normal = Vector3d::UnitZ();  ///< Unit and outward; against the ray.
  ElementFeature feature;
};
/// First meeting of the ray `origin + t * direction`, 0 <= t <= `tMax`, with the swept element. A ray that begins
/// within hits at t = 0 with the normal against its direction. Flat and thin cores of no radius are hit from both
/// sides.
bool rayCast(const ConvexElement& element, const Vector3d& origin, const Vector3d& direction, double tMax,
             ElementRayHit& hit);

}  // namespace mortise
