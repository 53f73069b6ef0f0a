#include "convex_hull.h"

#include <Eigen/Eigenvalues>
#include <LinearMath/btConvexHullComputer.h>
#include <algorithm>
#include <cmath>

#include "convert.h"

namespace mortise::bullet {

namespace {

constexpr int kMaxCorners = 120;

struct Plane {
  Vector3d normal;  ///< Outward, unit length.
  double offset;    ///< normal . x = offset on the plane.
};

void compute(btConvexHullComputer& hull, const std::vector<Vector3d>& points) {
  std::vector<double> coordinates;
  coordinates.reserve(3 * points.size());
  for (const Vector3d& p : points) coordinates.insert(coordinates.end(), p.data(), p.data() + 3);
  hull.compute(coordinates.data(), 3 * sizeof(double), static_cast<int>(points.size()), 0, 0);
}

/// Of the hull's faces, with the origin inside.
std::vector<Plane> facePlanes(const btConvexHullComputer& hull) {
  std::vector<Plane> planes;
  for (int f = 0; f < hull.faces.size(); ++f) {
    const btConvexHullComputer::Edge* const first = &hull.edges[hull.faces[f]];
    const Vector3d origin = fromBullet(hull.vertices[first->getSourceVertex()]);
    Vector3d normal = Vector3d::Zero();
    for (const auto* edge = first->getNextEdgeOfFace(); edge != first; edge = edge->getNextEdgeOfFace())
      normal += (fromBullet(hull.vertices[edge->getSourceVertex()]) - origin)
                    .cross(fromBullet(hull.vertices[edge->getTargetVertex()]) - origin);
    if (!(normal.norm() > 0)) continue;
    normal.normalize();
    const double offset = normal.dot(origin);
    planes.push_back(offset < 0 ? Plane{-normal, -offset} : Plane{normal, offset});
  }
  return planes;
}

}  // namespace

std::vector<Vector3d> hullCorners(const std::vector<Vector3d>& points) {
  btConvexHullComputer hull;
  compute(hull, points);
  std::vector<Vector3d> corners;
  for (int i = 0; i < hull.vertices.size(); ++i) corners.push_back(fromBullet(hull.vertices[i]));
  if (corners.empty()) return points;
  if (static_cast<int>(corners.size()) <= kMaxCorners) return corners;
  std::vector<bool> keep(corners.size(), false);
  const auto keepFarthest = [&](const Vector3d& direction) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < corners.size(); ++i)
      if (direction.dot(corners[i]) > direction.dot(corners[best])) best = i;
    keep[best] = true;
  };
  for (int axis = 0; axis < 3; ++axis)
    for (const double sign : {-1.0, 1.0}) keepFarthest(sign * Vector3d::Unit(axis));
  const double golden = 3.883222077450933;  // 2 pi / golden ratio: evenly spread over the sphere (Fibonacci lattice).
  for (int i = 0; i < kMaxCorners; ++i) {
    const double z = 1 - (2 * i + 1.0) / kMaxCorners, r = std::sqrt(1 - z * z);
    keepFarthest({r * std::cos(golden * i), r * std::sin(golden * i), z});
  }
  std::vector<Vector3d> kept;
  for (std::size_t i = 0; i < corners.size(); ++i)
    if (keep[i]) kept.push_back(corners[i]);
  return kept;
}

/// The corners of an intersection of half spaces are the faces of the hull of the dual points normal / offset.
std::vector<Vector3d> grownHull(const std::vector<Vector3d>& corners, double distance) {
  Vector3d center = Vector3d::Zero();
  for (const Vector3d& p : corners) center += p / static_cast<double>(corners.size());
  std::vector<Vector3d> centered;
  for (const Vector3d& p : corners) centered.push_back(p - center);
  btConvexHullComputer hull, dual;
  compute(hull, centered);
  std::vector<Vector3d> points;
  for (const Plane& plane : facePlanes(hull)) points.push_back(plane.normal / (plane.offset + distance));
  compute(dual, points);
  std::vector<Vector3d> grown;
  for (const Plane& plane : facePlanes(dual)) {
    if (!(plane.offset > 0)) continue;
    const Vector3d corner = plane.normal / plane.offset;
    const auto nearest = std::min_element(centered.begin(), centered.end(), [&](const Vector3d& a, const Vector3d& b) {
      return (a - corner).squaredNorm() < (b - corner).squaredNorm();
    });
    const Vector3d move = corner - *nearest;
    const double length = move.norm();
    grown.push_back(center + *nearest + (length > 3 * distance ? Vector3d(move * (3 * distance / length)) : move));
  }
  return grown.size() >= 4 ? grown : corners;
}

double thickness(const std::vector<Vector3d>& points) {
  Vector3d mean = Vector3d::Zero();
  for (const Vector3d& p : points) mean += p / static_cast<double>(points.size());
  Matrix3d covariance = Matrix3d::Zero();
  for (const Vector3d& p : points) covariance += (p - mean) * (p - mean).transpose();
  const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(covariance);
  double low = 0, high = 0;
  for (const Vector3d& p : points) {
    const double d = solver.eigenvectors().col(0).dot(p - mean);
    low = std::min(low, d);
    high = std::max(high, d);
  }
  return high - low;
}

}  // namespace mortise::bullet
