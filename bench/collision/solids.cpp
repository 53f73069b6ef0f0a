#include "solids.h"

#include <BulletCollision/CollisionShapes/btTriangleShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <btBulletCollisionCommon.h>
#include <cmath>

#include "bench.h"

namespace mortise::bench {
namespace {

Real distanceFromSegment(const Vector3L& x, const Vector3L& a, const Vector3L& b) {
  const Vector3L along = b - a;
  const Real t = std::clamp<Real>((x - a).dot(along) / along.squaredNorm(), 0, 1);
  return (x - a - t * along).norm();
}

Vector3L longOf(const Vector3d& v) { return v.cast<Real>(); }

/// Faces of the hull of points in general position: three points that have all others on one side.
std::vector<std::array<int, 3>> hullFaces(const std::vector<Vector3d>& points) {
  std::vector<std::array<int, 3>> faces;
  const int n = static_cast<int>(points.size());
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j)
      for (int k = j + 1; k < n; ++k) {
        const Vector3L normal = (longOf(points[j]) - longOf(points[i])).cross(longOf(points[k]) - longOf(points[i]));
        int above = 0, below = 0;
        for (int m = 0; m < n; ++m) {
          if (m == i || m == j || m == k) continue;
          ++(normal.dot(longOf(points[m]) - longOf(points[i])) > 0 ? above : below);
        }
        if (above == 0) faces.push_back({i, j, k});
        if (below == 0) faces.push_back({i, k, j});
      }
  return faces;
}

btTransform bulletPose(const RigidTransform& X) {
  const Matrix3d& R = X.R;
  return btTransform(btMatrix3x3(R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0), R(2, 1), R(2, 2)),
                     btVector3(X.p[0], X.p[1], X.p[2]));
}

}  // namespace

const char* nameOf(Solid::Kind kind) {
  constexpr const char* names[] = {"sphere", "ellipsoid", "box", "capsule", "cylinder", "convex", "triangle"};
  return names[static_cast<int>(kind)];
}

Real Solid::support(const Vector3L& n) const {
  const Vector3L s = longOf(size);
  switch (kind) {
    case Kind::sphere:
      return s[0] * n.norm();
    case Kind::ellipsoid:
      return n.cwiseProduct(s).norm();
    case Kind::box:
      return n.cwiseAbs().dot(s);
    case Kind::capsule:
      return s[2] * std::abs(n[2]) + s[0] * n.norm();
    case Kind::cylinder:
      return s[2] * std::abs(n[2]) + s[0] * std::hypot(n[0], n[1]);
    default:
      break;
  }
  Real maximum = -1e300L;
  for (const Vector3d& p : points) maximum = std::max(maximum, n.dot(longOf(p)));
  return maximum;
}

Vector3L Solid::farthest(const Vector3L& n) const {
  const Vector3L s = longOf(size);
  const auto end = [&](int axis) { return n[axis] < 0 ? -s[axis] : s[axis]; };
  switch (kind) {
    case Kind::sphere:
      return s[0] * n.normalized();
    case Kind::ellipsoid: {
      const Vector3L scaled = n.cwiseProduct(s);
      return scaled.cwiseProduct(s) / scaled.norm();
    }
    case Kind::box:
      return {end(0), end(1), end(2)};
    case Kind::capsule:
      return Vector3L(0, 0, end(2)) + s[0] * n.normalized();
    case Kind::cylinder: {
      const Real across = std::hypot(n[0], n[1]);
      if (!(across > 0)) return {0, 0, end(2)};
      return {s[0] * n[0] / across, s[0] * n[1] / across, end(2)};
    }
    default:
      break;
  }
  std::size_t best = 0;
  for (std::size_t i = 1; i < points.size(); ++i)
    if (n.dot(longOf(points[i])) > n.dot(longOf(points[best]))) best = i;
  return longOf(points[best]);
}

