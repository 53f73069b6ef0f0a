#pragma once

/// Queries over one or two collision shapes. Poses are arguments, so that shapes are shared and immutable; what a query
/// needs besides lives in a `QueryWorkspace`, one for each thread. None allocates once its workspace and result vectors
/// have grown.
///
/// Between shapes made of triangles `collide` is exact: the corners of the second shape are taken to the frame of the
/// first by double arithmetic (`relativePose`, `transformTriangle`), and what is asked of those numbers is answered
/// without rounding. Surfaces are what they are: a mesh is its triangles, not what they may enclose; a heightmap is
/// solid below. Touching counts as collision.

#include <span>
#include <vector>

#include "mortise/collision/bvh/bvh_traversal.h"
#include "mortise/collision/shape.h"

namespace mortise {

/// X_AB from poses in a common frame.
RigidTransform relativePose(const RigidTransform& X_WA, const RigidTransform& X_WB);
/// Takes the nine numbers of a triangle by a pose, row by row from left to right.
void transformTriangle(const RigidTransform& X, const double* triangle, double* result);

/// Buffers of queries. Belongs to one thread at a time.
struct QueryWorkspace {
  BvhStack stack;
  std::vector<SeparationHint> hints;
};

/// End of the last query of the same two shapes; the next one in a nearby pose starts from there. Changes which of
/// several right answers is found (which colliding pair, which of equally near points), never whether or how far.
struct QueryHint {
  int placeA = -1, placeB = -1;
};

struct FeaturePair {
  ElementId a, b;
  auto operator<=>(const FeaturePair&) const = default;
};

/// Says whether the shapes, margins included, have a point in common. `found`, when given, receives a pair of elements
/// that have.
bool collide(const CollisionShape& a, const RigidTransform& X_WA, const CollisionShape& b, const RigidTransform& X_WB,
             QueryWorkspace& workspace, QueryHint* hint = nullptr, FeaturePair* found = nullptr);

/// Every pair of elements that have a point in common, in ascending order; when there are more than `max`, that many of
/// them, chosen by the order of the search. Returns whether there is one.
bool collideAll(const CollisionShape& a, const RigidTransform& X_WA, const CollisionShape& b,
                const RigidTransform& X_WB, std::size_t max, std::vector<FeaturePair>& pairs,
                QueryWorkspace& workspace);

/// Says whether the shapes come within `distance` meters of each other; `distance` 0 asks what `collide` asks.
bool withinDistance(const CollisionShape& a, const RigidTransform& X_WA, const CollisionShape& b,
                    const RigidTransform& X_WB, double distance, QueryWorkspace& workspace, QueryHint* hint = nullptr);

struct DistanceOptions {
  /// Meters; pairs farther apart than this are not looked for.
  double upperBound = std::numeric_limits<double>::infinity();
  /// The distance returned, d, is that of the pair returned, and the true one is no less than
  /// `(d - absoluteError) / (1 + relativeError)`.
  double relativeError = 0, absoluteError = 0;
};

struct DistanceResult {
  bool found = false;  ///< False when a shape is empty or nothing is within the upper bound.
  /// Meters between the swept surfaces. Negative where they overlap: for convex elements with inside, the depth of the
  /// deepest pair; for triangles with margins, down to minus the margins' sum; 0 for bare triangles that meet.
  double distance = std::numeric_limits<double>::infinity();
  Vector3d p_WA = Vector3d::Zero(), p_WB = Vector3d::Zero();  ///< Nearest points, on the swept surfaces.
  Vector3d normal_W = Vector3d::UnitZ();                      ///< Unit, from the first to the second.
  FeaturePair elements;
  ElementFeature featureA, featureB;
};

DistanceResult distance(const CollisionShape& a, const RigidTransform& X_WA, const CollisionShape& b,
                        const RigidTransform& X_WB, QueryWorkspace& workspace, const DistanceOptions& options = {},
                        QueryHint* hint = nullptr);

struct ElementContact {
  FeaturePair elements;
  ElementFeature featureA, featureB;
  Vector3d p_WA = Vector3d::Zero(), p_WB = Vector3d::Zero();  ///< Nearest points, on the swept surfaces.
  Vector3d normal_W = Vector3d::UnitZ();                      ///< Unit, from the first to the second.
  double gap = 0;  ///< Meters; negative by the least translation that would part the two elements.
};

/// EVERY pair of elements no more than `tolerance` meters apart (the boundary layer), in ascending order of elements.
/// `contacts` is cleared first. With `max`, no more than that many, chosen by the order of the search.
void contacts(const CollisionShape& a, const RigidTransform& X_WA, const CollisionShape& b, const RigidTransform& X_WB,
              double tolerance, std::vector<ElementContact>& contacts, QueryWorkspace& workspace,
              std::size_t max = std::numeric_limits<std::size_t>::max());

struct Ray {
  Vector3d origin = Vector3d::Zero(), direction = Vector3d::UnitZ();  ///< The direction may have any length but zero.
  double tMax = std::numeric_limits<double>::infinity();              ///< `origin + t direction` up to this t.
};

struct RayHit {
  bool hit = false;
  double t = std::numeric_limits<double>::infinity();
  Vector3d p_W = Vector3d::Zero();
  Vector3d normal_W = Vector3d::UnitZ();  ///< Unit, against the ray.
  ElementId element;
  ElementFeature feature;
};

/// First hit. Triangles are hit from both sides; rays do not slip through shared edges and corners.
bool rayCast(const CollisionShape& shape, const RigidTransform& X_WS, const Ray& ray, RayHit& hit);
/// The same for many rays; `hits` has room for as many. Returns the number that hit.
std::size_t rayCasts(const CollisionShape& shape, const RigidTransform& X_WS, std::span<const Ray> rays,
                     std::span<RayHit> hits);

/// Says whether a point is in the shape: within or on one of its elements, or inside a mesh. Inside a mesh means that
/// its triangles wind around the point (the generalized winding number, Jacobson et al. 2013, is above one half): exact
/// for closed meshes away from the surface, the natural guess for ones with holes. A heightmap contains what lies
/// below.
bool contains(const CollisionShape& shape, const RigidTransform& X_WS, const Vector3d& p_W);

}  // namespace mortise
