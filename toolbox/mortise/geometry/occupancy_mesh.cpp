#include <Eigen/Geometry>
#include <array>
#include <map>

#include "mortise/geometry/tessellate.h"

namespace mortise {

TriangleMesh occupancyMesh(const OccupancyGridShape& shape) {
  const VolumeGrid& grid = shape.grid;
  const Vector3d cell = grid.cellSize();
  TriangleMesh mesh;
  std::map<std::array<int, 3>, int> known;
  const auto vertex = [&](const std::array<int, 3>& corner) {
    const auto [at, fresh] = known.emplace(corner, static_cast<int>(mesh.vertices.size()));
    if (fresh)
      mesh.vertices.push_back(grid.X *
                              (grid.min + cell.cwiseProduct(Vector3d(corner[0], corner[1], corner[2]))).eval());
    return at->second;
  };
  const auto occupied = [&](const std::array<int, 3>& at) {
    for (std::size_t a = 0; a < 3; ++a)
      if (at[a] < 0 || at[a] >= grid.cells[a]) return false;
    return shape.occupied(at[0], at[1], at[2]);
  };
  for (int i = 0; i < grid.cells[0]; ++i)
    for (int j = 0; j < grid.cells[1]; ++j)
      for (int k = 0; k < grid.cells[2]; ++k) {
        if (!shape.occupied(i, j, k)) continue;
        for (std::size_t axis = 0; axis < 3; ++axis)
          for (const int side : {0, 1}) {
            std::array<int, 3> next = {i, j, k};
            next[axis] += side ? 1 : -1;
            if (occupied(next)) continue;
            const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
            std::array<int, 3> a = {i, j, k};
            a[axis] += side;
            std::array<int, 3> b = a, c = a, d = a;
            ++b[u];
            ++c[u];
            ++c[v];
            ++d[v];
            const int va = vertex(a), vb = vertex(b), vc = vertex(c), vd = vertex(d);
            if (side) {
              mesh.triangles.push_back({va, vb, vc});
              mesh.triangles.push_back({va, vc, vd});
            } else {
              mesh.triangles.push_back({va, vc, vb});
              mesh.triangles.push_back({va, vd, vc});
            }
          }
      }
  return mesh;
}

}  // namespace mortise
