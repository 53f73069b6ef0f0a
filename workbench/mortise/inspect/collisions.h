#pragma once

/// Collisions as the commands print them.

#include <memory>
#include <utility>
#include <vector>

#include "mortise/base/value.h"
#include "mortise/collision/world_collider.h"

namespace mortise::inspect {

/// Looks for self-collisions of one robot at many configurations.
class SelfCollisions {
 public:
  explicit SelfCollisions(const RobotPtr& robot);
  /// Pairs of links that the robot's rules check and that collide at `q` (one number a link), in ascending order.
  /// Throws `Error` when `q` does not fit.
  const std::vector<IdPair>& at(const VectorXd& q);
  /// The same with names, depth and elements, as `worldCollisions` has them.
  Value describe(const VectorXd& q);

 private:
  WorldCollisionState state_;
  int firstId_;
  std::vector<IdPair> pairs_;
};

/// [[a, b], ...]
Value pairList(const std::vector<IdPair>& pairs);

/// Every enabled pair that collides in a world as loaded.
std::vector<IdPair> collisionsAtLoad(const World& world);

/// So many pairs are listed; thousands of bodies in one heap make millions.
constexpr std::size_t kMaxListedCollisions = 10'000;

/// [{ids, names, distance, elements, points, num_element_pairs}]: the same at a tolerance, with the nearest (deepest)
/// pair of elements of each ([part, element] twice; where bodies overlap, the distance is minus the depth that a
/// simulation finds), and how many pairs of elements are within the tolerance. No more than `kMaxListedCollisions`, in
/// ascending order; `count` receives how many collide.
Value worldCollisions(std::shared_ptr<const World> world, double tolerance, std::size_t& count);

}  // namespace mortise::inspect
