#include "dart_physics.h"

#include "dart_scene.h"

namespace mortise::dart {

PhysicsCapabilities DartPhysics::capabilities() const {
  PhysicsCapabilities can;
  can.externalContacts = true;
  can.ownContacts = true;
  can.movingMeshes = true;
  can.implicitDrives = true;
  can.kinematicBodies = true;
  can.motionChanges = true;
  can.collisionChanges = true;
  can.worldJoints = true;
  can.contactSoftness = false;
  // With contacts from outside. FCL keeps trees of its own: `effectiveSettings` says `approximate` then.
  can.restore = PhysicsCapabilities::Restore::bitwise;
  can.friction = PhysicsCapabilities::Friction::pyramid;
  can.limits = {
      {"momentum of bodies that turn",
       "DART keeps the velocity of a free body in the body's own axes: the momentum of one that turns drifts, to "
       "the order of the step."},
      {"energy of its own contacts",
       "Contacts that DART finds where a fast body has sunk in within a step have points and normals that can give "
       "energy (58 % for a ball at 20 m/s on a rod, at a step of 2 ms)."},
      {"friction off its two axes",
       "DART limits friction along two axes of a contact each by itself: between them it is up to 41 % too strong, and "
       "a body that slides at 45 degrees stops after 71 % of its way. With friction_direction: sliding the axes follow "
       "the slip of each contact."},
      {"stiffness and damping of contacts",
       "DART's contacts are rigid: kStiffness and kDamping of surfaces have no effect."}};
  return can;
}

std::unique_ptr<Scene> DartPhysics::build(const SceneDescription& description) {
  return std::make_unique<DartScene>(description, *settings_);
}

}  // namespace mortise::dart
