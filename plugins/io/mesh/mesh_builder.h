#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "mortise/base/interruption.h"
#include "mortise/geometry/geometry.h"
#include "mortise/hash/hash.h"
#include "text/text_file.h"

namespace mortise::io {

/// The shortest text that can hold a vertex or a triangle: three digits, parted.
inline constexpr std::size_t kShortestVertex = 5;

/// Reads how many things follow. Throws `Error` at the number when it is negative or more than the rest of the file can
/// hold at `shortest` bytes each, so that nothing is ever allocated on a file's word alone.
int readCount(const TextFile& file, Cursor& cursor, const std::string& things, std::size_t shortest);

/// Three numbers parted by blanks, behind white space; integers without a sign. So are nearly all lines of a large
/// file. Steps over them, or leaves the cursor alone where they are not as plain as that: then read them one by one.
bool plainNumbers(Cursor& cursor, double (&numbers)[3]);
bool plainNumbers(Cursor& cursor, int (&numbers)[3]);

/// Adds a polygon as a fan of triangles around its first corner. Corners that repeat make no triangle.
inline void addPolygon(std::span<const int> corners, TriangleMesh& mesh) {
  for (std::size_t i = 2; i < corners.size(); ++i) {
    const int a = corners[0], b = corners[i - 1], c = corners[i];
    if (a != b && b != c && c != a) mesh.triangles.push_back({a, b, c});
  }
}

/// Numbers of things by the hash of what they are; open addressing. The order in which things come decides alone what
/// is found, so equal files give equal meshes.
class HashIndex {
 public:
  explicit HashIndex(std::size_t expected) : slots_(std::bit_ceil(2 * expected + 16)) {}

  /// The number of the first thing with that hash for which `equal(number)`; where there is none, `next` becomes its
  /// number.
  template <typename Equal>
  int find(std::uint32_t hash, int next, Equal equal) {
    if (2 * size_ >= slots_.size()) grow();
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
      Slot& slot = slots_[at];
      if (slot.number == 0) {
        slot = {hash, next + 1};
        ++size_;
        return next;
      }
      if (slot.hash == hash && equal(slot.number - 1)) return slot.number - 1;
    }
  }
  /// Fetches what `find` will read first.
  void prefetch(std::uint32_t hash) const { __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]); }

 private:
  struct Slot {
    std::uint32_t hash = 0;
    int number = 0;  ///< Plus one; 0 where the slot is free.
  };
  void grow();

  std::vector<Slot> slots_;  ///< A power of two in size, half of it free.
  std::size_t size_ = 0;
};

/// Both words, mixed.
inline std::uint64_t mixBits(std::uint64_t a, std::uint64_t b) {
  return foldedProduct(a ^ kWyhashSecret[0], b ^ kWyhashSecret[1]);
}

/// Hashes of places; 0 and -0 must have been made the same.
inline std::uint32_t hashOf(const Vector3d& p) {
  return static_cast<std::uint32_t>(
      mixBits(mixBits(std::bit_cast<std::uint64_t>(p[0]), std::bit_cast<std::uint64_t>(p[1])),
              std::bit_cast<std::uint64_t>(p[2])));
}
inline std::uint32_t hashOf(const Eigen::Vector3f& p) {
  const auto bits = [](float x) { return std::uint64_t{std::bit_cast<std::uint32_t>(x)}; };
  return static_cast<std::uint32_t>(mixBits(bits(p[0]) | bits(p[1]) << 32, bits(p[2])));
}

/// Joins vertices at exactly the same place, as Klamp't does: the first of each stays, in order. Triangles that name a
/// vertex twice then go. Files often repeat a vertex for each face, and neighbors could not be told otherwise.
void joinVertices(TriangleMesh& mesh);

/// The same for triangles without indices, as they come. `Scalar` is the precision of the file.
template <typename Scalar>
class TriangleJoiner {
 public:
  using Point = Eigen::Matrix<Scalar, 3, 1>;

  /// Room is made for a closed mesh of `expected` triangles.
  explicit TriangleJoiner(TriangleMesh& mesh, std::size_t expected = 0) : mesh_(mesh), index_(expected / 2) {
    mesh_.vertices.reserve(expected / 2 + 3);
    mesh_.triangles.reserve(expected);
  }

  /// Three corners a triangle, finite. Best many at once.
  void add(std::span<const Point> corners) {
    constexpr std::size_t kBatch = 48;
    std::array<Point, kBatch> points;
    std::array<std::uint32_t, kBatch> hashes;
    while (!corners.empty()) {
      points_.pass();
      const std::size_t count = std::min(kBatch, corners.size());
      for (std::size_t i = 0; i < count; ++i) {
        points[i] = corners[i] + Point::Zero();  // Turns -0 into 0, so that both meet.
        hashes[i] = hashOf(points[i]);
        index_.prefetch(hashes[i]);
      }
      for (std::size_t i = 0; i + 2 < count; i += 3) {
        std::array<int, 3> triangle;
        for (std::size_t k = 0; k < 3; ++k) {
          const Vector3d p = points[i + k].template cast<double>();
          const int next = static_cast<int>(mesh_.vertices.size());
          triangle[k] = index_.find(hashes[i + k], next,
                                    [&](int other) { return mesh_.vertices[static_cast<std::size_t>(other)] == p; });
          if (triangle[k] == next) mesh_.vertices.push_back(p);
        }
        if (triangle[0] != triangle[1] && triangle[1] != triangle[2] && triangle[2] != triangle[0])
          mesh_.triangles.push_back(triangle);
      }
      corners = corners.subspan(count);
    }
  }

 private:
  TriangleMesh& mesh_;
  HashIndex index_;
  InterruptionPoints points_;
};

}  // namespace mortise::io
