#pragma once

/// Contacts that ODE finds: its sweep and prune space, then its colliders. What it returns depends on poses alone,
/// never on the history of calls, so that a restored scene continues bit for bit.

#include <ode/ode.h>
#include <vector>

#include "collision/collider.h"

namespace mortise::ode {

/// A touching point of two colliders, the one with the lower index first.
struct TouchPoint {
  int a = -1, b = -1;  ///< Indices of colliders.
  Vector3d point = Vector3d::Zero();
  Vector3d normal = Vector3d::UnitZ();  ///< From b to a, unit.
  double depth = 0;                     ///< >= 0.
};

class ContactFinder {
 public:
  /// Keeps references to both.
  ContactFinder(const SceneDescription& scene, ColliderSet& colliders);

  /// Contacts of all pairs, sorted by pair of colliders. Valid until the next call.
  const std::vector<TouchPoint>& find();

  /// Says whether the last call found as many contacts of a pair as it may: ODE does not tell whether there were more.
  bool ranFull() const { return ranFull_; }
  /// Points that ODE's colliders returned and that were thrown away as nonsense (numbers that are not finite, normals
  /// not of unit length), since the scene was built.
  std::uint64_t rejected() const { return rejected_; }

 private:
  static void onPair(void* finder, dGeomID a, dGeomID b);

  const SceneDescription& scene_;
  ColliderSet& colliders_;
  std::vector<std::pair<int, int>> pairs_;
  std::vector<dContactGeom> buffer_;
  std::vector<TouchPoint> points_;
  std::uint64_t rejected_ = 0;
  bool ranFull_ = false;
};

}  // namespace mortise::ode
