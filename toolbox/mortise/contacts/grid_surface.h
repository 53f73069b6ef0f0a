#pragma once

/// The corners, edges and faces of a large heightmap. They are prepared tile by tile, where something comes near: a
/// whole terrain would take longer, and hundreds of bytes for each of its triangles. Any number of threads may share
/// one.

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "mortise/contacts/contact_surface.h"

namespace mortise {

class GridSurface {
 public:
  /// `shape` is a large grid (`CollisionShape::largeGrid`) and outlives this.
  explicit GridSurface(const CollisionShape& shape);
  ~GridSurface();

  // As of `ContactSurface`. Each triangle has numbers of its own for what may belong to it: two for corners, three for
  // edges.
  int firstVertex(int place) const { return 2 * element(place); }
  int lastVertex(int place) const;
  int firstEdge(int place) const { return 3 * element(place); }
  int lastEdge(int place) const;
  const ContactSurface::Vertex& vertex(int index) const;
  const ContactSurface::Edge& edge(int index) const;
  std::span<const Vector3d> cone(const ContactSurface::Cone& cone) const;
  const ContactSurface::Triangle& triangle(int place) const;
  const ContactSurface::Place& place(int place) const;

 private:
  struct Tile;
  int element(int place) const { return shape_.bvh().order()[static_cast<std::size_t>(place)]; }
  int tileOf(int element) const;
  /// The number of an element within its tile.
  int within(int element) const;
  const Tile& tile(int number) const;
  std::unique_ptr<Tile> made(int number) const;
  int vertexIndex(int column, int row) const;
  int edgeIndex(int element, int side) const;

  const CollisionShape& shape_;
  const HeightmapShape& map_;
  int tilesAcross_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<const Tile>> owned_;
  mutable std::vector<std::atomic<const Tile*>> ready_;  ///< The same, without the price of the lock.
};

}  // namespace mortise