Real Solid::excess(const Vector3L& x) const {
  const Vector3L s = longOf(size);
  switch (kind) {
    case Kind::sphere:
      return x.norm() - s[0];
    case Kind::ellipsoid: {
      const Real scaled = x.cwiseQuotient(s).norm() - 1;
      return scaled * (scaled > 0 ? s.maxCoeff() : s.minCoeff());
    }
    case Kind::box:
      // Outside: the sum of the three is no less than the distance.
      return (x.cwiseAbs() - s).maxCoeff() <= 0 ? (x.cwiseAbs() - s).maxCoeff()
                                                : (x.cwiseAbs() - s).cwiseMax(Real(0)).norm();
    case Kind::capsule:
      return distanceFromSegment(x, {0, 0, -s[2]}, {0, 0, s[2]}) - s[0];
    case Kind::cylinder: {
      const Real side = std::hypot(x[0], x[1]) - s[0], cap = std::abs(x[2]) - s[2];
      return std::max(side, cap) <= 0 ? std::max(side, cap)
                                      : std::hypot(std::max<Real>(side, 0), std::max<Real>(cap, 0));
    }
    case Kind::convex: {
      // Outside this is less than the distance near corners, by a factor that their sharpness bounds.
      Real maximum = -1e300L;
      for (const auto& face : faces) {
        const Vector3L a = longOf(points[face[0]]), b = longOf(points[face[1]]), c = longOf(points[face[2]]);
        maximum = std::max(maximum, (b - a).cross(c - a).normalized().dot(x - a));
      }
      return maximum;
    }
    case Kind::triangle:
      break;
  }
  const Vector3L a = longOf(points[0]), b = longOf(points[1]), c = longOf(points[2]);
  const Vector3L normal = (b - a).cross(c - a);
  const bool over =
      normal.cross(b - a).dot(x - a) >= 0 && normal.cross(c - b).dot(x - b) >= 0 && normal.cross(a - c).dot(x - c) >= 0;
  if (over) return std::abs(normal.normalized().dot(x - a));
  return std::min({distanceFromSegment(x, a, b), distanceFromSegment(x, b, c), distanceFromSegment(x, c, a)});
}

Solid randomSolid(Solid::Kind kind, RandomStream& random) {
  Solid solid;
  solid.kind = kind;
  const auto size = [&] { return random.uniform(0.1, 1); };
  const double across = size();
  switch (kind) {
    case Solid::Kind::ellipsoid:
    case Solid::Kind::box:
      solid.size = {across, size(), size()};
      break;
    case Solid::Kind::sphere:
      solid.size.setConstant(across);
      break;
    case Solid::Kind::capsule:
    case Solid::Kind::cylinder:
      solid.size = {across, across, size()};
      break;
    case Solid::Kind::convex:
    case Solid::Kind::triangle: {
      const int corners = kind == Solid::Kind::triangle ? 3 : 6 + static_cast<int>(random.below(14));
      const Vector3d stretch(size(), size(), size());
      for (int i = 0; i < corners; ++i)
        solid.points.push_back(
            Vector3d(random.gaussian(), random.gaussian(), random.gaussian()).normalized().cwiseProduct(stretch));
      if (kind == Solid::Kind::convex) solid.faces = hullFaces(solid.points);
      break;
    }
  }
  return solid;
}

Solid triangleOf(const TriangleMesh& mesh, int index) {
  Solid solid;
  solid.kind = Solid::Kind::triangle;
  for (const int corner : mesh.triangles[index]) solid.points.push_back(mesh.vertices[corner]);
  return solid;
}

CollisionShapePtr oursOf(const Solid& solid) {
  const Vector3d s = solid.size, top(0, 0, s[2]);
  const auto shape = [](Geometry::Data data) {
    return makeCollisionShape(std::make_shared<const Geometry>(std::move(data)));
  };
  switch (solid.kind) {
    case Solid::Kind::sphere:
      return shape(SphereShape{Vector3d::Zero(), s[0]});
    case Solid::Kind::ellipsoid:
      return shape(EllipsoidShape{{}, s});
    case Solid::Kind::box:
      return shape(AxisAlignedBoxShape{-s, s});
    case Solid::Kind::capsule:
      return shape(CapsuleShape{-top, top, s[0]});
    case Solid::Kind::cylinder:
      return shape(CylinderShape{-top, Vector3d::UnitZ(), s[0], 2 * s[2]});
    case Solid::Kind::convex:
      return shape(ConvexHullShape{solid.points});
    case Solid::Kind::triangle:
      break;
  }
  return shape(TriangleShape{solid.points[0], solid.points[1], solid.points[2]});
}

