#include "mortise/geometry/grids/implicit_mesh.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "mortise/base/interruption.h"

namespace mortise {
namespace {

/// The lattice: the cells' centers, the sides of the box, where the numbers go on unchanged, and once more the sides,
/// where nothing is solid any longer.
class Lattice {
 public:
  explicit Lattice(const VolumeGrid& grid) : grid_(grid) {
    const Vector3d cell = grid.cellSize();
    for (int axis = 0; axis < 3; ++axis) {
      const int n = grid.cells[axis];
      at_[axis].push_back(grid.min[axis]);
      at_[axis].push_back(grid.min[axis]);
      for (int i = 0; i < n; ++i) at_[axis].push_back(grid.min[axis] + cell[axis] * (i + 0.5));
      at_[axis].push_back(grid.max[axis]);
      at_[axis].push_back(grid.max[axis]);
    }
    outside_ = cell.norm();
  }
  int size(int axis) const { return static_cast<int>(at_[axis].size()); }
  Vector3d point(const std::array<int, 3>& p) const { return {at_[0][p[0]], at_[1][p[1]], at_[2][p[2]]}; }
  double value(const std::array<int, 3>& p) const {
    int cell[3];
    for (int axis = 0; axis < 3; ++axis) {
      if (p[axis] == 0 || p[axis] == size(axis) - 1) return outside_;
      cell[axis] = std::clamp(p[axis] - 2, 0, grid_.cells[axis] - 1);
    }
    const double v = grid_.value(cell[0], cell[1], cell[2]);
    return std::isnan(v) ? outside_ : v;
  }
  long number(const std::array<int, 3>& p) const { return (static_cast<long>(p[0]) * size(1) + p[1]) * size(2) + p[2]; }

 private:
  const VolumeGrid& grid_;
  std::array<std::vector<double>, 3> at_;
  double outside_ = 1;
};

struct Corner {
  std::array<int, 3> place;
  double value;
};

class Marcher {
 public:
  Marcher(const VolumeGrid& grid, TriangleMesh& mesh) : grid_(grid), lattice_(grid), mesh_(mesh) {}

  void run() {
    // The six ways from the lowest to the highest corner of a cube along its edges are its tetrahedra.
    constexpr int kOrders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int i = 0; i + 1 < lattice_.size(0); ++i)
      for (int j = 0; j + 1 < lattice_.size(1); ++j) {
        interruptionPoint();
        for (int k = 0; k + 1 < lattice_.size(2); ++k) {
          if (!crossed({i, j, k})) continue;
          for (const auto& permutation : kOrders) {
            std::array<Corner, 4> corners;
            std::array<int, 3> place = {i, j, k};
            corners[0] = {place, lattice_.value(place)};
            for (int step = 0; step < 3; ++step) {
              ++place[permutation[step]];
              corners[step + 1] = {place, lattice_.value(place)};
            }
            march(corners);
          }
        }
      }
  }

 private:
  bool crossed(const std::array<int, 3>& low) const {
    bool solid = false, empty = false;
    for (int c = 0; c < 8; ++c) {
      const bool in = lattice_.value({low[0] + (c & 1), low[1] + ((c >> 1) & 1), low[2] + (c >> 2)}) <= 0;
      (in ? solid : empty) = true;
    }
    return solid && empty;
  }

  int cut(const Corner& in, const Corner& out) {
    const auto key = std::make_pair(lattice_.number(in.place), lattice_.number(out.place));
    const auto [it, isNew] = vertices_.try_emplace(key, static_cast<int>(mesh_.vertices.size()));
    if (isNew) {
      const double s = std::isfinite(out.value) && std::isfinite(in.value) ? in.value / (in.value - out.value) : 0.5;
      const Vector3d a = lattice_.point(in.place), b = lattice_.point(out.place);
      mesh_.vertices.push_back(grid_.X * Vector3d(a + s * (b - a)));
    }
    return it->second;
  }

  // Counter-clockwise from the empty side.
  void add(int a, int b, int c, bool turned) {
    if (turned) std::swap(b, c);
    if (a != b && b != c && c != a) mesh_.triangles.push_back({a, b, c});
  }

  void march(const std::array<Corner, 4>& t) {
    std::array<int, 4> order;
    int solid = 0, empty = 4;
    for (int i = 0; i < 4; ++i)
      if (t[i].value <= 0)
        order[solid++] = i;
      else
        order[--empty] = i;
    if (solid == 0 || solid == 4) return;
    // Which way round the corners in this order stand, by their places in the lattice, which are never flat.
    const auto edge = [&](int i) {
      const auto &a = t[order[i]].place, &o = t[order[0]].place;
      return Vector3d(a[0] - o[0], a[1] - o[1], a[2] - o[2]);
    };
    const bool turned = edge(1).cross(edge(2)).dot(edge(3)) < 0;
    const Corner &a = t[order[0]], &b = t[order[1]], &c = t[order[2]], &d = t[order[3]];
    if (solid == 1) {
      add(cut(a, b), cut(a, c), cut(a, d), turned);
    } else if (solid == 3) {
      add(cut(a, d), cut(c, d), cut(b, d), !turned);
      // The corner cut off is the empty one, seen from the other side.
    } else {
      const int ac = cut(a, c), ad = cut(a, d), bc = cut(b, c), bd = cut(b, d);
      add(ac, ad, bd, turned);
      add(ac, bd, bc, turned);
    }
  }

  const VolumeGrid& grid_;
  Lattice lattice_;
  TriangleMesh& mesh_;
  std::map<std::pair<long, long>, int> vertices_;
};

}  // namespace

TriangleMesh implicitSurfaceMesh(const ImplicitSurfaceShape& shape) {
  TriangleMesh mesh;
  const VolumeGrid& grid = shape.grid;
  if (grid.cells[0] < 1 || grid.cells[1] < 1 || grid.cells[2] < 1) return mesh;
  Marcher(grid, mesh).run();
  return mesh;
}

}  // namespace mortise
