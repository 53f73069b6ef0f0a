#pragma once

/// Which pairs collide, and with which material: decided by world id, where Bullet would multiply two frictions of
/// whole bodies. Everything hangs on the dispatcher; Bullet's process-wide callbacks stay untouched.

#include <btBulletCollisionCommon.h>
#include <vector>

#include "mortise/component/physics.h"

namespace mortise::bullet {

/// Pairs of bodies and of ids that may touch, and their materials. A collision object's user index is its body, a
/// shape's user index the world id it belongs to.
class PairTable {
 public:
  /// Keeps a reference to the description.
  explicit PairTable(const SceneDescription& description);
  bool bodiesMayTouch(int a, int b) const;
  bool idsMayTouch(int a, int b) const { return filter_.test(a, b); }
  /// Switches a pair that the description's filter allows.
  void allow(int idA, int idB, bool on);
  ContactMaterial material(int idA, int idB) const { return description_.material(idA, idB); }
  double rolling(int idA, int idB) const { return description_.rolling(idA, idB); }

  /// Which pairs of ids have been switched off.
  void save(ByteWriter& out) const;
  void restore(ByteReader& in);

 private:
  CollisionFilter filter_;
  std::vector<std::uint64_t> off_;  ///< Pairs switched off, ascending: idA times the number of ids, plus idB > idA.
  const SceneDescription& description_;
};

/// Writes a material into a contact point: friction and restitution as they are, finite stiffness and damping by
/// Bullet's flag. Damping without bound leaves penetration as it is, as in Klamp't.
/// `rolling`: the arm of rolling friction, m.
void setMaterial(btManifoldPoint& point, const ContactMaterial& material, double rolling);

/// The same for a point that may have had another one before.
void changeMaterial(btManifoldPoint& point, const ContactMaterial& material, double rolling);

/// Keeps pairs of bodies that never touch out of the pair cache.
class PairFilter final : public btOverlapFilterCallback {
 public:
  explicit PairFilter(const PairTable& pairs) : pairs_(pairs) {}
  bool needBroadphaseCollision(btBroadphaseProxy* a, btBroadphaseProxy* b) const override;

 private:
  const PairTable& pairs_;
};

/// A dispatcher whose contact points carry the pair's true material, and in `m_partId0/1` the world ids of both shapes.
class ContactDispatcher final : public btCollisionDispatcher {
 public:
  ContactDispatcher(btCollisionConfiguration* configuration, const PairTable& pairs);
  const PairTable& pairs() const { return pairs_; }

 private:
  const PairTable& pairs_;
};

}  // namespace mortise::bullet
