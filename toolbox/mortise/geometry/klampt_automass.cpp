#include "mortise/geometry/klampt_automass.h"

#include <Eigen/Geometry>
#include <cmath>

#include "mortise/base/error.h"

namespace mortise {

namespace {

/// Sums over triangles: weight, weighted first moment.
struct FirstMoment {
  double weight = 0;
  Vector3d moment = Vector3d::Zero();
};

Vector3d mean(const std::vector<Vector3d>& points) {
  Vector3d sum = Vector3d::Zero();
  for (const Vector3d& p : points) sum += p;
  return points.empty() ? sum : Vector3d(sum / static_cast<double>(points.size()));
}

FirstMoment shellMoment(const TriangleMesh& mesh) {
  FirstMoment sum;
  for (const auto& t : mesh.triangles) {
    const Vector3d &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
    const double area = 0.5 * (b - a).cross(c - a).norm();
    sum.weight += area;
    sum.moment += area / 3 * (a + b + c);
  }
  return sum;
}

/// Sums of signed tetrahedra from the mean of the vertices, as in Klamp't: where a mesh is open, this matters.
FirstMoment solidMoment(const TriangleMesh& mesh) {
  const Vector3d apex = mean(mesh.vertices);
  FirstMoment sum;
  for (const auto& t : mesh.triangles) {
    const Vector3d &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
    const double volume = (a - apex).dot((b - apex).cross(c - apex)) / 6;
    sum.weight += volume;
    sum.moment += volume / 4 * (a + b + c + apex);
  }
  return sum;
}

/// Throws for a mesh without volume. Of one that is inside out, volume and moments are negative, and their quotients
/// right all the same.
void requireVolume(double volume, const TriangleMesh& mesh) {
  if (!(std::abs(volume) > 1e-12 * std::pow(shellMoment(mesh).weight, 1.5)))
    throw Error("the mesh encloses no volume, so it has no solid mass properties", {},
                "close it, or use a surface fraction of 1");
}

/// Integral of x x^T over the triangles about `center`, divided by the area. For one triangle of area A with vertices
/// v_i and s their sum it is A/12 (sum v_i v_i^T + s s^T).
Matrix3d shellCovariance(const TriangleMesh& mesh, const Vector3d& center) {
  Matrix3d sum = Matrix3d::Zero();
  double total = 0;
  for (const auto& t : mesh.triangles) {
    const Vector3d a = mesh.vertices[t[0]] - center, b = mesh.vertices[t[1]] - center, c = mesh.vertices[t[2]] - center;
    const Vector3d s = a + b + c;
    const double area = 0.5 * (b - a).cross(c - a).norm();
    sum += area / 12 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose());
    total += area;
  }
  return total > 0 ? Matrix3d(sum / total) : Matrix3d::Zero();
}

/// The same over the enclosed volume, as a sum of signed tetrahedra with apex `center`: V/20 (sum v_i v_i^T + s s^T).
Matrix3d solidCovariance(const TriangleMesh& mesh, const Vector3d& center) {
  Matrix3d sum = Matrix3d::Zero();
  double total = 0;
  for (const auto& t : mesh.triangles) {
    const Vector3d a = mesh.vertices[t[0]] - center, b = mesh.vertices[t[1]] - center, c = mesh.vertices[t[2]] - center;
    const Vector3d s = a + b + c;
    const double volume = a.dot(b.cross(c)) / 6;
    sum += volume / 20 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose());
    total += volume;
  }
  requireVolume(total, mesh);
  return sum / total;
}

Vector3d meshCenter(const TriangleMesh& mesh, double surfaceFraction) {
  Vector3d center = Vector3d::Zero();
  if (surfaceFraction != 0) {
    const FirstMoment shell = shellMoment(mesh);
    if (shell.weight > 0) center += surfaceFraction * shell.moment / shell.weight;
  }
  if (surfaceFraction != 1) {
    const FirstMoment solid = solidMoment(mesh);
    requireVolume(solid.weight, mesh);
    center += (1 - surfaceFraction) * solid.moment / solid.weight;
  }
  return center;
}

