#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "mortise/collision/element/gjk.h"
#include "mortise/math/constants.h"

namespace mortise {

namespace {

using Point = CoreDifference::Point;

constexpr int kMaxVertices = 256;
constexpr int kMaxFaces = 2 * kMaxVertices;
constexpr double kConverged = 1e-12;
constexpr double kFlat = 1e-12;

/// A polytope within the difference, grown where its surface is nearest to the origin.
class Expansion {
 public:
  explicit Expansion(CoreDifference& difference) : difference_(difference), size_(difference.size()) {}

  EpaResult run(const Simplex& simplex) {
    if (!start(simplex)) return flat_;
    double upper = kInfinity, lower = -kInfinity;
    int upperFace = -1;
    Vector3d upperNormal = Vector3d::UnitZ(), facePoint[2] = {Vector3d::Zero(), Vector3d::Zero()};
    for (;;) {
      const int nearest = nearestFace();
      if (nearest < 0) break;
      const Face face = faces_[nearest];
      lower = std::max(lower, face.distance);
      const Point w = difference_.support(face.normal);
      const double reach = face.normal.dot(w.w);
      if (reach < upper) {
        upper = reach;
        upperFace = nearest;
        upperNormal = face.normal;
      }
      if (upper - lower <= kConverged * size_) break;
      // The face is part of the surface of the difference.
      if (reach - face.distance <= kConverged * size_) break;
      if (numVertices_ == kMaxVertices || !expand(nearest, w)) break;
    }
    EpaResult result;
    if (upperFace < 0) return result;
    footAlong(upperNormal, upper, facePoint);
    result.depth = upper;
    result.lower = std::min(lower, upper);
    // The second moves along -n of the difference a - b to get free of the first: from the first to the second is n.
    result.normal = upperNormal;
    result.pointA = facePoint[0];
    result.pointB = facePoint[1];
    return result;
  }

 private:
  struct Face {
    int v[3];
    int neighbor[3];  ///< Across the edge from v[i] to v[i + 1].
    Vector3d normal;
    double distance;
    bool alive;
    int mark;
  };

  /// The points whose difference is nearest to `depth` along `normal`. A flat part of the surface is several faces, and
  /// any of them may have it.
  void footAlong(const Vector3d& normal, double depth, Vector3d (&points)[2]) const {
    const Vector3d foot = depth * normal;
    double minimum = kInfinity;
    for (int i = 0; i < numFaces_; ++i) {
      const Face& f = faces_[i];
      if (!f.alive || f.distance == kInfinity || f.normal.dot(normal) < 0.5) continue;
      const Point &a = vertices_[f.v[0]], &b = vertices_[f.v[1]], &c = vertices_[f.v[2]];
      const double off = f.normal.dot(foot) - f.distance;
      if (off * off > minimum) continue;
      ElementFeature part;
      const Vector3d nearest = nearestOnTriangle(a.w, b.w, c.w, foot, part);
      const double squared = (nearest - foot).squaredNorm();
      if (!(squared < minimum)) continue;
      minimum = squared;
      const Vector3d n = (b.w - a.w).cross(c.w - a.w);
      const double u = std::max(n.dot((b.w - nearest).cross(c.w - nearest)), 0.0),
                   v = std::max(n.dot((c.w - nearest).cross(a.w - nearest)), 0.0),
                   w = std::max(n.dot((a.w - nearest).cross(b.w - nearest)), 0.0), sum = u + v + w;
      if (!(sum > 0)) continue;
      points[0] = (u * a.pointA + v * b.pointA + w * c.pointA) / sum;
      points[1] = (u * a.pointB + v * b.pointB + w * c.pointB) / sum;
    }
  }

