#pragma once

#include <span>
#include <string>
#include <vector>

#include "mortise/component/physics.h"

namespace mortise {

/// Two shapes that have sunk into each other by more than half of the thinner one: the nearest way out may lead to the
/// other side, so that they can pass through each other.
struct SunkenPair {
  int idA = -1, idB = -1;  ///< World ids, idA < idB.
  double depth = 0;        ///< m, of the deepest contact; paddings count as solid.
};

/// Returns the warning of a pair whose bodies have these names, at the end of a step.
std::string sunkenText(const SunkenPair& pair, const std::string& nameA, const std::string& nameB, double time);

/// Finds pairs that sink in so far within a step. Shapes without thickness in some direction, such as a flat ground of
/// triangles, have no half: what meets them decides.
class SunkenPairs {
 public:
  explicit SunkenPairs(const SceneDescription& scene);

  /// Contacts before a part of a step; after a rewind, again.
  void begin(std::span<const SceneContact> contacts) { collect(contacts, before_); }
  void begin(std::span<const ContactForce> contacts) { collect(contacts, before_); }
  /// Contacts after it. The pairs that were not sunken before; valid until the next call.
  std::span<const SunkenPair> end(std::span<const SceneContact> contacts);
  std::span<const SunkenPair> end(std::span<const ContactForce> contacts);

 private:
  template <typename Contact>
  void collect(std::span<const Contact> contacts, std::vector<SunkenPair>& out) const;
  std::span<const SunkenPair> findNew();

  std::vector<double> halfThickness_;  ///< By id, m.
  std::vector<SunkenPair> before_, after_, new_;
};

}  // namespace mortise
