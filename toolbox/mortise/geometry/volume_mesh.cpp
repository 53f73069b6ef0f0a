#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <utility>

#include "mortise/collision/mesh_recognition.h"
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

namespace {

/// The points where the number is known: centres, walls, and beyond each wall the same point once more with the sign
/// turned, so that what is solid at the wall is closed there.
class Lattice {
 public:
  explicit Lattice(const VolumeGrid& grid) : grid_(grid) {
    for (std::size_t a = 0; a < 3; ++a) count[a] = grid.cells[a] + 4;
  }

  std::array<int, 3> count;

  Vector3d position(const std::array<int, 3>& at) const {
    Vector3d p;
    for (int a = 0; a < 3; ++a) {
      const auto axis = static_cast<std::size_t>(a);
      const int n = grid_.cells[axis], i = std::clamp(at[axis] - 2, -1, n);
      const double step = (grid_.max[a] - grid_.min[a]) / n;
      p[a] = i < 0 ? grid_.min[a] : i == n ? grid_.max[a] : grid_.min[a] + step * (i + 0.5);
    }
    return p;
  }
  double value(const std::array<int, 3>& at) const {
    const double v = grid_.interpolate(position(at));
    for (std::size_t a = 0; a < 3; ++a)
      if (at[a] == 0 || at[a] == count[a] - 1) return v < 0 ? -v : v > 0 ? v : 1;
    return v;
  }
  std::int64_t index(const std::array<int, 3>& at) const {
    return (std::int64_t{at[0]} * count[1] + at[1]) * count[2] + at[2];
  }

 private:
  const VolumeGrid& grid_;
};

}  // namespace

TriangleMesh implicitMesh(const ImplicitSurfaceShape& shape) {
  const Lattice lattice(shape.grid);
  TriangleMesh mesh;
  std::map<std::pair<std::int64_t, std::int64_t>, int> known;
  struct Corner {
    std::array<int, 3> at;
    double value;
  };
  // One vertex for each edge of the tetrahedra that the surface crosses, whoever asks.
  const auto crossing = [&](const Corner& in, const Corner& out) {
    const auto key = std::pair(lattice.index(in.at), lattice.index(out.at));
    const auto [at, fresh] = known.emplace(key, static_cast<int>(mesh.vertices.size()));
    if (fresh) {
      const Vector3d p = lattice.position(in.at), q = lattice.position(out.at);
      const double share = in.value / (in.value - out.value);
      mesh.vertices.push_back(shape.grid.X * Vector3d(p + share * (q - p)));
    }
    return at->second;
  };
  const auto add = [&](int a, int b, int c) {
    if (a == b || b == c || c == a) return;
    mesh.triangles.push_back({a, b, c});
  };
  // The six paths along the edges of a cube from its first to its last corner (Kuhn, 1960): neighbours agree on the
  // diagonals of their faces. Odd ones are mirrored.
  constexpr int paths[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  for (int i = 0; i + 1 < lattice.count[0]; ++i)
    for (int j = 0; j + 1 < lattice.count[1]; ++j)
      for (int k = 0; k + 1 < lattice.count[2]; ++k) {
        Corner cube[8];
        int below = 0;
        for (int c = 0; c < 8; ++c) {
          cube[c].at = {i + (c & 1), j + ((c >> 1) & 1), k + (c >> 2)};
          cube[c].value = lattice.value(cube[c].at);
          below += cube[c].value <= 0;
        }
        if (below == 0 || below == 8) continue;
        for (int path = 0; path < 6; ++path) {
          int at = 0;
          Corner t[4] = {cube[0], {}, {}, {}};
          for (int step = 0; step < 3; ++step) t[step + 1] = cube[at |= 1 << paths[path][step]];
          if (path >= 3) std::swap(t[1], t[2]);
          // Now t is positively oriented: (t1 - t0) x (t2 - t0) . (t3 - t0) > 0 on the lattice.
          int in[4], out[4], numIn = 0, numOut = 0;
          for (int c = 0; c < 4; ++c) (t[c].value <= 0 ? in[numIn++] : out[numOut++]) = c;
          // Whether the order in, then out is an even permutation of the corners.
          int order[4], inversions = 0;
          for (int c = 0; c < numIn; ++c) order[c] = in[c];
          for (int c = 0; c < numOut; ++c) order[numIn + c] = out[c];
          for (int a = 0; a < 4; ++a)
            for (int b = 0; b < a; ++b) inversions += order[b] > order[a];
          const bool even = inversions % 2 == 0;
          if (numIn == 1) {
            const int a = crossing(t[in[0]], t[out[0]]), b = crossing(t[in[0]], t[out[1]]),
                      c = crossing(t[in[0]], t[out[2]]);
            even ? add(a, b, c) : add(a, c, b);
          } else if (numIn == 3) {
            const int a = crossing(t[in[0]], t[out[0]]), b = crossing(t[in[1]], t[out[0]]),
                      c = crossing(t[in[2]], t[out[0]]);
            even ? add(a, b, c) : add(a, c, b);
          } else if (numIn == 2) {
            const int a = crossing(t[in[0]], t[out[0]]), b = crossing(t[in[0]], t[out[1]]),
                      c = crossing(t[in[1]], t[out[1]]), d = crossing(t[in[1]], t[out[0]]);
            if (even) {
              add(a, b, c);
              add(a, c, d);
            } else {
              add(a, c, b);
              add(a, d, c);
            }
          }
        }
      }
  // Where a number is exactly zero, and beside the walls, corners fall together.
  return weldedMesh(mesh);
}

}  // namespace mortise