std::shared_ptr<fcl::CollisionGeometryd> fclOf(const Solid& solid) {
  const Vector3d s = solid.size;
  switch (solid.kind) {
    case Solid::Kind::sphere:
      return std::make_shared<fcl::Sphered>(s[0]);
    case Solid::Kind::ellipsoid:
      return std::make_shared<fcl::Ellipsoidd>(s[0], s[1], s[2]);
    case Solid::Kind::box:
      return std::make_shared<fcl::Boxd>(2 * s[0], 2 * s[1], 2 * s[2]);
    case Solid::Kind::capsule:
      return std::make_shared<fcl::Capsuled>(s[0], 2 * s[2]);
    case Solid::Kind::cylinder:
      return std::make_shared<fcl::Cylinderd>(s[0], 2 * s[2]);
    case Solid::Kind::convex: {
      auto faces = std::make_shared<std::vector<int>>();
      for (const auto& face : solid.faces) faces->insert(faces->end(), {3, face[0], face[1], face[2]});
      // Points within the hull are no corners of it.
      std::vector<int> name(solid.points.size(), -1);
      auto corners = std::make_shared<std::vector<Vector3d>>();
      for (std::size_t i = 0; i < faces->size(); ++i) {
        if (i % 4 == 0) continue;
        int& corner = (*faces)[i];
        if (name[corner] < 0) {
          name[corner] = static_cast<int>(corners->size());
          corners->push_back(solid.points[corner]);
        }
        corner = name[corner];
      }
      return std::make_shared<fcl::Convexd>(corners, static_cast<int>(solid.faces.size()), faces);
    }
    case Solid::Kind::triangle:
      break;
  }
  TriangleMesh mesh;
  mesh.vertices = solid.points;
  mesh.triangles = {{0, 1, 2}};
  return fclModel(mesh);
}

std::shared_ptr<btConvexShape> bulletOf(const Solid& solid) {
  const Vector3d s = solid.size;
  std::shared_ptr<btConvexShape> shape;
  switch (solid.kind) {
    case Solid::Kind::sphere:
      return std::make_shared<btSphereShape>(s[0]);
    case Solid::Kind::ellipsoid:
      return nullptr;
    case Solid::Kind::box:
      shape = std::make_shared<btBoxShape>(btVector3(s[0], s[1], s[2]));
      break;
    case Solid::Kind::capsule:
      return std::make_shared<btCapsuleShapeZ>(s[0], 2 * s[2]);
    case Solid::Kind::cylinder:
      shape = std::make_shared<btCylinderShapeZ>(btVector3(s[0], s[0], s[2]));
      break;
    case Solid::Kind::convex: {
      auto hull = std::make_shared<btConvexHullShape>();
      for (const Vector3d& p : solid.points) hull->addPoint(btVector3(p[0], p[1], p[2]), false);
      hull->recalcLocalAabb();
      shape = hull;
      break;
    }
    case Solid::Kind::triangle: {
      const auto corner = [&](int i) { return btVector3(solid.points[i][0], solid.points[i][1], solid.points[i][2]); };
      shape = std::make_shared<btTriangleShape>(corner(0), corner(1), corner(2));
      break;
    }
  }
  shape->setMargin(0);
  return shape;
}

BulletAnswer bulletSeparation(const btConvexShape& a, const RigidTransform& X_WA, const btConvexShape& b,
                              const RigidTransform& X_WB) {
  btVoronoiSimplexSolver simplex;
  btGjkEpaPenetrationDepthSolver depth;
  btGjkPairDetector detector(&a, &b, &simplex, &depth);
  btGjkPairDetector::ClosestPointInput input;
  input.m_transformA = bulletPose(X_WA);
  input.m_transformB = bulletPose(X_WB);
  btPointCollector collector;
  detector.getClosestPoints(input, collector, nullptr);
  BulletAnswer answer;
  answer.found = collector.m_hasResult;
  if (!answer.found) return answer;
  const auto vector = [](const btVector3& v) { return Vector3d(v.x(), v.y(), v.z()); };
  answer.distance = collector.m_distance;
  answer.normal = -vector(collector.m_normalOnBInWorld);
  answer.pointB = vector(collector.m_pointInWorld);
  answer.pointA = answer.pointB - answer.distance * answer.normal;
  return answer;
}