  int addFace(int a, int b, int c) {
    int index = -1;
    if (numFree_ > 0) {
      index = free_[--numFree_];
    } else {
      if (numFaces_ == kMaxFaces) return -1;
      index = numFaces_++;
    }
    Face& f = faces_[index];
    f.v[0] = a;
    f.v[1] = b;
    f.v[2] = c;
    f.alive = true;
    f.mark = 0;
    const Vector3d &pa = vertices_[a].w, &pb = vertices_[b].w, &pc = vertices_[c].w;
    // From the shortest edges: their cross product has the most digits.
    const Vector3d ab = pb - pa, bc = pc - pb, ca = pa - pc;
    const double lab = ab.squaredNorm(), lbc = bc.squaredNorm(), lca = ca.squaredNorm();
    Vector3d n = lab >= lbc && lab >= lca ? bc.cross(ca) : lbc >= lca ? ca.cross(ab) : ab.cross(bc);
    const double length = n.norm();
    if (length > 0) {
      f.normal = n / length;
      f.distance = f.normal.dot(lab <= lca ? (lab <= lbc ? pa : pb) : (lbc <= lca ? pb : pc));
    } else {
      f.normal = Vector3d::Zero();
      f.distance = kInfinity;  // A sliver has no side to grow on.
    }
    return index;
  }

  int nearestFace() const {
    int best = -1;
    double minimum = kInfinity;
    for (int i = 0; i < numFaces_; ++i)
      if (faces_[i].alive && faces_[i].distance < minimum) {
        minimum = faces_[i].distance;
        best = i;
      }
    return best;
  }

  /// Replaces what `w` sees by a cone from its rim. False, with nothing changed, where rounding makes the rim ragged.
  bool expand(int seed, const Point& w) {
    ++mark_;
    const double slack = 1e-15 * size_;
    int visible[kMaxFaces], numVisible = 0;
    visible[numVisible++] = seed;
    faces_[seed].mark = mark_;
    struct Rim {
      int from, to, beyond;
    } rim[kMaxFaces];
    int numRim = 0;
    for (int k = 0; k < numVisible; ++k) {
      const Face& f = faces_[visible[k]];
      for (int e = 0; e < 3; ++e) {
        Face& other = faces_[f.neighbor[e]];
        if (other.mark == mark_) continue;
        const bool sees = other.distance == kInfinity ? false : other.normal.dot(w.w) - other.distance > slack;
        if (!sees) continue;
        other.mark = mark_;
        visible[numVisible++] = f.neighbor[e];
      }
    }
    for (int k = 0; k < numVisible; ++k) {
      const Face& f = faces_[visible[k]];
      for (int e = 0; e < 3; ++e)
        if (faces_[f.neighbor[e]].mark != mark_) {
          if (numRim == kMaxFaces) return false;
          rim[numRim++] = {f.v[e], f.v[(e + 1) % 3], f.neighbor[e]};
        }
    }
    if (numRim < 3) return false;
    for (int i = 0; i + 1 < numRim; ++i) {
      int next = -1;
      for (int j = i + 1; j < numRim; ++j)
        if (rim[j].from == rim[i].to) next = j;
      if (next < 0) return false;
      std::swap(rim[i + 1], rim[next]);
    }
    if (rim[numRim - 1].to != rim[0].from) return false;
    if (numFaces_ - numFree_ + numRim - numVisible > kMaxFaces ||
        numRim > kMaxFaces - numFaces_ + numFree_ + numVisible)
      return false;
    for (int k = 0; k < numVisible; ++k) {
      faces_[visible[k]].alive = false;
      free_[numFree_++] = visible[k];
    }
    const int apex = numVertices_++;
    vertices_[apex] = w;
    int made[kMaxFaces];
    for (int i = 0; i < numRim; ++i) made[i] = addFace(rim[i].from, rim[i].to, apex);
    for (int i = 0; i < numRim; ++i) {
      Face& f = faces_[made[i]];
      f.neighbor[0] = rim[i].beyond;
      f.neighbor[1] = made[(i + 1) % numRim];
      f.neighbor[2] = made[(i + numRim - 1) % numRim];
      Face& beyond = faces_[rim[i].beyond];
      for (int e = 0; e < 3; ++e)
        if (beyond.v[e] == rim[i].to && beyond.v[(e + 1) % 3] == rim[i].from) beyond.neighbor[e] = made[i];
    }
    return true;
  }

