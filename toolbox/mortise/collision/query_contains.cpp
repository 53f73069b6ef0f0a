#include <Eigen/Geometry>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/collision/element/triangle_intersection.h"
#include "mortise/collision/query.h"
#include "mortise/collision/ray_hierarchy.h"
#include "mortise/geometry/convex/exact_orientation.h"

namespace mortise {
namespace {

/// Counts how often, and which way, the segment from `p` to a far `q` crosses the triangles of a mesh.
struct CrossingSearch {
  const CollisionShape& shape;
  int part;
  const double* p;
  const double* q;
  int winding = 0;
  bool onSurface = false;
  bool doubtful = false;  ///< The segment meets an edge or a corner.

  void visit(const double* t) {
    const double *a = t, *b = t + 3, *c = t + 6;
    const int atP = exact::orientation3d(a, b, c, p), atQ = exact::orientation3d(a, b, c, q);
    if (atP * atQ > 0) return;
    const int ab = exact::orientation3d(p, q, a, b), bc = exact::orientation3d(p, q, b, c);
    const int ca = exact::orientation3d(p, q, c, a);
    if ((ab > 0 || bc > 0 || ca > 0) && (ab < 0 || bc < 0 || ca < 0)) return;
    if (atP == 0 && segmentIntersectsTriangle(p, p, t)) {
      onSurface = true;
    } else if (ab == 0 || bc == 0 || ca == 0 || atP == 0 || atQ == 0) {
      doubtful = doubtful || segmentIntersectsTriangle(p, q, t);
    } else {
      winding += atP < 0 ? 1 : -1;
    }
  }
};

double visitCrossings(void* context, int first, int count) {
  CrossingSearch& search = *static_cast<CrossingSearch*>(context);
  for (int i = first; i < first + count; ++i) {
    const int place = search.shape.rays().place(i);
    if (search.shape.id(place).part != search.part) continue;
    const ConvexElement e = search.shape.element(place);
    double t[9];
    for (int k = 0; k < 3; ++k) {
      t[k] = e.a[k];
      t[3 + k] = e.b[k];
      t[6 + k] = e.c[k];
    }
    search.visit(t);
  }
  return search.onSurface ? -1 : std::numeric_limits<double>::infinity();
}

/// Sum of the signed solid angles over 4 pi (Van Oosterom and Strackee, 1983).
double windingNumber(const CollisionShape& shape, int part, const Vector3d& p) {
  double sum = 0;
  for (int i = 0; i < shape.numElements(); ++i) {
    if (shape.id(i).part != part) continue;
    const ConvexElement e = shape.element(i);
    const Vector3d a = e.a - p, b = e.b - p, c = e.c - p;
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    sum += std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
  }
  return sum / (2 * M_PI);
}

bool insideMesh(const CollisionShape& shape, const CollisionShape::MeshPart& mesh, const Vector3d& p) {
  if ((p - shape.center()).norm() > shape.radius()) return false;
  if (mesh.closed) {
    // Directions that meshes seldom have edges along.
    constexpr double kDirections[][3] = {{0.8320502943, 0.5547001962, 0.0123456789},
                                         {-0.31, 0.9237, 0.2251},
                                         {0.1271, -0.4413, 0.8883},
                                         {-0.7177, -0.1413, -0.6818},
                                         {0.5311, -0.7129, -0.4583},
                                         {-0.0917, 0.6131, -0.7847}};
    for (const auto& direction : kDirections) {
      const double reach = 3 * shape.radius();
      const double q[3] = {p[0] + reach * direction[0], p[1] + reach * direction[1], p[2] + reach * direction[2]};
      CrossingSearch search{shape, mesh.part, p.data(), q};
      LocalRay ray;
      for (int i = 0; i < 3; ++i) {
        ray.origin[i] = p[i] - shape.bvh().origin()[i];
        ray.direction[i] = direction[i];
      }
      visitAlongRay(shape.rays().nodes(), ray, std::numeric_limits<double>::max(), visitCrossings, &search);
      if (search.onSurface) return true;
      if (!search.doubtful) return search.winding > 0;
    }
  }
  return windingNumber(shape, mesh.part, p) > 0.5;
}

}  // namespace

bool contains(const CollisionShape& shape, const RigidTransform& X_WS, const Vector3d& p_W) {
  if (!X_WS.allFinite() || !p_W.allFinite())
    throw Error("a containment query got a point or a pose that is not finite", {}, "give finite numbers");
  if (shape.empty()) return false;
  const Vector3d p = X_WS.R.transpose() * (p_W - X_WS.p);
  if (shape.insideSolid(p)) return true;
  if ((p - shape.center()).norm() > shape.radius()) return false;
  // The point as a shape of its own, of one element and one box, is near few elements.
  thread_local QueryWorkspace workspace;
  static const CollisionShapePtr point = makeCollisionShape(std::make_shared<const Geometry>(PointShape{}));
  if (collide(shape, {}, *point, RigidTransform::translation(p), workspace)) return true;
  for (const CollisionShape::MeshPart& mesh : shape.meshParts())
    if (insideMesh(shape, mesh, p)) return true;
  return false;
}

}  // namespace mortise