namespace {

Real gap(const Solid& a, const RigidTransform& X_WA, const Solid& b, const RigidTransform& X_WB, const Vector3L& n) {
  return n.dot(longOf(X_WB.p) - longOf(X_WA.p)) - a.support(X_WA.R.cast<Real>().transpose() * n) -
         b.support(-(X_WB.R.cast<Real>().transpose() * n));
}

}  // namespace

Real gapAlong(const Solid& a, const RigidTransform& X_WA, const Solid& b, const RigidTransform& X_WB,
              const Vector3d& direction) {
  return gap(a, X_WA, b, X_WB, longOf(direction).normalized());
}

Real searchedGap(const Solid& a, const RigidTransform& X_WA, const Solid& b, const RigidTransform& X_WB,
                 const Vector3d& start, int steps) {
  constexpr int kDirections = 100;
  std::vector<std::pair<Real, Vector3L>> best = {{gapAlong(a, X_WA, b, X_WB, start), longOf(start).normalized()}};
  for (int i = 0; i < kDirections; ++i) {
    const Real z = 1 - (2 * i + 1) / Real(kDirections), across = std::sqrt(1 - z * z), turn = 2.399963229728653L * i;
    const Vector3L n(across * std::cos(turn), across * std::sin(turn), z);
    best.emplace_back(gap(a, X_WA, b, X_WB, n), n);
  }
  std::partial_sort(best.begin(), best.begin() + 4, best.end(),
                    [](const auto& x, const auto& y) { return x.first > y.first; });
  Real maximum = -1e300L;
  for (int i = 0; i < 4; ++i) {
    auto [value, n] = best[i];
    RandomStream random(1, "turns");
    int left = steps;
    for (Real step = 0.2L; step > 1e-11L && left > 0; --left) {
      const Vector3L u = n.unitOrthogonal(), v = n.cross(u);
      bool better = false;
      for (int k = 0; k < 8; ++k) {
        const Real angle = random.uniform(0, 2 * M_PI);
        const Vector3L next = (n + step * (std::cos(angle) * u + std::sin(angle) * v)).normalized();
        const Real there = gap(a, X_WA, b, X_WB, next);
        if (there <= value + 1e-18L) continue;
        value = there;
        n = next;
        better = true;
      }
      if (!better) step *= 0.6L;
    }
    maximum = std::max(maximum, value);
  }
  return maximum;
}

namespace {

/// Weights of the point of the hull of up to four points that is nearest to the origin: of all subsets whose plane has
/// it within, the nearest. Zero weights for what is not needed.
std::array<Real, 4> nearestWeights(const std::vector<Vector3L>& points) {
  std::array<Real, 4> best = {};
  Real minimum = std::numeric_limits<Real>::infinity();
  const int n = static_cast<int>(points.size());
  for (int subset = 1; subset < 1 << n; ++subset) {
    std::vector<int> index;
    for (int i = 0; i < n; ++i)
      if (subset & (1 << i)) index.push_back(i);
    const int count = static_cast<int>(index.size());
    // Steps from the first point along the others, made perpendicular one after the other.
    std::sort(index.begin(), index.end(),
              [&](int i, int j) { return points[i].squaredNorm() < points[j].squaredNorm(); });
    const Vector3L& corner = points[index[0]];
    std::sort(index.begin() + 1, index.end(),
              [&](int i, int j) { return (points[i] - corner).squaredNorm() < (points[j] - corner).squaredNorm(); });
    Vector3L across[3];
    Real step[3] = {};
    bool independent = true;
    for (int k = 0; k + 1 < count; ++k) {
      const Vector3L edge = points[index[k + 1]] - corner;
      across[k] = edge;
      for (int round = 0; round < 2; ++round)
        for (int m = 0; m < k; ++m) across[k] -= across[m].dot(across[k]) / across[m].squaredNorm() * across[m];
      independent = independent && across[k].squaredNorm() > 1e-34L * edge.squaredNorm();
    }
    if (!independent) continue;
    for (int k = count - 2; k >= 0; --k) {
      step[k] = -corner.dot(across[k]) / across[k].squaredNorm();
      for (int m = k + 1; m + 1 < count; ++m)
        step[k] -= step[m] * across[k].dot(points[index[m + 1]] - corner) / across[k].squaredNorm();
    }
    std::array<Real, 4> weights = {};
    Real rest = 1;
    bool within = true;
    for (int k = 0; k + 1 < count; ++k) {
      weights[index[k + 1]] = step[k];
      rest -= step[k];
      within = within && step[k] >= 0;
    }
    weights[index[0]] = rest;
    if (!within || rest < 0) continue;
    Vector3L point = Vector3L::Zero();
    for (int i = 0; i < n; ++i) point += weights[i] * points[i];
    if (point.squaredNorm() >= minimum) continue;
    minimum = point.squaredNorm();
    best = weights;
  }
  return best;
}

}  // namespace

