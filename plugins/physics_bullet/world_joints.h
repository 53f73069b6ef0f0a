#pragma once

#include <BulletDynamics/Featherstone/btMultiBodyConstraint.h>
#include <btBulletDynamicsCommon.h>
#include <memory>
#include <vector>

#include "articulation.h"
#include "mortise/component/physics.h"

namespace mortise::bullet {

class World;

/// What a constraint can hold: a rigid body, or a link of an articulated one (-1: its base).
struct ConstraintEnd {
  btRigidBody* rigid = nullptr;
  Articulation* articulation = nullptr;
  int link = -1;
};

/// The joints between free bodies of one world.
class WorldJoints {
 public:
  /// Adds every constraint of `description` to `world`. `ends` has an entry for each body; `ground` stands for the
  /// world. Throws `Error` for what Bullet cannot hold: limits and friction at links of robots.
  WorldJoints(World& world, const SceneDescription& description, const std::vector<ConstraintEnd>& ends,
              btRigidBody& ground);
  ~WorldJoints();
  WorldJoints(const WorldJoints&) = delete;
  WorldJoints& operator=(const WorldJoints&) = delete;

 private:
  void addRigid(const SceneConstraint& constraint, btRigidBody& a, btRigidBody& b);
  void addArticulated(const SceneConstraint& constraint, ConstraintEnd a, ConstraintEnd b);

  World& world_;
  std::vector<std::unique_ptr<btTypedConstraint>> rigid_;
  std::vector<std::unique_ptr<btMultiBodyConstraint>> articulated_;
};

}  // namespace mortise::bullet
