#include "mortise/closed_forms/shapes.h"

namespace mortise::truth {

GeometryPtr geometryOf(Geometry::Data data) { return std::make_shared<const Geometry>(std::move(data)); }

GeometryPtr boxGeometry(const Vector3d& size) { return geometryOf(AxisAlignedBoxShape{-0.5 * size, 0.5 * size}); }

TriangleMesh boxMesh(const Vector3d& size) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.vertices.push_back(
        0.5 * Vector3d((i & 4 ? 1 : -1) * size.x(), (i & 2 ? 1 : -1) * size.y(), (i & 1 ? 1 : -1) * size.z()));
  mesh.triangles = {{0, 1, 3}, {0, 3, 2}, {4, 6, 7}, {4, 7, 5}, {0, 4, 5}, {0, 5, 1},
                    {2, 3, 7}, {2, 7, 6}, {0, 2, 6}, {0, 6, 4}, {1, 5, 7}, {1, 7, 3}};
  return mesh;
}

GeometryPtr sphereGeometry(double radius) {
  SphereShape sphere;
  sphere.radius = radius;
  return geometryOf(sphere);
}

GeometryPtr planeGeometry(double half, const Matrix3d& R) {
  TriangleMesh mesh;
  for (const Vector3d& p :
       {Vector3d(-half, -half, 0), Vector3d(half, -half, 0), Vector3d(half, half, 0), Vector3d(-half, half, 0)})
    mesh.vertices.push_back(R * p);
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  return geometryOf(mesh);
}

Matrix3d boxMoments(double mass, const Vector3d& size) {
  const Vector3d s = size.cwiseProduct(size);
  return Vector3d(s.y() + s.z(), s.x() + s.z(), s.x() + s.y()).asDiagonal() * (mass / 12);
}

Matrix3d sphereMoments(double mass, double radius) { return Matrix3d::Identity() * (0.4 * mass * radius * radius); }

Matrix3d rotationAbout(const Vector3d& axis, double angle) {
  return Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
}

}  // namespace mortise::truth