Vector3d centerOf(const Geometry& geometry, double surfaceFraction) {
  if (geometry.empty()) return Vector3d::Zero();
  if (const auto* mesh = geometry.as<TriangleMesh>()) return meshCenter(*mesh, surfaceFraction);
  if (const auto* cloud = geometry.as<PointCloud>()) return mean(cloud->points);
  if (const auto* group = geometry.as<GeometryGroup>()) {
    Vector3d sum = Vector3d::Zero();
    for (const auto& part : group->parts) sum += centerOf(*part, surfaceFraction);
    return sum / static_cast<double>(group->parts.size());
  }
  const AxisAlignedBounds bounds = geometry.bounds();
  return 0.5 * (bounds.min + bounds.max);
}

Matrix3d covarianceOf(const Geometry& geometry, const Vector3d& center, double surfaceFraction) {
  Matrix3d covariance = Matrix3d::Zero();
  if (geometry.empty()) return covariance;
  if (const auto* mesh = geometry.as<TriangleMesh>()) {
    if (surfaceFraction != 0) covariance += surfaceFraction * shellCovariance(*mesh, center);
    if (surfaceFraction != 1) covariance += (1 - surfaceFraction) * solidCovariance(*mesh, center);
  } else if (const auto* cloud = geometry.as<PointCloud>()) {
    for (const Vector3d& p : cloud->points) covariance += (p - center) * (p - center).transpose();
    covariance /= static_cast<double>(cloud->points.size());
  } else if (const auto* group = geometry.as<GeometryGroup>()) {
    for (const auto& part : group->parts) covariance += covarianceOf(*part, center, surfaceFraction);
  } else {
    const AxisAlignedBounds bounds = geometry.bounds();
    covariance.diagonal() = (bounds.max - bounds.min).cwiseAbs2() / 12;
  }
  return covariance;
}

/// Through memory: compilers fold the two conversions away where they vectorize.
float single(double x) {
  volatile float rounded = static_cast<float>(x);
  return rounded;
}

/// The reference reads numbers through Assimp, which rounds the digits before and behind the point one by one and then
/// their sum: now and then the neighbor of what rounding once gives. Numbers that are single already stay as they are.
double singlePrecision(double x) {
  const double size = std::abs(x), full = std::floor(size);
  if (!(size < 1e15)) return static_cast<double>(single(x));
  volatile float sum = single(full) + single(size - full);
  return std::copysign(static_cast<double>(sum), x);
}

}  // namespace

BodyInertia klamptMassProperties(const Geometry& geometry, double mass, double surfaceFraction) {
  return klamptMassPropertiesAbout(geometry, mass, centerOf(geometry, surfaceFraction), surfaceFraction);
}

BodyInertia klamptMassPropertiesAbout(const Geometry& geometry, double mass, const Vector3d& com,
                                      double surfaceFraction) {
  const Matrix3d covariance = covarianceOf(geometry, com, surfaceFraction);
  BodyInertia body;
  body.mass = mass;
  body.com = com;
  body.inertia = mass * (covariance.trace() * Matrix3d::Identity() - covariance);
  return body;
}

GeometryPtr withSingleVertices(const GeometryPtr& geometry) {
  if (!geometry) return geometry;
  if (const auto* mesh = geometry->as<TriangleMesh>()) {
    TriangleMesh rounded = *mesh;
    for (Vector3d& vertex : rounded.vertices)
      for (double& x : vertex) x = singlePrecision(x);
    return std::make_shared<Geometry>(std::move(rounded), geometry->margin(), geometry->file());
  }
  if (const auto* group = geometry->as<GeometryGroup>()) {
    GeometryGroup rounded;
    for (const GeometryPtr& part : group->parts) rounded.parts.push_back(withSingleVertices(part));
    return std::make_shared<Geometry>(std::move(rounded), geometry->margin(), geometry->file());
  }
  return geometry;
}

}  // namespace mortise
