#include "mortise/geometry/surface_defects.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "mortise/geometry/convex/mesh_recognition.h"

namespace mortise {

namespace {

/// Triangles along an edge: how many, and how many more in one direction than in the other.
struct EdgeUse {
  int triangles = 0, balance = 0;
};

}  // namespace

SurfaceDefects surfaceDefects(const TriangleMesh& mesh) {
  SurfaceDefects defects;
  const TriangleMesh welded = weldedMesh(mesh);
  std::map<std::pair<int, int>, EdgeUse> edges;
  for (const auto& t : welded.triangles)
    for (int k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3];
      EdgeUse& use = edges[{std::min(a, b), std::max(a, b)}];
      ++use.triangles;
      use.balance += a < b ? 1 : -1;
    }
  for (const auto& [edge, use] : edges) {
    if (use.triangles % 2 != 0)
      ++defects.boundaryEdges;
    else if (use.balance != 0)
      ++defects.opposedEdges;
  }
  Vector3d middle = Vector3d::Zero();
  for (const Vector3d& v : mesh.vertices) middle += v / static_cast<double>(mesh.vertices.size());
  double area = 0;
  for (const auto& t : mesh.triangles) {
    const Vector3d a = mesh.vertices[t[0]] - middle, b = mesh.vertices[t[1]] - middle, c = mesh.vertices[t[2]] - middle;
    defects.volume += a.dot(b.cross(c)) / 6;
    area += 0.5 * (b - a).cross(c - a).norm();
  }
  defects.inward = defects.volume < -1e-12 * std::pow(area, 1.5);
  return defects;
}

}  // namespace mortise
