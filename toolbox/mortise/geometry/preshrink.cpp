#include "mortise/geometry/preshrink.h"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "mortise/base/error.h"
#include "mortise/geometry/convex/convex_element.h"

namespace mortise {
namespace {

constexpr double kMinFraction = 0.1;  ///< Fraction of a size that must be left.

bool leaves(double size, double loss) { return size - loss >= kMinFraction * size && size > loss; }

/// Returns the mesh with its corners moved; nothing when it is not closed or would turn over.
std::optional<TriangleMesh> shrunk(const TriangleMesh& mesh, double amount) {
  using Key = std::array<double, 3>;
  std::map<Key, int> places;
  std::vector<int> vertexOf(mesh.vertices.size());
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    const Vector3d& p = mesh.vertices[i];
    vertexOf[i] = places.try_emplace(Key{p.x(), p.y(), p.z()}, static_cast<int>(places.size())).first->second;
  }
  std::map<std::pair<int, int>, int> sides;
  std::vector<Matrix3d> products(places.size(), Matrix3d::Zero());
  std::vector<Vector3d> sums(places.size(), Vector3d::Zero());
  double volume = 0;
  AxisAlignedBounds bounds;
  for (const auto& t : mesh.triangles) {
    const Vector3d corners[3] = {mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]};
    const Vector3d cross = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
    volume += corners[0].dot(cross);
    for (int i = 0; i < 3; ++i) {
      bounds.include(corners[i]);
      const int from = vertexOf[t[i]], to = vertexOf[t[(i + 1) % 3]];
      if (from != to) ++sides[{from, to}];
      if (!(cross.norm() > 0)) continue;
      const Vector3d u = corners[(i + 1) % 3] - corners[i], v = corners[(i + 2) % 3] - corners[i];
      // By the angle at the corner, so that it does not matter how a face is cut into triangles.
      const double angle = std::atan2(u.cross(v).norm(), u.dot(v));
      const Vector3d normal = cross.normalized();
      products[from] += angle * normal * normal.transpose();
      sums[from] += angle * normal;
    }
  }
  for (const auto& [side, count] : sides) {
    const auto back = sides.find({side.second, side.first});
    if (back == sides.end() || back->second != count) return std::nullopt;
  }
  if (!(volume > 0)) return std::nullopt;  // Wound inward: there is no telling what it means.
  const double smallest = (bounds.max - bounds.min).minCoeff();
  if (!leaves(smallest, 2 * amount)) return std::nullopt;
  TriangleMesh result = mesh;
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    const int v = vertexOf[i];
    const double scale = products[v].trace();
    if (!(scale > 0)) continue;
    const Matrix3d regular = products[v] + 1e-6 * scale * Matrix3d::Identity();
    Vector3d move = -amount * regular.ldlt().solve(sums[v]);
    const double length = move.norm();
    if (length > 3 * amount) move *= 3 * amount / length;
    result.vertices[i] += move;
  }
  return result;
}

}  // namespace

GeometryPtr preshrunk(const GeometryPtr& geometry, double amount) {
  if (!(amount >= 0 && std::isfinite(amount))) throw Error("a shape is shrunk by a distance in meters, at least 0");
  if (!geometry || amount == 0) return geometry;
  const auto made = [&](Geometry::Data data) {
    return std::make_shared<const Geometry>(std::move(data), geometry->margin(), geometry->file());
  };
  if (const auto* mesh = geometry->as<TriangleMesh>()) {
    if (auto smaller = shrunk(*mesh, amount)) return made(std::move(*smaller));
  } else if (const auto* sphere = geometry->as<SphereShape>()) {
    if (leaves(sphere->radius, amount)) return made(SphereShape{sphere->center, sphere->radius - amount});
  } else if (const auto* capsule = geometry->as<CapsuleShape>()) {
    if (leaves(capsule->radius, amount)) return made(CapsuleShape{capsule->a, capsule->b, capsule->radius - amount});
  } else if (const auto* box = geometry->as<BoxShape>()) {
    if (leaves(box->size.minCoeff(), 2 * amount)) {
      const Vector3d inset = Vector3d::Constant(amount);
      return made(BoxShape{{box->X.R, box->X * inset}, box->size - 2 * inset});
    }
  } else if (const auto* aligned = geometry->as<AxisAlignedBoxShape>()) {
    if (leaves((aligned->max - aligned->min).minCoeff(), 2 * amount))
      return made(
          AxisAlignedBoxShape{aligned->min + Vector3d::Constant(amount), aligned->max - Vector3d::Constant(amount)});
  } else if (const auto* cylinder = geometry->as<CylinderShape>()) {
    if (leaves(cylinder->radius, amount) && leaves(cylinder->height, 2 * amount))
      return made(CylinderShape{cylinder->base + amount * cylinder->axis, cylinder->axis, cylinder->radius - amount,
                                cylinder->height - 2 * amount});
  } else if (const auto* ellipsoid = geometry->as<EllipsoidShape>()) {
    if (leaves(ellipsoid->radii.minCoeff(), amount))
      return made(EllipsoidShape{ellipsoid->X, ellipsoid->radii - Vector3d::Constant(amount)});
  } else if (const auto* hull = geometry->as<ConvexHullShape>()) {
    const ConvexPolyhedron polyhedron = ConvexPolyhedron::of(hull->points);
    if (polyhedron.solid)
      if (auto smaller = shrunk({polyhedron.vertices, polyhedron.triangles}, amount))
        return made(ConvexHullShape{std::move(smaller->vertices)});
  } else if (const auto* group = geometry->as<GeometryGroup>()) {
    GeometryGroup parts;
    for (const GeometryPtr& part : group->parts) parts.parts.push_back(preshrunk(part, amount));
    return made(std::move(parts));
  }
  return geometry;
}

}  // namespace mortise