DistanceBounds boundedDistance(const Solid& a, const RigidTransform& X_WA, const Solid& b, const RigidTransform& X_WB,
                               const Vector3d& start) {
  const auto difference = [&](const Vector3L& n) -> Vector3L {
    const Matrix3d &R_WA = X_WA.R, &R_WB = X_WB.R;
    return R_WA.cast<Real>() * a.farthest(R_WA.cast<Real>().transpose() * n) + longOf(X_WA.p) - longOf(X_WB.p) -
           R_WB.cast<Real>() * b.farthest(-(R_WB.cast<Real>().transpose() * n));
  };
  std::vector<Vector3L> points = {difference(longOf(start))};
  DistanceBounds bounds;
  bounds.upper = points[0].norm();
  Vector3L nearest = points[0];
  for (int i = 0; i < 500 && bounds.upper > 1e-17L; ++i) {
    const Vector3L n = -nearest.normalized();
    bounds.lower = std::max(bounds.lower, gap(a, X_WA, b, X_WB, n));
    if (bounds.upper - bounds.lower <= 1e-15L) break;
    points.push_back(difference(n));
    const std::array<Real, 4> weights = nearestWeights(points);
    nearest.setZero();
    std::vector<Vector3L> kept;
    for (std::size_t k = 0; k < points.size(); ++k) {
      if (weights[k] == 0) continue;
      nearest += weights[k] * points[k];
      kept.push_back(points[k]);
    }
    // All four around it: they overlap.
    if (kept.size() == 4 || kept.empty()) {
      bounds.upper = std::min(bounds.upper, kept.empty() ? bounds.upper : nearest.norm());
      break;
    }
    // Rounding has the say from here.
    if (nearest.norm() >= bounds.upper) break;
    bounds.upper = nearest.norm();
    points = kept;
  }
  return bounds;
}

Real searchedExcess(const Solid& a, const RigidTransform& X_WA, const Solid& b, const RigidTransform& X_WB,
                    const Vector3d& start) {
  const auto excess = [&](const Vector3L& p) {
    return std::max(a.excess(X_WA.R.cast<Real>().transpose() * (p - longOf(X_WA.p))),
                    b.excess(X_WB.R.cast<Real>().transpose() * (p - longOf(X_WB.p))));
  };
  Vector3L p = longOf(start);
  Real value = excess(p);
  int left = 2000;
  for (Real step = std::max<Real>(1e-6L, 2 * value); step > 1e-14L && left > 0 && value > 0; --left) {
    bool better = false;
    // Fresh directions each time: along a ridge few lead down.
    RandomStream random(static_cast<std::uint64_t>(left), "directions");
    for (int k = 0; k < 12; ++k) {
      const Vector3d to = Vector3d(random.gaussian(), random.gaussian(), random.gaussian()).normalized();
      const Vector3L next = p + step * longOf(to);
      const Real there = excess(next);
      if (there >= value) continue;
      value = there;
      p = next;
      better = true;
    }
    if (!better) step *= 0.6L;
  }
  return value;
}

Real excessAt(const Solid& solid, const RigidTransform& X_W, const Vector3d& p_W) {
  return solid.excess(X_W.R.cast<Real>().transpose() * (longOf(p_W) - longOf(X_W.p)));
}

}  // namespace mortise::bench
