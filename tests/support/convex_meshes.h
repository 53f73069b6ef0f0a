#pragma once

#include "mortise/geometry/geometry.h"
#include "mortise/math/rotation.h"

namespace mortise::test {

/// A closed box of 12 triangles around the origin, wound outward.
inline TriangleMesh boxMesh(const Vector3d& size) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.vertices.push_back(
        0.5 * Vector3d((i & 4 ? 1 : -1) * size.x(), (i & 2 ? 1 : -1) * size.y(), (i & 1 ? 1 : -1) * size.z()));
  mesh.triangles = {{0, 1, 3}, {0, 3, 2}, {4, 6, 7}, {4, 7, 5}, {0, 4, 5}, {0, 5, 1},
                    {2, 3, 7}, {2, 7, 6}, {0, 2, 6}, {0, 6, 4}, {1, 5, 7}, {1, 7, 3}};
  return mesh;
}

/// A square of n x n cells of two triangles, at z = 0 from -half to half, wound upward.
inline TriangleMesh gridMesh(int n, double half) {
  TriangleMesh mesh;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j) mesh.vertices.emplace_back(half * (2.0 * i / n - 1), half * (2.0 * j / n - 1), 0);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const int a = i * (n + 1) + j, b = a + n + 1;
      mesh.triangles.push_back({a, b, b + 1});
      mesh.triangles.push_back({a, b + 1, a + 1});
    }
  return mesh;
}

inline void transform(TriangleMesh& mesh, const RigidTransform& X) {
  for (Vector3d& v : mesh.vertices) v = X * v;
}

/// Each triangle with vertices of its own, as in STL files.
inline TriangleMesh triangleSoup(const TriangleMesh& mesh) {
  TriangleMesh soup;
  for (const auto& t : mesh.triangles) {
    const int first = static_cast<int>(soup.vertices.size());
    for (const int v : t) soup.vertices.push_back(mesh.vertices[v]);
    soup.triangles.push_back({first, first + 1, first + 2});
  }
  return soup;
}

inline void append(TriangleMesh& mesh, const TriangleMesh& part) {
  const int shift = static_cast<int>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), part.vertices.begin(), part.vertices.end());
  for (const auto& t : part.triangles) mesh.triangles.push_back({t[0] + shift, t[1] + shift, t[2] + shift});
}

/// The same surface with each triangle cut in four.
inline TriangleMesh subdivided(const TriangleMesh& mesh) {
  TriangleMesh fine;
  for (const auto& t : mesh.triangles) {
    const Vector3d &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
    const Vector3d ab = 0.5 * (a + b), bc = 0.5 * (b + c), ca = 0.5 * (c + a);
    append(fine, {{a, ab, ca, b, bc, c}, {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}, {1, 4, 2}}});
  }
  return fine;
}

}  // namespace mortise::test
