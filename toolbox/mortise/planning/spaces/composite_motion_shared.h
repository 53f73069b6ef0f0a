#pragma once

/// Common parts of the copies of a `CompositeMotionSpace`. For this room.

#include "mortise/planning/spaces/composite_motion_space.h"

namespace mortise {

/// Bodies that a proof has to keep apart.
struct MoverPair {
  int a = -1, b = -1;            ///< World ids, the lower first.
  int moverA = -1, moverB = -1;  ///< -1: does not move.
  int ancestor = -1;             ///< Carries both.
};

struct CompositeMotionSpace::Shared {
  std::shared_ptr<const WorldCollider> collider;
  std::vector<WeightedMover> models;
  CompositeMotionOptions options;
  std::vector<Mover> movers;
  std::vector<int> first;  ///< Coordinate of each mover; the dimension at the end.
  std::vector<std::string> names;
  std::vector<Check> checks;  ///< By constraint.
  bool straight = true;
  double extent = 0, measure = 1;
  IdSelection all, rest;  ///< Bodies of all movers; what they are checked against as `rest`.
  IdSelection everything;
  std::vector<IdSelection> own;             ///< Bodies of each mover.
  std::vector<int> robots;                  ///< Movers that are robots.
  std::vector<MoverPair> pairs;             ///< By the collider's index of pairs.
  std::vector<std::pair<int, int>> bodies;  ///< World id and mover of each body of a mover.

  void build();
  void addPairs();
  int moverOf(int id) const;
};

}  // namespace mortise
