#include <algorithm>
#include <cmath>

#include "mortise/collision/bvh/bvh.h"
#include "mortise/collision/bvh/bvh_box.h"
#include "mortise/geometry/geometry.h"

namespace mortise {

namespace {

constexpr int kLanes = 8;
/// Cells of a leaf, at most: eight triangles. Smaller leaves would take half the memory of a terrain.
constexpr int kCellsOfLeaf = 4;

/// Cells of a grid, from the first of each kind to before the second.
struct Cells {
  int columns[2], rows[2];
  int width() const { return columns[1] - columns[0]; }
  int height() const { return rows[1] - rows[0]; }
  long long count() const { return static_cast<long long>(width()) * height(); }
};

/// Divides the grid evenly, which needs no search for good cuts: its triangles lie side by side.
class GridBuilder {
 public:
  GridBuilder(const HeightmapShape& map, const Vector3d& origin, double sweep, std::vector<BvhNode>& nodes,
              std::vector<int>& order)
      : map_(map), sweep_(sweep), toAxes_(map.X.R.transpose()), nodes_(nodes), order_(order) {
    shift_ = toAxes_ * origin;
  }

  void run() {
    const Cells all{{0, map_.columns - 1}, {0, map_.rows - 1}};
    nodes_.reserve(1 + nodesBelow(all));
    order_.reserve(2 * static_cast<std::size_t>(all.count()));
    nodes_.emplace_back();
    const std::vector<Cells> full = {all};
    (void)fill(0, full);
  }

 private:
  BvhBox boxOf(const Cells& cells) const {
    BvhBox box;
    box.axes = map_.X.R;
    for (int row = cells.rows[0]; row <= cells.rows[1]; ++row)
      for (int column = cells.columns[0]; column <= cells.columns[1]; ++column) {
        const Vector3d q = toAxes_ * map_.point(column, row) - shift_;
        box.min = box.min.cwiseMin((q.array() - sweep_).matrix());
        box.max = box.max.cwiseMax((q.array() + sweep_).matrix());
      }
    return box;
  }

  static std::vector<Cells> divided(const Cells& full) {
    std::vector<Cells> parts = {full};
    while (static_cast<int>(parts.size()) < kLanes) {
      const auto largest = std::max_element(parts.begin(), parts.end(),
                                            [](const Cells& a, const Cells& b) { return a.count() < b.count(); });
      if (largest->count() <= kCellsOfLeaf) break;
      Cells other = *largest;
      if (largest->width() >= largest->height())
        other.columns[0] = largest->columns[1] = largest->columns[0] + largest->width() / 2;
      else
        other.rows[0] = largest->rows[1] = largest->rows[0] + largest->height() / 2;
      parts.push_back(other);
    }
    return parts;
  }

  /// Returns the number of nodes that these cells take.
  static std::size_t nodesBelow(const Cells& cells) {
    if (cells.count() <= kCellsOfLeaf) return 0;
    std::size_t nodes = 1;
    for (const Cells& part : divided(cells)) nodes += nodesBelow(part);
    return nodes;
  }

  /// Fills a node with the boxes of these parts; returns the box around all.
  BvhBox fill(int node, const std::vector<Cells>& parts) {
    const int used = static_cast<int>(parts.size());
    nodes_[static_cast<std::size_t>(node)].used = used;
    int children[kLanes] = {};
    for (int k = 0; k < used; ++k) {
      const bool leaf = parts[static_cast<std::size_t>(k)].count() <= kCellsOfLeaf;
      children[k] = leaf ? -1 - takeItems(parts[static_cast<std::size_t>(k)]) : static_cast<int>(nodes_.size());
      if (!leaf) nodes_.emplace_back();
    }
    BvhBox full;
    full.axes = map_.X.R;
    for (int k = 0; k < kLanes; ++k) {
      BvhBox box;
      if (k < used) {
        const Cells& part = parts[static_cast<std::size_t>(k)];
        box = children[k] < 0 ? boxOf(part) : fill(children[k], divided(part));
        full.min = full.min.cwiseMin(box.min);
        full.max = full.max.cwiseMax(box.max);
      }
      BvhNode& here = nodes_[static_cast<std::size_t>(node)];
      storeBox(here, k, box);
      here.child[k] = children[k];
      here.count[k] = children[k] < 0 ? static_cast<int>(2 * parts[static_cast<std::size_t>(k)].count()) : 0;
    }
    return full;
  }

  /// Two triangles a cell, numbered as `HeightmapShape::surface` does. Returns the place of the first.
  int takeItems(const Cells& cells) {
    const int first = static_cast<int>(order_.size());
    for (int row = cells.rows[0]; row < cells.rows[1]; ++row)
      for (int column = cells.columns[0]; column < cells.columns[1]; ++column)
        for (int t = 0; t < 2; ++t) order_.push_back(2 * (row * (map_.columns - 1) + column) + t);
    return first;
  }

  const HeightmapShape& map_;
  double sweep_;
  Matrix3d toAxes_;
  Vector3d shift_;
  std::vector<BvhNode>& nodes_;
  std::vector<int>& order_;
};

}  // namespace

void Bvh::buildGrid(const HeightmapShape& map, double sweep) {
  nodes_.clear();
  order_.clear();
  const auto eachPoint = [&](const auto& use) {
    for (int row = 0; row < map.rows; ++row)
      for (int column = 0; column < map.columns; ++column) use(map.point(column, row));
  };
  Vector3d low = map.point(0, 0), high = low;
  eachPoint([&](const Vector3d& p) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  });
  origin_ = low / 2 + high / 2;
  radius_ = 0;
  eachPoint([&](const Vector3d& p) { radius_ = std::max(radius_, (p - origin_).norm() + sweep); });
  radius_ *= 1 + 1e-12;
  GridBuilder(map, origin_, sweep, nodes_, order_).run();
}

}  // namespace mortise
