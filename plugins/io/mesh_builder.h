#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "mortise/geometry/geometry.h"
#include "text_file.h"

namespace mortise::io {

/// The shortest text that can hold a vertex or a triangle: three digits, parted.
inline constexpr std::size_t kShortestVertex = 5;

/// Reads how many things follow. Throws `Error` at the number when it is negative or more than the rest of the file can
/// hold at `shortest` bytes each, so that nothing is ever allocated on a file's word alone.
inline int readCount(const TextFile& file, Cursor& cursor, const std::string& things, std::size_t shortest) {
  cursor.skipSpace();
  const std::size_t begin = cursor.offset();
  const int count = cursor.integer("the number of " + things);
  if (count < 0) throw Error("the number of " + things + " is negative", file.position(begin));
  if (static_cast<std::size_t>(count) > cursor.remaining() / shortest + 1)
    throw Error("the header promises " + std::to_string(count) + " " + things + ", more than the file can hold",
                file.position(begin), "the file may have been cut off, or the header is wrong");
  return count;
}

/// Adds a polygon as a fan of triangles around its first corner. Corners that repeat make no triangle.
inline void addPolygon(std::span<const int> corners, TriangleMesh& mesh) {
  for (std::size_t i = 2; i < corners.size(); ++i) {
    const int a = corners[0], b = corners[i - 1], c = corners[i];
    if (a != b && b != c && c != a) mesh.triangles.push_back({a, b, c});
  }
}

/// Adds vertices to a mesh; those at exactly the same place become one, as in Klamp't. Files often repeat a vertex for
/// each face, and neighbours could not be told otherwise. `Scalar` is the precision of the file.
template <typename Scalar>
class BasicWelder {
 public:
  using Point = Eigen::Matrix<Scalar, 3, 1>;

  /// `expected` vertices are made room for.
  explicit BasicWelder(TriangleMesh& mesh, std::size_t expected = 0)
      : mesh_(mesh), slots_(std::bit_ceil(2 * expected + 16)) {
    mesh_.vertices.reserve(expected);
  }

  /// Index of the vertex.
  int add(const Point& vertex) {
    if (2 * mesh_.vertices.size() >= slots_.size()) grow();
    const Point p = vertex + Point::Zero();  // Turns -0 into 0, so that both meet.
    Slot& slot = find(p);
    if (slot.vertex < 0) {
      slot = {p, static_cast<int>(mesh_.vertices.size())};
      mesh_.vertices.push_back(p.template cast<double>());
    }
    return slot.vertex;
  }

 private:
  struct Slot {
    Point p = Point::Zero();
    int vertex = -1;
  };

  Slot& find(const Point& p) {
    std::uint64_t h = 0;
    for (int i = 0; i < 3; ++i) {
      if constexpr (sizeof(Scalar) == 4)
        h = (h ^ std::bit_cast<std::uint32_t>(p[i])) * 0x9e3779b97f4a7c15ULL;
      else
        h = (h ^ std::bit_cast<std::uint64_t>(p[i])) * 0x9e3779b97f4a7c15ULL;
      h ^= h >> 32;
    }
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = static_cast<std::size_t>(h) & mask;
    while (slots_[at].vertex >= 0 && slots_[at].p != p) at = (at + 1) & mask;
    return slots_[at];
  }

  void grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.vertex >= 0) find(slot.p) = slot;
  }

  TriangleMesh& mesh_;
  std::vector<Slot> slots_;  ///< Open addressing; a power of two in size.
};
using VertexWelder = BasicWelder<double>;

}  // namespace mortise::io
