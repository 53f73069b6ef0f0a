#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "mortise/math/transform.h"

namespace mortise {

/// Edges that were free, by a hash of their ends; newer ones replace older ones. Planners check an edge again when it
/// becomes part of a path, and so does the check of the path.
class FreeEdges {
 public:
  /// The same in both directions.
  bool contains(const VectorXd& a, const VectorXd& b) const {
    const std::uint64_t hash = hashOf(a, b);
    return !hashes_.empty() && hashes_[place(hash)] == hash;
  }
  void insert(const VectorXd& a, const VectorXd& b) {
    if (hashes_.empty()) hashes_.assign(kRemembered, 0);
    const std::uint64_t hash = hashOf(a, b);
    hashes_[place(hash)] = hash;
  }
  void clear() { hashes_.clear(); }

 private:
  static constexpr std::size_t kRemembered = 1024;
  static std::size_t place(std::uint64_t hash) { return (hash >> 1) % kRemembered; }
  static std::uint64_t hashOf(const VectorXd& a, const VectorXd& b) { return (hashOf(a) ^ hashOf(b)) | 1; }
  static std::uint64_t hashOf(const VectorXd& q) {
    std::uint64_t h = 0x9e3779b97f4a7c15;
    for (const double x : q) {
      h = (h ^ std::bit_cast<std::uint64_t>(x)) * 0xff51afd7ed558ccd;
      h ^= h >> 32;
    }
    return h;
  }
  std::vector<std::uint64_t> hashes_;  ///< 0 stands for none.
};

}  // namespace mortise
