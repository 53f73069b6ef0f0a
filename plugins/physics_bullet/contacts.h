#pragma once

#include <btBulletCollisionCommon.h>
#include <cstdint>
#include <span>
#include <vector>

#include "contact_dispatch.h"
#include "mortise/component/physics.h"
#include "mortise/contacts/push_out.h"

namespace mortise::bullet {

/// Contacts of the next step that the caller found, as contact points in Bullet's manifolds, and the forces of the
/// last step, whoever found the contacts. Points keep Bullet's impulses from step to step by their keys, as Bullet's
/// own persistent points do.
class Contacts {
 public:
  /// Keeps a reference to the description.
  Contacts(const SceneDescription& description, double restitutionThreshold)
      : scene_(description),
        numBodies_(static_cast<int>(description.bodies.size())),
        numIds_(static_cast<int>(description.surfaces.size())),
        restitutionThreshold_(restitutionThreshold),
        pushOut_(description) {}

  /// Throws `Error` for what cannot be.
  void set(std::span<const SceneContact> contacts);

  /// Fills the dispatcher's manifolds; `colliders` by body. A contact with restitution that is still apart but closes
  /// faster than Bullet's threshold is withheld until it touches: Bullet takes the gap off the speed of its rebound.
  template <typename StateOf>
  void hand(btCollisionDispatcher& dispatcher, std::span<btCollisionObject* const> colliders, const StateOf& stateOf) {
    begin(dispatcher);
    for (std::size_t i = 0; i < next_.size(); ++i) {
      const SceneContact& contact = next_[i];
      if (contact.gap > 0 && contact.material.restitution > 0 &&
          closingSpeed(contact, stateOf(contact.bodyA), stateOf(contact.bodyB)) > restitutionThreshold_)
        ++withheld_;
      else
        handOne(i, dispatcher, colliders);
    }
  }

  /// After the step: forces of contacts that were handed over, or of all that Bullet found.
  void collectHanded(double h);
  /// Before the step: those that Bullet found between bodies that were put into each other become soft, and rigid again
  /// when they are apart.
  void softenFound(btCollisionDispatcher& dispatcher, const SceneDescription& scene);
  OwnContactsPushOut& pushOut() { return pushOut_; }
  void collectFound(btCollisionDispatcher& dispatcher, double h);

  std::span<const ContactForce> forces() const { return forces_; }
  std::int64_t withheld() const { return withheld_; }

  void save(ByteWriter& out) const;
  void restore(ByteReader& in);

 private:
  /// Bullet's applied impulses and its right-hand side of the step before.
  struct Memory {
    double normal = 0, lateral1 = 0, lateral2 = 0, rhs = 0;
  };
  void recall();
  void begin(btCollisionDispatcher& dispatcher);
  static double closingSpeed(const SceneContact& contact, const BodyState& a, const BodyState& b);
  void handOne(std::size_t index, btCollisionDispatcher& dispatcher, std::span<btCollisionObject* const> colliders);

  const SceneDescription& scene_;
  int numBodies_, numIds_;
  double restitutionThreshold_;
  OwnContactsPushOut pushOut_;
  std::vector<SceneContact> found_;  ///< Contacts of the step, as far as `pushOut_` needs them: work space.
  std::int64_t withheld_ = 0;
  std::vector<SceneContact> next_;
  std::vector<ContactForce> forces_;          ///< Forces of the last step.
  std::vector<Memory> memory_, lastMemory_;   ///< Memory of `next_`; of `forces_`, when handed over.
  std::vector<btManifoldPoint*> points_;      ///< Points of `next_`; null: not handed over.
  btPersistentManifold* manifold_ = nullptr;  ///< The one being filled.
};

}  // namespace mortise::bullet