  /// A tetrahedron around or beside the origin. False where the difference has no volume: then the depth is zero, and
  /// `flat_` has the normal.
  bool start(const Simplex& simplex) {
    Point p[4];
    int count = std::min(simplex.count, 4);
    for (int i = 0; i < count; ++i) p[i] = simplex.points[i];
    if (count == 4) {
      const double volume = std::abs((p[1].w - p[0].w).cross(p[2].w - p[0].w).dot(p[3].w - p[0].w));
      if (!(volume > kFlat * size_ * size_ * size_)) {
        // Keep the corner that spans the largest triangle with the first edge.
        int keep = 2;
        if ((p[1].w - p[0].w).cross(p[3].w - p[0].w).norm() > (p[1].w - p[0].w).cross(p[2].w - p[0].w).norm()) keep = 3;
        p[2] = p[keep];
        count = 3;
      }
    }
    const double tiny = kFlat * size_;
    const auto flat = [&](const Vector3d& normal) {
      flat_.normal = normal;
      // Of a tetrahedron without volume the side that has the origin.
      double minimum = kInfinity;
      for (int skip = simplex.count == 4 ? 0 : 3; skip < 4; ++skip) {
        Simplex s;
        for (int i = 0; i < simplex.count; ++i)
          if (i != skip) s.add(simplex.points[i]);
        bool inside = false;
        const double squared = s.nearest(inside).squaredNorm();
        if (!(squared < minimum)) continue;
        minimum = squared;
        flat_.pointA = s.pointA();
        flat_.pointB = s.pointB();
      }
      return false;
    };
    if (count == 3 && !((p[1].w - p[0].w).cross(p[2].w - p[0].w).norm() > tiny * size_)) {
      if ((p[1].w - p[0].w).squaredNorm() < (p[2].w - p[0].w).squaredNorm()) p[1] = p[2];
      count = 2;
    }
    if (count == 2 && !((p[1].w - p[0].w).norm() > tiny)) count = 1;
    if (count == 1) {
      double maximum = tiny;
      for (int axis = 0; axis < 3; ++axis)
        for (const double sign : {1.0, -1.0}) {
          const Point w = difference_.support(sign * Vector3d::Unit(axis));
          if (const double far = (w.w - p[0].w).norm(); far > maximum) {
            maximum = far;
            p[1] = w;
            count = 2;
          }
        }
      if (count == 1) return flat(Vector3d::UnitZ());
    }
    if (count == 2) {
      const Vector3d along = (p[1].w - p[0].w).normalized();
      const Vector3d u = anyPerpendicular(along), v = along.cross(u);
      double maximum = tiny;
      for (int k = 0; k < 6; ++k) {
        const double angle = k * 1.0471975511965976;
        const Point w = difference_.support(std::cos(angle) * u + std::sin(angle) * v);
        if (const double far = along.cross(w.w - p[0].w).norm(); far > maximum) {
          maximum = far;
          p[2] = w;
          count = 3;
        }
      }
      if (count == 2) return flat(u);
    }
    if (count == 3) {
      const Vector3d n = (p[1].w - p[0].w).cross(p[2].w - p[0].w).normalized();
      double maximum = tiny;
      for (const double sign : {1.0, -1.0}) {
        const Point w = difference_.support(sign * n);
        if (const double far = std::abs(n.dot(w.w - p[0].w)); far > maximum) {
          maximum = far;
          p[3] = w;
          count = 4;
        }
      }
      if (count == 3) return flat(n);
    }
    if ((p[1].w - p[0].w).cross(p[2].w - p[0].w).dot(p[3].w - p[0].w) > 0) std::swap(p[1], p[2]);
    for (int i = 0; i < 4; ++i) vertices_[numVertices_++] = p[i];
    addFace(0, 1, 2);
    addFace(0, 3, 1);
    addFace(1, 3, 2);
    addFace(2, 3, 0);
    constexpr int neighbors[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
    for (int f = 0; f < 4; ++f)
      for (int e = 0; e < 3; ++e) faces_[f].neighbor[e] = neighbors[f][e];
    return true;
  }

  CoreDifference& difference_;
  double size_;
  EpaResult flat_;
  Point vertices_[kMaxVertices];
  Face faces_[kMaxFaces];
  int free_[kMaxFaces];
  int numVertices_ = 0, numFaces_ = 0, numFree_ = 0, mark_ = 0;
};

}  // namespace

EpaResult epa(CoreDifference& difference, const Simplex& simplex) { return Expansion(difference).run(simplex); }

}  // namespace mortise
