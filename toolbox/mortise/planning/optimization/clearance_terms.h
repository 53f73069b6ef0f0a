#pragma once

/// Signed distances of everything that moves in a space, and how they change with its coordinates.

#include <memory>
#include <vector>

#include "mortise/collision/world_collider.h"
#include "mortise/dynamics/robot_dynamics.h"
#include "mortise/planning/spaces/motion_space.h"

namespace mortise {

struct ClearanceTerm {
  IdPair ids;
  double distance = 0;  ///< Meters; negative by the depth of an overlap.
  VectorXd gradient;    ///< By the space's coordinates.
};

/// Distances between bodies of a world whose robots move in a space of straight coordinates. Links count as their
/// convex hulls, so that overlaps have a depth and a way out of them; pairs whose hulls overlap where the bodies do
/// not, at configurations that are known to be free, count as they are. One thread.
class ClearanceTerms {
 public:
  /// `space` outlives it. `collider`: with the problem's rules of what may touch. Throws `Error` for spaces in which
  /// rigid objects move.
  ClearanceTerms(MotionSpace& space, std::shared_ptr<const WorldCollider> collider);
  ~ClearanceTerms();
  /// A configuration (of the space) that is free.
  void keepFree(const VectorXd& q);
  const World& world() const;
  /// Pairs nearer than `within` (m) at q; with `gradients` or without.
  void evaluate(const VectorXd& q, double within, bool gradients, std::vector<ClearanceTerm>& terms);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mortise
